"""Conditions 3 and 5, asked: the question asks for what the derivation works out, in its period and unit.

What is read in a question is read in English; a question in another language is asked nothing here but its years.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from cellwright.records.decimals import canonical
from cellwright.records.derivations import format_expression
from cellwright.records.derivations._text import parsed
from cellwright.records.errors import ExpressionError, clip
from cellwright.records.findings import Condition
from cellwright.records.periods import Period
from cellwright.records.quantities._currencies import COMMON_WORDS, CURRENCIES
from cellwright.records.task import CellSpec
from cellwright.validators.context import AuditContext
from cellwright.validators.lint import Binary, Call, Derivation, Name, Number, comparable, terms
from cellwright.validators.registry import Hit, rule

C3, C5 = Condition.DERIVED, Condition.SCORABLE
_ENDS = ("answer", "low", "high")
_MEAN = re.compile(r"\b(?:mean|average)\b", re.IGNORECASE)
_AVERAGE_OF = re.compile(r"\b(?:mean|average) ((?:\w+ ){0,2}\w+)", re.IGNORECASE)
_MEDIAN = re.compile(r"\bmedian\b", re.IGNORECASE)
_MIDDLE = re.compile(r"\b(?:averag\w*|typical|midpoint|middle|centre|center)\b", re.IGNORECASE)
_CHANGE = re.compile(r"\b(?:growth|change|increase)\b", re.IGNORECASE)
_ON_YEAR_BEFORE = re.compile(
    r"\bon the (?:fiscal |financial )?year before|\byear[- ]on[- ]year|\byear[- ]over[- ]year", re.I
)
_LARGEST = re.compile(r"\b1 (?:=|is|for|being) (?:the )?(largest|highest|smallest|lowest)", re.IGNORECASE)
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_YEARS_ASKED = re.compile(rf"\b({'|'.join(_COUNTS)}|[2-9]|10)\s(?:fiscal |financial |calendar )?years\b", re.IGNORECASE)
_YEAR = re.compile(
    r"\b(?:FY|fiscal|calendar|years?|in|during|for|Jahr|année|año)\s?((?:19|20)\d\d)(?![\d,%-]|\.\d)", re.I
)
_MONEY_WORDS = {
    "euro": "EUR",
    "euros": "EUR",
    "yen": "JPY",
    "yuan": "CNY",
    "renminbi": "CNY",
    "rupees": "INR",
    "francs": "CHF",
    "sterling": "GBP",
}
_IN_PERCENT = re.compile(
    r"\b(?:in percent|as a percentage|as a percent|in per cent|percentage points)\b", re.IGNORECASE
)
_HUNDREDTHS = ("percent", "pp", "permille", "bp")
_DECIMALS = re.compile(
    r"\b(no|zero|one|two|three|four|1|2|3|4)\s+(?:decimals?|decimal places?|digits? after)\b", re.IGNORECASE
)
_WHOLE = re.compile(
    r"\bwhole (?:percent|number|percentage)|\bnearest (?:whole |full )?(?:percent|integer|point)", re.IGNORECASE
)
_ROUNDED = re.compile(r"decimal|nearest|whole|rounded|tenth|hundredth|digits?\b|basis points|\bdp\b", re.IGNORECASE)
_NUMBERS = {"no": 0, "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "1": 1, "2": 2, "3": 3, "4": 4}
_WIDEST_ORDER = Decimal(1000)


def _english(context: AuditContext) -> bool:
    return context.task.language.casefold().startswith("en")


@rule(
    "C3-ASK-DIFFERS", C3, severity="warning", needs="answers", title="The derivation takes what the question asks for."
)
def derivations_do_what_is_asked(context: AuditContext) -> Iterator[Hit]:
    """A median for a mean, two years for three, the smallest first for the largest, growth without the 1 taken off."""
    if not _english(context):
        return
    days = {fact.name for fact in context.folder.facts if _is_of_a_day(context.periods[fact.id])}
    for derivation in context.derivations:
        spec = derivation.spec
        for observed, expected in (*_differences(derivation), *_of_balances(derivation, days)):
            last = max(0, len(spec.steps) - 1)
            fix = "mend the derivation, or the ask"
            yield context.hit_at_task(spec.entity, spec.dimension, ("steps", last), clip(observed), expected, fix)
            break


def _differences(derivation: Derivation) -> Iterator[tuple[str, str]]:
    """What the steps do and the ask does not, with what the ask says."""
    spec = derivation.spec
    calls = {node.function for _, _, node in derivation.nodes() if isinstance(node, Call)}
    yield from _of_functions(derivation, calls)
    ask = spec.ask
    first = _LARGEST.search(ask)
    ranks = [node for _, _, node in derivation.nodes() if isinstance(node, Call) and node.function == "rank"]
    if first and ranks and spec.unit == "rank":
        wanted = "descending" if first[1].casefold() in ("largest", "highest") else "ascending"
        if all(node.words and wanted not in node.words for node in ranks):
            yield format_expression(ranks[0]), f"{wanted}: «{first[0]}»"
    yield from _of_years(derivation)
    yield from _of_growth(derivation)


def _of_functions(derivation: Derivation, calls: set[str]) -> Iterator[tuple[str, str]]:
    ask = derivation.spec.ask
    divides = any(isinstance(node, Binary) and node.operator in ("/", "*") for _, _, node in derivation.nodes())
    names_average = any(
        isinstance(node, Name) and re.search("mean|average|avg", node.name) for _, _, node in derivation.nodes()
    )
    mean, median = _MEAN.search(ask), _MEDIAN.search(ask)
    sums = any(terms(derivation, tree) for tree in derivation.trees.values())  # C3-MEAN-DIVISOR tells these
    unsaid = (calls & {"mean", "median"}) if not (mean or median or _MIDDLE.search(ask)) else set()
    if unsaid:
        yield f"{', '.join(sorted(unsaid))}() is taken", "an ask that says so"
    works = sums or bool(calls & {"mean", "max", "min", "sum"})  # a median that a document prints is looked up
    if median and not mean and works and "median" not in calls:
        yield "no median is taken", f"«{median[0]}»"
    if mean and not median and not names_average and not sums:
        other = calls & {"median", "max", "min"}
        if other and not calls & {"mean", "sum"}:
            yield f"{', '.join(sorted(other))}() is taken", f"«{mean[0]}»"
        elif (
            _YEARS_ASKED.search(ask)
            and not calls & {"mean", "sum", "cagr"}
            and not (divides and _two_dates(derivation))
        ):
            yield "no mean is taken", f"«{mean[0]}»"


def _is_of_a_day(period: object) -> bool:
    return isinstance(period, Period) and period.start is None


def _of_balances(derivation: Derivation, days: set[str]) -> Iterator[tuple[str, str]]:
    """A balance of one day where the ask names its average."""
    asked = _AVERAGE_OF.search(derivation.spec.ask)
    if asked is None:
        return
    words = set(re.findall(r"\w+", asked[1].casefold()))
    found: dict[str, set[date | None]] = {}
    for tree in derivation.trees.values():
        for name, day in derivation.side(tree).leaves:
            found.setdefault(name, set()).add(day)
    for name, ends in sorted(found.items()):
        if name in days and len(ends) == 1 and words & set(re.split(r"[._]", name)):
            yield f"`{name}` of one day", f"«{clip(asked[0], 60)}»"
            return


def _two_dates(derivation: Derivation) -> bool:
    """Whether facts of more than one date are named, as in an average balance."""
    return any(len({day for _, day in derivation.side(tree).leaves}) > 1 for tree in derivation.trees.values())


def _of_years(derivation: Derivation) -> Iterator[tuple[str, str]]:
    """Means and sums over another number of years than the ask's."""
    asked = _YEARS_ASKED.search(derivation.spec.ask)
    if not asked or not _MEAN.search(derivation.spec.ask):
        return
    wanted = _COUNTS.get(asked[1].casefold()) or int(asked[1])
    for _, _, node in derivation.nodes():
        operands = terms(derivation, node)
        if operands is None and isinstance(node, Call) and node.function in ("mean", "median"):
            operands = list(node.args)
        names = [derivation.meaning(operand) for operand in operands or ()]
        single = [name for name in names if isinstance(name, Name) and not (name.scope or name.star)]
        distinct = {format_expression(name) for name in single}
        alike = len(single) == len(names) > 1 and len({name.name for name in single}) == 1
        if alike and len(distinct) == len(names) != wanted and not isinstance(node, Binary):
            yield f"{format_expression(node)}: {len(names)} years", f"{wanted}: «{asked[0]}»"
            return


