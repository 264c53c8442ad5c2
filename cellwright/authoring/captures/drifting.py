"""What became of a task's facts between two captures of their sources: asked for each fact, and told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import get_args

from cellwright.authoring.captures.capture import SourceOutcome
from cellwright.clients.repository import Repository
from cellwright.clients.warc import read_capture
from cellwright.documents.asked import wanted_of
from cellwright.documents.drift import Drift, DriftStatus, Version, drift_of
from cellwright.documents.mentions import EntityNames
from cellwright.documents.reading import read_document
from cellwright.records.errors import CellwrightError
from cellwright.records.folder import TaskFolder
from cellwright.records.rows import Fact, Source

STATUSES: tuple[DriftStatus, ...] = get_args(DriftStatus)
HELD: tuple[DriftStatus, ...] = ("same", "moved")
"""What became of facts that nobody has to read again."""
SUPERSEDED = "superseded"
"""The rank of facts that are kept as they were read: their page need not show them any more."""


@dataclass(frozen=True)
class Step:
    """A source on its way from one capture to another; `fault` says why the newer one cannot be looked at."""

    source: str
    before: str
    after: str
    fault: str = ""


@dataclass(frozen=True)
class FactDrift:
    """A fact and what became of it."""

    fact: Fact
    drift: Drift


@dataclass(frozen=True)
class TaskDrift:
    """What became of a task's facts, in the order of its file; `kept` superseded ones are left as they are."""

    task: str
    facts: tuple[FactDrift, ...]
    kept: int = 0

    @property
    def counts(self) -> dict[str, int]:
        """How many facts have each status."""
        counted: Counter[str] = Counter(item.drift.status for item in self.facts)
        return {status: counted[status] for status in STATUSES}

    @property
    def holds(self) -> bool:
        """Whether every fact is the same, or has only moved."""
        return all(item.drift.status in HELD for item in self.facts)

    def of(self, *statuses: DriftStatus) -> tuple[FactDrift, ...]:
        """The facts of these statuses."""
        return tuple(item for item in self.facts if item.drift.status in statuses)


def steps_of(outcomes: Iterable[SourceOutcome]) -> tuple[Step, ...]:
    """The sources that were asked again, each with the capture it was pinned to and the one now at hand."""
    return tuple(
        Step(
            outcome.source,
            outcome.before or outcome.pin,
            outcome.sha256,
            f"{outcome.status or 'failed'}: {outcome.note}" if outcome.action == "failed" else "",
        )
        for outcome in outcomes
    )


def task_drift(
    repository: Repository,
    folder: TaskFolder,
    steps: Sequence[Step],
    progress: Callable[[int, int, str], None] | None = None,
) -> TaskDrift:
    """Every fact of these sources asked for in both captures; each document is read once.

    A fact is `unreachable` where the page could not be had, or either capture cannot be read.
    """
    names = EntityNames(
        {entity.id: (entity.name, *entity.aliases, *entity.identifiers.values()) for entity in folder.task.entities}
    )
    facts = [fact for fact in folder.facts if any(fact.source == step.source for step in steps)]
    asked = [fact for fact in facts if fact.rank != SUPERSEDED]
    found: dict[str, FactDrift] = {}
    for step in steps:
        mine = [fact for fact in asked if fact.source == step.source]
        if not mine:
            continue
        versions = _versions(repository, folder, step, names)
        for fact in mine:
            found[fact.id] = FactDrift(fact, _drift(folder, fact, versions))
            if progress:
                progress(len(found), len(asked), fact.id)
    return TaskDrift(folder.task.id, tuple(found[fact.id] for fact in asked), len(facts) - len(asked))


def _versions(
    repository: Repository, folder: TaskFolder, step: Step, names: EntityNames
) -> tuple[Version, Version] | str:
    """Both captures of a source read, or why that cannot be."""
    source = folder.source_by_id.get(step.source)
    if step.fault:
        return step.fault
    if source is None:
        return "the source is not in sources.csv"

    @lru_cache(maxsize=2)
    def version(sha256: str) -> Version | str:
        return _version(repository, folder.task.id, source, sha256, names)

    before, after = version(step.before), version(step.after)
    if isinstance(before, str):
        return f"the pinned capture cannot be looked at: {before}"
    return after if isinstance(after, str) else (before, after)


def _version(repository: Repository, task: str, source: Source, sha256: str, names: EntityNames) -> Version | str:
    try:
        data = repository.capture_bytes(task, sha256)
        if data is None:
            return "it is not here; `dvc pull` brings it"
        capture = read_capture(data, file=repository.shown(repository.capture_path(task, sha256)))
        document = read_document(
            capture.body, capture.media_type, locale=source.locale, charset=capture.charset or None, name=source.id
        )
    except CellwrightError as error:
        return error.problems[0].sentence()
    return Version(document, names, stand_in=capture.via == "stand-in")


def _drift(folder: TaskFolder, fact: Fact, versions: tuple[Version, Version] | str) -> Drift:
    if isinstance(versions, str):
        return Drift("unreachable", versions)
    try:
        return drift_of(*versions, wanted_of(folder, fact))
    except CellwrightError as error:
        return Drift("orphaned", error.problems[0].sentence(), fact.as_written)


def drift_json(drift: TaskDrift) -> dict[str, object]:
    """The facts of `capture --refresh --format json`: status, why, and both figures where they differ."""
    return {
        "counts": drift.counts,
        "superseded": drift.kept,
        "facts": [
            {
                "id": item.fact.id,
                "entity": item.fact.entity,
                "name": item.fact.name,
                "period": item.fact.period,
                "source": item.fact.source,
                "status": item.drift.status,
                "old": item.drift.old,
                "new": item.drift.new,
                "why": item.drift.why,
            }
            for item in drift.facts
        ],
    }
