"""Terminal output: no wider than the terminal, colours there and none in a pipe, nothing from outside acts."""

from __future__ import annotations

import io
from dataclasses import dataclass
from decimal import Decimal

import pytest
from rich.console import Console

from cellwright.records.derivations import CellResult, StepResult
from cellwright.records.findings import Audit, Condition, Finding, conclude
from cellwright.records.scoring import CellScore, Totals, total_scores
from cellwright.views.terminal import print_audit, print_derivation, print_matrix, print_score
from tests.views import sample

WIDTHS = [40, 60, 80, 120, 200]


@dataclass(frozen=True)
class Line:
    near_miss: str


@dataclass(frozen=True)
class Report:
    bundle: str
    version: str
    lines: tuple[Line, ...]
    totals: Totals


def console(width: int = 80, terminal: bool = False) -> Console:
    return Console(
        file=io.StringIO(),
        width=width,
        force_terminal=terminal,
        highlight=False,
        emoji=False,
        markup=False,
        color_system="standard" if terminal else None,
    )


def printed(where: Console) -> str:
    assert isinstance(where.file, io.StringIO)
    return where.file.getvalue()


def matrix(width: int, scores: dict[tuple[str, str], Decimal] | None = None, terminal: bool = False) -> str:
    tables, where = sample.tables(), console(width, terminal)
    print_matrix(where, tables["tasks"][0], tables["entities"], tables["dimensions"], tables["cells"], scores)
    return printed(where)


def score(task: str, family: str, outcome: str, points: str, most: str = "") -> CellScore:
    return CellScore(task, "e", family, family, outcome, Decimal(points), Decimal(most or points))  # type: ignore[arg-type]


REPORT = Report(
    "deepweb",
    "0.1.0",
    (Line("markup"), Line("markup"), Line("")),
    total_scores(
        [
            score("one", "retrieval", "scored", "1"),
            score("one", "derivation", "scored", "0.25", "0.5"),
            score("one", "reasoning", "no_answer", "0"),
            score("two", "retrieval", "run_failed", "0"),
        ]
    ),
)
RESULT = CellResult(
    "aurel",
    "gross_profit_per_vehicle",
    "precise",
    Decimal("28478.68852459"),
    None,
    None,
    "CNY/vehicle",
    (Decimal("28375"), Decimal("28583")),
    None,
    (
        StepResult(
            "auto_gross_profit",
            "auto_revenue * auto_gross_margin",
            Decimal(121604000000),
            "CNY",
            None,
            None,
            ("fact:aurel.auto_revenue.fy2023", "fact:aurel.auto_gross_margin.fy2023"),
        ),
        StepResult(
            "answer",
            "auto_gross_profit / vehicles",
            Decimal("28478.68852459"),
            "CNY/vehicle",
            None,
            None,
            ("step:auto_gross_profit", "fact:aurel.vehicles.fy2023"),
        ),
    ),
    ("aurel.auto_revenue.fy2023",),
    ("a note",),
)


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_terminal(width: int) -> None:
    where = console(width)
    print_audit(where, sample.audit())
    print_score(where, REPORT)
    print_derivation(where, RESULT)
    text = printed(where) + matrix(width, {("aurel", "revenue"): Decimal("0.25")})
    assert max(len(line.rstrip()) for line in text.splitlines()) <= width


@pytest.mark.parametrize("width", WIDTHS)
def test_a_folded_matrix_holds_every_column_and_value(width: int) -> None:
    words = " ".join(matrix(width).split())
    for told in ("28,479 S", "131 bn C", "4.27 m D", "n/a N", "11.3 to 14.3 S", "77.5 S", "-15,521 S"):
        assert told in words


def test_units_stand_in_the_heads_and_scores_beside_the_labels() -> None:
    text = matrix(200, {("aurel", "gross_profit_per_vehicle"): Decimal("0.25"), ("borea", "revenue"): Decimal(1)})
    assert "CNY/vehicle" in text
    assert "28,479 S 0.25" in text
    assert "131 bn C 1" in text
    assert "777 bn S -" in text


