"""Units and currencies in derivations."""

from __future__ import annotations

from decimal import Decimal

import pytest

from cellwright.records.derivations import Evaluator, MissingFact
from cellwright.records.errors import ExpressionError
from tests.records.derivation_task import dimension, evaluated, evaluator, fact, task, value

FACTS = [
    fact("usd", "300"),
    fact("more", "20"),
    fact("eur", "50", unit="EUR"),
    fact("share", "10", unit="share"),
    fact("margin", "20.2", unit="percent"),
    fact("gap", "3", unit="pp"),
    fact("tick", "25", unit="bp"),
    fact("energy", "2", unit="MWh"),
    fact("small", "500", unit="kWh"),
    fact("growth", "5", unit="percent/year"),
    fact("years", "3", unit="year"),
    fact("n", "4", unit="count"),
    fact("cars", "7", unit="vehicle"),
    fact("price", "30", unit="EUR/MWh"),
]


@pytest.mark.parametrize(
    ("expr", "unit", "gives"),
    [
        ("usd + more", "USD", "320"),
        ("usd / share", "USD/share", "30"),
        ("usd / share * share", "USD", "300"),
        ("usd / more", "count", "15"),
        ("more / usd * (2 + 1)", "percent", "20"),
        ("margin", "percent", "20.2"),
        ("usd * margin", "USD", "60.6"),
        ("margin + gap", "percent", "23.2"),
        ("margin - gap", "pp", "17.2"),
        ("abs(gap - margin)", "pp", "17.2"),
        ("gap", "pp", "3"),
        ("tick", "percent", "0.25"),
        ("margin - 0", "pp", "20.2"),
        ("energy + small", "MWh", "2.5"),
        ("energy + small", "kWh", "2500"),
        ("small / energy", "percent", "25"),
        ("small", "MWh", "0.5"),
        ("price * energy", "EUR", "60"),
        ("price * small", "EUR", "15"),
        ("growth * years", "percent", "15"),
        ("usd ** 2 / more", "USD", "4500"),
        ("(usd / more) ** (1 / 2) > 2", "yes_no", "1"),
        ("n + 1", "count", "5"),
        ("usd > 0", "yes_no", "1"),
        ("max(usd, 0)", "USD", "300"),
        ("if(usd > more, usd, 0)", "USD", "300"),
        ("usd * n", "USD", "1200"),
        ("if(available(usd[-1]), usd[-1], 0)", "USD", "0"),
        ("max(if(available(usd[-1]), usd[-1], 0), more)", "USD", "20"),
        ("0", "USD", "0"),
        ("sum(cars, 0)", "vehicle", "7"),
        ("cagr(more, usd, years) > 0", "yes_no", "1"),
        ("count(usd, eur)", "count", "2"),
        ("median(usd, more, 0)", "USD", "20"),
    ],
)
def test_an_answer_is_given_in_the_dimension_s_unit(expr: str, unit: str, gives: str) -> None:
    assert value(expr, FACTS, unit) == Decimal(gives)


@pytest.mark.parametrize(
    ("expr", "unit", "says"),
    [
        ("usd + share", "USD", r"`usd \+ share` puts together two units: USD and share"),
        ("usd + 1", "USD", "puts together two units: USD and a plain number"),
        ("usd > margin", "yes_no", "puts together two units"),
        ("sum(usd, cars)", "USD", "puts together two units: USD and vehicle"),
        ("max(usd, 1)", "USD", "puts together two units"),
        ("if(1, usd, cars)", "USD", "puts together two units"),
        ("share(usd, eur_list.*)", "percent", "no primary fact gives a part"),
        ("usd + eur", "USD", r"mixes currencies: USD and EUR.*to\(x, EUR, average\)"),
        ("usd > eur", "yes_no", "mixes currencies"),
        ("usd / eur", "count", r"the answer's unit is not the dimension's .*seen 'USD/EUR'"),
        ("usd", "EUR", r"the answer's unit is not the dimension's \(EUR\); seen 'USD', expected EUR"),
        ("usd / share", "USD", "seen 'USD/share', expected USD"),
        ("margin", "USD", "seen 'a plain number', expected USD"),
        ("usd", "percent", "seen 'USD', expected percent"),
        ("energy", "EUR", "not the dimension's"),
        ("usd ** margin", "USD", "raises to a power what has a unit"),
        ("2 ** usd", "count", "raises to a power what has a unit"),
        ("cagr(usd, share, 2)", "percent", "puts together two units"),
        ("cagr(usd, more, usd)", "percent", "the years of .* are in another unit"),
        ("usd ** 13", "USD", "out of bounds"),
        ("margin * 2", "pp", "percentage points need a last step that subtracts"),
        ("margin", "pp", "percentage points need a last step that subtracts"),
        ("usd", "dollars", "the unit of a/d cannot be read"),
    ],
)
def test_units_that_do_not_fit_are_named(expr: str, unit: str, says: str) -> None:
    with pytest.raises(ExpressionError, match=says) as caught:
        value(expr, FACTS, unit)
    assert len(caught.value.problems) == 1


def test_a_step_before_the_answer_is_in_the_unit_that_follows() -> None:
    cell = evaluator(
        FACTS, "price_each: usd / share", "part: more / usd", "answer: price_each * part", unit="USD/share"
    ).cell("a", "d")
    assert [step.unit for step in cell.steps] == ["USD/share", "", "USD/share"]


def test_a_percentage_is_published_as_it_was_printed() -> None:
    found = evaluated("margin", FACTS, "percent")
    assert (found.value, found.interval) == (Decimal("20.2"), (Decimal("20.15"), Decimal("20.25")))


