"""Text → tree: a Pratt parser of bounded length, depth and size.

The grammar (design, section 5), loosest first:

    comparison   a == b   !=  <  <=  >  >=      gives 1 or 0; two of them need parentheses
    sum          a + b    a - b
    product      a * b    a / b
    minus        -a                             -a ** 2 is -(a ** 2)
    power        a ** b                         to the right; the exponent may be a whole literal
    operand      0 1 2, a name, a call, (…)
    name         x  capex.land  capex.*  x[-1]  x['FY2021']  all.x  others.x  publishers.x
                 cells.d  cells.d.step  all.cells.d  others.cells.d.step
    call         if available sum mean median min max abs count share cagr rank to

There is no other literal: a constant is an assumption of the task, with its reason. Lists (`all.x`,
`others.x`, `publishers.x`, `capex.*`) stand only where a function takes them.
"""

from __future__ import annotations

import re

from cellwright.records.derivations._tokens import Token, fault, tokens
from cellwright.records.derivations._tree import (
    BINDING,
    COMPARISONS,
    MINUS_BINDING,
    SCOPES,
    Binary,
    Call,
    CellName,
    Minus,
    Name,
    Number,
    Scope,
    Tree,
    children,
    format_expression,
    is_list,
)
from cellwright.records.errors import ExpressionError, clip
from cellwright.records.suggest import did_you_mean

MAX_DEPTH = 50
MAX_NODES = 500
MAX_EXPONENT = 100
MAX_YEARS_BACK = 20
LITERALS = ("0", "1", "2")
LIST_FUNCTIONS = ("sum", "mean", "median", "min", "max", "count")
"""Functions that take any number of numbers and lists."""
ARGUMENTS = {"if": 3, "available": 1, "abs": 1, "share": 2, "cagr": 3, "rank": 2, "to": 1}
LIST_PLACES = {"share": (1,), "rank": (1,)}
"""The arguments, from 0, of other functions that may be lists."""
WORDS = {"rank": (("ascending", "descending"),), "to": (None, ("average", "closing"))}
"""The words that end a call; None stands for a currency code."""
FUNCTIONS = (*LIST_FUNCTIONS, *ARGUMENTS)
_PART = re.compile(r"[a-z0-9][a-z0-9_]*")
_HEAD = re.compile(r"[a-z][a-z0-9_]*")
_CURRENCY = re.compile(r"[A-Z]{3}")


def parse(text: str) -> Tree:
    """The tree of `text`.

    Raises ExpressionError, one sentence with the position, for what is not in the grammar above, for
    more than 2,000 characters, 50 levels or 500 parts, and for an exponent over 100.
    """
    if not text.strip():
        raise ExpressionError("the expression is empty", expected="a formula such as `revenue - cost`")
    parser = _Parser(text)
    tree = parser.expression(0, 1)
    end = parser.take()
    if end.kind != "end":
        raise fault(
            f"`{end.text}` stands where the expression should end",
            text,
            end.at,
            expected="an operator" if end.kind != "sign" else "one formula",
        )
    _check_depth(tree, text)
    _check_lists(tree, text, allowed=False)
    return tree


