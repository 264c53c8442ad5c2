"""What each source of a task still lacks: its capture, a tier (one is proposed), a line of the registry."""

from __future__ import annotations

from dataclasses import dataclass

from cellwright.records.folder import TaskFolder
from cellwright.records.rows import Source
from cellwright.records.tables import write_table
from cellwright.validators.owners import Owners, host_of
from cellwright.validators.tiers import TierProposal, proposed_tier


@dataclass(frozen=True)
class SourceStatus:
    """A source, what it lacks, and what may be written in its place: the curator decides."""

    source: str
    lacks: tuple[str, ...]
    proposal: TierProposal | None
    """The tier proposed; None where the source has one."""
    registry_line: str
    """A line for `sources/registry.csv`; empty where the registry knows the publisher."""


def source_status(folder: TaskFolder, owners: Owners) -> tuple[SourceStatus, ...]:
    """Every source in the file's order."""
    names = [entity.name for entity in folder.task.entities]
    return tuple(_status(source, owners, names) for source in folder.sources)


def _status(source: Source, owners: Owners, names: list[str]) -> SourceStatus:
    proposal = proposed_tier(source, owners, names)
    lacks = [
        what
        for what, there in (
            ("a publisher", source.publisher),
            ("a tier", source.tier),
            ("a tier_reason", source.tier_reason or not source.tier),
            ("a capture", source.capture),
        )
        if not there
    ]
    known = not source.publisher or owners.named(source.publisher)
    line = "" if known else _registry_line(source, proposal)
    return SourceStatus(source.id, tuple(lacks), None if source.tier else proposal, line)


def _registry_line(source: Source, proposal: TierProposal) -> str:
    """The publisher at the domain that somebody registered, as its own owner, for a person to complete."""
    row = {
        "publisher": source.publisher,
        "domain": registrable_domain(source.url),
        "owner": source.publisher,
        "default_tier": source.tier or proposal.tier,
        "note": "",
    }
    return write_table([row], list(row)).decode("utf-8").splitlines()[1]


def registrable_domain(url: str) -> str:
    """What somebody registered: `ir.acme.co.uk` lies at `acme.co.uk`, by the list that the library carries."""
    import tldextract

    host = host_of(url)
    extract = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
    return extract(host).top_domain_under_public_suffix or host
