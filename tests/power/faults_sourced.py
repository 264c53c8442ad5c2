"""Faults against condition 2: figures, quotes, captures, dates, addresses and tiers."""

from __future__ import annotations

import random
from dataclasses import replace
from decimal import Decimal
from functools import partial

from cellwright.records.decimals import canonical
from tests.power.draft import Draft, Row
from tests.power.kinds import add, choose, kind, mistyped, setting

COPIED = ("source", "as_written", "value", "scale", "sign", "unit", "quote", "prefix", "suffix", "row", "column")


@kind("C2-VALUE-MISMATCH", "a digit of the value mistyped")
def value_mistyped(draft: Draft, rng: random.Random) -> bool:
    fact = rng.choice(draft.facts)
    fact["value"] = mistyped(rng, fact["value"])
    return True


@kind("C2-NUMBER-NOT-IN-QUOTE", "a digit of the figure mistyped")
def figure_mistyped(draft: Draft, rng: random.Random) -> bool:
    fact = rng.choice(draft.facts)
    fact["as_written"] = mistyped(rng, fact["as_written"])
    return True


@kind("C2-QUOTE-ABSENT", "a digit of the quote mistyped")
def quote_mistyped(draft: Draft, rng: random.Random) -> bool:
    fact = rng.choice(draft.facts)
    fact["quote"] = mistyped(rng, fact["quote"])
    return True


@kind("C2-QUOTE-ABSENT", "figure, value and quote mistyped alike, while the document says another")
def misread_throughout(draft: Draft, rng: random.Random) -> bool:
    fact = rng.choice(draft.facts)
    figure = mistyped(rng, fact["as_written"])
    fact["quote"] = fact["quote"].replace(fact["as_written"], figure)
    fact["as_written"] = figure
    return True


def _scaled(power: int, draft: Draft, rng: random.Random) -> bool:
    fact = choose(rng, [row for row in draft.facts if row["scale"] == "6"])
    if fact is None:
        return False
    fact["scale"] = str(6 + power)
    return True


add("scale_too_small", "C2-VALUE-MISMATCH", "thousands for millions, the value unchanged", partial(_scaled, -3))
add("scale_too_large", "C2-VALUE-MISMATCH", "billions for millions, the value unchanged", partial(_scaled, 3))


def _scaled_with_value(power: int, draft: Draft, rng: random.Random) -> bool:
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in draft.facts:
        groups.setdefault((row["source"], row["unit"]), []).append(row)
    fact = choose(rng, [row for rows in groups.values() if len(rows) > 4 for row in rows if row["scale"] == "6"])
    if fact is None:
        return False
    fact["scale"] = str(6 + power)
    fact["value"] = canonical(Decimal(fact["value"]).scaleb(power))
    return True


add("thousands_throughout", "C2-SCALE-MIXED", "thousands for millions, the value too", partial(_scaled_with_value, -3))
add("billions_throughout", "C2-SCALE-MIXED", "billions for millions, the value too", partial(_scaled_with_value, 3))


@kind("C2-VALUE-MISMATCH", "the sign column turned round")
def sign_wrong(draft: Draft, rng: random.Random) -> bool:
    fact = rng.choice([row for row in draft.facts if Decimal(row["value"])])
    fact["sign"] = "shown" if fact["sign"] == "reversed" else "reversed"
    return True


@kind("C2-SIGN-MIXED", "an outflow in brackets read as a negative number, the value too")
def outflow_read_negative(draft: Draft, rng: random.Random) -> bool:
    outflows = draft.facts_where(sign="reversed")
    paired = [
        row
        for row in outflows
        if sum(row["entity"] == other["entity"] and row["name"] == other["name"] for other in outflows) > 1
    ]
    fact = choose(rng, paired)
    if fact is None:
        return False
    fact["sign"] = "shown"
    fact["value"] = "-" + fact["value"]
    return True


def _bracketed(draft: Draft) -> list[Row]:
    return [row for row in draft.facts if row["as_written"].startswith("(")]


