"""DVC in a copy of a repository: it shares the repository's cache, knows no git, and sends to the repository's remote.

The copy's own settings say where the cache is. Remotes, whose settings may hold secrets and paths that are relative
to the repository, are never written there: they are laid over for the one piece of work that needs them.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from cellwright.clients.dvc import dvc_repository
from cellwright.records.errors import NotSettled, Place, Problem, WorldFailed, clip

_NOT_PASSED_ON = ("CELLWRIGHT_ROOT", "CELLWRIGHT_DAY", "DVC_ROOT", "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")
"""What would lead a stage's command out of the copy, or make it look at the clock otherwise than a clone does."""


def outputs(root: Path) -> frozenset[str]:
    """Where the outputs of the repository's stages and pointers lie, from the root."""
    with dvc_repository(root, "read the pipeline") as repository:
        top = repository.root_dir
        return frozenset(Path(os.path.relpath(out.fs_path, top)).as_posix() for out in repository.index.outs)


def settle_copy(root: Path, copy: Path) -> None:
    """Makes the copy share the cache of the repository at `root`."""
    with dvc_repository(root, "read its settings") as repository:
        cache = repository.cache.local_cache_dir
    settings = (
        "[core]\n    no_scm = true\n    analytics = false\n    check_update = false\n    autostage = false\n"
        f"    site_cache_dir = {copy.parent / 'dvc'}\n[cache]\n    dir = {cache}\n"
    )
    (copy / ".dvc" / "config.local").write_text(settings, encoding="utf-8")


def check_out_captures(copy: Path) -> None:
    """Puts the captures that the copy's pointers name in their place. Raises NotSettled where the cache lacks some."""
    pointers = sorted((copy / "sources" / "captures").glob("*.dvc"))
    if not pointers:
        return
    from dvc.exceptions import CheckoutError

    with dvc_repository(copy, "put the captures in their place") as repository:
        try:
            repository.checkout(targets=[str(pointer) for pointer in pointers])
        except CheckoutError as error:
            names = [Path(target).name for target in error.target_infos]
            raise NotSettled(
                "captures that the repository's pointers name are not in DVC's cache",
                Place("sources/captures"),
                seen=", ".join(sorted(names)[:5]),
                fix="`dvc pull` brings them",
            ) from None


def run_stages(copy: Path, targets: list[str], *, anew: bool) -> None:
    """Runs the pipeline of the copy as `dvc repro` does; `anew` takes nothing from earlier runs.

    The stages find the very program that runs now under the name `cellwright`. Raises NotSettled where a stage says
    no, with what it said.
    """
    program = _program(copy.parent / "bin")
    env = {name: value for name, value in os.environ.items() if name not in _NOT_PASSED_ON}
    env |= {"PATH": f"{program}{os.pathsep}{env.get('PATH', os.defpath)}", "DVC_NO_ANALYTICS": "1"}
    command = [sys.executable, "-P", "-m", "dvc", "repro", "-q", *(["--force"] if anew else []), *targets]
    try:
        done = subprocess.run(command, cwd=copy, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError as error:
        raise WorldFailed("DVC cannot be run", seen=error.strerror or str(error)) from None
    if done.returncode:
        raise NotSettled(_told(done.stderr.decode("utf-8", "replace")))


def is_up_to_date(copy: Path) -> bool:
    """Whether every stage has been run on what lies there."""
    with dvc_repository(copy, "look what has been run") as repository:
        return not repository.status()


def _told(text: str) -> list[Problem]:
    """What a stage's program said, then what DVC says of it."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    said = [line.removeprefix("error: ") for line in lines if line.startswith("error: ")]
    dvc = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    last = Problem("a stage of the pipeline did not end well", Place("dvc.yaml"), seen=clip("; ".join(dvc[-2:]), 300))
    return [*(Problem(clip(line, 500)) for line in said[:20]), last]


def _program(folder: Path) -> Path:
    """A folder in which `cellwright` is the program that runs now, whatever else the machine has of this name."""
    folder.mkdir(exist_ok=True)
    script = folder / "cellwright"
    script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -P -m cellwright "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    return folder


def push_copy(root: Path, copy: Path) -> int:
    """Sends all that the copy's pointers and lock file name to the default remote of `root`; gives how many objects.

    Raises WorldFailed where the remote does not take them, or does not have each of them afterwards.
    """
    settings = _remotes(root)
    with dvc_repository(copy, "push to the remote", settings) as repository:
        sent = int(repository.push())
    with dvc_repository(copy, "read the remote", settings) as repository:
        missing = _missing(repository)
    if missing:
        raise WorldFailed(
            "the remote does not have all that was pushed",
            Place(".dvc/config"),
            seen=f"{len(missing)} missing, the first {missing[0]}",
            fix="run it again: what is there is not sent twice",
        )
    return sent


def _remotes(root: Path) -> dict[str, Any]:
    """The remotes of the repository, their paths made absolute by DVC itself."""
    with dvc_repository(root, "read its settings") as repository:
        config = repository.config
        return {
            "remote": {name: dict(remote) for name, remote in config["remote"].items()},
            "core": {"remote": config["core"].get("remote")},
        }


def _missing(repository: Any) -> list[str]:
    """The objects that the remote does not have, asked for one by one: what DVC remembers of it is not believed."""
    remote = repository.cloud.get_remote()
    if remote.fs.version_aware or remote.worktree:
        return []  # There the remote's own versions are the record; DVC writes them down as it pushes.
    missing: list[str] = []
    for own_store, objects in repository.used_objs(push=True).items():
        by_kind: dict[str, set[str]] = {}
        for info in objects:
            by_kind.setdefault(info.name, set()).add(info.value)
        for kind, names in sorted(by_kind.items()):
            store = own_store or repository.cloud.get_remote_odb(hash_name=kind)
            missing += sorted(names - set(store.list_oids_exists(sorted(names))))
    return missing
