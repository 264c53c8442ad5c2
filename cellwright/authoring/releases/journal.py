"""What a cut has still to do once its release is visible: the one page that a killed run leaves to the next.

Until the branch and the tag move, which git does in one step, a cut has changed nothing that anybody sees, and a
killed one is simply begun anew. After that the work tree must follow; the journal, written before the step, says how.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from cellwright.clients.disk import read_bytes, write_atomic
from cellwright.clients.git_writing import WorkTree
from cellwright.clients.locks import folder_lock
from cellwright.records.errors import NotSettled, Place, UnreadableInput

FOLDER = ("cellwright", "release")
"""Where a cut works, in git's own folder: never in the way of git, DVC or a person."""
JOURNAL = "journal.json"


@dataclass(frozen=True, slots=True)
class Journal:
    """A release that is about to be visible, or is."""

    version: str
    branch: str
    before: str
    """The branch's commit before it."""
    commit: str
    tag_object: str


@dataclass(frozen=True, slots=True)
class Finished:
    """A release that a killed run had made visible, its work tree now brought forward; `left` stayed as they were."""

    version: str
    left: tuple[str, ...]


def workplace(tree: WorkTree) -> Path:
    """The folder in which cuts of this work tree are made."""
    return tree.git_dir.joinpath(*FOLDER)


@contextmanager
def cut_lock(tree: WorkTree) -> Iterator[Path]:
    """One cut at a time; gives the folder to work in. Raises NotSettled where another process is at work."""
    folder = workplace(tree)
    folder.mkdir(parents=True, exist_ok=True)
    busy = NotSettled("another cut is at work in this repository", Place(str(tree.root)), fix="wait until it has ended")
    with folder_lock(folder, busy):
        yield folder


def write_journal(tree: WorkTree, journal: Journal) -> None:
    """Written before the release becomes visible. Raises DiskFailed."""
    write_atomic(workplace(tree) / JOURNAL, json.dumps(asdict(journal), indent=1).encode())


def finish(tree: WorkTree) -> Finished | None:
    """Ends what a killed cut had begun: its release visible, the work tree follows; not visible, all is thrown away.

    To be called under the lock. Gives the release that was completed, or None.
    """
    journal = _read(tree)
    done = None
    if journal is not None and tree.object_of(f"refs/tags/v{journal.version}") == journal.tag_object:
        # On another branch by now, a checkout has brought the tree along already.
        here = tree.branch == journal.branch
        done = Finished(journal.version, tree.bring_forward(journal.before, journal.commit) if here else ())
    clear(tree)
    return done


def pending(tree: WorkTree) -> str:
    """The version whose work tree has still to follow; empty where there is none."""
    journal = _read(tree)
    if journal is None or tree.object_of(f"refs/tags/v{journal.version}") != journal.tag_object:
        return ""
    return journal.version


def clear(tree: WorkTree) -> None:
    """Removes what cuts have left in their folder; the journal last, since the rest is only room."""
    folder = workplace(tree)
    if folder.is_dir():
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name == JOURNAL):
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry, ignore_errors=True)
            else:
                entry.unlink(missing_ok=True)


def _read(tree: WorkTree) -> Journal | None:
    try:
        return Journal(**json.loads(read_bytes(workplace(tree) / JOURNAL)))
    except (UnreadableInput, ValueError, TypeError, RecursionError):
        return None