@kind("C2-NUMBER-NOT-IN-QUOTE", "the brackets of a figure lost")
def bracket_lost(draft: Draft, rng: random.Random) -> bool:
    fact = choose(rng, _bracketed(draft))
    if fact is None:
        return False
    fact["as_written"] = fact["as_written"].strip("()")
    return True


@kind("C2-QUOTE-ABSENT", "the brackets lost in figure and quote, while the document has them")
def bracket_lost_throughout(draft: Draft, rng: random.Random) -> bool:
    fact = choose(rng, _bracketed(draft))
    if fact is None:
        return False
    plain = fact["as_written"].strip("()")
    fact["quote"] = fact["quote"].replace(fact["as_written"], plain)
    fact["as_written"], fact["sign"] = plain, "shown"
    return True


def _copied(wanted: str, draft: Draft, rng: random.Random) -> bool:
    """A fact takes the words and figure of another: of another period, entity or name of the same unit."""
    pairs = [
        (fact, other)
        for fact in draft.facts_where(rank="primary")
        for other in draft.facts_where(rank="primary", unit=fact["unit"])
        if _differ(fact, other) == {wanted}
    ]
    pair = choose(rng, pairs)
    if pair is None:
        return False
    fact, other = pair
    fact.update({column: other[column] for column in COPIED if column in other})
    return True


def _differ(one: Row, other: Row) -> set[str]:
    return {key for key in ("entity", "name", "period") if one[key] != other[key]}


add("other_period_s_figure", "C2-FIGURE-SHARED", "the figure of another year", partial(_copied, "period"))
add("other_entity_s_figure", "C2-FIGURE-SHARED", "the figure of another entity", partial(_copied, "entity"))
add("other_line_s_figure", "C2-FIGURE-SHARED", "the figure of another line of the document", partial(_copied, "name"))


@kind("C2-FIGURE-SHARED", "a segment's figure in the place of the whole")
def segment_for_whole(draft: Draft, rng: random.Random) -> bool:
    pairs = [
        (whole, part)
        for part in draft.facts_where(rank="primary")
        if "." in part["name"]
        for whole in draft.facts_where(
            entity=part["entity"], period=part["period"], name=part["name"].split(".")[0], rank="primary"
        )
    ]
    pair = choose(rng, pairs)
    if pair is None:
        return False
    whole, part = pair
    whole.update({column: part[column] for column in COPIED if column in part})
    return True


@kind("C4-WITNESS-SAME-PLACE", "the restated figure in the place of the first reported")
def restated_for_reported(draft: Draft, rng: random.Random) -> bool:
    pairs = [
        (fact, witness)
        for witness in draft.facts_where(rank="witness")
        for fact in draft.facts_where(
            entity=witness["entity"], name=witness["name"], period=witness["period"], rank="primary"
        )
        if fact["value"] != witness["value"]
    ]
    pair = choose(rng, pairs)
    if pair is None:
        return False
    fact, witness = pair
    fact.update({column: witness[column] for column in COPIED if column in witness})
    return True


add("quote_missing", "C2-QUOTE-EMPTY", "a fact without quote", setting("facts", "quote", ""))


@kind("C2-QUOTE-LONG", "a quote over 300 characters, which the document holds")
def quote_long(draft: Draft, rng: random.Random) -> bool:
    fact = rng.choice(draft.facts)
    draft.with_quote(fact, fact["quote"] + " and so on" * 40)
    return True


@kind("C2-NUMBER-NOT-IN-QUOTE", "a quote cut before its figure")
def quote_cut(draft: Draft, rng: random.Random) -> bool:
    fact = rng.choice(draft.facts)
    fact["quote"] = fact["quote"].split(fact["as_written"])[0].strip()
    return True


@kind("C2-NUMBER-NOT-IN-QUOTE", "a quote cut within its figure")
def quote_cut_in_figure(draft: Draft, rng: random.Random) -> bool:
    fact = rng.choice(draft.facts)
    at = fact["quote"].index(fact["as_written"]) + len(fact["as_written"]) - 2
    fact["quote"] = fact["quote"][:at]
    return True


