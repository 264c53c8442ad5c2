"""Faults between a fact and its document: rows, years and names that slipped, and dates that cannot be."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from functools import partial

from cellwright.documents.model import Document
from cellwright.records.decimals import canonical
from cellwright.records.fields import date_field
from tests.power.draft import Draft, Row
from tests.power.kinds import add, choose, kind, setting

READ = ("source", "as_written", "value", "scale", "sign", "quote", "prefix", "suffix", "row", "column")


def _swap(one: Row, other: Row) -> None:
    """Let two facts change what was read for them."""
    for column in READ:
        one[column], other[column] = other.get(column, ""), one.get(column, "")


def _pairs(draft: Draft, same: tuple[str, ...], other: tuple[str, ...]) -> list[tuple[Row, Row]]:
    """Primary facts alike in some columns and unlike in others."""
    facts = draft.facts_where(rank="primary")
    return [
        (one, two)
        for place, one in enumerate(facts)
        for two in facts[place + 1 :]
        if all(one[column] == two[column] for column in same) and all(one[column] != two[column] for column in other)
    ]


@kind("C2-QUOTE-OTHER-PERIOD", "this year's and last year's figures changed places, quotes and all")
def years_changed_places(draft: Draft, rng: random.Random) -> bool:
    pairs = list(_pairs(draft, ("entity", "name", "source"), ("period", "as_written")))
    pair = choose(rng, pairs)
    if pair is None:
        return False
    _swap(*pair)
    return True


@kind("C2-QUOTE-OTHER-LINE", "the figures of two lines changed places, quotes and all")
def lines_changed_places(draft: Draft, rng: random.Random) -> bool:
    names = {row["name"] for row in draft.facts_where(rank="primary", period="FY2022")}
    pairs = _pairs(draft, ("entity", "period", "source", "unit", "scale"), ("name", "as_written"))
    pair = choose(rng, [(one, two) for one, two in pairs if {one["name"], two["name"]} <= names])
    if pair is None:
        return False
    _swap(*pair)
    return True


@kind("C2-QUOTE-OTHER-ENTITY", "a table of all: the figures of two entities changed places")
def entities_changed_places(draft: Draft, rng: random.Random) -> bool:
    for item in draft.task["entities"]:
        item["aliases"] = [item["id"].title()]
    facts = [row for row in draft.facts if row["source"] == "statistics"]
    pairs = [(one, two) for one in facts for two in facts if one["entity"] != two["entity"] and one is not two]
    pair = choose(rng, [(one, two) for one, two in pairs if one["period"] == two["period"]])
    if pair is None:
        return False
    _swap(*pair)
    return True


@kind("C2-QUOTE-OTHER-ENTITY", "a figure whose quote names another entity, at the only place where it is read")
def quote_of_another_entity(draft: Draft, rng: random.Random) -> bool:
    fact = choose(rng, draft.facts_where(rank="primary"))
    other = choose(rng, [item for item in draft.task["entities"] if fact and item["id"] != fact["entity"]])
    if fact is None or other is None:
        return False
    own = next(item["name"] for item in draft.task["entities"] if item["id"] == fact["entity"])
    if any(word in fact["quote"] for word in own.split()):
        fact["quote"] = re.sub("|".join(own.split()), "", fact["quote"])
    draft.with_quote(fact, " ".join(f"{other['name']} {fact['quote']}".split()))
    return True


@kind("C2-LABEL-OPPOSITE", "the basic figure where the name says diluted")
def basic_for_diluted(draft: Draft, rng: random.Random) -> bool:
    fact = choose(rng, draft.facts_where(name="eps_diluted", rank="primary", period="FY2023"))
    if fact is None:
        return False
    fact["row"] = "Basic earnings per share"
    draft.with_quote(fact, fact["quote"].replace("Diluted", "Basic"))
    return True


@kind("C2-LABEL-OPPOSITE", "the net figure where the name says gross")
def net_for_gross(draft: Draft, rng: random.Random) -> bool:
    fact = choose(rng, draft.facts_where(name="gross_profit", rank="primary", period="FY2023"))
    if fact is None:
        return False
    fact["row"] = "Net profit" if fact.get("row") else ""
    draft.with_quote(fact, re.sub(r"Gross (?:margin|profit)", "Net profit", fact["quote"]))
    return True


def _scaled_throughout(power: int, draft: Draft, rng: random.Random) -> bool:
    source = rng.choice(draft.sources)["id"]
    facts = [row for row in draft.facts if row["source"] == source and row["scale"] == "6"]
    for fact in facts:
        fact["scale"] = str(6 + power)
        fact["value"] = canonical(Decimal(fact["value"]).scaleb(power))
    return bool(facts)


add(
    "thousands_for_a_whole_document",
    "C2-SCALE-PRINTED",
    "a whole document read in thousands though each quote says million",
    partial(_scaled_throughout, -3),
)
add(
    "billions_for_a_whole_document",
    "C2-SCALE-PRINTED",
    "a whole document read in thousands of millions though each quote says million",
    partial(_scaled_throughout, 3),
)


@kind("C2-SCALE-JUMP", "last year's figure of an older document read in another scale, which its quote does not tell")
def scale_jumps(draft: Draft, rng: random.Random) -> bool:
    pairs = _pairs(draft, ("entity", "name", "source", "scale"), ("period",))
    pair = choose(rng, [pair for pair in pairs if pair[0]["scale"] == "6"])
    if pair is None:
        return False
    fact = pair[1]
    older = {**draft.source(fact["source"]), "id": "older", "url": "https://www.breweries.org/older.html"}
    draft.sources.append({**older, "title": "An older report"})
    fact["source"], fact["prefix"], fact["suffix"] = "older", "", ""
    fact["quote"] = fact["quote"].replace("million", "").replace("  ", " ")
    fact["scale"], fact["value"] = "9", canonical(Decimal(fact["value"]).scaleb(3))
    draft.print_capture("older", "An older report\n" + fact["quote"])
    return True


@kind("C2-UNIT-SCALE", "a percentage with the scale of the money beside it")
def percentage_in_millions(draft: Draft, rng: random.Random) -> bool:
    fact = choose(rng, draft.facts_where(unit="percent"))
    if fact is None:
        return False
    fact["scale"], fact["value"] = "6", canonical(Decimal(fact["value"]).scaleb(6))
    return True


@kind("C2-DIGITS-STUCK", "a footnote's mark read as a digit, document and all")
def footnote_in_the_figure(draft: Draft, rng: random.Random) -> bool:
    facts = [row for row in draft.facts_where(rank="primary") if re.fullmatch(r"\d+[.,]\d\d", row["as_written"])]
    fact = choose(rng, [row for row in facts if "share" in row["unit"]])
    if fact is None:
        return False
    figure = fact["as_written"] + "1"
    draft.restate_figure(fact, figure, Decimal(figure.replace(",", ".")))
    return True


@kind("C2-NUMBER-UNREADABLE", "a footnote's mark stuck to a grouped figure")
def footnote_at_a_grouped_figure(draft: Draft, rng: random.Random) -> bool:
    facts = [row for row in draft.facts_where(rank="primary") if re.fullmatch(r"\d+[.,]\d{3}", row["as_written"])]
    fact = choose(rng, [row for row in facts if row["scale"] == "6"])
    if fact is None:
        return False
    figure = fact["as_written"] + "2"
    digits = Decimal(re.sub(r"\D", "", figure)).scaleb(6)
    draft.restate_figure(fact, figure, digits)
    return True


@kind("C1-FACT-ID-CONTRADICTS", "a copied line whose id says another year than its period")
def id_of_another_year(draft: Draft, rng: random.Random) -> bool:
    fact = choose(rng, [row for row in draft.facts_where(rank="context") if "." in row["id"]])
    fact = fact or choose(rng, [row for row in draft.facts if row["id"].endswith("fy2022")])
    if fact is None:
        return False
    other = fact["id"].replace("fy2022", "fy2021")
    if other == fact["id"] or any(row["id"] == other for row in draft.facts):
        return False
    draft.task["periods"].setdefault("FY2021", {"default": "2021-01-01/2021-12-31"})
    fact["id"] = other
    return True


@kind("C1-FACT-ID-CONTRADICTS", "a copied line whose id says another entity than its entity")
def id_of_another_entity(draft: Draft, rng: random.Random) -> bool:
    one, two = rng.sample(draft.facts_where(rank="primary"), 2)
    if one["entity"] == two["entity"] or one["id"].count(".") < 2:
        return False
    fresh = one["id"].replace(one["entity"] + ".", two["entity"] + ".", 1) + "b"
    if any(row["id"] == fresh for row in draft.facts) or any(row.get("chosen") == one["id"] for row in draft.cells):
        return False
    one["id"] = fresh
    return True


def _witness(draft: Draft, rng: random.Random) -> Row | None:
    """A witness whose value differs from its primary's."""
    primary = {(row["entity"], row["name"], row["period"]): row["value"] for row in draft.facts_where(rank="primary")}
    rows = draft.facts_where(rank="witness")
    used = {row.get("chosen") for row in draft.cells}
    keys = [(row, primary.get((row["entity"], row["name"], row["period"]))) for row in rows if row["id"] not in used]
    return choose(rng, [row for row, value in keys if value is not None and value != row["value"]])


