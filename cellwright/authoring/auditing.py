"""`audit`: tasks with their evidence held against the five conditions, and against one another.

What was audited before and has not changed is taken from the cache, so that the libraries which an audit needs are
imported only where a task really must be audited.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from cellwright import __version__
from cellwright.authoring.audit_cache import AuditCache, open_bundle_cache, open_cache
from cellwright.authoring.audit_digest import Keys, NotDigestible, TaskDigests
from cellwright.authoring.lean_imports import import_lean
from cellwright.clients.repository import Repository
from cellwright.records.bundle import Rows
from cellwright.records.errors import CellwrightError, NotSettled, Place, Problem, UnreadableInput
from cellwright.records.findings import Audit, TaskAudit
from cellwright.validators.across import with_across

if TYPE_CHECKING:
    from cellwright.records.folder import TaskFolder
    from cellwright.validators.audit import AuditInput
    from cellwright.validators.context import AuditContext

Progress = Callable[[int, int, str], None]
TOOL = f"cellwright {__version__}"


@dataclass(frozen=True)
class Audited:
    """The audit of the tasks that can be read, and what is wrong with the others."""

    audit: Audit
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class AdmittedTask:
    """An admitted task: what its audit says, and what it brings to the bundle."""

    audit: TaskAudit
    tables: Mapping[str, Rows]
    """Its rows of every table of the bundle, sorted."""
    section: str
    """Its part of the evidence page."""


def audit_tasks(
    repository: Repository,
    tasks: Sequence[str] | None,
    *,
    draft: bool = False,
    day: date | None = None,
    cached: bool = False,
    progress: Progress | None = None,
) -> Audited:
    """The audit of the tasks named, or of all, each compared with every other task of the repository.

    A task that cannot be read keeps no other from being audited. Waivers run out by `day`, the day of the audit;
    each task's `as_of` stands for it where none is given. A repository whose `tasks` folder is empty, as a new one's
    is, gives the audit of nothing. Raises UnreadableInput where none can be read, NotSettled where there is no such
    folder.
    """
    if not tasks and repository.path("tasks").is_dir() and repository.tasks_found() == ((), ()):
        return Audited(Audit(tool=TOOL, tasks=()))
    chosen, misnamed = _chosen(repository, tasks)
    work = _Work(repository, draft, day, open_cache(repository) if cached else None, list(misnamed))
    audits = work.audits(chosen, progress)
    if work.problems and not audits:
        raise UnreadableInput(work.problems)
    return Audited(Audit(tool=TOOL, tasks=tuple(work.compared(audits))), tuple(work.problems))


def audit_since(
    repository: Repository,
    tasks: Sequence[str] | None,
    revision: str,
    *,
    draft: bool = False,
    day: date | None = None,
    cached: bool = False,
    progress: Progress | None = None,
) -> Audited:
    """The same, telling only the findings that were not there at an earlier revision of the repository.

    The revision is audited by the rules of today, on its own files. Raises as `open_revision` does, too.
    """
    from cellwright.clients.git import open_revision
    from cellwright.validators.known import new_since

    with open_revision(repository, revision) as past:
        now = audit_tasks(repository, tasks, draft=draft, day=day, cached=cached, progress=progress)
        there = set(past.tasks_found()[0])
        chosen = [audit.task for audit in now.audit.tasks if audit.task in there]
        work = _Work(past, draft, day, open_cache(repository) if cached else None)
        then = {audit.task: audit for audit in work.compared(work.audits(chosen, progress))}
    told = tuple(new_since(audit, then.get(audit.task)) for audit in now.audit.tasks)
    name = past.commit[:12] if past.commit.startswith(revision) else f"{revision} ({past.commit[:12]})"
    return Audited(Audit(tool=TOOL, tasks=told, since=name), now.problems)


def admitted_tasks(
    repository: Repository,
    tasks: Sequence[str] | None,
    *,
    day: date | None = None,
    cached: bool = False,
    progress: Progress | None = None,
) -> list[AdmittedTask]:
    """The tasks named, or all, with what each brings to the bundle; worked out anew unless `cached`.

    Raises UnreadableInput, telling every fault of every task; NotSettled, naming each, where one is not admitted,
    and where there is no task.
    """
    chosen, misnamed = _chosen(repository, tasks)
    cache = open_bundle_cache(repository) if cached else None
    work = _Work(repository, False, day, cache, list(misnamed), contents={})
    audits = work.audits(chosen, progress)
    if work.problems:
        raise UnreadableInput(work.problems)
    compared = work.compared(audits)
    refused = [_refusal(audit) for audit in compared if not audit.admitted]
    if refused:
        raise NotSettled(refused)
    return [work.admitted(audit) for audit in compared]


def computed_labels(repository: Repository, folder: TaskFolder) -> dict[tuple[str, str], str]:
    """The agreement label that the witnesses give, for each cell whose answer and rule can be read."""
    from cellwright.authoring.loading import load_evidence, load_owners
    from cellwright.authoring.settings import load_profile, load_thresholds
    from cellwright.validators.audit import context_of

    context = context_of(
        folder,
        load_evidence(repository, folder),
        profile=load_profile(repository, folder.task.profile),
        thresholds=load_thresholds(repository),
        owners=load_owners(repository),
    )
    return {key: verdict.label for key, verdict in context.answers.verdicts.items()}


def _refusal(audit: TaskAudit) -> Problem:
    failed = [condition.value for condition, state in audit.conditions.items() if state != "met"]
    return Problem(
        f"the task `{audit.task}` is not admitted",
        Place(f"tasks/{audit.task}"),
        seen=", ".join(failed),
        expected="five conditions met",
        fix=f"`cellwright audit {audit.task}` tells what to mend",
    )


def _chosen(repository: Repository, tasks: Sequence[str] | None) -> tuple[tuple[str, ...], tuple[Problem, ...]]:
    """The tasks named, or all, and what is wrong with folders that are no task's."""
    if tasks:
        return tuple(dict.fromkeys(tasks)), ()
    found, misnamed = repository.tasks_found()
    if not found and not misnamed:
        raise NotSettled("there is no task yet", Place("tasks"), fix="`cellwright new TASK` makes one")
    return found, misnamed


