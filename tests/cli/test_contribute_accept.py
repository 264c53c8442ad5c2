"""`contribute accept`: every source fetched again and told, our captures pinned, and the task put in place whole."""

from __future__ import annotations

import csv
import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cellwright.clients.warc import read_capture, sha256_hex
from cellwright.records.repository_rows import MirrorRow, RegistryRow
from cellwright.records.tables import write_table
from tests.cli.test_contribute import FILE, repository, written
from tests.cli.workshop import Result, environment, snapshot
from tests.conftest import ROOT
from tests.contributions.small import FETCHED, PAGE, TASK, URL, files_of, row_of

Here = Callable[..., Result]
OURS = "2024-05-01T00:00:00Z"
THEIRS = sha256_hex(PAGE)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The maintainers' repository, without a task."""
    return repository(tmp_path / "home")


def mirror(home: Path, page: bytes | None) -> Path:
    """What the web has today: the page at the source's address, or nothing."""
    folder = home.parent / "mirror"
    folder.mkdir()
    rows = []
    if page is not None:
        (folder / "page.html").write_bytes(page)
        rows.append({"url": URL, "file": "page.html", "media_type": "text/html; charset=utf-8", "fetched": OURS})
    (folder / "index.csv").write_bytes(write_table(rows, MirrorRow.columns()))
    return folder


def accept(here: Here, home: Path, path: Path, page: bytes | None, *more: str) -> Result:
    """Accept a contribution with what the web has today."""
    web = home.parent / "mirror"
    web = web if web.exists() else mirror(home, page)
    return here("contribute", "accept", path, "--draft", "--recapture", "--mirror", web, *more, cwd=home)


