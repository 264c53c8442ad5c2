"""`contribute pack` and `contribute check`: what is handed in, and what the maintainers see of it."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from cellwright.records.contribution import read_manifest
from cellwright.records.repository_rows import RegistryRow
from cellwright.records.rows import Waiver
from cellwright.records.tables import write_table
from tests.cli.workshop import TASK as SHIPPED
from tests.cli.workshop import Result, Workshop, snapshot
from tests.conftest import ROOT
from tests.contributions.small import PAGE, TASK, TASK_YAML, capture_of, entries_of, files_of, listed, zip_of

Here = Callable[..., Result]
FILE = f"{TASK}.cellwright.zip"


def repository(root: Path, files: dict[str, bytes] | None = None) -> Path:
    """A repository with the small task in it, or without a task."""
    for folder in ("tasks", "sources/captures"):
        (root / folder).mkdir(parents=True)
    shutil.copy(ROOT / "sources" / "registry.csv", root / "sources")
    places = {
        "task/": f"tasks/{TASK}/",
        "captures/": f"sources/captures/{TASK}/",
        "captures.csv": "sources/captures.csv",
    }
    for name, data in (files or {}).items():
        prefix = next(prefix for prefix in places if name.startswith(prefix))
        path = root / (places[prefix] + name.removeprefix(prefix))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return root


@pytest.fixture
def maker(tmp_path: Path) -> Path:
    """The contributor's repository, with the small task."""
    return repository(tmp_path / "maker", files_of())


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The maintainers' repository, without a task."""
    return repository(tmp_path / "home")


def written(home: Path, files: dict[str, bytes], name: str = FILE) -> Path:
    """A contribution beside a repository."""
    path = home.parent / name
    path.write_bytes(zip_of(entries_of(listed(files))))
    return path


# -- pack


def test_a_packed_task_is_the_same_bytes_each_time_and_acceptable_elsewhere(
    workshop: Workshop, home: Path, here: Here
) -> None:
    done = here("contribute", "pack", SHIPPED, cwd=workshop.root)
    assert done.code == 0, done.err
    assert f"`cellwright contribute check {SHIPPED}.cellwright.zip`" in done.err
    assert "the audit: admitted, 0 errors, 11 warnings\nstand-ins among the captures: 11; " in done.err
    first = (workshop.root / f"{SHIPPED}.cellwright.zip").read_bytes()
    assert here("contribute", "pack", SHIPPED, "--out", "again.zip", cwd=workshop.root).code == 0
    assert (workshop.root / "again.zip").read_bytes() == first
    told = here("contribute", "check", workshop.root / "again.zip", cwd=home)
    assert (told.code, told.err) == (0, "")
    assert told.out.startswith(f"again.zip (task {SHIPPED}): acceptable (0 errors, 0 warnings)\n")
    assert f"\n{SHIPPED}: admitted (64 cells; " in told.out


def test_a_packed_file_holds_the_task_its_captures_their_lines_and_a_list(maker: Path, here: Here) -> None:
    (maker / "tasks" / TASK / "thoughts.txt").write_text("x")
    (maker / "tasks" / TASK / ".git").mkdir()
    done = here("contribute", "pack", TASK, "--draft", cwd=maker)
    assert done.code == 0, done.err
    assert "left out: thoughts.txt" in done.err
    with zipfile.ZipFile(maker / FILE) as archive:
        names = archive.namelist()
        manifest = read_manifest(archive.read("contribution.json"))
    assert names == sorted([item.file for item in manifest.files] + ["contribution.json"])
    assert set(files_of()) <= set(names)
    assert (manifest.task, manifest.admitted, len(manifest.pins)) == (TASK, False, 1)


def test_only_an_admitted_task_is_packed_unless_it_is_a_draft(maker: Path, here: Here) -> None:
    done = here("contribute", "pack", TASK, cwd=maker)
    assert done.code == 1
    assert done.sentences[0].startswith(f"tasks/{TASK}: the task is not admitted, and a contribution has to be; seen ")
    assert done.sentences[0].endswith("`--draft` packs it as a draft to talk about")
    assert not (maker / FILE).exists()


