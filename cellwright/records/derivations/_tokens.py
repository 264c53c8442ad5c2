"""The words and signs of an expression, each with its position."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cellwright.records.errors import ExpressionError, clip

MAX_LENGTH = 2_000
"""Characters of one expression (design, section 5: bounded length)."""

_TOKEN = re.compile(
    r"""
    (?P<blank>\s+)
  | (?P<number>\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)
  | (?P<name>[A-Za-z_][A-Za-z0-9_]*(?:\.(?:[A-Za-z0-9_]+|\*))*)
  | (?P<text>'[\w ./:+-]{0,64}'|"[\w ./:+-]{0,64}")
  | (?P<sign>\*\*|==|!=|<=|>=|[-+*/()<>,\[\]])
""",
    re.VERBOSE,
)

_HINTS = {
    "^": "write a power as `**`",
    "=": "write equality as `==`",
    "×": "write `*`",
    "÷": "write `/`",
    "−": "write `-`",
    "–": "write `-`",
    "≤": "write `<=`",
    "≥": "write `>=`",
    "≠": "write `!=`",
    "%": "a percentage is a fact or an assumption whose unit is percent",
    "{": "an expression has round parentheses only",
    "}": "an expression has round parentheses only",
    ";": "an expression is one formula; make each a step of its own",
    "'": "a period's label stands between two quotes: x['FY2021']",
    '"': "a period's label stands between two quotes: x['FY2021']",
    ".": "a dot stands inside a name only, between its parts; no number with decimals may be written",
    "&": "write both conditions as a product: (a > b) * (c > d)",
    "!": "write `!=`",
}


@dataclass(frozen=True, slots=True)
class Token:
    """One word or sign; `kind` is number, name, text, sign or end, `at` the position from 1."""

    kind: str
    text: str
    at: int


def tokens(text: str) -> list[Token]:
    """The tokens of `text`, ended by one of kind `end`.

    Raises ExpressionError for a text over `MAX_LENGTH` characters and for a character of no meaning.
    """
    if len(text) > MAX_LENGTH:
        raise ExpressionError(
            "the expression is too long",
            seen=f"{len(text)} characters, {clip(text, 40)}",
            expected=f"at most {MAX_LENGTH}",
            fix="break it into steps",
        )
    found: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            char = text[at] if text[at].isprintable() else f"U+{ord(text[at]):04X}"
            raise fault(
                f"the character `{char}` has no meaning in an expression",
                text,
                at + 1,
                fix=_HINTS.get(text[at], "see the guidelines for what an expression may hold"),
            )
        kind = match.lastgroup or ""
        if kind != "blank":
            found.append(Token(kind, match.group(), at + 1))
        at = match.end()
    return [*found, Token("end", "", len(text) + 1)]


def fault(what: str, text: str, at: int, *, expected: str = "", fix: str = "") -> ExpressionError:
    """The error that points at position `at` (from 1) of `text`."""
    start = max(0, at - 25)
    seen = ("…" if start else "") + text[start : at + 35] + ("…" if at + 35 < len(text) else "")
    return ExpressionError(f"{what} (at character {at})", seen=seen, expected=expected, fix=fix)
