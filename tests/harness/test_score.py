"""`score_submission`: one result line a cell, means with denominators, JSON lines and Markdown alike."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from cellwright.harness.diagnosis import nearest_near_miss
from cellwright.harness.score import ScoreReport, results_jsonl, score_submission
from cellwright.harness.submission import read_submission
from cellwright.records.errors import UnreadableInput
from cellwright.records.scoring import Answer, Reference, Rule, Tolerance

SHOWN = "602 billion × 20.2% / 4.27 million = 28,479"


def line(small: Any, entity: str, dimension: str, answer: Any, derivation: Any = None) -> str:
    return json.dumps(
        {
            "task": small.task,
            "entity": entity,
            "dimension": dimension,
            "answer": answer,
            "derivation": derivation,
            "sources": ["https://filings.example/report"],
        }
    )


def scored(bundle: Any, *lines: str) -> ScoreReport:
    return score_submission(bundle, read_submission("\n".join(lines).encode(), bundle, "submission.jsonl"))


def result(report: ScoreReport, entity: str, dimension: str) -> Any:
    return next(item for item in report.lines if (item.entity, item.dimension) == (entity, dimension))


@pytest.mark.parametrize(
    ("answer", "derivation", "score", "clause", "near_miss"),
    [
        ({"value": "28,479"}, SHOWN, "1", "within full", ""),
        ({"value": "CNY 28.5k"}, SHOWN, "1", "within full", ""),
        ({"value": 28479, "unit": "CNY/vehicle"}, SHOWN, "1", "within full", ""),
        ({"value": "28.479", "unit": "thousand CNY"}, SHOWN, "1", "within full", ""),
        ({"value": "28,479"}, None, "0.5", "within full, no sound derivation", ""),
        ({"value": "28,479"}, "taken from the report", "0.5", "within full, no sound derivation", ""),
        ({"value": "30,000"}, SHOWN, "0.5", "within partial", ""),
        (
            {"value": "36,757"},
            "777 billion × 20.2% / 4.27 million = 36,757",
            "0.25",
            "within order",
            "total_for_segment",
        ),
        (
            {"value": "28,479"},
            "777 billion × 20.2% / 4.27 million = 36,757",
            "0.5",
            "within full, no sound derivation",
            "total_for_segment",
        ),
        ({"value": "-28,479"}, None, "0", "outside", ""),
        ({"value": "USD 3,900"}, None, "0", "a unit of another kind", ""),
        ({"type": "range", "low": "20,000", "high": "36,000"}, None, "0.25", "a range that holds it", ""),
        ({"type": "not_available", "reason": "not disclosed"}, None, "0", "says not available where a number is", ""),
        ({"type": "not_available", "value": "28,479"}, SHOWN, "1", "within full", ""),
    ],
)
def test_a_precise_cell_is_graded_by_the_table(
    bundle: Any, small: Any, answer: Any, derivation: Any, score: str, clause: str, near_miss: str
) -> None:
    report = scored(bundle, line(small, "byd", "gross_profit_per_vehicle", answer, derivation))
    found = result(report, "byd", "gross_profit_per_vehicle")
    assert (found.outcome, found.score, found.clause, found.near_miss) == ("scored", Decimal(score), clause, near_miss)


def test_a_derivation_that_the_rule_cannot_decide_keeps_both_bounds_and_no_score(bundle: Any, small: Any) -> None:
    words = "Revenue of 602 billion, a margin of 20.2%, and 4.27 million vehicles."
    report = scored(bundle, line(small, "byd", "gross_profit_per_vehicle", "28,479", words))
    found = result(report, "byd", "gross_profit_per_vehicle")
    assert (found.score, found.lower, found.upper) == (None, Decimal("0.5"), Decimal(1))
    assert found.judge_reason.startswith("no judge was asked: every input is shown")
    assert report.totals.benchmark.score is None
    assert report.totals.benchmark.bounds_only == 1


def test_a_list_of_steps_is_replayed_as_the_text_is(bundle: Any, small: Any) -> None:
    steps = [
        {"id": "revenue", "value": "602 billion", "unit": "CNY"},
        {"id": "margin", "value": 20.2, "unit": "percent"},
        {"id": "profit", "expr": "revenue * margin", "value": "121.6 billion", "unit": "CNY"},
        {"id": "vehicles", "value": "4.27 million"},
        {"id": "answer", "expr": "profit / vehicles", "value": "28,479", "unit": "CNY/vehicle"},
    ]
    report = scored(bundle, line(small, "byd", "gross_profit_per_vehicle", "28,479", steps))
    assert result(report, "byd", "gross_profit_per_vehicle").score == 1


def test_a_retrieved_figure_needs_no_derivation(bundle: Any, small: Any) -> None:
    report = scored(bundle, line(small, "byd", "vehicles", "4.27 million vehicles"))
    assert result(report, "byd", "vehicles").score == 1


def test_a_rank_is_sound_when_the_ranked_figures_are_shown(bundle: Any, small: Any) -> None:
    shown = "BYD delivered 4.27 million, NIO 160,038, so BYD is first."
    report = scored(bundle, line(small, "byd", "delivery_rank", "1", shown), line(small, "nio", "delivery_rank", "2"))
    assert result(report, "byd", "delivery_rank").score == 1
    assert result(report, "nio", "delivery_rank").score == Decimal("0.5")


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        (
            {"type": "range", "low": "10.2", "high": "20.2", "unit": "percent", "method": "with and without the cut"},
            "1",
        ),
        ({"value": "10.2% to 20.2%", "method": "with and without the cut"}, "1"),
        ({"type": "range", "low": "0.102", "high": "0.202", "unit": "fraction", "method": "scenario"}, "1"),
        ({"type": "range", "low": "10.2", "high": "20.2", "unit": "percent"}, "0.5"),
        ({"value": "15"}, "0.5"),
        ({"type": "range", "low": "5", "high": "30", "method": "scenario"}, "0.25"),
        ({"type": "range", "low": "-50", "high": "90", "method": "scenario"}, "0"),
    ],
)
def test_a_range_cell_is_graded_by_overlap_and_method(bundle: Any, small: Any, answer: Any, score: str) -> None:
    report = scored(bundle, line(small, "byd", "stressed_margin", answer))
    assert result(report, "byd", "stressed_margin").score == Decimal(score)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ({"type": "not_available", "reason": "the company does not disclose it"}, "1"),
        ({"value": "not available: the company does not disclose it"}, "1"),
        ({"type": "not_available"}, "0.5"),
        ({"value": "n/a"}, "0.5"),
        ({"type": "range", "low": 400, "high": 800, "method": "industry average"}, "0.5"),
        ({"type": "range", "low": 400, "high": 800}, "0.25"),
        ({"type": "range", "low": 400, "high": 410, "method": "industry average"}, "0"),
        ({"value": "not available, perhaps CNY 600"}, "0"),
        ({"value": "600"}, "0"),
    ],
)
def test_a_not_available_cell_pays_for_saying_so(bundle: Any, small: Any, answer: Any, score: str) -> None:
    report = scored(bundle, line(small, "byd", "battery_cost", answer))
    assert result(report, "byd", "battery_cost").score == Decimal(score)


def test_a_cell_that_is_not_answered_and_one_that_cannot_be_read_count_nothing_and_stay_apart(
    bundle: Any, small: Any
) -> None:
    report = scored(
        bundle,
        line(small, "byd", "vehicles", "4,27 mio or so, see above 4.270.000"),
        line(small, "nio", "vehicles", None),
    )
    assert result(report, "byd", "vehicles").outcome == "unparsed"
    assert result(report, "nio", "vehicles").outcome == "no_answer"
    assert result(report, "nio", "delivery_rank").outcome == "no_answer"
    assert report.totals.benchmark.score == 0
    counts = report.totals.benchmark.counts
    assert (counts["scored"], counts["unparsed"], counts["no_answer"]) == (0, 1, 9)


def test_every_mean_has_its_denominators(bundle: Any, small: Any) -> None:
    report = scored(
        bundle,
        line(small, "byd", "vehicles", "4.27 million"),
        line(small, "byd", "gross_profit_per_vehicle", "28,479", SHOWN),
    )
    totals = report.totals
    assert (totals.benchmark.score, totals.benchmark.members, totals.benchmark.cells) == (Decimal("0.2"), 1, 10)
    assert totals.tasks[small.task].members == 10
    assert {name: (mean.score, mean.cells) for name, mean in totals.families.items()} == {
        "retrieval": (Decimal("0.5"), 2),
        "derivation": (Decimal("0.5"), 2),
        "reasoning": (0, 4),
        "calibration": (0, 2),
    }


def test_a_failed_run_takes_its_task_out_of_the_means_and_names_it(bundle: Any, small: Any) -> None:
    submission = read_submission(line(small, "byd", "vehicles", "4.27 million").encode(), bundle, "a.jsonl")
    report = score_submission(bundle, submission, run_failed=[small.task])
    assert report.totals.benchmark.score is None
    assert report.totals.run_failed == ((small.task, 10),)
    assert {item.outcome for item in report.lines} == {"run_failed"}


def test_a_failed_run_of_an_unknown_task_is_told(bundle: Any, small: Any) -> None:
    submission = read_submission(line(small, "byd", "vehicles", "4.27 million").encode(), bundle, "a.jsonl")
    with pytest.raises(UnreadableInput, match="the task `ev-maker` is not in the bundle"):
        score_submission(bundle, submission, run_failed=["ev-maker"])


def test_result_lines_are_json_with_the_designed_keys_and_decimal_strings(bundle: Any, small: Any) -> None:
    report = scored(bundle, line(small, "byd", "gross_profit_per_vehicle", "28,479", '=HYPERLINK("x")'))
    lines = [json.loads(text) for text in results_jsonl(report).decode().splitlines()]
    assert list(lines[0]) == [
        "task",
        "entity",
        "dimension",
        "cell_digest",
        "outcome",
        "score",
        "lower",
        "upper",
        "read_span",
        "read_value",
        "read_unit",
        "clause",
        "near_miss",
        "judge_model",
        "judge_prompt",
        "judge_reason",
    ]
    assert [(item["entity"], item["dimension"]) for item in lines[:2]] == [
        ("byd", "vehicles"),
        ("byd", "gross_profit_per_vehicle"),
    ]
    assert lines[1]["score"] == "0.5"
    assert lines[1]["read_value"] == "28479"
    assert lines[1]["cell_digest"] == bundle.cells[small.task, "byd", "gross_profit_per_vehicle"]["digest"]


def test_json_lines_and_markdown_of_the_same_answers_score_the_same(bundle: Any, small: Any) -> None:
    answers = [
        ("byd", "vehicles", {"value": "4.27 million", "unit": "vehicles"}, ""),
        ("byd", "gross_profit_per_vehicle", {"value": "28,479", "unit": "CNY/vehicle", "confidence": "0.9"}, SHOWN),
        ("nio", "gross_profit_per_vehicle", {"value": "first 33,016, finally CNY 29,240"}, ""),
        ("byd", "delivery_rank", {"value": "1"}, "4.27 million against 160,038"),
        ("byd", "stressed_margin", {"value": "10.2% to 20.2%", "method": "with and without the cut"}, ""),
        ("byd", "battery_cost", {"value": "not available", "reason": "no filing tells it"}, ""),
    ]
    as_lines = scored(bundle, *(line(small, *answer) for answer in answers))
    sections = [
        "\n".join(
            [
                f"### {entity} / {dimension}",
                *(f"{key.title() if key != 'value' else 'Answer'}: {text}" for key, text in fields.items()),
                f"Derivation: {shown}",
                "Sources:",
                "- https://filings.example/report",
            ]
        )
        for entity, dimension, fields, shown in answers
    ]
    markdown = score_submission(bundle, read_submission("\n\n".join(sections).encode(), bundle, "answers.md"))
    assert results_jsonl(markdown) == results_jsonl(as_lines)
    assert [item.score for item in as_lines.lines if item.outcome == "scored"] == [1, 1, 1, 1, 1, Decimal("0.5")]


RULE = Rule(
    Tolerance("relative", Decimal("0.02")),
    Tolerance("relative", Decimal("0.1")),
    None,
    Decimal("0.5"),
    Decimal(4),
    "required",
)
MISSES = [
    {"near_miss": "b", "value": "110", "low": "", "high": ""},
    {"near_miss": "a", "value": "112", "low": "", "high": ""},
    {"near_miss": "wide", "value": "", "low": "30", "high": "50"},
]


@pytest.mark.parametrize(
    ("value", "near_miss"),
    [
        ("110.5", "b"),
        ("111.5", "a"),
        ("111", "a"),
        ("112.2", "a"),
        ("114.24", "a"),
        ("114.25", ""),
        ("100", ""),
        ("-110", ""),
    ],
)
def test_the_nearest_near_miss_within_full_is_named(value: str, near_miss: str) -> None:
    reference = Reference("precise", "USD", Decimal(100))
    assert nearest_near_miss(RULE, reference, Answer("precise", Decimal(value)), MISSES) == near_miss


@pytest.mark.parametrize(
    ("low", "high", "near_miss"), [("30", "50", "wide"), ("35", "50", "wide"), ("60", "70", ""), ("10", "20", "")]
)
def test_the_near_miss_of_a_range_is_the_one_it_overlaps(low: str, high: str, near_miss: str) -> None:
    reference = Reference("range", "USD", low=Decimal(10), high=Decimal(20))
    answer = Answer("range", None, Decimal(low), Decimal(high), method="scenario")
    assert nearest_near_miss(RULE, reference, answer, MISSES) == near_miss


def test_a_near_miss_that_is_no_number_is_told() -> None:
    reference = Reference("precise", "USD", Decimal(100))
    with pytest.raises(UnreadableInput, match="a near miss is not a plain decimal number"):
        nearest_near_miss(RULE, reference, Answer("precise", Decimal(7)), [{"near_miss": "x", "value": "1e5"}])
