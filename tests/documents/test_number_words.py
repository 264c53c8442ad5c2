"""Small numbers in words: what spells a number and what only looks like one."""

from __future__ import annotations

from decimal import Decimal

import pytest

from cellwright.documents.number_words import find_words, read_words

SPELLED = {
    "two": 2,
    "No": 0,
    "none": 0,
    "nineteen": 19,
    "twenty-five": 25,
    "one hundred": 100,
    "one hundred and two": 102,
    "three hundred forty": 340,
    "two thousand five": 2005,
    "one million two hundred thousand": 1_200_000,
}
NOT_SPELLED = ("", "not", "and", "two two", "hundred", "twenty thirty", "thousand million", "no two", "one " * 200)


@pytest.mark.parametrize(("text", "number"), SPELLED.items())
def test_words_that_spell_a_number_are_read(text: str, number: int) -> None:
    assert read_words(text) == Decimal(number)


@pytest.mark.parametrize("text", NOT_SPELLED)
def test_words_that_spell_none_are_refused(text: str) -> None:
    assert read_words(text) is None


def test_numbers_are_found_as_whole_words_alone() -> None:
    sentence = "We have two segments, one-sided losses and did not restate; someone counted thirty-one."
    assert [(sentence[start:stop], int(value)) for start, stop, value in find_words(sentence)] == [
        ("two", 2),
        ("thirty-one", 31),
    ]
