"""Result lines read back strictly, and bound to the bundle that they were scored on by the digests of its cells."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from cellwright.clients.bundle_reader import Bundle, Key
from cellwright.clients.disk import read_bytes
from cellwright.harness.results import MAX_RESULTS
from cellwright.harness.score import ResultLine, ScoreReport
from cellwright.records.decimals import parse_canonical
from cellwright.records.errors import Place, UnreadableInput
from cellwright.records.releases.bridge import CellResult
from cellwright.records.scoring.aggregate import OUTCOMES

MAX_LINE = 1_000_000
"""Characters of one line."""
TEXTS = ("cell_digest", "outcome", "read_span", "read_value", "read_unit", "clause")
OPTIONAL = ("judge_model", "judge_prompt")
NUMBERS = ("lower", "upper")
WRITTEN = "a line that `cellwright harness score --out FILE` wrote"
NOTHING = Decimal(0)


@dataclass(frozen=True, slots=True)
class StoredLine:
    """One cell's result as it was written down."""

    key: Key
    digest: str
    outcome: str
    lower: Decimal
    upper: Decimal
    span: str
    value: str
    unit: str
    clause: str
    judge: tuple[str, str]

    @property
    def result(self) -> CellResult:
        """What the bridge needs of it."""
        return CellResult(self.lower, self.upper, self.outcome, self.judge, self.value or self.span)


@dataclass(frozen=True)
class StoredResults:
    """The results of one submission on one bundle; `name` is the file's."""

    name: str
    lines: dict[Key, StoredLine]

    def are_of(self, bundle: Bundle) -> bool:
        """Whether they were scored on exactly the cells of the bundle."""
        return self.lines.keys() == bundle.cells.keys() and not self.strangers(bundle)

    def strangers(self, bundle: Bundle) -> list[Key]:
        """The cells whose digest is not the bundle's, or that it does not have."""
        cells = bundle.cells
        return [key for key, line in self.lines.items() if key not in cells or cells[key]["digest"] != line.digest]


def read_results(path: Path) -> StoredResults:
    """The results in a file. Raises UnreadableInput, with the line, for what is no result or stands twice."""
    name = path.name
    data = read_bytes(path, limit=MAX_RESULTS, name=name)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise UnreadableInput("the results are not UTF-8", Place(name), expected=WRITTEN) from None
    lines: dict[Key, StoredLine] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        stored = _stored(line, Place(name, number))
        if stored.key in lines:
            raise UnreadableInput("the cell has two results", Place(name, number), seen="/".join(stored.key))
        lines[stored.key] = stored
    if not lines:
        raise UnreadableInput("the file holds no results", Place(name), expected=WRITTEN)
    return StoredResults(name, lines)


def stored_of(report: ScoreReport, name: str) -> StoredResults:
    """Fresh results as they would be read back."""
    lines = {(line.task, line.entity, line.dimension): _of_line(line) for line in report.lines}
    return StoredResults(name, lines)


def require_of(results: StoredResults, bundle: Bundle, other: Bundle) -> None:
    """Raises UnreadableInput where the results are not the bundle's, saying whose they are where that is known."""
    if results.are_of(bundle):
        return
    odd, cells = len(results.strangers(bundle)), len(bundle.cells)
    lacking = len(bundle.cells.keys() - results.lines.keys())
    seen = f"{odd} of {len(results.lines)} lines are of other cells, and {lacking} of {cells} cells have no line"
    raise UnreadableInput(
        f"the results are not those of {bundle.name} {bundle.version}",
        Place(results.name),
        seen=seen,
        expected=f"the results of `cellwright harness score` on it, cells {bundle.cells_digest[:16]}",
        fix=f"these are of {other.version}" if results.are_of(other) else "score the submission on it again",
    )


def _stored(line: str, place: Place) -> StoredLine:
    try:
        if len(line) > MAX_LINE:
            raise ValueError
        row = json.loads(line)
        key = tuple(row[name] for name in ("task", "entity", "dimension"))
        texts = {name: row[name] for name in TEXTS} | {name: row.get(name, "") for name in OPTIONAL}
        if not all(isinstance(text, str) for text in (*key, *texts.values())) or texts["outcome"] not in OUTCOMES:
            raise ValueError
        lower, upper = (_number(row[name], texts["outcome"]) for name in NUMBERS)
        if not 0 <= lower <= upper <= 1:
            raise ValueError
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UnreadableInput("the line is no result", place, seen=line, expected=WRITTEN) from None
    return StoredLine(
        (key[0], key[1], key[2]),
        texts["cell_digest"],
        texts["outcome"],
        lower,
        upper,
        texts["read_span"],
        texts["read_value"],
        texts["read_unit"],
        texts["clause"],
        (texts["judge_model"], texts["judge_prompt"]),
    )


def _number(value: Any, outcome: str) -> Decimal:
    if value is None and outcome == "run_failed":
        return NOTHING
    return parse_canonical(value)


def _of_line(line: ResultLine) -> StoredLine:
    return StoredLine(
        (line.task, line.entity, line.dimension),
        line.cell_digest,
        line.outcome,
        line.lower or NOTHING,
        line.upper or NOTHING,
        line.read_span,
        line.read_value,
        line.read_unit,
        line.clause,
        (line.judge_model, line.judge_prompt),
    )
