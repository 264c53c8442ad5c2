"""The public layout: what its records say of runs, and that going out, in and out again changes no byte."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cellwright.clients.bundle_reader import Bundle, open_bundle
from cellwright.harness.public_cases import public_cases
from cellwright.harness.public_files import layout_files, read_layout
from cellwright.harness.public_import import import_files
from cellwright.harness.public_layout import ExportSettings, Layout, Run, layout_of
from cellwright.harness.public_models import ScoredCell
from cellwright.harness.run_files import answers_by_task, read_results, results_jsonl_of, split_answers
from cellwright.harness.score import results_jsonl, score_submission
from cellwright.harness.submission import read_submission
from cellwright.records.bundle import Rows
from cellwright.records.errors import UnreadableInput
from tests.harness.conftest import write_bundle

OTHER = "ev-makers-2024"
SCORES = [Decimal(text) for text in ("0", "0.25", "0.5", "1")]


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory, tables: dict[str, Rows]) -> Bundle:
    """The small bundle with its task twice, under another id."""
    doubled = {name: [*rows, *({**row, "task": OTHER} for row in rows)] for name, rows in tables.items()}
    return open_bundle(write_bundle(tmp_path_factory.mktemp("two"), doubled))


def cells_of(bundle: Bundle, task: str, scores: Callable[[int], Decimal | tuple[Decimal, Decimal] | None]) -> list[Any]:
    """A cell for each of the task's: `scores` gives a score, bounds, or None for a run that failed."""
    found = []
    keys = [key for key in bundle.cells_in_order if key[0] == task]
    for position, key in enumerate(keys):
        said = scores(position)
        low, high = said if isinstance(said, tuple) else (said, said)
        words = dict.fromkeys(
            ("read_span", "read_value", "read_unit", "clause", "near_miss", "judge_model", "judge_prompt"), ""
        )
        found.append(
            ScoredCell(
                entity=key[1],
                dimension=key[2],
                cell_digest=bundle.cells[key]["digest"],
                outcome="run_failed" if said is None else "scored",
                score=low if low == high else None,
                lower=low,
                upper=high,
                judge_reason="by rule: “ok”\u2028",
                **words,
            )
        )
    return found


def layout(bundle: Bundle, *runs: Run, **said: Any) -> Layout:
    return layout_of(public_cases(bundle), runs, ExportSettings(**said))


def whole(bundle: Bundle, task: str, score: str = "1") -> list[Any]:
    return cells_of(bundle, task, lambda _: Decimal(score))


def test_every_model_and_case_has_its_line_in_each_table(two: Bundle, small: Any) -> None:
    made = layout(two, Run("b", {small.task: whole(two, small.task)}), Run("a", {}))
    ids = [f"{model}::{case}" for model in "ab" for case in (small.task, OTHER)]
    assert [item.id for item in made.results] == ids
    assert [item.id for item in made.answers] == ids
    assert [item.id for item in made.details] == ids


def test_a_case_that_was_not_run_is_null_and_not_zero_counted_as_expected_and_not_as_scored(
    two: Bundle, small: Any
) -> None:
    made = layout(two, Run("m", {small.task: whole(two, small.task, "0")}))
    run, missing = made.results
    assert (run.status, run.overall_pct, run.passed) == ("scored", Decimal(0), False)
    assert (missing.status, missing.overall_pct, missing.lower_pct, missing.passed) == ("missing", None, None, None)
    assert made.details[1].cells is None
    mine = made.summary.by_model["m"]
    assert (mine.scored, mine.expected, mine.avg_overall_pct, mine.pass_count) == (1, 2, Decimal(0), 0)
    assert (made.summary.n_model_case_pairs, made.summary.n_scored) == (2, 1)


def test_a_model_that_ran_nothing_has_no_average(two: Bundle) -> None:
    made = layout(two, Run("m", {}))
    assert made.summary.by_model["m"].avg_overall_pct is None
    assert b'"avg_overall_pct": null' in layout_files(made)["data/summary.json"]


def test_a_run_that_failed_is_null_and_keeps_its_cells(two: Bundle, small: Any) -> None:
    failed = cells_of(two, small.task, lambda _: None)
    made = layout(two, Run("m", {small.task: failed}))
    assert (made.results[0].status, made.results[0].overall_pct) == ("run_failed", None)
    assert made.details[0].cells == failed


def test_a_cell_that_no_judge_decided_leaves_the_score_open_between_its_bounds(two: Bundle, small: Any) -> None:
    cells = cells_of(two, small.task, lambda n: Decimal(1) if n else (Decimal("0.5"), Decimal(1)))
    found = layout(two, Run("m", {small.task: cells})).results[0]
    assert (found.status, found.overall_pct, found.passed) == ("open", None, None)
    assert (found.lower_pct, found.upper_pct) == (Decimal(95), Decimal(100))


