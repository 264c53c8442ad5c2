"""Reason codes against the evidence: what bears each out, and what does not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .clean_task import Parts, clean

TAKEN, WITNESS = "alfa.cost.fy2023", "alfa.cost.fy2023.alfa_restated"
Change = Callable[[Parts], object]


def told(code: str, *changes: Change) -> list[str]:
    """What the audit says of this reason in alfa's gross margin."""
    parts = clean()
    parts.cell("alfa", "gross_margin")["reason_code"] = code
    for change in changes:
        change(parts)
    parts.print_captures()
    return [item.observed for item in parts.findings("C4-REASON-UNSUPPORTED") if item.record == "alfa/gross_margin"]


def fact(fact_id: str, **fields: str) -> Change:
    return lambda parts: parts.fact(fact_id).update(fields)


def source(source_id: str, **fields: str) -> Change:
    return lambda parts: parts.row("sources", id=source_id).update(fields)


def correction(**fields: str) -> Change:
    row = {"id": "c", "old": "1", "new": "5101000000", "code": "error", "reported_by": "cleo", **fields}
    return lambda parts: parts.tables.setdefault("corrections", []).append(row)


def third_owner(figure: str) -> Change:
    def change(parts: Parts) -> None:
        parts.add_fact(figure, entity="alfa", name="cost", source="statistics", label="Alfa, cost")

    return change


def same_words(parts: Parts) -> None:
    parts.fact(WITNESS)["quote"] = "Cost of sales (5,322)"


SAME_DAY = source("alfa-restated", published="2024-03-01")
NO_DAY = source("alfa-restated", published="")

BORNE_OUT: list[tuple[str, tuple[Change, ...]]] = [
    ("restated", ()),
    ("restated", (NO_DAY, fact(WITNESS, basis="restated"))),
    ("restated", (NO_DAY, fact(WITNESS, supersedes=TAKEN))),
    ("scope", (fact(WITNESS, scope="segment"),)),
    ("definition", ()),
    ("definition", (same_words, fact(WITNESS, basis="adjusted"))),
    ("definition", (same_words, fact(WITNESS, note="with freight, as note 4 says"))),
    ("period", (fact(WITNESS, period="2023-01-01/2023-12-31"),)),
    ("period", (fact(TAKEN, column="2023"), fact(WITNESS, column="53 weeks to 2023"))),
    ("period", (fact(WITNESS, note="cut off at 28 December"),)),
    ("error", (correction(fact=TAKEN),)),
    ("error", (correction(entity="alfa", dimension="gross_margin"),)),
    ("error", (third_owner("(5,101)"),)),
    ("error", (fact(WITNESS, note="digits transposed in print"),)),
]
NOT_BORNE_OUT: list[tuple[str, tuple[Change, ...], str]] = [
    ("restated", (SAME_DAY,), "both were published on 2024-03-01"),
    ("restated", (SAME_DAY, fact(WITNESS, basis="restated")), "both were published on 2024-03-01"),
    ("restated", (NO_DAY,), "has no date of publication"),
    ("restated", (fact(WITNESS, source="alfa-report"),), "both stand in `alfa-report`"),
    ("rounding", (), "differ by more than their last digits"),
    ("scope", (), "both are consolidated"),
    ("scope", (fact(WITNESS, scope=""),), "has no scope"),
    ("definition", (same_words,), "read from the same words"),
    ("period", (), "both are of FY2023"),
    ("error", (), "nothing shows"),
    ("error", (third_owner("(5,322)"),), "nothing shows"),
    ("error", (correction(fact="beta.cost.fy2023"),), "nothing shows"),
]


@pytest.mark.parametrize(("code", "changes"), BORNE_OUT, ids=[f"{i} {code}" for i, (code, _) in enumerate(BORNE_OUT)])
def test_a_reason_that_the_records_bear_out_is_told_nothing(code: str, changes: tuple[Change, ...]) -> None:
    assert told(code, *changes) == []


@pytest.mark.parametrize(
    ("code", "changes", "says"), NOT_BORNE_OUT, ids=[f"{i} {item[0]}" for i, item in enumerate(NOT_BORNE_OUT)]
)
def test_a_reason_that_nothing_bears_out_is_told_with_what_is_there(
    code: str, changes: tuple[Change, ...], says: str
) -> None:
    found = told(code, *changes)
    assert len(found) == 1
    assert found[0].startswith(f"{code}, while ")
    assert says in found[0]


@pytest.mark.parametrize(("figure", "count"), [("5,1", 0), ("5,2", 0), ("5,3", 1)])
def test_rounding_is_measured_in_the_last_digit_as_its_own_country_writes_it(figure: str, count: int) -> None:
    """5,1 billion is one tenth off at most from (5,101) million, which is 5.101."""
    parts = clean()
    parts.row("sources", id="alfa-restated")["locale"] = "de"
    number = str(int(figure.replace(",", "")) * 10**8)
    parts.fact(WITNESS).update(as_written=figure, scale="9", value=number, sign="shown", quote=f"Umsatzkosten {figure}")
    parts.cell("alfa", "gross_margin")["reason_code"] = "rounding"
    parts.print_captures()
    found = [item for item in parts.findings("C4-REASON-UNSUPPORTED") if item.record == "alfa/gross_margin"]
    assert len(found) == count
