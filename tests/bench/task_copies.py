"""Invented tasks of eight entities by eight dimensions, each a copy of the last with every number another.

Their shape is the shipped task's: 236 facts of eleven documents, a prior year, a sum that ties out, a rank, a
scenario, three cells that are not available, a range, and three cells that are divergent.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from cellwright.documents.html import read_html
from cellwright.records.folder import read_folder
from cellwright.records.rows import TASK_TABLES
from cellwright.records.tables import write_table
from cellwright.validators.audit import AuditInput
from cellwright.validators.evidence import Evidence
from cellwright.validators.profiles import Profile

ENTITIES = tuple("abcdefgh")
DATES = {"FY2023": "2023-01-01/2023-12-31", "FY2022": "2022-01-01/2022-12-31"}
WITHOUT_RESEARCH = ("b", "d", "h")
WITH_LATER = ("e", "f", "h")
"""Entities with a later document, whose figures are witnesses."""
DIMENSIONS = (
    "total_revenue",
    "gross_margin",
    "cash_margin",
    "revenue_growth",
    "tax_rate",
    "eps",
    "research_rank",
    "stressed_margin",
)
_NAMES = (
    "revenue",
    "cost",
    "gross_profit",
    "research",
    "operating_income",
    "pretax_income",
    "tax",
    "net_income",
    "eps_diluted",
    "operating_cash",
    "capex",
)
_OUTFLOWS = ("tax", "capex")
Row = dict[str, str]

TASK = """\
schema: 1
id: copy-{copy}
title: Eight companies
domain: technology
as_of: 2025-03-31
licence: CC-BY-4.0
status: admitted
contributors: [ana]
question: How did eight companies fare?
entities:
{entities}
periods:
  FY2023: {{default: 2023-01-01/2023-12-31}}
  FY2022: {{default: 2022-01-01/2022-12-31}}
assumptions:
  - {{id: shock, value: {shock}, unit: percent, reason: scenario of the question}}
  - {{id: pass_low, value: 50, unit: percent, reason: half of the lost profit}}
  - {{id: pass_high, value: 100, unit: percent, reason: all of it}}
dimensions:
  - id: total_revenue
    name: Revenue
    ask: Revenue of the fiscal year.
    family: retrieval
    unit: USD
    period: FY2023
    answer_type: precise
    steps: [{{id: answer, expr: revenue}}]
    scoring: {{full: 0.1%}}
    near_misses: [{{id: prior_year, expr: "revenue[-1]", why: wrong period}}]
  - id: gross_margin
    name: Gross margin
    ask: Gross margin in percent, to one decimal.
    family: derivation
    unit: percent
    period: FY2023
    answer_type: precise
    steps:
      - {{id: profit, expr: revenue - cost}}
      - {{id: answer, expr: profit / revenue}}
    scoring: {{full: 0.05 pp}}
    near_misses:
      - {{id: markup, expr: profit / cost, why: divided by cost}}
    checks: [{{expr: profit == gross_profit, within: rounding}}]
  - id: cash_margin
    name: Cash margin
    ask: Operating cash flow less capital expenditure in percent of revenue, to one decimal.
    family: derivation
    unit: percent
    period: FY2023
    answer_type: precise
    steps:
      - {{id: fcf, expr: operating_cash - capex}}
      - {{id: answer, expr: fcf / revenue}}
    scoring: {{full: 0.05 pp}}
    near_misses:
      - {{id: no_capex, expr: operating_cash / revenue, why: last step dropped}}
      - {{id: of_prior, expr: "fcf / revenue[-1]", why: wrong base}}
  - id: revenue_growth
    name: Growth
    ask: Growth of revenue in percent, to one decimal.
    family: derivation
    unit: percent
    period: FY2023
    answer_type: precise
    steps: [{{id: answer, expr: "revenue / revenue[-1] - 1"}}]
    scoring: {{full: 0.05 pp}}
    near_misses: [{{id: reversed, expr: "revenue[-1] / revenue - 1", why: reversed}}]
  - id: tax_rate
    name: Tax rate
    ask: Tax in percent of income before tax, to one decimal.
    family: derivation
    unit: percent
    period: FY2023
    answer_type: precise
    steps: [{{id: answer, expr: tax / pretax_income}}]
    scoring: {{full: 0.05 pp}}
    near_misses:
      - {{id: on_net, expr: tax / net_income, why: divided by net income}}
      - {{id: on_operating, expr: tax / operating_income, why: divided by operating income}}
  - id: eps
    name: Earnings per share
    ask: Diluted earnings per share as first reported.
    family: calibration
    unit: USD/share
    period: FY2023
    answer_type: precise
    steps: [{{id: answer, expr: eps_diluted}}]
    scoring: {{full: exact}}
    near_misses: [{{id: prior_year, expr: "eps_diluted[-1]", why: wrong period}}]
  - id: research_rank
    name: Rank by research
    ask: Rank by research expense among those that report one, largest first.
    family: reasoning
    unit: rank
    period: FY2023
    answer_type: precise
    steps: [{{id: answer, expr: "rank(research, available(all.research), descending)"}}]
    scoring: {{full: exact}}
    overrides:
      b: {{answer_type: not_available}}
      d: {{answer_type: not_available}}
      h: {{answer_type: not_available}}
  - id: stressed_margin
    name: Cash margin after a fall
    ask: Range of the cash margin after the fall.
    family: reasoning
    unit: percent
    period: FY2023
    answer_type: range
    steps:
      - {{id: lost, expr: revenue * shock * cells.gross_margin}}
      - {{id: low, expr: (cells.cash_margin.fcf - lost * pass_high) / (revenue * (1 - shock))}}
      - {{id: high, expr: (cells.cash_margin.fcf - lost * pass_low) / (revenue * (1 - shock))}}
    scoring: {{overlap: 0.5}}
