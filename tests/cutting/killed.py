"""Runs `release cut` once for each moment at which it starts a program, git or DVC, and kills it there.

Reads `{"master", "moments", "folder"}` from the standard input, as JSON. A moment is a number `n` (the nth program
started), or `"before WORD"`, `"after WORD"` (the program whose command holds the word, and the one started next).
Prints for each moment what the kill left and what the next cut made of it. Everything heavy is imported once and
each run is a fork.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

from tests.cutting.shop import Shop, copy_shop, git, trailer


def main() -> None:
    job = json.load(sys.stdin)
    import dvc.repo  # noqa: F401

    import cellwright.authoring.releases.cut
    import cellwright.cli
    import cellwright.validators.audit  # noqa: F401

    for place, moment in enumerate(job["moments"]):
        print(json.dumps(_killed_at(Shop(Path(job["master"])), moment, Path(job["folder"]) / str(place))), flush=True)


def _killed_at(master: Shop, moment: int | str, folder: Path) -> dict[str, Any]:
    shop = copy_shop(master, folder)
    before = git(shop.root, "rev-parse", "HEAD")
    killed = _forked(shop.root, moment)
    left = _state(shop, before)
    again = _forked(shop.root, 0)
    told = {"moment": moment, "killed": killed, "left": left, "again": again, "end": _state(shop, before)}
    shutil.rmtree(folder)
    return told


def _state(shop: Shop, before: str) -> dict[str, Any]:
    """Where the repository stands: the branch, tags, what is listed, what is not committed, what a cut left."""
    head, tags = git(shop.root, "rev-parse", "HEAD"), shop.tags()
    return {
        "moved": head != before,
        "tags": tags,
        "tagged": [git(shop.root, "rev-parse", f"{tag}^{{commit}}") == head for tag in tags],
        "bundle": [trailer(shop, tag, "bundle") for tag in tags],
        "changed": git(shop.root, "status", "--porcelain").splitlines(),
        "lying": sorted(path.name for path in (shop.root / ".git" / "cellwright" / "release").glob("*")),
    }


def _forked(folder: Path, moment: int | str) -> int:
    """The program's exit code in a process of its own, or the signal that ended it, as a negative number."""
    child = os.fork()
    if child == 0:
        _run(folder, moment)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _run(folder: Path, moment: int | str) -> None:
    os.chdir(folder)
    with (folder.parent / "said").open("wb") as said:
        os.dup2(said.fileno(), 1)
        os.dup2(said.fileno(), 2)
    os.environ.pop("CELLWRIGHT_ROOT", None)
    sys.argv = ["cellwright", "release", "cut", "1.0.0", "--yes"]
    if moment:
        _kill_at(moment)
    code: Any = 70
    try:
        from cellwright.cli import main as program

        program()
    except SystemExit as stopped:
        code = stopped.code or 0
    finally:
        os._exit(int(code))


def _kill_at(moment: int | str) -> None:
    """Kill this process when it is about to start the program that the moment names."""
    kind, _, word = moment.partition(" ") if isinstance(moment, str) else ("", "", "")
    left = moment if isinstance(moment, int) else 1
    seen = False

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal left, seen
        if event != "subprocess.Popen":
            return
        named = any(word in str(part) for part in arguments[1])
        left -= seen if kind == "after" else named
        seen = seen or named
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)


if __name__ == "__main__":
    main()
