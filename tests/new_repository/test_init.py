"""`init` makes a repository that is whole, committed and nobody else's; nothing that is there is overwritten."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from cellwright import __version__
from cellwright.authoring import init_repository as room
from cellwright.authoring.settings import load_bundle_settings, load_thresholds
from cellwright.clients.repository import open_repository
from cellwright.records.errors import WorldFailed
from cellwright.records.repository_rows import Advisory, CaptureRow, RegistryRow
from cellwright.records.tables import read_records
from cellwright.validators.thresholds import Thresholds
from tests.cli.workshop import Result, run, snapshot
from tests.conftest import ROOT
from tests.new_repository.conftest import COMMITTER, git

pytestmark = pytest.mark.filterwarnings("ignore")  # DVC's own libraries warn
Run = Callable[..., Result]
WANTED = {
    ".dvc/config", ".dvcignore", ".gitattributes", ".github/ISSUE_TEMPLATE/dead-source.yaml",
    ".github/ISSUE_TEMPLATE/proposal.yaml", ".github/ISSUE_TEMPLATE/wrong-reference.yaml",
    ".github/pull_request_template.md", ".github/workflows/audit.yaml", ".gitignore", "CONTRIBUTING.md", "README.md",
    "dvc.yaml", "guidelines/README.md", "guidelines/rules/C2-QUOTE-ABSENT.md", "params.yaml",
    "releases/CHANGELOG.md", "releases/advisories.csv", "requirements.txt", "sources/captures.csv",
    "sources/captures/.gitignore", "sources/registry.csv", "tasks/README.md",
}  # fmt: skip


def files(folder: Path) -> dict[str, str]:
    """Every file that is not git's, by its path, with its sum."""
    return {name: sha256 for name, sha256 in snapshot(folder).items() if not name.startswith(".git/")}


def test_everything_is_there_and_committed(made: Path) -> None:
    assert set(files(made)) >= WANTED
    assert git(made, "status", "--porcelain") == ""
    assert git(made, "log", "--format=%s %an", "main") == "bench begins Ana\n"
    assert set(git(made, "ls-files").splitlines()) == set(files(made))


def test_what_the_dry_run_tells_is_what_is_made(here: Run, tmp_path: Path) -> None:
    told = here("init", "bench", "--dry-run", cwd=tmp_path)
    assert (told.code, list(tmp_path.iterdir())) == (0, [])
    assert here("init", "bench", cwd=tmp_path).code == 0
    assert set(told.out.splitlines()) == {*files(tmp_path / "bench"), ".git/"}


def test_its_tables_and_settings_can_be_read(made: Path) -> None:
    repository = open_repository(made)
    assert load_thresholds(repository) == Thresholds()
    settings = load_bundle_settings(repository)
    assert (settings.name, settings.version) == ("bench", "0.1.0")
    for model, name in ((CaptureRow, "sources/captures.csv"), (Advisory, "releases/advisories.csv")):
        assert read_records((made / name).read_bytes(), model, name).rows == ()
    registry = (made / "sources" / "registry.csv").read_bytes()
    assert registry == (ROOT / "sources" / "registry.csv").read_bytes()
    assert len(read_records(registry, RegistryRow, "registry.csv").rows) > 300


def test_two_benchmarks_have_canaries_of_their_own(here: Run, tmp_path: Path) -> None:
    canaries = set()
    for name in ("one", "two"):
        assert here("init", name, "--no-git", "--no-dvc", cwd=tmp_path).code == 0
        canaries.add(load_bundle_settings(open_repository(tmp_path / name)).canary)
    assert len(canaries) == 2
    assert min(map(len, canaries)) > 36


def test_cellwright_is_pinned_to_the_version_that_made_it(made: Path) -> None:
    assert f"\ncellwright[author]=={__version__}\n" in (made / "requirements.txt").read_text(encoding="utf-8")


def test_no_address_of_a_registry_and_no_path_of_a_machine_is_in_it(made: Path, tmp_path: Path) -> None:
    for name in files(made):
        text = (made / name).read_bytes().decode("utf-8")
        assert str(tmp_path) not in text, name
        assert str(ROOT) not in text, name
        assert not re.search(r"pypi\.org|--index-url|--extra-index", text), name
        assert "@NAME@" not in text, name
        assert "@VERSION@" not in text, name


