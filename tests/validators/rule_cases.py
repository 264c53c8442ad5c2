"""One failing fixture a rule: how to spoil the clean task so that this rule finds something.

The clean task itself is every rule's passing fixture.
"""

from __future__ import annotations

from dataclasses import replace

from cellwright.documents.html import read_html
from cellwright.records.fields import Tier
from cellwright.records.findings import Condition
from cellwright.records.repository_rows import RegistryRow
from cellwright.records.scoring import Rule as ScoringRule
from cellwright.validators.context import AuditContext
from cellwright.validators.plug_in import refused
from cellwright.validators.registry import PREFIX, Hit, Rule, RuleInfo

from .across_cases import ACROSS_CASES
from .clean_task import Parts, Spoil
from .rule_cases_slips import SLIP_CASES


def _set(table: str, changes: dict[str, str], **wanted: str) -> Spoil:
    def spoil(parts: Parts) -> None:
        parts.row(table, **wanted).update(changes)

    return spoil


def _fact(fact_id: str, **changes: str) -> Spoil:
    return _set("facts", changes, id=fact_id)


def _source(source: str, **changes: str) -> Spoil:
    return _set("sources", changes, id=source)


def _cell(cell: str, **changes: str) -> Spoil:
    entity, dimension = cell.split("/")
    return _set("cells", changes, entity=entity, dimension=dimension)


def _registered(publisher: str, tier: Tier, note: str) -> Spoil:
    row = RegistryRow(publisher=publisher, domain="statistics.example", default_tier=tier, note=note)
    return lambda parts: parts.owners.append(row)


def _hosted(parts: Parts) -> None:
    _registered("Register of Filings", "T1", "filing host: companies must file here")(parts)
    _source("alfa-report", publisher="Register of Filings", title="Annual report of Alfa Brewing")(parts)


def _say(old: str, new: str) -> Spoil:
    return lambda parts: parts.say(old, new)


def _evidence(source: str, **changes: str) -> Spoil:
    return lambda parts: parts.change_evidence(source, **changes)


def _profile(old: str, new: str) -> Spoil:
    def spoil(parts: Parts) -> None:
        assert old.encode() in parts.profile
        parts.profile = parts.profile.replace(old.encode(), new.encode())

    return spoil


def _waiver(**fields: str) -> Spoil:
    row = {"rule": "C4-NOTE-MISSING", "reason": "settled", "by": "ben", "date": "2024-12-01", **fields}
    return lambda parts: parts.tables["waivers"].append(row)


def _pilot(score: str, closed_book: str = "") -> Spoil:
    row = {"run": "r1", "entity": "beta", "dimension": "total_revenue", "score": score, "closed_book": closed_book}
    return lambda parts: parts.tables["pilots"].append(row)


def _without_column(parts: Parts) -> None:
    parts.columns["facts"] = [name for name in parts.tables["facts"][0] if name != "source"]


def _twice(parts: Parts) -> None:
    parts.tables["cells"].append(dict(parts.cell("beta", "gross_margin")))


def _cp1252(parts: Parts) -> None:
    head = "entity,dimension,query,url,date,outcome,note\n"
    parts.raw["searches.csv"] = f"{head}*,*,reports,,2024-12-01,nothing – at all,\n".encode("cp1252")


def _drop_cell(parts: Parts) -> None:
    parts.tables["cells"].remove(parts.cell("beta", "gross_margin"))


def _drop_searches(parts: Parts) -> None:
    parts.tables["searches"] = []


def _second_primary(parts: Parts) -> None:
    parts.add_fact(
        "8,412",
        entity="alfa",
        name="revenue",
        source="alfa-restated",
        label="Revenue, again",
        period="2023-01-01/2023-12-31",
        rank="primary",
        id="alfa.revenue.again",
    )


def _lonely_witness(parts: Parts) -> None:
    parts.add_fact("44", entity="alfa", name="staff", source="alfa-report", label="Employees in thousands")


def _unused_source(parts: Parts) -> None:
    parts.tables["sources"].append({**parts.row("sources", id="statistics"), "id": "press"})
    parts.print_captures()


