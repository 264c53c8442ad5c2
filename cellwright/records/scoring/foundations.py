"""What the equations of a derivation rest on: the numbers that lead to a result through other equations."""

from __future__ import annotations

from collections.abc import Sequence

from cellwright.records.scoring.arithmetic_text import Literal
from cellwright.records.scoring.replay import Equation, meet_at_some_scale, widened


class Foundations:
    """Which numbers lead to the result of an equation, through the other equations of a derivation."""

    def __init__(self, equations: Sequence[Equation]) -> None:
        self.proving = [item for item in equations if item.verdict == "agrees" and not item.trivial]
        self._origins: dict[Literal, list[Equation]] = {}

    def of(self, equation: Equation) -> list[Literal]:
        """The numbers that `equation` computes with, and those that other equations make these of; each once."""
        found = dict.fromkeys(equation.operands)
        queue, done = list(found), {id(equation)}
        while queue:
            for other in self._origins_of(queue.pop()):
                if id(other) not in done:
                    done.add(id(other))
                    queue += [number for number in dict.fromkeys(other.operands) if number not in found]
                    found.update(dict.fromkeys(other.operands))
        return list(found)

    def _origins_of(self, number: Literal) -> list[Equation]:
        """The equations that have this number as their result; a number of one digit is too common to tell."""
        if number not in self._origins:
            reach = widened(number)
            self._origins[number] = [
                item for item in self.proving if number.digits > 1 and meet_at_some_scale(reach, item.result)
            ]
        return self._origins[number]
