"""Labels: what the witnesses of a cell say."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.records.repository_rows import RegistryRow
from cellwright.validators.agreement import InputWitnesses, OtherAnswer, Verdict, agreement, apart, overlap
from cellwright.validators.owners import Owners

from .clean_task import Parts, clean

ONE = InputWitnesses("f1", frozenset({"issuer"}))
TWO = InputWitnesses("f2", frozenset({"issuer", "office"}))
FITS = OtherAnswer("w", "f1", Decimal(1), within=True, apart=False)
DIFFERS = OtherAnswer("w", "f1", Decimal(2), within=False, apart=True)
TOUCHES = OtherAnswer("w", "f1", Decimal(2), within=False, apart=False)


@pytest.mark.parametrize(
    ("inputs", "others", "stated_by", "label"),
    [
        ([TWO, TWO], [], "", "consistent"),
        ([TWO, TWO], [FITS], "", "consistent"),
        ([TWO, ONE], [], "", "single"),
        ([ONE], [FITS], "", "single"),
        ([ONE], [], "stated", "consistent"),
        ([TWO], [DIFFERS], "", "divergent"),
        ([ONE], [DIFFERS], "stated", "divergent"),
        ([ONE], [TOUCHES], "", "single"),
        ([], [], "", "single"),
    ],
)
def test_the_label_follows_from_owners_and_other_answers(
    inputs: list[InputWitnesses], others: list[OtherAnswer], stated_by: str, label: str
) -> None:
    assert agreement(inputs, others, stated_by).label == label


def test_the_verdict_says_how_many_inputs_are_corroborated_and_what_makes_the_difference() -> None:
    assert agreement([TWO, ONE], [DIFFERS]).says() == "corroborated 1 of 2; `w` gives another answer"
    assert agreement([TWO, ONE], []).says() == "corroborated 1 of 2; only one owner tells `f1`"
    assert agreement([ONE], [], "s").says() == "corroborated 0 of 1; `s` states the answer"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [((1, 2), (3, 4), True), ((3, 4), (1, 2), True), ((1, 2), (2, 3), False), ((1, 5), (2, 3), False)],
)
def test_intervals_that_share_a_point_are_not_apart(
    one: tuple[int, int], other: tuple[int, int], expected: bool
) -> None:
    assert apart(_decimals(one), _decimals(other)) is expected


@given(st.integers(-50, 50), st.integers(0, 20), st.integers(-50, 50), st.integers(0, 20))
def test_overlap_is_symmetric_and_between_0_and_1(a: int, width: int, b: int, other_width: int) -> None:
    one, other = _decimals((a, a + width)), _decimals((b, b + other_width))
    assert overlap(one, other) == overlap(other, one)
    assert 0 <= overlap(one, other) <= 1
    assert overlap(one, one) == 1


def _decimals(ends: tuple[int, int]) -> tuple[Decimal, Decimal]:
    return Decimal(ends[0]), Decimal(ends[1])


def _verdict(parts: Parts, entity: str, dimension: str) -> Verdict:
    return parts.context().answers.verdicts[entity, dimension]


def test_two_owners_of_every_input_make_a_cell_consistent() -> None:
    found = _verdict(clean(), "alfa", "total_revenue")
    assert (found.label, found.corroborated, found.inputs) == ("consistent", 1, 1)


def test_two_publishers_of_one_owner_are_one_witness() -> None:
    parts = clean()
    parts.owners = [
        RegistryRow(publisher="Office of Statistics", owner="Alfa Brewing"),
        RegistryRow(publisher="ALFA  Brewing", owner="Alfa Brewing"),
    ]
    assert _verdict(parts, "alfa", "total_revenue").label == "single"
    assert _verdict(parts, "beta", "total_revenue").label == "consistent"


_AGGREGATOR = RegistryRow(publisher="Office of Statistics", note="aggregator: repeats what companies report")


def test_an_aggregator_that_repeats_a_figure_is_no_second_witness() -> None:
    parts = clean()
    parts.owners = [_AGGREGATOR]
    assert _verdict(parts, "beta", "total_revenue").label == "single"


def test_an_aggregator_is_known_by_its_address_too() -> None:
    parts = clean()
    parts.row("sources", id="statistics").update(publisher="Beer in Numbers", url="https://data.beer.example/2023")
    parts.owners = [RegistryRow(publisher="Beer Data", domain="beer.example", note="aggregator: repeats")]
    assert _verdict(parts, "beta", "total_revenue").label == "single"


@pytest.mark.parametrize("basis", ["estimated", "adjusted"])
def test_an_aggregator_s_own_figure_is_a_second_witness(basis: str) -> None:
    parts = clean()
    parts.owners = [_AGGREGATOR]
    parts.fact("beta.revenue.fy2023.statistics")["basis"] = basis
    assert _verdict(parts, "beta", "total_revenue").label == "consistent"


def test_the_filing_is_a_second_witness_to_nobody_where_the_primary_repeats_it() -> None:
    parts = clean()
    parts.row("sources", id="beta-report")["publisher"] = "Beer Data"
    parts.owners = [RegistryRow(publisher="Beer Data", note="aggregator: repeats what companies report")]
    found = _verdict(parts, "beta", "total_revenue")
    assert (found.label, found.corroborated) == ("single", 0)


@pytest.mark.parametrize("change", [{"unit": "USD"}, {"value": "", "as_written": ""}])
def test_a_witness_that_cannot_stand_in_the_primarys_place_corroborates_nothing(change: dict[str, str]) -> None:
    parts = clean()
    parts.fact("beta.revenue.fy2023.statistics").update(change)
    assert _verdict(parts, "beta", "total_revenue").label == "single"


def test_a_later_vintage_of_the_same_owner_corroborates_nothing() -> None:
    parts = clean()
    parts.add_fact("231", entity="alfa", name="research", source="alfa-restated", label="Research, again")
    found = _verdict(parts, "alfa", "research_share")
    assert (found.label, found.corroborated) == ("single", 1)


def test_a_later_vintage_of_the_same_owner_can_diverge() -> None:
    found = _verdict(clean(), "alfa", "gross_margin")
    assert found.label == "divergent"
    assert [(other.fact, other.replaces) for other in found.diverging] == [
        ("alfa.cost.fy2023.alfa_restated", "alfa.cost.fy2023")
    ]


def test_a_witness_within_full_does_not_diverge() -> None:
    parts = clean()
    parts.fact("beta.revenue.fy2023.statistics").update(as_written="6,121", value="6121000000", quote="Beta 6,121")
    parts.print_captures()
    assert _verdict(parts, "beta", "total_revenue").label == "consistent"


def test_a_witness_outside_full_whose_interval_touches_does_not_diverge() -> None:
    parts = clean()
    parts.say("scoring: {full: 0.5%}", "scoring: {full: 0.001%}")
    parts.fact("beta.revenue.fy2023.statistics").update(
        as_written="6.1", scale="9", value="6100000000", quote="Beta 6.1"
    )
    parts.print_captures()
    assert _verdict(parts, "beta", "total_revenue").label == "consistent"


def test_a_range_diverges_by_its_overlap() -> None:
    assert _verdict(clean(), "alfa", "stressed_profit").label == "divergent"
    loose = clean()
    loose.say("scoring: {overlap: 0.5}", "scoring: {overlap: 0.3}")
    assert _verdict(loose, "alfa", "stressed_profit").label == "single"


def _state(parts: Parts, source: str, figure: str) -> None:
    parts.add_fact(
        figure,
        entity="beta",
        name="research_share",
        source=source,
        label="Research in percent",
        rank="primary",
        value=figure,
        scale="0",
        unit="percent",
        id="beta.research_share.stated",
    )


def test_another_owner_that_states_the_answer_makes_a_cell_consistent() -> None:
    parts = clean()
    _state(parts, "gama-report", "1.6")
    found = _verdict(parts, "beta", "research_share")
    assert (found.label, found.stated_by) == ("consistent", "beta.research_share.stated")


def test_the_issuer_that_states_its_own_answer_corroborates_nothing() -> None:
    parts = clean()
    _state(parts, "beta-report", "1.6")
    assert _verdict(parts, "beta", "research_share").label == "single"


def test_a_stated_answer_that_does_not_fit_diverges_and_is_a_near_miss() -> None:
    parts = clean()
    _state(parts, "gama-report", "2.4")
    assert _verdict(parts, "beta", "research_share").label == "divergent"
    misses = parts.context().answers.witness_near_misses
    assert "witness_beta_research_share_stated" in {miss.id for miss in misses}


def test_a_cell_that_is_not_available_has_no_verdict() -> None:
    assert ("gama", "research_share") not in clean().context().answers.verdicts


@pytest.mark.parametrize(
    ("publisher", "owner"), [("Alfa", "Alfa Group"), (" alfa ", "Alfa Group"), ("Beta", "Beta"), ("Gama", "Gama")]
)
def test_an_unknown_publisher_owns_itself(publisher: str, owner: str) -> None:
    owners = Owners([RegistryRow(publisher="ALFA", owner="Alfa Group"), RegistryRow(publisher="Beta")])
    assert owners.owner(publisher) == owner


def test_one_publisher_is_one_owner_however_it_is_spelt_unless_the_registry_tells_two_apart() -> None:
    assert Owners().same("Acme Inc.", "ACME, Inc")
    told = Owners(
        [
            RegistryRow(publisher="Acme Inc.", owner="Acme of America"),
            RegistryRow(publisher="Acme Ltd", owner="Acme of Britain"),
        ]
    )
    assert not told.same("Acme Inc.", "Acme Ltd")
    assert told.same("Acme Ltd", "Acme of Britain Ltd")


def test_an_alias_of_an_entity_is_its_owner_s_name() -> None:
    owners = Owners([RegistryRow(publisher="Alphabet Inc.", owner="Alphabet")]).of_task([("Alphabet Inc.", "Google")])
    assert owners.same("Google", "Alphabet Inc.")
    assert not owners.same("Google", "Apple Inc.")
