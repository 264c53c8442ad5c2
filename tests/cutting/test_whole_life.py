"""A release that was cut is verified, compared and explained by the other commands; a sealed one with its key."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from cellwright.clients.seal_key import make_key_file
from tests.cutting.shop import Shop, git

# DVC's own libraries warn of their own futures.
pytestmark = pytest.mark.filterwarnings("ignore")
STORED = "releases/submissions/reference"


def verified(
    shop: Shop, version: str, *, code: int = 0, env: dict[str, str] | None = None
) -> dict[str, tuple[str, str]]:
    """Each check's state and words."""
    done = shop.run("release", "verify", "--rev", f"v{version}", "--format", "json", env=env)
    assert done.code == code, done.out + done.err
    return {check["name"]: (check["state"], json.dumps(check)) for check in done.json["checks"]}


def test_what_was_cut_is_verified_from_its_tag_alone(released: Shop) -> None:
    checks = verified(released, "1.0.0")
    assert {state for state, _ in checks.values()} == {"met"}
    assert {"tag", "pulled", "captures", "rebuilt", "made again", "scores"} <= set(checks)
    kept = [json.loads(line) for line in (released.root / STORED / "results.jsonl").read_text().splitlines()]
    assert (len(kept), {row["score"] for row in kept}) == (12, {"1"})


def test_a_score_that_code_alone_moved_is_named(released_shop: Shop) -> None:
    path = released_shop.root / STORED / "results.jsonl"
    path.write_text(path.read_text().replace('"score":"1"', '"score":"0.5"', 1))
    released_shop.commit("Another score")
    git(released_shop.root, "tag", "-fa", "v1.0.0", "-m", git(released_shop.root, "tag", "-l", "--format=%(contents)"))
    state, said = verified(released_shop, "1.0.0", code=1)["scores"]
    assert state == "failed"
    assert "`score` was 0.5 and is 1" in said


def test_a_reader_is_told_what_changed_and_why_the_score_moved(released_shop: Shop) -> None:
    shop = released_shop
    old = (shop.root / STORED / "submission.jsonl").read_bytes()
    shop.correct("north")
    assert shop.run("task", "quarantine", "south", "--because", "two makers restated").code == 0
    shop.add_task("east", shift=29)
    shop.commit("Friday")
    assert shop.cut("1.1.0").code == 0

    changed = shop.run("release", "diff", "1.0.0", "1.1.0", "--format", "markdown")
    assert changed.code == 0, changed.err
    for words in ("birch", "59,400,000,000", "58,400,000,000", "two makers restated", "east", "reading"):
        assert words in changed.out, changed.out

    (shop.root / "old.jsonl").write_bytes(old)
    told = shop.run("release", "explain", "1.0.0", "1.1.0", "--submission", "old.jsonl", "--format", "json")
    assert told.code == 0, told.err
    bridge: dict[str, Any] = told.json
    for end in ("lower_exact", "upper_exact"):
        parts = [Fraction(part["adds"][end]) for part in bridge["parts"]]
        assert Fraction(bridge["old"][end]) + sum(parts) == Fraction(bridge["new"][end]), bridge
    moved = {part["part"] for part in bridge["parts"] if Fraction(part["adds"]["lower_exact"])}
    assert "corrected" in moved, bridge


@pytest.fixture
def sealed_shop(shop: Shop) -> Shop:
    """A repository whose bundles are sealed."""
    path = shop.root / "params.yaml"
    path.write_text(path.read_text() + "  sealed: true\n")
    shop.commit("Sealed")
    return shop


def test_a_sealed_release_is_cut_and_verified_with_its_key(sealed_shop: Shop) -> None:
    shop = sealed_shop
    key = shop.root.parent / "key"
    make_key_file(key)
    done = shop.run("release", "cut", "1.0.0", "--yes", env={"CELLWRIGHT_SEAL_KEY_FILE": str(key)})
    assert done.code == 0, done.out + done.err
    checks = verified(shop, "1.0.0", env={"CELLWRIGHT_SEAL_KEY_FILE": str(key)})
    assert {name for name, (state, _) in checks.items() if state != "met"} == set(), checks
    assert {"sealed", "tables", "made again", "scores"} <= set(checks)

    without = verified(shop, "1.0.0")
    assert {name for name, (state, _) in without.items() if state == "failed"} == set()
    assert without["sealed"][0] == without["tables"][0] == "not checked"
