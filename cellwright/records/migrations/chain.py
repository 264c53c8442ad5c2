"""The chain of steps from one schema to the next.

`task.yaml` says its schema; the only one that was ever published is 1, so that the chain is empty. A step edits the
bytes of a task's files and keeps what it does not change, comments among it; the machinery writes the new number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from cellwright.records.errors import Place, UnreadableInput
from cellwright.records.yaml_text import read_yaml

Files = Mapping[str, bytes]
TASK = "task.yaml"
CURRENT = 1
"""The schema that this version reads and writes."""
_SCHEMA = re.compile(r"""^(schema[ \t]*:[ \t]*)(["']?)(\d{1,6})\2(?=[ \t]*(?:#|\r?$))""", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Migration:
    """One step: from the schema `source` to the one after it."""

    source: int
    what: str
    """What it does, in words for the person whose files it changes."""
    edit: Callable[[Files], Files]
    """The files of a task's folder, name to bytes → those of them that it changes or adds."""


CHAIN: tuple[Migration, ...] = ()
"""The steps, in order. Schema 1 is the first; the step to 2 will stand here."""


@dataclass(frozen=True, slots=True)
class Migrated:
    """A task's files after the steps, and what each step did."""

    files: dict[str, bytes] = field(default_factory=dict)
    """Every file, changed or not."""
    steps: tuple[str, ...] = ()


def schema_of(data: bytes, file: str) -> int:
    """The schema that a `task.yaml` says. Raises UnreadableInput where it says none."""
    raw, lines = read_yaml(data, file)
    said = raw.get("schema") if isinstance(raw, dict) else None
    if isinstance(said, str) and re.fullmatch(r"\d{1,6}", said):
        return int(said)
    raise UnreadableInput(
        "the task does not say its schema",
        Place(file, lines.get(("schema",), 1), "schema"),
        seen=said if isinstance(said, str) else "",
        expected="a whole number",
        fix=f"begin the file with `schema: {CURRENT}`",
    )


def with_schema(data: bytes, version: int) -> bytes:
    """The `task.yaml` with another number behind `schema:`, every other byte as it was."""
    text, count = _SCHEMA.subn(rf"\g<1>\g<2>{version}\g<2>", data.decode("utf-8"), count=1)
    if not count:
        raise UnreadableInput(
            "`schema:` does not stand on a line of its own", Place(TASK), fix=f"write it as `schema: {CURRENT}`"
        )
    return text.encode("utf-8")


def migrated(files: Files, folder: str, *, chain: Sequence[Migration] = CHAIN, current: int = CURRENT) -> Migrated:
    """The files of a task's folder at the schema `current`; `folder` is its path in messages.

    Raises UnreadableInput for a schema that is later, and for one that no step leads away from.
    """
    file = f"{folder}/{TASK}"
    if TASK not in files:
        raise UnreadableInput("the file is missing", Place(file), fix="`cellwright new` writes one to start from")
    version = schema_of(files[TASK], file)
    if version > current:
        raise UnreadableInput(
            f"the task is of schema {version}, which is later than this version of Cellwright knows",
            Place(file, None, "schema"),
            expected=f"schema {current} or an earlier one",
            fix="install a later version of Cellwright",
        )
    now, steps = dict(files), []
    by_source = {step.source: step for step in chain}
    while version < current:
        step = by_source.get(version)
        if step is None:
            raise UnreadableInput(
                f"there is no way from schema {version} to schema {current}",
                Place(file, None, "schema"),
                seen=str(version),
                expected=f"a schema that was published: {_published(chain, current)}",
                fix=f"if the file has the form of schema {current}, write `schema: {current}`",
            )
        now |= step.edit(now)
        version += 1
        now[TASK] = with_schema(now[TASK], version)
        steps.append(f"schema {version - 1} → {version}: {step.what}")
    return Migrated(now, tuple(steps))


def _published(chain: Sequence[Migration], current: int) -> str:
    return ", ".join(str(version) for version in sorted({current, *(step.source for step in chain)}))
