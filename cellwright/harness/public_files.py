"""A folder in the public layout: its five files written, and read as what a stranger sent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from cellwright.clients.disk import read_bytes
from cellwright.harness.exact_json import read_json, write_json
from cellwright.harness.public_checks import layout_problems
from cellwright.harness.public_layout import Layout
from cellwright.harness.public_models import CaseName, ModelAnswer, ModelResult, Record, ScoreDetail, Summary
from cellwright.records.errors import Place, Problem, UnreadableInput, clip
from cellwright.records.tables import expectation

CASES = "data/cases.jsonl"
RESULTS = "data/model_results.jsonl"
ANSWERS = "data/model_answers.jsonl"
DETAILS = "data/score_details.jsonl"
SUMMARY = "data/summary.json"
ANSWER = "answer"
"""The key of an answer's text."""
MAX_FILE = 256_000_000
"""Bytes of a file."""
MAX_LINES = 200_000
MAX_CASES = 10_000
MAX_PROBLEMS = 50
"""Problems told at once."""

CASE_KEYS = frozenset(
    (
        *("case_id", "title", "question", "profile", "domain", "language", "as_of", "licence"),
        *("entities", "dimensions", "n_cells", "cells", "prompt", "references"),
    )
)
"""What `harness export` writes of a case; only `case_id` is read."""

R = TypeVar("R", bound=Record)


@dataclass(frozen=True)
class ReadLayout:
    """A layout that was read, and the keys in it that nobody here knows."""

    layout: Layout
    unknown: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """By file: each key that was passed over, with how often."""


def layout_files(layout: Layout) -> dict[str, bytes]:
    """Each file of the layout by its path: the same records give the same bytes."""
    tables: dict[str, list[Any]] = {
        CASES: list(layout.cases),
        RESULTS: [item.model_dump() for item in layout.results],
        ANSWERS: [item.model_dump() for item in layout.answers],
        DETAILS: [item.model_dump() for item in layout.details],
    }
    files = {name: "".join(f"{write_json(row)}\n" for row in rows).encode() for name, rows in tables.items()}
    return {**files, SUMMARY: f"{write_json(layout.summary.model_dump(), indent=2)}\n".encode()}


def read_layout(folder: Path, *, answer_key: str = ANSWER) -> ReadLayout:
    """The layout in `folder`, every line checked and the tables held against one another.

    `answer_key` names the key under which the answers' text stands in layouts of elsewhere. Unknown keys are passed
    over and counted. Raises UnreadableInput, with the file and line of each, for what a known key must not hold,
    for ids that do not fit and for a summary that does not add up.
    """
    if not folder.is_dir():
        raise UnreadableInput(
            "the folder is not there",
            Place(str(folder)),
            expected=f"a folder that holds {SUMMARY}",
            fix="name the folder above data/",
        )
    unknown: dict[str, Counter[str]] = {}
    cases = _table(folder, CASES, CaseName, unknown, CASE_KEYS, limit=MAX_CASES)
    results = _table(folder, RESULTS, ModelResult, unknown)
    answers = _table(folder, ANSWERS, ModelAnswer, unknown, renamed={answer_key: ANSWER})
    details = _table(folder, DETAILS, ScoreDetail, unknown)
    summary = _summary(folder, unknown)
    layout = Layout([{"case_id": case.case_id} for case in cases], results, answers, details, summary)
    problems = list(islice(layout_problems(layout), MAX_PROBLEMS))
    if problems:
        raise UnreadableInput(problems)
    return ReadLayout(layout, {name: dict(sorted(keys.items())) for name, keys in unknown.items() if keys})


def _table(
    folder: Path,
    name: str,
    model: type[R],
    unknown: dict[str, Counter[str]],
    keys: frozenset[str] = frozenset(),
    *,
    limit: int = MAX_LINES,
    renamed: Mapping[str, str] | None = None,
) -> list[R]:
    rows: list[R] = []
    problems: list[Problem] = []
    passed_over = unknown.setdefault(name, Counter())
    for number, line in _lines(folder, name, limit):
        place = Place(name, number)
        try:
            value = read_json(line)
        except ValueError as error:
            problems.append(Problem("the line cannot be read", place, seen=line[:60], expected=f"JSON: {error}"))
            value = None
        if isinstance(value, dict):
            value |= {new: value.pop(old) for old, new in (renamed or {}).items() if old in value}
            passed_over.update(key[:80] for key in value if key not in (keys or model.model_fields.keys()))
            problems += _validated(value, model, place, rows)
        elif value is not None or line == "null":
            problems.append(Problem("the line is no JSON object", place, seen=line[:60]))
        if len(problems) >= MAX_PROBLEMS:
            break
    if problems:
        raise UnreadableInput(problems[:MAX_PROBLEMS])
    return rows


def _lines(folder: Path, name: str, limit: int) -> Iterator[tuple[int, str]]:
    """The lines with their numbers; what is blank at the end is none."""
    text = _text(folder, name).rstrip()
    if not text:
        return
    if text.count("\n") >= limit:
        raise UnreadableInput(f"the file has more than {limit} lines", Place(name))
    yield from enumerate((line.strip() for line in text.split("\n")), 1)


def _text(folder: Path, name: str) -> str:
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        raise UnreadableInput("the file leads out of its folder", Place(name))
    data = read_bytes(path, limit=MAX_FILE, name=name)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableInput(
            "the file is not UTF-8",
            Place(name, data[: error.start].count(b"\n") + 1),
            seen=f"byte {data[error.start]:#x}",
            fix="save it as UTF-8",
        ) from None


def _validated(value: dict[str, Any], model: type[R], place: Place, rows: list[R]) -> list[Problem]:
    """The problems of one record, which is added to `rows` where there are none."""
    try:
        rows.append(model.model_validate(value))
    except ValidationError as error:
        return [_problem(detail, place) for detail in error.errors(include_url=False)[:5]]
    return []


def _problem(detail: Any, place: Place) -> Problem:
    where = ".".join(clip(str(part), 60) for part in detail["loc"])
    shown = detail["input"] if isinstance(detail["input"], str) else repr(detail["input"])
    missing = detail["type"] == "missing"
    return Problem(
        f"`{where}` is missing" if missing else f"`{where}` cannot be read",
        Place(place.file, place.line, where),
        seen="" if missing else shown[:80],
        expected="" if missing else expectation(detail),
        fix="name the key that holds the text with `--answer-key`" if missing and where == ANSWER else "",
    )


def _summary(folder: Path, unknown: dict[str, Counter[str]]) -> Summary:
    text = _text(folder, SUMMARY)
    place = Place(SUMMARY)
    try:
        value = read_json(text)
    except ValueError as error:
        raise UnreadableInput("the file cannot be read", place, expected=f"JSON: {error}") from None
    if not isinstance(value, dict):
        raise UnreadableInput("the summary is no JSON object", place, seen=text[:60])
    unknown[SUMMARY] = Counter(key[:80] for key in value if key not in Summary.model_fields)
    rows: list[Summary] = []
    problems = _validated(value, Summary, place, rows)
    if problems:
        raise UnreadableInput(problems)
    return rows[0]
