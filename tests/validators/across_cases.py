"""Two tasks beside one another: a clean second one, and one failing fixture a rule that compares tasks."""

from __future__ import annotations

from .clean_task import Parts, Spoil, clean

OTHER_QUESTIONS = (
    ("ask: Revenue of the fiscal year as first reported.", "ask: Revenue, in words of its own."),
    ("expr: revenue}", 'expr: "sum(revenue, revenue[-1])"}'),
    ("ask: Revenue less cost of sales as a percentage of revenue, as first reported", "ask: The mark-up"),
    ("expr: profit / revenue}", "expr: profit / cost}"),
    ("ask: Research expense as a percentage of revenue", "ask: Research to cost"),
    ("expr: research / revenue}", "expr: research / cost}"),
    ("value: 10, unit: percent", "value: 25, unit: percent"),
)
"""What makes each question another one."""


def second() -> Parts:
    """Another task about the same breweries under other ids: the same figures, other questions."""
    parts = clean()
    parts.name = "breweries-again"
    for old, new in OTHER_QUESTIONS:
        parts.say(old, new)
    for entity in ("alfa", "beta", "gama"):
        parts.task = parts.task.replace(f"id: {entity},", f"id: {entity}_ag,").replace(
            f"      {entity}: ", f"      {entity}_ag: "
        )
        for table in ("facts", "cells"):
            for row in parts.tables[table]:
                row["entity"] = f"{entity}_ag" if row["entity"] == entity else row["entity"]
    parts.task = parts.task.replace("Brewing,", "Brewing AG,")
    for source in parts.tables["sources"]:
        source["url"] = f"{source['url']}?edition=2"
        source["capture"] = ""
    return parts


def identify(parts: Parts, entity: str, identifiers: str) -> None:
    """Give an entity identifiers."""
    parts.say(f"- {{id: {entity}, ", f"- {{id: {entity}, identifiers: {{{identifiers}}}, ")


def other_revenue(parts: Parts, **changes: str) -> Parts:
    """Let a second task give another revenue of gama; `changes` go into the fact."""
    other = second()
    row = other.fact("gama.revenue.fy2023")
    row.update(as_written="2,930", value="2930000000", **changes)
    parts.beside = [other]
    return other


def _same_document(parts: Parts) -> None:
    other = other_revenue(parts)
    other.row("sources", id="gama-report")["url"] = parts.row("sources", id="gama-report")["url"] + "#page=7"


def _asked_again(parts: Parts) -> None:
    other = second()
    other.say("ask: Revenue, in words of its own.", "ask: revenue of the fiscal year, as first reported")
    parts.beside = [other]


def _another_ticker(parts: Parts) -> None:
    other = second()
    identify(parts, "beta", "ticker: BETA")
    identify(other, "beta_ag", "Ticker: BTA")
    parts.beside = [other]


ACROSS_CASES: dict[str, Spoil] = {
    "C1-IDENTITY-DIFFERS": _another_ticker,
    "C4-TASKS-CONTRADICT": _same_document,
    "C4-TASKS-DIFFER": other_revenue,
    "C5-CELL-ASKED-TWICE": _asked_again,
}
"""Rule id → how to put a task beside the clean one so that the rule finds something."""
