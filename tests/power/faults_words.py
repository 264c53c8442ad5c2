"""Faults in what `task.yaml` says in words, names and dates: what a copy, a paste or a haste leaves behind."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import partial
from typing import Any

from tests.power.draft import Draft
from tests.power.kinds import add, choose, end_step, kind

Item = dict[str, Any]
MONEY = ("USD", "EUR", "CHF")
WORDS = {"USD": "US dollars", "EUR": "euros", "CHF": "Swiss francs"}


def _of_unit(draft: Draft, *units: str) -> list[Item]:
    return [item for item in draft.task["dimensions"] if item["unit"] in units]


def _asked(change: Callable[[Draft, Item], str | None], draft: Draft, rng: random.Random) -> bool:
    """Give one dimension another ask, where the change has one for it."""
    items = [item for item in draft.task["dimensions"] if change(draft, item)]
    item = choose(rng, items)
    if item is None:
        return False
    item["ask"] = change(draft, item)
    return True


def _percent(item: Item) -> bool:
    return item["unit"] == "percent" and item["answer_type"] == "precise"


for name, rule, says, change in (
    (
        "ask_of_another_year",
        "C5-ASK-PERIOD",
        "an ask that names a year that is not the dimension's period",
        lambda draft, item: f"{item['ask'].rstrip('.')}, in fiscal 2019.",
    ),
    (
        "ask_of_the_year_before",
        "C5-ASK-PERIOD",
        "an ask that names the year before the dimension's period",
        lambda draft, item: None if "[-" in str(item["steps"]) else f"For fiscal year 2021: {item['ask']}",
    ),
    (
        "ask_of_another_currency",
        "C5-ASK-UNIT",
        "an ask that names another currency than the unit, in words",
        lambda draft, item: (
            f"{item['ask'].rstrip('.')}, in {WORDS['EUR' if item['unit'] == 'USD' else 'USD']}."
            if item["unit"] in MONEY
            else None
        ),
    ),
    (
        "ask_of_another_currency_s_code",
        "C5-ASK-UNIT",
        "an ask that names another currency than the unit, by its code",
        lambda draft, item: (
            f"{item['ask'].rstrip('.')} (in {'EUR' if item['unit'] == 'USD' else 'USD'})."
            if item["unit"] in MONEY
            else None
        ),
    ),
    (
        "ask_of_a_percentage_for_money",
        "C5-ASK-UNIT",
        "an ask for a percentage where the unit is money",
        lambda draft, item: f"{item['ask'].rstrip('.')}, in percent to one decimal." if item["unit"] in MONEY else None,
    ),
    (
        "ask_of_money_for_a_percentage",
        "C5-ASK-UNIT",
        "an ask in millions where the unit is percent",
        lambda draft, item: "Cost of sales of the year, in millions of US dollars." if _percent(item) else None,
    ),
    (
        "ask_without_decimals",
        "C5-ASK-DECIMALS",
        "a percentage asked without a number of decimals",
        lambda draft, item: (
            re.sub(r",? (?:in percent )?to one decimal", "", item["ask"])
            if _percent(item) and "to one decimal" in item["ask"]
            else None
        ),
    ),
    (
        "ask_of_whole_percents",
        "C5-ASK-DECIMALS",
        "a percentage asked in whole percents under a tolerance of a twentieth of a point",
        lambda draft, item: (
            item["ask"].replace("to one decimal", "to the nearest whole percent")
            if _percent(item) and item["scoring"].get("full") == "0.05 pp" and "one decimal" in item["ask"]
            else None
        ),
    ),
    (
        "ask_of_the_smallest_first",
        "C3-ASK-DIFFERS",
        "an ask that ranks the smallest first, while the derivation ranks the largest first",
        lambda draft, item: (
            "Rank by research expense among those that disclose it, 1 for the smallest."
            if item["unit"] == "rank"
            else None
        ),
    ),
    (
        "ask_of_a_mean",
        "C3-ASK-DIFFERS",
        "an ask for an average where the derivation takes none",
        lambda draft, item: (
            f"Average over three years of: {item['ask']}"
            if item["answer_type"] == "precise" and not re.search("sum|mean", str(item["steps"]))
            else None
        ),
    ),
    (
        "ask_of_a_median",
        "C3-ASK-DIFFERS",
        "an ask for a median where the derivation takes a mean",
        lambda draft, item: (
            "Median revenue of the three fiscal years to this one." if item["id"] == "average_revenue" else None
        ),
    ),
    (
        "ask_left_to_do",
        "C1-PLACEHOLDER",
        "a note to oneself left in an ask",
        lambda draft, item: f"{item['ask']} TODO: check the wording",
    ),
    ("ask_of_filler", "C1-PLACEHOLDER", "a filler in the place of an ask", lambda draft, item: "xxx"),
    (
        "ask_with_a_hidden_space",
        "C1-HIDDEN-CHARACTERS",
        "a space of no width in an ask",
        lambda draft, item: item["ask"].replace(" ", " \u200b", 1),
    ),
    (
        "ask_turned_round",
        "C1-HIDDEN-CHARACTERS",
        "a mark in an ask that turns the direction of writing",
        lambda draft, item: "\u202e" + item["ask"],
    ),
    (
        "ask_with_a_letter_of_another_script",
        "C1-HIDDEN-CHARACTERS",
        "a letter of another script that looks alike in an ask",
        lambda draft, item: item["ask"].replace("e", "\u0435", 1) if "e" in item["ask"] else None,
    ),
    (
        "ask_broken_by_an_encoding",
        "C1-MOJIBAKE",
        "letters broken by a wrong encoding in an ask",
        lambda draft, item: item["ask"].rstrip(".") + " (soci\u00c3\u00a9t\u00c3\u00a9).",
    ),
    (
        "ask_copied_from_a_neighbour",
        "C1-ASKED-TWICE",
        "an ask copied from another dimension",
        lambda draft, item: next(
            (other["ask"] for other in draft.task["dimensions"] if other["id"] != item["id"]), None
        ),
    ),
):
    add(name, rule, says, partial(_asked, change))


def _two(draft: Draft, rng: random.Random) -> tuple[Item, Item]:
    one, other = rng.sample(draft.task["entities"], 2)
    return one, other


@kind("C1-ENTITY-CONFUSED", "an alias that is another entity's name")
def alias_of_another_entity(draft: Draft, rng: random.Random) -> bool:
    one, other = _two(draft, rng)
    one["aliases"] = [*one.get("aliases", []), other["name"]]
    return True


@kind("C1-ENTITY-CONFUSED", "an alias that two entities have")
def alias_of_two(draft: Draft, rng: random.Random) -> bool:
    one, other = _two(draft, rng)
    for item in (one, other):
        item["aliases"] = [*item.get("aliases", []), "The Group"]
    return True


@kind("C1-ENTITY-CONFUSED", "two entities of one name, spelt another way")
def one_company_twice(draft: Draft, rng: random.Random) -> bool:
    one, other = _two(draft, rng)
    one["name"], other["name"] = "Acme Brewing Inc.", "ACME Brewing, Inc"
    one["aliases"] = other["aliases"] = []
    return True


@kind("C1-ENTITY-CONFUSED", "two entities with one ticker")
def ticker_of_two(draft: Draft, rng: random.Random) -> bool:
    for item in _two(draft, rng):
        item["identifiers"] = {"ticker": "ACME"}
    return True


@kind("C1-ENTITY-CURRENCY", "an entity said to report in another currency than its figures")
def currency_of_entity_wrong(draft: Draft, rng: random.Random) -> bool:
    rng.choice(draft.task["entities"])["currency"] = "JPY"
    return True


@kind("C1-HIDDEN-CHARACTERS", "a letter of another script in an entity's name")
def name_with_a_letter_of_another_script(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, [item for item in draft.task["entities"] if "a" in item["name"]])
    if item is None:
        return False
    item["name"] = item["name"].replace("a", "\u0430", 1)
    return True


def _dates(draft: Draft, change: dict[str, str]) -> bool:
    for label, dates in change.items():
        draft.task["periods"][label] = {"default": dates}
    return all("/" not in fact["quote"] for fact in draft.facts)  # the shipped task's quotes tell their dates


@kind("C1-PERIOD-LABEL", "a label of a year with the dates of another")
def label_of_another_year(draft: Draft, rng: random.Random) -> bool:
    years = {"FY2023": "2022", "FY2022": "2021", "FY2021": "2020"}
    return _dates(draft, {label: f"{year}-01-01/{year}-12-31" for label, year in years.items()})


@kind("C1-PERIOD-GAP", "a month that lies between two fiscal years")
def month_between_years(draft: Draft, rng: random.Random) -> bool:
    return _dates(draft, {"FY2022": "2021-12-16/2022-12-15", "FY2021": "2020-12-16/2021-12-15"})


@kind("C1-PERIOD-GAP", "a fiscal year of one's own for this year and not for the year before")
def year_of_one_s_own_once(draft: Draft, rng: random.Random) -> bool:
    entity = rng.choice(draft.entities())
    if any(entity in dates for dates in draft.task["periods"].values()):
        return False
    draft.task["periods"]["FY2023"][entity] = "2023-01-16/2024-01-15"
    return True


@kind("reading", "dates of an entity whose id is mistyped")
def period_of_unknown_entity(draft: Draft, rng: random.Random) -> bool:
    draft.task["periods"]["FY2023"][f"{rng.choice(draft.entities())}x"] = "2023-02-01/2024-01-31"
    return True


@kind("C1-PERIOD-OVERLAP", "one year under two labels")
def year_under_two_labels(draft: Draft, rng: random.Random) -> bool:
    draft.task["periods"]["FY2020"] = dict(draft.task["periods"]["FY2022"])
    return True


@kind("reading", "a day that the year does not have: February 29 of 2023")
def leap_day_that_is_none(draft: Draft, rng: random.Random) -> bool:
    draft.task["periods"]["FY2022"]["default"] = "2022-03-01/2023-02-29"
    return True


@kind("C1-DATE-UNLIKELY", "as_of in a century to come: two digits changed places")
def as_of_in_another_century(draft: Draft, rng: random.Random) -> bool:
    draft.task["as_of"] = draft.task["as_of"].replace("2024", "2204").replace("2025", "2205")
    return True


@kind("C5-ASSUMPTION-CONTRADICTED", "an ask that gives an assumption another value")
def ask_gives_another_assumption(draft: Draft, rng: random.Random) -> bool:
    for item in draft.task["assumptions"]:
        for dimension in draft.task["dimensions"]:
            if item["unit"] == "percent" and item["id"] in dimension["ask"]:
                dimension["ask"] = dimension["ask"].replace(item["id"], f"{item['id']} (17 percent)", 1)
                return True
    return False


@kind("reading", "an assumption for an entity whose id is mistyped")
def assumption_of_unknown_entity(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, [item for item in draft.task["assumptions"] if item.get("value")])
    if item is None:
        return False
    item["values"] = {**dict.fromkeys(draft.entities(), item.pop("value")), "nobody": "12"}
    return True


@kind("C3-REPLAY", "an assumption that one entity lacks")
def assumption_lacks_an_entity(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, [item for item in draft.task["assumptions"] if item.get("value")])
    if item is None:
        return False
    item["values"] = dict.fromkeys(draft.entities()[1:], item.pop("value"))
    return True


@kind("C5-PROMPT-TELLS", "a figure of a document typed as an assumption")
def fact_typed_as_assumption(draft: Draft, rng: random.Random) -> bool:
    if not draft.dimensions(id="total_revenue"):  # else the figure is no answer, and nothing tells it from a scenario
        return False
    item = choose(rng, [item for item in draft.task["dimensions"] if re.search(r"/ revenue$", end_step(item)["expr"])])
    fact = choose(rng, draft.facts_where(name="revenue", rank="primary", period="FY2023"))
    if item is None or fact is None or item["answer_type"] != "precise":
        return False
    values = {row["entity"]: row["value"] for row in draft.facts_where(name="revenue", rank="primary", period="FY2023")}
    assumed = {"id": "base", "values": values, "unit": fact["unit"], "reason": "for the sake of comparison"}
    draft.task["assumptions"].append(assumed)
    end_step(item)["expr"] = re.sub(r"/ revenue$", "/ base", end_step(item)["expr"])
    return True


@kind("C1-NAME-TAKEN", "an assumption named as a fact, whose figure it hides")
def assumption_named_as_a_fact(draft: Draft, rng: random.Random) -> bool:
    fact = rng.choice(draft.facts_where(rank="primary"))
    if "." in fact["name"]:
        return False
    assumed = {"id": fact["name"], "value": "12", "unit": fact["unit"], "reason": "scenario of the question"}
    draft.task["assumptions"].append(assumed)
    return True


@kind("C1-FAMILY-DOUBTFUL", "a figure that is only looked up filed as a derivation, and a derivation as retrieval")
def families_changed_places(draft: Draft, rng: random.Random) -> bool:
    one = choose(rng, draft.dimensions(family="retrieval"))
    other = choose(rng, draft.dimensions(family="derivation"))
    if one is None or other is None:
        return False
    one["family"], other["family"] = "derivation", "retrieval"
    return True


@kind("C1-ASKED-TWICE", "a dimension copied, with another id and the same steps")
def dimension_copied(draft: Draft, rng: random.Random) -> bool:
    items = [
        (one, other)
        for one in draft.dimensions(answer_type="precise")
        for other in draft.dimensions(answer_type="precise")
        if one is not other and one["unit"] == other["unit"] and not other.get("overrides")
    ]
    pair = choose(rng, items)
    if pair is None:
        return False
    one, other = pair
    other["steps"] = [dict(step) for step in one["steps"]]
    other["near_misses"] = [dict(miss) for miss in one["near_misses"]]
    other["checks"] = []
    return True


@kind("C1-REVIEWER-MISSING", "a task called admitted whose cells nobody reviewed")
def admitted_without_review(draft: Draft, rng: random.Random) -> bool:
    draft.task["status"] = "admitted"
    for row in draft.cells:
        row["reviewer"] = ""
    return True
