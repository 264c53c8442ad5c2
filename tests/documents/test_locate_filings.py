"""`locate` measured on real annual reports: 624 figures found blind, and none found when it is falsified.

Blind: entity, name, row label, dates and unit are given; what is written, value, scale and sign are not.
Tempted: the true fact with one thing changed; it may never come back exact.
"""

from __future__ import annotations

import csv
import gzip
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path

import pytest

from cellwright.documents.html import read_html
from cellwright.documents.labels import without_figures
from cellwright.documents.locate import Locator, Wanted
from cellwright.documents.quotes import QuoteIndex, holds_once

FIGURES = 624


@dataclass(frozen=True)
class Truth:
    """One tagged figure: the blind question, the fact in full, and the value as printed."""

    source: str
    row_text: str
    blind: Wanted
    fact: Wanted
    printed: Decimal


@cache
def truths(data: Path) -> tuple[Truth, ...]:
    with (data / "filings/ground_truth/matrix.csv").open(encoding="utf-8", newline="") as file:
        return tuple(map(_truth, csv.DictReader(file)))


def _truth(row: dict[str, str]) -> Truth:
    shown, text = row["displayed"], row["row_text"]
    bracketed = re.search(rf"\( *{re.escape(shown)} *\)", text) is not None
    printed = Decimal(shown.replace(",", "")).scaleb(int(row["scale"])) * (-1 if bracketed else 1)
    blind = Wanted(
        id=f"{row['ticker']}.{row['metric']}",
        entity=row["ticker"].lower(),
        name=row["metric"],
        entity_names=(row["entity"], row["ticker"]),
        unit=row["unit"].replace("USD/shares", "USD/share"),
        row=without_figures(text),
        period_end=date.fromisoformat(row["period_end"]),
        period_start=date.fromisoformat(row["period_start"]) if row["period_start"] else None,
    )
    value = Decimal(row["value"])
    fact = replace(
        blind,
        as_written=f"({shown})" if bracketed else shown,
        value=value,
        scale=int(row["scale"]),
        sign="shown" if value == printed else "reversed",
    )
    return Truth(Path(row["file"]).name, text, blind, fact, printed)


@cache
def locator(data: Path, source: str) -> Locator:
    return Locator(read_html(gzip.decompress((data / "filings" / f"{source}.gz").read_bytes())))


def counts(data: Path, facts: Iterator[tuple[Truth, Wanted]]) -> Counter[str]:
    """How many facts come back with which status; an exact one with another value counts as `wrong`."""
    found: Counter[str] = Counter()
    for truth, asked in facts:
        located = locator(data, truth.source).locate(asked)
        right = located.status != "exact" or located.value_read == truth.printed
        found[located.status if right else "wrong"] += 1
    return found


def test_the_quotes_of_all_figures_are_in_the_text_of_the_filings(shared_data: Path) -> None:
    indexes = {
        source: QuoteIndex(locator(shared_data, source).document.text)
        for source in {truth.source for truth in truths(shared_data)}
    }
    assert len(truths(shared_data)) == FIGURES
    assert [truth.row_text for truth in truths(shared_data) if not indexes[truth.source].find(truth.row_text)] == []


def test_blind_all_figures_come_back_in_magnitude_scale_and_printed_sign(shared_data: Path) -> None:
    assert counts(shared_data, ((truth, truth.blind) for truth in truths(shared_data))) == {"exact": FIGURES}


def test_scale_sign_and_quote_are_told_with_the_value(shared_data: Path) -> None:
    for truth in truths(shared_data):
        found = locator(shared_data, truth.source).locate(truth.blind)
        assert found.scale_read == truth.fact.scale
        assert (found.sign_read == "negative") is (truth.printed < 0)
        assert holds_once(found.quote, found.as_written)
        assert found.quote in locator(shared_data, truth.source).document.text
        assert bool(found.asks) is (truth.printed < 0)


def test_blind_with_the_whole_rows_text_instead_of_its_label(shared_data: Path) -> None:
    asked = ((truth, replace(truth.blind, row=truth.row_text)) for truth in truths(shared_data))
    assert counts(shared_data, asked) == {"exact": FIGURES}


