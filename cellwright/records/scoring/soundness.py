"""Whether a shown derivation is sound, as far as a rule can tell (design, section 8, «Sound by rule»).

Each primary input, or an intermediate that replaces it, appears within its interval widened by one unit of
the submission's own last digit (three significant digits at least) at any scale; no near miss's input stands
in its place; the shown arithmetic replays, and what ends in the answer rests on the inputs itself: an equation
that only restates a number (`x × 1`) proves nothing. What is left goes to a judge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from cellwright.records.decimals import CONTEXT
from cellwright.records.scoring.answer import Answer
from cellwright.records.scoring.arithmetic_text import Literal
from cellwright.records.scoring.evidence import Evidence, Node
from cellwright.records.scoring.foundations import Foundations
from cellwright.records.scoring.replay import Equation, meet_at_some_scale, replay, shown_numbers
from cellwright.records.scoring.submitted import ShownStep

DIGITS = 3
"""A shown number of fewer significant digits shows no input that is known to more."""
MAX_DEPTH = 100
MAX_GIVING = 10
"""Equations that give the answer, from the last, whose numbers are followed to the inputs."""


@dataclass(frozen=True, slots=True)
class Soundness:
    """The rule's word on a derivation."""

    sound: bool | None
    """None: undecided, a judge is needed."""
    why: str
    """The reason in words."""
    right_inputs: bool | None
    """None where every input is shown, so that a judge may say they are the right ones; else False."""
    missing: tuple[str, ...] = ()
    """Inputs that are neither shown nor replaced."""
    near_miss: str = ""
    """The near miss whose input stands in the place of one of the cell's."""


def judge_by_rule(evidence: Evidence, derivation: str | Sequence[ShownStep], answer: Answer) -> Soundness:
    """What the rule says of `derivation`, shown for a precise `answer` to a cell that rests on `evidence`."""
    numbers = shown_numbers(derivation)
    if not derivation or not numbers:
        return Soundness(False, "no numbers are shown" if derivation else "no derivation is shown", False)
    shown = _Shown(evidence, list(dict.fromkeys(number for number in numbers if number.value)))
    missing = tuple(name for name in shown.missing() if name)
    if missing:
        return _with_missing(evidence, shown, missing)
    equations = replay(derivation)
    wrong = next((equation for equation in equations if equation.verdict == "differs"), None)
    if wrong is not None:
        return Soundness(False, f"the shown arithmetic does not replay: {wrong.text}", None)
    if not evidence.computes:
        return Soundness(True, "every input is shown", None)
    foundations = Foundations(equations)
    giving = [equation for equation in equations if _gives(equation, answer)]
    if any(_rests_on_inputs(evidence, foundations.of(equation)) for equation in giving[-MAX_GIVING:]):
        return Soundness(True, "every input is shown and the arithmetic replays", None)
    if giving:
        return Soundness(None, "every input is shown, and the arithmetic that gives the answer does not use them", None)
    return Soundness(None, "every input is shown, and no shown arithmetic that could be read gives the answer", None)


def _with_missing(evidence: Evidence, shown: _Shown, missing: tuple[str, ...]) -> Soundness:
    names = ", ".join(missing[:5]) + (", …" if len(missing) > 5 else "")
    for near_miss, traps in evidence.traps.items():
        used = next((name for name in traps if shown.only_trap(name)), "")
        if used:
            return Soundness(False, f"{used} stands where {names} should", False, missing, near_miss)
    if not shown.any_input():
        return Soundness(False, "none of the inputs is shown", False, missing)
    return Soundness(None, f"not shown: {names}", False, missing)


def _gives(equation: Equation, answer: Answer) -> bool:
    if equation.verdict != "agrees" or equation.trivial or answer.value is None:
        return False
    own = CONTEXT.subtract(answer.value, answer.digit), CONTEXT.add(answer.value, answer.digit)
    return meet_at_some_scale(equation.result, own)