@kind("C2-NUMBER-NOT-IN-QUOTE", "a quote that holds its figure twice")
def figure_twice_in_quote(draft: Draft, rng: random.Random) -> bool:
    fact = rng.choice(draft.facts)
    draft.with_quote(fact, f"{fact['quote']} and {fact['as_written']}")
    return True


@kind("C2-QUOTE-ABSENT", "a quote in words of one's own")
def quote_paraphrased(draft: Draft, rng: random.Random) -> bool:
    fact = rng.choice(draft.facts)
    fact["quote"] = f"It came to {fact['as_written']} in all"
    return True


@kind("C2-QUOTE-ABSENT", "a quote that stands in another document")
def quote_of_another_document(draft: Draft, rng: random.Random) -> bool:
    fact = rng.choice(draft.facts)
    other = choose(rng, [row for row in draft.sources if row["id"] != fact["source"]])
    if other is None or fact["quote"] in draft.evidence[other["id"]].text:
        return False
    fact["source"] = other["id"]
    return True


@kind("C2-QUOTE-AMBIGUOUS", "a quote that stands at two places")
def quote_ambiguous(draft: Draft, rng: random.Random) -> bool:
    fact = rng.choice(draft.facts)
    text = draft.evidence[fact["source"]].text
    draft.print_capture(fact["source"], f"{text}\nagain {fact['quote']}")
    return True


@kind("C2-QUOTE-ABSENT", "the captures of two sources swapped, pins and all")
def captures_swapped(draft: Draft, rng: random.Random) -> bool:
    one, other = rng.sample(draft.sources, 2)
    first, second = draft.evidence[one["id"]], draft.evidence[other["id"]]
    draft.evidence[one["id"]] = replace(second, source=one["id"])
    draft.evidence[other["id"]] = replace(first, source=other["id"])
    one["capture"], other["capture"] = other["capture"], one["capture"]
    return True


def _evidence(changes: dict[str, str], draft: Draft, rng: random.Random) -> bool:
    source = rng.choice(draft.sources)["id"]
    draft.evidence[source] = replace(draft.evidence[source], **changes)
    return True


for name, rule, says, changes in (
    ("capture_changed", "C2-CAPTURE-MISMATCH", "other bytes than the pin names", {"sha256": "0" * 64}),
    ("capture_not_found", "C2-CAPTURE-UNUSABLE", "an error page captured", {"status": "404"}),
    ("capture_blank", "C2-CAPTURE-UNUSABLE", "a page without text captured", {"text": " \n"}),
    ("capture_broken", "C2-CAPTURE-UNUSABLE", "a body that no reader reads", {"problem": "the PDF is encrypted"}),
    (
        "capture_not_here",
        "C2-CAPTURE-MISSING",
        "a pin whose capture is not here",
        {"sha256": "", "text": "", "problem": "the capture is not here"},
    ),
):
    add(name, rule, says, partial(_evidence, changes))


@kind("C2-CAPTURE-STAND-IN", "a sheet that repeats figures in the place of the document")
def stand_in(draft: Draft, rng: random.Random) -> bool:
    return not draft.stand_in and _evidence({"via": "stand-in"}, draft, rng)


add("pin_missing", "C2-CAPTURE-MISSING", "a source without its pin", setting("sources", "capture", ""))


@kind("C2-SOURCE-TWICE", "one document under two names, by its address")
def address_twice(draft: Draft, rng: random.Random) -> bool:
    one, other = rng.sample(draft.sources, 2)
    other["url"] = one["url"].replace("https://www.", "http://") + "#page=4"
    return True


@kind("C2-SOURCE-TWICE", "one document under two names, by its capture")
def capture_twice(draft: Draft, rng: random.Random) -> bool:
    one, other = rng.sample(draft.sources, 2)
    other["capture"] = one["capture"]
    draft.evidence[other["id"]] = replace(draft.evidence[one["id"]], source=other["id"])
    return True


