"""Units: what a unit text means, and the algebra that checks a derivation's units.

A unit text is names joined by `*`, `/`, `**` (or `^`) and parentheses: `USD`, `CNY/vehicle`, `EUR/MWh`, `percent`.
It is read from left to right, as arithmetic is. Names are those of `unit_definitions` and the task's own countable
things. Design, section 4: currencies and countable things are base units.

Numbers are best computed in the units they are given in, and brought to another one by `ratio` at the end or before an
addition: the names of a unit cancel before any factor is looked at, so that 80.5 USD/barrel times barrels is exact,
while a barrel in cubic metres and back would be rounded twice. Percent and its kin are taken out first by
`without_parts`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, DecimalException, localcontext
from difflib import get_close_matches
from functools import lru_cache
from typing import Literal, cast

from cellwright.records.decimals import CONTEXT, MAX_EXPONENT
from cellwright.records.errors import UnreadableInput
from cellwright.records.quantities import CURRENCIES
from cellwright.records.unit_definitions import (
    BASE_UNITS,
    COUNTABLE,
    KNOWN_UNITS,
    OTHER_NAMES,
    PARTS_OF_ONE,
    PHYSICAL,
    PHYSICAL_BASE,
    PLAIN_UNITS,
    registry,
)

MAX_UNIT_TEXT = 120
MAX_DEPTH = 8
MAX_POWER = 12
MAX_OWN_UNITS = 200

Kind = Literal["plain", "percent", "pp", "permille", "bp", "currency", "countable", "physical", "compound"]
Powers = tuple[tuple[str, int], ...]
"""Names with their exponents, sorted by name, none of them zero."""

_TOKEN = re.compile(r"\s*(?:([A-Za-z][A-Za-z0-9_]*)|(\*\*|[*/^()])|(-?[0-9]{1,3})(?![0-9]))")
_OWN_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit. Two units are equal when they mean the same, however they are written."""

    text: str = field(compare=False)
    """As written; for a unit that was computed, as it would be written."""
    dimension: Powers
    """Base units and exponents: (("CNY", 1), ("vehicle", -1)); empty for a plain number."""
    factor: Decimal
    """How many base units one of it is: 0.01 for percent, 1000 for tonne (in kg)."""
    kind: Kind
    """physical where every name is; compound is anything else joined or raised to a power."""
    names: Powers = field(compare=False)
    """The names it is written with, and their exponents."""

    @property
    def currency(self) -> str:
        """The one currency that a number in this unit is an amount of, "" for none or several."""
        found = [name for name, power in self.dimension if power == 1 and name in CURRENCIES]
        others = [name for name, _ in self.dimension if name in CURRENCIES]
        return found[0] if len(found) == len(others) == 1 else ""

    @property
    def counts(self) -> bool:
        """It counts things, so that a number written in full is exact (design, section 5)."""
        return self.kind == "countable" or self.text in {"count", "rank", "yes_no", "day"}


PLAIN = Unit("", (), Decimal(1), "plain", ())
"""The unit of a plain number."""


class UnitTable:
    """The units of one task: everything defined here, and its own countable things. See `unit_table`."""

    def __init__(self, own: frozenset[str]) -> None:
        self._own = own
        self._read: dict[str, Unit] = {"": PLAIN}

    def parse(self, text: str) -> Unit:
        """The unit that `text` writes; the second time it is only looked up.

        Raises UnreadableInput for a name that is not known (with the nearest that is), for a plural, for text
        that is no unit, over 120 characters or nested deeper than 8.
        """
        found = self._read.get(text)
        if found is None:
            found = self._unit(_Reader(text).powers(), text.strip())
            if len(self._read) < 10_000:  # a bundle has dozens; hostile text must not fill the memory
                self._read[text] = found
        return found

    def multiply(self, a: Unit, b: Unit) -> Unit:
        """The unit of a product."""
        return a if not b.names else b if not a.names else self._combined(a, b, 1)

    def divide(self, a: Unit, b: Unit) -> Unit:
        """The unit of a quotient."""
        return a if not b.names else self._combined(a, b, -1)

    def power(self, a: Unit, n: int) -> Unit:
        """The unit of the n-th power. Raises UnreadableInput beyond the 12th."""
        return self._unit(_merged((), a.names, n), "")

    def same_kind(self, a: Unit, b: Unit) -> bool:
        """Whether numbers in the two units may be added and compared: their base units are the same."""
        return a.dimension == b.dimension

    def ratio(self, a: Unit, b: Unit) -> Decimal:
        """What a number in `a` is multiplied with to be in `b`. Raises UnreadableInput where they differ in kind."""
        if not self.same_kind(a, b):
            raise UnreadableInput(f"{self.describe(a)} cannot be expressed in {self.describe(b)}")
        return self._combined(a, b, -1).factor

    def without_parts(self, a: Unit) -> tuple[Unit, Decimal]:
        """`a` without percent, pp, permille, bp and plain names, and the exact factor that they make together.

        20.2 percent is 0.202 of the plain unit: (PLAIN, 0.01).
        """
        rest = tuple(item for item in a.names if item[0] not in PARTS_OF_ONE and item[0] not in PLAIN_UNITS)
        if rest == a.names:
            return a, Decimal(1)
        unit = self._unit(rest, "") if rest else PLAIN
        return unit, self._combined(a, unit, -1).factor

    def describe(self, unit: Unit) -> str:
        """The unit as a person reads it: its text, and what it is made of where that is not the text."""
        if unit.text in PHYSICAL:
            return f"{unit.text} ({unit.factor:f} {_written(unit.dimension)})"
        return unit.text or "a plain number"

    def _combined(self, a: Unit, b: Unit, sign: int) -> Unit:
        return self._unit(_merged(a.names, b.names, sign), "")

    def _unit(self, names: Powers, text: str) -> Unit:
        """The unit made of `names`, whose text is `text` or, without one, as it would be written."""
        return _made(names, text, self._own)


