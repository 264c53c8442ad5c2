"""A submission: one agent's answers, read from JSON lines or from the Markdown that the prompt asks for.

Both forms end in the same records, whose words are read by the same reader. Cells are checked against the
bundle: one that it does not have, or that stands twice in JSON lines, is told with its line.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cellwright.clients.bundle_reader import Bundle
from cellwright.clients.disk import read_bytes
from cellwright.harness.json_answers import json_cells
from cellwright.harness.markdown_answers import markdown_cells
from cellwright.records.errors import Place, Problem, UnreadableInput
from cellwright.records.scoring.submitted import SubmittedCell
from cellwright.records.suggest import did_you_mean

MAX_SUBMISSION = 64_000_000
"""Bytes of a submission."""
MAX_PROBLEMS = 50
"""Problems told at once."""

Key = tuple[str, str, str]


@dataclass(frozen=True)
class Submission:
    """One agent's answers by task, entity and dimension; every cell is one of the bundle's."""

    cells: dict[Key, SubmittedCell]


def load_submission(path: Path, bundle: Bundle, *, elsewhere: Bundle | None = None) -> Submission:
    """The submission in a file: JSON lines (`.jsonl`, `.json`), or else Markdown.

    Cells that only the bundle `elsewhere` has are passed over: a submission may be older or newer than the release
    that it is scored on. Raises UnreadableInput for a file that is neither, with each problem's line.
    """
    data = read_bytes(path, limit=MAX_SUBMISSION, name=path.name)
    return read_submission(data, bundle, path.name, elsewhere=elsewhere)


def read_submission(data: bytes, bundle: Bundle, name: str, *, elsewhere: Bundle | None = None) -> Submission:
    """The submission in `data`; the end of `name`, or else the first character, says which form it has."""
    text = _decode(data, name)
    first = text.lstrip()[:1]
    if not first:
        raise UnreadableInput("the submission is empty", Place(name), expected="one line a cell, or Markdown")
    as_lines = name.endswith((".jsonl", ".json")) or (first == "{" and not name.endswith((".md", ".markdown")))
    cells = json_cells(text, name) if as_lines else markdown_cells(text, name, bundle)
    if elsewhere is not None:
        others = elsewhere.cells.keys() - bundle.cells.keys()
        cells = (cell for cell in cells if cell.key not in others)
    return Submission(_checked(cells, bundle, name))


def _decode(data: bytes, name: str) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UnreadableInput("the submission is UTF-16", Place(name), expected="UTF-8", fix="save it as UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UnreadableInput(
            "the submission is not UTF-8",
            Place(name, line),
            seen=f"byte {data[error.start]:#x}",
            fix="save it as UTF-8",
        ) from None


def _checked(cells: Iterable[SubmittedCell], bundle: Bundle, name: str) -> dict[Key, SubmittedCell]:
    """The cells by their names. Raises UnreadableInput for unknown ones and for two of one name."""
    found: dict[Key, SubmittedCell] = {}
    problems: list[Problem] = []
    for cell in cells:
        problem = _unknown(cell, bundle, name)
        if problem is None and cell.key in found:
            problem = Problem(
                f"the cell `{'/'.join(cell.key)}` is answered twice",
                Place(name, cell.line),
                seen=f"lines {found[cell.key].line} and {cell.line}",
                expected="one line a cell",
                fix="keep the one that counts",
            )
        if problem is None:
            found[cell.key] = cell
        else:
            problems.append(problem)
            if len(problems) >= MAX_PROBLEMS:
                break
    if problems:
        raise UnreadableInput(problems)
    if not found:
        raise UnreadableInput(
            "no cell is answered",
            Place(name),
            expected="one line a cell, or one section a cell",
            fix="the prompt of the task shows the form",
        )
    return found


def _unknown(cell: SubmittedCell, bundle: Bundle, name: str) -> Problem | None:
    if cell.key in bundle.cells:
        return None
    place = Place(name, cell.line)
    if cell.task not in bundle.tasks:
        return _not_there("task", cell.task, bundle.tasks, place)
    entities = sorted({key[1] for key in bundle.cells if key[0] == cell.task})
    if cell.entity not in entities:
        return _not_there("entity", cell.entity, entities, place)
    dimensions = sorted({key[2] for key in bundle.cells if key[0] == cell.task})
    return _not_there("dimension", cell.dimension, dimensions, place)


def _not_there(kind: str, seen: str, known: Iterable[str], place: Place) -> Problem:
    names = list(known)
    shown = ", ".join(names[:20]) + (", …" if len(names) > 20 else "")
    return Problem(
        f"the {kind} is not in the bundle",
        place,
        seen=seen or "nothing",
        expected=f"one of {shown}",
        fix=did_you_mean(seen, names),
    )
