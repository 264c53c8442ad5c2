"""Names that only look different are one name, and names that differ stay two."""

from __future__ import annotations

import pytest

from cellwright.records.names import company_key, hidden_characters, mixed_words, person_keys


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Acme Inc.", "ACME, Inc"),
        ("The Home Depot, Inc.", "Home Depot"),
        ("Siemens AG", "SIEMENS"),
        ("Nestlé S.A.", "Nestle SA"),
        ("Acme\u200b Ltd", "Acme Limited"),
        ("\u0410cme", "Acme"),
        ("Marks & Spencer plc", "Marks and Spencer"),
    ],
)
def test_one_company_spelt_twice_has_one_key(one: str, other: str) -> None:
    assert company_key(one) == company_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Alfa Brewing", "Alfa Malting"), ("Co-op", "Op"), ("AG", "SE"), ("Яндекс", "Янтарь"), ("3M", "M")],
)
def test_two_companies_have_two_keys(one: str, other: str) -> None:
    assert company_key(one) != company_key(other)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("ana", "Ana.", True),
        ("ana", "\u00e1na", True),
        ("ana", "\u0430na", True),
        ("ana", "ana@example.org", True),
        ("ana", "ben, ana", True),
        ("ana lee", "ana_lee@example.org", True),
        ("ana", "anna", False),
        ("ana", "", False),
        ("ana lee", "lee", False),
        ("ана", "ben", False),
    ],
)
def test_people_are_told_apart(one: str, other: str, same: bool) -> None:
    assert bool(person_keys(one) & person_keys(other)) is same


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Acme\u200b", ["U+200B"]),
        ("\u202eAcme", ["U+202E"]),
        ("Ac\u00adme", ["U+00AD"]),
        ("Acme\u200d Ltd", ["U+200D"]),
        ("Acme — «fairly», 5 °C", []),
        ("می\u200cخواهم", []),
        ("\u200fשלום Acme", []),
        ("no\u00a0break", []),
    ],
)
def test_hidden_characters_are_named(text: str, found: list[str]) -> None:
    assert hidden_characters(text) == found


@pytest.mark.parametrize(
    ("text", "words"),
    [("\u0410pple", ["\u0410pple"]), ("Яндекс and Apple", []), ("ΔT, µg, CO₂", []), ("Ωmega", []), ("plain", [])],
)
def test_words_of_two_scripts_are_named(text: str, words: list[str]) -> None:
    assert mixed_words(text) == words