def rows(home: Path) -> list[dict[str, str]]:
    with (home / "sources" / "captures.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def pin(home: Path) -> str:
    with (home / "tasks" / TASK / "sources.csv").open(encoding="utf-8", newline="") as file:
        return next(csv.DictReader(file))["capture"]


def test_nothing_is_fetched_or_written_unless_it_is_said(home: Path, here: Here) -> None:
    before, path = snapshot(home), written(home, files_of())
    plain = here("contribute", "accept", path, "--draft", cwd=home)
    assert (plain.code, plain.err) == (0, "nothing was fetched or written: `--recapture` fetches every source again\n")
    assert f"would be added: tasks/{TASK}/ with cells.csv, facts.csv, sources.csv, task.yaml\n" in plain.out
    fetched = accept(here, home, path, PAGE)
    assert (fetched.code, fetched.err) == (0, "nothing was written: `--yes` puts it in place\n")
    assert "  aurel-report: same\n" in fetched.out
    assert snapshot(home) == before


def test_options_that_need_the_fetching_are_refused_without_it(home: Path, here: Here) -> None:
    done = here("contribute", "accept", written(home, files_of()), "--yes", cwd=home)
    assert done.code == 2
    assert "go with it" in done.sentences[0]


def test_the_same_document_is_put_in_place_with_our_own_capture(home: Path, here: Here) -> None:
    done = accept(here, home, written(home, files_of()), PAGE, "--yes")
    assert (done.code, done.err) == (0, f"tasks/{TASK}: put in place, 1 capture added\n")
    held = home / "sources" / "captures" / TASK / f"{THEIRS}.warc.gz"
    capture = read_capture(held.read_bytes())
    assert (capture.fetched, capture.via) == (OURS, "mirror")
    line = row_of(fetched=OURS, via="mirror")
    assert rows(home) == [{name: text for name, text in line.items() if name != "superseded_by"}]
    given = files_of()
    for name in ("task.yaml", "facts.csv", "cells.csv", "sources.csv"):
        assert (home / "tasks" / TASK / name).read_bytes() == given[f"task/{name}"]
    assert here("audit", TASK, "--draft", cwd=home).code == 0


def test_the_same_text_in_other_bytes_is_pinned_to_ours(home: Path, here: Here) -> None:
    page = PAGE.replace(b"<h1>", b"<!-- built 17 --><h1>")
    done = accept(here, home, written(home, files_of()), page, "--yes")
    assert done.code == 0, done.err
    assert "  aurel-report: same text\n" in done.out
    assert pin(home) == sha256_hex(page)
    assert [row["sha256"] for row in rows(home)] == [sha256_hex(page)]
    assert [path.name for path in (home / "sources" / "captures" / TASK).iterdir()] == [f"{sha256_hex(page)}.warc.gz"]


def test_a_changed_page_that_still_says_the_figure_is_taken(home: Path, here: Here) -> None:
    page = PAGE.replace(b"</table>", b"</table><p>A new paragraph about the weather.</p>")
    done = accept(here, home, written(home, files_of()), page, "--yes")
    assert done.code == 0, done.err
    assert "  aurel-report: changed; every figure still stands\n" in done.out
    assert f"{TASK}: 1 same" in done.out
    assert pin(home) == sha256_hex(page)


def test_a_document_that_says_another_figure_is_refused(home: Path, here: Here) -> None:
    before = snapshot(home)
    page = PAGE.replace(b"383,285", b"371,002")
    done = accept(here, home, written(home, files_of()), page, "--yes")
    assert done.code == 1
    assert done.sentences[0].startswith(
        f"tasks/{TASK}/sources.csv (aurel-report): the published document does not say what the contribution reads from"
        " it; seen 'aurel.revenue.fy2023 changed: 383,285 → 371,002'"
    )
    assert done.sentences[0].endswith(
        "ask the contributor; `--trust aurel-report` takes the capture that was handed in"
    )
    assert snapshot(home) == before


def test_a_trusted_capture_is_pinned_and_ours_is_kept_beside_it(home: Path, here: Here) -> None:
    page = PAGE.replace(b"383,285", b"371,002")
    done = accept(here, home, written(home, files_of()), page, "--yes", "--trust", "aurel-report")
    assert done.code == 0, done.err
    assert "  aurel-report: changed; the capture handed in is taken\n" in done.out
    assert pin(home) == THEIRS
    assert sorted((row["sha256"], row["fetched"]) for row in rows(home)) == sorted(
        [(THEIRS, FETCHED), (sha256_hex(page), OURS)]
    )
    names = {path.name for path in (home / "sources" / "captures" / TASK).iterdir()}
    assert names == {f"{THEIRS}.warc.gz", f"{sha256_hex(page)}.warc.gz"}
    assert here("audit", TASK, "--draft", cwd=home).code == 0


def test_a_source_that_cannot_be_fetched_is_refused_unless_it_is_trusted(home: Path, here: Here) -> None:
    path = written(home, files_of())
    refused = accept(here, home, path, None, "--yes")
    assert refused.code == 1
    assert '(aurel-report): the source could not be fetched again; seen "absent: ' in refused.sentences[0]
    assert not (home / "tasks" / TASK).exists()
    taken = accept(here, home, path, None, "--yes", "--trust", "aurel-report")
    assert taken.code == 0, taken.err
    assert (pin(home), [row["sha256"] for row in rows(home)]) == (THEIRS, [THEIRS])


def test_only_a_source_of_the_contribution_can_be_trusted(home: Path, here: Here) -> None:
    done = accept(here, home, written(home, files_of()), PAGE, "--trust", "aurel-reprot")
    assert done.code == 2
    assert "the contribution has no source `aurel-reprot`" in done.sentences[0]
    assert "did you mean `aurel-report`?" in done.sentences[0]


def test_what_is_not_admitted_is_accepted_only_as_a_draft(home: Path, here: Here) -> None:
    path = written(home, files_of())
    done = here("contribute", "accept", path, "--recapture", "--mirror", mirror(home, PAGE), "--yes", cwd=home)
    assert done.code == 1
    assert "error K-AUDIT" in done.out
    assert not (home / "tasks" / TASK).exists()


def test_a_refused_contribution_is_not_even_fetched(home: Path, here: Here) -> None:
    before = snapshot(home)
    done = accept(here, home, written(home, files_of(source={"title": "=1+1"})), PAGE, "--yes")
    assert done.code == 1
    assert "K-FORMULA" in done.out
    assert "aurel-report: same" not in done.out
    assert snapshot(home) == before


def test_a_task_that_is_here_is_never_overwritten_unless_that_is_said_and_shown(home: Path, here: Here) -> None:
    assert accept(here, home, written(home, files_of()), PAGE, "--yes").code == 0
    before = snapshot(home)
    path = written(home, files_of(source={"title": "The report of Aurel"}), "second.zip")
    refused = accept(here, home, path, PAGE, "--yes")
    assert refused.code == 1
    assert "K-THERE-ALREADY" in refused.out
    shown = accept(here, home, path, PAGE, "--replace")
    assert shown.code == 0
    assert [line.strip()[:13] for line in shown.out.splitlines() if "aurel-report,http" in line] == [
        "-aurel-report",
        "+aurel-report",
    ]
    assert snapshot(home) == before
    assert accept(here, home, path, PAGE, "--replace", "--yes").code == 0
    assert "The report of Aurel" in (home / "tasks" / TASK / "sources.csv").read_text(encoding="utf-8")
    assert len(rows(home)) == 1


def test_lines_and_captures_of_other_tasks_stay_as_they_are(home: Path, here: Here) -> None:
    line = (
        "task,source,sha256,url,fetched,status\nother,x,"
        + "a" * 64
        + ",https://x.example.com/,2024-01-01T00:00:00Z,ok\n"
    )
    (home / "sources" / "captures.csv").write_text(line, encoding="utf-8")
    assert accept(here, home, written(home, files_of()), PAGE, "--yes").code == 0
    assert [(row["task"], row["via"]) for row in rows(home)] == [(TASK, "mirror"), ("other", "live")]


def test_proposed_lines_are_printed_to_be_pasted_and_the_registry_stays(home: Path, here: Here) -> None:
    row = {"publisher": "Aurel Motor Company", "domain": "aurel.example.com", "owner": "Aurel", "default_tier": "T1"}
    registry = (home / "sources" / "registry.csv").read_bytes()
    files = files_of(more={"registry.csv": write_table([row], RegistryRow.columns())})
    done = accept(here, home, written(home, files), PAGE, "--yes")
    assert done.code == 0
    assert "paste it there if it is right: Aurel Motor Company,aurel.example.com,Aurel,T1,\n" in done.err
    assert (home / "sources" / "registry.csv").read_bytes() == registry


def test_as_json_each_source_has_what_became_of_it(home: Path, here: Here) -> None:
    done = accept(here, home, written(home, files_of()), PAGE.replace(b"383,285", b"371,002"), "--format", "json")
    assert done.code == 1
    told = done.json
    assert [(one["source"], one["became"], one["holds"], one["theirs"]) for one in told["sources"]] == [
        ("aurel-report", "changed", False, THEIRS)
    ]
    assert told["drift"]["counts"]["changed"] == 1
    assert (told["placed"], len(told["refusals"])) == (False, 1)


@pytest.mark.filterwarnings("ignore")
def test_where_there_is_dvc_the_captures_are_tracked(home: Path, here: Here) -> None:
    from dvc.repo import Repo

    Repo.init(str(home), no_scm=True).close()
    done = accept(here, home, written(home, files_of()), PAGE, "--yes")
    assert done.code == 0, done.err
    assert f"sources/captures/{TASK}.dvc: the captures are tracked; `dvc push` shares them\n" in done.err
    assert (home / "sources" / "captures" / f"{TASK}.dvc").is_file()


def killed_runs(home: Path, first: int, step: int) -> list[dict[str, object]]:
    """`accept --yes` killed at its moments, each in a copy, and what the next run made of it."""
    shutil.move(written(home, files_of()), home / FILE)
    shutil.move(mirror(home, PAGE), home / "mirror")
    arguments = ["contribute", "accept", FILE, "--draft", "--recapture", "--mirror", "mirror", "--yes"]
    job = {"name": "accept", "master": str(home), "first": first, "step": step, "arguments": arguments}
    done = subprocess.run(
        [sys.executable, "-m", "tests.cli.killed"],
        cwd=ROOT,
        env=environment(),
        input=json.dumps([job]),
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    runs: list[dict[str, object]] = json.loads(done.stdout)["accept"]
    return runs


def look(runs: list[dict[str, object]]) -> None:
    """The task is there whole or not at all, and the next run completes what was begun."""
    whole = runs[-1]["left"]
    assert isinstance(whole, dict)
    assert runs[-1]["killed"] == 0
    task = {name: digest for name, digest in whole.items() if name.startswith(f"tasks/{TASK}/")}
    assert len(task) == 4
    for each in runs[:-1]:
        left, end = each["left"], each["end"]
        assert isinstance(left, dict)
        assert isinstance(end, dict)
        assert each["killed"] == -signal.SIGKILL
        there = {name: digest for name, digest in left.items() if name.startswith(f"tasks/{TASK}/")}
        assert there in ({}, task), f"killed at moment {each['moment']}"
        assert each["again"] == (1 if there else 0)  # 1: it is there already
        assert {name: digest for name, digest in end.items() if "tmp-" not in name} == whole


def test_a_kill_leaves_the_task_whole_or_not_at_all(home: Path) -> None:
    look(killed_runs(home, 9, 11))


@pytest.mark.slow
def test_a_kill_at_any_moment_leaves_the_task_whole_or_not_at_all(home: Path) -> None:
    look(killed_runs(home, 1, 1))
