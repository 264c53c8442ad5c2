"""What stands in the way of a release is told in a sentence, and nothing is touched."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cellwright.records.errors import CellwrightError
from tests.cli.workshop import edit, snapshot
from tests.cutting.shop import Shop, git

# DVC's own libraries warn of their own futures.
pytestmark = pytest.mark.filterwarnings("ignore")


def _changed(shop: Shop) -> None:
    edit(shop.root / "tasks" / "north" / "task.yaml", "of North Valley", "of the North")


def _detached(shop: Shop) -> None:
    git(shop.root, "checkout", "-q", "--detach")


def _no_remote(shop: Shop) -> None:
    (shop.root / ".dvc" / "config").write_text("[core]\n    analytics = false\n")
    shop.commit("No remote")


def _no_stage(shop: Shop) -> None:
    edit(shop.root / "dvc.yaml", "outs: [build/bundle]", "outs: [build/other]")
    shop.commit("No bundle")


def _tag(shop: Shop) -> None:
    git(shop.root, "tag", "v2.0.0")


def _no_git(shop: Shop) -> None:
    shutil.rmtree(shop.root / ".git")
    (shop.root / ".dvc" / "config").write_text("[core]\n    no_scm = true\n    analytics = false\n")


def _no_commit(shop: Shop) -> None:
    shutil.rmtree(shop.root / ".git")
    git(shop.root, "init", "-q", "-b", "main")


def _nobody(shop: Shop) -> None:
    git(shop.root, "config", "--unset", "user.email")


def _drafts(shop: Shop) -> None:
    for task in ("north", "south"):
        edit(shop.root / "tasks" / task / "task.yaml", "status: review", "status: draft")
    shop.commit("Drafts")


def _not_admitted(shop: Shop) -> None:
    edit(
        shop.root / "tasks" / "south" / "facts.csv",
        "birch.revenue.fy2023,birch,revenue",
        "birch.revenue.fy2023,birch,cost",
    )


REFUSALS: dict[str, tuple[Callable[[Shop], None], str]] = {
    "a file that is not committed": (_changed, r"some files are not.*tasks/north/task\.yaml"),
    "no branch": (_detached, "HEAD is on no branch"),
    "no remote": (_no_remote, "DVC has no default remote"),
    "no stage for the bundle": (_no_stage, "no stage that builds the bundle"),
    "a tag that is there": (_tag, r"the tag `v2\.0\.0` is there already, and it is no release"),
    "no git": (_no_git, "the repository is not under git"),
    "no commit": (_no_commit, "no commit yet"),
    "nobody's name": (_nobody, "git does not know who you are"),
    "drafts alone": (_drafts, r"there is no task to be bundled; seen '2 draft \(north, south\)'"),
    "a task that is not admitted": (_not_admitted, "the task `south` is not admitted"),
}


@pytest.fixture(autouse=True)
def _no_global_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "none"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for name in ("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL", "EMAIL"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("name", sorted(REFUSALS))
def test_a_cut_is_refused_and_nothing_is_touched(shop: Shop, name: str) -> None:
    spoil, says = REFUSALS[name]
    spoil(shop)
    if name == "a task that is not admitted":
        shop.commit("A slip")
    before = {file: sha for file, sha in snapshot(shop.root).items() if not file.startswith((".git/", ".dvc/"))}
    with pytest.raises(CellwrightError, match=says):
        shop.inside("release", "cut", "2.0.0", "--yes")
    after = {file: sha for file, sha in snapshot(shop.root).items() if not file.startswith((".git/", ".dvc/"))}
    assert after == before
    if (shop.root / ".git").is_dir():
        assert [tag for tag in shop.tags() if name != "a tag that is there"] == []


def test_in_a_pipe_nobody_is_asked_and_yes_must_be_said(shop: Shop) -> None:
    done = shop.run("release", "cut", "1.0.0")
    assert (done.code, len(done.sentences)) == (1, 1)
    assert "nobody can be asked here whether to release 1.0.0; `--yes` says it" in done.sentences[0]
    assert shop.tags() == []


def test_a_dry_run_tells_the_plan_and_does_nothing(shop: Shop) -> None:
    before = snapshot(shop.root / ".git" / "refs")
    done = shop.run("release", "cut", "--dry-run", "--format", "json")
    assert done.code == 0, done.err
    plan = done.json["plan"]
    assert (plan["version"], plan["level"], plan["tasks"]) == ("1.0.0", None, ["north", "south"])
    assert done.json["released"] is None
    assert snapshot(shop.root / ".git" / "refs") == before
    assert git(shop.root, "status", "--porcelain") == ""


def test_stand_ins_are_released_only_as_a_demonstration(shop: Shop) -> None:
    shop.add_task("east", shift=29, via="stand-in")
    shop.commit("A task on stand-ins")
    with pytest.raises(CellwrightError, match=r"some captures are stand-ins.*east/alder-report.*--demonstration"):
        shop.inside("release", "cut", "--yes")
    done = shop.cut("0.1.0", "--demonstration")
    assert done.code == 0, done.err
    assert [item["demonstration"] for item in shop.listed()] == [True]
    assert "A demonstration: some captures are stand-ins" in (shop.root / "releases" / "CHANGELOG.md").read_text()


LOST: dict[str, tuple[Callable[[Shop], None], str]] = {
    "not admitted": (_not_admitted, "`south` is not admitted, and was in the last release.*task quarantine south"),
    "a draft": (
        lambda shop: edit(shop.root / "tasks" / "south" / "task.yaml", "status: review", "status: draft"),
        "`south` was in the last release and is a draft now.*task quarantine south",
    ),
    "gone": (
        lambda shop: shutil.rmtree(shop.root / "tasks" / "south"),
        "`south` was in the last release and is not here any more.*status: retired",
    ),
}


@pytest.mark.parametrize("name", sorted(LOST))
def test_a_task_that_readers_have_is_never_lost_without_a_word(released_shop: Shop, name: str) -> None:
    spoil, says = LOST[name]
    spoil(released_shop)
    released_shop.commit("A change")
    with pytest.raises(CellwrightError, match=says):
        released_shop.inside("release", "cut", "--yes")
    assert released_shop.tags() == ["v1.0.0"]


def test_a_version_that_is_not_above_the_last_and_a_release_cut_twice_are_refused(released_shop: Shop) -> None:
    with pytest.raises(CellwrightError, match=r"the tag `v1\.0\.0` is there already; name a higher"):
        released_shop.inside("release", "cut", "1.0.0", "--yes")
    with pytest.raises(CellwrightError, match=r"0\.9\.0 does not come after 1\.0\.0"):
        released_shop.inside("release", "cut", "0.9.0", "--yes")