def test_a_task_whose_capture_is_missing_is_not_packed(maker: Path, here: Here) -> None:
    next((maker / "sources" / "captures" / TASK).iterdir()).unlink()
    done = here("contribute", "pack", TASK, "--draft", cwd=maker)
    assert done.code == 1
    assert "the capture is not here; `dvc pull` brings captures that others made" in done.sentences[0]
    assert not (maker / FILE).exists()


def test_a_task_whose_capture_is_not_what_it_is_named_is_not_packed(maker: Path, here: Here) -> None:
    path = next((maker / "sources" / "captures" / TASK).iterdir())
    path.write_bytes(capture_of(PAGE.replace(b"383,285", b"111,111")))
    done = here("contribute", "pack", TASK, "--draft", cwd=maker)
    assert done.code == 1
    assert "the capture does not hold what its name says" in done.sentences[0]
    assert not (maker / FILE).exists()


# -- check


def test_a_folder_is_checked_as_its_file_is(maker: Path, home: Path, here: Here) -> None:
    assert here("contribute", "pack", TASK, "--draft", cwd=maker).code == 0
    with zipfile.ZipFile(maker / FILE) as archive:
        archive.extractall(maker / "unpacked")
    said = [here("contribute", "check", path, "--draft", cwd=home) for path in (maker / FILE, maker / "unpacked")]
    assert [one.code for one in said] == [0, 0]
    assert said[1].out == said[0].out.replace(FILE, "unpacked", 1)


def test_a_draft_is_refused_where_no_draft_is_meant(home: Path, here: Here) -> None:
    done = here("contribute", "check", written(home, files_of()), cwd=home)
    assert done.code == 1
    assert "  error K-AUDIT contribution.json: the audit does not admit the task: " in done.out


def test_a_check_writes_nothing(home: Path, here: Here) -> None:
    before = snapshot(home)
    assert here("contribute", "check", written(home, files_of()), "--draft", cwd=home).code == 0
    assert snapshot(home) == before
    assert not (home / ".cellwright").exists()


def test_a_task_that_is_here_is_judged_as_a_new_version_only_where_that_is_said(maker: Path, here: Here) -> None:
    path = written(maker, files_of())
    done = here("contribute", "check", path, "--draft", cwd=maker)
    assert done.code == 1
    assert "K-THERE-ALREADY contribution.json (`task`): a task of this id is in the repository" in done.out
    assert here("contribute", "check", path, "--draft", "--replace", cwd=maker).code == 0


def test_every_fault_is_told_and_not_only_the_first(home: Path, here: Here) -> None:
    files = files_of(
        source={"title": "=1+1", "url": "http://127.0.0.1/x"}, fact={"note": "a\u202eb"}, row={"via": "upload"}
    )
    files["dvc.yaml"] = b"stages: {}"
    done = here("contribute", "check", written(home, files), "--draft", "--format", "json", cwd=home)
    checks = {item["check"] for item in done.json["findings"] if item["severity"] == "error"}
    assert {
        "K-FORMULA",
        "K-ADDRESS",
        "K-HIDDEN-TEXT",
        "K-CAPTURE-LINE",
        "K-CAPTURE-ADDRESS",
        "K-UNKNOWN-FILE",
    } <= checks
    assert done.code == 1


def test_the_report_as_json_has_the_verdict_the_findings_and_the_audit(home: Path, here: Here) -> None:
    done = here("contribute", "check", written(home, files_of()), "--draft", "--format", "json", cwd=home)
    assert list(done.json) == ["file", "task", "verdict", "findings", "proposed", "audit"]
    assert (done.json["task"], done.json["verdict"], done.json["findings"]) == (TASK, "acceptable", [])
    assert done.json["audit"]["task"] == TASK
    assert done.err == ""


