"""Condition 5, piloted: what trial runs say of a task's difficulty. Not checked where there are none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from decimal import Decimal

from cellwright.records.decimals import CONTEXT, canonical
from cellwright.records.findings import Condition
from cellwright.validators.context import AuditContext
from cellwright.validators.pilots import Scored, closed_book, is_closed, is_plain, open_book
from cellwright.validators.registry import Hit, rule

C5 = Condition.SCORABLE


@rule("C5-DIFFICULTY", C5, title="Trial runs score within the band of difficulty.")
def difficulty_is_in_its_band(context: AuditContext) -> Iterator[Hit]:
    """A task that trial runs, with their sources, find impossible or trivial. Not checked without pilots."""
    scores = [pilot.score for pilot in open_book(context.folder)]
    if not scores:
        return
    mean = _mean(scores)
    least, most = context.thresholds.difficulty_least, context.thresholds.difficulty_most
    if not least <= mean <= most:
        yield Hit(
            context.place_in("pilots", "score"),
            f"{_number(mean)} on average over {len(scores)} scores",
            f"{canonical(least)} to {canonical(most)}",
            "make the task harder or mend what is broken, or waive",
        )


@rule("C5-CLOSED-BOOK", C5, severity="warning", title="No cell is known without its sources.")
def cells_are_not_known_by_heart(context: AuditContext) -> Iterator[Hit]:
    """Cells that trial runs without sources get right more often than the threshold."""
    most = context.thresholds.closed_book_most
    for (entity, dimension), found in _by_cell(closed_book(context.folder)):
        mean = _mean(found)
        if mean > most:
            yield Hit(
                context.place_in("pilots", "score", f"{entity}/{dimension}"),
                f"{_number(mean)} on average without sources",
                f"at most {canonical(most)}",
                "ask for something that must be looked up",
                entity,
                dimension,
            )


@rule("C5-CELL-NEVER", C5, severity="warning", title="Every cell is got by some trial run.")
def cells_are_not_out_of_reach(context: AuditContext) -> Iterator[Hit]:
    """Cells on which each of several trial runs, with their sources, earns nothing."""
    for entity, dimension, found in _tried(context):
        if not any(found):
            yield Hit(
                context.place_in("pilots", "score", f"{entity}/{dimension}"),
                f"0 in all of {len(found)} runs",
                "a score above 0 in some run",
                "look whether question, reference and rule are right; a cell that nobody gets tells nobody apart",
                entity,
                dimension,
            )


@rule("C5-CELL-ALWAYS", C5, severity="warning", title="No cell is got by every trial run.")
def cells_are_not_given_away(context: AuditContext) -> Iterator[Hit]:
    """Cells on which each of several trial runs, with their sources, earns 1."""
    for entity, dimension, found in _tried(context):
        if all(score == 1 for score in found):
            yield Hit(
                context.place_in("pilots", "score", f"{entity}/{dimension}"),
                f"1 in all of {len(found)} runs",
                "a score below 1 in some run",
                "ask for one step more, or keep it as the easy cell that it is and waive",
                entity,
                dimension,
            )


@rule("C5-PILOT-UNUSABLE", C5, title="Every line of a trial run can be counted.")
def pilots_can_be_counted(context: AuditContext) -> Iterator[Hit]:
    """Scores that are missing or not from 0 to 1, words for `closed_book` that are neither yes nor no, and a cell that
    one run scores twice. Such a line is left out of the difficulty."""
    seen: set[tuple[str, str, str, bool]] = set()
    for pilot in context.folder.pilots:
        key = (pilot.run, pilot.entity, pilot.dimension, is_closed(pilot))
        column, observed, expected = "score", "", "a number from 0 to 1"
        if pilot.score is None:
            observed = "nothing"
        elif not 0 <= pilot.score <= 1:
            observed = canonical(pilot.score)
        elif not is_plain(pilot):
            column, observed, expected = "closed_book", pilot.closed_book, "`yes`, or nothing"
        elif key in seen:
            column, observed, expected = "run", f"{pilot.run} scores the cell again", "one line for run and cell"
        seen.add(key)
        if observed:
            place = context.folder.place(pilot, column)
            fix = "mend or remove the line; it is not counted"
            yield Hit(place, observed, expected, fix, pilot.entity, pilot.dimension)


def _tried(context: AuditContext) -> Iterator[tuple[str, str, list[Decimal]]]:
    """The cells that enough runs tried, with their scores."""
    for (entity, dimension), found in _by_cell(open_book(context.folder)):
        if len(found) >= context.thresholds.pilot_runs_least:
            yield entity, dimension, found


def _by_cell(scores: Iterable[Scored]) -> list[tuple[tuple[str, str], list[Decimal]]]:
    cells: dict[tuple[str, str], list[Decimal]] = defaultdict(list)
    for pilot in scores:
        cells[pilot.entity, pilot.dimension].append(pilot.score)
    return sorted(cells.items())


def _mean(scores: list[Decimal]) -> Decimal:
    return CONTEXT.divide(sum(scores, Decimal(0)), Decimal(len(scores)))


def _number(value: Decimal) -> str:
    """A mean with six digits at most, for people."""
    return canonical(value.normalize(_SHORT))


_SHORT = CONTEXT.copy()
_SHORT.prec = 6
