"""A cut that is killed leaves the repository before or after the release, and the next cut completes it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.workshop import environment
from tests.conftest import ROOT
from tests.cutting.shop import Shop

# DVC's own libraries warn of their own futures.
pytestmark = pytest.mark.filterwarnings("ignore")
KILLED = -9


def killed_at(master: Shop, folder: Path, moments: list[int | str]) -> list[dict[str, Any]]:
    """What each kill left, and what the next cut made of it; moments after a run's end are left out."""
    job = json.dumps({"master": str(master.root), "folder": str(folder), "moments": moments})
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.cutting.killed"],
        cwd=ROOT,
        env=environment(),
        input=job.encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith(b"{")]


def check(told: dict[str, Any]) -> None:
    """The repository is before or after, and in the end the release is there, once, and nothing lies about."""
    left, end = told["left"], told["end"]
    assert (left["tags"], left["moved"]) in (([], False), (["v1.0.0"], True)), told
    if not left["moved"]:
        assert left["changed"] == [], told
    assert all(left["tagged"]), told
    # A killed cut whose release was whole already is told so; the next cut of it is then refused or completes it.
    assert told["again"] == (1 if left["moved"] and not left["lying"] else 0), told
    assert (end["tags"], end["tagged"], end["changed"], end["lying"]) == (["v1.0.0"], [True], [], []), told


@pytest.mark.parametrize(("moment", "visible"), [("before update-ref", False), ("after update-ref", True)])
def test_killed_at_the_moment_of_publishing_it_is_before_or_after(
    ready: Shop, tmp_path: Path, moment: str, visible: bool
) -> None:
    (told,) = killed_at(ready, tmp_path, [moment])
    assert told["killed"] == KILLED
    assert told["left"]["moved"] is visible
    assert "journal.json" in told["left"]["lying"]
    check(told)


@pytest.mark.slow
def test_killed_at_any_moment_it_is_before_or_after_and_the_bundle_is_the_same(ready: Shop, tmp_path: Path) -> None:
    told = [item for item in killed_at(ready, tmp_path, list(range(1, 60, 2))) if item["killed"] == KILLED]
    assert len(told) > 15
    for item in told:
        check(item)
    assert len({item["end"]["bundle"][0] for item in told}) == 1, "no clock and no chance is in the bytes"
