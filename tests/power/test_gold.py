"""Published gold derivations: each whose own arithmetic does not give its own answer is named, and no other.

The development set of TAT-HQA that lies beside the project holds questions without derivations: nothing to replay.
FinQA's programs over whole rows of a table are replayed in tests/records/test_finqa.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.power.gold import Gold, conv_finqa, finqa, jfinqa, tat_qa, unanswered

Reader = Callable[[Path], Iterator[Gold]]
WRONG_IN_TAT_QA = [
    "c36e2211-e46a-43d1-a0a8-ae87af347ae8: -114 - (71) given as -43",
    "68107102-0fdc-4e64-850f-8eda6bcc892a: 3 + (13) + 26 given as 16",
]


@pytest.mark.parametrize(
    ("reader", "count", "wrong"),
    [(tat_qa, 718, WRONG_IN_TAT_QA), (conv_finqa, 341, []), (finqa, 186, []), (jfinqa, 743, [])],
)
def test_gold_that_its_own_arithmetic_does_not_give_is_named(
    shared_data: Path, reader: Reader, count: int, wrong: list[str]
) -> None:
    assert unanswered(reader(shared_data / "qa_derivations")) == (count, wrong)


@pytest.mark.parametrize(
    ("steps", "answer", "scale", "right"),
    [
        ((("answer", "(36 + 8)/2"),), "22", "percent", True),
        ((("answer", "(36 + 8)/3"),), "22", "percent", False),
        ((("answer", "126 / 67 - 1"),), "88.06", "percent", True),
        ((("answer", "67 / 126 - 1"),), "88.06", "percent", False),
        ((("answer", "60.3 million + 32,137 thousand"),), "92437", "thousand", True),
        ((("x0", "60.94 - 25.14"), ("ans", "x0 / 25.14")), "1.42403", "", True),
        ((("x0", "60.94 - 25.14"), ("ans", "x0 / 60.94")), "1.42403", "", False),
    ],
)
def test_a_derivation_gives_its_answer_to_the_digits_that_the_answer_has(
    steps: tuple[tuple[str, str], ...], answer: str, scale: str, right: bool
) -> None:
    assert Gold("one", steps, answer, scale).gives_its_answer() is right


@pytest.mark.parametrize(
    ("ends", "answer", "right"), [("greater", "no", True), ("greater", "yes", False), ("eq", "no", True)]
)
def test_an_answer_of_yes_or_no_follows_from_the_sign(ends: str, answer: str, right: bool) -> None:
    gold = Gold("one", (("s0", "5 - 8"),), answer, ends=ends)
    assert gold.gives_its_answer() is right
    assert replace(gold, answer="増収").gives_its_answer() is False
