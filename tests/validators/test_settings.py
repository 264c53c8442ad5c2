"""Profiles and thresholds: data with reasons, read with every fault told."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from cellwright.records.errors import UnreadableInput
from cellwright.validators.profiles import Span, read_profile
from cellwright.validators.thresholds import Thresholds, read_thresholds, thresholds_yaml

from .clean_task import PROFILE


def test_the_packaged_profile_is_eight_by_eight_with_families_1_4_1_2(root: Path) -> None:
    data = (root / "cellwright" / "validators" / "profiles" / "deepweb-8x8.yaml").read_bytes()
    profile = read_profile(data, "deepweb-8x8.yaml")
    assert (str(profile.entities), str(profile.dimensions)) == ("8", "8")
    assert {family: str(span) for family, span in profile.families.items()} == {
        "retrieval": "1",
        "derivation": "4",
        "calibration": "1",
        "reasoning": "2",
    }
    assert profile.domains == (
        "technology",
        "energy_materials",
        "industrials_transport",
        "consumer",
        "finance",
        "healthcare_pharma",
    )


@pytest.mark.parametrize(("count", "holds"), [(5, False), (6, True), (10, True), (11, False)])
def test_a_span_holds_its_ends(count: int, holds: bool) -> None:
    assert Span(at_least=6, at_most=10).holds(count) is holds


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("entities: 3", "entities: many", "`entities` cannot be read"),
        ("entities: 3", "entities: 9-6", "least count"),
        ("domains: [consumer]", "domain: [consumer]", "domain"),
        ("retrieval: 1", "retrieval: 9", "add up"),
        ("retrieval: 1", "recall: 1", "recall"),
    ],
)
def test_a_faulty_profile_is_told_in_a_sentence(old: str, new: str, says: str) -> None:
    with pytest.raises(UnreadableInput, match=says):
        read_profile(PROFILE.replace(old.encode(), new.encode()), "p.yaml")


def test_params_yaml_holds_every_threshold_with_its_value_and_reason(root: Path) -> None:
    text = (root / "params.yaml").read_text(encoding="utf-8")
    assert thresholds_yaml() in text
    assert read_thresholds(text.encode(), "params.yaml") == Thresholds()


def test_every_threshold_says_why() -> None:
    for name, field in Thresholds.model_fields.items():
        assert field.description, name
        assert len(field.description) > 60, name


def test_a_threshold_that_is_left_out_has_its_default() -> None:
    found = read_thresholds(b"audit:\n  closed_book_most: 0.25\nbundle: {name: x}\n", "params.yaml")
    assert found == Thresholds(closed_book_most=Decimal("0.25"))
    assert read_thresholds(b"bundle: {name: x}\n", "params.yaml") == Thresholds()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("audit:\n  closed_book_mst: 0.5\n", "did you mean `closed_book_most`"),
        ("audit:\n  closed_book_most: 5\n", "`closed_book_most` cannot be read"),
        ("audit:\n  prompt_digits: 1.5\n", "`prompt_digits` cannot be read"),
        ("audit: none\n", "one `key: value` line"),
        ("- audit\n", "one `key: value` line"),
    ],
)
def test_a_faulty_threshold_is_told_with_its_line(text: str, says: str) -> None:
    with pytest.raises(UnreadableInput, match=says):
        read_thresholds(text.encode(), "params.yaml")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("dimensions: 4", "dimensions: 4-6", "allow all counts of dimensions"),
        ("dimensions: 4", "dimensions: 2-4", "allow all counts of dimensions"),
        ("entities: 3", "entities: 0-3", "at least one of `entities`"),
        ("domains: [consumer]", "domains: [consumer, consumer]", "each once"),
        ("domains: [consumer]", "domains: []", "domains"),
        ("id: small-3x4", "id: small-4x4", "does not bear the name"),
    ],
)
def test_a_profile_that_contradicts_itself_is_refused_in_a_sentence(old: str, new: str, says: str) -> None:
    with pytest.raises(UnreadableInput, match=says) as refused:
        read_profile(PROFILE.replace(old.encode(), new.encode()), "small-3x4.yaml", name="small-3x4")
    assert len(refused.value.problems) == 1


@pytest.mark.parametrize(("rows", "columns", "holds"), [(6, 6, True), (10, 10, True), (7, 9, True), (5, 8, False)])
def test_the_other_packaged_profile_is_of_six_to_ten_a_side(root: Path, rows: int, columns: int, holds: bool) -> None:
    file = root / "cellwright" / "validators" / "profiles" / "deepweb-6-to-10.yaml"
    profile = read_profile(file.read_bytes(), file.name, name="deepweb-6-to-10")
    assert (profile.entities.holds(rows) and profile.dimensions.holds(columns)) is holds
