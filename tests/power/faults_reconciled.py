"""Faults against condition 4: labels, what was chosen and why, and where was looked."""

from __future__ import annotations

import random
from decimal import Decimal
from functools import partial

from cellwright.records.decimals import canonical
from cellwright.records.repository_rows import RegistryRow
from tests.power.draft import Draft, Row
from tests.power.kinds import add, choose, kind, setting

for true in ("consistent", "divergent", "single"):
    for told in ("consistent", "divergent", "single"):
        if told != true:
            add(
                f"{true}_as_{told}",
                "C4-LABEL-WRONG",
                f"a {true} cell labelled {told}",
                setting("cells", "agreement", told, lambda draft, row, true=true: row.get("agreement") == true),  # type: ignore[misc]
            )


def _divergent(draft: Draft, row: Row) -> bool:
    return row.get("agreement") == "divergent"


def _absent(draft: Draft, row: Row) -> bool:
    return row["answer_type"] == "not_available"


def _single(draft: Draft, row: Row) -> bool:
    return row.get("agreement") == "single"


for name, rule, column, text, where, says in (
    ("label_missing", "C4-LABEL-MISSING", "agreement", "", _single, "a cell without label"),
    ("label_on_absent", "C4-LABEL-ON-ABSENT", "agreement", "single", _absent, "a label where nothing is available"),
    ("chosen_missing", "C4-CHOSEN-MISSING", "chosen", "", _divergent, "a divergent cell that chose nothing"),
    ("reason_missing", "C4-REASON-MISSING", "reason_code", "", _divergent, "a divergent cell without reason"),
    ("note_missing", "C4-NOTE-MISSING", "note", "", _divergent, "a divergent cell that does not say why"),
    ("absence_reason_in_divergent", "C4-REASON-KIND", "reason_code", "paywalled", _divergent, "a reason of absence"),
    ("reason_in_single", "C4-REASON-KIND", "reason_code", "restated", _single, "a reason where nothing differs"),
    ("rounding_for_restatement", "C4-REASON-UNSUPPORTED", "reason_code", "rounding", _divergent, "a gap too wide"),
    ("scope_of_one_scope", "C4-REASON-UNSUPPORTED", "reason_code", "scope", _divergent, "both of one scope"),
    ("absence_without_reason", "C4-ABSENCE-REASON", "reason_code", "", _absent, "not available, and nobody says why"),
    ("absence_with_divergence", "C4-ABSENCE-REASON", "reason_code", "rounding", _absent, "a reason of divergence"),
):
    add(name, rule, says, setting("cells", column, text, where))


@kind("C4-CHOSEN-NOT-TAKEN", "the fact chosen is the witness, while the answer takes the primary")
def chosen_is_the_witness(draft: Draft, rng: random.Random) -> bool:
    row = choose(rng, [row for row in draft.cells if _divergent(draft, row)])
    if row is None:
        return False
    witness = choose(rng, draft.facts_where(entity=row["entity"], rank="witness"))
    assert witness is not None
    row["chosen"] = witness["id"]
    return True


@kind("C4-CHOSEN-NOT-TAKEN", "primary and witness have changed ranks")
def ranks_swapped(draft: Draft, rng: random.Random) -> bool:
    row = choose(rng, [row for row in draft.cells if _divergent(draft, row)])
    if row is None:
        return False
    taken = next(fact for fact in draft.facts if fact["id"] == row["chosen"])
    for fact in draft.facts_where(entity=taken["entity"], name=taken["name"], period=taken["period"]):
        if fact["rank"] in ("primary", "witness"):
            fact["rank"] = "witness" if fact["rank"] == "primary" else "primary"
    return True


@kind("C4-REASON-UNSUPPORTED", "a restatement whose two documents are of one day")
def restated_on_one_day(draft: Draft, rng: random.Random) -> bool:
    row = choose(rng, [row for row in draft.cells_where(reason_code="restated") if _divergent(draft, row)])
    if row is None:
        return False
    taken = next(fact for fact in draft.facts if fact["id"] == row["chosen"])
    day = draft.source(taken["source"])["published"]
    for fact in draft.facts_where(entity=taken["entity"], rank="witness"):
        if fact["source"].endswith(("-restated", "2025", "2024")):
            draft.source(fact["source"])["published"] = day
    return True


