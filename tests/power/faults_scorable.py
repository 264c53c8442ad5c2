"""Faults against condition 5: rules, near misses, claims, prompts and trial runs."""

from __future__ import annotations

import random
from decimal import Decimal
from functools import partial
from typing import Any

from cellwright.records.derivations import CellResult, Evaluator
from tests.power.draft import Draft
from tests.power.kinds import add, choose, end_step, fresh_steps, kind

Item = dict[str, Any]


def _money(draft: Draft) -> list[Item]:
    return [item for item in draft.dimensions(answer_type="precise") if item["unit"] in ("EUR", "USD", "CHF")]


def _percent(draft: Draft) -> list[Item]:
    return [item for item in draft.dimensions(answer_type="precise") if item["unit"] in ("percent", "pp")]


def _precise(draft: Draft) -> list[Item]:
    return [item for item in draft.dimensions(answer_type="precise") if item["unit"] != "rank"]


def _scoring(items: Any, scoring: dict[str, str], draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, items(draft))
    if item is None:
        return False
    item["scoring"] = {**item["scoring"], **scoring}
    return True


for name, rule, says, items, scoring in (
    ("tolerance_unreadable", "C5-RULE-UNREADABLE", "a tolerance in words", _precise, {"full": "about right"}),
    ("tolerance_of_another_unit", "C5-RULE-UNREADABLE", "a tolerance in litres", _money, {"full": "5 litre"}),
    ("tolerance_missing", "C5-RULE-UNREADABLE", "a precise dimension without tolerance", _precise, {"full": ""}),
    ("tolerance_relative_on_percent", "C5-PERCENT-RELATIVE", "2 % of a percentage", _percent, {"full": "2%"}),
    ("tolerance_wide", "C5-TOLERANCE-WIDE", "a tolerance of 9 %", _money, {"full": "9%"}),
    ("tolerance_wide_in_points", "C5-TOLERANCE-WIDE", "a tolerance of 3 points", _percent, {"full": "3 pp"}),
):
    add(name, rule, says, partial(_scoring, items, scoring))


@kind("C5-TOLERANCE-WIDE", "an absolute tolerance of many thousands of millions")
def tolerance_wide_in_money(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, _money(draft))
    if item is None:
        return False
    item["scoring"] = {"full": f"90000000000 {item['unit']}"}
    return True


@kind("C5-TOLERANCE-WIDE", "a rank that may be one off")
def tolerance_on_a_rank(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, draft.dimensions(unit="rank"))
    if item is None:
        return False
    item["scoring"] = {"full": "1 rank"}
    return True


@kind("C5-ZERO-RELATIVE", "a relative tolerance where the answer is 0")
def zero_with_relative_tolerance(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, _money(draft))
    if item is None:
        return False
    end_step(item)["expr"] = f"({end_step(item)['expr']}) - ({end_step(item)['expr']})"
    item["scoring"] = {"full": "1%"}
    return True


def _answers(draft: Draft, item: Item) -> list[CellResult]:
    folder = draft.folder()
    evaluator = Evaluator(folder.task, folder.facts, locales=folder.locales)
    found = [evaluator.try_cell(entity, item["id"]) for entity in draft.entities()]
    return [result for result in found if isinstance(result, CellResult) and result.value is not None]


@kind("C5-NEAR-MISS-PAYS", "a near miss that the rule takes for right")
def near_miss_pays(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, _money(draft))
    if item is None:
        return False
    draft.task["assumptions"].append({"id": "slip", "value": "1.003", "reason": "a slip"})
    item["near_misses"] = [{"id": "slipped", "expr": f"({end_step(item)['expr']}) * slip", "why": "a slip"}]
    item["scoring"] = {"full": "2%"}
    item.pop("overrides", None)
    return True


@kind("C5-NEAR-MISS-INDISTINGUISHABLE", "a near miss that is the answer, written another way")
def near_miss_is_the_answer(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, [item for item in _precise(draft) if item["unit"] != "pp"])
    if item is None:
        return False
    item["near_misses"] = [{"id": "doubled", "expr": f"2 * ({end_step(item)['expr']}) / 2", "why": "none"}]
    return True