def test_percentages_are_exact_and_written_with_every_digit(two: Bundle, small: Any) -> None:
    third = cells_of(two, small.task, lambda n: SCORES[n % 4])
    runs = {small.task: third, OTHER: whole(two, OTHER, "0.25")}
    made = layout(two, Run("m", runs), Run("n", {small.task: third}), Run("o", runs))
    score = sum((cell.score for cell in third), Decimal(0)) / 10
    assert made.results[0].overall_pct == score * 100
    written = layout_files(made)["data/model_results.jsonl"].decode().splitlines()[0]
    assert f'"overall_pct":{format((score * 100).normalize(), "f")},' in written


def test_an_average_that_does_not_end_has_34_digits(two: Bundle, small: Any) -> None:
    scores = ["1", "0", "0"]
    three = [{**case, "case_id": f"c{n}"} for n, case in enumerate([public_cases(two)[0]] * 3)]
    runs = {f"c{n}": whole(two, small.task, score) for n, score in enumerate(scores)}
    made = layout_of(three, [Run("m", runs)], ExportSettings())
    assert made.summary.by_model["m"].avg_overall_pct == Decimal("33.33333333333333333333333333333333")
    assert b'"avg_overall_pct": 33.33333333333333333333333333333333,' in layout_files(made)["data/summary.json"]


@pytest.mark.parametrize(("bar", "passed"), [("50", True), ("50.000001", False), ("0", True), ("100", False)])
def test_a_case_is_passed_from_the_percentage_on_that_is_said(two: Bundle, small: Any, bar: str, passed: bool) -> None:
    made = layout(two, Run("m", {small.task: whole(two, small.task, "0.5")}), pass_pct=Decimal(bar))
    assert made.results[0].passed is passed
    assert made.summary.by_model["m"].pass_count == int(passed)


def test_the_summary_has_the_keys_of_the_public_one_in_its_order(two: Bundle) -> None:
    said = json.loads(layout_files(layout(two, Run("m", {})))["data/summary.json"])
    assert list(said) == [
        "dataset_id",
        "dataset_url",
        "code_url",
        "exported_at",
        "n_cases",
        "n_models",
        "n_model_case_pairs",
        "n_scored",
        "n_model_answer_records",
        "n_model_answers_with_text",
        "n_score_detail_records",
        "by_model",
    ]
    assert list(said["by_model"]["m"]) == ["scored", "expected", "avg_overall_pct", "pass_count"]
    assert said["exported_at"] is None


SEALED = ("28478.688524590163934426229508197", "not_disclosed", "not_available", "derivation", '"rule"', '"digest"')


def test_cases_tell_nothing_of_what_is_right_unless_it_is_asked_for(bundle: Bundle) -> None:
    plain = json.dumps([{**case, "prompt": ""} for case in public_cases(bundle)])
    assert [word for word in SEALED if word in plain] == []
    full = json.dumps(public_cases(bundle, references=True))
    assert [word for word in SEALED if word not in full] == []


def test_a_case_is_a_task_with_its_matrix_and_its_prompt(bundle: Bundle, small: Any) -> None:
    (case,) = public_cases(bundle)
    assert case["case_id"] == small.task
    assert [item["entity"] for item in case["entities"]] == ["byd", "nio"]
    assert case["n_cells"] == len(case["cells"]) == 10
    assert case["prompt"].endswith("canary\n") or "canary" in case["prompt"]


ANSWER = '{"task": "%s", "entity": "byd", "dimension": "vehicles", "answer": {"value": "4.27 million"}}'


def test_the_answer_of_a_case_is_its_lines_of_the_submission_as_they_stand(two: Bundle, small: Any) -> None:
    mine, other = ANSWER % small.task, ANSWER % OTHER
    found = answers_by_task(f"{other}\r\n\n{mine}\n".encode(), two, "submission.jsonl")
    assert found == {small.task: mine, OTHER: other}
    assert split_answers(found) == (f"{mine}\n{other}\n", {})


MARKDOWN = """Task: {task}

### byd / vehicles
Answer: 4.27 million
Unit: vehicle
Confidence: 0.9
Derivation: 4.27 million as "printed"
Sources: https://a.example/1
- https://a.example/2

### byd / stressed_margin
Answer: 11 to 20
Method: with and without the cut
"""


def test_markdown_becomes_json_lines_that_are_read_as_the_same_cells(two: Bundle, small: Any) -> None:
    data = MARKDOWN.format(task=small.task).encode()
    lines, texts = split_answers(answers_by_task(data, two, "answers.md"))
    assert texts == {}
    before = read_submission(data, two, "answers.md").cells
    after = read_submission(lines.encode(), two, "submission.jsonl").cells
    assert list(before) == list(after)
    for key, cell in before.items():
        assert (cell.answer, cell.derivation, cell.sources) == (
            after[key].answer,
            after[key].derivation,
            after[key].sources,
        )