"""


@dataclass(frozen=True)
class Copy:
    """One task as files and captures."""

    folder: str
    files: dict[str, bytes]
    evidence: dict[str, Evidence]
    pages: dict[str, bytes]
    """The document of each source."""

    def input(self, profile: Profile) -> AuditInput:
        """The task, read, for the audit."""
        return AuditInput(read_folder(self.files, self.folder), self.evidence, profile)


def copies(count: int, first: int = 0) -> Iterator[Copy]:
    """`count` tasks from number `first` on."""
    for number in range(first, first + count):
        yield _copy(number)


def _draw(*of: object, low: int, high: int) -> int:
    """A number from `low` to `high` that is the same for the same names."""
    digest = hashlib.sha256("/".join(map(str, of)).encode()).digest()
    return low + int.from_bytes(digest[:8], "big") % (high - low + 1)


def _copy(number: int) -> Copy:
    facts = [fact for entity in ENTITIES for fact in _facts(number, entity)]
    entities = "\n".join(f"  - {{id: {name}, name: Company {name.upper()}, currency: USD}}" for name in ENTITIES)
    task = TASK.format(copy=number, entities=entities, shock=_draw(number, "shock", low=5, high=15))
    evidence: dict[str, Evidence] = {}
    pages: dict[str, bytes] = {}
    sources = []
    for source in dict.fromkeys(fact["source"] for fact in facts):
        page = pages[source] = _page(number, source, [fact for fact in facts if fact["source"] == source])
        digest = hashlib.sha256(page).hexdigest()
        document = read_html(page)
        evidence[source] = Evidence(source, digest, document.text, "live", "200", "text/html", document=document)
        sources.append(_source(source, digest))
    tables = {"sources": sources, "facts": facts, "cells": _cells(), "searches": _searches()}
    files = {f"{name}.csv": write_table(rows, TASK_TABLES[name].columns()) for name, rows in tables.items()}
    return Copy(f"tasks/copy-{number}", {"task.yaml": task.encode(), **files}, evidence, pages)


def _page(number: int, source: str, facts: list[Row]) -> bytes:
    """A page of some 20 kB: a table with a row a figure, and notes that are full of other figures."""
    rows = "".join(f"<tr><td>{'</td><td>'.join(_cells_of(fact))}</td></tr>" for fact in facts)
    notes = "".join(
        f"<p>Note {index}.{line} to {source}: other line {_draw(number, source, index, line, low=1, high=999)}"
        f" of the statement, and {_draw(number, source, line, index, low=10_000, high=99_999):,} more</p>"
        for index in range(len(facts))
        for line in range(15)
    )
    head = "<tr><th>Line</th><th>Figure</th><th>Unit</th><th>Period</th></tr>"
    return f"<html><body><h1>{source}</h1><table>{head}{rows}</table>{notes}</body></html>".encode()


def _cells_of(fact: Row) -> tuple[str, str, str, str]:
    unit = "USD per share" if fact["unit"] == "USD/share" else "USD million"
    return fact["row"], fact["as_written"], unit, DATES[fact["period"]]


def _values(number: int, entity: str) -> dict[str, tuple[int, int]]:
    """Each figure for this year and the year before, in millions (earnings per share in cents)."""

    def draw(name: str, low: int, high: int) -> int:
        return _draw(number, entity, name, low=low, high=high)

    before = draw("revenue", 50_000, 600_000)
    revenue = before * draw("growth", 105, 130) // 100 + draw("rest", 1, 99)
    cost, old_cost = revenue * draw("cost", 30, 75) // 100, before * draw("cost2", 30, 75) // 100
    operating = (revenue - cost) * draw("operating", 40, 60) // 100
    pretax = operating * draw("pretax", 104, 112) // 100
    tax = pretax * draw("tax", 12, 25) // 100
    cash = operating * draw("cash", 105, 130) // 100
    eps = draw("eps", 100, 2_000)
    year = (
        revenue,
        cost,
        revenue - cost,
        revenue * draw("research", 5, 15) // 100,
        operating,
        pretax,
        tax,
        pretax - tax,
        eps,
        cash,
        cash * draw("capex", 15, 40) // 100,
    )
    old = (before, old_cost, before - old_cost, *(value * 9 // 10 for value in year[3:]))
    return {name: (year[index], old[index]) for index, name in enumerate(_NAMES)}


def _facts(number: int, entity: str) -> Iterator[Row]:
    values = _values(number, entity)
    for name in _NAMES:
        if name == "research" and entity in WITHOUT_RESEARCH:
            continue
        for index, period in enumerate(("FY2023", "FY2022")):
            value = values[name][index]
            used = period == "FY2023" or name in ("revenue", "eps_diluted")
            yield _fact(entity, name, period, value, f"{entity}-report", "primary" if used else "context")
            if entity in WITH_LATER and name != "pretax_income":
                changed = period == "FY2023" and ((entity, name) in (("e", "capex"), ("f", "eps_diluted")))
                later = value * 97 // 100 if changed else value
                row = _fact(entity, name, period, later, f"{entity}-later", "witness" if used else "context")
                yield row | ({"note": "net of proceeds from sales"} if changed and name == "capex" else {})


def _fact(entity: str, name: str, period: str, value: int, source: str, rank: str) -> Row:
    per_share = name == "eps_diluted"
    plain = f"{value // 100}.{value % 100:02d}" if per_share else str(value)
    printed = plain if per_share else f"{value:,}"
    outflow = name in _OUTFLOWS
    if outflow:
        printed = f"({printed})"
    tail = ".later" if source.endswith("later") else ""
    return {
        "id": f"{entity}.{name}.{period.lower()}{tail}",
        "entity": entity,
        "name": name,
        "source": source,
        "as_written": printed,
        "period": period,
        "rank": rank,
        "value": plain if per_share else plain + "0" * 6,
        "scale": "0" if per_share else "6",
        "sign": "reversed" if outflow else "shown",
        "unit": "USD/share" if per_share else "USD",
        "quote": f"{name} {printed} {'USD per share' if per_share else 'USD million'} {DATES[period]}",
        "row": name,
        "basis": "reported",
        "scope": "consolidated",
    }


def _source(source: str, digest: str) -> Row:
    return {
        "id": source,
        "url": f"https://www.companies.org/{source}",
        "title": f"Report {source}",
        "publisher": f"Company {source[0].upper()}",
        "published": "2025-01-30" if "later" in source else "2024-01-30",
        "accessed": "2025-03-01",
        "media_type": "text/html",
        "locale": "en",
        "tier": "T1",
        "tier_reason": "annual report",
        "capture": digest,
    }


def _cells() -> list[Row]:
    divergent = {
        ("e", "cash_margin"): ("definition", "e.capex.fy2023"),
        ("f", "eps"): ("restated", "f.eps_diluted.fy2023"),
    }
    rows = []
    for entity in ENTITIES:
        for dimension in DIMENSIONS:
            row = {
                "entity": entity,
                "dimension": dimension,
                "answer_type": "precise",
                "agreement": "single",
                "annotator": "ana",
                "reviewer": "ben",
            }
            if dimension == "stressed_margin":
                row |= {"answer_type": "range", "method": "all of the lost profit, or half of it"}
            if dimension == "research_rank" and entity in WITHOUT_RESEARCH:
                row |= {"answer_type": "not_available", "agreement": "", "reason_code": "not_separately_reported"}
            if (entity, dimension) in divergent:
                reason, chosen = divergent[entity, dimension]
                row |= {"agreement": "divergent", "reason_code": reason, "chosen": chosen, "note": "first reported"}
            rows.append(row)
    return rows


def _searches() -> list[Row]:
    return [
        {
            "entity": "*",
            "dimension": "*",
            "query": "annual reports",
            "date": "2025-03-01",
            "outcome": "only the issuer states it",
        }
    ]
