"""`explain`: results are bound to their release, found or made, and carried over where there is no submission."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cellwright.clients.bundle_changes import sides
from cellwright.clients.bundle_reader import Bundle, open_bundle
from cellwright.harness.explaining import Explained, explain
from cellwright.harness.result_lines import read_results
from cellwright.harness.score import results_jsonl, score_submission
from cellwright.harness.submission import load_submission
from cellwright.records.errors import UnreadableInput
from cellwright.records.releases.diff import compare
from cellwright.records.scoring import total_scores
from tests.releases.small_releases import (
    CORRECTION,
    FULL,
    PROFIT,
    answers,
    bundle,
    corrected,
    quarantine,
    rule,
    tables,
    with_task,
    without,
)

STRICT = {**FULL, "size": "0.001"}


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> tuple[Bundle, Bundle]:
    """Two releases: one reference corrected, one rule, one task quarantined, one added."""
    folder = tmp_path_factory.mktemp("releases")
    old = tables("ev-a", "ev-b", "ev-c")
    new = rule(corrected(old, "ev-a", correction=CORRECTION), STRICT, "ev-b")
    new = with_task(without(new, "ev-c"), "ev-d")
    return (
        open_bundle(bundle(folder / "old", old)),
        open_bundle(bundle(folder / "new", new, "1.1.0", (quarantine("ev-c"),))),
    )


@pytest.fixture
def submission(tmp_path: Path) -> Path:
    return answers(tmp_path / "answers.jsonl", "ev-a", "ev-b", "ev-c")


@pytest.fixture
def scored(releases: tuple[Bundle, Bundle], submission: Path, tmp_path: Path) -> tuple[Path, Path]:
    """The results of the submission on both releases, as `harness score` writes them."""
    paths = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    for path, own, other in zip(paths, releases, releases[::-1], strict=True):
        report = score_submission(own, load_submission(submission, own, elsewhere=other))
        path.write_bytes(results_jsonl(report))
    return paths


def explained(releases: tuple[Bundle, Bundle], *results: Path, submission: Path | None = None) -> Explained:
    return explain(*releases, compare(*sides(*releases)), results, submission)


def kinds(found: Explained) -> dict[str, Fraction]:
    return {part.kind: part.adds[0] for part in found.bridge.parts}


def test_two_results_are_bridged(releases: Any, scored: Any) -> None:
    found = explained(releases, *scored)
    assert list(kinds(found)) == ["corrected", "dependents", "quarantined", "added", "rules", "unchanged"]
    assert found.sources == ("old.jsonl", "new.jsonl")


def test_results_in_the_other_order_are_told_apart_by_their_digests(releases: Any, scored: Any) -> None:
    assert explained(releases, *scored[::-1]) == explained(releases, *scored)


def test_the_submission_is_scored_on_the_release_that_has_no_results(
    releases: Any, scored: Any, submission: Path
) -> None:
    both = explained(releases, *scored)
    for found in (
        explained(releases, scored[0], submission=submission),
        explained(releases, scored[1], submission=submission),
        explained(releases, submission=submission),
    ):
        assert found.bridge == both.bridge
    assert explained(releases, scored[0], submission=submission).sources[1] == "answers.jsonl, scored now"


def test_the_totals_are_those_that_score_gives(releases: Any, scored: Any, submission: Path) -> None:
    found = explained(releases, *scored).bridge
    for own, other, total in zip(releases, releases[::-1], (found.old, found.new), strict=True):
        report = score_submission(own, load_submission(submission, own, elsewhere=other))
        mean = total_scores(report.scores).benchmark
        assert mean.lower is not None
        assert abs(Fraction(mean.lower) - total.bounds[0]) < Fraction(1, 10**30)


def test_results_of_one_release_alone_are_graded_again_and_hold_the_true_score(
    releases: Any, scored: Any, submission: Path
) -> None:
    certain, carried = explained(releases, *scored).bridge, explained(releases, scored[0])
    low, high = carried.bridge.new.bounds
    assert low <= certain.new.bounds[0] <= certain.new.bounds[1] <= high
    assert (carried.open_cells, carried.unanswered) == (1, 10)
    assert carried.bridge.old == certain.old


def test_results_of_the_newer_release_are_carried_back(releases: Any, scored: Any) -> None:
    certain, carried = explained(releases, *scored).bridge, explained(releases, scored[1])
    low, high = carried.bridge.old.bounds
    # What was answered in the task that is gone is not known: it counts from 0 to 1.
    assert low <= certain.old.bounds[0] <= certain.old.bounds[1] <= high
    assert (carried.open_cells, carried.unanswered) == (11, 0)
    assert carried.bridge.new == certain.new


@pytest.mark.parametrize(
    ("answer", "dimension", "low", "high"),
    [
        ({"value": "28,952"}, PROFIT, "0.5", "1"),
        ({"value": "30,000"}, PROFIT, "0.5", "0.5"),
        ({"value": "-1"}, PROFIT, "0", "0.25"),
        ({"value": "EUR 28,952"}, PROFIT, "0", "0"),
        ({"value": "not available"}, PROFIT, "0", "0"),
        ({"type": "range", "low": "20,000", "high": "36,000"}, PROFIT, "0.25", "0.25"),
        ({"value": "what?"}, PROFIT, "0", "0"),
        ({"type": "range", "low": "11.5", "high": "20", "method": "scenario"}, "stressed_margin", "1", "1"),
        ({"type": "range", "low": "11.5", "high": "20"}, "stressed_margin", "0.5", "0.5"),
        ({"type": "range", "low": "90", "high": "99"}, "stressed_margin", "0", "0"),
    ],
)
def test_an_answer_is_graded_again_as_far_as_a_result_line_tells_it(
    answer: dict[str, str], dimension: str, low: str, high: str, releases: Any, tmp_path: Path
) -> None:
    path, results = tmp_path / "a.jsonl", tmp_path / "r.jsonl"
    line = {"task": "ev-a", "entity": "byd", "dimension": dimension, "answer": answer, "derivation": "602 × 20.2%"}
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    results.write_bytes(results_jsonl(score_submission(releases[0], load_submission(path, releases[0]))))
    found = explained(releases, results).bridge
    cell = next(cell for part in found.parts for cell in part.cells if cell.key == ("ev-a", "byd", dimension))
    assert cell.new == (Fraction(low), Fraction(high))


def edit_lines(path: Path, edit: Callable[[dict[str, Any]], None]) -> None:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        edit(line)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def test_another_judge_on_an_unchanged_cell_is_told_as_the_judge(releases: Any, scored: Any) -> None:
    def judged(line: dict[str, Any]) -> None:
        if (line["task"], line["entity"], line["dimension"]) == ("ev-b", "byd", PROFIT):
            line |= {"score": "0.5", "lower": "0.5", "upper": "0.5", "judge_model": "m", "judge_prompt": "p"}

    edit_lines(scored[1], judged)
    assert kinds(explained(releases, *scored))["judge"] == Fraction(-1, 60)


def test_an_unchanged_cell_that_moved_for_no_reason_is_laid_to_the_code(releases: Any, scored: Any) -> None:
    def moved(line: dict[str, Any]) -> None:
        if (line["task"], line["entity"], line["dimension"]) == ("ev-b", "byd", PROFIT):
            line |= {"score": "0", "lower": "0", "upper": "0"}

    edit_lines(scored[1], moved)
    assert kinds(explained(releases, *scored))["code"] == Fraction(-1, 30)


def test_results_of_another_bundle_are_refused(releases: Any, scored: Any) -> None:
    edit_lines(scored[0], lambda line: line.update(cell_digest="0" * 64))
    with pytest.raises(UnreadableInput, match=r"not those of small 1\.0\.0; seen '30 of 30 lines are of other cells"):
        explained(releases, *scored)


def test_the_same_results_twice_are_refused_and_it_is_said_whose_they_are(releases: Any, scored: Any) -> None:
    with pytest.raises(UnreadableInput, match=r"not those of small 1\.1\.0.*; these are of 1\.0\.0"):
        explained(releases, scored[0], scored[0])


def test_results_that_lack_cells_are_refused(releases: Any, scored: Any) -> None:
    lines = scored[0].read_text(encoding="utf-8").splitlines(keepends=True)
    scored[0].write_text("".join(lines[1:]), encoding="utf-8")
    with pytest.raises(UnreadableInput, match="and 1 of 30 cells have no line"):
        explained(releases, *scored)


def test_without_results_and_submission_there_is_nothing_to_explain(releases: Any, scored: Any) -> None:
    with pytest.raises(UnreadableInput, match="nothing to explain"):
        explained(releases)
    with pytest.raises(UnreadableInput, match="too many results; seen '3 results'"):
        explained(releases, *scored, scored[0])


def test_a_submission_may_be_of_either_release_and_a_strange_cell_is_still_told(
    releases: Any, submission: Path, tmp_path: Path
) -> None:
    with pytest.raises(UnreadableInput, match="ev-c"):
        load_submission(submission, releases[1])
    assert len(load_submission(submission, releases[1], elsewhere=releases[0]).cells) == 6
    strange = answers(tmp_path / "strange.jsonl", "ev-x")
    with pytest.raises(UnreadableInput, match="ev-x"):
        load_submission(strange, releases[1], elsewhere=releases[0])


GOOD = {
    "task": "ev-a",
    "entity": "byd",
    "dimension": "vehicles",
    "cell_digest": "0" * 64,
    "outcome": "scored",
    "score": "1",
    "lower": "1",
    "upper": "1",
    "read_span": "",
    "read_value": "1",
    "read_unit": "",
    "clause": "",
}


def written(path: Path, *lines: object) -> Path:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def test_a_result_line_is_read_back(tmp_path: Path) -> None:
    line = read_results(written(tmp_path / "r.jsonl", GOOD)).lines["ev-a", "byd", "vehicles"]
    assert replace(line.result, said="") == replace(line.result, lower=Decimal(1), said="")


@pytest.mark.parametrize(
    "change",
    [
        {"score": None, "lower": None, "upper": None},
        {"lower": "1e5", "upper": "1e5"},
        {"lower": "0.5", "upper": "0.25"},
        {"upper": "2"},
        {"lower": "-1"},
        {"lower": 1},
        {"outcome": "won"},
        {"task": 7},
        {"cell_digest": None},
        {"judge_model": []},
    ],
)
def test_what_is_no_result_line_is_told_with_its_line(change: dict[str, Any], tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", GOOD, {**GOOD, "entity": "nio", **change})
    with pytest.raises(UnreadableInput, match=r"r\.jsonl:2: the line is no result"):
        read_results(path)


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xff", b"[" * 100_000, b"null\n", b"[]\n"])
def test_a_file_of_no_results_ends_in_one_sentence(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(data)
    with pytest.raises(UnreadableInput, match=r"r\.jsonl"):
        read_results(path)


def test_a_cell_that_stands_twice_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput, match=r"r\.jsonl:2: the cell has two results; seen 'ev-a/byd/vehicles'"):
        read_results(written(tmp_path / "r.jsonl", GOOD, GOOD))
