"""Results on one release carried to another without the submission: the answers that were read, graded again.

A result line keeps the value that was read, and not the derivation: whether that is sound on changed facts is
left open, so that a cell which changed gets the bounds that are certain. A cell that did not change keeps its
score.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal

from cellwright.clients.bundle_reader import Bundle
from cellwright.harness.result_lines import StoredLine, StoredResults
from cellwright.records.decimals import parse_canonical
from cellwright.records.errors import Place
from cellwright.records.releases.bridge import CellResult
from cellwright.records.releases.changes import CellKey, ReleaseDiff
from cellwright.records.scoring import Answer, grade, reference_of, rule_from_json

ANYTHING = Decimal(0), Decimal(1)
TOLD = "told in the answer"
MAYBE_TOLD = ("", TOLD)


@dataclass(frozen=True)
class Carried:
    """Results carried to another release."""

    results: dict[CellKey, CellResult]
    open_cells: int
    """Cells of which only bounds are known because they changed."""
    unanswered: int
    """Cells that only the other release has, and that count 0."""


def carried(results: StoredResults, onto: Bundle, diff: ReleaseDiff, *, later: bool) -> Carried:
    """The results as the same submission would have them on the other release.

    Cells that the other release does not have are dropped. One that only a `later` release has was not answered,
    and counts 0; one that only an earlier release has may have been.
    """
    alone = CellResult(Decimal(0), Decimal(0), "no_answer") if later else CellResult(*ANYTHING, "scored")
    moved = {cell.key for cell in diff.cells if cell.score_may_move}
    failed = {key[0] for key, line in results.lines.items() if line.outcome == "run_failed"}
    found: dict[CellKey, CellResult] = {}
    for key, cell in onto.cells.items():
        line = results.lines.get(key)
        if line is None:
            found[key] = replace(alone, outcome="run_failed") if key[0] in failed else alone
        elif key not in moved or line.outcome in ("run_failed", "no_answer", "unparsed"):
            found[key] = line.result
        else:
            lower, upper = _graded_again(line, cell)
            found[key] = replace(line.result, lower=lower, upper=upper)
    fresh = found.keys() - results.lines.keys()
    open_cells = sum(found[key].lower != found[key].upper for key in fresh | (found.keys() & moved))
    return Carried(found, open_cells, len(fresh) if later else 0)


def _graded_again(line: StoredLine, cell: dict[str, str]) -> tuple[Decimal, Decimal]:
    """The least and the greatest score that what was read earns in the changed cell."""
    answers = list(_answers(line, cell["unit"]))
    if not answers:
        return ANYTHING
    place = Place("cells.parquet", record="/".join(line.key))
    rule, reference = rule_from_json(cell["rule"], place), reference_of(cell, place)
    grades = [grade(rule, reference, answer, None, None) for answer in answers]
    return min(found.lower for found in grades), max(found.upper for found in grades)


def _answers(line: StoredLine, unit: str) -> Iterable[Answer]:
    """What was read, once for each thing that the line does not tell: whether a method or a reason was given."""
    if line.unit != unit:
        if line.clause == "a unit of another kind":
            yield Answer("precise", Decimal(0), unit=unit, other_unit=line.unit)
        return
    told = _told(line.clause)
    if line.value == "not available":
        yield from (Answer("not_available", unit=unit, reason=reason) for reason in told)
        return
    low, to, high = line.value.partition(" to ")
    try:
        if to:
            ends = parse_canonical(low), parse_canonical(high)
            yield from (Answer("range", None, *ends, unit, method=method) for method in told)
        else:
            yield Answer("precise", parse_canonical(line.value), unit=unit)
    except ValueError:
        return


def _told(clause: str) -> tuple[str, ...]:
    """Whether the answer told a method or reason, as far as the line of the scoring table says it."""
    if "without method" in clause or "without reason" in clause:
        return ("",)
    return (TOLD,) if "with method" in clause or "with reason" in clause else MAYBE_TOLD
