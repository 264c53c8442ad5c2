"""One cell's derivation on a terminal: each step with its expression, value, unit and what it computes on."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Protocol

from rich.console import Console
from rich.text import Text

from cellwright.records.decimals import canonical
from cellwright.views import numbers
from cellwright.views.terminal_lines import say, told

if TYPE_CHECKING:
    from cellwright.records.derivations import CellResult, StepResult
    from cellwright.records.rows import Fact


class _Valued(Protocol):
    @property
    def value(self) -> Decimal | None: ...
    @property
    def unit(self) -> str: ...


def print_derivation(console: Console, result: CellResult, facts: Mapping[str, Fact] | None = None) -> None:
    """Print how a cell's answer follows; with `facts` (by id) the value of each fact stands beside its id."""
    say(console, told(f"{result.entity}/{result.dimension}", "bold"), "  ", Text(_answer(result), "bold green"))
    known: dict[str, _Valued] = {f"fact:{key}": fact for key, fact in (facts or {}).items()}
    known |= {f"step:{step.id}": step for step in result.steps}
    for position, step in enumerate(result.steps, 1):
        _print_step(console, position, step, known)
    if result.interval and result.interval[0] != result.interval[1]:
        low, high = map(canonical, result.interval)
        say(
            console, Text("the facts' last digits allow ", "dim"), numbers.interval_of(low, high, result.unit), indent=2
        )
    for note in result.notes:
        say(console, Text("note ", "dim"), told(note), indent=2)


def _answer(result: CellResult) -> str:
    if result.answer_type == "not_available":
        return "not available"
    if result.value is not None:
        return numbers.amount(result.value, result.unit)
    if result.low is None or result.high is None:
        return "no answer"
    ends = f"{numbers.number(result.low, result.unit)} to {numbers.number(result.high, result.unit)}"
    return numbers.with_unit(ends, result.unit)


def _print_step(console: Console, position: int, step: StepResult, known: Mapping[str, _Valued]) -> None:
    say(console, Text(f"{position} ", "dim"), told(step.id, "bold"), " = ", told(step.expr), indent=2)
    for name in step.inputs:
        kind, _, rest = name.partition(":")
        found = known.get(name)
        value = "" if found is None or found.value is None else f"  {_exact(found.value, found.unit)}"
        say(console, Text(f"{kind} " if rest else "", "dim"), told(rest or name), Text(value, "cyan"), indent=6)
    say(console, "= ", Text(_exact(step.value, step.unit), "bold cyan"), indent=4)


def _exact(value: Decimal, unit: str) -> str:
    return numbers.with_unit(numbers.grouped(value), unit)
