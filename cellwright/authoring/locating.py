"""`locate`: each fact's number found in its pinned capture, and the fields it fills."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from cellwright.clients.disk import write_atomic
from cellwright.clients.repository import Repository
from cellwright.clients.warc import read_capture
from cellwright.documents.locate import Located, Locator, Wanted
from cellwright.documents.reading import read_document
from cellwright.documents.wanted import Candidate
from cellwright.records.decimals import canonical
from cellwright.records.errors import CellwrightError, UnreadableInput
from cellwright.records.fields import write_field
from cellwright.records.folder import TaskFolder
from cellwright.records.periods import Period
from cellwright.records.rows import Fact, Source
from cellwright.records.tables import updated_table

STATUSES = ("exact", "mismatch", "ambiguous", "absent")
FILLED = (
    "as_written",
    "value",
    "scale",
    "sign",
    "unit",
    "quote",
    "prefix",
    "suffix",
    "page",
    "row",
    "column",
    "locator",
)
"""The columns that `--write` fills where they are empty."""
PLACE = ("quote", "prefix", "suffix", "page", "row", "column", "locator")
"""Of those, the ones that say where the figure stands: they are filled together or not at all."""


@dataclass(frozen=True)
class LocatedFact:
    """A fact and what its capture says of it."""

    fact: Fact
    found: Located
    changes: dict[str, str]
    """What `--write` would fill."""


@dataclass(frozen=True)
class Locating:
    """The facts of a task, located, in the file's order."""

    facts: tuple[LocatedFact, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many facts have each status."""
        counted: Counter[str] = Counter(item.found.status for item in self.facts)
        return {status: counted[status] for status in STATUSES}


def locate_task(
    repository: Repository, folder: TaskFolder, progress: Callable[[int, int, str], None] | None = None
) -> Locating:
    """Every fact of the task looked for in its source's capture; each document is read and indexed once.

    A fact whose capture is missing or cannot be read is `absent`, with the reason.
    """
    by_source: dict[str, list[Fact]] = {}
    for fact in folder.facts:
        by_source.setdefault(fact.source, []).append(fact)
    located: dict[str, LocatedFact] = {}
    done = 0
    for source, facts in by_source.items():
        locator = _locator(repository, folder, folder.source_by_id.get(source))
        for fact in facts:
            found = _locate(folder, fact, locator)
            located[fact.id] = LocatedFact(fact, found, _changes(fact, found))
            done += 1
            if progress:
                progress(done, len(folder.facts), fact.id)
    return Locating(tuple(located[fact.id] for fact in folder.facts))


def _locator(repository: Repository, folder: TaskFolder, source: Source | None) -> Locator | str:
    """The index of a source's document, or why there is none."""
    if source is None:
        return "the source is not in sources.csv"
    if not source.capture:
        return f"the source `{source.id}` has no capture yet; `cellwright capture {folder.task.id}` fetches it"
    try:
        data = repository.capture_bytes(folder.task.id, source.capture)
        if data is None:
            return f"the capture of `{source.id}` is not here; `dvc pull` or `cellwright capture` brings it"
        capture = read_capture(data, file=repository.shown(repository.capture_path(folder.task.id, source.capture)))
        document = read_document(
            capture.body, capture.media_type, locale=source.locale, charset=capture.charset or None, name=source.id
        )
        return Locator(document)
    except CellwrightError as error:
        return error.problems[0].sentence()


def _locate(folder: TaskFolder, fact: Fact, locator: Locator | str) -> Located:
    if isinstance(locator, str):
        return Located(status="absent", why=locator)
    try:
        return locator.locate(wanted_of(folder, fact))
    except UnreadableInput as error:
        return Located(status="absent", why=error.problems[0].sentence())


def wanted_of(folder: TaskFolder, fact: Fact) -> Wanted:
    """What is looked for: the fact with its entity's names and its period's dates. UnreadableInput for no dates."""
    task = folder.task
    entity = next((item for item in task.entities if item.id == fact.entity), None)
    names = (entity.name, *entity.aliases, *entity.identifiers.values()) if entity else ()
    period: Period = task.calendar.period(fact.period, fact.entity)
    source = folder.source_by_id.get(fact.source)
    return Wanted(
        id=fact.id,
        entity=fact.entity,
        entity_names=names,
        name=fact.name,
        period_start=period.start,
        period_end=period.end,
        as_written=fact.as_written,
        value=fact.value,
        scale=fact.scale,
        sign=fact.sign or "",
        unit=fact.unit,
        quote=fact.quote,
        prefix=fact.prefix,
        suffix=fact.suffix,
        page=fact.page,
        row=fact.row,
        column=fact.column,
        locator=fact.locator,
        label=fact.period if fact.period in task.periods else "",
        locale=(source.locale if source else "") or "en",
    )


def _changes(fact: Fact, found: Located) -> dict[str, str]:
    """The empty fields that an exact place fills. The sign of a bracketed figure is the curator's to say."""
    if found.status != "exact":
        return {}
    read = {name: write_field(getattr(found, name, None)) for name in ("as_written", *PLACE)}
    read["scale"] = write_field(found.scale_read)
    read["unit"] = found.unit_read
    sign = fact.sign or ("" if found.asks else "shown")
    if sign and found.value_read is not None:
        read["sign"] = sign
        read["value"] = canonical(-found.value_read if sign == "reversed" else found.value_read)
    whole_place = all(not getattr(fact, name) for name in ("quote", "row", "column", "locator"))
    changes = {}
    for name in FILLED:
        if name in PLACE and not whole_place and name != "quote":
            continue
        if read.get(name) and write_field(getattr(fact, name)) == "":
            changes[name] = read[name]
    return changes


def write_located(repository: Repository, folder: TaskFolder, locating: Locating) -> int:
    """Fill the empty fields in `facts.csv`; gives how many, 0 when nothing was written."""
    changes = {item.fact.line: item.changes for item in locating.facts if item.changes}
    if changes:
        write_atomic(repository.task_path(folder.task.id, "facts.csv"), updated_table(folder.tables["facts"], changes))
    return sum(len(change) for change in changes.values())


def locating_json(locating: Locating) -> dict[str, object]:
    """The shape of `locate --format json` (design, section 3); what is read comes from the document alone."""
    return {"counts": locating.counts, "facts": [dict(_fact_json(item)) for item in locating.facts]}


def _fact_json(item: LocatedFact) -> Iterator[tuple[str, object]]:
    fact, found = item.fact, item.found
    yield from (
        ("id", fact.id),
        ("entity", fact.entity),
        ("name", fact.name),
        ("period", fact.period),
        ("source", fact.source),
        ("status", found.status),
        ("quote", found.quote),
        ("row", found.row),
        ("column", found.column),
        ("page", found.page),
        ("locator", found.locator),
    )
    yield "value_read", canonical(found.value_read) if found.value_read is not None else None
    yield from (
        ("scale_read", found.scale_read),
        ("sign_read", found.sign_read),
        ("why", found.why),
        ("asks", found.asks),
        ("candidates", [candidate_text(candidate) for candidate in found.candidates]),
    )


def candidate_text(candidate: Candidate) -> str:
    """A place that might be meant, on one line: row, column and figure."""
    where = " | ".join(part for part in (candidate.row, candidate.column, candidate.period_read) if part)
    return f"{where}: {candidate.as_written}"