def _quote_twice(parts: Parts) -> None:
    found = parts.evidence["alfa-report"]
    parts.evidence["alfa-report"] = replace(found, text=found.text + "\n" + found.text)


def _pdf_without_page(parts: Parts) -> None:
    parts.row("sources", id="gama-report")["media_type"] = "application/pdf"


def _percent_as_money(parts: Parts) -> None:
    parts.add_fact(
        "20.2%",
        entity="alfa",
        name="share",
        source="alfa-report",
        label="Market share",
        rank="context",
        value="20.2",
        scale="0",
    )


def _weak_primary(parts: Parts) -> None:
    parts.row("sources", id="beta-report").update(tier="T3", tier_reason="press")


def _strong_trap(parts: Parts) -> None:
    parts.add_fact(
        "6,300",
        entity="beta",
        name="revenue",
        source="statistics",
        label="Beta, gross of duty",
        rank="trap",
        id="beta.revenue.trap",
    )


def _no_pin(parts: Parts) -> None:
    parts.row("sources", id="statistics")["capture"] = ""


def _failing_check(parts: Parts) -> None:
    parts.fact("alfa.gross_profit.fy2023").update(as_written="3,321", value="3321000000", quote="Gross profit 3,321")
    parts.print_captures()


def _coarse_figures(parts: Parts) -> None:
    parts.fact("gama.cost.fy2023").update(as_written="(2)", scale="9", value="2000000000", quote="Cost of sales (2)")
    parts.fact("gama.revenue.fy2023").update(as_written="3", scale="9", value="3000000000", quote="Revenue 3")
    parts.fact("gama.revenue.fy2023.statistics").update(
        as_written="3", scale="9", value="3000000000", quote="Gama revenue 3"
    )
    parts.print_captures()


def _unused_fact(parts: Parts) -> None:
    parts.add_fact("44", entity="alfa", name="staff", source="alfa-report", label="Employees", rank="primary")


def _quarter(parts: Parts) -> None:
    parts.fact("beta.research.fy2023")["period"] = "Q4"
    parts.say("  FY2022: {default: 2022", "  Q4: {default: 2023-10-01/2023-12-31}\n  FY2022: {default: 2022")
    parts.say(
        "      gama: {answer_type: not_available}",
        "      gama: {answer_type: not_available}\n"
        "      beta: {steps: [{id: answer, expr: \"research['Q4'] / revenue\"}], near_misses: []}",
    )


def _same_words(parts: Parts) -> None:
    parts.add_fact(
        "231", entity="alfa", name="research", source="alfa-report", label="Research", id="alfa.research.again"
    )


def _unsupported_restatement(parts: Parts) -> None:
    parts.row("sources", id="alfa-restated")["published"] = "2024-03-01"


def _zero(parts: Parts) -> None:
    parts.say("expr: revenue}\n    scoring: {full: 0.5%}", "expr: revenue - revenue}\n    scoring: {full: 0.5%}")


def _trap_within(parts: Parts) -> None:
    parts.add_fact(
        "8,440", entity="alfa", name="revenue", source="statistics", label="Alfa, a blog", rank="trap", id="alfa.trap"
    )


def _flipping_rank(parts: Parts) -> None:
    parts.say("answer, expr: revenue}", 'answer, expr: "rank(revenue, all.revenue, descending)"}')
    parts.say(
        "ask: Revenue of the fiscal year as first reported.\n    family: retrieval\n    unit: EUR",
        "ask: Rank by revenue.\n    family: retrieval\n    unit: rank",
    )
    parts.say(
        'scoring: {full: 0.5%}\n    near_misses:\n      - {id: prior_year, expr: "revenue[-1]", why: wrong period}',
        "scoring: {full: exact}",
    )
    for fact_id, label in (("beta.revenue.fy2023", "Revenue"), ("beta.revenue.fy2023.statistics", "Beta revenue")):
        parts.fact(fact_id).update(as_written="8,412", value="8412000000", quote=f"{label} 8,412")
    parts.print_captures()


