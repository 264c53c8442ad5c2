"""`locate`: each fact's number found in its pinned capture, and the fields it fills."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from cellwright.authoring.captures.read_sources import ReadSource, doubts_of, read_source
from cellwright.authoring.explaining import Explained, candidate_json, candidate_text, explained, fact_named
from cellwright.authoring.loading import open_pinned
from cellwright.authoring.renewing import PLACE, renewed
from cellwright.clients.disk import write_atomic
from cellwright.clients.repository import Repository
from cellwright.documents.asked import wanted_of
from cellwright.documents.locate import Locator
from cellwright.documents.number_marks import two_readings
from cellwright.documents.wanted import Located
from cellwright.documents.witness import Witness
from cellwright.records.decimals import canonical
from cellwright.records.errors import CellwrightError, UnreadableInput
from cellwright.records.fields import write_field
from cellwright.records.folder import TaskFolder
from cellwright.records.rows import Fact, Source
from cellwright.records.tables import updated_table

MOST_CANDIDATES = 5
"""Places told of a fact that is not settled."""
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
_LOCALE_ASKED = "how does the source write its numbers? give it its `locale`"


@dataclass(frozen=True)
class LocatedFact:
    """A fact and what its capture says of it."""

    fact: Fact
    found: Located
    changes: dict[str, str]
    """What `--write` would fill, and `--renew` would put in the place of what is there."""
    locator: Locator | None = None
    """Of its document; None where there is none to read."""
    shown: Explained | None = None
    """What `--explain` shows of it."""

    @property
    def witness(self) -> Witness | None:
        """What the document's own tag says of the figure; it fills nothing."""
        return self.locator.witness(self.found) if self.locator is not None else None


@dataclass(frozen=True)
class Locating:
    """The facts of a task, located, in the file's order."""

    facts: tuple[LocatedFact, ...]
    documents: tuple[ReadSource, ...] = ()
    """The documents that could be read, in the order in which the facts name them."""

    @property
    def counts(self) -> dict[str, int]:
        """How many facts have each status."""
        counted: Counter[str] = Counter(item.found.status for item in self.facts)
        return {status: counted[status] for status in STATUSES}

    @property
    def settled(self) -> bool:
        """Whether each fact is found exactly; the page of a superseded one need not show it any more."""
        return all(item.found.status == "exact" or item.fact.rank == "superseded" for item in self.facts)


def locate_task(
    repository: Repository,
    folder: TaskFolder,
    progress: Callable[[int, int, str], None] | None = None,
    *,
    renew: bool = False,
    explain: str = "",
) -> Locating:
    """Every fact of the task looked for in its source's capture; each document is read and indexed once.

    A fact whose capture is missing or cannot be read is `absent`, with the reason. With `renew` the excerpt of
    a fact whose quote no longer stands in the capture is found anew; `explain` limits it to one fact's id.
    Raises UnreadableInput where the task has no such fact.
    """
    if explain:
        folder = replace(folder, facts=(fact_named(folder, explain),))
    by_source: dict[str, list[Fact]] = {}
    for fact in folder.facts:
        by_source.setdefault(fact.source, []).append(fact)
    located: dict[str, LocatedFact] = {}
    documents: list[ReadSource] = []
    done = 0
    for source, facts in by_source.items():
        locator = _locator(repository, folder, folder.source_by_id.get(source), documents)
        for fact in facts:
            found = _locate(folder, fact, locator)
            changes = _changes(fact, found, _currency_of(folder, fact))
            known = None if isinstance(locator, str) else locator
            if renew and known is not None:
                changes |= renewed(fact, found, known)
            shown = explained(folder, fact, known) if explain and known is not None else None
            located[fact.id] = LocatedFact(fact, found, changes, known, shown)
            done += 1
            if progress:
                progress(done, len(folder.facts), fact.id)
    return Locating(tuple(located[fact.id] for fact in folder.facts), tuple(documents))


def _locator(
    repository: Repository, folder: TaskFolder, source: Source | None, documents: list[ReadSource]
) -> Locator | str:
    """The index of a source's document, or why there is none; how it was read is added to `documents`."""
    if source is None:
        return "the source is not in sources.csv"
    if not source.capture:
        return f"the source `{source.id}` has no capture yet; `cellwright capture {folder.task.id}` fetches it"
    try:
        opened = open_pinned(repository, folder.task.id, source)
        if opened is None:
            return _not_here(source)
        documents.append(read_source(source, opened.capture, opened.document, folder.task.as_of))
        return Locator(opened.document)
    except CellwrightError as error:
        return error.problems[0].sentence()


def _not_here(source: Source) -> str:
    return f"the capture of `{source.id}` is not here; `dvc pull` or `cellwright capture` brings it"


