"""The records of a repository's own tables: captures, registry, mirror, advisories; and every table by its name."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field

from cellwright.records.fields import OptionalWhole, SourceId, Tier, choice_field
from cellwright.records.rows import TASK_TABLES, Row


class CaptureRow(Row):
    """One capture, or the last time that a source was asked for in vain: a line of `sources/captures.csv`.

    Captures are only ever added. A line without `sha256` tells why no new document came the last time that the
    source was asked for; the next attempt takes its place.
    """

    table: ClassVar[str] = "captures"
    key: ClassVar[tuple[str, ...]] = ("task", "source", "sha256")
    task: SourceId
    """The task."""
    source: SourceId
    """The source within the task."""
    sha256: Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")]
    """Of the body, the capture's file is named after it; empty where no new document came."""
    url: str
    """The address asked for."""
    final_url: str = ""
    """The address that answered."""
    fetched: str = ""
    """When, ISO 8601 in UTC."""
    status: str = ""
    """What came of it: ok, redirected, not_modified, gone, blocked, challenge, paywalled, rate_limited, too_large,
    wrong_type, tls_error, dns_error, timeout or unreachable."""
    via: Literal["live", "mirror", "warc", "memento", "upload", "stand-in"] = "live"
    """How it came here; a stand-in is not the document itself."""
    text_sha256: str = ""
    """Of the document's text, in the form in which quotes are compared."""
    superseded_by: Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")] = ""
    """The capture that took its place when a person accepted it; empty while none did."""


class RegistryRow(Row):
    """A publisher: a line of `sources/registry.csv`."""

    table: ClassVar[str] = "registry"
    key: ClassVar[tuple[str, ...]] = ("publisher", "domain")
    publisher: str
    """Who answers for documents."""
    domain: str = ""
    """Where it publishes."""
    owner: str = ""
    """Who owns it: witnesses of one owner are one."""
    default_tier: Annotated[Tier | None, BeforeValidator(choice_field)] = None
    """The tier proposed for its documents."""
    note: str = ""
    """Why; begins with its kind: `filing host: …` hosts what others answer for, `aggregator: …` repeats others."""


class MirrorRow(Row):
    """A file of a mirror, a folder that stands in for the network: a line of its `index.csv`."""

    table: ClassVar[str] = "index"
    key: ClassVar[tuple[str, ...]] = ("url",)
    url: str
    """The address it answers for."""
    file: str
    """The file below the mirror's folder."""
    media_type: str = ""
    """Its media type."""
    status: OptionalWhole = None
    """The HTTP status; 200 when empty."""
    headers: str = ""
    """Further HTTP headers: `name: value`, separated by `|`."""
    fetched: str = ""
    """When it was fetched, ISO 8601 in UTC."""
    via: Annotated[
        Literal["live", "mirror", "warc", "memento", "upload", "stand-in"] | None, BeforeValidator(choice_field)
    ] = None
    """`stand-in` where it is not the document itself; else `mirror`."""


class Advisory(Row):
    """What readers of an older release must know: `releases/advisories.csv`, and `advisories` in bundle.json."""

    table: ClassVar[str] = "advisories"
    key: ClassVar[tuple[str, ...]] = ("id",)
    id: str = Field(pattern=r"^A[1-9]\d{0,5}$")
    """`A1`, `A2`, …: in the order in which they were told."""
    kind: Annotated[Literal["yanked", "corrected", "quarantined"], BeforeValidator(choice_field)]
    """What happened: a whole release yanked, a cell's reference corrected, a task quarantined."""
    version: str
    """The release that was yanked; else the release that mends it: all earlier ones are concerned."""
    task: str = ""
    """The task; empty for a yanked release."""
    entity: str = ""
    """The cell's entity; empty for a whole task."""
    dimension: str = ""
    """The cell's dimension; empty for a whole task."""
    because: str = Field(max_length=1000)
    """Why, in a sentence."""


ALL_TABLES: dict[str, type[Row]] = {
    **TASK_TABLES,
    **{model.table: model for model in (CaptureRow, RegistryRow, MirrorRow, Advisory)},
}
"""Every table by name, those of a task and those of the repository."""