@lru_cache(maxsize=4096)
def _made(names: Powers, text: str, own: frozenset[str]) -> Unit:
    above = below = Decimal(1)
    dimension: Powers = ()
    for name, power in names:
        if abs(power) > MAX_POWER:
            raise UnreadableInput(f"a unit has no exponent beyond {MAX_POWER}", seen=f"{name}**{power}")
        base, size = _resolved(name, own)
        dimension = _merged(dimension, base, power)
        try:
            if power > 0:
                above = CONTEXT.multiply(above, CONTEXT.power(size, power))
            else:
                below = CONTEXT.multiply(below, CONTEXT.power(size, -power))
        except DecimalException as fault:
            raise UnreadableInput("the factor of this unit is out of bounds", seen=text) from fault
    factor = CONTEXT.divide(above, below).normalize(CONTEXT)
    plain = Decimal(format(factor, "f")) if abs(factor.adjusted()) <= MAX_EXPONENT else factor
    return Unit(text or _written(names), dimension, plain, _kind(names), names)


def unit_table(own: Mapping[str, str]) -> UnitTable:
    """The units of a task whose own are `own`: name -> "countable".

    A name that is countable already may be said again. Raises UnreadableInput for a name that is another unit
    here, that is not `[a-z][a-z0-9_]*`, or that is said to be anything but countable.
    """
    if len(own) > MAX_OWN_UNITS:
        raise UnreadableInput(f"a task has at most {MAX_OWN_UNITS} units of its own", seen=str(len(own)))
    for name, what in own.items():
        if what != "countable":
            raise UnreadableInput(
                f"the task's own unit `{name[:80]}` can only be countable", seen=what, expected="countable"
            )
        if not _OWN_NAME.fullmatch(name):
            raise UnreadableInput(
                "the name of a task's own unit is not in form",
                seen=name,
                expected="a small letter, then small letters, digits and _ (40 at most)",
            )
        if name in KNOWN_UNITS and name not in COUNTABLE:
            raise UnreadableInput(f"`{name}` is a unit already and is not countable", fix="give it another name")
    return _table(frozenset(own) - COUNTABLE)


@lru_cache(maxsize=64)
def _table(own: frozenset[str]) -> UnitTable:
    return UnitTable(own)


def _resolved(name: str, own: frozenset[str]) -> tuple[Powers, Decimal]:
    """Base units and factor of one name. Only a unit made of others needs the registry, and so Pint."""
    if name in BASE_UNITS or name in own:
        return ((name, 1),), Decimal(1)
    if name in PLAIN_UNITS:
        return (), Decimal(1)
    if name in PARTS_OF_ONE:
        return (), PARTS_OF_ONE[name]
    if name in PHYSICAL:
        return _from_registry(name)
    raise _unknown(name, own)


@lru_cache(maxsize=512)
def _from_registry(name: str) -> tuple[Powers, Decimal]:
    with localcontext(CONTEXT):
        one = registry().Quantity(Decimal(1), name).to_base_units()
    powers = sorted((str(unit), int(power)) for unit, power in one.unit_items())
    return tuple(powers), Decimal(one.magnitude)


def _unknown(name: str, own: frozenset[str]) -> UnreadableInput:
    meant = _nearest(name, own)
    fix = f"did you mean {' or '.join(f'`{one}`' for one in meant)}?" if meant else ""
    if len(name) == 3 and name.isupper():
        return UnreadableInput(f"`{name}` is no currency of ISO 4217 and no other unit", fix=fix)
    return UnreadableInput(
        f"`{name[:60]}` is no unit known here",
        fix=fix or f"write `units: {{{name[:40].lower()}: countable}}` in task.yaml if it is a thing that is counted",
    )


