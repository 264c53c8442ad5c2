"""The tier that is proposed for a source, with its reason. The curator decides (design, section 1). Pure.

A tier is a record of disclosure: who answers for the document, and did they measure or repeat? So the
publisher is asked first, where the document lies second, and what kind of address it is last.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cellwright.records.fields import Tier
from cellwright.records.names import company_key
from cellwright.records.repository_rows import RegistryRow
from cellwright.records.rows import Source
from cellwright.validators.owners import FILING_HOST, Owners, host_of, is_kind

_OFFICIAL = ("gov", "gob", "gouv", "gub", "govt", "go", "admin", "bund", "mil", "int")
_SCHOLARLY = ("edu", "ac")
_COUNTRY_LENGTH = 2


@dataclass(frozen=True, slots=True)
class TierProposal:
    """A tier with the reason a curator may keep, change or refuse."""

    tier: Tier
    reason: str

    def says(self) -> str:
        """`T1: Apple Inc. answers for it …`."""
        return f"{self.tier}: {self.reason}"


def proposed_tier(source: Source, owners: Owners, entity_names: Iterable[str] = ()) -> TierProposal:
    """The tier proposed for a source from the registry, its task's entities and its address.

    In order: the publisher by name at this address, the publisher by name, an entity of the task that answers
    for what it says of itself, an issuer behind a filing host, who publishes at the address, what kind of
    address it is. What nobody answers for is T4.
    """
    named = [row for row in owners.named(source.publisher) if row.default_tier] if source.publisher else []
    at = [row for row in owners.at(source.url) if row.default_tier]
    here = [row for row in named if row in at]
    if found := (here or named):
        return _from_row(found[0])
    hosts = [row for row in at if is_kind(row, FILING_HOST)]
    host = host_of(source.url)
    if source.publisher and company_key(source.publisher) in {company_key(name) for name in entity_names}:
        where = f"hosted by {hosts[0].publisher}" if hosts else f"at {host}"
        return TierProposal("T1", f"{source.publisher} answers for what it discloses of itself, {where}")
    if hosts:
        return _from_host(hosts[0], source.publisher)
    return _from_row(at[0]) if at else _from_address(host)


def _from_row(row: RegistryRow) -> TierProposal:
    assert row.default_tier is not None
    return TierProposal(row.default_tier, f"{row.publisher} by the registry: {row.note or 'no note'}")


def _from_host(row: RegistryRow, publisher: str) -> TierProposal:
    """Behind a filing host somebody else answers: whom, the source must say."""
    assert row.default_tier is not None
    who = f"{publisher} answers for it" if publisher else "write as publisher who answers for it"
    return TierProposal(row.default_tier, f"{row.publisher} is a {row.note}; {who}")


def _from_address(host: str) -> TierProposal:
    """By the address alone: authorities and universities are known by their domain, all else is nobody's."""
    labels = host.split(".")
    kinds = labels[-1:] if len(labels[-1]) > _COUNTRY_LENGTH else labels[-2:-1]
    if any(kind in _OFFICIAL for kind in kinds) and len(labels) > 1:
        return TierProposal("T1", f"{host} is an authority's address")
    if any(kind in _SCHOLARLY for kind in kinds) and len(labels) > len(kinds):
        return TierProposal("T2", f"{host} is a university's address; T2 only with a published method")
    return TierProposal("T4", f"the registry knows nobody who answers for {host or 'it'}")
