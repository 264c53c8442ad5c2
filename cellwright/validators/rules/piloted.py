"""Condition 5, piloted: what trial runs say of a task's difficulty. Not checked where there are none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal

from cellwright.records.decimals import CONTEXT, canonical
from cellwright.records.findings import Condition
from cellwright.records.rows import Pilot
from cellwright.validators.context import AuditContext
from cellwright.validators.registry import Hit, rule

C5 = Condition.SCORABLE


@rule("C5-DIFFICULTY", C5, title="Trial runs score within the band of difficulty.")
def difficulty_is_in_its_band(context: AuditContext) -> Iterator[Hit]:
    """A task that trial runs, with their sources, find impossible or trivial. Not checked without pilots."""
    scores = [pilot.score for pilot in _open_book(context) if pilot.score is not None]
    if not scores:
        return
    mean = CONTEXT.divide(sum(scores, Decimal(0)), Decimal(len(scores)))
    least, most = context.thresholds.difficulty_least, context.thresholds.difficulty_most
    if not least <= mean <= most:
        yield Hit(
            context.place_in("pilots", "score"),
            f"{_number(mean)} on average over {len(scores)} scores",
            f"{canonical(least)} to {canonical(most)}",
            "make the task harder or mend what is broken, or waive",
        )


def _open_book(context: AuditContext) -> Iterator[Pilot]:
    return (pilot for pilot in context.folder.pilots if not _closed(pilot))


def _closed(pilot: Pilot) -> bool:
    return pilot.closed_book.strip().lower() in ("yes", "true", "1", "y")


@rule("C5-CLOSED-BOOK", C5, severity="warning", title="No cell is known without its sources.")
def cells_are_not_known_by_heart(context: AuditContext) -> Iterator[Hit]:
    """Cells that trial runs without sources get right more often than the threshold."""
    scores: dict[tuple[str, str], list[Decimal]] = defaultdict(list)
    for pilot in context.folder.pilots:
        if _closed(pilot) and pilot.score is not None:
            scores[pilot.entity, pilot.dimension].append(pilot.score)
    most = context.thresholds.closed_book_most
    for (entity, dimension), found in sorted(scores.items()):
        mean = CONTEXT.divide(sum(found, Decimal(0)), Decimal(len(found)))
        if mean > most:
            yield Hit(
                context.place_in("pilots", "score", f"{entity}/{dimension}"),
                f"{_number(mean)} on average without sources",
                f"at most {canonical(most)}",
                "ask for something that must be looked up",
                entity,
                dimension,
            )


def _number(value: Decimal) -> str:
    """A mean with six digits at most, for people."""
    return canonical(value.normalize(_SHORT))


_SHORT = CONTEXT.copy()
_SHORT.prec = 6