def _constant(parts: Parts) -> None:
    for entity in ("beta", "gama"):
        for fact_id in (f"{entity}.revenue.fy2023", f"{entity}.revenue.fy2023.statistics"):
            parts.fact(fact_id).update(as_written="8,412", value="8412000000", quote=f"{fact_id} 8,412")
    parts.print_captures()


def _rule_without_full(parts: Parts) -> None:
    """No file can say this while the reader of rules is right: the rule guards against it."""

    def twist(context: AuditContext) -> None:
        rules = context.answers.rules
        rule = rules["beta", "total_revenue"]
        assert isinstance(rule, ScoringRule)
        rules["beta", "total_revenue"] = replace(rule, full=None)

    parts.twist = twist


def _breaks(condition: Condition) -> Spoil:
    def check(context: AuditContext) -> list[Hit]:
        raise KeyError("a plug-in's mistake")

    info = RuleInfo(f"{PREFIX[condition]}-X-BROKEN", condition, "warning", "A rule of a plug-in.")
    return lambda parts: parts.extra.append(Rule(info, check))  # type: ignore[arg-type]


def _half_year(parts: Parts) -> None:
    year = "FY2023: {default: 2023-01-01/2023-12-31"
    parts.say(f"{year}}}", f"{year}, gama: 2023-07-01/2023-12-31}}")


def _without_method(parts: Parts) -> None:
    parts.cell("beta", "stressed_profit")["method"] = ""


def _copied_year(parts: Parts) -> None:
    """The line of the year before, copied and its period alone changed."""
    before = parts.fact("gama.revenue.fy2022")
    parts.fact("gama.revenue.fy2023").update({key: before[key] for key in ("as_written", "value", "quote")})


def _thousands(parts: Parts) -> None:
    parts.fact("alfa.research.fy2023").update(scale="3", value="231000")


def _negative_cost(parts: Parts) -> None:
    parts.fact("alfa.cost.fy2023").update(sign="shown", value="-5101000000")


def _same_address(parts: Parts) -> None:
    address = parts.row("sources", id="alfa-report")["url"]
    parts.row("sources", id="alfa-restated")["url"] = f"{address}#page=4"


def _pounds(parts: Parts) -> None:
    parts.fact("gama.revenue.fy2023").update(as_written="GBP 2,903", quote="Revenue of the year GBP 2,903")
    parts.print_captures()


def _steps(old: str, *new: str) -> Spoil:
    lines = "\n      - ".join(f"{{{step}}}" for step in new)
    return _say(f"- {{{old}}}", f"- {lines}")


def _wrong_divisor(parts: Parts) -> None:
    parts.say("assumptions:\n", "assumptions:\n  - {id: years, value: 4, reason: the years}\n")
    _steps("id: answer, expr: revenue", 'id: answer, expr: "sum(revenue, revenue[-1]) / years"')(parts)


def _points_as_percent(parts: Parts) -> None:
    change = "research / revenue - research[-1] / revenue[-1]"
    _steps("id: answer, expr: research / revenue", f'id: answer, expr: "{change}"')(parts)


def _percent_growth(parts: Parts) -> None:
    parts.say("assumptions:\n", "assumptions:\n  - {id: hundred, value: 100, reason: to make it percent}\n")
    _steps("id: answer, expr: profit / revenue", "id: answer, expr: profit / revenue * hundred")(parts)


def _second_reading(parts: Parts) -> None:
    reading = {"entity": "beta", "dimension": "gross_margin", "annotator": "cleo", "value": "26.5"}
    parts.tables["annotations"] = [reading]


def _found_after_all(parts: Parts) -> None:
    parts.add_fact("61", entity="gama", name="research", source="gama-report", label="Research", rank="context")


def _figure_contradicted(parts: Parts) -> None:
    """The document, read again, has another figure in the fact's row for its year."""
    fact = parts.fact("gama.cost.fy2023")
    fact["row"] = "Cost of sales"
    page = (
        "<p>In millions of EUR</p><table><tr><th></th><th>Year ended December 31, 2023</th></tr>"
        "<tr><td>Revenue</td><td>3,000</td></tr><tr><td>Cost of sales</td><td>(1,788)</td></tr></table>"
    )
    evidence = parts.evidence[fact["source"]]
    parts.evidence[fact["source"]] = replace(evidence, document=read_html(page.encode()))