def _demoted(rank: str, draft: Draft, rng: random.Random) -> bool:
    """Hide a witness that differs under another rank, and let the cells say single."""
    fact = _witness(draft, rng)
    if fact is None:
        return False
    fact["rank"] = rank
    for row in draft.cells:
        if row["entity"] == fact["entity"] and row.get("agreement") == "divergent":
            row.update(agreement="single", reason_code="", chosen="", note="")
    return True


add(
    "witness_hidden_as_context",
    "C4-WITNESS-HIDDEN",
    "a reading that differs ranked context, so that the cell looks settled",
    partial(_demoted, "context"),
)
add(
    "witness_hidden_as_superseded",
    "C4-WITNESS-HIDDEN",
    "a reading that differs ranked superseded, though nothing supersedes it",
    partial(_demoted, "superseded"),
)


@kind("C4-WITNESS-TWICE", "one witness written down twice, to count for two")
def witness_twice(draft: Draft, rng: random.Random) -> bool:
    fact = choose(rng, draft.facts_where(rank="witness"))
    if fact is None:
        return False
    draft.facts.append({**fact, "id": fact["id"] + ".b"})
    return True


@kind("C1-SUPERSEDES-WRONG", "a fact that supersedes itself")
def supersedes_itself(draft: Draft, rng: random.Random) -> bool:
    fact = rng.choice(draft.facts)
    fact["supersedes"] = fact["id"]
    return True


