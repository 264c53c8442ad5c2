"""Writing that is cut off or refused: every file is its old or its new self, and the next run completes."""

from __future__ import annotations

import csv
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cellwright.clients.disk import is_temporary
from tests.cli.workshop import MIRROR, TASK, Result, Workshop, edit, environment, run, snapshot
from tests.conftest import ROOT, missing

FILLED_BY_LOCATE = ("value", "scale", "sign", "quote", "row", "column")


def blank(file: Path, columns: tuple[str, ...]) -> None:
    """Empty some columns of a table."""
    with file.open(encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle))
    with file.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.DictWriter(handle, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({**row, **dict.fromkeys(columns, "")} for row in rows)


def uncapture(workshop: Workshop) -> None:
    shutil.rmtree(workshop.root / "sources" / "captures")
    (workshop.root / "sources" / "captures.csv").unlink()
    blank(workshop.task / "sources.csv", ("capture", "media_type"))


def unlocate(workshop: Workshop) -> None:
    blank(workshop.task / "facts.csv", FILLED_BY_LOCATE)


def empty_cells(workshop: Workshop) -> None:
    cells = workshop.task / "cells.csv"
    cells.write_text("".join(cells.read_text(encoding="utf-8").splitlines(keepends=True)[:2]), encoding="utf-8")


def outdated_bundle(workshop: Workshop, built: Path) -> None:
    shutil.copytree(built, workshop.root / "made")
    edit(workshop.root / "params.yaml", "version: 0.1.0", "version: 0.2.0")


@dataclass(frozen=True)
class Writing:
    """A command that writes, and the moments at which the quick tests kill it: the first, and every so many on."""

    arguments: tuple[str, ...]
    first: int
    step: int
    prepare: Callable[[Workshop], object]


WRITINGS = {
    "new": Writing(("new", "fresh-task"), 5, 5, lambda _: None),
    "derive": Writing(("derive", TASK, "--write"), 4, 50, empty_cells),
    "locate": Writing(("locate", TASK, "--write"), 4, 50, unlocate),
    "capture": Writing(("capture", TASK, "--mirror", MIRROR), 12, 41, uncapture),
    "bundle": Writing(("bundle", "--out", "made"), 23, 50, lambda _: None),
}


def kill_all(captured: Path, built: Path, folder: Path, quick: bool) -> dict[str, tuple[dict[str, str], list[Any]]]:
    """Each command killed at its moments: the files before the first run, and what every run left."""
    jobs: list[dict[str, object]] = []
    old: dict[str, dict[str, str]] = {}
    for name, writing in WRITINGS.items():
        shop = Workshop(shutil.copytree(captured, folder / name / "workshop"))
        writing.prepare(shop)
        if name == "bundle":
            outdated_bundle(shop, built)
        old[name] = snapshot(shop.root)
        first, step = (writing.first, writing.step) if quick else (1, 3 if name in ("bundle", "capture") else 1)
        job = {"name": name, "master": str(shop.root), "first": first, "step": step}
        jobs.append({**job, "arguments": writing.arguments})
    command = [sys.executable, "-m", "tests.cli.killed"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment(),
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {name: (old[name], runs) for name, runs in json.loads(done.stdout).items()}


def look(old: dict[str, str], runs: list[Any]) -> None:
    """Hold every file that a kill left against its old and its new self."""
    new = runs[-1]["left"]
    code = runs[-1]["killed"]
    assert code >= 0, "the last run comes to its end"
    assert new != old
    assert len(runs) > 1
    for each in runs[:-1]:
        assert each["killed"] == -signal.SIGKILL
        data = {name: digest for name, digest in each["left"].items() if not leftover(name)}
        strange = [name for name, digest in data.items() if digest not in (old.get(name), new.get(name))]
        lost = [name for name in old if name in new and name not in data]
        assert (strange, lost) == ([], []), f"killed at moment {each['moment']}"
        assert each["again"] == code, f"the run after the kill at moment {each['moment']}"
        assert each["end"] == new, f"the run after the kill at moment {each['moment']}"


def leftover(name: str) -> bool:
    """Whether a path is what a killed write leaves behind, which nothing reads."""
    return any(is_temporary(part) for part in name.split("/"))


@pytest.fixture(scope="module")
def kills(captured: Path, built: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return kill_all(captured, built, tmp_path_factory.mktemp("kills"), quick=True)


@pytest.mark.parametrize("name", WRITINGS)
def test_a_kill_leaves_each_file_old_or_new_and_the_next_run_completes(name: str, kills: dict[str, Any]) -> None:
    look(*kills[name])


@pytest.mark.slow
def test_a_kill_at_any_moment_leaves_each_file_old_or_new(captured: Path, built: Path, tmp_path: Path) -> None:
    for old, runs in kill_all(captured, built, tmp_path, quick=False).values():
        look(old, runs)


@pytest.mark.slow
def test_the_real_program_killed_at_random_moments_harms_nothing(workshop: Workshop) -> None:
    empty_cells(workshop)
    cells = workshop.task / "cells.csv"
    old = cells.read_bytes()
    begun = time.monotonic()
    whole = workshop.run("derive", TASK, "--write")
    took = time.monotonic() - begun
    new = cells.read_bytes()
    assert whole.code == 0
    assert new != old
    chance = random.Random(20240131)
    for _ in range(12):
        cells.write_bytes(old)
        program = subprocess.Popen(
            [sys.executable, "-m", "cellwright", "derive", TASK, "--write"],
            cwd=workshop.root,
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(chance.uniform(0.6, 1.0) * took)
        program.kill()
        program.wait()
        assert cells.read_bytes() in (old, new)
    assert workshop.run("derive", TASK, "--write").code == 0
    assert cells.read_bytes() == new


# -- the disk refuses

WRITES: list[tuple[str, ...]] = [
    ("new", "fresh-task"),
    ("derive", TASK, "--write"),
    ("capture", TASK, "--mirror", MIRROR),
    ("audit", "--format", "json", "--out", "audit.json"),
    ("bundle", "--out", "made"),
]


@pytest.fixture
def hungry(workshop: Workshop) -> Workshop:
    """A workshop in which every writing command has something to write."""
    cells = workshop.task / "cells.csv"
    edit(cells, "precise,single,", ",single,")
    captures = workshop.root / "sources" / "captures" / TASK
    max(captures.iterdir()).unlink()
    return workshop


def refused(done: Result) -> None:
    """One sentence, that a file or folder could not be written, and the code for it."""
    assert done.code == 4, done.err
    assert len(done.sentences) == 1, done.err
    assert re.search(r": the (file|folder) (cannot|could not) be written.*; seen '", done.sentences[0])


def mount(*arguments: str | Path) -> None:
    program = shutil.which("mount")
    if program is None or os.geteuid() != 0:
        missing("only root can mount a disk of its own")
    done = subprocess.run([str(program), *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        missing(f"a disk cannot be mounted here: {done.stderr.strip()}")


@contextmanager
def mounted(folder: Path, *steps: Sequence[str | Path]) -> Iterator[None]:
    """A disk of its own over a folder, made by `mount` in these steps."""
    mount(*steps[0])
    try:
        for step in steps[1:]:
            mount(*step)
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True, capture_output=True)


def test_a_read_only_disk_is_told_in_one_sentence(hungry: Workshop, here: Callable[..., Result]) -> None:
    before = snapshot(hungry.root)
    top = hungry.root
    with mounted(top, ("--bind", top, top), ("-o", "remount,bind,ro", top, top)):
        for arguments in WRITES[:-1]:
            done = here(*arguments, cwd=top)
            refused(done)
            assert "Read-only file system" in done.sentences[0]
    assert snapshot(top) == before


def test_a_read_only_place_for_a_bundle_is_told(captured: Path, tmp_path: Path, here: Callable[..., Result]) -> None:
    with mounted(tmp_path, ("-t", "tmpfs", "-o", "ro", "tmpfs", tmp_path)):
        done = here("bundle", "--out", tmp_path / "made", cwd=captured)
        refused(done)
        assert done.out == ""
        assert list(tmp_path.iterdir()) == []


def test_a_disk_that_is_full_keeps_the_bundle_that_was_there(
    captured: Path, built: Path, tmp_path: Path, here: Callable[..., Result]
) -> None:
    size = sum(path.stat().st_size for path in built.rglob("*") if path.is_file())
    with mounted(tmp_path, ("-t", "tmpfs", "-o", f"size={size * 3 // 2 // 4096 * 4096}", "tmpfs", tmp_path)):
        shutil.copytree(built, tmp_path / "made")
        before = snapshot(tmp_path)
        done = here("bundle", "--out", tmp_path / "made", cwd=captured)
        refused(done)
        assert "No space left on device" in done.sentences[0]
        assert snapshot(tmp_path) == before


def test_a_file_that_may_not_grow_is_told_and_stays_as_it_was(hungry: Workshop) -> None:
    before = snapshot(hungry.root)
    for arguments in (WRITES[1], WRITES[2]):
        done = run(*arguments, cwd=hungry.root, before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
        refused(done)
        assert "File too large" in done.sentences[0]
        assert snapshot(hungry.root) == before