def _correction(**fields: str) -> Spoil:
    row = {
        "id": "cost_digits",
        "entity": "beta",
        "dimension": "gross_margin",
        "fact": "beta.cost.fy2023",
        "old": "4509000000",
        "new": "4590000000",
        "code": "reading",
        "reported_by": "cleo",
        "evidence_url": "https://www.breweries.org/beta-report.html",
        "released_in": "1.1.0",
        **fields,
    }
    return lambda parts: parts.tables.setdefault("corrections", []).append(row)


def _runs(score: str) -> Spoil:
    def spoil(parts: Parts) -> None:
        for run in ("r1", "r2", "r3"):
            row = {"run": run, "entity": "beta", "dimension": "total_revenue", "score": score}
            parts.tables["pilots"] += [row, {**row, "dimension": "gross_margin", "score": "0.5"}]

    return spoil


def _unusable(parts: Parts) -> None:
    parts.unusable.append(refused("house-style 0.1", "rules", "ModuleNotFoundError: No module", "something to import"))


def _canary(parts: Parts) -> None:
    parts.canary = "secret"


def _printed_after_all(parts: Parts) -> None:
    page = (
        "<p>In thousands of EUR</p><table><tr><th></th><th>Year ended December 31, 2023</th></tr>"
        "<tr><td>Research</td><td>61,000</td></tr></table>"
    )
    evidence = parts.evidence["gama-report"]
    parts.evidence["gama-report"] = replace(evidence, document=read_html(page.encode()))


def _note_as_digit(parts: Parts) -> None:
    parts.fact("beta.revenue.fy2023.statistics").update(
        as_written="61,203", value="61203000000", quote="Beta Brewing, revenue 61,203"
    )
    parts.print_captures()


def _points_as_unit_percent(parts: Parts) -> None:
    parts.add_fact(
        "120 bp",
        entity="alfa",
        name="change",
        source="alfa-report",
        label="Change of the margin",
        rank="context",
        unit="percent",
        value="120",
        scale="0",
    )


def _wrongly_decoded(parts: Parts) -> None:
    page = read_html("<p>Umsatzerlöse der Gruppe 8.412 Mio. €</p>".encode(), charset="cp1252")
    parts.evidence["statistics"] = replace(parts.evidence["statistics"], document=page)


def _tag_differs(parts: Parts) -> None:
    """The figure is printed in millions, and the tag around it says thousands."""
    fact = parts.fact("gama.cost.fy2023")
    fact["row"] = "Cost of sales"
    page = (
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"><body>'
        "<p>In millions of EUR</p><table><tr><th></th><th>Year ended December 31, 2023</th></tr>"
        '<tr><td>Revenue</td><td>3,000</td></tr><tr><td>Cost of sales</td><td>(<ix:nonFraction name="a:Cost" '
        'contextRef="c" unitRef="u" scale="3" format="ixt:num-dot-decimal">1,877</ix:nonFraction>)</td></tr></table>'
        "</body></html>"
    )
    evidence = parts.evidence[fact["source"]]
    parts.evidence[fact["source"]] = replace(evidence, document=read_html(page.encode()))


