"""The equations that a derivation shows, each computed again from its own numbers.

Two sides agree when their intervals meet at some power of ten, since people leave scale words out:
`602 × 20.2% / 4.27 = 28,479` is billions over millions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Literal as Choice

from cellwright.records.decimals import CONTEXT
from cellwright.records.scoring.arithmetic import evaluate, interval
from cellwright.records.scoring.arithmetic_text import (
    MAX_EXPRESSION,
    ArithmeticProblem,
    Expression,
    Literal,
    literals_in,
    parse_expression,
)
from cellwright.records.scoring.number_choice import clean
from cellwright.records.scoring.submitted import ShownStep

MAX_DERIVATION = 20_000
"""Characters of a derivation that are looked at."""
MAX_STEPS = 200
"""Lines of a derivation given as a list that are looked at."""
MAX_EQUATIONS = 100
MAX_NUMBERS = 1_000
"""Numbers of all equations together; a real derivation has dozens."""

_EQUALS = re.compile(r"≈|≅|≃|≒|~=|==?")
_BREAK = re.compile(r"[\n\r;:|→⇒]|, |\. (?=[^0-9])|\.$|\band\b")
_FRACTION = re.compile(r"\\[dt]?frac\{([^{}]{1,200})\}\{([^{}]{1,200})\}")
_DIGITS = re.compile(r"[0-9]+")
_REMARK = re.compile(r"\([^()0-9]{0,120}\)")

Verdict = Choice["agrees", "differs", "unclear"]
Span = tuple[Decimal, Decimal]


@dataclass(frozen=True, slots=True)
class Equation:
    """One shown equation: its words, whether it replays, and the interval of its result."""

    text: str
    verdict: Verdict
    result: Span
    operands: tuple[Literal, ...] = ()
    """The numbers it computes with."""
    trivial: bool = False
    """It only restates a number that it begins with (`x × 1`, `x + 0`), and so proves nothing."""


def shown_numbers(derivation: str | Sequence[ShownStep]) -> list[Literal]:
    """Every number that a derivation shows, in its order."""
    if isinstance(derivation, str):
        return literals_in(derivation[:MAX_DERIVATION])
    lines = (f"{step.expr}\n{step.value} {step.unit}" for step in derivation[:MAX_STEPS])
    return literals_in("\n".join(lines)[:MAX_DERIVATION])


def replay(derivation: str | Sequence[ShownStep]) -> list[Equation]:
    """The equations that a derivation shows, in their order, each computed again."""
    if isinstance(derivation, str):
        return _of_text(derivation)
    return _of_list(derivation[:MAX_STEPS])


def widened(literal: Literal) -> Span:
    """What a shown number may stand for: one unit of its last digit on both sides."""
    return CONTEXT.subtract(literal.value, literal.unit), CONTEXT.add(literal.value, literal.unit)


def meet_at_some_scale(one: Span, other: Span) -> bool:
    """Whether two intervals share a number once one of them is moved by a power of ten. Signs must agree."""
    if _meet(one, other):
        return True
    middle, goal = _middle(one), _middle(other)
    if not middle or not goal or (middle > 0) != (goal > 0):
        return False
    shift = goal.adjusted() - middle.adjusted()
    return any(
        _meet((one[0].scaleb(power, CONTEXT), one[1].scaleb(power, CONTEXT)), other)
        for power in (shift - 1, shift, shift + 1)
        if abs(power) <= 60
    )


def _meet(one: Span, other: Span) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def _middle(span: Span) -> Decimal:
    return CONTEXT.divide(CONTEXT.add(*span), Decimal(2))


def _of_text(text: str) -> list[Equation]:
    found: list[Equation] = []
    numbers = 0
    plain = _FRACTION.sub(r"((\1)/(\2))", text[:MAX_DERIVATION])
    for segment in _BREAK.split(plain):
        if segment is None or not _EQUALS.search(segment):
            continue
        numbers += len(_DIGITS.findall(segment))
        if numbers > MAX_NUMBERS:
            break
        sides = [_REMARK.sub(" ", clean_formula(side)) for side in _EQUALS.split(segment)]
        for left, right in pairwise(sides):
            equation = _equation(left, right)
            if equation is not None:
                found.append(equation)
            if len(found) >= MAX_EQUATIONS:
                return found
    return found


def clean_formula(text: str) -> str:
    """`text` without marks of emphasis; a star between numbers stays a sign."""
    guarded = re.sub(r"(?<!\*)\*(?!\*)", "×", text[: MAX_EXPRESSION + 1])
    return clean(guarded.replace("_", "\x01")).replace("\x01", "_")


def _equation(left: str, right: str) -> Equation | None:
    """The equation of two sides; None where neither computes anything."""
    text = f"{left} = {right}"[:200]
    try:
        first = parse_expression(left)
    except ArithmeticProblem:
        return None
    if not first.operations:
        return None if _is_result(right) else _turned(left, right, text)
    try:
        second = _right_side(right)
        result = _reach(second)
    except ArithmeticProblem:
        return Equation(text, "unclear", (Decimal(0), Decimal(0)))
    words = first.passed_over + second.passed_over * bool(second.operations)
    operands = first.literals + (second.literals if second.operations else [])
    return Equation(text, _compare(first, result, words), result, tuple(operands), restates(first))


def restates(expression: Expression) -> bool:
    """Whether the value of an expression is one of its own numbers, at any scale where it only multiplies."""
    try:
        value = evaluate(expression).copy_abs()
    except ArithmeticProblem:
        return False
    only_scales = all(item[0] in "*/neg" for item in expression.program if isinstance(item, tuple))
    return any(
        CONTEXT.subtract(value, literal.value).copy_abs() <= literal.half
        or (only_scales and literal.digits > 1 and _digits_of(value) == _digits_of(literal.value))
        for literal in expression.literals
    )


def _digits_of(value: Decimal) -> tuple[int, ...]:
    return value.normalize(CONTEXT).as_tuple().digits


def _is_result(text: str) -> bool:
    """Whether a side computes nothing."""
    try:
        return not parse_expression(text).operations
    except ArithmeticProblem:
        return True


def _turned(left: str, right: str, text: str) -> Equation | None:
    """`121.6 = 602 × 20.2%`: the result stands first."""
    try:
        result, computed = parse_expression(left), parse_expression(right)
        if len(result.literals) != 1:
            return None
        verdict = _compare(computed, _reach(result), computed.passed_over)
        return Equation(text, verdict, _reach(result), tuple(computed.literals), restates(computed))
    except ArithmeticProblem:
        return None


def _right_side(text: str) -> Expression:
    """The right side; where words in brackets follow the result, the part before them."""
    try:
        return parse_expression(text)
    except ArithmeticProblem:
        head = text[1:].split("(", 1)
        if len(head) < 2:
            raise
        return parse_expression(text[0] + head[0])


def _reach(expression: Expression) -> Span:
    if not expression.operations and len(expression.literals) == 1:
        low, high = widened(expression.literals[0])
        negative = evaluate(expression) < 0 < expression.literals[0].value
        return (high.copy_negate(), low.copy_negate()) if negative else (low, high)
    return interval(expression)


def _compare(left: Expression, result: Span, words: int) -> Verdict:
    try:
        reach = interval(left)
    except ArithmeticProblem as problem:
        return "unclear" if problem.unclear or words else "differs"
    if meet_at_some_scale(reach, result):
        return "agrees"
    return "unclear" if words else "differs"


def _of_list(steps: Sequence[ShownStep]) -> list[Equation]:
    """A derivation given as a list: names stand for the values of the lines before."""
    values: dict[str, Literal] = {}
    found: list[Equation] = []
    numbers = characters = 0
    for step in steps:
        numbers += len(_DIGITS.findall(step.expr))
        characters += len(step.expr) + len(step.value) + len(step.unit)
        if numbers > MAX_NUMBERS or characters > MAX_DERIVATION:
            break
        value = _shown_value(step)
        if step.expr.strip():
            equation, computed = _list_equation(step, value, values)
            found += equation
            value = value or computed
        if step.id and value is not None:
            values[step.id.strip()[:120]] = value
    return found[:MAX_EQUATIONS]


def _list_equation(
    step: ShownStep, value: Literal | None, values: dict[str, Literal]
) -> tuple[list[Equation], Literal | None]:
    """The equation of one line, if any, and the value that its expression gives."""
    text = f"{step.id}: {step.expr} = {step.value}"[:200]
    if _EQUALS.search(step.expr):
        return _of_text(f"{step.expr}\n"), None
    try:
        expression = _with_values(parse_expression(clean_formula(step.expr), tuple(values)), values)
        if not expression.operations:
            return [], expression.literals[0]
        computed = Literal(evaluate(expression), Decimal(0), 34)
        if value is None:
            reach = interval(expression)
            return [Equation(text, "agrees", reach, tuple(expression.literals), restates(expression))], computed
    except ArithmeticProblem as problem:
        span = widened(value) if value is not None else (Decimal(0), Decimal(0))
        return [Equation(text, "unclear" if problem.unclear else "differs", span)], None
    verdict = _compare(expression, widened(value), expression.passed_over)
    operands = tuple(expression.literals)
    return [Equation(text, verdict, widened(value), operands, restates(expression))], computed


def _with_values(expression: Expression, values: dict[str, Literal]) -> Expression:
    program: list[Literal | str | tuple[str, int]] = [
        values[item] if isinstance(item, str) else item for item in expression.program
    ]
    return Expression(program, expression.passed_over)


def _shown_value(step: ShownStep) -> Literal | None:
    """The number of a line's value, its sign applied; None where it writes none."""
    if not step.value.strip():
        return None
    try:
        expression = parse_expression(clean_formula(f"{step.value} {step.unit.split('/')[0]}"))
        literals = expression.literals
        if len(literals) != 1 or expression.operations:
            return None
        return Literal(evaluate(expression), literals[0].half, literals[0].digits, literals[0].unit)
    except ArithmeticProblem:
        return None