@kind("C4-SEARCH-MISSING", "nobody says where was looked")
def searches_missing(draft: Draft, rng: random.Random) -> bool:
    draft.tables["searches"] = []
    return True


for column in ("date", "outcome"):
    says = f"a search without {column}"
    add(f"search_without_{column}", "C4-SEARCH-INCOMPLETE", says, setting("searches", column, ""))


@kind("C4-SEARCH-INCOMPLETE", "a search that says neither query nor address")
def search_without_query(draft: Draft, rng: random.Random) -> bool:
    rng.choice(draft.tables["searches"]).update(query="", url="")
    return True


@kind("C4-LABEL-WRONG", "a witness of the same owner taken for corroboration")
def witness_of_one_owner(draft: Draft, rng: random.Random) -> bool:
    cells = [row for row in draft.cells if row.get("agreement") == "consistent" and row["dimension"] == "total_revenue"]
    row = choose(rng, cells)
    if row is None:
        return False
    publisher = draft.source(f"{row['entity']}-report")["publisher"]
    draft.owners.append(RegistryRow(publisher=publisher, domain="breweries.org", owner="Office of Statistics"))
    return True


@kind("C4-LABEL-WRONG", "the witness's publisher is the issuer, spelt another way")
def witness_of_the_issuer_respelt(draft: Draft, rng: random.Random) -> bool:
    cells = [row for row in draft.cells if row.get("agreement") == "consistent" and row["dimension"] == "total_revenue"]
    row = choose(rng, cells)
    if row is None:
        return False
    draft.source("statistics")["publisher"] = draft.source(f"{row['entity']}-report")["publisher"].upper() + " "
    return True


@kind("C4-LABEL-WRONG", "a witness with another figure that nobody took into the label")
def witness_overlooked(draft: Draft, rng: random.Random) -> bool:
    row = choose(rng, [row for row in draft.cells if row["dimension"] == "total_revenue" and _single(draft, row)])
    if row is None:
        return False
    taken = draft.facts_where(entity=row["entity"], name="revenue", period="FY2023", rank="primary")[0]
    fact = {**taken, "id": taken["id"] + ".press", "rank": "witness"}
    other = choose(rng, [item for item in draft.sources if item["id"] != taken["source"]])
    if other is None or not fact["as_written"][-1].isdigit():
        return False
    figure = ("9" if fact["as_written"][0] != "9" else "8") + fact["as_written"][1:]
    number = figure.replace(",", "").replace(".", "")
    fact.update(source=other["id"], as_written=figure, value=canonical(Decimal(number).scaleb(int(fact["scale"]))))
    fact["quote"] = f"It sold {figure} as others count"
    draft.facts.append(fact)
    draft.with_quote(fact, fact["quote"])
    return True


def _found(rank: str, named: str, draft: Draft, rng: random.Random) -> bool:
    """The figure of a not-available cell stands in an annual report after all."""
    row = choose(rng, [row for row in draft.cells if _absent(draft, row)])
    if row is None:
        return False
    research = "research" if draft.facts_where(name="research") else "rnd_expense"
    name = row["dimension"] if named == "dimension" else research
    like = choose(rng, draft.facts_where(entity=row["entity"], rank="primary", period="FY2023", scale="6"))
    if like is None:
        return False
    fact = {**like, "id": f"{row['entity']}.{name}.found", "name": name, "rank": rank}
    fact["quote"] = f"Outlay on new things {fact['as_written']} in all"
    draft.facts.append(fact)
    draft.with_quote(fact, fact["quote"])
    return True


for name, rank, named, says in (
    ("absent_found_as_context", "context", "input", "its input is a context fact of T1"),
    ("absent_found_as_primary", "primary", "input", "its input is a primary fact of T1"),
    ("absent_stated", "context", "dimension", "the answer itself is a fact of T1"),
):
    add(name, "C4-ABSENT-FOUND", says, partial(_found, rank, named))


@kind("C4-WITNESS-SAME-PLACE", "a witness read from the words of its primary")
def witness_of_the_same_words(draft: Draft, rng: random.Random) -> bool:
    fact = rng.choice(draft.facts_where(rank="primary"))
    draft.facts.append({**fact, "id": fact["id"] + ".again", "rank": "witness"})
    return True
