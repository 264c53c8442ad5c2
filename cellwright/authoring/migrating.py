"""`migrate`: a repository's files at the schema of this version, in the form that it writes, or as they were."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from cellwright.clients.disk import write_all_atomic
from cellwright.clients.git_start import changed_files
from cellwright.clients.repository import Repository
from cellwright.records.errors import CellwrightError, NotSettled, Place, Problem, UnreadableInput
from cellwright.records.migrations import CHAIN, CURRENT, Migration, canonical_table, canonical_yaml, migrated
from cellwright.records.rows import TASK_TABLES

OWN_TABLES = {
    "sources/captures.csv": "captures",
    "sources/registry.csv": "registry",
    "releases/advisories.csv": "advisories",
}
"""The repository's own tables by their path."""
MOST_NAMED = 12
"""Files that the command to undo it names; of more it is told without."""
MOST_LINES = 20
"""Lines of a file's difference that are shown."""
LONG = 5_000
"""Lines beyond which only the beginning of a file is compared to show it."""
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that is written anew, by its path from the root."""

    name: str
    old: bytes
    """Empty where there was none."""
    new: bytes
    why: tuple[str, ...]
    """What is different, in words."""

    def difference(self) -> Iterator[str]:
        """The lines that go and come, as `-old` and `+new`, the first twenty; ends of lines are not shown."""
        old, new = (_text(data).splitlines() for data in (self.old, self.new))
        if len(old) == len(new):
            changed = [(one, other) for one, other in zip(old, new, strict=True) if one != other]
            lines = [line for one, other in changed for line in (f"-{one}", f"+{other}")]
        else:
            told = list(difflib.unified_diff(old[:LONG], new[:LONG], lineterm="", n=0))
            lines = [line for line in told[2:] if not line.startswith("@@")]  # the first two name the files
        yield from lines[:MOST_LINES]
        if len(lines) > MOST_LINES:
            yield f"… and {len(lines) - MOST_LINES} more"


@dataclass(frozen=True, slots=True)
class Migrating:
    """What `migrate` would write."""

    schema: int
    changes: tuple[FileChange, ...] = ()
    """By path, sorted."""
    steps: tuple[str, ...] = ()
    """The steps from schema to schema, each with its task."""

    @property
    def undo(self) -> str:
        """The command that brings the files back, no other ones: a neighbour's uncommitted change would be lost."""
        names = [change.name for change in self.changes]
        return f"git checkout -- {' '.join(names) if len(names) <= MOST_NAMED else '…'}"


def plan_migration(
    repository: Repository,
    tasks: Sequence[str] | None,
    *,
    chain: Sequence[Migration] = CHAIN,
    current: int = CURRENT,
    progress: Progress | None = None,
) -> Migrating:
    """What has to be written for the tasks named, or for all and the repository's own tables.

    Raises UnreadableInput with every fault of every file: a repository is migrated whole or not at all.
    """
    chosen = tuple(dict.fromkeys(tasks)) if tasks else repository.task_ids()
    changes: list[FileChange] = []
    steps: list[str] = []
    problems: list[Problem] = []
    for number, task in enumerate(chosen, 1):
        try:
            found = _task(repository, task, chain, current)
            changes += found.changes
            steps += found.steps
        except UnreadableInput as error:
            problems += error.problems
        if progress:
            progress(number, len(chosen), task)
    for name, table in OWN_TABLES.items() if not tasks else ():
        try:
            changes += _own_table(repository, name, table)
        except UnreadableInput as error:
            problems += error.problems
    if problems:
        raise UnreadableInput(problems)
    return Migrating(current, tuple(sorted(changes, key=lambda change: change.name)), tuple(steps))


def check_undo(repository: Repository, migrating: Migrating) -> None:
    """Raises NotSettled where git could not bring the files back as they are: nothing is lost for a form."""
    names = [change.name for change in migrating.changes]
    changed = changed_files(repository.root, names) if names else []
    if changed is None:
        raise NotSettled(
            "the repository is not under git, so that this could not be undone",
            fix="`git init` and commit, or say `--yes` when you have a copy",
        )
    if changed:
        raise NotSettled(
            "files that would be written have changes that are not committed, so that this could not be undone",
            Place(changed[0]),
            seen=f"{len(changed)} of {len(names)}",
            fix="commit them first, or say `--yes`",
        )


def write_migration(repository: Repository, migrating: Migrating) -> None:
    """Writes every file, all or none. Raises NotSettled where one has changed since it was read, DiskFailed."""
    for change in migrating.changes:
        if (repository.file(*change.name.split("/")) or b"") != change.old:
            raise NotSettled(
                "the file has changed since it was read; nothing was written", Place(change.name), fix="run it again"
            )
    write_all_atomic({repository.path(*change.name.split("/")): change.new for change in migrating.changes})


def _task(repository: Repository, task: str, chain: Sequence[Migration], current: int) -> Migrating:
    """What one task's files become: first each in its own form, since a step may count on it."""
    folder, old = f"tasks/{task}", repository.task_folder(task)
    problems: list[Problem] = []
    now, why = dict(old), dict.fromkeys(old, ())  # type: dict[str, bytes], dict[str, tuple[str, ...]]
    for name, data in old.items():
        table = name.removesuffix(".csv")
        try:
            if name == "task.yaml":
                now[name], why[name] = canonical_yaml(data)
            elif name.endswith(".csv") and table in TASK_TABLES:
                now[name], why[name] = canonical_table(data, table, f"{folder}/{name}")
        except CellwrightError as error:
            problems += error.problems
    try:
        done = migrated(now, folder, chain=chain, current=current)
    except UnreadableInput as error:
        raise UnreadableInput([*error.problems, *problems]) from None
    if problems:
        raise UnreadableInput(problems)
    changes = []
    for name, data in done.files.items():
        if data != old.get(name, b""):
            stepped = data != now.get(name, b"")
            reasons = (*why.get(name, ()), *((f"schema {current}",) if stepped else ()))
            changes.append(FileChange(f"{folder}/{name}", old.get(name, b""), data, reasons))
    return Migrating(current, tuple(changes), tuple(f"{task}: {step}" for step in done.steps))


def _own_table(repository: Repository, name: str, table: str) -> Iterator[FileChange]:
    data = repository.file(*name.split("/"))
    if data is not None:
        new, why = canonical_table(data, table, name)
        if new != data:
            yield FileChange(name, data, new, why)


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