@kind("C1-SUPERSEDES-WRONG", "a fact that supersedes one of another entity")
def supersedes_another_s(draft: Draft, rng: random.Random) -> bool:
    one, other = rng.sample(draft.facts_where(rank="primary"), 2)
    one["supersedes"] = other["id"]
    return (one["entity"], one["name"]) != (other["entity"], other["name"])


@kind("C1-PERIOD-KIND", "a year's figure filed under the year's last day")
def year_filed_as_a_day(draft: Draft, rng: random.Random) -> bool:
    fact = choose(rng, draft.facts_where(rank="primary", period="FY2023", name="revenue"))
    if fact is None:
        return False
    label = draft.task["periods"]["FY2023"]
    fact["period"] = (label.get(fact["entity"]) or label["default"]).split("/")[1]
    return True


@kind("C2-PLACE-WRONG", "a row's label that is not in the document")
def row_not_there(draft: Draft, rng: random.Random) -> bool:
    rng.choice(draft.facts)["row"] = "Cash and cash equivalents"
    return True


@kind("C2-PLACE-WRONG", "words before the quote that are not in the document")
def prefix_not_there(draft: Draft, rng: random.Random) -> bool:
    rng.choice(draft.facts)["prefix"] = "as audited by the firm"
    return True


add("page_of_a_web_page", "C2-PLACE-WRONG", "a page of what has no pages", setting("facts", "page", "7"))


def _as_pdf(draft: Draft, source: str) -> list[Row]:
    """Let a source be a PDF with an empty first page; its facts, on the second."""
    found, facts = draft.evidence[source], [row for row in draft.facts if row["source"] == source]
    document = Document("pdf", "application/pdf", found.text, ("Contents", found.text))
    draft.evidence[source] = replace(found, media_type="application/pdf", document=document)
    draft.source(source)["media_type"] = "application/pdf"
    for fact in facts:
        fact["page"] = "2"
    return facts


def _paged(page: str, draft: Draft, rng: random.Random) -> bool:
    rng.choice(_as_pdf(draft, rng.choice(draft.sources)["id"]))["page"] = page
    return True


add("page_of_another_place", "C2-PLACE-WRONG", "another page than the one that holds the quote", partial(_paged, "1"))
add("page_after_the_last", "C2-PLACE-WRONG", "a page after the document's last", partial(_paged, "3"))


@kind("C2-PUBLISHED-EARLY", "a report published before the period that it reports on has ended")
def published_before_the_end(draft: Draft, rng: random.Random) -> bool:
    rng.choice(draft.sources)["published"] = "2023-03-01"
    return True


@kind("C1-DATE-UNLIKELY", "a day of access in a year to come")
def accessed_in_years_to_come(draft: Draft, rng: random.Random) -> bool:
    source = rng.choice(draft.sources)
    source["accessed"] = source["accessed"].replace("20", "24", 1)
    return True


@kind("C2-PUBLISHED-LATER", "a source published one day after as_of")
def published_a_day_later(draft: Draft, rng: random.Random) -> bool:
    day = date_field(draft.task["as_of"]) + timedelta(days=1)
    source = rng.choice(draft.sources)
    source["published"] = source["accessed"] = str(day)
    return True
