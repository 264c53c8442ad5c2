"""Faults of derivations that work out all the same: copied operands, lists cut short, and functions mixed up."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import partial
from typing import Any

from tests.power.draft import Draft
from tests.power.faults_derived import _dimension as with_steps
from tests.power.kinds import add, choose, end_step, fresh_steps, kind

Item = dict[str, Any]
Steps = tuple[tuple[str, str], ...]


def _unstated(dimension: str, steps: Steps, draft: Draft, rng: random.Random) -> bool:
    """Other steps for a dimension of which nobody stated a value: only the derivation itself can tell."""
    for row in draft.cells_where(dimension=dimension):
        row["stated_value"] = ""
    return with_steps(dimension, *steps)(draft, rng)


AVERAGE, GROWTH, CHANGE = "average_revenue", "revenue_growth", "margin_change"
for name, rule, says, dimension, steps in (
    ("mean_of_one_twice", "C3-OPERAND-TWICE", "a mean that takes one year twice", AVERAGE,
     (("answer", "mean(revenue, revenue[-1], revenue[-1])"),)),
    ("sum_of_one_twice", "C3-OPERAND-TWICE", "a sum that takes one year twice", AVERAGE,
     (("total", "sum(revenue, revenue, revenue[-1])"), ("answer", "total / years"))),
    ("plus_of_one_twice", "C3-OPERAND-TWICE", "a sum with plus signs that takes one year twice", AVERAGE,
     (("total", "revenue + revenue[-1] + revenue[-1]"), ("answer", "total / years"))),
    ("sum_by_a_step_twice", "C3-OPERAND-TWICE", "a sum that takes one figure again under a step's name", AVERAGE,
     (("now", "revenue"), ("total", "now + revenue + revenue[-2]"), ("answer", "total / years"))),
    ("mean_skips_a_year", "C3-LIST-GAP", "a mean that leaves out the year in the middle", AVERAGE,
     (("answer", "mean(revenue, revenue[-2])"),)),
    ("mean_of_two_for_three", "C3-ASK-DIFFERS", "a mean over two years where three are asked for", AVERAGE,
     (("answer", "mean(revenue, revenue[-1])"),)),
    ("divided_by_two_and_two", "C3-MEAN-DIVISOR", "a sum of three divided by two times two", AVERAGE,
     (("total", "sum(revenue, revenue[-1], revenue[-2])"), ("answer", "total / (2 * 2)"))),
    ("divided_by_a_count_of_two", "C3-MEAN-DIVISOR", "a sum of three divided by a count of two", AVERAGE,
     (("total", "sum(revenue, revenue[-1], revenue[-2])"), ("answer", "total / count(revenue, revenue[-1])"))),
    ("divided_by_a_step", "C3-MEAN-DIVISOR", "a sum of three divided by a step that is two", AVERAGE,
     (("n", "1 + 1"), ("total", "sum(revenue, revenue[-1], revenue[-2])"), ("answer", "total / n"))),
    ("median_for_mean", "C3-ASK-DIFFERS", "a median where the mean is asked for", AVERAGE,
     (("answer", "median(revenue, revenue[-1], revenue[-2])"),)),
    ("max_for_mean", "C3-ASK-DIFFERS", "the greatest where the mean is asked for", AVERAGE,
     (("answer", "max(revenue, revenue[-1], revenue[-2])"),)),
    ("growth_by_one_less", "C3-CHANGE-REVERSED", "one less this year over last year", GROWTH,
     (("answer", "1 - revenue / revenue[-1]"),)),
    ("growth_by_a_minus", "C3-CHANGE-REVERSED", "a growth with a minus before it", GROWTH,
     (("answer", "-(revenue - revenue[-1]) / revenue[-1]"),)),
    ("growth_by_a_minus_inside", "C3-CHANGE-REVERSED", "less this year, plus last year", GROWTH,
     (("change", "-revenue + revenue[-1]"), ("answer", "change / revenue[-1]"))),
    ("growth_without_sign", "C3-CHANGE-SIGN-LOST", "a growth whose sign is taken away", GROWTH,
     (("answer", "abs(revenue - revenue[-1]) / revenue[-1]"),)),
    ("growth_from_the_year_before_last", "C3-ASK-DIFFERS", "growth over two years where one is asked for", GROWTH,
     (("answer", "revenue / revenue[-2] - 1"),)),
    ("growth_without_the_one", "C3-ASK-DIFFERS", "this year over last year, and the one not subtracted",
     GROWTH, (("answer", "revenue / revenue[-1]"),)),
    ("growth_by_labels_reversed", "C3-CHANGE-REVERSED", "last year less this year, by their labels", GROWTH,
     (("answer", "(revenue['FY2022'] - revenue['FY2023']) / revenue['FY2022']"),)),
    ("growth_over_a_mean", "C3-ASK-DIFFERS", "growth divided by the mean of both years", GROWTH,
     (("answer", "(revenue - revenue[-1]) / mean(revenue, revenue[-1])"),)),
    ("growth_by_cell_reversed", "C3-RATIO-PERIODS", "last year less this year's cell", GROWTH,
     (("answer", "(revenue[-1] - cells.total_revenue) / revenue[-1]"),)),
    ("growth_by_steps_reversed", "C3-CHANGE-REVERSED", "last year over this year, over three steps", GROWTH,
     (("ratio", "revenue[-1] / revenue"), ("one", "ratio"), ("answer", "one - 1"))),
    ("change_from_itself", "C3-OPERAND-TWICE", "this year's margin less itself", CHANGE,
     (("now", "(revenue - cost) / revenue"), ("before", "(revenue - cost) / revenue"), ("answer", "now - before"))),
    ("change_relative", "C3-REPLAY", "a change in points divided by where it starts from", CHANGE,
     (("now", "(revenue - cost) / revenue"), ("before", "(revenue[-1] - cost[-1]) / revenue[-1]"),
      ("answer", "(now - before) / before"))),
    ("cagr_ends_changed", "C3-CHANGE-REVERSED", "a compound growth from this year to the year before last", GROWTH,
     (("answer", "cagr(revenue, revenue[-2], 2)"),)),
    ("cagr_of_a_year_too_few", "C3-CAGR-YEARS", "a compound growth over two years counted as one", GROWTH,
     (("answer", "cagr(revenue[-2], revenue, 1)"),)),
    ("cagr_of_a_year_too_many", "C3-CAGR-YEARS", "a compound growth over one year counted as two", GROWTH,
     (("answer", "cagr(revenue[-1], revenue, 2)"),)),
    ("share_of_another_whole", "C3-LIST-WITHOUT-IT", "a share of a whole that it is no part of", "beer_share",
     (("answer", "share(cost, revenue.*)"),)),
    ("share_of_itself", "C3-OPERAND-TWICE", "a share of itself", "beer_share",
     (("answer", "revenue.beer / revenue.beer"),)),
    ("mean_of_ratios", "C3-ASK-DIFFERS", "a mean of two margins where the ask names none", "gross_margin",
     (("profit", "revenue - cost"), ("answer", "mean(profit / revenue, (revenue[-1] - cost[-1]) / revenue[-1])"))),
    ("growths_added", "C3-GROWTHS-ADDED", "growth of two years added up, not compounded", GROWTH,
     (("answer", "(revenue / revenue[-1] - 1) + (revenue[-1] / revenue[-2] - 1)"),)),
    ("rank_of_another_list", "C3-LIST-WITHOUT-IT", "a rank among figures of another name", "research_rank",
     (("answer", "rank(revenue, available(all.research), descending)"),)),
    ("rank_without_itself", "C3-LIST-WITHOUT-IT", "a rank among the others only", "research_rank",
     (("answer", "rank(research, available(others.research), descending)"),)),
    ("rank_the_smallest_first", "C3-ASK-DIFFERS", "a rank with the smallest first where the largest is asked",
     "research_rank", (("answer", "rank(research, available(all.research), ascending)"),)),
    ("range_of_one_point", "C5-REFERENCE-SCORE", "a range whose ends are one figure", "stressed_profit",
     (("low", "revenue - cost - revenue * fall"), ("high", "revenue - cost - revenue * fall"))),
):  # fmt: skip
    add(name, rule, says, partial(_unstated, dimension, steps))


def _checked(expr: str, within: str, draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, [item for item in draft.task["dimensions"] if item["id"] in ("total_revenue", "gross_margin")])
    if item is None:
        return False
    item["checks"] = [*item["checks"], {"expr": expr, "within": within}]
    return True


for name, rule, says, expr, within in (
    ("check_of_itself", "C3-CHECK-IDLE", "a check that compares a figure with itself", "revenue == revenue", ""),
    ("check_of_a_number", "C3-CHECK-IDLE", "a check that no fact can fail", "1 == 1", ""),
    ("check_that_is_none", "C3-CHECK-IDLE", "a check that compares nothing", "sum(revenue.*)", ""),
    ("check_that_never_runs", "C3-CHECK-BROKEN", "a check of facts that no entity has", "tips == revenue", "rounding"),
    ("check_that_always_yields", "C3-CHECK-BROKEN", "a check that yields wherever its fact is not there",
     "if(available(tips), tips == revenue, 1)", "rounding"),
    ("check_within_half", "C3-CHECK-BROKEN", "a check that forgives a half", "revenue == revenue[-1]", "50%"),
):  # fmt: skip
    add(name, rule, says, partial(_checked, expr, within))


def _scored(change: dict[str, str], draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, [item for item in draft.dimensions(answer_type="precise") if item["unit"] in ("USD", "EUR")])
    if item is None:
        return False
    item["scoring"] = {**item["scoring"], **change}
    return True


for name, rule, says, scoring in (
    ("tolerance_of_all", "C5-TOLERANCE-WIDE", "a tolerance of a hundred percent", {"full": "100%"}),
    ("tolerance_negative", "C5-RULE-UNREADABLE", "a tolerance below nothing", {"full": "-2%"}),
    ("tolerance_of_nothing", "C5-RULE-UNREADABLE", "a tolerance of no percent", {"full": "0%"}),
    ("partial_within_full", "C5-TIERS-ODD", "a partial tolerance tighter than the full one", {"partial": "0.01%"}),
    ("partial_of_all", "C5-TIER-LOST", "a partial tolerance of a hundred percent", {"partial": "100%"}),
    ("order_of_one", "C5-RULE-UNREADABLE", "an order of magnitude of 1", {"order": "1"}),
    ("order_of_a_million", "C5-TIERS-ODD", "an order of magnitude of a million", {"order": "1000000"}),
    ("scoring_key_mistyped", "reading", "a key of the scoring mistyped", {"ful": "1%"}),
):  # fmt: skip
    add(name, rule, says, partial(_scored, scoring))


def _range_scored(change: dict[str, str], draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, draft.dimensions(answer_type="range"))
    if item is None:
        return False
    item["scoring"] = {**item["scoring"], **change}
    return True


for name, rule, says, scoring in (
    ("overlap_of_nothing", "C5-RULE-UNREADABLE", "a range that need not overlap", {"overlap": "0"}),
    ("overlap_of_a_hair", "C5-TIER-LOST", "a range that need overlap by a hundredth", {"overlap": "0.01"}),
    ("overlap_beyond_one", "C5-RULE-UNREADABLE", "an overlap of more than all", {"overlap": "50"}),
    ("width_of_half", "C5-RULE-UNREADABLE", "a widest range that is narrower than the right one", {"max_width": "0.5"}),
):
    add(name, rule, says, partial(_range_scored, scoring))


def _missed(change: Callable[[Item], Item | None], draft: Draft, rng: random.Random) -> bool:
    items = [item for item in draft.dimensions(answer_type="precise") if item.get("near_misses")]
    item = choose(rng, [item for item in items if change(item)])
    if item is None:
        return False
    found = change(item)
    assert found is not None
    item["near_misses"] = [*item["near_misses"], found]
    return True


for name, rule, says, made in (
    ("near_miss_twice", "C5-NEAR-MISS-TWICE", "one near miss under two names",
     lambda item: {**item["near_misses"][0], "id": "another"}),
    ("near_miss_of_another_unit", "C5-NEAR-MISS-BROKEN", "a near miss in another unit than the answer",
     lambda item: {"id": "amount", "expr": "revenue", "why": "an amount"} if item["unit"] == "percent" else None),
):  # fmt: skip
    add(name, rule, says, partial(_missed, made))


@kind("C5-CLAIM-WRONG", "a claim true of one entity and false of the others")
def claim_of_one_entity(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, draft.dimensions(id="total_revenue"))
    if item is None:
        return False
    fact = choose(rng, draft.facts_where(name="revenue", rank="primary", period="FY2023"))
    before = [row for row in draft.facts_where(name="revenue", rank="primary", period="FY2022")
              if fact and row["entity"] == fact["entity"]]  # fmt: skip
    if fact is None or not before:
        return False
    part = (int(before[0]["value"]) - int(fact["value"])) * 100 // int(fact["value"])
    item["near_misses"][0]["claim"] = f"{abs(part)}% {'above' if part > 0 else 'below'}"
    return True


@kind("C3-RATIO-PERIODS", "a ratio of two cells that are of two years")
def ratio_of_cells_of_two_years(draft: Draft, rng: random.Random) -> bool:
    total, head = draft.dimensions(id="total_revenue"), draft.dimensions(id="revenue_per_head")
    if not total or not head:
        return False
    total[0]["period"] = "FY2022"
    total[0]["near_misses"], total[0]["checks"] = [{"id": "two", "expr": "revenue * 2"}], []
    fresh_steps(head[0], ("answer", "cells.total_revenue / employees"))
    return True


@kind("C3-ASK-DIFFERS", "the balance of the year's last day where the ask is for an average one")
def end_balance_for_average(draft: Draft, rng: random.Random) -> bool:
    item = next(iter(draft.dimensions(id="revenue_per_head")), None)
    if item is None:
        return False
    for fact in draft.facts_where(name="employees", period="FY2023"):
        fact["period"] = "2023-12-31"
    item["ask"] = "Revenue divided by the average number of employees."
    return True


@kind("C3-REPLAY", "two cells that rest on one another")
def circle_of_cells(draft: Draft, rng: random.Random) -> bool:
    margin, growth = draft.dimensions(id="gross_margin"), draft.dimensions(id="revenue_growth")
    if not margin or not growth:
        return False
    fresh_steps(margin[0], ("answer", "cells.revenue_growth"))
    fresh_steps(growth[0], ("answer", "cells.gross_margin"))
    return True


@kind("C3-SECOND-OPINION", "cost added where it is to be subtracted")
def cost_added(draft: Draft, rng: random.Random) -> bool:
    return with_steps("gross_margin", ("profit", "revenue + cost"), ("answer", "profit / revenue"))(draft, rng) and any(
        row.get("stated_value") for row in draft.cells_where(dimension="gross_margin")
    )


@kind("C3-PARTS-SHORT", "a sum of quarters with one left out")
def quarter_left_out(draft: Draft, rng: random.Random) -> bool:
    return _quarters(draft, ("q1", "q2", "q4"))


@kind("C3-OPERAND-TWICE", "a sum of quarters with one twice and one left out")
def quarter_twice(draft: Draft, rng: random.Random) -> bool:
    return _quarters(draft, ("q1", "q2", "q3", "q3"))


def _quarters(draft: Draft, taken: tuple[str, ...]) -> bool:
    item = next(iter(draft.dimensions(id="free_cash")), None)
    if item is None:
        return False
    ends = {"q1": ("01-01", "03-31"), "q2": ("04-01", "06-30"), "q3": ("07-01", "09-30"), "q4": ("10-01", "12-31")}
    for quarter, (first, last) in ends.items():
        draft.task["periods"][quarter.upper()] = {"default": f"2023-{first}/2023-{last}"}
        for fact in draft.facts_where(name="cash_flow", period="FY2023"):
            figure = str(100 + int(quarter[1]) * 7)
            quote = f"Cash from operations {quarter.upper()} {figure} million {fact['entity'].title()} 2023"
            row = {**fact, "id": fact["id"].replace("fy2023", quarter), "period": quarter.upper(), "quote": quote}
            row |= {"as_written": figure, "value": figure + "000000"}
            if quarter in taken:
                draft.facts.append(row)
                draft.with_quote(row, quote)
    fresh_steps(item, ("answer", " + ".join(f"cash_flow['{quarter.upper()}']" for quarter in taken)))
    item["near_misses"] = [{"id": "the_first", "expr": "cash_flow - capex"}]
    for row in draft.cells_where(dimension="free_cash"):
        row["stated_value"] = ""
    return True


@kind("C5-CONSTANT-PAYS", "a dimension that no entity answers")
def nothing_available(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, draft.dimensions(id="research_share"))
    if item is None:
        return False
    item["overrides"] = {entity: {"answer_type": "not_available"} for entity in draft.entities()}
    for row in draft.cells_where(dimension="research_share"):
        row.update(answer_type="not_available", reason_code="not_disclosed", agreement="", stated_value="", chosen="")
        row["note"] = ""
    return True


@kind("C3-ANSWER-KIND", "a yes or no that is neither")
def yes_or_no_of_a_share(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, draft.dimensions(unit="percent", answer_type="precise"))
    if item is None or not re.search("/ revenue$", end_step(item)["expr"]):
        return False
    item["unit"], item["scoring"] = "yes_no", {"full": "exact"}
    for row in draft.cells_where(dimension=item["id"]):
        row["stated_value"] = ""
    return True