def _rests_on_inputs(evidence: Evidence, numbers: Sequence[Literal]) -> bool:
    """Whether each input, or an intermediate that replaces it, is among the numbers of the arithmetic itself."""
    return not _Shown(evidence, list(dict.fromkeys(number for number in numbers if number.value))).missing()


class _Shown:
    """The numbers of a derivation against the nodes of the evidence."""

    def __init__(self, evidence: Evidence, numbers: list[Literal]) -> None:
        self.evidence = evidence
        self.numbers = numbers
        self._appears: dict[str, bool] = {}
        self._covered: dict[str, bool] = {}

    def missing(self) -> list[str]:
        """The facts that are neither shown nor replaced by an intermediate, sorted."""
        lost = [name for name in self.evidence.wanted if not self.covered(name, 0)]
        return sorted({fact for name in lost for fact in self._lost_facts(name, 0)})

    def _lost_facts(self, name: str, depth: int) -> set[str]:
        node = self.evidence.nodes.get(name)
        if node is None or not node.inputs or depth > MAX_DEPTH:
            return {name}
        return {
            fact for item in node.inputs if not self.covered(item, 0) for fact in self._lost_facts(item, depth + 1)
        } or {name}

    def covered(self, name: str, depth: int) -> bool:
        """Whether a fact or step is shown, or everything it is made of is."""
        if name not in self._covered:
            node = self.evidence.nodes.get(name)
            if node is None:  # an assumption, or a step without a value: not asked for
                self._covered[name] = True
            elif depth > MAX_DEPTH:
                return False
            else:
                self._covered[name] = False  # until it is known: a circle covers nothing
                self._covered[name] = self.appears(name) or (
                    bool(node.inputs) and all(self.covered(item, depth + 1) for item in node.inputs)
                )
        return self._covered[name]

    def appears(self, name: str) -> bool:
        """Whether a number of the derivation shows this node's value."""
        if name not in self._appears:
            node = self.evidence.nodes[name]
            self._appears[name] = node.low <= 0 <= node.high or any(shows(number, node) for number in self.numbers)
        return self._appears[name]

    def only_trap(self, name: str) -> bool:
        """Whether a shown number is this trap's and none of the cell's own."""
        node = self.evidence.nodes.get(name)
        if node is None:
            return False
        own = [item for key, item in self.evidence.nodes.items() if not self._is_trap(key)]
        return any(shows(number, node) and not any(shows(number, item) for item in own) for number in self.numbers)

    def _is_trap(self, name: str) -> bool:
        return any(name in names for names in self.evidence.traps.values())

    def any_input(self) -> bool:
        """Whether any fact or intermediate that the last step rests on is shown."""
        queue, seen = list(self.evidence.wanted), set()
        while queue:
            name = queue.pop()
            if name in seen or name not in self.evidence.nodes:
                continue
            seen.add(name)
            if self.appears(name):
                return True
            queue += self.evidence.nodes[name].inputs
        return False


def shows(number: Literal, node: Node) -> bool:
    """Whether a shown number is the node's value, within its interval widened, at any scale, either sign."""
    low, high = sorted((node.low.copy_abs(), node.high.copy_abs()))
    size = number.value.copy_abs()
    if not size or not high or number.digits < min(DIGITS, node.digits):
        return False
    if _is_year(number):
        return low <= size <= high
    shift = high.adjusted() - size.adjusted()
    for power in (shift - 1, shift, shift + 1):
        if abs(power) > 60:
            continue
        moved = size.scaleb(power, CONTEXT)
        margin = min(number.unit, Decimal((0, (1,), size.adjusted() - (DIGITS - 1)))).scaleb(power, CONTEXT)
        if CONTEXT.subtract(low, margin) <= moved <= CONTEXT.add(high, margin):
            return True
    return False


def _is_year(number: Literal) -> bool:
    """A bare year is a number of the text and shows no figure."""
    return number.digits == 4 and 1900 <= number.value <= 2099 and number.value == int(number.value)