RULE_CASES: dict[str, Spoil] = {
    "C1-CORRECTION-INCOMPLETE": _correction(evidence_url=""),
    "C1-CORRECTION-CODE": _correction(code="typo"),
    "C1-CORRECTION-STRAY": _correction(entity="alfa"),
    "C1-CORRECTION-STALE": _correction(old="4590000000", new="4509000000"),
    "C1-PLUG-IN-UNUSABLE": _unusable,
    "C4-ABSENT-PRINTED": _printed_after_all,
    "C5-CANARY-ABSENT": _canary,
    "C5-CELL-ALWAYS": _runs("1"),
    "C5-CELL-NEVER": _runs("0"),
    "C5-PILOT-UNUSABLE": _pilot("85"),
    "C5-PROMPT-NEAR-MISS": _say(
        "as a percentage of revenue, as first reported, to one decimal.",
        "as a percentage of revenue (not the 33.3% of the markup), as first reported, to one decimal.",
    ),
    **ACROSS_CASES,
    "C2-NOTE-MARK": _note_as_digit,
    "C2-POINTS-PRINTED": _points_as_unit_percent,
    "C2-READING-DOUBT": _wrongly_decoded,
    "C2-TWO-READINGS": _source("gama-report", locale=""),
    "C1-METHOD-MISSING": _without_method,
    "C1-PERIOD-LENGTH": _half_year,
    "C1-PERIOD-OVERLAP": _say("FY2022: {default: 2022-01-01/2022-12-31}", "FY2022: {default: 2022-02-01/2023-01-31}"),
    "C2-FIGURE-SHARED": _copied_year,
    "C2-SCALE-MIXED": _thousands,
    "C2-SIGN-MIXED": _negative_cost,
    "C2-SOURCE-TWICE": _same_address,
    "C2-ACCESSED-EARLIER": _source("statistics", accessed="2024-05-01"),
    "C2-CURRENCY-PRINTED": _pounds,
    "C3-MEAN-DIVISOR": _wrong_divisor,
    "C3-CHANGE-REVERSED": _steps("id: answer, expr: revenue", 'id: answer, expr: "revenue[-1] - revenue"'),
    "C3-CHANGE-BASE": _steps(
        "id: answer, expr: profit / revenue", 'id: answer, expr: "(revenue - revenue[-1]) / revenue"'
    ),
    "C3-RATIO-PERIODS": _steps("id: profit, expr: revenue - cost", 'id: profit, expr: "revenue[-1] - cost"'),
    "C3-PERCENT-OF-PERCENT": _percent_growth,
    "C3-POINTS-NEEDED": _points_as_percent,
    "C3-ANSWER-NOT-LAST": _steps(
        "id: answer, expr: profit / revenue", "id: answer, expr: profit / revenue", "id: per_cost, expr: answer / cost"
    ),
    "C3-ASSUMPTION-UNUSED": _say("assumptions:\n", "assumptions:\n  - {id: duty, value: 7, reason: the scenario}\n"),
    "C3-SECOND-READING": _second_reading,
    "C4-ABSENT-FOUND": _found_after_all,
    "C5-PROMPT-SOURCE": _say("Revenue of the fiscal year as first reported.", "Revenue by a T1 source."),
    "C1-FIELD-UNREADABLE": _fact("gama.cost.fy2023", value="1,877"),
    "C1-COLUMN-MISSING": _without_column,
    "C1-RECORD-TWICE": _twice,
    "C1-FILE-ENCODING": _cp1252,
    "C1-PROFILE-UNKNOWN": _profile("id: small-3x4", "id: small-4x4"),
    "C1-PROFILE-SHAPE": _profile("entities: 3", "entities: 6-10"),
    "C1-FAMILY-SPLIT": _profile("derivation: 1, calibration: 1", "derivation: 2"),
    "C1-DOMAIN-UNKNOWN": _say("domain: consumer", "domain: consumers"),
    "C1-TEXT-EMPTY": _say("licence: CC-BY-4.0", "licence: ''"),
    "C1-ASSUMPTION-REASON": _say(", reason: scenario of the question}", "}"),
    "C1-CELL-MISSING": _drop_cell,
    "C1-ID-UNRESOLVED": _fact("gama.cost.fy2023", supersedes="gama.cost.fy2021"),
    "C1-RANK-MISSING": _fact("alfa.cost.fy2023.alfa_restated", rank=""),
    "C1-FACT-INCOMPLETE": _fact("gama.cost.fy2023", as_written=""),
    "C1-PERIOD-UNREADABLE": _fact("gama.cost.fy2023", period="FY2030"),
    "C1-PRIMARY-TWICE": _second_primary,
    "C1-PRIMARY-ABSENT": _lonely_witness,
    "C1-SOURCE-INCOMPLETE": _source("statistics", accessed=""),
    "C1-ANNOTATOR-MISSING": _cell("beta/gross_margin", annotator=""),
    "C1-REVIEWER-MISSING": _cell("beta/gross_margin", reviewer=""),
    "C1-REVIEWER-IS-ANNOTATOR": _cell("beta/gross_margin", reviewer=" Ana "),
    "C1-WAIVER-INCOMPLETE": _waiver(by=""),
    "C1-WAIVER-RULE-UNKNOWN": _waiver(rule="C4-NOTES-MISSING"),
    "C1-WAIVER-EXPIRED": _waiver(expires="2024-12-30"),
    "C1-WAIVER-UNUSED": _waiver(),
    "C1-RULE-BROKEN": _breaks(Condition.COMPLETE),
    "C2-URL-UNUSABLE": _source("statistics", url="ftp://www.breweries.org/statistics"),
    "C2-URL-NOT-PUBLIC": _source("statistics", url="http://127.0.0.1:8000/statistics"),
    "C2-PUBLISHED-MISSING": _source("statistics", published=""),
    "C2-PUBLISHED-LATER": _source("statistics", published="2025-01-01"),
    "C2-TIER-MISSING": _source("statistics", tier="", tier_reason=""),
    "C2-TIER-REASON": _source("statistics", tier_reason=""),
    "C2-TIER-ABOVE-REGISTRY": _registered("Office of Statistics", "T3", "press: prints what others measured"),
    "C2-PUBLISHER-IS-HOST": _hosted,
    "C2-CAPTURE-MISSING": _no_pin,
    "C2-CAPTURE-MISMATCH": _source("statistics", capture="0" * 64),
    "C2-CAPTURE-UNUSABLE": _evidence("statistics", status="404"),
    "C2-CAPTURE-STAND-IN": _evidence("statistics", via="stand-in"),
    "C2-SOURCE-UNUSED": _unused_source,
    "C2-QUOTE-EMPTY": _fact("gama.cost.fy2023", quote=""),
    "C2-QUOTE-LONG": _fact("gama.cost.fy2023", quote="Cost of sales (1,877) " + "x" * 300),
    "C2-QUOTE-ABSENT": _fact("gama.cost.fy2023", quote="Costs of sale (1,877)"),
    "C2-QUOTE-AMBIGUOUS": _quote_twice,
    "C2-FIGURE-CONTRADICTED": _figure_contradicted,
    "C2-TAG-DIFFERS": _tag_differs,
    "C2-NUMBER-NOT-IN-QUOTE": _fact("gama.cost.fy2023", quote="Cost of sales"),
    "C2-PAGE-MISSING": _pdf_without_page,
    "C2-NUMBER-UNREADABLE": _fact("gama.cost.fy2023", as_written="1,877 to 1,900"),
    "C2-READING-INCOMPLETE": _fact("gama.cost.fy2023", sign=""),
    "C2-VALUE-MISMATCH": _fact("gama.cost.fy2023", scale="3"),
    "C2-UNIT-PRINTED": _percent_as_money,
    "C2-WEAK-EVIDENCE": _weak_primary,
    "C2-TRAP-TIER": _strong_trap,
    "C2-RULE-BROKEN": _breaks(Condition.SOURCED),
    "C3-REPLAY": _say("expr: profit / revenue}", "expr: profit / turnover}"),
    "C3-UNIT-MISMATCH": _say("expr: revenue - cost}", "expr: revenue / cost - cost}"),
    "C3-ANSWER-TYPE-DIFFERS": _cell("beta/gross_margin", answer_type="range"),
    "C3-SECOND-OPINION": _cell("beta/gross_margin", stated_value="25.2"),
    "C3-CHECK-FAILS": _failing_check,
    "C3-CHECK-BROKEN": _say("expr: profit == gross_profit", "expr: profit == gross_profit / 0"),
    "C3-TOLERANCE-TIGHT": _coarse_figures,
    "C3-OVERLAP-TIGHT": _say("scoring: {overlap: 0.5}", "scoring: {overlap: 1}"),
    "C3-STEP-UNUSED": _say(
        "- {id: lost, expr: revenue * fall}", "- {id: lost, expr: revenue * fall}\n      - {id: idle, expr: revenue}"
    ),
    "C3-FACT-UNUSED": _unused_fact,
    "C3-BASIS-MIXED": _fact("gama.cost.fy2023", basis="adjusted"),
    "C3-SCOPE-MIXED": _fact("gama.cost.fy2023", scope="segment"),
    "C3-PERIOD-MIXED": _quarter,
    "C3-RULE-BROKEN": _breaks(Condition.DERIVED),
    "C4-LABEL-MISSING": _cell("beta/gross_margin", agreement=""),
    "C4-LABEL-WRONG": _cell("beta/gross_margin", agreement="consistent"),
    "C4-LABEL-ON-ABSENT": _cell("gama/research_share", agreement="single"),
    "C4-CHOSEN-MISSING": _cell("alfa/gross_margin", chosen=""),
    "C4-CHOSEN-NOT-TAKEN": _cell("alfa/gross_margin", chosen="alfa.cost.fy2023.alfa_restated"),
    "C4-REASON-MISSING": _cell("alfa/gross_margin", reason_code=""),
    "C4-NOTE-MISSING": _cell("alfa/gross_margin", note=""),
    "C4-REASON-KIND": _cell("alfa/gross_margin", reason_code="not_disclosed"),
    "C4-REASON-UNSUPPORTED": _unsupported_restatement,
    "C4-ABSENCE-REASON": _cell("gama/research_share", reason_code=""),
    "C4-SEARCH-MISSING": _drop_searches,
    "C4-SEARCH-INCOMPLETE": _set("searches", {"outcome": ""}, entity="*"),
    "C4-WITNESS-SAME-PLACE": _same_words,
    "C4-RULE-BROKEN": _breaks(Condition.RECONCILED),
    "C5-RULE-UNREADABLE": _say("scoring: {overlap: 0.5}", "scoring: {overlap: half}"),
    "C5-ZERO-RELATIVE": _zero,
    "C5-PERCENT-RELATIVE": _say(
        "expr: research / revenue}\n    scoring: {full: 0.05 pp}", "expr: research / revenue}\n    scoring: {full: 2%}"
    ),
    "C5-TOLERANCE-WIDE": _say("scoring: {full: 0.5%}", "scoring: {full: 6%}"),
    "C5-REFERENCE-SCORE": _rule_without_full,
    "C5-NEAR-MISS-PAYS": _say("scoring: {full: 0.5%}", "scoring: {full: 20%, partial: 30%}"),
    "C5-NEAR-MISS-INDISTINGUISHABLE": _say('expr: "revenue[-1]"', "expr: revenue"),
    "C5-NEAR-MISS-BROKEN": _say('expr: "revenue[-1]"', 'expr: "turnover[-1]"'),
    "C5-MISSTEP-PAYS": _trap_within,
    "C5-NEAR-MISS-ABSENT": _say(
        "    near_misses:\n      - {id: of_cost, expr: research / cost, why: divided by cost}\n", ""
    ),
    "C5-CLAIM-UNREADABLE": _say("claim: 33% above", "claim: a third more"),
    "C5-CLAIM-WRONG": _say("claim: 33% above", "claim: 34% below"),
    "C5-RANK-FLIPS": _flipping_rank,
    "C5-PROMPT-TELLS": _say(
        "ask: Revenue of the fiscal year as first reported.",
        "ask: Revenue of the fiscal year, such as EUR 6,120 million.",
    ),
    "C5-TIER-LOST": _say("scoring: {overlap: 0.5}", "scoring: {overlap: 0.05}"),
    "C5-CONSTANT-PAYS": _constant,
    "C5-DIFFICULTY": _pilot("0.99"),
    "C5-CLOSED-BOOK": _pilot("1", "yes"),
    "C5-RULE-BROKEN": _breaks(Condition.SCORABLE),
    **SLIP_CASES,
}
"""Rule id → how to spoil the clean task."""