def test_words_that_are_no_submission_are_kept_as_text() -> None:
    given = {"a": "# My report\n\nIt is 12.", "b": '{"task": "b"}', "c": '{"task": "b"}', "d": "[" * 100_000}
    assert split_answers(given) == ('{"task": "b"}\n', {name: given[name] for name in "acd"})


def test_results_of_a_real_grading_come_back_to_the_byte(two: Bundle, small: Any, tmp_path: Path) -> None:
    report = score_submission(two, read_submission((ANSWER % small.task).encode(), two, "s.jsonl"), run_failed=[OTHER])
    results = results_jsonl(report)
    run = Run("m", read_results(results, two, "r.jsonl"), {small.task: ANSWER % small.task})
    files = import_files(read_layout(put(tmp_path, layout_files(layout(two, run)))))
    assert files["runs/m/results.jsonl"] == results
    assert files["runs/m/submission.jsonl"].decode() == (ANSWER % small.task) + "\n"


def put(folder: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


score = st.sampled_from(SCORES) | st.just((Decimal("0.25"), Decimal("0.5"))) | st.none()
words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30)
name = st.from_regex(r"[a-z0-9][a-z0-9._-]{0,8}[a-z0-9_-]", fullmatch=True)


@st.composite
def drawn_runs(draw: st.DrawFn, bundle: Bundle) -> list[Run]:
    """Runs of some models, each on some of the tasks, answered in JSON lines with odd words."""
    runs = []
    for model in draw(st.lists(name, min_size=1, max_size=3, unique=True)):
        cells, answers = {}, {}
        for task in bundle.tasks:
            if draw(st.booleans()):
                drawn = draw(st.lists(score, min_size=10, max_size=10))
                cells[task] = cells_of(bundle, task, drawn.__getitem__)
            if draw(st.booleans()):
                said = {"task": task, "entity": "byd", "dimension": "vehicles", "answer": {"value": draw(words)}}
                answers[task] = json.dumps(said, ensure_ascii=draw(st.booleans()))
        runs.append(Run(model, cells, answers))
    return runs


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_out_in_and_out_again_changes_no_byte(two: Bundle, tmp_path: Path, data: st.DataObject) -> None:
    said = ExportSettings(
        data.draw(words) or None, None, "https://a.example", data.draw(st.sampled_from(["2026-05-07", None]))
    )
    first = layout_files(layout_of(public_cases(two), data.draw(drawn_runs(two)), said))
    read = read_layout(put(tmp_path, first))
    files = import_files(read)
    again = []
    for model in json.loads(files["layout.json"])["models"]:
        results = files[f"runs/{model}/results.jsonl"]
        submission = files.get(f"runs/{model}/submission.jsonl")
        answers = answers_by_task(submission, two, "s.jsonl") if submission else {}
        again.append(Run(model, read_results(results, two, "r.jsonl"), answers))
    assert read.unknown == {}
    assert layout_files(layout_of(public_cases(two), again, said)) == first


def result_lines(bundle: Bundle, task: str) -> list[dict[str, Any]]:
    run = Run("m", {task: whole(bundle, task)})
    return [json.loads(line) for line in results_jsonl_of(run).splitlines()]


def as_bytes(lines: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"entity": "tesla"}, "the cell is not in the bundle"),
        ({"cell_digest": "0" * 64}, "of another version of the cell"),
        ({"score": 1}, "the line is no result"),
        ({"score": "NaN"}, "the line is no result"),
        ({"score": "1.5", "lower": "1.5", "upper": "1.5"}, "the line is no result"),
        ({"score": "0.5"}, "the line is no result"),
        ({"lower": None}, "the line is no result"),
        ({"outcome": "won"}, "the line is no result"),
        ({"outcome": "run_failed"}, "the line is no result"),
        ({"clause": 7}, "the line is no result"),
        ({"clause": "x" * 3000}, "the line is no result"),
        ({"task": None}, "the line is no result"),
    ],
)
def test_a_result_line_that_is_none_of_this_bundle_is_refused(
    two: Bundle, small: Any, change: dict[str, Any], what: str
) -> None:
    lines = result_lines(two, small.task)
    with pytest.raises(UnreadableInput, match=rf"r\.jsonl:1.*{what}"):
        read_results(as_bytes([lines[0] | change, *lines[1:]]), two, "r.jsonl")


def test_a_cell_that_stands_twice_and_a_part_of_a_task_are_refused(two: Bundle, small: Any) -> None:
    lines = result_lines(two, small.task)
    with pytest.raises(UnreadableInput, match=r"r\.jsonl:11.*stands twice"):
        read_results(as_bytes([*lines, lines[0]]), two, "r.jsonl")
    with pytest.raises(UnreadableInput, match=r"only a part of a task.*no line of .*byd/vehicles"):
        read_results(as_bytes(lines[1:]), two, "r.jsonl")


def test_no_result_lines_at_all_are_a_model_that_ran_nothing(two: Bundle) -> None:
    assert read_results(b"\n", two, "r.jsonl") == {}