def test_the_guidelines_are_those_of_the_package_and_their_links_lead_somewhere(made: Path) -> None:
    pages = {path.relative_to(ROOT).as_posix(): path for path in (ROOT / "guidelines").rglob("*.md")}
    assert {name: (made / name).read_bytes() for name in pages} == {n: p.read_bytes() for n, p in pages.items()}
    for page in made.rglob("*.md"):
        for target in re.findall(r"\]\(([^)#:]+)[)#]", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_pipeline_depends_on_nothing_that_is_not_there(made: Path) -> None:
    stages = yaml.safe_load((made / "dvc.yaml").read_text(encoding="utf-8"))["stages"]
    assert list(stages) == ["audit", "bundle", "page"]
    outs = {out for stage in stages.values() for out in stage["outs"]}
    assert [
        dep for stage in stages.values() for dep in stage["deps"] if dep not in outs and not (made / dep).exists()
    ] == []
    params = yaml.safe_load((made / "params.yaml").read_text(encoding="utf-8"))
    assert {key for stage in stages.values() for key in stage.get("params", ())} == set(params)


def test_an_audit_of_it_says_that_there_is_no_task_and_passes(made: Path, here: Run) -> None:
    done = here("audit", cwd=made)
    assert (done.code, done.err) == (0, "there is no task yet; `cellwright new TASK` makes one\n")
    assert here("audit", "--since", "main", "--format", "github", cwd=made).code == 0


def test_a_task_can_be_begun_in_it_from_elsewhere(made: Path, here: Run, tmp_path: Path) -> None:
    assert here("new", "first-task", "--root", made, cwd=tmp_path).code == 0
    assert (made / "tasks" / "first-task" / "task.yaml").is_file()


# -- refusals: nothing is overwritten, nothing half-made is left


def test_a_folder_that_is_not_empty_is_refused_with_what_is_in_the_way(here: Run, tmp_path: Path) -> None:
    (tmp_path / "bench" / "tasks").mkdir(parents=True)
    (tmp_path / "bench" / "notes.txt").write_text("mine")
    for more in ((), ("--dry-run",)):
        done = here("init", "bench", *more, cwd=tmp_path)
        assert done.code == 2
        assert "in the way: notes.txt, tasks/" in done.sentences[0]
    assert files(tmp_path) == {"bench/notes.txt": files(tmp_path / "bench")["notes.txt"]}
    assert [entry.name for entry in tmp_path.iterdir()] == ["bench"]


def test_of_many_things_in_the_way_twenty_are_named(here: Run, tmp_path: Path) -> None:
    (tmp_path / "bench").mkdir()
    for number in range(25):
        (tmp_path / "bench" / f"{number:02}").touch()
    assert "18, 19 and 5 more" in here("init", "bench", cwd=tmp_path).sentences[0]


def test_an_empty_folder_is_taken(here: Run, tmp_path: Path) -> None:
    (tmp_path / "bench").mkdir()
    assert here("init", "bench", cwd=tmp_path).code == 0
    assert set(files(tmp_path / "bench")) >= WANTED


REFUSED = [
    (("init", "Bench"), "this is no benchmark's name"),
    (("init", "bench", "--name", "a b"), "this is no benchmark's name"),
    (("init", "bench", "--remote", "https://ana:secret@example.org/store"), "holds a user's name or password"),
    (("init", "bench", "--no-dvc", "--remote", "s3://bucket"), "there is to be no DVC"),
    (("init", "taken.txt", "--name", "bench"), "taken by a file or a link"),
    (("init", "link", "--name", "bench"), "taken by a file or a link"),
    (("init", ".", "--name", "bench"), "is not empty"),
]


@pytest.mark.parametrize(("command", "says"), REFUSED, ids=[says for _, says in REFUSED])
def test_what_cannot_be_made_is_refused_in_a_sentence(
    command: tuple[str, ...], says: str, here: Run, tmp_path: Path
) -> None:
    (tmp_path / "taken.txt").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    before = sorted(entry.name for entry in tmp_path.iterdir())
    done = here(*command, cwd=tmp_path)
    assert (done.code, len(done.sentences)) == (2, 1)
    assert says in done.sentences[0]
    assert "secret" not in done.err
    assert sorted(entry.name for entry in tmp_path.iterdir()) == before


def test_the_folder_that_one_stands_in_is_refused_with_the_way_out(here: Run, tmp_path: Path) -> None:
    (tmp_path / "bench").mkdir()
    done = here("init", ".", cwd=tmp_path / "bench")
    assert done.code == 2
    assert "`cd ..`, then `cellwright init bench`" in done.sentences[0]


def test_a_folder_inside_a_git_repository_is_refused_unless_it_becomes_a_part_of_it(here: Run, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    done = here("init", "data/bench", cwd=tmp_path)
    assert (done.code, done.sentences[0].partition(";")[0]) == (
        2,
        "data/bench: the folder lies inside another git repository",
    )
    assert not (tmp_path / "data").exists()
    done = here("init", "data/bench", "--no-git", cwd=tmp_path)
    assert done.code == 0
    assert "steps run in data/bench" in done.err
    assert not (tmp_path / "data" / "bench" / ".git").exists()
    assert "no_scm" not in (tmp_path / "data" / "bench" / ".dvc" / "config").read_text(encoding="utf-8")
    assert git(tmp_path, "diff", "--cached", "--name-only") == ""


def test_a_folder_that_the_repository_above_ignores_may_have_a_git_of_its_own(here: Run, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / ".gitignore").write_text("build/\n")
    assert here("init", "build/bench", cwd=tmp_path).code == 0
    assert (tmp_path / "build" / "bench" / ".git").is_dir()


@pytest.mark.parametrize("part", ["begin_git", "begin_dvc", "first_commit"])
def test_where_a_part_fails_nothing_is_left(
    part: str, here: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: object, **more: object) -> None:
        raise WorldFailed("it failed")

    monkeypatch.setattr(room, part, fail)
    assert here("init", "deep/er/bench", cwd=tmp_path).code == 3
    assert list(tmp_path.iterdir()) == []


KILLED = """
import os, signal, sys
from cellwright.authoring import init_repository as room
from cellwright.cli import main
setattr(room, sys.argv.pop(1), lambda *given, **more: os.kill(os.getpid(), signal.SIGKILL))
main()
"""


@pytest.mark.parametrize("part", ["begin_git", "begin_dvc", "first_commit"])
def test_after_a_kill_nothing_stands_in_the_place_and_the_next_one_completes(
    part: str, here: Run, tmp_path: Path
) -> None:
    done = run(part, "init", "bench", cwd=tmp_path, program=("-c", KILLED))
    assert done.code == -9
    assert not (tmp_path / "bench").exists()
    (tmp_path / ".bench.tmp-mine").mkdir()  # a person's own folder of nearly that name
    assert here("init", "bench", cwd=tmp_path).code == 0
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [".bench.tmp-mine", "bench"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_told(here: Run, tmp_path: Path) -> None:
    (tmp_path / "shut").mkdir(mode=0o500)
    assert here("init", "shut/bench", cwd=tmp_path).code == 4


# -- git and DVC


@pytest.mark.usefixtures("nobody")
def test_where_git_does_not_know_who_commits_everything_is_staged_and_it_says_so(here: Run, tmp_path: Path) -> None:
    done = here("init", "bench", cwd=tmp_path)
    assert done.code == 0
    assert "git does not know who commits" in done.err
    staged = git(tmp_path / "bench", "diff", "--cached", "--name-only").splitlines()
    assert set(staged) == set(files(tmp_path / "bench"))


@pytest.mark.usefixtures("nobody")
def test_where_only_the_committer_is_known_nothing_is_committed(
    here: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in COMMITTER.items():
        monkeypatch.setenv(name, value)
    done = here("init", "bench", cwd=tmp_path)
    assert (done.code, "git does not know who commits" in done.err) == (0, True)


def test_without_git_and_without_dvc_there_is_neither(here: Run, tmp_path: Path) -> None:
    assert here("init", "bench", "--no-git", "--no-dvc", cwd=tmp_path).code == 0
    names = set(files(tmp_path / "bench"))
    assert not (tmp_path / "bench" / ".git").exists()
    assert not {name for name in names if "dvc" in name}
    assert here("audit", cwd=tmp_path / "bench").code == 0


def test_dvc_tells_nobody_that_it_is_used(made: Path) -> None:
    config = (made / ".dvc" / "config").read_text(encoding="utf-8")
    assert "analytics = false" in config
    assert "check_update = false" in config
    assert not (made / ".dvc" / "tmp").exists()


@pytest.mark.parametrize(
    ("remote", "written"),
    [("s3://bucket/bench", "s3://bucket/bench"), ("store", "../../store"), ("gs://b/x", "gs://b/x")],
)
def test_a_remote_is_dvc_s_default_and_a_folder_is_meant_from_here(
    remote: str, written: str, here: Run, tmp_path: Path
) -> None:
    assert here("init", "bench", "--remote", remote, cwd=tmp_path).code == 0
    config = (tmp_path / "bench" / ".dvc" / "config").read_text(encoding="utf-8")
    assert f"url = {written}\n" in config
    assert "remote = storage\n" in config
    assert "analytics = false" in config


def test_captures_are_ignored_by_git_and_their_pointers_are_not(made: Path) -> None:
    folder = made / "sources" / "captures"
    (folder / "a-task").mkdir()
    (folder / "a-task" / "x.warc.gz").write_bytes(b"x")
    (folder / "a-task.dvc").write_bytes(b"outs: []\n")
    assert git(made, "status", "--porcelain", "-uall") == "?? sources/captures/a-task.dvc\n"


def test_every_text_is_checked_out_with_the_line_ends_that_the_tool_writes(made: Path) -> None:
    asked = ["tasks/a/facts.csv", "params.yaml", "dvc.lock", "releases/submissions/x/results.jsonl"]
    said = git(made, "check-attr", "eol", *asked, "sources/captures/a/b.warc.gz").splitlines()
    assert [line.rpartition(": ")[2] for line in said] == ["lf"] * 4 + ["unspecified"]
    assert git(made, "check-attr", "binary", "sources/captures/a/b.warc.gz").endswith(": set\n")
