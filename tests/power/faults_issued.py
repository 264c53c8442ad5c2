"""Faults in what is said of a source: its form, address, publisher, owner and tier."""

from __future__ import annotations

import random
from functools import partial

from cellwright.records.repository_rows import RegistryRow
from tests.power.draft import Draft, Row
from tests.power.kinds import add, choose, kind


@kind("C2-MEDIA-TYPE-WRONG", "a page of the web called a PDF")
def media_type_wrong(draft: Draft, rng: random.Random) -> bool:
    source = rng.choice(draft.sources)
    source["media_type"] = "text/csv"
    return True


@kind("C2-NUMBER-UNREADABLE", "a way of writing numbers that there is not")
def locale_in_words(draft: Draft, rng: random.Random) -> bool:
    rng.choice(draft.sources)["locale"] = "English"
    return True


@kind("C2-CAPTURE-OTHER-ADDRESS", "the capture of another address under a source's name")
def capture_of_another_address(draft: Draft, rng: random.Random) -> bool:
    source = rng.choice(draft.sources)
    source["url"] = "https://www.elsewhere.org/press/release-2019.html"
    return True


@kind("C2-SOURCE-OTHER-ENTITY", "a source of one company whose title and publisher name another")
def source_of_another_entity(draft: Draft, rng: random.Random) -> bool:
    source = choose(rng, [row for row in draft.sources if _single_entity(draft, row)])
    if source is None:
        return False
    own = _single_entity(draft, source)
    other = rng.choice([item for item in draft.task["entities"] if item["id"] != own])
    source["publisher"], source["title"] = other["name"], f"Annual report of {other['name']}"
    return True


def _single_entity(draft: Draft, source: Row) -> str:
    entities = {row["entity"] for row in draft.facts if row["source"] == source["id"]}
    return next(iter(entities)) if len(entities) == 1 else ""


@kind("C2-TIER-ABOVE-REGISTRY", "a tier above the one that the registry gives the publisher")
def tier_above_the_registry_s(draft: Draft, rng: random.Random) -> bool:
    source = rng.choice(draft.sources)
    row = RegistryRow(publisher=source["publisher"], owner=source["publisher"], default_tier="T4")
    draft.owners = [*draft.owners, row]
    source["tier"] = "T1"
    return True


def _publisher(change: str, draft: Draft, rng: random.Random) -> bool:
    """A witness of the issuer itself, its name spelt another way, taken for another owner's."""
    fact = choose(rng, [row for row in draft.facts if row["source"] == "statistics" and row["rank"] == "witness"])
    if fact is None:
        return False
    for row in draft.sources:
        if row["id"] == f"{fact['entity']}-report":
            row["publisher"] = "Acme Brewing Inc."
        if row["id"] == "statistics":
            row["publisher"] = change
    for item in draft.task["entities"]:
        if item["id"] == fact["entity"]:
            item["name"], item["aliases"] = "Acme Brewing Inc.", ["Acme"]
    return any(
        row["agreement"] == "consistent" and row["dimension"] == "total_revenue" and row["entity"] == fact["entity"]
        for row in draft.cells
        if "agreement" in row
    )


for name, says, change in (
    ("comma", "a comma and a full stop", "Acme Brewing, Inc"),
    ("long_form", "the long form of its legal form", "Acme Brewing Incorporated"),
    ("alias", "an alias of the entity", "Acme"),
    ("hidden_space", "a space of no width", "Acme\u200b Brewing Inc."),
    ("other_script", "a letter of another script", "\u0410cme Brewing Inc."),
):
    add(
        f"owner_by_{name}",
        "C4-LABEL-WRONG",
        f"the issuer as its own witness, told apart by {says}",
        partial(_publisher, change),
    )