def test_the_report_as_annotations_names_check_file_and_line(home: Path, here: Here) -> None:
    path = written(home, files_of(source={"title": "=1+1,\u202ex"}))
    done = here("contribute", "check", path, "--draft", "--format", "github", cwd=home)
    assert (
        "::error file=task/sources.csv,line=2,title=K-FORMULA::a spreadsheet would run a cell as a formula; "
        in done.out
    )
    assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in done.out.splitlines())
    assert "\u202e" not in done.out


def test_something_that_cannot_be_read_ends_with_2(home: Path, here: Here) -> None:
    broken = here("contribute", "check", written(home, files_of(task="a: [")), "--draft", cwd=home)
    assert (broken.code, "K-TASK task/task.yaml:2: the file is not YAML" in broken.out) == (2, True)
    missing = here("contribute", "check", "nowhere.zip", cwd=home)
    assert (missing.code, missing.out) == (2, "")
    assert missing.sentences[0].startswith("nowhere.zip: the contribution cannot be opened; seen 'No such file")
    page = here("contribute", "check", home.parent / FILE, "--format", "html", cwd=home)
    assert (page.code, page.out) == (2, "")


def test_what_is_proposed_for_the_repository_is_told_and_not_used(home: Path, here: Here) -> None:
    row = {"publisher": "Aurel Motor Company", "domain": "aurel.example.com", "owner": "Aurel", "default_tier": "T1"}
    profile = b"id: easy\ntitle: Easy\nentities: 1\ndimensions: 1\nfamilies: {retrieval: 1}\n"
    files = files_of(
        task=TASK_YAML.replace("id: makers\n", "id: makers\nprofile: easy\n"),
        more={"registry.csv": write_table([row], RegistryRow.columns()), "profiles/easy.yaml": profile},
    )
    done = here("contribute", "check", written(home, files), "--draft", "--format", "json", cwd=home)
    assert done.json["proposed"] == {
        "registry": ["Aurel Motor Company,aurel.example.com,Aurel,T1,"],
        "profiles": ["easy"],
    }
    refused = [item for item in done.json["findings"] if item["severity"] == "error"]
    assert [(item["check"], item["what"]) for item in refused] == [("K-AUDIT", "the profile `easy` is not there")]
    assert done.json["audit"] is None
    assert done.code == 1


def test_a_waiver_from_outside_is_told(home: Path, here: Here) -> None:
    row = {"rule": "C1-ANNOTATOR-MISSING", "reason": "I say so", "by": "me", "date": "2024-03-01"}
    files = files_of(more={"task/waivers.csv": write_table([row], Waiver.columns())})
    done = here("contribute", "check", written(home, files), "--draft", cwd=home)
    assert "  warning K-WAIVER task/waivers.csv:2: the contribution waives a finding of the audit itself" in done.out


def test_markup_that_the_capture_has_too_is_told_and_not_refused(home: Path, here: Here) -> None:
    page = PAGE.replace(b"Total net sales", b"Total net sales &lt;script&gt;")
    quote = "Total net sales <script> 383,285"
    files = files_of(page=page, fact={"quote": quote, "row": "Total net sales <script>"})
    done = here("contribute", "check", written(home, files), "--draft", cwd=home)
    assert done.code == 0, done.out
    assert "  warning K-SCRIPT task/facts.csv:2" in done.out
    assert "; the source's capture says so too" in done.out


def test_many_findings_of_a_check_are_counted(home: Path, here: Here) -> None:
    files = files_of()
    head, line, _ = files["task/facts.csv"].decode().split("\n")
    lines = [
        line.replace("aurel.revenue.fy2023", f"aurel.revenue.n{n}").replace(",,,,", ",,,=1,", 1) for n in range(99)
    ]
    files["task/facts.csv"] = "\n".join((head, *lines, "")).encode()
    done = here("contribute", "check", written(home, files), "--draft", "--format", "json", cwd=home)
    told = [item["what"] for item in done.json["findings"] if item["check"] == "K-FORMULA"]
    assert len(told) == 41
    assert told[-1] == "and 59 more of this check"
