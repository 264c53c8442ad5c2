"""Condition 2, issued: a source's address, form, publisher and tier are those of what was captured."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from cellwright.records.errors import clip
from cellwright.records.findings import Condition
from cellwright.records.names import company_key
from cellwright.validators.context import AuditContext
from cellwright.validators.registry import Hit, rule
from cellwright.validators.rules.figures import _address

C2 = Condition.SOURCED
_FORMS = {
    "text/html": "a web page",
    "application/xhtml+xml": "a web page",
    "application/pdf": "a PDF",
    "text/csv": "a table as text",
    "application/json": "JSON",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "a spreadsheet",
    "application/vnd.ms-excel": "a spreadsheet",
}


def _form(media_type: str) -> str:
    return _FORMS.get(media_type.partition(";")[0].strip().casefold(), "")


@rule("C2-MEDIA-TYPE-WRONG", C2, severity="warning", title="A source's media type is its capture's.")
def media_types_are_the_captures(context: AuditContext) -> Iterator[Hit]:
    """A web page called a PDF: its page numbers and its reader would be those of another form."""
    for source in context.folder.sources:
        found = context.evidence.get(source.id)
        said, is_ = _form(source.media_type), _form(found.media_type if found else "")
        if found is not None and said and is_ and said != is_:
            place = context.folder.place(source, "media_type")
            yield Hit(place, source.media_type, found.media_type, "empty it: capture fills it")


@rule("C2-CAPTURE-OTHER-ADDRESS", C2, severity="warning", title="A source's capture came from its address.")
def captures_came_from_the_address(context: AuditContext) -> Iterator[Hit]:
    """An address changed after the capture was made: the document behind it was never looked at."""
    for source in context.folder.sources:
        found = context.evidence.get(source.id)
        if found is None or not found.url or not source.url:
            continue
        said, asked = _address(source.url), _address(found.url)
        if said and asked and said != asked and said.rstrip("?") not in asked:
            place = context.folder.place(source, "url")
            fix = f"mend the address, or `cellwright capture {context.task.id} --refresh` and look at what it gives"
            yield Hit(place, clip(source.url), clip(found.url), fix)


@rule("C2-SOURCE-OTHER-ENTITY", C2, severity="warning", title="An entity's figures are not of another one's report.")
def sources_are_of_their_entities(context: AuditContext) -> Iterator[Hit]:
    """Sources whose publisher is one entity while all that is read from them is about another."""
    names = {
        company_key(name): entity.id for entity in context.task.entities for name in (entity.name, *entity.aliases)
    }
    read: dict[str, set[str]] = defaultdict(set)
    for fact in context.folder.facts:
        read[fact.source].add(fact.entity)
    for source in context.folder.sources:
        issuer = names.get(company_key(source.publisher))
        about = read[source.id]
        if issuer and about and issuer not in about and "*" not in about:
            place = context.folder.place(source, "publisher")
            entity = next(iter(about)) if len(about) == 1 else ""
            observed = f"{source.publisher}, which is `{issuer}`"
            expected = f"who answers for figures of {', '.join(f'`{name}`' for name in sorted(about))}"
            yield Hit(place, observed, expected, "mend publisher and title, or the facts' entity", entity)
