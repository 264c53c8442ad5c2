"""`harness export` and `harness import` from the command line: the shipped bundle's runs, out and in and out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.workshop import TASK, Result, run, snapshot

SUBMISSIONS = Path(__file__).resolve().parents[1] / "whole_way" / "submissions"


@pytest.fixture(scope="module")
def graded(built: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path]]:
    """Results and submission of two agents."""
    folder = tmp_path_factory.mktemp("graded")
    for name in ("reference", "careless"):
        submission = SUBMISSIONS / f"{name}.jsonl"
        out = folder / f"{name}.jsonl"
        done = run("harness", "score", "--bundle", built, "--submission", submission, "--out", out, cwd=folder)
        assert done.code == 0, done.err
    return {name: (folder / f"{name}.jsonl", SUBMISSIONS / f"{name}.jsonl") for name in ("reference", "careless")}


def export(built: Path, folder: Path, *runs: str, **options: str) -> Result:
    said = [part for name, value in options.items() for part in (f"--{name.replace('_', '-')}", value)]
    named = [part for text in runs for part in ("--run", text)]
    return run("harness", "export", "--bundle", built, *named, "--out", folder / "public", *said, cwd=folder)


def table(folder: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / f"public/data/{name}.jsonl").read_text("utf-8").splitlines()]


def test_runs_go_out_come_in_and_go_out_again_to_the_byte(
    built: Path, graded: dict[str, tuple[Path, Path]], tmp_path: Path
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    said = {"dataset_url": "https://a.example/d", "exported_at": "2026-05-07"}
    named = [f"{name}={results},{submission}" for name, (results, submission) in graded.items()]
    (tmp_path / "none.jsonl").write_text("")
    done = export(built, first, *named, f"idle={tmp_path / 'none.jsonl'}", **said)
    assert done.code == 0, done.err
    assert done.out == ""
    assert "2 of 3 pairs of model and case are scored" in done.err

    done = run("harness", "import", "first/public", "--out", "runs", "--bundle", built, cwd=tmp_path)
    assert done.code == 0, done.err
    runs = tmp_path / "runs" / "runs"
    assert (runs / "careless/results.jsonl").read_bytes() == graded["careless"][0].read_bytes()
    assert (runs / "idle/results.jsonl").read_bytes() == b""

    again = [f"{name}={runs / name}/results.jsonl,{runs / name}/submission.jsonl" for name in graded]
    assert export(built, second, *again, f"idle={runs}/idle/results.jsonl", **said).code == 0
    assert snapshot(first) == snapshot(second)

    summary = json.loads((first / "public/data/summary.json").read_text("utf-8"))
    assert summary["by_model"]["idle"] == {"scored": 0, "expected": 1, "avg_overall_pct": None, "pass_count": 0}
    assert summary["by_model"]["careless"]["avg_overall_pct"] == 76.5625
    assert (summary["exported_at"], summary["dataset_url"]) == ("2026-05-07", "https://a.example/d")


def test_what_comes_in_is_graded_as_it_was(built: Path, graded: dict[str, tuple[Path, Path]], tmp_path: Path) -> None:
    results, submission = graded["careless"]
    assert export(built, tmp_path, f"m={results},{submission}").code == 0
    assert run("harness", "import", "public", "--out", "runs", cwd=tmp_path).code == 0
    back = tmp_path / "runs/runs/m/submission.jsonl"
    done = run("harness", "score", "--bundle", built, "--submission", back, "--out", "again.jsonl", cwd=tmp_path)
    assert done.code == 0, done.err
    assert (tmp_path / "again.jsonl").read_bytes() == results.read_bytes()


def test_references_are_told_only_where_it_is_asked_for(
    built: Path, graded: dict[str, tuple[Path, Path]], tmp_path: Path
) -> None:
    results = graded["reference"][0]
    assert export(built, tmp_path, f"m={results}").code == 0
    (case,) = table(tmp_path, "cases")
    assert case["case_id"] == TASK
    assert "references" not in case
    named = ["--run", f"m={results}", "--out", tmp_path / "public", "--with-references"]
    assert run("harness", "export", "--bundle", built, *named, cwd=tmp_path).code == 0
    assert len(table(tmp_path, "cases")[0]["references"]) == 64


def test_without_a_submission_the_answers_are_null(
    built: Path, graded: dict[str, tuple[Path, Path]], tmp_path: Path
) -> None:
    assert export(built, tmp_path, f"m={graded['reference'][0]}", pass_at="99.9").code == 0
    assert table(tmp_path, "model_answers") == [{"id": f"m::{TASK}", "model": "m", "case_id": TASK, "answer": None}]
    assert [(row["passed"], row["pass_pct"]) for row in table(tmp_path, "model_results")] == [(True, 99.9)]


def test_other_files_of_the_folder_stay_as_they_are(
    built: Path, graded: dict[str, tuple[Path, Path]], tmp_path: Path
) -> None:
    (tmp_path / "public/data").mkdir(parents=True)
    (tmp_path / "public/README.md").write_text("mine")
    (tmp_path / "public/data/notes.txt").write_text("mine")
    assert export(built, tmp_path, f"m={graded['reference'][0]}").code == 0
    assert (tmp_path / "public/README.md").read_text() == "mine"
    assert (tmp_path / "public/data/notes.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("named", "options", "told"),
    [
        ("m", {}, "a run cannot be read"),
        ("=r.jsonl", {}, "a run cannot be read"),
        ("m=", {}, "a run cannot be read"),
        ("m=r.jsonl,", {}, "a run cannot be read"),
        ("m=a,b,c", {}, "a run cannot be read"),
        ("a::b=r.jsonl", {}, "a run cannot be read"),
        ("../m=r.jsonl", {}, "a run cannot be read"),
        ("m=nowhere.jsonl", {}, "nowhere.jsonl: the file is missing"),
        ("m=r.jsonl", {"pass_at": "half"}, "the percentage cannot be read"),
        ("m=r.jsonl", {"pass_at": "101"}, "the percentage cannot be read"),
        ("m=r.jsonl", {"exported_at": "yesterday"}, "the day of the export cannot be read"),
        ("m=r.jsonl", {"exported_at": "2026-02-30"}, "the day of the export cannot be read"),
        ("m=r.jsonl", {"dataset_url": "javascript:alert(1)"}, "the address cannot be read"),
        ("m=r.jsonl", {"dataset_id": "x\ny"}, "the text cannot be told"),
    ],
)
def test_what_cannot_be_exported_is_told_and_nothing_is_written(
    named: str, options: dict[str, str], told: str, built: Path, tmp_path: Path
) -> None:
    done = export(built, tmp_path, named, **options)
    assert done.code == 2
    assert told in done.sentences[0]
    assert not (tmp_path / "public").exists()


def test_one_model_twice_is_told(built: Path, tmp_path: Path) -> None:
    done = export(built, tmp_path, "Model=r.jsonl", "model=r.jsonl")
    assert (done.code, "a model is named twice" in done.err) == (2, True)


def test_results_of_another_bundle_are_refused_on_both_ways(
    built: Path, graded: dict[str, tuple[Path, Path]], tmp_path: Path
) -> None:
    results = graded["reference"][0]
    lines = results.read_text("utf-8").splitlines()
    first = json.loads(lines[0])
    changed = json.dumps(first | {"cell_digest": "0" * 64})
    (tmp_path / "r.jsonl").write_text("\n".join([changed, *lines[1:]]))
    done = export(built, tmp_path, "m=r.jsonl")
    assert done.code == 2
    assert "r.jsonl:1" in done.sentences[0]
    assert "of another version of the cell" in done.sentences[0]

    assert export(built, tmp_path, f"m={results}").code == 0
    details = tmp_path / "public/data/score_details.jsonl"
    details.write_text(details.read_text("utf-8").replace(first["cell_digest"], "0" * 64), encoding="utf-8")
    done = run("harness", "import", "public", "--out", "runs", "--bundle", built, cwd=tmp_path)
    assert done.code == 2
    assert "of another version of the bundle" in done.sentences[0]
    assert not (tmp_path / "runs").exists()


def test_a_score_that_was_changed_on_the_way_is_told(
    built: Path, graded: dict[str, tuple[Path, Path]], tmp_path: Path
) -> None:
    assert export(built, tmp_path, f"m={graded['careless'][0]}").code == 0
    results = tmp_path / "public/data/model_results.jsonl"
    results.write_text(results.read_text("utf-8").replace("76.5625", "86.5625"), encoding="utf-8")
    done = run("harness", "import", "public", "--out", "runs", cwd=tmp_path)
    assert done.code == 2
    assert any("the percentage is not the mean of the cells; seen '86.5625'" in text for text in done.sentences)
    assert any("avg_overall_pct" in text for text in done.sentences)


def test_keys_that_nobody_knows_are_left_out_and_told(
    built: Path, graded: dict[str, tuple[Path, Path]], tmp_path: Path
) -> None:
    assert export(built, tmp_path, f"m={graded['careless'][0]}").code == 0
    results = tmp_path / "public/data/model_results.jsonl"
    results.write_text(results.read_text("utf-8").replace('{"id"', '{"wall\\nerror: x":1,"id"'), encoding="utf-8")
    done = run("harness", "import", "public", "--out", "runs", cwd=tmp_path)
    assert done.code == 0, done.err
    assert "data/model_results.jsonl: left out, for nobody here knows them: wall error: x" in done.err
    assert done.sentences == []


@pytest.mark.filterwarnings("ignore::DeprecationWarning:(datasets|dill|multiprocess)")
def test_each_table_loads_as_those_of_the_public_benchmark_do(
    built: Path, graded: dict[str, tuple[Path, Path]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    import datasets

    (tmp_path / "none.jsonl").write_text("")
    named = [f"{name}={results},{submission}" for name, (results, submission) in graded.items()]
    assert export(built, tmp_path, *named, f"idle={tmp_path / 'none.jsonl'}").code == 0
    datasets.disable_progress_bars()
    loaded = {}
    for name in ("cases", "model_results", "model_answers", "score_details"):
        file = str(tmp_path / f"public/data/{name}.jsonl")
        cache = str(tmp_path / "cache")
        loaded[name] = datasets.load_dataset("json", data_files=file, split="train", cache_dir=cache)
    assert {name: table.num_rows for name, table in loaded.items()} == {
        "cases": 1,
        "model_results": 3,
        "model_answers": 3,
        "score_details": 3,
    }
    assert loaded["model_results"]["overall_pct"][:] == [76.5625, None, 100.0]