@dataclass
class _Work:
    """One audit of one state of a repository."""

    repository: Repository
    draft: bool
    day: date | None
    cache: AuditCache | None
    problems: list[Problem] = field(default_factory=list)
    contents: dict[str, Mapping[str, Rows]] | None = None
    """What each admitted task brings to the bundle; None where that is not asked."""
    summaries: dict[str, bytes] = field(default_factory=dict)
    """Of each task, packed."""
    kept_under: dict[str, str] = field(default_factory=dict)
    """The key of each audit that the cache has."""
    _digests: TaskDigests | None = None

    def audits(self, tasks: Sequence[str], progress: Progress | None) -> list[TaskAudit]:
        """Each task's own audit; what cannot be read goes to `problems`."""
        known: dict[str, TaskAudit] = {}
        keys = {task: self._keys(task) for task in tasks} if self.cache else {}
        for task in tasks:
            found = self._kept(task, keys.get(task))
            if found is not None:
                known[task] = found
                if progress:
                    progress(len(known), len(tasks), task)
        missing = [task for task in tasks if task not in known]
        for audit in self._fresh(missing) if missing else ():
            known[audit.task] = audit
            self._keep(audit, keys.get(audit.task))
            if progress:
                progress(len(known), len(tasks), audit.task)
        if self.cache:
            self.cache.prune()
        return [known[task] for task in tasks if task in known]

    def compared(self, audits: Sequence[TaskAudit]) -> list[TaskAudit]:
        """The audits with what a comparison with every other task of the repository finds."""
        if not audits:
            return []
        for task in self.repository.tasks_found()[0]:
            if task not in self.summaries:
                self._summarise(task)
        return with_across(audits, self.summaries)

    def _kept(self, task: str, keys: Keys | None) -> TaskAudit | None:
        """The audit that the cache has of the task as it lies there."""
        if self.cache is None or keys is None:
            return None
        audit, summary = self.cache.audit(keys.audit, task), self.cache.summary(keys.summary, task)
        if audit is None or summary is None:
            return None
        if self.contents is not None and audit.admitted:
            tables = self.cache.tables(keys.audit)
            if tables is None:
                return None
            self.contents[task] = tables
        self.kept_under[task] = keys.audit
        self.summaries[task] = summary
        return audit

    def _keep(self, audit: TaskAudit, keys: Keys | None) -> None:
        """Keep an audit, unless a file has changed while it lasted."""
        if self.cache is not None and keys is not None and self._keys(audit.task) == keys:
            self.kept_under[audit.task] = keys.audit
            self.cache.keep_audit(keys.audit, audit)
            self.cache.keep_summary(keys.summary, self.summaries[audit.task])
            if self.contents is not None and audit.admitted:
                self.cache.keep_tables(keys.audit, self.contents[audit.task])

    def admitted(self, audit: TaskAudit) -> AdmittedTask:
        """What a task brings to the bundle, once its audit has been compared with all others."""
        assert self.contents is not None
        tables = self.contents[audit.task]
        # What a comparison found is not in the task's own key, and stands on the page.
        own = self.kept_under.get(audit.task, "")
        key = hashlib.sha256(f"{own}\n{audit.model_dump_json()}".encode()).hexdigest()
        section = self.cache.section(key) if self.cache and own else None
        if section is None:
            from cellwright.views.evidence_page import task_sections

            (section,) = task_sections(tables, [audit])
            if self.cache and own:
                self.cache.keep_section(key, section)
        return AdmittedTask(audit, tables, section)

    def _keys(self, task: str) -> Keys | None:
        """The task's keys; None where something cannot be read: then the audit tells what."""
        try:
            if self._digests is None:
                self._digests = TaskDigests(self.repository, draft=self.draft, day=self.day)
            return self._digests.keys(task)
        except (CellwrightError, NotDigestible):
            return None

    def _fresh(self, tasks: Sequence[str]) -> Iterator[TaskAudit]:
        """Each task audited now."""
        import_lean()
        from cellwright.authoring.loading import load_owners
        from cellwright.authoring.plug_ins import load_plug_ins
        from cellwright.authoring.settings import load_plug_in_settings, load_thresholds
        from cellwright.validators.audit import audited_contexts

        added = load_plug_ins(load_plug_in_settings(self.repository))
        audited = audited_contexts(
            self._inputs(tasks),
            thresholds=load_thresholds(self.repository),
            owners=load_owners(self.repository),
            draft=self.draft,
            extra=added.rules,
            unusable=added.problems,
        )
        for audit, context in audited:
            if self.contents is not None and audit.admitted:
                self.contents[audit.task] = _tables_of(context)
            del context  # else its documents are alive while the next task is audited
            yield audit

    def _inputs(self, tasks: Iterable[str]) -> Iterator[AuditInput]:
        """Each task in turn, so that memory does not grow with their number."""
        from cellwright.authoring.loading import load_evidence, load_task
        from cellwright.authoring.settings import load_bundle_settings, load_profile
        from cellwright.validators.audit import AuditInput
        from cellwright.validators.summaries import summary_of

        canary = load_bundle_settings(self.repository).canary
        for task in tasks:
            try:
                folder = load_task(self.repository, task)
                profile = load_profile(self.repository, folder.task.profile)
                evidence = load_evidence(self.repository, folder)
                given = AuditInput(folder, evidence, profile, self.day, canary)
                self.summaries[task] = summary_of(folder)
            except UnreadableInput as error:
                self.problems += error.problems
                continue
            yield given

    def _summarise(self, task: str) -> None:
        """The summary of a task that is only compared with: one that cannot be read is no failure of the others."""
        from cellwright.authoring.loading import load_task
        from cellwright.validators.summaries import summary_of

        keys = self._keys(task) if self.cache else None
        found = self.cache.summary(keys.summary, task) if self.cache and keys else None
        if found is None:
            try:
                found = summary_of(load_task(self.repository, task))
            except UnreadableInput:
                return
            if self.cache and keys and self._keys(task) == keys:
                self.cache.keep_summary(keys.summary, found)
        self.summaries[task] = found


def _tables_of(context: AuditContext) -> dict[str, Rows]:
    """A task's rows of every table of the bundle."""
    from cellwright.authoring.bundles.tables import TaskContent, bundle_tables

    via = {source: evidence.via for source, evidence in context.evidence.items() if not evidence.problem}
    return bundle_tables([TaskContent(context.folder, context.answers, via)])
