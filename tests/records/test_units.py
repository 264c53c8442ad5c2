"""Units: what unit texts mean, the algebra of derivations, and the registry behind it."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.records.decimals import CONTEXT
from cellwright.records.errors import UnreadableInput
from cellwright.records.quantities import CURRENCIES
from cellwright.records.unit_definitions import (
    BASE_UNITS,
    COUNTABLE,
    KNOWN_UNITS,
    OTHER_NAMES,
    PARTS_OF_ONE,
    PHYSICAL,
    PLAIN_UNITS,
    registry,
)
from cellwright.records.units import PLAIN, UnitTable, unit_table

TABLE = unit_table({"gpu": "countable", "vehicle": "countable"})


@pytest.mark.parametrize(
    ("text", "dimension", "factor", "kind"),
    [
        ("USD", {"USD": 1}, "1", "currency"),
        ("vehicle", {"vehicle": 1}, "1", "countable"),
        ("gpu", {"gpu": 1}, "1", "countable"),
        ("CNY/vehicle", {"CNY": 1, "vehicle": -1}, "1", "compound"),
        ("USD/share", {"USD": 1, "share": -1}, "1", "compound"),
        (" USD / share ", {"USD": 1, "share": -1}, "1", "compound"),
        ("USD/(share*gpu)", {"USD": 1, "share": -1, "gpu": -1}, "1", "compound"),
        ("USD/share/gpu", {"USD": 1, "share": -1, "gpu": -1}, "1", "compound"),
        ("USD/(share/gpu)", {"USD": 1, "share": -1, "gpu": 1}, "1", "compound"),
        ("m**2", {"m": 2}, "1", "physical"),
        ("m^-2", {"m": -2}, "1", "physical"),
        ("1/share", {"share": -1}, "1", "compound"),
        ("USD*share/share", {"USD": 1}, "1", "currency"),
        ("percent", {}, "0.01", "percent"),
        ("pp", {}, "0.01", "pp"),
        ("permille", {}, "0.001", "permille"),
        ("bp", {}, "0.0001", "bp"),
        ("percent/year", {"month": -1}, "0.0008333333333333333333333333333333333", "compound"),
        ("rank", {}, "1", "plain"),
        ("count", {}, "1", "plain"),
        ("yes_no", {}, "1", "plain"),
        ("day", {}, "1", "plain"),
        ("ratio", {}, "1", "plain"),
        ("", {}, "1", "plain"),
        ("tonne", {"kg": 1}, "1000", "physical"),
        ("hectare", {"m": 2}, "10000", "physical"),
        ("barrel", {"m": 3}, "0.158987294928", "physical"),
        ("year", {"month": 1}, "12", "physical"),
        ("GW", {"W": 1}, "1000000000", "physical"),
        ("kWh", {"W": 1, "second": 1}, "3600000", "physical"),
        ("TWh", {"W": 1, "second": 1}, "3600000000000000", "physical"),
        ("tCO2e/tonne", {"tCO2e": 1, "kg": -1}, "0.001", "physical"),
        ("EUR/MWh", {"EUR": 1, "W": -1, "second": -1}, "2.777777777777777777777777777777778E-10", "compound"),
    ],
)
def test_a_unit_text_gives_base_units_factor_and_kind(
    text: str, dimension: dict[str, int], factor: str, kind: str
) -> None:
    unit = TABLE.parse(text)
    assert dict(unit.dimension) == dimension
    assert unit.dimension == tuple(sorted(unit.dimension))
    assert (unit.factor, unit.kind, unit.text) == (Decimal(factor), kind, text.strip())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("vehicles", "did you mean `vehicle`?"),
        ("companies", "did you mean `company`?"),
        ("gpus", "did you mean `gpu`?"),
        ("vehical", "did you mean `vehicle`?"),
        ("usd", "did you mean `USD`?"),
        ("mwh", "did you mean `MWh`?"),
        ("%", "did you mean `percent`?"),
        ("$", "did you mean `USD`?"),
        ("bps", "did you mean `bp`?"),
        ("unit", "did you mean `unit_sold` or `count`?"),
        ("tons", "did you mean `tonne`?"),
        ("XYZ", "`XYZ` is no currency of ISO 4217"),
        ("XYZ/vehicle", "`XYZ` is no currency of ISO 4217"),
        ("widget", "units: {widget: countable}"),
        ("CNY per vehicle", "two names stand side by side"),
        ("USD million", "two names stand side by side"),
        ("USD(share)", "two names stand side by side"),
        ("USD/", "a unit's name is missing"),
        ("/USD", "`/` stands where"),
        ("5 USD", "`5` stands where"),
        ("(USD", "not closed"),
        ("USD)", "`)` is out of place"),
        ("()", "stands where"),
        ("USD**share", "an exponent is a whole number"),
        ("USD**13", "an exponent is a whole number"),
        ("(m**12)**12", "no exponent beyond 12"),
        ("USD**0.5", "`.` is no part of a unit"),
        ("USD+EUR", "`+` is no part of a unit"),
        ("USD;share", "`;` is no part of a unit"),
        ("__import__", "`_` is no part of a unit"),
        ("(" * 9 + "USD" + ")" * 9, "deeper than 8"),
        ("USD*" * 40 + "USD", "120 characters"),
        ("x" * 10_000_000, "120 characters"),
    ],
)
def test_a_text_that_is_no_unit_is_refused_with_what_is_near(text: str, words: str) -> None:
    with pytest.raises(UnreadableInput) as caught:
        TABLE.parse(text)
    assert words in str(caught.value)
    assert len(str(caught.value)) < 400


def test_every_known_unit_can_be_parsed_alone() -> None:
    for name in KNOWN_UNITS:
        assert TABLE.parse(name).text == name


def test_the_registry_agrees_with_every_unit() -> None:
    for name in sorted(KNOWN_UNITS):
        ours = unit_table({}).parse(name)
        one = registry().Quantity(Decimal(1), name).to_base_units()
        assert isinstance(one.magnitude, Decimal)
        assert (one.magnitude, tuple(sorted(one.unit_items()))) == (ours.factor, ours.dimension), name


def test_the_registry_holds_our_definitions_only() -> None:
    for name in ["kilometer", "unit", "kUSD", "degC", "millipercent"]:
        with pytest.raises(AttributeError):
            getattr(registry(), name)


def test_each_group_of_names_stands_apart() -> None:
    groups = [CURRENCIES, COUNTABLE, PLAIN_UNITS, set(PARTS_OF_ONE), set(PHYSICAL)]
    assert sum(len(group) for group in groups) == len(set().union(*groups))
    assert not set(OTHER_NAMES) & KNOWN_UNITS
    assert {one for meant in OTHER_NAMES.values() for one in meant.split(" or ")} <= KNOWN_UNITS


def test_all_current_currencies_are_base_units() -> None:
    assert CURRENCIES <= BASE_UNITS
    assert {"USD", "EUR", "CNY", "JPY", "XCG", "SLE", "VED", "ZWG", "XDR"} <= CURRENCIES
    assert not {"XTS", "XXX", "XYZ", "DEM"} & CURRENCIES


def test_a_product_cancels_what_a_quotient_brought() -> None:
    per_vehicle = TABLE.divide(TABLE.parse("CNY"), TABLE.parse("vehicle"))
    assert per_vehicle.text == "CNY/vehicle"
    assert per_vehicle == TABLE.parse("CNY/vehicle")
    assert TABLE.multiply(per_vehicle, TABLE.parse("vehicle")) == TABLE.parse("CNY")


def test_a_price_times_its_amount_is_exact_though_its_base_factor_is_not() -> None:
    amount = TABLE.multiply(TABLE.parse("USD/barrel"), TABLE.parse("barrel"))
    assert (amount.text, amount.factor) == ("USD", Decimal(1))
    energy = TABLE.multiply(TABLE.parse("EUR/MWh"), TABLE.parse("GWh"))
    assert TABLE.ratio(energy, TABLE.parse("EUR")) == 1000


def test_a_unit_over_itself_is_plain() -> None:
    assert TABLE.divide(TABLE.parse("USD"), TABLE.parse("USD")) == PLAIN


def test_powers_multiply_exponents() -> None:
    assert TABLE.power(TABLE.parse("USD/share"), 2).text == "USD**2/share**2"
    assert TABLE.power(TABLE.parse("USD"), 0) == PLAIN
    assert TABLE.power(TABLE.parse("share"), -1).text == "1/share"
    with pytest.raises(UnreadableInput, match="no exponent beyond 12"):
        TABLE.power(TABLE.parse("USD"), 13)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("USD", "USD", True),
        ("USD", "EUR", False),
        ("USD", "USD/share", False),
        ("kWh", "MWh", True),
        ("MW*hour", "MWh", True),
        ("percent", "pp", True),
        ("percent", "bp", True),
        ("percent", "ratio", True),
        ("vehicle", "store", False),
        ("m2", "hectare", True),
        ("kg", "tCO2e", False),
        ("year", "hour", False),
    ],
)
def test_only_units_of_one_kind_may_be_added(a: str, b: str, same: bool) -> None:
    assert TABLE.same_kind(TABLE.parse(a), TABLE.parse(b)) is same


@pytest.mark.parametrize(
    ("a", "b", "ratio"),
    [
        ("MWh", "kWh", "1000"),
        ("kWh", "MWh", "0.001"),
        ("USD/kWh", "USD/MWh", "1000"),
        ("percent", "ratio", "0.01"),
        ("bp", "percent", "0.01"),
        ("ratio", "percent", "100"),
        ("tonne", "kg", "1000"),
        ("km2", "hectare", "100"),
        ("USD/barrel", "USD/barrel", "1"),
        ("GJ", "joule", "1000000000"),
        ("year", "quarter", "4"),
    ],
)
def test_a_ratio_brings_a_number_from_one_unit_to_another(a: str, b: str, ratio: str) -> None:
    assert TABLE.ratio(TABLE.parse(a), TABLE.parse(b)) == Decimal(ratio)


def test_no_ratio_leads_from_one_currency_to_another() -> None:
    with pytest.raises(UnreadableInput, match="USD cannot be expressed in EUR"):
        TABLE.ratio(TABLE.parse("USD"), TABLE.parse("EUR"))


def test_percent_is_taken_out_of_a_unit_with_its_exact_factor() -> None:
    assert TABLE.without_parts(TABLE.parse("percent")) == (PLAIN, Decimal("0.01"))
    assert TABLE.without_parts(TABLE.parse("USD*percent/rank")) == (TABLE.parse("USD"), Decimal("0.01"))
    assert TABLE.without_parts(TABLE.parse("EUR/MWh")) == (TABLE.parse("EUR/MWh"), Decimal(1))


def test_percent_and_percentage_points_are_not_the_same_unit() -> None:
    assert TABLE.parse("percent") != TABLE.parse("pp")


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("USD", "USD"),
        ("CNY/vehicle", "CNY"),
        ("EUR/MWh", "EUR"),
        ("vehicle", ""),
        ("USD/EUR", ""),
        ("USD**2", ""),
        ("1/USD", ""),
        ("percent", ""),
    ],
)
def test_the_currency_of_an_amount_is_the_one_it_is_counted_in(text: str, currency: str) -> None:
    assert TABLE.parse(text).currency == currency


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("vehicle", True),
        ("gpu", True),
        ("count", True),
        ("rank", True),
        ("USD", False),
        ("percent", False),
        ("USD/vehicle", False),
        ("ratio", False),
        ("tonne", False),
    ],
)
def test_a_countable_unit_says_that_it_counts(text: str, counts: bool) -> None:
    assert TABLE.parse(text).counts is counts


def test_a_unit_is_described_with_what_it_is_made_of() -> None:
    assert TABLE.describe(TABLE.parse("CNY/vehicle")) == "CNY/vehicle"
    assert TABLE.describe(TABLE.parse("tonne")) == "tonne (1000 kg)"
    assert TABLE.describe(PLAIN) == "a plain number"


@pytest.mark.parametrize(
    ("own", "words"),
    [
        ({"gpu": "length"}, "can only be countable"),
        ({"percent": "countable"}, "is a unit already"),
        ({"USD": "countable"}, "not in form"),
        ({"two words": "countable"}, "not in form"),
        ({"": "countable"}, "not in form"),
        ({"x" * 41: "countable"}, "not in form"),
        ({f"thing_{number}": "countable" for number in range(201)}, "at most 200"),
    ],
)
def test_a_units_table_takes_countable_things_only(own: dict[str, str], words: str) -> None:
    with pytest.raises(UnreadableInput, match=words):
        unit_table(own)


def test_the_units_of_one_task_are_not_those_of_another() -> None:
    assert unit_table({"gpu": "countable"}).parse("USD/gpu").factor == 1
    with pytest.raises(UnreadableInput, match="`gpu` is no unit known here"):
        unit_table({}).parse("gpu")


def test_a_unit_is_the_same_object_the_second_time() -> None:
    assert TABLE.parse("EUR/MWh") is TABLE.parse("EUR/MWh")


NAMES = sorted(KNOWN_UNITS)
POWERS = st.dictionaries(st.sampled_from(NAMES), st.integers(-3, 3).filter(bool), min_size=1, max_size=5)


def _text(powers: dict[str, int]) -> str:
    return "*".join(f"{name}**{power}" for name, power in powers.items())


@given(POWERS)
def test_a_computed_unit_is_written_so_that_it_reads_back(powers: dict[str, int]) -> None:
    unit = TABLE.power(TABLE.parse(_text(powers)), 1)
    assert TABLE.parse(unit.text) == unit


@given(POWERS, POWERS)
def test_multiplying_and_dividing_by_a_unit_gives_the_first_back(a: dict[str, int], b: dict[str, int]) -> None:
    first, second = TABLE.parse(_text(a)), TABLE.parse(_text(b))
    assert TABLE.divide(TABLE.multiply(first, second), second) == first


@given(st.text(max_size=130))
def test_any_text_is_a_unit_or_refused(text: str) -> None:
    try:
        unit = TABLE.parse(text)
    except UnreadableInput:
        return
    assert CONTEXT.is_normal(unit.factor)


def test_pint_is_loaded_only_for_a_unit_that_is_made_of_others() -> None:
    code = (
        "import sys; from cellwright.records.units import unit_table; t = unit_table({'gpu': 'countable'});"
        "[t.parse(x) for x in ('USD/share', 'percent', 'gpu', 'kg')]; assert 'pint' not in sys.modules;"
        "t.parse('MWh'); assert 'pint' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_table_is_one_per_set_of_own_units() -> None:
    table = unit_table({"gpu": "countable"})
    assert isinstance(table, UnitTable)
    assert unit_table({"gpu": "countable", "store": "countable"}) is table