for name, rule, column, text, says in (
    ("tier_missing", "C2-TIER-MISSING", "tier", "", "a source without tier"),
    ("tier_without_reason", "C2-TIER-REASON", "tier_reason", "", "a tier that does not say why"),
    ("published_missing", "C2-PUBLISHED-MISSING", "published", "", "a source without its day of publication"),
    ("published_later", "C2-PUBLISHED-LATER", "published", "2025-12-01", "a source published after as_of"),
    ("accessed_earlier", "C2-ACCESSED-EARLIER", "accessed", "2019-12-01", "looked at before it was published"),
    ("address_without_scheme", "C2-URL-UNUSABLE", "url", "www.breweries.org/report", "an address without http"),
    ("address_of_a_file", "C2-URL-UNUSABLE", "url", "file:///home/ana/report.pdf", "a file of one's own"),
    ("address_missing", "C2-URL-UNUSABLE", "url", "", "no address"),
    ("address_with_a_name", "C2-URL-UNUSABLE", "url", "https://ana:pw@breweries.org/report", "a password in it"),
    ("address_of_one_s_own", "C2-URL-NOT-PUBLIC", "url", "http://192.168.0.7/report", "an address in one's network"),
    ("pdf_without_page", "C2-PAGE-MISSING", "media_type", "application/pdf", "facts of a PDF without their page"),
):
    add(name, rule, says, setting("sources", column, text))


@kind("C2-WEAK-EVIDENCE", "the answer rests on T4 while T1 or T2 tells the same")
def answer_on_weak_evidence(draft: Draft, rng: random.Random) -> bool:
    witness = choose(rng, draft.facts_where(rank="witness"))
    if witness is None:
        return False
    thing = {key: witness[key] for key in ("entity", "name", "period")}
    primary = draft.facts_where(**thing, rank="primary")
    draft.source(primary[0]["source"]).update(tier="T4", tier_reason="a forum")
    return True


@kind("C2-TRAP-TIER", "a disclosure that differs, ranked trap")
def witness_ranked_trap(draft: Draft, rng: random.Random) -> bool:
    witness = choose(rng, draft.facts_where(rank="witness"))
    if witness is None:
        return False
    witness["rank"] = "trap"
    return True


@kind("C2-UNIT-PRINTED", "a percentage filed as money")
def percentage_as_money(draft: Draft, rng: random.Random) -> bool:
    fact = choose(rng, [row for row in draft.facts if row["as_written"].endswith("%")])
    if fact is None:
        return False
    fact["unit"] = "EUR"
    return True


@kind("C2-CURRENCY-PRINTED", "a figure printed in one currency filed in another")
def currency_other_than_printed(draft: Draft, rng: random.Random) -> bool:
    plain = [row for row in draft.facts if row["as_written"][0] != "("]
    fact = choose(rng, [row for row in plain if row["unit"] in ("EUR", "USD", "CHF")])
    if fact is None:
        return False
    figure = f"GBP {fact['as_written']}"
    draft.with_quote(fact, fact["quote"].replace(fact["as_written"], figure))
    fact["as_written"] = figure
    return True


@kind("C2-NUMBER-UNREADABLE", "two numbers in the place of one")
def two_numbers(draft: Draft, rng: random.Random) -> bool:
    rng.choice(draft.facts)["as_written"] = "1,877 to 1,900"
    return True


for column in ("value", "scale", "sign"):
    add(f"{column}_missing", "C2-READING-INCOMPLETE", f"a fact without {column}", setting("facts", column, ""))


@kind("C2-SOURCE-UNUSED", "a source from which nothing is read")
def source_unused(draft: Draft, rng: random.Random) -> bool:
    row = {**rng.choice(draft.sources), "id": "press", "url": "https://www.press.org/piece", "capture": ""}
    draft.sources.append(row)
    draft.print_capture("press", "A piece about breweries.")
    return True