def _nearest(name: str, own: frozenset[str]) -> list[str]:
    """The known units that may be meant, three at most: another name, another case, a plural, a slip."""
    known = KNOWN_UNITS | own
    endings = (("ies", "y"), ("es", ""), ("s", ""))
    singular = [name.removesuffix(end) + more for end, more in endings if name.endswith(end)]
    for one in (name, *singular):
        if one in known:
            return [one]
        if one in OTHER_NAMES:
            return OTHER_NAMES[one].split(" or ")
    by_case = {one.casefold(): one for one in sorted(known)}
    for one in (name, *singular):
        if one.casefold() in by_case:
            return [by_case[one.casefold()]]
    return [by_case[one] for one in get_close_matches(name[:60].casefold(), sorted(by_case), n=3, cutoff=0.75)]


def _kind(names: Powers) -> Kind:
    if not names:
        return "plain"
    if all(name in PHYSICAL or name in PHYSICAL_BASE for name, _ in names):
        return "physical"
    name, power = names[0]
    if len(names) > 1 or power != 1:
        return "compound"
    if name in CURRENCIES:
        return "currency"
    if name in PARTS_OF_ONE:
        return cast(Kind, name)
    if name in PLAIN_UNITS:
        return "plain"
    return "countable"


def _merged(a: Powers, b: Powers, times: int) -> Powers:
    powers = dict(a)
    for name, power in b:
        powers[name] = powers.get(name, 0) + power * times
    return tuple(sorted((name, power) for name, power in powers.items() if power))


def _written(names: Powers) -> str:
    """`USD*MWh/vehicle/hour**2`: what is multiplied first, then what is divided by."""
    above = [_term(name, power) for name, power in names if power > 0]
    below = [_term(name, -power) for name, power in names if power < 0]
    return "/".join(["*".join(above) or "1", *below]) if names else ""


def _term(name: str, power: int) -> str:
    return name if power == 1 else f"{name}**{power}"


class _Reader:
    """The grammar: product = term, then `*` or `/` and a term; term = atom, then perhaps `**` and a number."""

    def __init__(self, text: str) -> None:
        if len(text) > MAX_UNIT_TEXT:
            raise UnreadableInput(f"a unit is written in {MAX_UNIT_TEXT} characters at most", seen=text[:60])
        self.text = text
        self.at = 0
        self.token = ""
        self._next()

    def powers(self) -> Powers:
        found = self._product(0)
        if self.token:
            raise self._fault(f"`{self.token}` is out of place")
        return found

    def _product(self, depth: int) -> Powers:
        if depth > MAX_DEPTH:
            raise self._fault(f"parentheses are nested deeper than {MAX_DEPTH}")
        found = self._power(depth)
        while self.token in {"*", "/"}:
            sign = 1 if self.token == "*" else -1
            self._next()
            found = _merged(found, self._power(depth), sign)
        return found

    def _power(self, depth: int) -> Powers:
        found = self._atom(depth)
        if self.token not in {"**", "^"}:
            return found
        self._next()
        if not self.token.lstrip("-").isdigit() or abs(int(self.token)) > MAX_POWER:
            raise self._fault(f"an exponent is a whole number up to {MAX_POWER}")
        power = int(self.token)
        self._next()
        return _merged((), found, power)

    def _atom(self, depth: int) -> Powers:
        token = self.token
        if token == "(":
            self._next()
            found = self._product(depth + 1)
            if self.token != ")":
                raise self._fault("a parenthesis is not closed")
            self._next()
            return found
        if token == "1":
            self._next()
            return ()
        if not token or not token[0].isalpha():
            raise self._fault(
                f"`{token}` stands where a unit's name is expected" if token else "a unit's name is missing"
            )
        self._next()
        if self.token and (self.token[0].isalpha() or self.token == "("):
            raise self._fault(
                "two names stand side by side",
                "join them by `/` or `*`, such as CNY/vehicle; names of several words are joined by `_`",
            )
        return ((token, 1),)

    def _next(self) -> None:
        if not self.text[self.at :].strip():
            self.token = ""
            self.at = len(self.text)
            return
        match = _TOKEN.match(self.text, self.at)
        if match is None:
            sign = self.text[self.at :].strip()
            meant = OTHER_NAMES.get(sign) or OTHER_NAMES.get(sign[:1], "")
            raise self._fault(f"`{sign[:1]}` is no part of a unit", f"did you mean `{meant}`?" if meant else "")
        self.token = match.group(match.lastindex or 0)
        self.at = match.end()

    def _fault(self, what: str, fix: str = "") -> UnreadableInput:
        return UnreadableInput(
            f"this unit cannot be read: {what}",
            seen=self.text,
            fix=fix,
            expected="" if fix else "names joined by `*`, `/`, `**`, such as CNY/vehicle",
        )
