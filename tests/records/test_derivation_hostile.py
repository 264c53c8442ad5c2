"""Whatever is typed as an expression ends in a value or in one sentence."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cellwright.records.derivations import Evaluated, Evaluator, cell_json, format_expression
from cellwright.records.derivations._tree import Tree
from cellwright.records.errors import ExpressionError
from tests.records.derivation_task import dimension, fact, task
from tests.records.test_expression_language import TREES

PIECES = st.sampled_from(
    [
        "x",
        "y",
        "zero",
        "all.x",
        "others.x",
        "publishers.x",
        "part.*",
        "x[-1]",
        "x['FY2022']",
        "cells.d",
        "cells.e.low",
        "all.cells.d",
        "cut",
        "0",
        "1",
        "2",
        "7",
        "0.5",
        "100",
        "+",
        "-",
        "*",
        "/",
        "**",
        "==",
        "<",
        ">",
        "(",
        ")",
        ",",
        "[",
        "]",
        "'",
        "sum(",
        "rank(",
        "share(",
        "if(",
        "available(",
        "to(",
        "cagr(",
        "EUR",
        "average",
        "descending",
        " ",
        ".",
        "__class__",
        "é",
        "\x00",
        "\u202e",
        "%",
        "lambda",
        "\n",
    ]
)
FACTS = [
    fact("x", "12", unit="ratio"),
    fact("x", "9", unit="ratio", period="FY2022"),
    fact("x", "3", "b", unit="ratio"),
    fact("x", "13", rank="witness", id="a.x.w", unit="ratio"),
    fact("y", "-4.5", unit="ratio"),
    fact("zero", "0", unit="ratio"),
    fact("part.one", "1", unit="ratio"),
    fact("part.two", "2", unit="ratio"),
    fact("revenue", "5"),
    fact("revenue", "5", "b", unit="EUR"),
    fact("fx.usd_eur.average", "0.9", "*", unit="EUR/USD"),
]
TASK = task(
    dimension("d", "x / 2", unit="ratio"),
    dimension("e", "low: x", "high: x + 1", answer_type="range"),
    dimension("margin", "step: x + y", "answer: step", unit="ratio"),
    entities="ab",
    assumptions=[
        {"id": "cut", "value": "10", "unit": "percent", "reason": "?"},
        {"id": "a_1", "value": "3", "unit": "", "reason": "?"},
    ],
)
EVALUATOR = Evaluator(TASK, FACTS)


def outcome(text: str) -> Evaluated | None:
    """The value, or None after one sentence; any other exception is the test's failure."""
    try:
        return EVALUATOR.expression(text, "a", "d")
    except ExpressionError as error:
        told = error
    assert len(told.problems) == 1
    assert str(told).isprintable()
    assert len(str(told)) < 1000
    return None


@given(st.lists(PIECES, max_size=25).map("".join))
@settings(max_examples=150)
def test_pieces_of_the_language_in_any_order(text: str) -> None:
    found = outcome(text)
    assert found is None or found.value.is_finite()


@given(st.text(max_size=60))
def test_any_text(text: str) -> None:
    found = outcome(text)
    assert found is None or found.value.is_finite()


@given(TREES)
@settings(max_examples=150)
def test_any_tree(tree: Tree) -> None:
    found = outcome(format_expression(tree))
    if found is not None:
        assert found.value.is_finite()
        assert found.interval is None or found.interval[0] <= found.value <= found.interval[1]


@pytest.mark.parametrize(
    "expr",
    [
        "2**9999999",
        "((((((x ** 100) ** 100) ** 100) ** 100) ** 100) ** 100) ** 100",
        "((((((x / (x * x)) ** 100) ** 100) ** 100) ** 100) ** 100) ** 100",
        "(x ** 100) * (x ** 100) * (x ** 100)",
        "zero ** -1",
        "x / zero",
        "(zero - x) ** (1 / 2)",
        "cagr(zero, x, 1)",
        "a+" * 1000 + "a",
        "x" * 3000,
    ],
)
def test_what_would_grow_without_end_is_refused(expr: str) -> None:
    assert outcome(expr) is None


@pytest.mark.parametrize(("written", "scale"), [("9" * 30, 18), ("0." + "0" * 29 + "1", -18), ("1", 18)])
def test_the_largest_and_smallest_figures_can_be_written_down(written: str, scale: int) -> None:
    made = Evaluator(task(dimension("d", "x / 2", unit="percent")), [fact("x", written, unit="ratio", scale=scale)])
    found = cell_json(made.cell("a", "d"))
    assert isinstance(found["value"], str)
    assert Decimal(found["value"]) > 0
