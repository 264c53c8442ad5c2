"""Faults of tolerances and claims against what known missteps give."""

from __future__ import annotations

import random
from decimal import Decimal
from functools import partial
from typing import Any

from cellwright.records.decimals import canonical
from tests.power.draft import Draft, Row
from tests.power.kinds import add, choose, end_step, fresh_steps, kind

Item = dict[str, Any]


def _taken(draft: Draft, name: str = "revenue") -> Item | None:
    """The dimension that takes a figure as it is, with no near miss but one far off."""
    item = next((item for item in draft.dimensions(answer_type="precise") if end_step(item)["expr"] == name), None)
    if item is not None:
        item["near_misses"] = [{"id": "doubled", "expr": f"{name} * 2", "why": "taken twice"}]
    return item


def _near(draft: Draft, fact: Row, *, parts: int) -> tuple[str, Decimal]:
    """A figure so many thousandths above that of a fact, as printed and as a value."""
    value = Decimal(fact["value"])
    scale = int(fact["scale"])
    moved = (value.scaleb(-scale) * (1000 + parts) / 1000).quantize(Decimal(1))
    text = f"{moved:,}"
    if "." in fact["as_written"] and draft.source(fact["source"])["locale"] == "de":
        text = text.replace(",", ".")
    return text, moved.scaleb(scale)


@kind("C5-MISSTEP-PAYS", "last year's figure, which nobody named a misstep, within a tolerance of 4 %")
def last_year_within(draft: Draft, rng: random.Random) -> bool:
    item = _taken(draft)
    earlier = choose(rng, draft.facts_where(name="revenue", period="FY2022", rank="primary"))
    if item is None or earlier is None:
        return False
    item["scoring"] = {"full": "4%"}
    now = draft.facts_where(name="revenue", period="FY2023", rank="primary", entity=earlier["entity"])
    if not now:
        return False
    text, value = _near(draft, now[0], parts=20)
    draft.restate_figure(earlier, text, value)
    return True


def _beside(rank: str, draft: Draft, rng: random.Random) -> bool:
    """Another figure of the same name, 1 % off, under a tolerance of 2 %."""
    item = _taken(draft)
    fact = choose(rng, draft.facts_where(name="revenue", period="FY2023", rank="primary"))
    if item is None or fact is None:
        return False
    item["scoring"] = {"full": "2%"}
    text, value = _near(draft, fact, parts=10)
    other = {**fact, "id": f"{fact['id']}.{rank}", "rank": rank, "as_written": text, "value": canonical(value)}
    draft.facts.append(other)
    draft.with_quote(other, f"{fact['quote'].replace(fact['as_written'], text)} as {rank}")
    return True


for name, rank, says in (
    ("trap_within", "trap", "the figure of a weak source within the tolerance"),
    ("context_within", "context", "a figure kept for context within the tolerance"),
    ("withdrawn_within", "superseded", "a withdrawn figure within the tolerance"),
):
    add(name, "C5-MISSTEP-PAYS", says, partial(_beside, rank))


@kind("C5-MISSTEP-PAYS", "a small change whose base does not matter under a tolerance of half a point")
def base_within(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, draft.dimensions(id="revenue_growth"))
    earlier = choose(rng, draft.facts_where(name="revenue", period="FY2022", rank="primary"))
    if item is None or earlier is None:
        return False
    now = draft.facts_where(name="revenue", period="FY2023", rank="primary", entity=earlier["entity"])
    if not now:
        return False
    item["near_misses"] = [{"id": "reversed", "expr": "revenue[-1] / revenue - 1", "why": "reversed"}]
    item["scoring"] = {"full": "0.4 pp"}
    text, value = _near(draft, now[0], parts=-52)
    draft.restate_figure(earlier, text, value)
    return True


@kind("C5-MISSTEP-PAYS", "a range that a trap's figure shifts by little, under an overlap of 0.3")
def range_shifted_within(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, draft.dimensions(id="stressed_profit"))
    fact = choose(rng, draft.facts_where(name="revenue", period="FY2023", rank="primary"))
    if item is None or fact is None:
        return False
    item["scoring"] = {"overlap": "0.3"}
    text, value = _near(draft, fact, parts=15)
    trap = {**fact, "id": f"{fact['id']}.trap", "rank": "trap", "as_written": text, "value": canonical(value)}
    draft.facts.append(trap)
    draft.with_quote(trap, f"{fact['quote'].replace(fact['as_written'], text)} they say")
    return True


@kind("C3-OVERLAP-TIGHT", "a range that must be met to the last digit")
def overlap_whole(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, draft.dimensions(answer_type="range"))
    if item is None:
        return False
    item["scoring"] = {"overlap": "1"}
    return True


@kind("C3-OVERLAP-TIGHT", "a range narrower than its figures' last digits")
def range_narrow(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, draft.dimensions(id="stressed_profit"))
    if item is None:
        return False
    draft.task["assumptions"].append({"id": "hair", "value": "0.0000001", "reason": "next to nothing"})
    fresh_steps(item, ("low", "revenue - cost"), ("high", "(revenue - cost) * (1 + hair)"))
    return True


def _claimed(times: str, claim: str, draft: Draft, rng: random.Random) -> bool:
    """A near miss so many times the answer with a claim that says otherwise."""
    items = [item for item in draft.dimensions(answer_type="precise") if item["unit"] in ("EUR", "USD", "CHF")]
    item = choose(rng, [item for item in items if item.get("near_misses")])
    if item is None:
        return False
    draft.task["assumptions"].append({"id": "slip", "value": times, "reason": "a slip"})
    expr = f"({end_step(item)['expr']}) * slip"
    item["near_misses"] = [{"id": "slipped", "expr": expr, "why": "a slip", "claim": claim}]
    return True


for name, times, claim, says in (
    ("claim_three_times", "4", "3 times", "three times claimed where it is four"),
    ("claim_half", "0.6", "half", "half claimed where it is 60 %"),
    ("claim_twice", "0.5", "twice as much", "twice claimed where it is half"),
    ("claim_too_small", "0.5", "3 times too small", "a third claimed where it is half"),
    ("claim_in_points_of_money", "1.3", "0.3 pp above", "percentage points claimed of an amount"),
    ("claim_of_the_near_miss", "1.25", "20% above", "a share of the near miss, not of the answer"),
    ("claim_to_a_decimal", "1.25", "25.6% above", "a decimal claimed that is another one"),
):
    add(name, "C5-CLAIM-WRONG", says, partial(_claimed, times, claim))


@kind("C5-CLAIM-WRONG", "half a point off in percentage points")
def claim_points_off(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, draft.dimensions(id="gross_margin"))
    if item is None:
        return False
    draft.task["assumptions"].append({"id": "slip", "value": "2", "unit": "percent", "reason": "a slip"})
    expr = f"{end_step(item)['expr']} + slip"
    item["near_misses"] = [{"id": "slipped", "expr": expr, "why": "a slip", "claim": "1.5 pp above"}]
    item.pop("overrides", None)
    return True


@kind("C5-CLAIM-WRONG", "a claim about a near miss of a range")
def claim_of_a_range(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, draft.dimensions(answer_type="range"))
    if item is None:
        return False
    low = next(step["expr"] for step in item["steps"] if step["id"] == "low")
    item["near_misses"] = [{"id": "lost", "expr": low, "why": "one end", "claim": "90% below"}]
    return True


@kind("C5-CLAIM-UNREADABLE", "a direction without a number")
def claim_without_number(draft: Draft, rng: random.Random) -> bool:
    return _claimed("1.3", "well above", draft, rng)
