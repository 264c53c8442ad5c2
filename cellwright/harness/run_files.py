"""A run's files for the public layout: result lines and a submission read against a bundle, and written again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from cellwright.clients.bundle_reader import Bundle
from cellwright.clients.disk import read_bytes
from cellwright.harness.exact_json import read_json, write_json
from cellwright.harness.public_layout import Run
from cellwright.harness.public_models import ScoredCell
from cellwright.harness.results import MAX_RESULTS
from cellwright.harness.score import ResultLine, lines_jsonl
from cellwright.harness.submission import MAX_SUBMISSION, read_submission
from cellwright.records.decimals import parse_canonical
from cellwright.records.errors import Place, Problem, UnreadableInput
from cellwright.records.scoring.submitted import SubmittedCell

MAX_PROBLEMS = 50
_EXPECTED = "a line that `cellwright harness score --out FILE` wrote"
_NUMBERS = ("score", "lower", "upper")


def load_run(model: str, results: Path, submission: Path | None, bundle: Bundle) -> Run:
    """The run of `model` whose result lines are in one file, its answers in the other where there is one.

    A task of which the results have no line was not run. Raises UnreadableInput for lines that are not of this
    bundle, for a task of which only a part is there, and for a submission that does not fit.
    """
    cells = read_results(read_bytes(results, limit=MAX_RESULTS, name=results.name), bundle, results.name)
    answers: dict[str, str] = {}
    if submission is not None:
        data = read_bytes(submission, limit=MAX_SUBMISSION, name=submission.name)
        answers = answers_by_task(data, bundle, submission.name)
    return Run(model, cells, answers)


def read_results(data: bytes, bundle: Bundle, name: str) -> dict[str, list[ScoredCell]]:
    """The result lines by task, each in the order of its matrix; every cell of a task is there, or none."""
    found: dict[tuple[str, str, str], ScoredCell] = {}
    problems: list[Problem] = []
    for number, line in enumerate(data.decode("utf-8", errors="replace").split("\n"), 1):
        if not line.strip():
            continue
        place = Place(name, number)
        read = _result(line, place)
        if isinstance(read, Problem):
            problems.append(read)
        else:
            task, cell = read
            key = task, cell.entity, cell.dimension
            problem = _unfit(key, cell, bundle, place, known=key in found)
            problems += [problem] if problem else []
            found[key] = cell
        if len(problems) >= MAX_PROBLEMS:
            break
    if problems:
        raise UnreadableInput(problems)
    return _by_task(found, bundle, name)


def _result(line: str, place: Place) -> tuple[str, ScoredCell] | Problem:
    try:
        row = read_json(line)
        if not isinstance(row, dict) or not isinstance(row.get("task"), str):
            raise ValueError("it is no JSON object with a task")
        said = {key: value for key, value in row.items() if key != "task"}
        said |= {key: _number(said.get(key)) for key in _NUMBERS}
        return row["task"], ScoredCell.model_validate(said)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in fault["loc"])
        return Problem("the line is no result", Place(place.file, place.line, where), line[:60], _EXPECTED)
    except ValueError as error:
        return Problem("the line is no result", place, line[:60], _EXPECTED, str(error)[:120])


def _number(value: object) -> Any:
    """A decimal string of a result line as its number; null stays null."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise ValueError("scores are decimal strings")
    return parse_canonical(value)


def _unfit(key: tuple[str, str, str], cell: ScoredCell, bundle: Bundle, place: Place, *, known: bool) -> Problem | None:
    record = "/".join(key)
    if key not in bundle.cells:
        return Problem("the cell is not in the bundle", place, seen=record, fix="name the bundle it was graded against")
    if known:
        return Problem("the cell stands twice", place, seen=record, expected="one line a cell")
    if cell.cell_digest != bundle.cells[key]["digest"]:
        return Problem(
            "the result is of another version of the cell",
            Place(place.file, place.line, "cell_digest", record),
            seen=cell.cell_digest,
            expected=bundle.cells[key]["digest"],
            fix="grade the submission against this bundle",
        )
    return None


def _by_task(
    found: Mapping[tuple[str, str, str], ScoredCell], bundle: Bundle, name: str
) -> dict[str, list[ScoredCell]]:
    tasks: dict[str, list[ScoredCell]] = {}
    there = {key[0] for key in found}
    missing = []
    for key in bundle.cells_in_order:
        if key in found:
            tasks.setdefault(key[0], []).append(found[key])
        elif key[0] in there:
            missing.append("/".join(key))
    if missing:
        raise UnreadableInput(
            "the results have only a part of a task",
            Place(name),
            seen=f"no line of {', '.join(missing[:5])}" + (f" and {len(missing) - 5} more" * (len(missing) > 5)),
            expected="every cell of a task, or none where it was not run",
        )
    return tasks


def results_jsonl_of(run: Run) -> bytes:
    """The run's result lines as `harness score` writes them, task by task."""
    return lines_jsonl(
        ResultLine(task=task, **cell.model_dump()) for task in sorted(run.cells) for cell in run.cells[task]
    )


def answers_by_task(data: bytes, bundle: Bundle, name: str) -> dict[str, str]:
    """The text of each task's answers: JSON lines as they stand, Markdown as the JSON lines it was read as."""
    cells = read_submission(data, bundle, name).cells.values()
    lines = data.decode("utf-8-sig").split("\n")
    found: dict[str, list[str]] = {}
    for cell in cells:
        line = lines[cell.line - 1].strip()
        found.setdefault(cell.task, []).append(line if line.startswith("{") else _json_line(cell))
    return {task: "\n".join(texts) for task, texts in sorted(found.items())}


def _json_line(cell: SubmittedCell) -> str:
    """A cell of a submission as one JSON line that is read as the same cell."""
    answer = cell.answer
    fields = ("type", "value", "unit", "low", "high", "confidence", "method", "reason")
    said = {name: text for name in fields if (text := getattr(answer, name))}
    row: dict[str, object] = {"task": cell.task, "entity": cell.entity, "dimension": cell.dimension, "answer": said}
    if isinstance(cell.derivation, str):
        row["derivation"] = cell.derivation
    else:
        row["derivation"] = [
            {"id": step.id, "expr": step.expr, "value": step.value, "unit": step.unit} for step in cell.derivation
        ]
    return write_json({**row, "sources": list(cell.sources)})


def split_answers(answers: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """The answers of a run as one submission in JSON lines, and those that are no such lines by their case."""
    lines: list[str] = []
    texts: dict[str, str] = {}
    for case, text in sorted(answers.items()):
        if all(_names_case(line, case) for line in _filled(text)):
            lines += _filled(text)
        else:
            texts[case] = text
    return "".join(f"{line}\n" for line in lines), texts


def _filled(text: str) -> Sequence[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]


def _names_case(line: str, case: str) -> bool:
    """Whether the line is one of a submission's about this case; what else is in it, its reader judges."""
    try:
        value = json.loads(line, parse_int=str, parse_float=str)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and value.get("task") == case
