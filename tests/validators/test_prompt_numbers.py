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


TELLING = [
    ("a share such as 0.7500 of it", "beta/gross_margin", False),
    ("a fraction such as 0.250", "beta/gross_margin", True),
    ("some 2,500 bp", "beta/gross_margin", True),
    ("some 250 permille", "beta/gross_margin", True),
    ("EUR 8,412 of something", "alfa/total_revenue", True),
    ("EUR 8 412 of something", "alfa/total_revenue", True),
    ("8.412,0 of something", "alfa/total_revenue", True),
    ("in EUR millions, as in 6,120", "beta/total_revenue", True),
    ("in thousands, as in 6,120,000", "beta/total_revenue", True),
    ("8.41 billion", "alfa/total_revenue", True),
    ("8,413 employees", "alfa/total_revenue", False),
    ("8,412%", "alfa/total_revenue", False),
    ("10 of 12 cells", "beta/total_revenue", False),
]


@pytest.mark.parametrize(("words", "cell", "tells"), TELLING)
def test_an_answer_is_known_again_in_other_clothes(words: str, cell: str, tells: bool) -> None:
    parts = clean()
    parts.say("question: How did three", f'question: "{words}. How did three')
    parts.say("fiscal year 2023?", 'fiscal year 2023?"')
    found = [item.observed for item in parts.findings("C5-PROMPT-TELLS")]
    assert any(cell in item for item in found) is tells, found


def test_an_assumption_near_an_answer_is_a_legitimate_number() -> None:
    parts = clean()
    parts.say("scoring: {full: 0.5%}", "scoring: {full: 5%}")
    parts.say("value: 10, unit: percent", "value: 6000000000, unit: EUR")
    assert [item for item in parts.findings("C5-PROMPT-TELLS") if item.record == "fall"] == []


def test_an_assumption_for_one_entity_tells_nothing_of_another() -> None:
    parts = clean()
    parts.say("value: 10, unit: percent", "values: {alfa: 35.3, beta: 11, gama: 12}, unit: percent")
    assert parts.findings("C5-PROMPT-TELLS") == []
    parts = clean()
    parts.say("value: 10, unit: percent", "values: {alfa: 11, beta: 12, gama: 35.3}, unit: percent")
    assert len(parts.findings("C5-PROMPT-TELLS")) == 1


@pytest.mark.parametrize(
    "words",
    [
        "as the Annual Report of Alfa for 2023 says",
        "look at breweries.org",
        "look at BREWERIES.ORG/statistics.html",
        "see www.example.com",
        "take the alfa-report",
        "from a T2 source",
    ],
)
def test_what_names_a_source_is_told(words: str) -> None:
    parts = clean()
    parts.row("sources", id="alfa-report")["title"] = "Annual report of Alfa for 2023"
    parts.say("ask: Revenue of the fiscal year", f"ask: Revenue, {words}, of the fiscal year")
    parts.print_captures()
    assert len(parts.findings("C5-PROMPT-SOURCE")) == 1


@pytest.mark.parametrize("words", ["as its annual report says", "by Tier 1 capital", "of Alfa Brewing", "org"])
def test_what_names_no_source_is_not_told(words: str) -> None:
    parts = clean()
    parts.row("sources", id="alfa-report")["title"] = "Annual report of Alfa for 2023"
    parts.say("ask: Revenue of the fiscal year", f"ask: Revenue, {words}, of the fiscal year")
    parts.print_captures()
    assert parts.findings("C5-PROMPT-SOURCE") == []


@pytest.mark.parametrize(("words", "count"), [("not the 33.3% of cost", 1), ("it is 33% above", 1), ("33 of them", 0)])
def test_a_near_miss_in_the_question_is_told(words: str, count: int) -> None:
    parts = clean()
    parts.say("question: How did three", f'question: "{words}. How did three')
    parts.say("fiscal year 2023?", 'fiscal year 2023?"')
    found = [item for item in parts.findings("C5-PROMPT-NEAR-MISS") if "beta" in item.observed]
    assert len(found) == count
