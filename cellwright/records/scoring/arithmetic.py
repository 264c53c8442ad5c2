"""The value of a shown expression, and the interval that the last digits of its numbers allow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal, DecimalException

from cellwright.records.decimals import CONTEXT
from cellwright.records.scoring.arithmetic_text import ArithmeticProblem, Expression, Literal

MAX_POWER = Decimal(100)


def evaluate(expression: Expression, values: Mapping[str, Decimal] | None = None) -> Decimal:
    """The value of an expression, names taken from `values`. Raises ArithmeticProblem."""
    return _run(expression, values or {}, lambda index, literal: literal.value)


def interval(expression: Expression, values: Mapping[str, Decimal] | None = None) -> tuple[Decimal, Decimal]:
    """The least and greatest value that the last written digits of its numbers allow.

    Each number alone at its two ends, then all in the raising and all in the lowering direction
    (design, section 5). Raises ArithmeticProblem.
    """
    names = values or {}
    base = evaluate(expression, names)
    found = [base]
    raising: list[int] = []
    literals = expression.literals
    for index, literal in enumerate(literals):
        if not literal.half:
            raising.append(0)
            continue
        up = _try(expression, names, _only(index, 1))
        down = _try(expression, names, _only(index, -1))
        found += [end for end in (up, down) if end is not None]
        raising.append(0 if up is None or down is None else 1 if up >= down else -1)
    for side in (1, -1):
        end = _try(
            expression,
            names,
            lambda index, literal, side=side: CONTEXT.add(  # type: ignore[misc]
                literal.value, CONTEXT.multiply(literal.half, Decimal(side * raising[index]))
            ),
        )
        if end is not None:
            found.append(end)
    return min(found), max(found)


def _only(moved: int, side: int) -> Callable[[int, Literal], Decimal]:
    def take(index: int, literal: Literal) -> Decimal:
        return (
            CONTEXT.add(literal.value, CONTEXT.multiply(literal.half, Decimal(side)))
            if index == moved
            else literal.value
        )

    return take


def _try(
    expression: Expression, values: Mapping[str, Decimal], take: Callable[[int, Literal], Decimal]
) -> Decimal | None:
    try:
        return _run(expression, values, take)
    except ArithmeticProblem:
        return None


def _run(expression: Expression, values: Mapping[str, Decimal], take: Callable[[int, Literal], Decimal]) -> Decimal:
    stack: list[Decimal] = []
    index = 0
    try:
        for item in expression.program:
            if isinstance(item, Literal):
                stack.append(take(index, item))
                index += 1
            elif isinstance(item, str):
                if item not in values:
                    raise ArithmeticProblem(f"`{item}` has no value")
                stack.append(values[item])
            elif item[1] == 1:
                stack.append(CONTEXT.minus(stack.pop()))
            else:
                right, left = stack.pop(), stack.pop()
                stack.append(_apply(item[0], left, right))
    except DecimalException:
        raise ArithmeticProblem("the arithmetic cannot be computed", unclear=False) from None
    return stack[0]


def _apply(sign: str, left: Decimal, right: Decimal) -> Decimal:
    if sign == "+":
        return CONTEXT.add(left, right)
    if sign == "-":
        return CONTEXT.subtract(left, right)
    if sign == "*":
        return CONTEXT.multiply(left, right)
    if sign == "/":
        return CONTEXT.divide(left, right)
    if abs(right) > MAX_POWER:
        raise ArithmeticProblem(f"an exponent above {MAX_POWER}")
    return CONTEXT.power(left, right)