def _locate(folder: TaskFolder, fact: Fact, locator: Locator | str) -> Located:
    if isinstance(locator, str):
        return Located(status="absent", why=locator)
    try:
        found = locator.locate(wanted_of(folder, fact))
    except UnreadableInput as error:
        return Located(status="absent", why=error.problems[0].sentence())
    if found.status == "absent":
        other = f"; {locator.elsewhere}" if locator.elsewhere else ""
        return replace(found, why=f"{found.why}{other}{doubts_of(locator.document)}")
    source = folder.source_by_id.get(fact.source)
    if source is None or found.status not in ("exact", "mismatch") or locator.document.kind in ("xlsx", "json"):
        return found
    both = two_readings(found.as_written, source.locale, locator.mark)
    if both:
        return replace(found, status="ambiguous", why=f"{found.as_written}: {both}", asks=_LOCALE_ASKED)
    return found


def _currency_of(folder: TaskFolder, fact: Fact) -> str:
    return next((entity.currency for entity in folder.task.entities if entity.id == fact.entity), "")


def unit_of(read: str, currency: str) -> str:
    """The unit to fill in: a bare `$` is the entity's own currency where that is a dollar, else nobody knows whose."""
    if not read.startswith("$"):
        return read
    return currency + read[1:] if currency.endswith("D") else ""


def _changes(fact: Fact, found: Located, currency: str) -> dict[str, str]:
    """The empty fields that an exact place fills. The sign of a bracketed figure is the curator's to say."""
    if found.status != "exact":
        return {}
    read = {name: write_field(getattr(found, name, None)) for name in ("as_written", *PLACE)}
    read["scale"] = write_field(found.scale_read)
    read["unit"] = unit_of(found.unit_read, currency)
    sign = fact.sign or ("" if found.asks else "shown")
    if sign and found.value_read is not None:
        read["sign"] = sign
        read["value"] = canonical(-found.value_read if sign == "reversed" else found.value_read)
    # A quote that a person chose may stand elsewhere than the place that was found: nothing is added to it then.
    one_place = fact.quote in ("", found.quote)
    changes = {}
    for name in FILLED:
        if name in PLACE and not one_place:
            continue
        if read.get(name) and write_field(getattr(fact, name)) == "":
            changes[name] = read[name]
    return changes


def write_located(repository: Repository, folder: TaskFolder, locating: Locating) -> int:
    """Write the changes into `facts.csv`; gives how many fields, 0 when nothing was written."""
    changes = {item.fact.line: item.changes for item in locating.facts if item.changes}
    if changes:
        write_atomic(repository.task_path(folder.task.id, "facts.csv"), updated_table(folder.tables["facts"], changes))
    return sum(len(change) for change in changes.values())


def locating_json(locating: Locating, *, writing: bool = False) -> dict[str, object]:
    """The shape of `locate --format json` (design, section 3); what is read comes from the document alone.

    `writing` adds the old and new text of each field that is written, by fact.
    """
    told: dict[str, object] = {
        "counts": locating.counts,
        "facts": [dict(_fact_json(item)) for item in locating.facts],
        "documents": [read.as_json() for read in locating.documents],
    }
    if writing:
        told["changes"] = {
            item.fact.id: {name: [write_field(getattr(item.fact, name)), new] for name, new in item.changes.items()}
            for item in locating.facts
            if item.changes
        }
    return told


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
        ("candidates", [candidate_json(candidate) for candidate in found.candidates]),
        ("witness", _witness_json(witness) if (witness := item.witness) is not None else None),
    )
    if item.shown is not None:
        yield "asked", item.shown.asked
        yield "near", [candidate_json(candidate) for candidate in item.shown.near]


def _witness_json(witness: Witness) -> dict[str, str | None]:
    """A tag beside the printed figure: its own value, unit and period, and whether it agrees in magnitude and scale."""
    tag = witness.tag
    return {
        "concept": tag.concept,
        "value": None if tag.value is None else canonical(tag.value),
        "unit": tag.unit,
        "start": None if tag.start is None else str(tag.start),
        "end": None if tag.end is None else str(tag.end),
        "says": witness.says,
    }


def told_of(locating: Locating) -> Iterator[str]:
    """A line for each fact that is not settled, those of one reason together, and below it the places that might be.

    A reason such as a missing capture holds for every fact of a source: it is told once. Before them stands what
    is doubtful about the reading of a document.
    """
    for read in locating.documents:
        yield from read.lines()
    shared: dict[tuple[str, str], list[LocatedFact]] = {}
    for item in locating.facts:
        if item.found.status != "exact":
            shared.setdefault((item.found.status, item.found.why), []).append(item)
        elif item.found.asks and not item.fact.sign:
            shared.setdefault(("asks", item.found.asks), []).append(item)
    for (kind, why), items in shared.items():
        names = [item.fact.id for item in items]
        who = names[0] if len(names) == 1 else f"{len(names)} facts, {', '.join(names[:3])}{', …' if names[3:] else ''}"
        yield f"{kind}: {who}: {why}"
        if len(items) == 1:
            yield from (f"    {candidate_text(place)}" for place in items[0].found.candidates[:MOST_CANDIDATES])