def _of_growth(derivation: Derivation) -> Iterator[tuple[str, str]]:
    """Growth that is a plain ratio of two dates, and growth over more years than the ask's one."""
    spec = derivation.spec
    ends = [derivation.meaning(derivation.trees[step.id]) for step in spec.steps if step.id in derivation.trees]
    last = ends[-1] if ends else None
    if _CHANGE.search(spec.ask) and spec.unit == "percent" and isinstance(last, Binary) and last.operator == "/":
        one, other = derivation.side(last.left), derivation.side(last.right)
        top = derivation.meaning(last.left)
        if comparable(one, other) and one.end != other.end and isinstance(top, Name):
            yield f"{format_expression(last)} is a ratio", "the change, which is 1 less"
    if not _ON_YEAR_BEFORE.search(spec.ask):
        return
    for _, _, node in derivation.nodes():
        if isinstance(node, Binary) and node.operator in ("-", "/") and node.right != Number(1):
            one, other = derivation.side(node.left), derivation.side(node.right)
            if comparable(one, other) and one.end and other.end and abs((one.end - other.end).days) > 500:
                yield f"{format_expression(node)}: {other.end} to {one.end}", "one year"
                return


def _specs_by_ask(context: AuditContext) -> Iterator[CellSpec]:
    """One cell for each dimension and override with an ask, a unit or a period of its own."""
    told: set[tuple[str, str, str, str]] = set()
    for spec in context.specs.values():
        key = (spec.dimension, spec.ask, spec.unit, spec.period)
        if key not in told and spec.answer_type != "not_available":
            told.add(key)
            yield spec


