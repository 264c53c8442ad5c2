"""Faults in what stands beside the answers: reasons, corrections, trial runs, waivers, prompts and the canary."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import partial

from cellwright.documents.html import read_html
from cellwright.records.decimals import canonical
from cellwright.records.derivations import CellResult, Evaluator
from cellwright.records.errors import ExpressionError
from tests.power.draft import Draft, Row
from tests.power.kinds import add, choose, kind

# -- reasons


def _pair(draft: Draft, rng: random.Random) -> tuple[Row, Row, Row] | None:
    """A divergent cell, the fact that it took and the witness that differs, without notes."""
    row = choose(rng, draft.cells_where(agreement="divergent"))
    if row is None:
        return None
    taken = next(fact for fact in draft.facts if fact["id"] == row["chosen"])
    same = draft.facts_where(entity=taken["entity"], name=taken["name"], period=taken["period"], rank="witness")
    for fact in (taken, *same):
        fact["note"] = ""
    return row, taken, same[0]


def _reason(code: str, changes: dict[str, str], draft: Draft, rng: random.Random) -> bool:
    found = _pair(draft, rng)
    if found is None:
        return False
    found[0]["reason_code"] = code
    found[2].update(changes)
    return True


for name, code, changes, says in (
    ("period_of_one_period", "period", {}, "another period, while both are typed and printed for one"),
    ("error_that_nobody_shows", "error", {}, "a mistake, and nothing shows whose"),
    ("scope_not_told", "scope", {"scope": ""}, "another scope, while one fact has none"),
):
    add(name, "C4-REASON-UNSUPPORTED", says, partial(_reason, code, changes))


@kind("C4-REASON-UNSUPPORTED", "another definition, read from the same words without a note")
def definition_of_the_same_words(draft: Draft, rng: random.Random) -> bool:
    found = _pair(draft, rng)
    if found is None:
        return False
    row, taken, witness = found
    row["reason_code"] = "definition"
    witness.update(basis=taken["basis"], row=taken.get("row", ""))
    draft.with_quote(witness, taken["quote"].replace(taken["as_written"], witness["as_written"]))
    return True


@kind("C4-REASON-UNSUPPORTED", "a restatement whose later document has no date")
def restated_without_a_date(draft: Draft, rng: random.Random) -> bool:
    found = _pair(draft, rng)
    if found is None:
        return False
    row, _, witness = found
    row["reason_code"], witness["basis"] = "restated", "reported"
    draft.source(witness["source"])["published"] = ""
    return True


# -- corrections


def _correction(draft: Draft, rng: random.Random) -> Row:
    """A correction that the task bears out."""
    fact = rng.choice(draft.facts_where(rank="primary"))
    row = {
        "id": "digits",
        "entity": fact["entity"],
        "fact": fact["id"],
        "old": canonical(Decimal(fact["value"]) * 2),
        "new": fact["value"],
        "code": "reading",
        "reported_by": "cleo",
        "evidence_url": "https://www.example.org/report.html",
        "released_in": "1.1.0",
    }
    draft.tables["corrections"] = [row]
    return row


def _corrected(changes: dict[str, str], draft: Draft, rng: random.Random) -> bool:
    _correction(draft, rng).update(changes)
    return True


for name, rule, changes, says in (
    ("correction_without_evidence", "C1-CORRECTION-INCOMPLETE", {"evidence_url": ""}, "a correction without evidence"),
    ("correction_with_words_for_address", "C1-CORRECTION-INCOMPLETE", {"evidence_url": "see mail"}, "no address"),
    ("correction_by_nobody", "C1-CORRECTION-INCOMPLETE", {"reported_by": ""}, "a correction that nobody told"),
    ("correction_without_old", "C1-CORRECTION-INCOMPLETE", {"old": ""}, "a correction that does not say what it said"),
    ("correction_of_nothing", "C1-CORRECTION-INCOMPLETE", {"fact": "", "entity": ""}, "a correction about nothing"),
    ("correction_code_unknown", "C1-CORRECTION-CODE", {"code": "typo"}, "a code that there is not"),
    ("correction_release_unknown", "C1-CORRECTION-CODE", {"released_in": "spring"}, "a release that is no version"),
    ("correction_of_no_fact", "C1-ID-UNRESOLVED", {"fact": "alfa.turnover"}, "a correction of no fact"),
):
    add(name, rule, says, partial(_corrected, changes))


@kind("C1-CORRECTION-INCOMPLETE", "a correction that changes nothing")
def correction_of_the_same(draft: Draft, rng: random.Random) -> bool:
    row = _correction(draft, rng)
    row["old"] = row["new"]
    return True


@kind("C1-CORRECTION-STALE", "a correction that was never made")
def correction_undone(draft: Draft, rng: random.Random) -> bool:
    row = _correction(draft, rng)
    row["old"], row["new"] = row["new"], row["old"]
    return True


@kind("C1-CORRECTION-STALE", "a second correction that does not go on from the first")
def correction_chain_broken(draft: Draft, rng: random.Random) -> bool:
    row = _correction(draft, rng)
    draft.tables["corrections"].insert(0, {**row, "id": "first", "old": "1", "new": canonical(Decimal(row["new"]) * 3)})
    return True


@kind("C1-CORRECTION-STALE", "a correction of a cell whose answer is another")
def correction_of_another_answer(draft: Draft, rng: random.Random) -> bool:
    row = choose(rng, draft.cells_where(answer_type="precise"))
    if row is None:
        return False
    _correction(draft, rng).update(
        fact="", entity=row["entity"], dimension=row["dimension"], old="1", new="123456789.123"
    )
    return True


@kind("C1-CORRECTION-STRAY", "a correction filed under another entity")
def correction_of_another_entity(draft: Draft, rng: random.Random) -> bool:
    row = _correction(draft, rng)
    row["entity"] = rng.choice([name for name in draft.entities() if name != row["entity"]])
    return True


@kind("C1-RECORD-TWICE", "two corrections of one id")
def correction_twice(draft: Draft, rng: random.Random) -> bool:
    row = _correction(draft, rng)
    draft.tables["corrections"].append(dict(row))
    return True


# -- trial runs


def _runs(score: str, changes: dict[str, str], runs: int, draft: Draft, rng: random.Random) -> bool:
    """Trial runs of every cell around a half, and one cell that all of them score alike."""
    odd = rng.choice(draft.cells)
    for run in range(runs):
        for row in draft.cells:
            pilot = {"run": f"r{run}", "entity": row["entity"], "dimension": row["dimension"]}
            pilot["score"] = rng.choice(("0.25", "0.5"))
            if row is odd:
                pilot |= {"score": score, **changes}
            draft.tables["pilots"].append(pilot)
    return True


for name, rule, score, changes, says in (
    ("cell_that_nobody_gets", "C5-CELL-NEVER", "0", {}, "a cell that no trial run gets"),
    ("cell_that_everybody_gets", "C5-CELL-ALWAYS", "1", {}, "a cell that every trial run gets"),
    ("score_in_percent", "C5-PILOT-UNUSABLE", "50", {}, "a score in percent"),
    ("score_below_zero", "C5-PILOT-UNUSABLE", "-0.5", {}, "a score below 0"),
    ("score_missing", "C5-PILOT-UNUSABLE", "", {}, "a trial run's line without score"),
    ("closed_book_unclear", "C5-PILOT-UNUSABLE", "0.5", {"closed_book": "partly"}, "neither with sources nor without"),
    ("run_pasted_twice", "C5-PILOT-UNUSABLE", "0.5", {"run": "r0"}, "a run that scores a cell again"),
):
    add(name, rule, says, partial(_runs, score, changes, 3))


# -- waivers, the canary


@kind("C1-WAIVER-EXPIRED", "a waiver that has run out by the day of the audit")
def waiver_run_out_since(draft: Draft, rng: random.Random) -> bool:
    row = {"rule": "C2-TIER-MISSING", "reason": "for a year", "by": "ben", "date": "2025-06-01"}
    draft.tables["waivers"].append({**row, "expires": "2026-05-31"})
    draft.day = date(2026, 6, 1)
    return True


def _canary(text: str, draft: Draft, rng: random.Random) -> bool:
    draft.canary = text
    return True


for name, text, says in (
    ("canary_absent", "", "a benchmark without canary"),
    ("canary_short", "canary 2025", "a canary that may stand anywhere"),
    ("canary_of_one_letter", "x" * 40, "a canary that is no text of its own"),
):
    add(name, "C5-CANARY-ABSENT", says, partial(_canary, text))

# -- what is not available


@kind("C4-ABSENT-PRINTED", "the figure of a not-available cell stands in the entity's report, which nobody read")
def absent_printed_in_the_report(draft: Draft, rng: random.Random) -> bool:
    row = choose(rng, draft.cells_where(answer_type="not_available"))
    research = "research" if draft.facts_where(name="research") else "rnd_expense"
    peers = draft.facts_where(name=research, rank="primary", period="FY2023")
    if row is None or not peers:
        return False
    source = next((fact["source"] for fact in draft.facts_where(entity=row["entity"], rank="primary")), "")
    if not source:
        return False
    label = peers[0].get("row") or peers[0]["quote"].partition(peers[0]["as_written"])[0].strip()
    words, figure = rng.choice((("millions", "4,321"), ("thousands", "4,321,000"), ("billions", "4.321")))
    if draft.source(source)["locale"] == "de":
        figure = figure.translate(str.maketrans(",.", ".,"))
    period = next(iter(draft.task["periods"]))
    day = draft.task["periods"][period].get(row["entity"]) or draft.task["periods"][period]["default"]
    year = day.split("/")[1]
    page = (
        f"<p>In {words} of {peers[0]['unit']}</p><table><tr><th></th><th>{_long(year)}</th></tr>"
        f"<tr><td>{label}</td><td>{figure}</td></tr></table>"
    )
    draft.evidence[source] = replace(draft.evidence[source], document=read_html(page.encode()))
    return True


def _long(day: str) -> str:
    found = date.fromisoformat(day)
    return f"Year ended {found.strftime('%B')} {found.day}, {found.year}"


# -- prompts


def _answer(draft: Draft, rng: random.Random, *units: str) -> Decimal | None:
    """The size of one answer, of some size, in one of these units."""
    items = [item for item in draft.task["dimensions"] if item["unit"] in units and item["answer_type"] == "precise"]
    item = choose(rng, items)
    if item is None:
        return None
    folder = draft.folder()
    evaluator = Evaluator(folder.task, folder.facts, locales=folder.locales)
    found = [evaluator.try_cell(entity, item["id"]) for entity in draft.entities()]
    values = [abs(result.value) for result in found if isinstance(result, CellResult) and result.value]
    return choose(rng, [value for value in values if value >= 11])


def _leak(form: str, draft: Draft, rng: random.Random) -> bool:
    money = ("EUR", "USD", "CHF")
    value = _answer(draft, rng, "percent") if form == "fraction" else _answer(draft, rng, *money)
    if value is None:
        return False
    millions = f"{value / 10**6:,.0f}"
    if form != "fraction" and (value < 2 * 10**9 or len(millions.replace(",", "").rstrip("0")) < 4):
        return False
    if form != "fraction" and Decimal(1900) <= value / 10**6 <= Decimal(2100):
        return False
    told = {
        "fraction": f"a share such as {value / 100:.4f}",
        "bare": f"as in {millions}",
        "german": "as in " + f"{value / 10**6:,.3f}".translate(str.maketrans(",.", ".,")),
        "scaled": f"in millions, as in {millions}",
        "spelled": f"as in {value / 10**9:.3f} billion",
        "short": f"as in {value / 10**9:.3f}bn",
    }
    draft.task["question"] += f" One of them was {told[form]}."
    return True


for form, says in (
    ("fraction", "a percentage told as a fraction"),
    ("bare", "an answer in millions, told without its scale"),
    ("german", "an answer in another country's marks"),
    ("scaled", "an answer with the scale told apart"),
    ("spelled", "an answer with its scale as a word"),
    ("short", "an answer with its scale as an abbreviation"),
):
    add(f"question_tells_{form}", "C5-PROMPT-TELLS", says, partial(_leak, form))


@kind("C5-PROMPT-SOURCE", "the title of a source in the question")
def question_gives_a_title(draft: Draft, rng: random.Random) -> bool:
    source = rng.choice(draft.sources)
    if len(source["title"].split()) < 4:
        source["title"] = f"Annual report of {source['publisher']}"
    draft.task["question"] += f" See «{source['title'].upper()}»."
    return True


@kind("C5-PROMPT-SOURCE", "the site of a source, without its first part")
def ask_gives_a_site(draft: Draft, rng: random.Random) -> bool:
    host = rng.choice(draft.sources)["url"].split("/")[2].removeprefix("www.")
    rng.choice(draft.task["dimensions"])["ask"] += f" ({host}/investors)"
    return True


@kind("C5-PROMPT-SOURCE", "an address among an entity's identifiers, which the prompt prints")
def identifier_is_an_address(draft: Draft, rng: random.Random) -> bool:
    rng.choice(draft.task["entities"])["identifiers"] = {"site": rng.choice(draft.sources)["url"]}
    return True


@kind("C5-PROMPT-NEAR-MISS", "a question that tells what a misstep gives")
def question_tells_a_near_miss(draft: Draft, rng: random.Random) -> bool:
    folder = draft.folder()
    evaluator = Evaluator(folder.task, folder.facts, locales=folder.locales)
    spec = choose(rng, [spec for spec in folder.task.cells() if spec.near_misses and spec.unit == "percent"])
    if spec is None:
        return False
    try:
        result = evaluator.expression(spec.near_misses[0].expr, spec.entity, spec.dimension)
    except ExpressionError:  # no facts for it here: another place is tried
        return False
    if result.value is None or abs(result.value) < 11:
        return False
    item = next(item for item in draft.task["dimensions"] if item["id"] == spec.dimension)
    item["ask"] += f" Not {abs(result.value):.2f}%."
    return True


@kind("C5-PROMPT-NEAR-MISS", "a near miss's claim, word for word in the question")
def question_tells_a_claim(draft: Draft, rng: random.Random) -> bool:
    items = [item for item in draft.task["dimensions"] if item.get("near_misses")]
    item = choose(rng, items)
    if item is None:
        return False
    rng.choice(item["near_misses"])["claim"] = "29% above"
    draft.task["question"] += " A careless answer lies 29% above."
    return True
