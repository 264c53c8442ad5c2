"""The Markdown that a prompt asks for, into cells: one section a cell, one field a line.

Read forgivingly, for models write it: marks of emphasis and lists, other heading levels, code fences, fields
that run over several lines. A field or section that is given again replaces the earlier: the final value counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from cellwright.clients.bundle_reader import Bundle
from cellwright.records.errors import Place, UnreadableInput
from cellwright.records.scoring.submitted import RawAnswer, SubmittedCell

MAX_LINE = 100_000
"""Characters of one line."""
MAX_HEADING = 400
MAX_LINES = 500_000
MAX_FIELD = 50_000
"""Characters of one field; what comes after is left out, as a derivation is read to a bound anyway."""

_ID = r"[a-z][a-z0-9_]{0,119}"
_HEADING = re.compile(rf"[ ]{{0,3}}(?:#{{1,6}}[ \t]+|\*\*)[ \t`*]*({_ID})[ \t`*]*/[ \t`*]*({_ID})[ \t`*:#]*")
_TASK = re.compile(
    r"[ ]{0,3}(?:#{1,6}[ \t]+)?[*`]{0,3}Task[*`]{0,3}[ \t]*:[ \t*`]*([a-z][a-z0-9_.-]{0,119})[ \t*`]*", re.IGNORECASE
)
_FIELD = re.compile(
    r"[ \t]{0,12}(?:[-*+][ \t]+)?(?P<mark>[*_]{1,3})?(?P<name>answer|final answer|unit|low|high|range|method|reason|"
    r"confidence|derivation|sources?|type)[*_]{0,3}[ \t]*[:：](?(mark)[*_]{0,3})(?P<text>.*)",
    re.IGNORECASE | re.DOTALL,
)
_NAMES = {"final answer": "answer", "source": "sources", "sources": "sources"}
_FENCE = re.compile(r"[ ]{0,3}(?:```|~~~)[ \t]*[A-Za-z]{0,20}[ \t]*")
_ANY_HEADING = re.compile(r"[ ]{0,3}#{1,6}[ \t]")
_BULLET = re.compile(r"[ \t]{0,12}(?:[-*+]|[0-9]{1,3}[.)])[ \t]+")


@dataclass
class _Section:
    task: str
    entity: str
    dimension: str
    line: int
    fields: dict[str, list[str]] = field(default_factory=dict)
    last: str = ""

    def start(self, name: str, text: str) -> None:
        """Begins a field; one that was there is replaced."""
        self.last = _NAMES.get(name, name)
        self.fields[self.last] = [text]

    def go_on(self, text: str) -> None:
        """Adds a line to the field that was begun last."""
        if self.last:
            self.fields[self.last].append(text)

    def text(self, name: str) -> str:
        """A field's lines, joined."""
        return "\n".join(self.fields.get(name, []))[:MAX_FIELD].strip()


def markdown_cells(text: str, name: str, bundle: Bundle) -> Iterator[SubmittedCell]:
    """The cells of `text`, each once, in the order of their last sections.

    The task is the last one named by a line `Task: id`, or else the only task of the bundle that has the cell.
    Raises UnreadableInput for a line too long and for a section whose task is not told.
    """
    found: dict[tuple[str, str, str], _Section] = {}
    for section in _sections(text, name):
        task = section.task or _task_of(section, bundle, name)
        key = task, section.entity, section.dimension
        found.pop(key, None)
        found[key] = section
    for (task, _, _), section in found.items():
        yield _cell(section, task)


def _sections(text: str, name: str) -> Iterator[_Section]:
    section: _Section | None = None
    task = ""
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.rstrip("\r")
        if len(line) > MAX_LINE or number > MAX_LINES:
            raise UnreadableInput(
                f"a line of more than {MAX_LINE} characters"
                if len(line) > MAX_LINE
                else f"more than {MAX_LINES} lines",
                Place(name, number),
            )
        short = line if len(line) <= MAX_HEADING else ""  # patterns with two runs of blanks see short lines only
        heading = _HEADING.fullmatch(short)
        named = _TASK.fullmatch(short) if heading is None else None
        if heading is not None or named is not None or _ANY_HEADING.match(line):
            if section is not None:
                yield section
            section = None
            if named is not None:
                task = named.group(1)
            if heading is not None:
                section = _Section(task, heading.group(1), heading.group(2), number)
        elif section is not None and not (short and _FENCE.fullmatch(short)):
            _read_line(section, line)
    if section is not None:
        yield section


def _read_line(section: _Section, line: str) -> None:
    match = _FIELD.fullmatch(line)
    if match is None:
        section.go_on(line)
    else:
        section.start(match["name"].lower(), match["text"])


def _task_of(section: _Section, bundle: Bundle, name: str) -> str:
    if len(bundle.tasks) == 1:
        return bundle.tasks[0]
    having = sorted({key[0] for key in bundle.cells if key[1:] == (section.entity, section.dimension)})
    if len(having) == 1:
        return having[0]
    raise UnreadableInput(
        "the section does not tell its task",
        Place(name, section.line, record=f"{section.entity}/{section.dimension}"),
        seen=f"{len(having)} tasks of the bundle have this cell",
        fix="write a line `Task: id` above the sections of each task",
    )


def _cell(section: _Section, task: str) -> SubmittedCell:
    value = section.text("answer") or section.text("range")
    answer = RawAnswer(
        type=section.text("type"),
        value=value,
        unit=_first_line(section.text("unit")),
        low=section.text("low"),
        high=section.text("high"),
        confidence=_first_line(section.text("confidence")),
        method=section.text("method"),
        reason=section.text("reason"),
    )
    sources = tuple(_BULLET.sub("", line, count=1).strip() for line in section.text("sources").split("\n"))
    return SubmittedCell(
        task,
        section.entity,
        section.dimension,
        answer,
        section.text("derivation"),
        tuple(item for item in sources if item)[:500],
        section.line,
    )


def _first_line(text: str) -> str:
    return text.split("\n", 1)[0].strip()
