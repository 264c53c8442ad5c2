"""`init`: a repository of one's own with the pipeline wired, made beside its place and put there in one rename.

Nothing that is there is ever overwritten. What a new repository begins with, and why: docs/decisions/0026.
"""

from __future__ import annotations

import glob
import re
import secrets
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from cellwright import __version__
from cellwright.authoring.settings import BundleSettings
from cellwright.authoring.shipped import guidelines, registry, templates
from cellwright.authoring.starting_params import params_yaml
from cellwright.clients.disk import is_temporary
from cellwright.clients.dvc_start import begin_dvc
from cellwright.clients.git_start import begin_git, first_commit, is_ignored, work_tree_prefix
from cellwright.records.errors import DiskFailed, Place, UnreadableInput
from cellwright.records.repository_rows import Advisory, CaptureRow
from cellwright.records.tables import write_table

NAME_WORDS = "small letters, digits and - that begin with a letter, 61 at most, as in acme-benchmark"
MOST_LISTED = 20
"""Names of what is in the way that are told."""
PLACES = {
    "pipeline.yaml": "dvc.yaml",  # under its own name DVC would take it for a pipeline of ours
    "gitignore": ".gitignore",
    "gitattributes": ".gitattributes",
    "dvcignore": ".dvcignore",
    "captures.gitignore": "sources/captures/.gitignore",
    "tasks.README.md": "tasks/README.md",
    "CHANGELOG.md": "releases/CHANGELOG.md",
}
"""Templates whose name is not their place: a file that begins with a dot would act in Cellwright's own repository."""
DVC_ONLY = ("dvc.yaml", ".dvcignore", "sources/captures/.gitignore")
_DVC_CONFIG = "dvc.config"
_NAME = re.compile(r"[a-z][a-z0-9-]{0,60}")
_CREDENTIALS = re.compile(r"://[^/@\s]*@")
Git = Literal["committed", "staged", "none"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a new repository is to be."""

    folder: Path
    name: str
    git: bool = True
    dvc: bool = True
    remote: str = ""
    """Where DVC sends captures and bundles; none where it is empty."""


@dataclass(frozen=True, slots=True)
class Made:
    """What was made."""

    files: tuple[str, ...]
    git: Git
    within: str = ""
    """Where the new repository lies in a git repository that was there before; empty where it is none's part."""


def init_repository(wanted: Wanted) -> Made:
    """Make the repository, whole or not at all.

    Raises UnreadableInput for a folder that is not empty and for a name or remote that cannot be, WorldFailed where
    git or DVC fails, DiskFailed where the disk does; nothing is there then that was not there before.
    """
    within = check_wanted(wanted)
    files = starting_files(wanted)
    message = f"{wanted.name} begins"
    folder = wanted.folder.absolute()
    with _beside(folder) as fresh:
        for name, data in files.items():
            path = fresh / PurePosixPath(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        if wanted.git:
            begin_git(fresh)
        if wanted.dvc:
            under = "git" if wanted.git else "folder" if within else "nothing"
            begin_dvc(fresh, config=templates()[_DVC_CONFIG], remote=wanted.remote, under=under)
        committed = wanted.git and first_commit(fresh, message)
        listed = tuple(sorted(_listed(fresh)))
        fresh.rename(folder)  # An empty folder that stands there is replaced in the same step.
    return Made(listed, "committed" if committed else "staged" if wanted.git else "none", within)


def check_wanted(wanted: Wanted) -> str:
    """Where the folder lies in a git repository that is there, "" where in none. Raises UnreadableInput."""
    if not _NAME.fullmatch(wanted.name):
        raise UnreadableInput(
            "this is no benchmark's name", seen=wanted.name or "nothing", expected=NAME_WORDS, fix="give it by `--name`"
        )
    if _CREDENTIALS.search(wanted.remote):
        raise UnreadableInput(
            "the remote's address holds a user's name or password, and would be committed",
            fix="leave them out, and set them by `dvc remote modify --local`",
        )
    if any(not char.isprintable() for char in wanted.remote):
        raise UnreadableInput("the remote's address holds a character that cannot be printed", seen=wanted.remote)
    if wanted.remote and not wanted.dvc:
        raise UnreadableInput("a remote is DVC's, and there is to be no DVC", fix="leave out `--remote` or `--no-dvc`")
    _check_place(wanted.folder)
    above = next(place for place in wanted.folder.absolute().parents if place.is_dir())
    prefix = work_tree_prefix(above)
    if prefix is None:
        return ""
    if wanted.git:
        if is_ignored(above, wanted.folder.absolute()):
            return ""
        raise UnreadableInput(
            "the folder lies inside another git repository",
            Place(str(wanted.folder)),
            fix="name a folder elsewhere, or say `--no-git` to make it a part of that repository",
        )
    return prefix + wanted.folder.absolute().relative_to(above).as_posix()


def _check_place(folder: Path) -> None:
    """Refuses a place where anything stands, with the list of it."""
    place = Place(str(folder))
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise UnreadableInput("the place is taken by a file or a link", place, fix="name another folder")
    if not folder.exists():
        return
    names = sorted(entry.name + ("/" if entry.is_dir() else "") for entry in folder.iterdir())
    if names:
        more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
        raise UnreadableInput(
            f"the folder is not empty; in the way: {', '.join(names[:MOST_LISTED])}{more}",
            place,
            expected="a new folder, or an empty one",
            fix="name another one, or move these away: nothing is overwritten",
        )
    if folder.samefile(Path.cwd()):
        raise UnreadableInput(
            "the folder is the one that you stand in, which cannot be replaced in one step",
            place,
            fix=f"go up with `cd ..`, then `cellwright init {folder.absolute().name}`",
        )


def starting_files(wanted: Wanted) -> dict[str, bytes]:
    """The files that are written, path to bytes, sorted; what git and DVC make of their own is not among them."""
    files = {_place(name): _filled(text, wanted).encode() for name, text in templates().items() if name != _DVC_CONFIG}
    if not wanted.dvc:
        files = {name: data for name, data in files.items() if name not in DVC_ONLY}
    canary = f"cellwright-canary-{uuid.uuid4()}"
    files["params.yaml"] = params_yaml(BundleSettings(name=wanted.name, canary=canary)).encode()
    files["sources/registry.csv"] = registry()
    files["sources/captures.csv"] = write_table([], CaptureRow.columns())
    files["releases/advisories.csv"] = write_table([], Advisory.columns())
    files |= {f"guidelines/{name}": data for name, data in guidelines().items()}
    return dict(sorted(files.items()))


def planned(wanted: Wanted) -> tuple[str, ...]:
    """Every path that `init_repository` would make, sorted; `.git/` stands for what git keeps."""
    own = [".git/"] if wanted.git else []
    dvc = [".dvc/.gitignore", ".dvc/config"] if wanted.dvc else []
    return tuple(sorted([*starting_files(wanted), *own, *dvc]))


def _place(template: str) -> str:
    if template.startswith("github/"):
        return f".{template}"
    return PLACES.get(template, template)


def _filled(text: str, wanted: Wanted) -> str:
    return text.replace("@NAME@", wanted.name).replace("@VERSION@", __version__)


def _listed(folder: Path) -> Iterator[str]:
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not name.startswith(".git/"):
            yield name
    if (folder / ".git").is_dir():
        yield ".git/"


@contextmanager
def _beside(folder: Path) -> Iterator[Path]:
    """A new folder beside the place, gone again unless it was renamed; so are folders above that were missing."""
    missing = [place for place in folder.parents if not place.exists()]
    fresh = folder.parent / f".{folder.name}.tmp-{secrets.token_hex(8)}"
    try:
        _remove_leftovers(folder)
        fresh.mkdir(parents=True)
        yield fresh
    except OSError as error:
        seen = error.strerror or str(error)
        raise DiskFailed("the repository could not be written", Place(str(folder)), seen=seen) from None
    finally:
        if not folder.exists() or fresh.exists():
            shutil.rmtree(fresh, ignore_errors=True)
            for place in missing:
                if place.is_dir() and not any(place.iterdir()):
                    place.rmdir()


def _remove_leftovers(folder: Path) -> None:
    """What an `init` of this folder that was killed left beside it."""
    for entry in folder.parent.glob(f".{glob.escape(folder.name)}.tmp-*"):
        if is_temporary(entry.name) and entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
