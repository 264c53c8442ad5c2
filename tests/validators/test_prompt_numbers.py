"""Numbers in a prompt that tell an answer."""

from __future__ import annotations

import pytest

from .clean_task import clean

ASK = "ask: Revenue of the fiscal year as first reported."


@pytest.mark.parametrize("words", ["EUR 6,120 million", "6,120,000,000", "6.12 billion", "EUR 6.120 bn"])
def test_an_answer_in_the_question_is_told(words: str) -> None:
    parts = clean()
    parts.say(ASK, f'ask: "Revenue of the fiscal year, say {words}, as first reported."')
    found = parts.findings("C5-PROMPT-TELLS")
    assert [(item.record, item.fields) for item in found] == [("beta/total_revenue", ("ask",))]


@pytest.mark.parametrize("words", ["EUR 6,421 million", "2023", "25", "FY2023", "6,120 units"])
def test_another_number_a_year_or_a_short_number_tells_nothing(words: str) -> None:
    parts = clean()
    parts.say(ASK, f'ask: "Revenue of the fiscal year, say {words}, as first reported."')
    assert parts.findings("C5-PROMPT-TELLS") == []


def test_a_percentage_rounded_as_the_question_asks_is_told_with_the_cell_it_answers() -> None:
    parts = clean()
    parts.say("question: How did three breweries fare in", "question: Margins were about 25.0%. How did they fare in")
    assert [item.observed for item in parts.findings("C5-PROMPT-TELLS")] == [
        "`25.0%` is the answer of beta/gross_margin"
    ]


def test_an_assumption_that_is_the_answer_is_told() -> None:
    parts = clean()
    parts.say("value: 10, unit: percent", "value: 35.3, unit: percent")
    assert [item.record for item in parts.findings("C5-PROMPT-TELLS")] == ["fall"]