@kind("C5-NEAR-MISS-BROKEN", "a near miss that names what is not there")
def near_miss_broken(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, [item for item in _precise(draft) if item.get("near_misses")])
    if item is None:
        return False
    item["near_misses"][0]["expr"] += " + turnover"
    return True


@kind("C5-NEAR-MISS-BROKEN", "a near miss that names a step that was renamed")
def near_miss_of_a_lost_step(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, _precise(draft))
    if item is None:
        return False
    item["near_misses"] = [{"id": "earlier", "expr": "subtotal / 2", "why": "a step before the last"}]
    return True


@kind("C5-NEAR-MISS-ABSENT", "a dimension that names no misstep")
def near_misses_absent(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, _precise(draft))
    if item is None:
        return False
    item["near_misses"] = []
    item.pop("overrides", None)
    return True


def _claimed(claim: str, draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, [item for item in _money(draft) if item.get("near_misses")])
    if item is None:
        return False
    item["near_misses"] = [{"id": "half", "expr": f"({end_step(item)['expr']}) / 2", "why": "halved", "claim": claim}]
    return True


for name, rule, claim, says in (
    ("claim_unreadable", "C5-CLAIM-UNREADABLE", "a third more", "a claim in words"),
    ("claim_of_the_other_sign", "C5-CLAIM-WRONG", "50% above", "above claimed of what lies below"),
    ("claim_of_another_base", "C5-CLAIM-WRONG", "100% below", "a distance taken of the near miss"),
    ("claim_off", "C5-CLAIM-WRONG", "34 % below", "34 % claimed where it is 50"),
    ("claim_of_a_neighbour", "C5-CLAIM-WRONG", "53% below", "three points off"),
):
    add(name, rule, says, partial(_claimed, claim))


@kind("C5-RANK-FLIPS", "two figures alike in all their digits under a rank")
def rank_flips(draft: Draft, rng: random.Random) -> bool:
    if not draft.dimensions(unit="rank"):
        return False
    name = "research" if draft.facts_where(name="research") else "rnd_expense"
    facts = draft.facts_where(name=name, period="FY2023", rank="primary")
    if len(facts) < 2:
        return False
    one, other = rng.sample(facts, 2)
    old, new = other["as_written"], one["as_written"]
    other.update(as_written=new, value=one["value"], scale=one["scale"], sign=one["sign"])
    draft.with_quote(other, other["quote"].replace(old, new))
    return True


@kind("C5-RANK-FLIPS", "a yes or no that the last digits do not settle")
def yes_or_no_unsettled(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, _money(draft))
    if item is None:
        return False
    fact = choose(rng, draft.facts_where(rank="primary", period="FY2023", unit=item["unit"], name="revenue"))
    if fact is None:
        return False
    value = str(int(fact["value"]) - 1)
    draft.task["assumptions"].append({"id": "bar", "value": value, "unit": item["unit"], "reason": "a bar"})
    fresh_steps(item, ("answer", "revenue > bar"))
    item.update(unit="yes_no", scoring={"full": "exact"}, near_misses=[], checks=[])
    item.pop("overrides", None)
    return True


def _tell(draft: Draft, rng: random.Random, places: int) -> str:
    item = choose(rng, _money(draft))
    results = _answers(draft, item) if item else []
    result = choose(rng, [result for result in results if result.value and abs(result.value) > 10**9])
    if result is None or result.value is None:
        return ""
    return f"{round(result.value / 10**6, places):,}" + " million"


@kind("C5-PROMPT-TELLS", "an ask that gives the answer as an example")
def ask_tells_the_answer(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, _percent(draft))
    results = [result for result in _answers(draft, item) if result.value and abs(result.value) > 10] if item else []
    result = choose(rng, results)
    if item is None or result is None:
        return False
    item["ask"] += f" For example {result.value:.2f} percent."
    return True


