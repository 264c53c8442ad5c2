"""The units that tasks are written in: names, what they are made of, and the Pint registry of just these.

Design, section 4: our own definitions only. The registry that comes with Pint reads `bp` as a point of
print and `unit` as a micro-nit. Here nothing has a prefix or a second name. (Pint itself would read a plural `s`;
texts are read by `units`, which does not.)
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from types import MappingProxyType
from typing import Any

from cellwright.records.quantities import CURRENCIES

COUNTABLE = frozenset(
    {
        "account",
        "aircraft",
        "bed",
        "branch",
        "case",
        "city",
        "company",
        "contract",
        "country",
        "customer",
        "delivery",
        "device",
        "dose",
        "employee",
        "home",
        "hospital",
        "household",
        "inhabitant",
        "member",
        "night",
        "order",
        "passenger",
        "patient",
        "person",
        "plant",
        "policy",
        "product",
        "property",
        "restaurant",
        "room",
        "seat",
        "share",
        "ship",
        "site",
        "station",
        "store",
        "student",
        "subscriber",
        "transaction",
        "trip",
        "unit_sold",
        "user",
        "vehicle",
        "visit",
        "well",
    }
)
"""Countable things: each is a base unit, so that a price a vehicle is no price a store."""

PLAIN_UNITS = frozenset({"rank", "count", "yes_no", "day", "ratio"})
"""Plain numbers: places in an order, numbers of things, 1 or 0, days (dates are ISO days), quotients."""

PARTS_OF_ONE: Mapping[str, Decimal] = MappingProxyType(
    {"percent": Decimal("0.01"), "pp": Decimal("0.01"), "permille": Decimal("0.001"), "bp": Decimal("0.0001")}
)
"""Percent and percentage points are both hundredths (design, section 5)."""

PHYSICAL_BASE = frozenset({"kg", "m", "second", "W", "month", "tCO2", "tCO2e", "byte"})

PHYSICAL: Mapping[str, str] = MappingProxyType(
    {
        "g": "0.001 * kg",
        "tonne": "1000 * kg",
        "kilotonne": "1000 * tonne",
        "megatonne": "1000000 * tonne",
        "pound": "0.45359237 * kg",
        "ounce": "0.028349523125 * kg",
        "troy_ounce": "0.0311034768 * kg",
        "mm": "0.001 * m",
        "cm": "0.01 * m",
        "km": "1000 * m",
        "foot": "0.3048 * m",
        "mile": "1609.344 * m",
        "m2": "m ** 2",
        "km2": "1000000 * m ** 2",
        "hectare": "10000 * m ** 2",
        "acre": "4046.8564224 * m ** 2",
        "square_foot": "0.09290304 * m ** 2",
        "m3": "m ** 3",
        "litre": "0.001 * m ** 3",
        "gallon": "0.003785411784 * m ** 3",
        "barrel": "0.158987294928 * m ** 3",
        "minute": "60 * second",
        "hour": "3600 * second",
        "quarter": "3 * month",
        "year": "12 * month",
        "kW": "1000 * W",
        "MW": "1000000 * W",
        "GW": "1000000000 * W",
        "TW": "1000000000000 * W",
        "joule": "W * second",
        "MJ": "1000000 * joule",
        "GJ": "1000000000 * joule",
        "TJ": "1000000000000 * joule",
        "PJ": "1000000000000000 * joule",
        "EJ": "1000000000000000000 * joule",
        "Wh": "W * hour",
        "kWh": "1000 * Wh",
        "MWh": "1000000 * Wh",
        "GWh": "1000000000 * Wh",
        "TWh": "1000000000000 * Wh",
        "MMBtu": "1055055852.62 * joule",
        "ktCO2": "1000 * tCO2",
        "MtCO2": "1000000 * tCO2",
        "GtCO2": "1000000000 * tCO2",
        "ktCO2e": "1000 * tCO2e",
        "MtCO2e": "1000000 * tCO2e",
        "GtCO2e": "1000000000 * tCO2e",
        "MB": "1000000 * byte",
        "GB": "1000000000 * byte",
        "TB": "1000000000000 * byte",
    }
)
"""Name -> what it is made of. A month has no fixed number of seconds; a year is twelve months. Pound, foot and
mile are the international ones, gallon and barrel (42 gallons) the American ones, MMBtu by the International
Table."""

BASE_UNITS = CURRENCIES | COUNTABLE | PHYSICAL_BASE
KNOWN_UNITS = BASE_UNITS | PLAIN_UNITS | frozenset(PARTS_OF_ONE) | frozenset(PHYSICAL)

OTHER_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "%": "percent",
        "pct": "percent",
        "percentage": "percent",
        "‰": "permille",
        "bps": "bp",
        "basis_point": "bp",
        "percentage_point": "pp",
        "ppt": "pp",
        "$": "USD",
        "US$": "USD",
        "€": "EUR",
        "£": "GBP",
        "¥": "JPY or CNY",
        "RMB": "CNY",
        "euro": "EUR",
        "dollar": "USD",
        "yen": "JPY",
        "yuan": "CNY",
        "t": "tonne",
        "ton": "tonne",
        "mt": "tonne",
        "kt": "kilotonne",
        "Mt": "megatonne",
        "kilogram": "kg",
        "gram": "g",
        "lb": "pound",
        "oz": "ounce",
        "metre": "m",
        "meter": "m",
        "kilometre": "km",
        "kilometer": "km",
        "sqm": "m2",
        "sqft": "square_foot",
        "ha": "hectare",
        "l": "litre",
        "liter": "litre",
        "bbl": "barrel",
        "h": "hour",
        "hr": "hour",
        "s": "second",
        "sec": "second",
        "min": "minute",
        "yr": "year",
        "watt": "W",
        "J": "joule",
        "CO2e": "tCO2e",
        "CO2": "tCO2",
        "x": "ratio",
        "multiple": "ratio",
        "number": "count",
        "bool": "yes_no",
        "boolean": "yes_no",
        "days": "day",
        "date": "day",
        "car": "vehicle",
        "people": "person",
        "unit": "unit_sold or count",
        "units": "unit_sold or count",
        "headcount": "employee",
        "shares": "share",
    }
)
"""What people write instead; such a name is refused, and the message says what to write."""


@cache
def registry() -> Any:
    """The Pint registry of these definitions, its factors Decimal; built once, when the first unit needs it."""
    from pint import UnitRegistry

    units: Any = UnitRegistry(None, non_int_type=Decimal)
    for name in sorted(BASE_UNITS):
        units.define(f"{name} = [{name}]")
    for name in sorted(PLAIN_UNITS):
        units.define(f"{name} = 1")
    for name, size in PARTS_OF_ONE.items():
        units.define(f"{name} = {size}")
    for name, made_of in PHYSICAL.items():
        units.define(f"{name} = {made_of}")
    return units
