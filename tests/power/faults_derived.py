"""Faults against condition 3: expressions, steps, units, second opinions and checks."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

from cellwright.records.decimals import canonical
from tests.power.draft import Draft
from tests.power.kinds import add, choose, end_step, fresh_steps, kind, mistyped, setting, steps_of

Item = dict[str, Any]


def _expression(change: Callable[[str], str], draft: Draft, rng: random.Random) -> bool:
    """Change the expression of one step; False where the change leaves it as it is."""
    fitting = [step for _, step in steps_of(draft) if change(step["expr"]) != step["expr"]]
    step = choose(rng, fitting)
    if step is None:
        return False
    step["expr"] = change(step["expr"])
    return True


for name, says, change in (
    ("name_mistyped", "a fact's name mistyped", lambda text: re.sub(r"\brevenue\b", "revenues", text, count=1)),
    ("constant_without_name", "a number in the derivation that nothing names", lambda text: f"({text}) * 365"),
    ("rounded_inside", "a value rounded inside the derivation", lambda text: f"round({text}, 1)"),
    ("divided_by_zero", "a division by nothing", lambda text: f"({text}) / (1 - 1)"),
    ("bracket_missing", "a bracket missing", lambda text: f"({text}"),
    ("needs_itself", "an answer that needs itself", lambda text: f"{text} + answer"),
):
    add(name, "C3-REPLAY", says, partial(_expression, change))


@kind("C3-REPLAY", "a step that later ones need is gone")
def step_missing(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, [item for item in draft.dimensions(answer_type="precise") if len(item["steps"]) > 1])
    if item is None:
        return False
    if not re.search(rf"\b{item['steps'][0]['id']}\b", item["steps"][1]["expr"] + item["steps"][-1]["expr"]):
        return False
    del item["steps"][0]
    return True


@kind("C3-REPLAY", "the last step is gone")
def last_step_missing(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, [item for item in draft.dimensions(answer_type="precise") if len(item["steps"]) > 1])
    if item is None:
        return False
    item["steps"].pop()
    return True


@kind("C3-REPLAY", "a fact that an answer rests on is gone")
def fact_missing(draft: Draft, rng: random.Random) -> bool:
    name = rng.choice(sorted(_input_names(draft)))
    fact = choose(rng, draft.facts_where(rank="primary", name=name, period="FY2023"))
    if fact is None:
        return False
    draft.facts.remove(fact)
    return True


def _input_names(draft: Draft) -> set[str]:
    words = {word for item, step in steps_of(draft) for word in re.findall(r"[a-z][a-z0-9_.]*", step["expr"])}
    return {row["name"] for row in draft.facts} & words


@kind("C3-REPLAY", "a figure of half a year where the year is asked for")
def half_year_figure(draft: Draft, rng: random.Random) -> bool:
    used = _input_names(draft)
    fact = choose(rng, [row for row in draft.facts_where(rank="primary", period="FY2023") if row["name"] in used])
    if fact is None:
        return False
    fact["period"] = "2023-01-01/2023-06-30"
    return True


@kind("C3-REPLAY", "a range whose low end lies above its high end")
def range_turned_round(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, draft.dimensions(answer_type="range"))
    if item is None:
        return False
    low, high = (next(step for step in item["steps"] if step["id"] == name) for name in ("low", "high"))
    low["expr"], high["expr"] = high["expr"], low["expr"]
    return True


@kind("C3-UNIT-MISMATCH", "a dimension with another unit than its answer")
def unit_of_dimension_wrong(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, [item for item in draft.dimensions(answer_type="precise") if item["unit"] not in ("rank", "pp")])
    if item is None:
        return False
    item["unit"] = "GBP" if item["unit"] == "percent" else "percent"
    item["scoring"] = {"full": "0.05 pp" if item["unit"] == "percent" else "1%"}
    return True


@kind("C3-UNIT-MISMATCH", "an amount where a share of it is asked for: the division is forgotten")
def division_forgotten(draft: Draft, rng: random.Random) -> bool:
    items = [item for item in draft.dimensions(unit="percent", answer_type="precise") if "/" in end_step(item)["expr"]]
    item = choose(rng, items)
    if item is None:
        return False
    head = end_step(item)["expr"].split("/")[0].strip()
    if head.count("(") != head.count(")"):
        return False
    end_step(item)["expr"] = head
    return True


@kind("C3-UNIT-MISMATCH", "a figure in another currency than the rest")
def currency_mixed(draft: Draft, rng: random.Random) -> bool:
    used = _input_names(draft)
    facts = [row for row in draft.facts_where(rank="primary", period="FY2023", scale="6") if row["name"] in used]
    fact = choose(rng, facts)
    if fact is None:
        return False
    fact["unit"] = "GBP"
    return True


@kind("C3-UNIT-MISMATCH", "an amount added to a ratio")
def amount_added_to_ratio(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, [item for item in draft.dimensions(unit="percent") if "revenue" in end_step(item)["expr"]])
    if item is None:
        return False
    end_step(item)["expr"] += " + revenue"
    return True


add(
    "answer_type_differs",
    "C3-ANSWER-TYPE-DIFFERS",
    "another answer type in cells.csv than in task.yaml",
    setting("cells", "answer_type", "range", lambda draft, row: row["answer_type"] == "precise"),
)


def _stated(change: Callable[[Decimal], Decimal], draft: Draft, rng: random.Random) -> bool:
    row = choose(rng, [row for row in draft.cells if row.get("stated_value") and Decimal(row["stated_value"]) > 2])
    if row is None:
        return False
    row["stated_value"] = canonical(change(Decimal(row["stated_value"])))
    return True


for name, says, scaled in (
    ("stated_in_thousands", "a second opinion a thousand times too small", lambda value: value / 1000),
    ("stated_as_fraction", "a second opinion a hundred times too small", lambda value: value / 100),
    ("stated_negative", "a second opinion with the other sign", lambda value: -value),
    ("stated_a_tenth_off", "a second opinion a tenth off", lambda value: value * Decimal("1.1")),
):
    add(name, "C3-SECOND-OPINION", says, partial(_stated, scaled))


@kind("C3-SECOND-OPINION", "a digit of the second opinion mistyped")
def stated_mistyped(draft: Draft, rng: random.Random) -> bool:
    row = choose(rng, [row for row in draft.cells if len(row.get("stated_value", "")) > 3])
    if row is None:
        return False
    row["stated_value"] = mistyped(rng, row["stated_value"])
    return True


@kind("C3-SECOND-OPINION", "low and high of a range stated the wrong way round")
def stated_range_turned_round(draft: Draft, rng: random.Random) -> bool:
    row = choose(rng, draft.cells_where(answer_type="range"))
    if row is None:
        return False
    row["low"], row["high"] = "99999999999", "1"
    return True


@kind("C3-SECOND-READING", "an independent second reading that gives another value, and nobody decided")
def second_reading_differs(draft: Draft, rng: random.Random) -> bool:
    row = choose(rng, [row for row in draft.cells if row.get("stated_value")])
    if row is None:
        return False
    value = canonical(Decimal(row["stated_value"]) + 7)
    reading = {"entity": row["entity"], "dimension": row["dimension"], "annotator": "cleo", "value": value}
    draft.tables["annotations"].append(reading)
    return True


@kind("C3-SECOND-READING", "an independent second reading that finds nothing, and nobody decided")
def second_reading_finds_nothing(draft: Draft, rng: random.Random) -> bool:
    row = rng.choice([row for row in draft.cells if row["answer_type"] == "precise"])
    reading = {"entity": row["entity"], "dimension": row["dimension"], "answer_type": "not_available"}
    draft.tables["annotations"].append(reading)
    return True


@kind("C3-CHECK-FAILS", "a part that no longer adds up to its whole, document and all")
def part_off(draft: Draft, rng: random.Random) -> bool:
    checked = {word for item in draft.task["dimensions"] for check in item.get("checks", ()) for word in _heads(check)}
    fact = choose(rng, [row for row in draft.facts_where(rank="primary", period="FY2023") if row["name"] in checked])
    if fact is None:
        return False
    figure = mistyped(rng, fact["as_written"][:-2]) + fact["as_written"][-2:]  # by more than its rounding
    old, new = (Decimal(re.sub(r"\D", "", text)) for text in (fact["as_written"], figure))
    draft.restate_figure(fact, figure, Decimal(fact["value"]) / old * new)
    return True


def _heads(check: Item) -> set[str]:
    """Names that stand in a check for one fact, and the parts of a sum; facts with checks must have both."""
    names = set(re.findall(r"\b(gross_profit)\b", check["expr"]))
    return names | ({"revenue.beer", "revenue.cider"} if "sum(revenue.*)" in check["expr"] else set())


@kind("C3-CHECK-BROKEN", "a check that cannot be worked out")
def check_broken(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, [item for item in draft.task["dimensions"] if item.get("checks")])
    if item is None:
        return False
    item["checks"] = [{"expr": "1 / (1 - 1) == 1"}]
    return True


@kind("C3-TOLERANCE-TIGHT", "a tolerance tighter than the figures' last digits")
def tolerance_tight(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, draft.dimensions(unit="percent", answer_type="precise"))
    if item is None:
        return False
    item["scoring"] = {"full": "0.000001 pp"}
    item.pop("overrides", None) if item["id"] != "research_share" else None
    return True


@kind("C3-TOLERANCE-TIGHT", "figures rounded to thousands of millions under a narrow tolerance")
def figures_coarse(draft: Draft, rng: random.Random) -> bool:
    steps = " ".join(str(item["steps"]) for item in draft.dimensions(unit="percent", answer_type="precise"))
    used = {name for name in ("cost", "research", "income_tax") if re.search(rf"\b{name}\b", steps)}
    facts = [row for row in draft.facts_where(rank="primary", period="FY2023") if row["name"] in used]
    fact = choose(rng, [row for row in facts if Decimal(row["value"]).scaleb(-8) % 10 not in (0, 1, 9)])
    if fact is None:
        return False
    billions = max(1, round(Decimal(fact["value"]).scaleb(-9)))
    figure = f"({billions})" if fact["as_written"].startswith("(") else str(billions)
    draft.restate_figure(fact, figure, Decimal(billions).scaleb(9))
    fact["scale"] = "9"
    return True


@kind("C3-STEP-UNUSED", "a step that leads nowhere")
def step_unused(draft: Draft, rng: random.Random) -> bool:
    item = rng.choice(draft.task["dimensions"])
    first = item["steps"][0]
    item["steps"].insert(0, {"id": "idle", "expr": first["expr"]})
    return True


@kind("C3-FACT-UNUSED", "a primary fact that nothing uses")
def fact_unused(draft: Draft, rng: random.Random) -> bool:
    like = rng.choice(draft.facts_where(rank="primary"))
    fact = {**like, "id": f"{like['entity']}.staff_cost.fy2023", "name": "staff_cost", "period": "FY2023"}
    fact["quote"] = f"Staff cost {fact['as_written']} in all"
    draft.facts.append(fact)
    draft.with_quote(fact, fact["quote"])
    return True


for column, text, rule in (("basis", "adjusted", "C3-BASIS-MIXED"), ("scope", "parent", "C3-SCOPE-MIXED")):

    def _filed_otherwise(column: str, text: str, draft: Draft, rng: random.Random) -> bool:
        used = _input_names(draft) & {"cost", "capex", "research", "cost_of_revenue", "operating_cash_flow"}
        fact = choose(rng, [row for row in draft.facts_where(rank="primary", period="FY2023") if row["name"] in used])
        if fact is None:
            return False
        fact[column] = text
        return True

    says = f"a figure of another {column} among the rest"
    add(f"{column}_mixed", rule, says, partial(_filed_otherwise, column, text))


@kind("C3-PERIOD-MIXED", "a quarter's figure over a year's")
def quarter_in_a_year(draft: Draft, rng: random.Random) -> bool:
    used = _input_names(draft) & {"cost", "capex", "income_tax"}
    fact = choose(rng, [row for row in draft.facts_where(rank="primary", period="FY2023") if row["name"] in used])
    if fact is None:
        return False
    draft.task["periods"]["Q4"] = {"default": "2023-10-01/2023-12-31"}
    for other in draft.facts_where(name=fact["name"], period="FY2023"):
        other["period"] = "Q4"
    for _, step in steps_of(draft):
        step["expr"] = re.sub(rf"(?<![.\w]){fact['name']}\b(?![\[.])", f"{fact['name']}['Q4']", step["expr"])
    return True


def _divisor(value: str, draft: Draft, rng: random.Random) -> bool:
    found = [item for item in draft.task["assumptions"] if item["id"] == "years"]
    if not found:
        return False
    found[0]["value"] = value
    return True


add("mean_divided_by_four", "C3-MEAN-DIVISOR", "a mean over three divided by four", partial(_divisor, "4"))
add("mean_divided_by_five", "C3-MEAN-DIVISOR", "a mean over three divided by five", partial(_divisor, "5"))


def _dimension(name: str, *steps: tuple[str, str]) -> Callable[[Draft, random.Random], bool]:
    def plant(draft: Draft, rng: random.Random) -> bool:
        found = draft.dimensions(id=name)
        others = {other for _, expr in steps for other in re.findall(r"cells\.(\w+)", expr)}
        if not found or others - {item["id"] for item in draft.task["dimensions"]}:
            return False
        if {label for _, expr in steps for label in re.findall(r"\['(\w+)'\]", expr)} - set(draft.task["periods"]):
            return False
        fresh_steps(found[0], *steps)
        return True

    return plant


for name, rule, says, dimension, steps in (
    (
        "mean_divided_by_two",
        "C3-MEAN-DIVISOR",
        "a sum of three, written with plus signs, divided by two",
        "average_revenue",
        (("total", "revenue + revenue[-1] + revenue[-2]"), ("answer", "total / 2")),
    ),
    (
        "mean_not_divided",
        "C3-MEAN-DIVISOR",
        "a mean that nobody divides",
        "average_revenue",
        (("answer", "sum(revenue, revenue[-1], revenue[-2])"),),
    ),
    (
        "mean_counts_another_list",
        "C3-MEAN-DIVISOR",
        "a sum over the count of another list",
        "average_revenue",
        (("answer", "sum(revenue.*) / count(all.revenue)"),),
    ),
    (
        "difference_reversed",
        "C3-CHANGE-REVERSED",
        "last year less this year",
        "revenue_growth",
        (("change", "revenue[-1] - revenue"), ("answer", "change / revenue[-1]")),
    ),
    (
        "growth_reversed",
        "C3-CHANGE-REVERSED",
        "last year over this year, less one",
        "revenue_growth",
        (("answer", "revenue[-1] / revenue - 1"),),
    ),
    (
        "margins_reversed",
        "C3-CHANGE-REVERSED",
        "last year's margin less this year's",
        "margin_change",
        (
            ("now", "(revenue - cost) / revenue"),
            ("before", "(revenue[-1] - cost[-1]) / revenue[-1]"),
            ("answer", "before - now"),
        ),
    ),
    (
        "growth_on_this_year",
        "C3-CHANGE-BASE",
        "growth divided by this year",
        "revenue_growth",
        (("change", "revenue - revenue[-1]"), ("answer", "change / revenue")),
    ),
    (
        "growth_on_the_year_before_last",
        "C3-CHANGE-BASE",
        "growth divided by the year before last",
        "revenue_growth",
        (("answer", "(revenue - revenue[-1]) / revenue['FY2021']"),),
    ),
    (
        "ratio_of_two_years",
        "C3-RATIO-PERIODS",
        "last year's cost under this year's revenue",
        "margin_change",
        (("now", "(revenue - cost) / revenue"), ("before", "cost[-1] / revenue"), ("answer", "now - before")),
    ),
    (
        "difference_of_two_years",
        "C3-RATIO-PERIODS",
        "last year's cost taken from this year's revenue",
        "margin_change",
        (
            ("now", "(revenue - cost[-1]) / revenue"),
            ("before", "(revenue[-1] - cost[-1]) / revenue[-1]"),
            ("answer", "now - before"),
        ),
    ),
    (
        "percent_of_percent",
        "C3-PERCENT-OF-PERCENT",
        "a percentage divided by a percentage",
        "market_part",
        (("answer", "market / cells.gross_margin"),),
    ),
):
    add(name, rule, says, _dimension(dimension, *steps))


@kind("C3-POINTS-NEEDED", "a difference of percentages filed as percent")
def points_as_percent(draft: Draft, rng: random.Random) -> bool:
    found = draft.dimensions(id="margin_change")
    if not found:
        return False
    found[0]["unit"] = "percent"
    return True


@kind("C3-PERCENT-OF-PERCENT", "a hundred put into an answer that is in percent already")
def hundred_twice(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, draft.dimensions(unit="percent", answer_type="precise"))
    if item is None:
        return False
    draft.task["assumptions"].append({"id": "hundred", "value": "100", "reason": "to make it percent"})
    end_step(item)["expr"] = f"({end_step(item)['expr']}) * hundred"
    return True


@kind("C3-ANSWER-NOT-LAST", "the last step stands after the answer")
def step_after_the_answer(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, draft.dimensions(answer_type="precise"))
    if item is None:
        return False
    item["steps"].append({"id": "rounded_up", "expr": "answer * 2"})
    return True


@kind("C3-ASSUMPTION-UNUSED", "an assumption that nothing uses")
def assumption_unused(draft: Draft, rng: random.Random) -> bool:
    draft.task["assumptions"].append({"id": "duty_rate", "value": "7", "unit": "percent", "reason": "scenario"})
    return True
