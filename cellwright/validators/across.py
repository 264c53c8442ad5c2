"""Tasks held against one another: rules that look at several tasks at once, after each was audited by itself.

They see the tasks in short (`summaries`), never their captures, so that every task of a repository can be
compared although few are audited. A finding attaches to one task; the other task has its own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from cellwright.records.errors import Place
from cellwright.records.findings import Condition, Finding, Severity, TaskAudit, with_more
from cellwright.validators.broken import Found, broken
from cellwright.validators.identity import Cluster, Identities
from cellwright.validators.registry import Hit, RuleInfo, builtin_rules, finding_of, rule
from cellwright.validators.summaries import Contents, Figure, Question, TaskInShort, contents_of, task_in_short

MOST_NAMED = 3
"""Other places that one finding names; how many more there are is counted."""
UNUSED = "C1-WAIVER-UNUSED"

TaskHit = tuple[str, Hit]
"""A hit with the task it attaches to."""
Across = Callable[["Tasks"], Iterator[TaskHit]]
_CHECKS: dict[str, tuple[RuleInfo, Across]] = {}


@dataclass(frozen=True, slots=True)
class Standing:
    """A figure or question with the task that it stands in."""

    task: TaskInShort
    figure: Figure

    @property
    def place(self) -> Place:
        """Where it stands."""
        return Place(f"{self.task.folder}/facts.csv", self.figure.line or None, "value", self.figure.id)


@dataclass(frozen=True, slots=True)
class Asked:
    """A cell's question with the task that asks it."""

    task: TaskInShort
    question: Question

    @property
    def place(self) -> Place:
        """Where the dimension stands."""
        cell = f"{self.question.entity}/{self.question.dimension}"
        return Place(f"{self.task.folder}/task.yaml", self.question.line, "ask", cell)


class Tasks:
    """The tasks to compare, packed: only what two tasks share is unpacked and held."""

    def __init__(self, packed: Mapping[str, bytes]) -> None:
        self._packed = packed
        self._short = {task: task_in_short(packed[task]) for task in sorted(packed)}

    @cached_property
    def identities(self) -> Identities:
        """The entities of all tasks that take part."""
        taking_part = [short for short in self._short.values() if short.compared]
        return Identities((short.task, entity) for short in taking_part for entity in short.entities)

    def _shared(self) -> Iterator[tuple[TaskInShort, Contents]]:
        """The tasks with an entity that another task has too, one after the other."""
        tasks = {task for number in self.identities.shared for task, _ in self.identities.clusters[number].members}
        for task in sorted(tasks):
            yield self._short[task], contents_of(self._packed[task])

    def number(self, task: str, entity: str) -> int:
        """The entity across tasks; -1 for one that no other task has."""
        found = self.identities.cluster_of.get((task, entity), -1)
        return found if found in self.identities.shared else -1

    def name(self, number: int) -> str:
        """An entity's name, as the first task has it."""
        return self.identities.clusters[number].members[0][1].name

    def short(self, task: str) -> TaskInShort | None:
        """One task in short; None for one that is not among them."""
        return self._short.get(task)

    @cached_property
    def figures(self) -> dict[tuple[int, str, str, str], list[Standing]]:
        """Primary figures of shared entities by entity, name, dates and unit, tasks in order."""
        groups: dict[tuple[int, str, str, str], list[Standing]] = {}
        for short, contents in self._shared():
            for figure in contents.figures:
                number = self.number(short.task, figure.entity)
                if number >= 0:
                    key = (number, figure.name, figure.dates, figure.unit)
                    groups.setdefault(key, []).append(Standing(short, figure))
        return {key: found for key, found in groups.items() if len({one.task.task for one in found}) > 1}

    @cached_property
    def questions(self) -> dict[tuple[int, str, str], list[Asked]]:
        """Questions about shared entities by entity, dates and unit."""
        groups: dict[tuple[int, str, str], list[Asked]] = {}
        for short, contents in self._shared():
            for question in contents.questions:
                number = self.number(short.task, question.entity)
                if number >= 0:
                    groups.setdefault((number, question.dates, question.unit), []).append(Asked(short, question))
        return {key: found for key, found in groups.items() if len({one.task.task for one in found}) > 1}

    def peers(self, short: TaskInShort) -> frozenset[int]:
        """The entities of a task, as they are across tasks."""
        return frozenset(self.identities.cluster_of[short.task, entity.id] for entity in short.entities)

    @property
    def shared_clusters(self) -> Iterator[Cluster]:
        """Each entity that two tasks or more are about."""
        for number in sorted(self.identities.shared):
            yield self.identities.clusters[number]


def across_rule(rule_id: str, condition: Condition, *, title: str, severity: Severity) -> Callable[[Across], Across]:
    """Write the decorated generator down as a rule over several tasks."""

    def add(check: Across) -> Across:
        rule(rule_id, condition, title=title, severity=severity, needs="tasks")(lambda context: iter(()))
        _CHECKS[rule_id] = (RuleInfo(rule_id, condition, severity, title, needs="tasks"), check)
        return check

    return add


def with_across(audits: Sequence[TaskAudit], packed: Mapping[str, bytes]) -> list[TaskAudit]:
    """The audits with what a comparison of all tasks found of each; `packed` holds the summary of every task."""
    found = found_across(Tasks(packed), [audit.task for audit in audits])
    return [with_more(audit, found[audit.task], _counts(audit, len(packed) - 1)) for audit in audits]


def _counts(audit: TaskAudit, others: int) -> dict[str, int]:
    """Counts with these rules among those that were checked, and how many other tasks were looked at."""
    checked = audit.counts.get("rules_checked", 0) + len(_CHECKS)
    return {"rules_checked": checked, **({"tasks_compared": others} if others else {})}


def found_across(tasks: Tasks, wanted: Collection[str]) -> dict[str, list[Finding]]:
    """What the rules over several tasks find, by task, waivers applied; one that breaks is told in every task."""
    from cellwright.validators.rules import across as _rules  # noqa: F401  it writes its rules down

    found: dict[str, list[Found]] = {task: [] for task in wanted}
    checked = set()
    for info, check in _CHECKS.values():
        try:
            for task, hit in check(tasks):
                if task in found:
                    found[task].append((info, hit, finding_of(info, hit)))
            checked.add(info.id)
        except Exception as error:
            for listed in found.values():
                listed.append(broken(info, error))
    return {task: _waived(tasks, task, listed, checked) for task, listed in found.items()}


def _waived(tasks: Tasks, task: str, found: list[Found], checked: set[str]) -> list[Finding]:
    """The findings with the task's waivers applied, and its waivers of these rules that accept nothing."""
    short = tasks.short(task)
    about = [(line, dict(fields)) for line, fields in short.waivers if dict(fields)["rule"] in _CHECKS] if short else []
    if short is None or not about:
        return [finding for _, _, finding in found]
    from cellwright.records.rows import Waiver
    from cellwright.validators.waiving import idle_hit, is_complete, is_expired, waive

    waivers = [Waiver(line=line, **fields) for line, fields in about]
    as_of = date.fromisoformat(short.as_of)
    waived = waive(found, waivers, as_of)
    findings = list(waived.findings)
    for position, waiver in enumerate(waivers):
        idle = position not in waived.used and waiver.rule in checked
        if idle and is_complete(waiver) and not is_expired(waiver, as_of):
            place = Place(f"{short.folder}/waivers.csv", waiver.line or None, "rule")
            findings.append(finding_of(_unused_rule(), idle_hit(place, waiver.rule)))
    return findings


def _unused_rule() -> RuleInfo:
    return next(known.info for known in builtin_rules() if known.info.id == UNUSED)