class _Parser:
    """One pass over the tokens of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.position = 0
        self.nodes = 0

    @property
    def next(self) -> Token:
        return self.tokens[self.position]

    def take(self) -> Token:
        token = self.tokens[self.position]
        self.position += token.kind != "end"
        return token

    def expect(self, sign: str, why: str) -> Token:
        token = self.take()
        if token.kind != "sign" or token.text != sign:
            raise fault(f"`{sign}` is missing {why}", self.text, token.at)
        return token

    def fault(self, what: str, token: Token, *, expected: str = "", fix: str = "") -> ExpressionError:
        return fault(what, self.text, token.at, expected=expected, fix=fix)

    def expression(self, least: int, depth: int) -> Tree:
        """An operand and every operator that holds tighter than `least`."""
        if depth > MAX_DEPTH:
            raise self.fault(
                f"the expression is nested more than {MAX_DEPTH} deep", self.next, fix="break it into steps"
            )
        left = self.operand(depth)
        while True:
            token = self.next
            binding = BINDING.get(token.text, 0) if token.kind == "sign" else 0
            if binding <= least:
                return left
            self.take()
            right = self.exponent(depth + 1) if token.text == "**" else self.expression(binding, depth + 1)
            left = self.count(Binary(token.text, left, right, token.at), token)
            if token.text in COMPARISONS and self.next.text in COMPARISONS:
                raise self.fault(
                    "two comparisons stand in a row", self.next, fix="compare two things at a time: (a < b) * (b < c)"
                )

    def count(self, tree: Tree, token: Token) -> Tree:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise self.fault(f"the expression has more than {MAX_NODES} parts", token, fix="break it into steps")
        return tree

    def exponent(self, depth: int) -> Tree:
        """What follows `**`: a whole literal, or an operand."""
        ahead = self.tokens[self.position : self.position + 2]
        negative = ahead[0].kind == "sign" and ahead[0].text == "-"
        number = ahead[1] if negative and len(ahead) > 1 else ahead[0]
        if number.kind != "number":
            return self.expression(BINDING["**"] - 1, depth)
        self.position += 2 if negative else 1
        if not number.text.isdigit() or len(number.text) > 7 or int(number.text) > MAX_EXPONENT:
            raise self.fault(
                f"the exponent `{number.text}` is out of bounds",
                number,
                expected=f"a whole number up to {MAX_EXPONENT}",
            )
        if self.next.text == "**":
            raise self.fault("a power of a power needs parentheses", self.next, fix="write (a ** b) ** c")
        tree = self.count(Number(int(number.text), number.at), number)
        return self.count(Minus(tree, ahead[0].at), number) if negative else tree

    def operand(self, depth: int) -> Tree:
        token = self.take()
        if token.kind == "sign" and token.text == "-":
            return self.count(Minus(self.expression(MINUS_BINDING, depth + 1), token.at), token)
        if token.kind == "sign" and token.text == "(":
            inside = self.expression(0, depth + 1)
            self.expect(")", "after a parenthesis was opened")
            return inside
        if token.kind == "number":
            return self.literal(token)
        if token.kind == "name":
            return self.call(token, depth) if self.next.text == "(" else self.name(token)
        if token.kind == "end":
            raise self.fault("the expression ends too early", token, expected="a name, 0, 1, 2 or `(`")
        fix = "leave the plus out" if token.text == "+" else ""
        raise self.fault(
            f"`{token.text}` stands where an operand should be", token, expected="a name, 0, 1, 2 or `(`", fix=fix
        )

    def literal(self, token: Token) -> Tree:
        if token.text in LITERALS:
            return self.count(Number(int(token.text), token.at), token)
        raise self.fault(
            f"the constant `{token.text[:40]}` has no name",
            token,
            expected="0, 1 or 2",
            fix="name it under `assumptions`, with its unit and the reason for it",
        )

    def call(self, token: Token, depth: int) -> Tree:
        function = token.text
        if function not in FUNCTIONS:
            raise self.fault(
                f"there is no function `{function[:60]}`",
                token,
                expected=f"one of {', '.join(sorted(FUNCTIONS))}",
                fix=did_you_mean(function, FUNCTIONS).strip(),
            )
        self.take()
        args = self.arguments(token, depth)
        words = self.words(token)
        wanted = ARGUMENTS.get(function)
        if not args or (wanted is not None and len(args) != wanted):
            shape = _shape(function)
            raise self.fault(f"`{function}` has {len(args)} argument{'s' * (len(args) != 1)}", token, expected=shape)
        if function == "available" and not _may_be_absent(args[0]):
            raise self.fault(
                "`available` asks for a name",
                token,
                expected="available(x), available(cells.d), or available(all.x) inside an aggregate",
            )
        return self.count(Call(function, args, words, token.at), token)

    def arguments(self, token: Token, depth: int) -> tuple[Tree, ...]:
        """The arguments before the words; the closing parenthesis is left."""
        args: list[Tree] = []
        wanted = ARGUMENTS.get(token.text)
        while self.next.text != ")" and not (token.text in WORDS and len(args) == wanted):
            args.append(self.expression(0, depth + 1))
            if self.next.text != ",":
                break
            self.take()
            if self.next.text == ")":
                raise self.fault("an argument is missing after the comma", self.next, expected=_shape(token.text))
        if token.text not in WORDS:
            self.expect(")", f"after the arguments of `{token.text}`")
        return tuple(args)

    def words(self, token: Token) -> tuple[str, ...]:
        found: list[str] = []
        for index, choice in enumerate(WORDS.get(token.text, ())):
            if index:
                self.expect(",", f"between the words of `{token.text}`: {_shape(token.text)}")
            word = self.take()
            fits = _CURRENCY.fullmatch(word.text) if choice is None else word.text in choice
            if word.kind != "name" or not fits:
                raise self.fault(f"`{token.text}` is not complete", word, expected=_shape(token.text))
            found.append(word.text)
        if found:
            self.expect(")", f"after the words of `{token.text}`")
        return tuple(found)

    def name(self, token: Token) -> Tree:
        parts = token.text.split(".")
        scope: Scope = ""
        if parts[0] in SCOPES:
            scope, parts = SCOPES[SCOPES.index(parts[0])], parts[1:]
        if not parts:
            raise self.fault(f"`{token.text}` needs a name after it", token, expected=f"{token.text}.revenue")
        if parts[0] == "cells" and scope != "publishers":
            return self.count(self.cell(token, parts, scope), token)
        star = parts[-1] == "*"
        parts = parts[:-1] if star else parts
        if not parts or not _HEAD.fullmatch(parts[0]) or not all(_PART.fullmatch(part) for part in parts):
            raise self.fault(
                f"`{token.text[:60]}` is not a name",
                token,
                expected="small letters, digits and _, parts joined by dots, `*` only at the end",
            )
        if star and scope == "publishers":
            raise self.fault("`publishers.` takes one name", token, fix="write publishers.x")
        shift, label = self.period()
        return self.count(Name(".".join(parts), scope, star, shift, label, token.at), token)

    def cell(self, token: Token, parts: list[str], scope: Scope) -> Tree:
        if not 2 <= len(parts) <= 3 or not all(_HEAD.fullmatch(part) for part in parts):
            raise self.fault(
                f"`{token.text[:60]}` does not name a cell",
                token,
                expected="cells.<dimension> or cells.<dimension>.<step>",
            )
        if self.next.text == "[":
            raise self.fault(
                "a cell has one period, its dimension's",
                self.next,
                fix="write the expression with x[-1], or make a dimension for that period",
            )
        return CellName(parts[1], parts[2] if len(parts) == 3 else "", scope, token.at)

    def period(self) -> tuple[int, str]:
        """What stands in square brackets after a name: years back, or a period's label or dates."""
        if self.next.text != "[":
            return 0, ""
        self.take()
        token = self.take()
        shift, label = 0, ""
        if token.kind == "text":
            label = token.text[1:-1].strip()
        elif token.text == "-" and self.next.kind == "number" and self.next.text.isdigit():
            shift = -int(self.take().text[:6])
        if not label and not -MAX_YEARS_BACK <= shift <= -1:
            raise self.fault(
                "the period in brackets cannot be read",
                token,
                expected="x[-1] for the period one year earlier, or x['FY2021']",
            )
        self.expect("]", "after the period")
        return shift, label


