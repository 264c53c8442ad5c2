"""The arithmetic that an answer shows, read into an expression: `602 billion × 20.2% / 4.27 million = 28,479`.

Numbers carry percent signs and scale words, other words are passed over; names may stand for values shown
before. Nothing is read but `+ - * / ^` and brackets, under bounds on length and depth.
Each number stands for half a unit of its last digit on both sides, as everywhere (design, section 5).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal, DecimalException
from functools import lru_cache

from cellwright.records.decimals import CONTEXT
from cellwright.records.quantities import CURRENCIES, DASHES, QuantityError, read_number

MAX_EXPRESSION = 2_000
"""Characters of one side of an equation."""
MAX_TOKENS = 400
MAX_DEPTH = 32

_NUMBER = r"(?:[0-9]{1,3}(?:[,\u00a0\u202f'][0-9]{3})+|[0-9]{1,34})(?:\.[0-9]{1,34})?|\.[0-9]{1,34}"
_TOKEN = re.compile(
    rf"(?P<number>{_NUMBER})(?P<exponent>[eE][-+]?[0-9]{{1,2}}(?![0-9A-Za-z]))?"
    r"(?P<tail>(?P<percent> ?[%‰‱])|(?P<glued>[A-Za-z]{1,12}(?![A-Za-z_0-9]))|"
    r" (?P<word>[A-Za-z]{1,12})(?![A-Za-z_0-9]))?"
    r"|(?P<power>\*\*|\^)|(?P<operator>[-+*/×·⋅÷∙])|(?P<open>[(\[{])|(?P<close>[)\]}])"
    r"|(?P<name>[^\W\d](?:[\w.]{0,118}\w)?)|(?P<money>[$€£¥₹₩])|(?P<blank>\s+)|(?P<other>.)",
    re.DOTALL,
)
_CROSS = re.compile(r"(?<=[0-9%)])[xX](?=[0-9(.$])")
_DASH_TABLE = str.maketrans(dict.fromkeys(DASHES, "-"))
_SIGNS = {"×": "*", "·": "*", "⋅": "*", "∙": "*", "÷": "/"}
# Beside the signs of arithmetic these letters can be nothing else.
_WEAK = {"m": 6, "M": 6, "b": 9, "B": 9, "k": 3, "K": 3, "bn": 9, "T": 12}
_PERCENT = {"%": -2, "‰": -3, "‱": -4}


class ArithmeticProblem(Exception):
    """Why a shown expression is not computed: its form (`unclear`), or what it computes on."""

    def __init__(self, why: str, *, unclear: bool = True) -> None:
        super().__init__(why)
        self.why = why
        self.unclear = unclear
        """True where the words were not understood, False where the arithmetic itself fails."""


@dataclass(frozen=True, slots=True)
class Literal:
    """A number of an expression: its value and half a unit of its last written digit (0 where it is exact)."""

    value: Decimal
    half: Decimal
    digits: int
    """Significant digits as written."""
    unit: Decimal = Decimal(0)
    """One unit of the last digit that says something: of 28,500 a hundred (three digits always do)."""


@dataclass(slots=True)
class Expression:
    """An expression in postfix order: literals, names, and operators with their arity."""

    program: list[Literal | str | tuple[str, int]] = field(default_factory=list)
    passed_over: int = 0
    """Words that were passed over."""

    @property
    def literals(self) -> list[Literal]:
        """The numbers in it, in their order."""
        return [item for item in self.program if isinstance(item, Literal)]

    @property
    def operations(self) -> int:
        """How many operators with two operands there are."""
        return sum(1 for item in self.program if isinstance(item, tuple) and item[1] == 2)

    @property
    def names(self) -> list[str]:
        """The names in it, in their order."""
        return [item for item in self.program if isinstance(item, str)]


def parse_expression(text: str, known: Sequence[str] = ()) -> Expression:
    """The expression that `text` writes; a word is a name where it is in `known`, else it is passed over.

    Raises ArithmeticProblem for text that is no expression, or is beyond the bounds.
    """
    if len(text) > MAX_EXPRESSION:
        raise ArithmeticProblem(f"an expression of more than {MAX_EXPRESSION} characters")
    reader = _Reader(frozenset(known))
    tokens = reader.tokens(_CROSS.sub("×", text.translate(_DASH_TABLE)))
    return _Parser(tokens, reader.passed_over).parse()


def literals_in(text: str, limit: int = 2_000) -> list[Literal]:
    """The numbers of a running text, at most `limit`; figures within words (FY2023) are none."""
    found = []
    for match in _TOKEN.finditer(text.translate(_DASH_TABLE)):
        if match["number"] is not None:
            try:
                found.append(_literal(match)[0])
            except DecimalException:
                continue  # a number beyond every bound shows no input
            if len(found) == limit:
                break
    return found


@lru_cache(maxsize=1024)
def _scale_word(word: str) -> int | None:
    """The power of ten that a word after a number says: million, bn, percent; None for any other word."""
    if word in _WEAK:
        return _WEAK[word]
    try:
        reading = read_number(f"1 {word}")
    except QuantityError:
        return None
    return {"percent": -2, "pp": -2, "permille": -3, "bp": -4}.get(reading.unit, reading.scale)


class _Reader:
    """Text into tokens: literals, names, signs and brackets."""

    def __init__(self, known: frozenset[str]) -> None:
        self.known = known
        self.passed_over = 0

    def tokens(self, text: str) -> list[Literal | str | tuple[str]]:
        """Numbers, names and one-character signs in a tuple; `/ vehicle` and other words fall away."""
        found: list[Literal | str | tuple[str]] = []
        matches = [match for match in _TOKEN.finditer(text) if match.lastgroup not in ("blank", "money")]
        if len(matches) > MAX_TOKENS:
            raise ArithmeticProblem(f"an expression of more than {MAX_TOKENS} words and signs")
        for index, match in enumerate(matches):
            nxt = matches[index + 1] if index + 1 < len(matches) else None
            if match["number"] is not None:
                literal, word = _literal(match)
                found.append(literal)
                if word:
                    self._word(word, found)
            elif match["name"] is not None:
                self._word(match["name"], found)
            elif match["power"]:
                found.append(("^",))
            elif match["operator"]:
                sign = _SIGNS.get(match["operator"], match["operator"])
                if sign == "/" and nxt is not None and nxt["name"] is not None and nxt["name"] not in self.known:
                    self.passed_over += 1
                    continue  # a unit: `CNY / vehicle`
                found.append((sign,))
            elif match["open"] or match["close"]:
                found.append(("(" if match["open"] else ")",))
            else:
                raise ArithmeticProblem(f"`{match.group()}` in an expression")
        return found

    def _word(self, word: str, found: list[Literal | str | tuple[str]]) -> None:
        if word in self.known:
            found.append(word)
        elif word in ("x", "X"):
            found.append(("*",))
        elif word != "per" and word not in CURRENCIES:
            self.passed_over += 1


def _literal(match: re.Match[str]) -> tuple[Literal, str]:
    """The number of a token, and the word after it where that word belongs to no number."""
    digits = re.sub(r"[,\u00a0\u202f']", "", match["number"])
    whole, _, part = digits.partition(".")
    power = int(match["exponent"][1:]) if match["exponent"] else 0
    word = match["glued"] or match["word"] or ""
    rest = word
    if match["percent"]:
        power += _PERCENT[match["percent"].strip()]
    elif word:
        scale = _scale_word(word)
        if scale is not None:
            power, rest = power + scale, ""
    value = Decimal(digits).scaleb(power, CONTEXT)
    significant = (whole + part).lstrip("0")
    exact = not part and len(significant.rstrip("0")) <= 2  # 100, 2, 12: numbers of a formula
    half = Decimal(0) if exact else Decimal((0, (5,), power - len(part) - 1))
    unit = Decimal((0, (1,), power - len(part) if part else power + last_power(Decimal(digits), 0)))
    return Literal(value, half, len(significant), unit), rest


def last_power(magnitude: Decimal, place: int) -> int:
    """The power of ten of the last digit that says something in a number written to the power `place`.

    Zeros that end a whole number say nothing beyond the third significant digit.
    """
    if place < 0 or not magnitude:
        return place
    digits = format(magnitude.scaleb(-place, CONTEXT), "f")
    return place + min(len(digits) - len(digits.rstrip("0")), max(0, len(digits) - 3))


_PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "neg": 3, "^": 4}


class _Parser:
    """Tokens into postfix order by two stacks: no recursion."""

    def __init__(self, tokens: list[Literal | str | tuple[str]], passed_over: int) -> None:
        self.input = tokens
        self.out = Expression(passed_over=passed_over)
        self.signs: list[str] = []
        self.depth = 0

    def parse(self) -> Expression:
        """The whole input as one expression."""
        operand_next = True
        for token in self.input:
            if not isinstance(token, tuple):
                if not operand_next:
                    raise ArithmeticProblem("two numbers without a sign between them")
                self.out.program.append(token)
                operand_next = False
            elif token[0] == "(":
                if not operand_next:
                    raise ArithmeticProblem("a bracket after a number without a sign between them")
                self.depth += 1
                if self.depth > MAX_DEPTH:
                    raise ArithmeticProblem(f"brackets deeper than {MAX_DEPTH}")
                self.signs.append("(")
            elif token[0] == ")":
                if operand_next:
                    raise ArithmeticProblem("a bracket that closes on nothing")
                self._close()
            else:
                operand_next = self._sign(token[0], operand_next)
        if operand_next:
            raise ArithmeticProblem("an expression that ends in nothing")
        while self.signs:
            if self.signs[-1] == "(":
                raise ArithmeticProblem("a bracket that is not closed")
            self._emit(self.signs.pop())
        return self.out

    def _close(self) -> None:
        while self.signs and self.signs[-1] != "(":
            self._emit(self.signs.pop())
        if not self.signs:
            raise ArithmeticProblem("a bracket that was not opened")
        self.signs.pop()
        self.depth -= 1

    def _sign(self, sign: str, operand_next: bool) -> bool:
        if operand_next:
            if sign not in "+-" or len(self.signs) > MAX_TOKENS:
                raise ArithmeticProblem("a sign without a number before it")
            if sign == "-":
                self.signs.append("neg")
            return True
        own = _PRECEDENCE[sign]
        while (
            self.signs
            and self.signs[-1] != "("
            and (_PRECEDENCE[self.signs[-1]] > own or (_PRECEDENCE[self.signs[-1]] == own and sign != "^"))
        ):
            self._emit(self.signs.pop())
        self.signs.append(sign)
        return True

    def _emit(self, sign: str) -> None:
        self.out.program.append(("-", 1) if sign == "neg" else (sign, 2))
