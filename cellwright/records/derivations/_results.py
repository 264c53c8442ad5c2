"""What an evaluation gives, and its JSON form (design, section 3: `derive --format json`)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from cellwright.records.decimals import canonical
from cellwright.records.fields import AnswerType

Interval = tuple[Decimal, Decimal]


@dataclass(frozen=True, slots=True)
class StepResult:
    """One step: its value in `unit`, the ends that the facts' last digits allow, and what it names itself.

    A dimension's answer (`answer`, or `low` and `high`) is in the dimension's unit; another step is in the unit
    that follows from its operands, a ratio as a plain number. `low` and `high` are None where the last digits
    set no bound. `inputs` are `fact:<id>`, `step:<id>`, `assumption:<id>`, `cell:<entity>/<dimension>` or
    `cell:<entity>/<dimension>/<step>`, in the order in which the expression names them.
    """

    id: str
    expr: str
    value: Decimal
    unit: str
    low: Decimal | None
    high: Decimal | None
    inputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CellResult:
    """The reference answer of one cell.

    A precise answer has `value`, a range `low` and `high`, both in `unit`; a not-available cell has none.
    `interval` is what the facts' last digits allow: of a range from the least low to the greatest high, whose
    own intervals are `ends`. It is None for a not-available cell and where the last digits set no bound
    (a note says so). `inputs` are the ids of the facts that the answer rests on, through other cells too.
    """

    entity: str
    dimension: str
    answer_type: AnswerType
    value: Decimal | None
    low: Decimal | None
    high: Decimal | None
    unit: str
    interval: Interval | None
    ends: tuple[Interval, Interval] | None
    steps: tuple[StepResult, ...]
    inputs: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Evaluated:
    """One expression in a cell's place, in the dimension's unit; `inputs` are fact ids."""

    value: Decimal
    interval: Interval | None
    unit: str
    inputs: tuple[str, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a check says of one entity.

    `holds` is None where it was skipped: the entity lacks the facts, which `skipped` tells. `left` and `right`
    are the two sides of the comparison that decided, in one unit; `slack` is how far apart `within: rounding`
    lets them be (0 without it). Without a comparison only `left` is there.
    """

    holds: bool | None
    left: Decimal | None = None
    right: Decimal | None = None
    slack: Decimal | None = None
    unit: str = ""
    inputs: tuple[str, ...] = ()
    skipped: str = ""


def cell_json(result: CellResult) -> dict[str, object]:
    """One entry of `derive --format json`'s `cells`; numbers as canonical decimal strings, None for none."""
    return {
        "entity": result.entity,
        "dimension": result.dimension,
        "answer_type": result.answer_type,
        "value": _text(result.value),
        "unit": result.unit,
        "low": _text(result.low),
        "high": _text(result.high),
        "interval": None if result.interval is None else [canonical(end) for end in result.interval],
        "inputs": list(result.inputs),
        "notes": list(result.notes),
        "steps": [
            {
                "id": step.id,
                "expr": step.expr,
                "value": canonical(step.value),
                "unit": step.unit,
                "low": _text(step.low),
                "high": _text(step.high),
                "inputs": list(step.inputs),
            }
            for step in result.steps
        ],
    }


def _text(number: Decimal | None) -> str | None:
    return None if number is None else canonical(number)