def _shape(function: str) -> str:
    shapes = {
        "if": "if(condition, then, else)",
        "abs": "abs(x)",
        "share": "share(x, all.x)",
        "cagr": "cagr(first, last, years)",
        "rank": "rank(x, all.x, descending) or ascending",
        "to": "to(x, EUR, average) or closing",
        "available": "available(x)",
    }
    return shapes.get(function, f"{function}(x, y, …) or {function}(all.x)")


def _may_be_absent(tree: Tree) -> bool:
    return (
        isinstance(tree, Name | CellName)
        and tree.scope != "publishers"
        and not (isinstance(tree, Name) and tree.star and bool(tree.scope))
    )


def _check_depth(tree: Tree, text: str) -> None:
    """A long chain `a + b + …` is as deep a tree as nested parentheses are."""
    level = [tree]
    for _ in range(MAX_DEPTH):
        level = [child for node in level for child in children(node)]
        if not level:
            return
    raise fault(
        f"the expression is nested more than {MAX_DEPTH} deep",
        text,
        level[0].at,
        fix="break it into steps, or use sum(…)",
    )


def _check_lists(tree: Tree, text: str, *, allowed: bool) -> None:
    """Every list stands where a function takes one, and rank and share have one."""
    if is_list(tree) and not allowed:
        raise fault(
            f"`{clip(format_expression(tree), 60)}` stands for several numbers",
            text,
            tree.at,
            expected=f"it inside {', '.join(LIST_FUNCTIONS)}, or as the second argument of share or rank",
        )
    places = LIST_PLACES.get(tree.function, ()) if isinstance(tree, Call) else ()
    for index, child in enumerate(children(tree)):
        passes = isinstance(tree, Call) and (
            tree.function in LIST_FUNCTIONS
            or tree.function == "available"
            or index in places
            or (tree.function == "to" and allowed)
        )
        _check_lists(child, text, allowed=passes)
    for index in places:
        if isinstance(tree, Call) and not is_list(tree.args[index]):
            raise fault(
                f"the second argument of `{tree.function}` is one number",
                text,
                tree.args[index].at,
                expected=_shape(tree.function),
            )