def test_colours_are_for_terminals_only() -> None:
    assert "\x1b[" in matrix(80, terminal=True)
    assert "\x1b[" not in matrix(80)


def test_the_audit_tells_every_finding_in_a_pipe() -> None:
    many = [
        Finding(rule="C2-QUOTE-EMPTY", condition=Condition.SOURCED, severity="error", file="facts.csv", line=line)
        for line in range(2, 52)
    ]
    audit = Audit(tool="t", tasks=(conclude("a-task", 64, many),))
    pipe, terminal = console(), console(terminal=True)
    print_audit(pipe, audit)
    print_audit(terminal, audit)
    assert printed(pipe).count("facts.csv:") == 50
    assert printed(terminal).count("facts.csv:") == 10
    assert "and 40 more of this rule" in printed(terminal)


def test_the_audit_tells_places_and_how_to_mend() -> None:
    where = console(120)
    print_audit(where, sample.audit())
    for finding in sample.audit().tasks[0].findings:
        for told in (finding.rule, str(finding.place), finding.observed, finding.expected, finding.fix, finding.waived):
            assert told in printed(where)


def test_scores_are_told_with_their_denominators() -> None:
    where = console()
    print_score(where, REPORT)
    words = " ".join(printed(where).split())
    assert "deepweb 0.1.0: 41.67 to 50.00 of 100, the mean of 1 task (3 cells)" in words
    assert "1 cell could not be decided by rule" in words
    assert "run failed: two (1 cell, in no mean)" in words
    assert "one 41.67 to 50.00 3 2 1 1" in words
    assert "retrieval 100.00 1 1 0 0" in words
    assert "near misses: markup 2" in words


def test_a_report_of_nothing_has_no_mean() -> None:
    where = console()
    print_score(where, Report("b", "1", (), total_scores([])))
    assert "b 1: - of 100, the mean of 0 tasks (0 cells)" in printed(where)


def test_a_derivation_is_told_step_by_step_with_values_and_units() -> None:
    where = console(120)
    print_derivation(where, RESULT)
    text = printed(where)
    for told in (
        "aurel/gross_profit_per_vehicle  28,479 CNY/vehicle",
        "1 auto_gross_profit = auto_revenue * auto_gross_margin",
        "= 121,604,000,000 CNY",
        "step auto_gross_profit  121,604,000,000 CNY",
        "= 28,478.68852459 CNY/vehicle",
        "the facts' last digits allow 28,375 to 28,583 CNY/vehicle",
        "note a note",
    ):
        assert told in text


@pytest.mark.parametrize(
    ("result", "told"),
    [
        (CellResult("a", "d", "not_available", None, None, None, "USD", None, None, (), (), ()), "not available"),
        (
            CellResult("a", "d", "range", None, Decimal("9.352"), Decimal("11.2"), "percent", None, None, (), (), ()),
            "9.4 to 11.2 %",
        ),
    ],
)
def test_a_derivation_tells_ranges_and_absence(result: CellResult, told: str) -> None:
    where = console()
    print_derivation(where, result)
    assert printed(where) == f"a/d  {told}\n"


def test_text_from_outside_is_no_markup_and_no_escape() -> None:
    evil = "[bold red]x[/] \x1b[2J\r\nend"
    tables, where = sample.tables(), console(200, terminal=True)
    for row in [*tables["entities"], *tables["dimensions"], *tables["tasks"]]:
        row |= {"name": evil, "title": evil, "unit": evil}
    print_matrix(where, tables["tasks"][0], tables["entities"], tables["dimensions"], tables["cells"])
    print_audit(
        where,
        Audit(
            tool="t",
            tasks=(
                conclude(
                    evil,
                    1,
                    [Finding(rule=evil, condition=Condition.SOURCED, severity="error", file=evil, observed=evil)],
                ),
            ),
        ),
    )
    assert "\x1b[2J" not in printed(where)
    assert "[bold" in printed(where)