def _at_ask(context: AuditContext, spec: CellSpec, observed: str, expected: str, fix: str) -> Hit:
    return context.hit_at_task(spec.entity, spec.dimension, ("ask",), clip(observed), expected, fix)


@rule("C5-ASK-PERIOD", C5, severity="warning", title="An ask names no other year than its period's.")
def asks_name_their_period(context: AuditContext) -> Iterator[Hit]:
    """Asks for years (a law's year is none), none of which the dimension's period or its derivation touches."""
    for spec in _specs_by_ask(context):
        named = {int(year) for year in _YEAR.findall(spec.ask)}
        if named and spec.period and not named & _years_of(context, spec):
            fix = "name the period that `period` says, or leave the year to it"
            yield _at_ask(context, spec, ", ".join(map(str, sorted(named))), f"{spec.period}", fix)


def _years_of(context: AuditContext, spec: CellSpec) -> set[int]:
    """Every year that the cell's period, its label or a period named in its steps touches."""
    labels = {spec.period}
    for step in spec.steps:
        expression = parsed(step.expr)
        if not isinstance(expression, ExpressionError):
            labels |= {name.label for name in expression.names if isinstance(name, Name) and name.label}
            if any(isinstance(name, Name) and name.shift for name in expression.names):
                labels |= set(context.task.periods)
    years = {int(year) for label in labels for year in re.findall(r"(?:19|20)\d\d", label)}
    for label in labels:
        for period in context.task.periods.get(label, {}).values():
            years |= {day.year for day in (period.start, period.end) if day}
    return years


@rule("C5-ASK-UNIT", C5, severity="warning", title="An ask names the unit of its answer and no other.")
def asks_name_their_unit(context: AuditContext) -> Iterator[Hit]:
    """Asks in euros for an answer in USD, in percent for an amount, in millions of dollars for a percentage."""
    for spec in _specs_by_ask(context):
        money = _currencies_in(spec.ask)
        percent = _IN_PERCENT.search(spec.ask)
        currency = spec.unit.split("/")[0].strip()
        is_money = len(currency) == 3 and currency.isupper()
        observed = ""
        if is_money and money and currency not in money and not ("$" in money and currency.endswith("D")):
            observed = ", ".join(sorted(money)).replace("$", "dollars")
        elif is_money and percent and not money:
            observed = percent[0]
        elif spec.unit in _HUNDREDTHS and money and not re.search("percent|per cent|%|point", spec.ask, re.IGNORECASE):
            observed = ", ".join(sorted(money)).replace("$", "dollars")
        if observed:
            yield _at_ask(context, spec, observed, spec.unit, "ask in the unit that `unit` says, or mend the unit")


def _currencies_in(text: str) -> set[str]:
    """The currencies that a text names; `$` for dollars of some country."""
    found = {word for word in re.findall(r"\b[A-Z]{3}\b", text) if word in CURRENCIES and word not in COMMON_WORDS}
    words = set(re.findall(r"[a-z]+", text.casefold()))
    found |= {code for word, code in _MONEY_WORDS.items() if word in words}
    return found | ({"$"} if words & {"dollar", "dollars"} else set())


