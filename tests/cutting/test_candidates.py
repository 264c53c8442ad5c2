"""A candidate, then the version itself; and what a cut leaves alone."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.workshop import edit
from tests.cutting.shop import Shop, git

# DVC's own libraries warn of their own futures.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.slow
def test_a_candidate_is_a_release_and_the_version_itself_is_compared_with_the_last_final_one(
    released_shop: Shop,
) -> None:
    shop = released_shop
    shop.correct("north")
    shop.commit("A correction")
    hook = shop.root / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    # A person's own run of the pipeline has left its lock file and outputs.
    (shop.root / "dvc.lock").write_text("schema: '2.0'\nstages: {}\n")
    first = shop.cut("1.1.0-rc1")
    assert first.code == 0, first.err
    assert [row["released_in"] for row in shop.rows("tasks/north/corrections.csv")] == ["1.1.0-rc1"]
    advisories = shop.rows("releases/advisories.csv")
    assert [row["version"] for row in advisories] == ["1.1.0-rc1", "1.1.0-rc1"]

    second = shop.cut()
    assert second.code == 0, second.err
    assert "proposed: 1.1.0 (minor after 1.0.0)" in second.out
    assert "- Corrected in `north`: `birch.revenue.fy2023` 59,400 → 58,400 (reading)." in second.out
    assert shop.rows("releases/advisories.csv") == advisories
    assert shop.tags() == ["v1.0.0", "v1.1.0", "v1.1.0-rc1"]
    assert [item["version"] for item in shop.listed()] == ["1.1.0", "1.1.0-rc1", "1.0.0"]
    assert git(shop.root, "status", "--porcelain") == ""
    assert [item["cells"] for item in shop.listed()[:2]] == [shop.listed()[0]["cells"]] * 2


@pytest.mark.slow
def test_a_failing_push_leaves_everything_as_it_was_and_the_next_cut_goes_on(shop: Shop, tmp_path: Path) -> None:
    before = git(shop.root, "rev-parse", "HEAD")
    store = shop.root.parent / "store"
    store.write_text("a file where the remote's folder should be")
    done = shop.cut("1.0.0")
    assert (done.code, len(done.sentences)) == (3, 1)
    assert "DVC could not push to the remote" in done.sentences[0]
    assert (git(shop.root, "rev-parse", "HEAD"), shop.tags()) == (before, [])
    assert git(shop.root, "status", "--porcelain") == ""
    store.unlink()
    again = shop.cut("1.0.0")
    assert again.code == 0, again.err
    assert shop.tags() == ["v1.0.0"]


def test_a_release_is_listed_in_a_clone_and_a_persons_tag_is_not(released_shop: Shop, tmp_path: Path) -> None:
    git(released_shop.root, "tag", "-a", "v9.0.0", "-m", "mine")
    git(released_shop.root, "tag", "v8.0.0")
    git(tmp_path, "clone", "-q", str(released_shop.root), "clone")
    listed = Shop(tmp_path / "clone").run("release", "list")
    assert listed.code == 0, listed.err
    (line,) = listed.out.splitlines()
    assert line.startswith("1.0.0  20")
    assert line.endswith("2 tasks")
    assert "\x1b" not in listed.out


def test_a_task_is_quarantined_by_two_lines_of_its_file_and_shown_first(released_shop: Shop) -> None:
    shop, file = released_shop, released_shop.root / "tasks" / "south" / "task.yaml"
    before = file.read_text(encoding="utf-8")
    reason = 'its report was "restated": twice'
    shown = shop.run("task", "quarantine", "south", "--because", reason, "--dry-run")
    assert (shown.code, file.read_text(encoding="utf-8")) == (0, before)
    done = shop.run("task", "quarantine", "south", "--because", reason)
    assert done.code == 0, done.err
    assert f"status review → quarantined ({reason})" in done.err
    assert "to undo it, set `status: review`" in done.err
    after = file.read_text(encoding="utf-8")
    written = 'status_reason: "its report was \\"restated\\": twice"\n'
    assert after == before.replace("status: review ", "status: quarantined ") + written
    left_out = shop.run("bundle", "--out", "build/mine")
    assert left_out.code == 0, left_out.err
    assert "left out: 1 quarantined (south)" in left_out.err
    again = shop.run("task", "quarantine", "south", "--because", reason)
    assert (again.code, "quarantined already" in again.err) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("task", "quarantine", "sout", "--because", "x"), 2, "there is no task `sout`.*did you mean `south`"),
        (("task", "quarantine", "south", "--because", "  "), 2, "the reason cannot be told to readers"),
        (("task", "quarantine", "south", "--because", "a\nb"), 2, "the reason cannot be told to readers"),
        (("release", "yank", "1.0.1", "--because", "x"), 1, r"there is no release 1\.0\.1; expected one of 1\.0\.0"),
        (("release", "yank", "one", "--because", "x"), 2, "this is no version"),
        (("release", "cut", "1.0"), 2, "this is no version"),
        (("release", "cut", "--", "-1.0.0"), 2, "this is no version"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    released_shop: Shop, arguments: tuple[str, ...], code: int, says: str
) -> None:
    done = released_shop.run(*arguments)
    assert (done.code, len(done.sentences)) == (code, 1), done.err
    assert re.search(says, done.sentences[0]), done.sentences[0]


@pytest.mark.slow
def test_a_file_changed_while_the_release_is_made_keeps_it_from_being_made(shop: Shop) -> None:
    """The pipeline itself changes a file: the moment is found from outside."""
    edit(
        shop.root / "dvc.yaml",
        "cmd: cellwright bundle",
        f"cmd: echo more >> {shop.root}/profiles/tiny.yaml && cellwright bundle",
    )
    shop.commit("A stage that reaches out")
    done = shop.cut("1.0.0")
    assert (done.code, len(done.sentences)) == (1, 1)
    assert "the repository was changed while the release was made" in done.sentences[0]
    assert shop.tags() == []


@pytest.mark.slow
def test_the_examples_of_the_help_work_in_the_order_of_a_release(released_shop: Shop) -> None:
    shop = released_shop
    shop.correct("north")
    shop.commit("A correction")
    told = [
        line
        for command in (("release", "cut"), ("release", "list"), ("release", "yank"), ("task", "quarantine"))
        for line in _examples(shop.run(*command, "--help").out)
    ]
    assert len(told) == 6
    for example in told:
        done = shop.run(*shlex.split(example.replace("us-large-caps-fy2023", "south")))
        assert done.code == 0, (example, done.err)
        assert done.sentences == []
    assert shop.tags() == ["v1.0.0", "v1.1.0", "v1.1.0-rc1"]


def _examples(told: str) -> list[str]:
    return re.findall(r"^ {4}cellwright (.*)$", told, re.MULTILINE)
