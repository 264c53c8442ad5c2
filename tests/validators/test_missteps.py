"""Computed near misses in the audit: beside the curator's, told where a tighter tolerance would do, else silent."""

from __future__ import annotations

from cellwright.records.findings import Finding
from cellwright.validators.near_misses import CellNearMiss

from .clean_task import Parts, clean

BLOG = {"entity": "alfa", "name": "revenue", "source": "statistics", "label": "Alfa, a blog"}
PRIOR_YEAR = '{id: prior_year, expr: "revenue[-1]", why: wrong period}'


def _of(parts: Parts, entity: str, dimension: str) -> dict[str, CellNearMiss]:
    return {miss.id: miss for miss in parts.context().answers.missteps((entity, dimension))}


def _told(parts: Parts) -> list[Finding]:
    return parts.findings("C5-MISSTEP-PAYS")


def _wide(parts: Parts, full: str) -> Parts:
    parts.say("scoring: {full: 0.5%}", f"scoring: {{full: {full}}}")
    return parts


def _trap(figure: str, rank: str = "trap") -> Parts:
    parts = clean()
    parts.add_fact(
        figure, entity="alfa", name="revenue", source="statistics", label="Alfa, a blog", rank=rank, id="alfa.other"
    )
    return parts


def test_the_curator_s_near_miss_wins_over_a_computed_one_of_the_same_value() -> None:
    parts = clean()
    assert "computed_wrong_period" not in _of(parts, "alfa", "total_revenue")
    parts.say(PRIOR_YEAR, "{id: twice, expr: revenue * 2, why: twice}")
    assert _of(parts, "alfa", "total_revenue")["computed_wrong_period"].value == 7_905_000_000


def test_a_curator_s_near_miss_bears_the_name_of_the_misstep_that_gives_the_same() -> None:
    answers = clean().context().answers
    named = {miss.id: (miss.origin, miss.misstep) for miss in answers.named_near_misses(("alfa", "total_revenue"))}
    assert named == {"prior_year": ("curated", "wrong_period")}


def test_the_other_answer_of_a_divergent_cell_is_the_witness_s_and_not_computed_again() -> None:
    answers = clean().context().answers
    named = {miss.id: miss.origin for miss in answers.named_near_misses(("alfa", "gross_margin"))}
    assert named["witness_alfa_cost_fy2023_alfa_restated"] == "witness"
    assert "witness_for_primary" not in {miss.misstep for miss in answers.missteps(("alfa", "gross_margin"))}


def test_a_trap_within_the_tolerance_is_told_with_one_that_would_do() -> None:
    parts = _trap("8,440")  # 0.33 % above 8,412
    told = _told(parts)
    assert [item.record for item in told] == ["alfa/total_revenue"]
    assert "computed_trap_for_primary_alfa_other" in told[0].observed
    assert told[0].fix == "`full: 0.1%` would do"
    parts.say("scoring: {full: 0.5%}", "scoring: {full: 0.1%}")
    assert not _told(parts)
    assert parts.audit().admitted


def test_a_trap_beyond_the_tolerance_or_nearer_than_any_sensible_one_is_not_told() -> None:
    assert not _told(_trap("8,600"))
    assert not _told(_trap("8,415"))


def test_a_witness_within_the_tolerance_agrees_and_is_not_told() -> None:
    parts = _trap("8,440", rank="witness")
    assert "computed_witness_for_primary_alfa_other" in _of(parts, "alfa", "total_revenue")
    assert not _told(parts)


def test_a_year_that_was_as_good_as_this_one_is_no_fault() -> None:
    parts = _wide(clean(), "4%")
    parts.say(PRIOR_YEAR, "{id: twice, expr: revenue * 2, why: twice}")
    row = parts.fact("alfa.revenue.fy2022")
    row.update(as_written="8,412", value="8412000000", quote="Revenue of the year before 8,412")
    parts.print_captures()
    assert not _told(parts)


def test_other_entities_and_figures_that_meet_the_answer_by_chance_are_recorded_and_not_told() -> None:
    parts = _wide(clean(), "4%")
    parts.fact("beta.revenue.fy2023").update(as_written="8,300", value="8300000000", quote="Revenue of the year 8,300")
    parts.print_captures()
    assert "computed_other_entity_beta" in _of(parts, "alfa", "total_revenue")
    assert not any("other_entity" in item.observed for item in _told(parts))


def test_several_missteps_of_a_dimension_are_one_finding() -> None:
    parts = _trap("8,440")
    parts.add_fact(
        "8,450",
        entity="alfa",
        name="revenue",
        source="statistics",
        label="Alfa, a blog twice",
        rank="context",
        id="alfa.third",
    )
    told = _told(parts)
    assert len(told) == 1
    assert "(and 1 more)" in told[0].observed


def test_a_misstep_of_a_range_is_told_only_where_less_than_a_half_is_asked_for() -> None:
    parts = clean()
    parts.add_fact(
        "8,540", entity="alfa", name="revenue", source="statistics", label="Alfa, a blog", rank="trap", id="alfa.other"
    )
    assert not any("stressed" in item.record for item in _told(parts))
    parts.say("scoring: {overlap: 0.5}", "scoring: {overlap: 0.3}")
    told = [item for item in _told(parts) if "stressed" in item.record]
    assert [item.record for item in told] == ["alfa/stressed_profit"]
    assert "`overlap: 0." in told[0].fix


def test_a_rule_that_must_be_met_exactly_lets_no_misstep_pass() -> None:
    assert not _told(_wide(_trap("8,440"), "exact"))


def test_where_one_entity_s_figures_are_too_coarse_another_gets_a_tolerance_of_its_own() -> None:
    parts = _wide(_trap("8,440"), "4%")
    for fact_id in ("gama.revenue.fy2023", "gama.revenue.fy2023.statistics"):
        parts.fact(fact_id).update(as_written="2.9", scale="9", value="2900000000", quote=f"Revenue 2.9 {fact_id}")
    parts.print_captures()
    told = _told(parts)
    assert [item.record for item in told] == ["alfa/total_revenue"]
    assert told[0].fix == "none would do for every entity; for `alfa` alone, under `overrides`, `full: 0.1%`"
