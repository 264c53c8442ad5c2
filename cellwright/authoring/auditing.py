"""`audit`: tasks with their evidence held against the five conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from cellwright import __version__
from cellwright.authoring.loading import chosen_tasks, load_evidence, load_owners, load_task
from cellwright.authoring.plug_ins import load_plug_ins
from cellwright.authoring.settings import load_bundle_settings, load_plug_in_settings, load_profile, load_thresholds
from cellwright.clients.repository import Repository
from cellwright.records.errors import Problem, UnreadableInput
from cellwright.records.findings import Audit, TaskAudit
from cellwright.records.folder import TaskFolder
from cellwright.validators.audit import AuditInput, context_of
from cellwright.validators.audit import audit_tasks as audit_inputs
from cellwright.validators.context import AuditContext

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class AuditedTask:
    """A task with what its audit says, and the context in which its answers are replayed."""

    folder: TaskFolder
    audit: TaskAudit
    context: AuditContext
    via: dict[str, str]
    """How each source's pinned capture came here."""


def audit_tasks(
    repository: Repository,
    tasks: Sequence[str] | None,
    *,
    draft: bool = False,
    day: date | None = None,
    progress: Progress | None = None,
) -> Audit:
    """The audit of the tasks named, or of all. Raises UnreadableInput, telling every fault of every task.

    Waivers run out by `day`, the day of the audit; each task's `as_of` stands for it where none is given.
    """
    chosen = chosen_tasks(repository, tasks)
    problems: list[Problem] = []
    audits: list[TaskAudit] = []
    canary, added = load_bundle_settings(repository).canary, load_plug_ins(load_plug_in_settings(repository))
    inputs = (replace(given, day=day, canary=canary) for given in _inputs(repository, chosen, problems))
    thresholds, owners = load_thresholds(repository), load_owners(repository)
    found = audit_inputs(
        inputs, thresholds=thresholds, owners=owners, draft=draft, extra=added.rules, unusable=added.problems
    )
    for number, audit in enumerate(found, 1):
        audits.append(audit)
        if progress:
            progress(number, len(chosen), audit.task)
    if problems:
        raise UnreadableInput(problems)
    return Audit(tool=f"cellwright {__version__}", tasks=tuple(audits))


def audit_each(
    repository: Repository, tasks: Sequence[str] | None, *, day: date | None = None, progress: Progress | None = None
) -> list[AuditedTask]:
    """The tasks named, or all, audited, with what a bundle needs of each."""
    audit = audit_tasks(repository, tasks, day=day, progress=progress)
    return [_audited(repository, found) for found in audit.tasks]


def computed_labels(repository: Repository, folder: TaskFolder) -> dict[tuple[str, str], str]:
    """The agreement label that the witnesses give, for each cell whose answer and rule can be read."""
    verdicts = _context(repository, _input(repository, folder)).answers.verdicts
    return {key: verdict.label for key, verdict in verdicts.items()}


def _inputs(repository: Repository, tasks: Sequence[str], problems: list[Problem]) -> Iterator[AuditInput]:
    """Each task in turn, so that memory does not grow with their number; what cannot be read goes to `problems`."""
    for task in tasks:
        try:
            given = _input(repository, load_task(repository, task))
        except UnreadableInput as error:
            problems += error.problems
            continue
        yield given


def _input(repository: Repository, folder: TaskFolder) -> AuditInput:
    return AuditInput(folder, load_evidence(repository, folder), load_profile(repository, folder.task.profile))


def _audited(repository: Repository, audit: TaskAudit) -> AuditedTask:
    given = _input(repository, load_task(repository, audit.task))
    via = {source: evidence.via for source, evidence in given.evidence.items() if not evidence.problem}
    return AuditedTask(given.folder, audit, _context(repository, given), via)


def _context(repository: Repository, given: AuditInput) -> AuditContext:
    return context_of(
        given.folder,
        given.evidence,
        profile=given.profile,
        thresholds=load_thresholds(repository),
        owners=load_owners(repository),
    )