@kind("C5-PROMPT-TELLS", "a question that tells an answer")
def question_tells_the_answer(draft: Draft, rng: random.Random) -> bool:
    told = _tell(draft, rng, 0)
    draft.task["question"] += f" One of them came to {told}."
    return bool(told)


@kind("C5-PROMPT-TELLS", "an assumption's reason that tells an answer")
def reason_tells_the_answer(draft: Draft, rng: random.Random) -> bool:
    told, item = _tell(draft, rng, 0), choose(rng, draft.task["assumptions"])
    if item is None:
        return False
    item["reason"] += f", as one came to {told}"
    return bool(told)


@kind("C5-PROMPT-TELLS", "an ask that tells a near answer, which the rule takes for right")
def ask_tells_a_near_answer(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, [item for item in _money(draft) if item["scoring"].get("full", "").endswith("%")])
    results = [result for result in _answers(draft, item) if result.value and abs(result.value) > 10**9] if item else []
    result = choose(rng, results)
    if item is None or result is None or result.value is None:
        return False
    item["scoring"] = {"full": "2%"}
    item["ask"] += f" About {round(result.value * 101 / 10**8, 0):,} million came of one."
    return True


for name, text, says in (
    ("ask_gives_an_address", " See https://www.sec.gov/edgar for it.", "an address in the ask"),
    ("ask_gives_a_tier", " Take a T1 source.", "a tier in the ask"),
):

    def _asked(text: str, draft: Draft, rng: random.Random) -> bool:
        rng.choice(draft.task["dimensions"])["ask"] += text
        return True

    add(name, "C5-PROMPT-SOURCE", says, partial(_asked, text))


@kind("C5-PROMPT-SOURCE", "the host of a source in the question")
def question_gives_a_host(draft: Draft, rng: random.Random) -> bool:
    host = rng.choice(draft.sources)["url"].split("/")[2].removeprefix("www.")
    draft.task["question"] += f" Look at {host}."
    return True


@kind("C5-TIER-LOST", "a range ten times as wide earns as much as one that fits")
def wide_range_pays(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, draft.dimensions(answer_type="range"))
    if item is None:
        return False
    item["scoring"] = {"overlap": "0.05"}
    return True


@kind("C5-TIER-LOST", "twice the answer earns a half")
def twice_the_answer_pays(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, _money(draft))
    if item is None:
        return False
    item["scoring"] = {**item["scoring"], "partial": "100%"}
    return True


@kind("C5-CONSTANT-PAYS", "a dimension that all entities answer alike")
def one_answer_for_all(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, [item for item in _precise(draft) if "revenue" in str(item["steps"])])
    if item is None:
        return False
    draft.task["assumptions"].append({"id": "lot", "value": "7", "reason": "a lot"})
    fresh_steps(item, ("answer", "lot * revenue / revenue"))
    item.update(unit="percent", scoring={"full": "0.05 pp"}, near_misses=[], checks=[])
    item.pop("overrides", None)
    return True


@kind("C5-CONSTANT-PAYS", "a figure that all entities report alike")
def one_figure_for_all(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, draft.dimensions(id="market_part") + draft.dimensions(id="earnings_per_share"))
    if item is None:
        return False
    name = end_step(item)["expr"]
    facts = draft.facts_where(name=name, period="FY2023", rank="primary")
    for fact in facts[1:]:
        draft.restate_figure(fact, facts[0]["as_written"], Decimal(facts[0]["value"]))
    return True


def _pilots(score: str, closed: str, draft: Draft, rng: random.Random) -> bool:
    for row in rng.sample(draft.cells, 5):
        pilot = {"run": "r1", "entity": row["entity"], "dimension": row["dimension"], "score": score}
        draft.tables["pilots"].append(pilot | {"closed_book": closed})
    return True


for name, rule, score, closed, says in (
    ("too_easy", "C5-DIFFICULTY", "1", "", "trial runs get everything right"),
    ("too_hard", "C5-DIFFICULTY", "0", "", "trial runs get nothing right"),
    ("known_by_heart", "C5-CLOSED-BOOK", "1", "yes", "trial runs without sources get it right"),
):
    add(name, rule, says, partial(_pilots, score, closed))
