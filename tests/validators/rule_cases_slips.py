"""Failing fixtures of the rules about slips: what a copy, a paste or a haste leaves behind."""

from __future__ import annotations

from dataclasses import replace

from .clean_task import Parts, Spoil


def _row(table: str, changes: dict[str, str], **wanted: str) -> Spoil:
    return lambda parts: parts.row(table, **wanted).update(changes)


def _say(old: str, new: str) -> Spoil:
    return lambda parts: parts.say(old, new)


def _line(table: str, **fields: str) -> Spoil:
    return lambda parts: parts.tables.setdefault(table, []).append(fields)


def _reading(**fields: str) -> Spoil:
    return _line("annotations", entity="alfa", dimension="gross_margin", annotator="ana", **fields)


def _printed(fact_id: str, quote: str, **changes: str) -> Spoil:
    """Another quote, which the document holds."""

    def spoil(parts: Parts) -> None:
        parts.fact(fact_id).update({**changes, "quote": quote})
        parts.print_captures()

    return spoil


def _second_chance(parts: Parts) -> None:
    """The restated cost ranked context."""
    parts.fact("alfa.cost.fy2023.alfa_restated")["rank"] = "context"


def _quarters(parts: Parts) -> None:
    parts.say(
        "  FY2022: {", "  Q1: {default: 2023-01-01/2023-03-31}\n  Q2: {default: 2023-04-01/2023-06-30}\n  FY2022: {"
    )
    for place, entity in enumerate(("alfa", "beta", "gama")):
        for quarter in ("Q1", "Q2"):
            figure = f"{1 + place},{quarter[1]}11"
            parts.add_fact(
                figure, entity=entity, name="revenue", source=f"{entity}-report", label=quarter, period=quarter,
                rank="primary",
            )  # fmt: skip
    parts.say("      - {id: answer, expr: revenue}", "      - {id: answer, expr: \"revenue['Q1'] + revenue['Q2']\"}")


def _jump(parts: Parts) -> None:
    older = {**parts.row("sources", id="alfa-report"), "id": "alfa-older", "url": "https://www.breweries.org/older"}
    parts.tables["sources"].append(older)
    parts.fact("alfa.revenue.fy2022").update(source="alfa-older", scale="9", value="7905000000000")
    parts.print_captures()


def _stuck(parts: Parts) -> None:
    for place, (figure, entity) in enumerate((("1.11", "alfa"), ("1.22", "beta"), ("1.33", "gama")) * 2):
        period = "FY2023" if place < 3 else "FY2022"
        figure = figure + "1" if place == 5 else figure
        row = parts.add_fact(
            figure, entity=entity, name="eps", source=f"{entity}-report", label=f"Earnings {period}", period=period
        )
        row.update(unit="EUR/share", scale="0", value=figure)


def _other_address(parts: Parts) -> None:
    parts.evidence["alfa-report"] = replace(parts.evidence["alfa-report"], url="https://www.breweries.org/another")


def _yes_or_no(parts: Parts) -> None:
    parts.say(
        "unit: percent\n    period: FY2023\n    answer_type: precise\n    steps:\n      - {id: answer, expr: research",
        "unit: yes_no\n    period: FY2023\n    answer_type: precise\n    steps:\n      - {id: answer, expr: research",
    )


def _other_line(parts: Parts) -> None:
    for fact_id, label, figure in (("alfa.revenue.fy2023", "Gross profit", "8,412"),):
        parts.fact(fact_id)["quote"] = f"{label} {figure} million"
    parts.print_captures()


