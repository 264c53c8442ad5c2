"""Faults about who answers for a document: aggregators and hosts taken for publishers."""

from __future__ import annotations

import random

from cellwright.records.repository_rows import RegistryRow
from tests.power.draft import Draft
from tests.power.kinds import choose, kind


@kind("C2-TIER-ABOVE-REGISTRY", "a data vendor's page given T1")
def vendor_as_primary_disclosure(draft: Draft, rng: random.Random) -> bool:
    source = choose(rng, [row for row in draft.tables["sources"] if row["tier"] == "T1"])
    if source is None:
        return False
    source["publisher"] = "Figures at a Glance"
    draft.owners.append(
        RegistryRow(publisher="Figures at a Glance", default_tier="T4", note="aggregator: repeats figures of filings")
    )
    return True


@kind("C2-PUBLISHER-IS-HOST", "the filing host written as the publisher of a company's report")
def host_as_publisher(draft: Draft, rng: random.Random) -> bool:
    source = choose(rng, draft.tables["sources"])
    if source is None:
        return False
    entity = rng.choice(draft.task["entities"])
    source.update(publisher="Register of Filings", title=f"Annual report of {entity['name']}")
    draft.owners.append(
        RegistryRow(publisher="Register of Filings", default_tier="T1", note="filing host: companies must file here")
    )
    return True


@kind("C4-LABEL-WRONG", "an aggregator that repeats a filing counted as a second witness")
def aggregator_as_second_witness(draft: Draft, rng: random.Random) -> bool:
    if not any(row.get("agreement") == "consistent" and row["dimension"] == "total_revenue" for row in draft.cells):
        return False
    source = draft.source("statistics")
    draft.owners.append(
        RegistryRow(publisher=source["publisher"], default_tier="T2", note="aggregator: repeats filings")
    )
    return True