def test_a_unit_that_cannot_be_read_spoils_only_its_fact() -> None:
    facts = [*FACTS, fact("odd", "1", unit="furlong")]
    assert value("usd", facts, "USD") == 300
    with pytest.raises(ExpressionError, match=r"a\.odd\.fy2023.*the unit of the fact cannot be read: .*furlong"):
        value("odd", facts, "USD")


def test_a_fact_without_a_number_is_told() -> None:
    with pytest.raises(ExpressionError, match="the fact has no number"):
        value("x", [fact("x", "")], "USD")
    with pytest.raises(ExpressionError, match="the number of the fact cannot be read"):
        value("x", [fact("x", "about ten")], "USD")


def test_an_unknown_unit_of_an_assumption_is_told() -> None:
    with pytest.raises(ExpressionError, match="the unit of the assumption `cut` cannot be read"):
        value("cut", [], assumptions=[{"id": "cut", "value": "1", "unit": "furlong", "reason": "?"}])


# -- exchange rates

RATES = [
    fact("fx.usd_eur.average", "0.9", "*", unit="EUR/USD"),
    fact("fx.usd_eur.average", "0.8", "*", unit="EUR/USD", period="FY2022"),
    fact("fx.usd_eur.closing", "0.95", "*", unit="EUR/USD", period="2023-12-31"),
    fact("fx.usd_eur.average", "0.92", "*", unit="EUR/USD", period="2023-02-01/2024-01-31"),
    fact("fx.gbp_usd.average", "1.25", "*", unit="USD/GBP"),
    fact("usd", "300", period="FY2022"),
    fact("usd", "100", "b"),
    fact("usd", "1000", "c"),
    fact("eps", "2", unit="USD/share"),
    fact("line.one", "6"),
    fact("line.two", "4"),
    fact("line.one", "10", period="FY2022"),
    fact("line.one", "20", "b", unit="EUR"),
    fact("line.two", "10", "c", unit="EUR"),
    fact("own", "10", unit="USD"),
    fact("own", "10", "b", unit="EUR"),
    fact("own", "10", "c", unit="USD"),
]


@pytest.mark.parametrize(
    ("expr", "unit", "gives"),
    [
        ("to(usd, EUR, average)", "EUR", "270"),
        ("to(usd, EUR, closing)", "EUR", "285"),
        ("to(usd[-1], EUR, average)", "EUR", "240"),
        ("to(usd + more, EUR, average)", "EUR", "288"),
        ("to(eps, EUR, average)", "EUR/share", "1.8"),
        ("to(eur, EUR, average)", "EUR", "50"),
        ("to(usd, GBP, average)", "GBP", "240"),
        ("to(usd, EUR, average) + eur", "EUR", "320"),
        ("sum(to(all.usd, EUR, average))", "EUR", "1262"),
        ("sum(to(all.own, EUR, average))", "EUR", "28"),
        ("sum(to(available(all.own), EUR, average))", "EUR", "28"),
        ("sum(to(line.*, EUR, average))", "EUR", "9"),
        ("sum(to(all.line.*, EUR, average))", "EUR", "39"),
        ("sum(to(line.*[-1], EUR, average))", "EUR", "8"),
        ("max(to(publishers.usd, EUR, average))", "EUR", "270"),
        ("rank(to(own, EUR, average), to(all.own, EUR, average), ascending)", "rank", "1"),
    ],
)
def test_a_currency_changes_by_the_rate_of_the_entity_s_period(expr: str, unit: str, gives: str) -> None:
    assert value(expr, [*FACTS, *RATES], unit) == Decimal(gives)


@pytest.mark.parametrize(
    ("expr", "unit", "says"),
    [
        ("to(usd, JPY, average)", "JPY", r"no average exchange rate from USD to JPY for `a`.*`fx\.usd_jpy\.average`"),
        ("to(usd[-1], EUR, closing)", "EUR", r"no closing exchange rate from USD to EUR for `a` and FY2022"),
        ("to(usd - usd[-1], EUR, average)", "EUR", "several periods at one rate"),
        ("to(cars, EUR, average)", "EUR", "in no one currency; seen 'vehicle'"),
        ("to(usd / eur, EUR, average)", "EUR", "in no one currency"),
    ],
)
def test_a_currency_that_cannot_be_changed_is_told(expr: str, unit: str, says: str) -> None:
    with pytest.raises(ExpressionError, match=says):
        value(expr, [*FACTS, *RATES], unit)


def test_a_rate_in_another_unit_is_told() -> None:
    rates = [fact("fx.usd_eur.average", "0.9", "*", unit="USD/EUR")]
    with pytest.raises(ExpressionError, match=r"exchange rate `all\.fx\.usd_eur\.average\.fy2023` is in another unit"):
        value("to(usd, EUR, average)", [*FACTS, *rates], "EUR")


def test_the_rate_is_an_input_with_an_interval_of_its_own() -> None:
    found = evaluated("to(usd, EUR, average)", [*FACTS, *RATES], "EUR")
    assert found.inputs == ("a.usd.fy2023", "all.fx.usd_eur.average.fy2023")
    assert found.interval == (Decimal("299.5") * Decimal("0.85"), Decimal("300.5") * Decimal("0.95"))


def test_a_rate_for_other_dates_is_missing() -> None:
    made = Evaluator(task(dimension("d", "to(usd, EUR, average)", unit="EUR")), [*FACTS, *RATES[:3], *RATES[5:]])
    assert made.cell("a", "d").value == 270
    with pytest.raises(MissingFact, match="from USD to EUR for `b`"):
        made.cell("b", "d")