def test_the_true_facts_in_full_are_exact(shared_data: Path) -> None:
    assert counts(shared_data, ((truth, truth.fact) for truth in truths(shared_data))) == {"exact": FIGURES}


def test_true_facts_without_a_row_are_found_by_their_number_and_name(shared_data: Path) -> None:
    found = counts(shared_data, ((truth, replace(truth.fact, row="")) for truth in truths(shared_data)))
    assert found == {"exact": FIGURES}


def _one_digit(truth: Truth, fact: Wanted) -> Iterator[Wanted]:
    """The fact with its first, its middle and its last digit changed, the value changed alike."""
    places = [at for at, char in enumerate(fact.as_written) if char.isdigit()]
    for at in sorted({places[0], places[len(places) // 2], places[-1]}):
        written = f"{fact.as_written[:at]}{(int(fact.as_written[at]) + 1) % 10}{fact.as_written[at + 1 :]}"
        value = Decimal(written.strip("()").replace(",", "")).scaleb(fact.scale or 0)
        yield replace(fact, as_written=written, value=value.copy_sign(fact.value or value))
        yield replace(fact, as_written=written, value=None, scale=None, sign="")


def _other_period(truth: Truth, fact: Wanted) -> Iterator[Wanted]:
    """The fact with each other number of its row."""
    own = fact.as_written.strip("()")
    tail = truth.row_text[len(fact.row) :] if truth.row_text.startswith(fact.row) else ""
    for number in dict.fromkeys(re.findall(r"\( *[\d.,]*\d *\)|[\d.,]*\d", tail)):
        written = number.replace(" ", "")
        if written.strip("()") != own:
            value = Decimal(written.strip("()").replace(",", "")).scaleb(fact.scale or 0)
            yield replace(fact, as_written=written, value=value.copy_sign(fact.value or value))
            yield replace(fact, as_written=written, value=None, scale=None, sign="")


def _scale(truth: Truth, fact: Wanted) -> Iterator[Wanted]:
    scale, value = (fact.scale or 0) + 3, (fact.value or Decimal(0)) * 1000
    yield replace(fact, scale=scale, value=value)
    yield replace(fact, scale=scale)
    yield replace(fact, value=value)
    yield replace(fact, scale=scale, value=None)


def _sign(truth: Truth, fact: Wanted) -> Iterator[Wanted]:
    yield replace(fact, value=-(fact.value or Decimal(0)))
    yield replace(fact, sign="shown" if fact.sign == "reversed" else "reversed")


def _brackets(truth: Truth, fact: Wanted) -> Iterator[Wanted]:
    bare = fact.as_written.strip("()")
    written = bare if bare != fact.as_written else f"({bare})"
    yield replace(fact, as_written=written)
    yield replace(fact, as_written=written, value=None, scale=None, sign="")


TEMPTATIONS = [_one_digit, _other_period, _scale, _sign, _brackets]


@pytest.mark.slow
@pytest.mark.parametrize("tempt", TEMPTATIONS)
@pytest.mark.parametrize("with_row", [True, False], ids=["with its row", "without its row"])
def test_tempted_no_figure_comes_back_exact(
    shared_data: Path, with_row: bool, tempt: Callable[[Truth, Wanted], Iterator[Wanted]]
) -> None:
    asked = [
        (truth, lie if with_row else replace(lie, row=""))
        for truth in truths(shared_data)
        for lie in tempt(truth, truth.fact)
    ]
    assert len(asked) >= FIGURES
    found = counts(shared_data, iter(asked))
    assert (found["exact"], found["wrong"]) == (0, 0)


def test_tempted_a_sample_of_each_kind_is_never_exact(shared_data: Path) -> None:
    """The slow test above in small: each thirteenth figure."""
    asked = [
        (truth, lie) for truth in truths(shared_data)[::13] for tempt in TEMPTATIONS for lie in tempt(truth, truth.fact)
    ]
    found = counts(shared_data, iter(asked))
    assert set(found) <= {"mismatch", "ambiguous", "absent"}
    assert found["mismatch"] > 400