REVENUE = "      - {id: answer, expr: revenue}\n    scoring: {full: 0.5%}"
SLIP_CASES: dict[str, Spoil] = {
    "C1-PLACEHOLDER": _row("cells", {"reviewer": "TBD"}, entity="beta", dimension="gross_margin"),
    "C1-HIDDEN-CHARACTERS": _row("sources", {"publisher": "Office\u200b of Statistics"}, id="statistics"),
    "C1-MOJIBAKE": _row("sources", {"title": "Soci\u00c3\u00a9t\u00c3\u00a9"}, id="statistics"),
    "C1-ASKED-TWICE": _say(
        "ask: Research expense as a percentage of revenue, to one decimal.",
        "ask: Revenue less cost of sales as a percentage of revenue, as first reported, to one decimal.",
    ),
    "C1-ENTITY-CONFUSED": _say("name: Beta Brewing,", "name: Beta Brewing, aliases: [ALFA Brewing Inc.],"),
    "C1-ENTITY-CURRENCY": _say(
        "{id: beta, name: Beta Brewing, currency: EUR}", "{id: beta, name: Beta Brewing, currency: JPY}"
    ),
    "C1-NAME-TAKEN": _say("assumptions:\n", "assumptions:\n  - {id: cost, value: 1, unit: EUR, reason: scenario}\n"),
    "C1-FACT-ID-CONTRADICTS": _row("facts", {"id": "gama.revenue.fy2022.b"}, id="beta.revenue.fy2022"),
    "C1-SUPERSEDES-WRONG": _row("facts", {"supersedes": "alfa.revenue.fy2023"}, id="alfa.revenue.fy2023"),
    "C1-FAMILY-DOUBTFUL": _say("family: retrieval", "family: derivation"),
    "C1-CONFIDENCE": _row("cells", {"confidence": "150%"}, entity="beta", dimension="gross_margin"),
    "C1-BASIS-UNKNOWN": _row("facts", {"basis": "reportet"}, id="beta.cost.fy2023"),
    "C1-UNIT-UNKNOWN": _row("facts", {"unit": "EUR million"}, id="alfa.revenue.fy2023.statistics"),
    "C1-PERIOD-LABEL": _say("  FY2023: {default: 2023-01-01/2023-12-31}", "  FY2023: {default: 2024-01-01/2024-12-31}"),
    "C1-PERIOD-GAP": _say("  FY2022: {default: 2022-01-01/2022-12-31}", "  FY2022: {default: 2021-12-01/2022-11-30}"),
    "C1-PERIOD-KIND": _row("facts", {"period": "2023-12-31"}, id="gama.revenue.fy2023.statistics"),
    "C1-DATE-UNLIKELY": _say("as_of: 2024-12-31", "as_of: 2042-12-31"),
    "C1-PERSON-RESPELT": _row("cells", {"annotator": "anna"}, entity="beta", dimension="gross_margin"),
    "C1-READING-NOT-INDEPENDENT": _reading(),
    "C1-WAIVER-ODD": _line(
        "waivers",
        rule="C4-NOTE-MISSING",
        entity="alfa",
        dimension="gross_margin",
        reason="settled",
        by="ana",
        date="2024-12-01",
    ),
    "C2-PUBLISHED-EARLY": _row("sources", {"published": "2023-03-01"}, id="beta-report"),
    "C2-QUOTE-OTHER-ENTITY": _printed("beta.research.fy2023", "Alfa Brewing Research 97 million"),
    "C2-QUOTE-OTHER-PERIOD": _row("facts", {"column": "2022"}, id="beta.research.fy2023"),
    "C2-QUOTE-OTHER-LINE": _other_line,
    "C2-LABEL-OPPOSITE": _printed("alfa.gross_profit.fy2023", "Net profit 3,311 million"),
    "C2-PLACE-WRONG": _row("facts", {"page": "7"}, id="beta.research.fy2023"),
    "C2-SCALE-PRINTED": _printed("beta.research.fy2023", "Research 97 thousand"),
    "C2-SCALE-JUMP": _jump,
    "C2-UNIT-SCALE": _row("facts", {"unit": "percent"}, id="alfa.gross_profit.fy2023"),
    "C2-DIGITS-STUCK": _stuck,
    "C2-MEDIA-TYPE-WRONG": _row("sources", {"media_type": "application/pdf"}, id="beta-report"),
    "C2-CAPTURE-OTHER-ADDRESS": _other_address,
    "C2-SOURCE-OTHER-ENTITY": _row("sources", {"publisher": "Alfa Brewing"}, id="beta-report"),
    "C3-OPERAND-TWICE": _say(REVENUE, REVENUE.replace("expr: revenue}", 'expr: "sum(revenue, revenue)"}')),
    "C3-LIST-GAP": lambda parts: (
        parts.say("  FY2022: {", "  FY2021: {default: 2021-01-01/2021-12-31}\n  FY2022: {"),
        parts.say(REVENUE, REVENUE.replace("expr: revenue}", 'expr: "sum(revenue, revenue[-2])"}')),
    ),
    "C3-PARTS-SHORT": _quarters,
    "C3-CAGR-YEARS": lambda parts: (
        parts.say("assumptions:\n", "assumptions:\n  - {id: years, value: 3, reason: scenario}\n"),
        parts.say("{id: answer, expr: research / revenue}", '{id: answer, expr: "cagr(revenue[-1], revenue, years)"}'),
    ),
    "C3-LIST-WITHOUT-IT": _say(
        "{id: answer, expr: research / revenue}", '{id: answer, expr: "share(research, all.revenue)"}'
    ),
    "C3-GROWTHS-ADDED": _say(
        "{id: answer, expr: research / revenue}",
        '{id: answer, expr: "(revenue / revenue[-1] - 1) + (cost / cost[-1] - 1)"}',
    ),
    "C3-CHANGE-SIGN-LOST": _say(
        "{id: answer, expr: research / revenue}", '{id: answer, expr: "abs(revenue - revenue[-1]) / revenue[-1]"}'
    ),
    "C3-CHECK-IDLE": _say("{expr: profit == gross_profit, within: rounding}", "{expr: cost == cost}"),
    "C3-ANSWER-KIND": _yes_or_no,
    "C3-ASK-DIFFERS": _say("expr: research / revenue}", 'expr: "mean(research, cost) / revenue"}'),
    "C4-WITNESS-HIDDEN": _second_chance,
    "C4-WITNESS-TWICE": lambda parts: parts.tables["facts"].append(
        {**parts.fact("alfa.revenue.fy2023.statistics"), "id": "alfa.revenue.fy2023.copy"}
    ),
    "C4-CHOSEN-NEEDLESS": _row("cells", {"chosen": "beta.cost.fy2023"}, entity="beta", dimension="gross_margin"),
    "C4-SEARCH-DATE": _line(
        "searches", entity="gama", dimension="research_share", query="research", date="2023-02-01", outcome="nothing"
    ),
    "C4-SEARCH-ADDRESS": _line(
        "searches", entity="gama", dimension="research_share", url="their site", date="2024-11-01", outcome="nothing"
    ),
    "C5-ASK-PERIOD": _say("ask: Revenue of the fiscal year as first", "ask: Revenue of fiscal 2019 as first"),
    "C5-ASK-UNIT": _say("ask: Revenue of the fiscal year as first", "ask: Revenue in US dollars as first"),
    "C5-ASK-DECIMALS": _say(
        "ask: Research expense as a percentage of revenue, to one decimal.",
        "ask: Research expense as a percentage of revenue.",
    ),
    "C5-ASSUMPTION-CONTRADICTED": _say("falls by the assumption fall and", "falls by fall (12 percent) and"),
    "C5-TIERS-ODD": _say("scoring: {full: 0.5%}", "scoring: {full: 0.5%, partial: 0.4%}"),
    "C5-NEAR-MISS-TWICE": _say(
        '      - {id: prior_year, expr: "revenue[-1]", why: wrong period}\n',
        '      - {id: prior_year, expr: "revenue[-1]", why: wrong}\n      - {id: twice, expr: "revenue[-1]", why: x}\n',
    ),
}
"""Rule id → how to spoil the clean task."""