@rule("C5-ASSUMPTION-CONTRADICTED", C5, title="A value that the ask gives an assumption is its value.")
def asks_give_assumptions_their_values(context: AuditContext) -> Iterator[Hit]:
    """`falls by revenue_shock (15 percent)` where the assumption is 10: the prompt tells both."""
    for spec in _specs_by_ask(context):
        for assumption in context.task.assumptions:
            value = assumption.values.get(spec.entity, assumption.value)
            found = re.search(rf"\b{assumption.id}\b\s?(?:\(|=|of |is |: ?)(-?\d{{1,9}}(?:\.\d{{1,9}})?)", spec.ask)
            if found and value is not None and Decimal(found[1]) != value:
                fix = "leave the value to the assumption, or mend one of the two"
                yield _at_ask(context, spec, found[0], f"{canonical(value)} {assumption.unit}".strip(), fix)


@rule(
    "C5-ASK-DECIMALS", C5, severity="warning", needs="answers", title="A percentage is asked to a number of decimals."
)
def percentages_are_asked_to_decimals(context: AuditContext) -> Iterator[Hit]:
    """Percentages without a number of decimals, or to so few that an answer rounded as asked may miss `full`."""
    if not _english(context):
        return
    told: set[tuple[str, str]] = set()
    for spec, scoring, _ in context.answers.scorable:
        full = scoring.full
        if spec.unit not in ("percent", "pp") or full is None or (spec.dimension, spec.ask) in told:
            continue
        told.add((spec.dimension, spec.ask))
        asked = _DECIMALS.search(spec.ask)
        decimals = _NUMBERS[asked[1].casefold()] if asked else 0 if _WHOLE.search(spec.ask) else None
        if decimals is None:
            if not _ROUNDED.search(spec.ask):
                yield _at_ask(context, spec, "no number of decimals", "such as «to one decimal»", "say it in the ask")
        elif full.kind == "absolute" and full.size < Decimal("0.5").scaleb(-decimals):
            half = canonical(Decimal("0.5").scaleb(-decimals))
            observed = f"{asked[0] if asked else 'whole percent'}, and `full` is {spec.scoring.full}"
            yield _at_ask(context, spec, observed, f"a `full` of at least {half} pp", "ask for more decimals")


@rule(
    "C5-TIERS-ODD", C5, severity="warning", needs="answers", title="The tolerances widen from full to partial to order."
)
def tolerances_widen(context: AuditContext) -> Iterator[Hit]:
    """A `partial` no wider than `full`, and an `order` of more than a thousand; one hit a dimension or override."""
    told: set[tuple[str, str, str, str]] = set()
    for spec, scoring, _ in context.answers.scorable:
        typed = spec.scoring
        key = (spec.dimension, typed.full, typed.partial, typed.order)
        if key in told or scoring.full is None:
            continue
        told.add(key)
        full, partial = scoring.full, scoring.partial
        observed = expected = ""
        if typed.partial and full.kind == partial.kind and partial.size <= full.size:
            observed, expected = f"partial {typed.partial}, full {typed.full}", "a `partial` wider than `full`"
        elif scoring.order is not None and scoring.order > _WIDEST_ORDER:
            observed, expected = f"order {typed.order}", f"at most {_WIDEST_ORDER}"
        if observed:
            yield context.hit_at_task(spec.entity, spec.dimension, ("scoring",), observed, expected, "mend the rule")


@rule("C5-NEAR-MISS-TWICE", C5, severity="warning", title="No near miss stands twice.")
def near_misses_stand_once(context: AuditContext) -> Iterator[Hit]:
    """One expression under two names: only the first of them would ever be told."""
    for item in context.task.dimensions:
        first: dict[str, str] = {}
        for index, miss in enumerate(item.near_misses):
            expression = parsed(miss.expr)
            if isinstance(expression, ExpressionError):  # C5-NEAR-MISS-BROKEN tells it
                continue
            other = first.setdefault(format_expression(expression.tree), miss.id)
            if other != miss.id:
                place = context.task.place_of(item.id, "near_misses", index)
                yield Hit(place, f"`{miss.id}` is `{other}`", "another misstep", "remove one of the two", "", item.id)
