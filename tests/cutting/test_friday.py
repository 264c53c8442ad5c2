"""The Friday of a release manager: a corrected reference, a quarantined task, two new ones; a patch; a yank."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.workshop import edit
from tests.cutting.shop import Shop, git, got, sha256, trailer

# DVC's own libraries warn of their own futures.
pytestmark = pytest.mark.filterwarnings("ignore")


def test_a_friday(released_shop: Shop, tmp_path: Path) -> None:
    shop = released_shop
    # One corrected reference, one quarantined task, two new ones.
    shop.correct("north")
    quarantined = shop.run("task", "quarantine", "south", "--because", "two makers restated")
    assert quarantined.code == 0, quarantined.err
    shop.add_task("east", shift=29)
    shop.add_task("west", shift=37)
    shop.commit("Friday")

    low = shop.cut("1.0.1")
    assert (low.code, len(low.sentences)) == (1, 1)
    assert "1.0.1 is too low" in low.sentences[0]
    assert "expected 1.1.0 or higher, since" in low.sentences[0]
    for reason in (
        "2 tasks added: `east`, `west`",
        "1 task quarantined: `south`",
        "2 cells changed: `north` birch/cost_share, `north` birch/revenue",
    ):
        assert reason in low.sentences[0]
    assert shop.tags() == ["v1.0.0"]

    second = shop.cut()
    assert second.code == 0, second.out + second.err
    assert "proposed: 1.1.0 (minor after 1.0.0): a score may move" in second.out
    assert git(shop.root, "status", "--porcelain") == ""
    assert git(shop.root, "log", "-1", "--format=%s") == "Release 1.1.0"

    # A patch: what no score hangs on.
    edit(shop.root / "tasks" / "east" / "sources.csv", "the issuer's own annual report", "the issuer's annual report")
    shop.commit("Words")
    third = shop.cut()
    assert third.code == 0, third.out + third.err
    assert "proposed: 1.1.1 (patch after 1.1.0): no score can move" in third.out

    _advisories_tell_readers_of_the_first_release(shop)
    _each_tag_gives_its_own_bundle(shop, tmp_path)
    _a_yanked_release_says_so(shop)


def _advisories_tell_readers_of_the_first_release(shop: Shop) -> None:
    rows = shop.rows("releases/advisories.csv")
    assert [(row["id"], row["kind"], row["version"], row["task"], row["dimension"]) for row in rows] == [
        ("A1", "corrected", "1.1.0", "north", "cost_share"),
        ("A2", "corrected", "1.1.0", "north", "revenue"),
        ("A3", "quarantined", "1.1.0", "south", ""),
    ]
    assert rows[0]["because"] == "`birch.revenue.fy2023` 59,400 → 58,400 (reading)"
    assert rows[2]["because"] == "two makers restated"
    assert [row["released_in"] for row in shop.rows("tasks/north/corrections.csv")] == ["1.1.0"]
    told = (shop.root / "releases" / "CHANGELOG.md").read_text(encoding="utf-8")
    heads = [line for line in told.splitlines() if line.startswith("## ")]
    assert heads == ["## 1.1.1", "## 1.1.0", "## 1.0.0"]
    assert "- Quarantined: task `south`: two makers restated." in told
    assert "birch/revenue 59400000000 USD → 58400000000 USD" in told


def _each_tag_gives_its_own_bundle(shop: Shop, tmp_path: Path) -> None:
    for version, tasks in (("1.0.0", 2), ("1.1.0", 3), ("1.1.1", 3)):
        (tmp_path / version).mkdir()
        manifest = got(shop, f"v{version}", tmp_path / version)
        assert (manifest["version"], manifest["counts"]["tasks"]) == (version, tasks)
        assert sha256(tmp_path / version / "bundle" / "bundle.json") == trailer(shop, f"v{version}", "bundle")
        assert manifest["cells"]["digest"] == trailer(shop, f"v{version}", "cells")
        assert manifest["corpus"]["digest"] == trailer(shop, f"v{version}", "corpus")
    assert [row["kind"] for row in manifest["advisories"]] == ["corrected", "corrected", "quarantined"]
    import dvc.api

    with dvc.api.open("build/bundle/bundle.json", repo=str(shop.root), rev="v1.1.0", encoding="utf-8") as file:
        assert json.load(file)["version"] == "1.1.0"


def _a_yanked_release_says_so(shop: Shop) -> None:
    yanked = shop.run("release", "yank", "1.1.0", "--because", "the words of a tier were wrong")
    assert yanked.code == 0, yanked.err
    assert "A4: 1.1.0 is yanked" in yanked.err
    last = shop.rows("releases/advisories.csv")[-1]
    assert (last["id"], last["kind"], last["version"]) == ("A4", "yanked", "1.1.0")
    listed = shop.listed()
    assert [item["version"] for item in listed] == ["1.1.1", "1.1.0", "1.0.0"]
    assert [item["yanked"] for item in listed] == [None, "the words of a tier were wrong", None]
    assert shop.tags() == ["v1.0.0", "v1.1.0", "v1.1.1"]
    again = shop.run("release", "yank", "1.1.0", "--because", "once more")
    assert (again.code, "1.1.0 is yanked already" in again.err) == (1, True)
