"""The language of derivations: what it reads, how it writes it down, and what it refuses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.records.derivations import format_expression, parse
from cellwright.records.derivations._tree import Binary, Call, CellName, Minus, Name, Number, Tree
from cellwright.records.errors import ExpressionError

NAMES = st.sampled_from(["x", "revenue", "capex.land", "a_1", "revenue.2023", "sum", "share"])
LABELS = st.sampled_from(["FY2021", "2023-01-01/2023-12-31", "Q3 2020"])
ONE_NAME = st.one_of(
    st.builds(Name, NAMES),
    st.builds(Name, NAMES, shift=st.integers(-9, -1)),
    st.builds(Name, NAMES, label=LABELS),
    st.builds(CellName, st.just("margin"), st.sampled_from(["", "step"])),
)
LISTS = st.one_of(
    st.builds(Name, NAMES, st.sampled_from(["all", "others", "publishers"])),
    st.builds(Name, NAMES, st.just("all"), shift=st.just(-1)),
    st.builds(Name, NAMES, st.sampled_from(["", "all"]), st.just(True)),
    st.builds(CellName, st.just("margin"), st.sampled_from(["", "step"]), st.sampled_from(["all", "others"])),
    st.builds(lambda scope: Call("available", (Name("x", scope),)), st.sampled_from(["all", "others"])),
    st.builds(lambda word: Call("to", (Name("x", "all"),), ("EUR", word)), st.sampled_from(["average", "closing"])),
)
OPERATORS = st.sampled_from(["+", "-", "*", "/", "==", "!=", "<", "<=", ">", ">="])


def _bigger(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    exponents = st.one_of(
        st.builds(Number, st.integers(0, 100)), st.builds(lambda n: Minus(Number(n)), st.integers(0, 100)), inner
    )
    return st.one_of(
        st.builds(Binary, OPERATORS, inner, inner),
        st.builds(Binary, st.just("**"), inner, exponents),
        st.builds(Minus, inner),
        st.builds(lambda a, b, c: Call("if", (a, b, c)), inner, inner, inner),
        st.builds(
            lambda f, a: Call(f, tuple(a)),
            st.sampled_from(["sum", "mean", "median", "min", "max", "count"]),
            st.lists(st.one_of(inner, LISTS), min_size=1, max_size=3),
        ),
        st.builds(
            lambda a, b, w: Call("rank", (a, b), (w,)), inner, LISTS, st.sampled_from(["ascending", "descending"])
        ),
        st.builds(lambda a, b: Call("share", (a, b)), inner, LISTS),
        st.builds(lambda a, b, c: Call("cagr", (a, b, c)), inner, inner, inner),
        st.builds(lambda a: Call("abs", (a,)), inner),
        st.builds(lambda a: Call("available", (a,)), ONE_NAME),
        st.builds(lambda a: Call("to", (a,), ("EUR", "closing")), inner),
    )


TREES = st.recursive(st.one_of(ONE_NAME, st.builds(Number, st.integers(0, 2))), _bigger, max_leaves=12)


@given(TREES)
def test_an_expression_written_down_reads_back_as_the_same_tree(tree: Tree) -> None:
    assert parse(format_expression(tree)) == tree


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a+b*c", "a + b * c"),
        ("(a+b)*c", "(a + b) * c"),
        ("a-(b-c)", "a - (b - c)"),
        ("(a-b)-c", "a - b - c"),
        ("-a**2", "-a ** 2"),
        ("(-a)**2", "(-a) ** 2"),
        ("a**-1", "a ** -1"),
        ("a ** b ** c", "a ** b ** c"),
        ("(a**b)**c", "(a ** b) ** c"),
        ("a/b/c", "a / b / c"),
        ("x [ -1 ]", "x[-1]"),
        ('x["FY2021"]', "x['FY2021']"),
        ("sum( capex.* , 1 )", "sum(capex.*, 1)"),
        ("rank(x,all.x,descending)", "rank(x, all.x, descending)"),
        ("to(x,EUR,average)", "to(x, EUR, average)"),
        ("(a > b) * (c > d)", "(a > b) * (c > d)"),
    ],
)
def test_an_expression_is_written_with_as_few_parentheses_as_it_needs(text: str, written: str) -> None:
    assert format_expression(parse(text)) == written


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty"),
        ("   ", "is empty"),
        ("a +", "ends too early"),
        ("a b", "`b` stands where the expression should end"),
        ("(a", r"`\)` is missing"),
        ("a)", "stands where the expression should end"),
        ("+a", "leave the plus out"),
        ("a < b < c", "two comparisons stand in a row"),
        ("a = b", "`==`"),
        ("a ^ 2", r"`\*\*`"),
        ("a × b", r"`\*`"),
        ("x * 20%", "a percentage is a fact or an assumption"),
        ("a * 100", "the constant `100` has no name.*assumptions"),
        ("a * 0.5", "the constant `0.5` has no name"),
        ("1e3", "the constant `1e3` has no name"),
        ("1,000", "stands where the expression should end"),
        ("max(1,000)", "the constant `000`"),
        ("a ** 101", "the exponent `101` is out of bounds"),
        ("2**9999999", "the exponent `9999999` is out of bounds"),
        ("2 ** -9999999", "out of bounds"),
        ("2 ** 2 ** 2", "parentheses"),
        ("a ** 0.5", "whole number up to 100"),
        ("__import__('os')", "no function `__import__`"),
        ("open(x)", "no function `open`"),
        ("avg(x, y)", "no function `avg`"),
        ("medan(x, y)", "did you mean `median`"),
        ("x.__class__", "is not a name"),
        ("x.y()", "no function `x.y`"),
        ("lambda: 0", "no meaning"),
        ("x[0]", "the period in brackets cannot be read"),
        ("x[1]", "the period in brackets cannot be read"),
        ("x[-99]", "the period in brackets cannot be read"),
        ("x['']", "the period in brackets cannot be read"),
        ("x[-1", r"`\]` is missing"),
        ("x['FY2021", "two quotes"),
        ("Revenue", "is not a name"),
        ("capex.*.land", "is not a name"),
        ("*.land", "a dot stands inside a name only"),
        ("cells", "does not name a cell"),
        ("cells.a.b.c", "does not name a cell"),
        ("cells.a[-1]", "a cell has one period"),
        ("all", "needs a name after it"),
        ("all.x", "stands for several numbers"),
        ("capex.* + 1", "stands for several numbers"),
        ("sum(all.x + 1)", "stands for several numbers"),
        ("abs(all.x)", "stands for several numbers"),
        ("available(all.x)", "stands for several numbers"),
        ("available(publishers.x)", "asks for a name"),
        ("available(x + 1)", "asks for a name"),
        ("rank(x, y, descending)", "the second argument of `rank` is one number"),
        ("share(x, y)", "the second argument of `share` is one number"),
        ("rank(x, all.x)", "is missing|is not complete"),
        ("rank(x, all.x, upwards)", "rank.*is not complete"),
        ("to(x, euro, average)", "to.*is not complete"),
        ("to(x, EUR, yesterday)", "to.*is not complete"),
        ("if(a, b)", "`if` has 2 arguments"),
        ("sum()", "`sum` has 0 arguments"),
        ("sum(a,)", "missing after the comma"),
        ("cagr(a, b)", "`cagr` has 2 arguments"),
        ("a\x00b", r"the character `U\+0000` has no meaning"),
        ("a\u202eb", r"the character `U\+202E` has no meaning"),
        ("sum(all.x)\n+ all.x\n", r"`all\.x` stands for several numbers"),
        ("x['FY\x1b2021']", "two quotes"),
        ("a; b", "no meaning"),
        ("x == 'text'", "stands where an operand should be"),
    ],
)
def test_what_is_not_in_the_language_is_refused_in_one_sentence(text: str, says: str) -> None:
    with pytest.raises(ExpressionError, match=says) as caught:
        parse(text)
    assert len(caught.value.problems) == 1
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    "text",
    [
        "(" * 60 + "a" + ")" * 60,
        "-" * 60 + "a",
        " + ".join(["a"] * 60),
        "a ** " * 60 + "a",
        "sum(" * 60 + "a" + ")" * 60,
    ],
)
def test_an_expression_nested_more_than_fifty_deep_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError, match="nested more than 50 deep"):
        parse(text)


def test_fifty_levels_are_not_too_many() -> None:
    assert parse("(" * 48 + "a" + ")" * 48) == Name("a")
    assert format_expression(parse(" + ".join(["a"] * 50))) == " + ".join(["a"] * 50)


def test_an_expression_with_more_than_five_hundred_parts_is_refused() -> None:
    with pytest.raises(ExpressionError, match="more than 500 parts"):
        parse(f"sum({','.join('a' * 600)})")


def test_an_expression_of_ten_megabytes_is_refused_before_it_is_read() -> None:
    text = "a+" * 5_000_000
    with pytest.raises(ExpressionError, match="too long") as caught:
        parse(text)
    assert len(str(caught.value)) < 300


def test_a_message_points_at_the_character() -> None:
    with pytest.raises(ExpressionError, match=r"the constant `7` has no name \(at character 11\); seen 'revenue \* 7'"):
        parse("revenue * 7")
