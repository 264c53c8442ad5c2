"""A small invented task that meets every condition, as parts that a test may spoil one by one.

Three breweries by four dimensions: a figure that two owners tell (consistent), a margin that one brewery
restated (divergent), a share that one brewery does not disclose (not available) and a range.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date

from cellwright.records.errors import Problem
from cellwright.records.findings import Finding, TaskAudit
from cellwright.records.folder import TaskFolder, read_folder
from cellwright.records.repository_rows import RegistryRow
from cellwright.records.rows import TASK_TABLES
from cellwright.records.tables import write_table
from cellwright.validators.across import with_across
from cellwright.validators.audit import AuditInput, audit_tasks, context_of
from cellwright.validators.context import AuditContext
from cellwright.validators.evidence import Evidence
from cellwright.validators.profiles import Profile, read_profile
from cellwright.validators.registry import Rule, builtin_rules, finding_of
from cellwright.validators.summaries import summary_of
from cellwright.validators.thresholds import Thresholds

FOLDER = "tasks/breweries-2023"

PROFILE = b"""
id: small-3x4
title: Three by four
entities: 3
dimensions: 4
families: {retrieval: 1, derivation: 1, calibration: 1, reasoning: 1}
domains: [consumer]
"""

TASK = """\
schema: 1
id: breweries-2023
title: Three breweries
profile: small-3x4
domain: consumer
as_of: 2024-12-31
licence: CC-BY-4.0
contributors: [ana]
question: How did three breweries fare in their fiscal year 2023?
entities:
  - {id: alfa, name: Alfa Brewing, currency: EUR}
  - {id: beta, name: Beta Brewing, currency: EUR}
  - {id: gama, name: Gama Brewing, currency: EUR}
periods:
  FY2023: {default: 2023-01-01/2023-12-31}
  FY2022: {default: 2022-01-01/2022-12-31}
assumptions:
  - {id: fall, value: 10, unit: percent, reason: scenario of the question}
dimensions:
  - id: total_revenue
    name: Revenue
    ask: Revenue of the fiscal year as first reported.
    family: retrieval
    unit: EUR
    period: FY2023
    answer_type: precise
    steps:
      - {id: answer, expr: revenue}
    scoring: {full: 0.5%}
    near_misses:
      - {id: prior_year, expr: "revenue[-1]", why: wrong period}
  - id: gross_margin
    name: Gross margin
    ask: Revenue less cost of sales as a percentage of revenue, as first reported, to one decimal.
    family: derivation
    unit: percent
    period: FY2023
    answer_type: precise
    steps:
      - {id: profit, expr: revenue - cost}
      - {id: answer, expr: profit / revenue}
    scoring: {full: 0.05 pp}
    near_misses:
      - {id: markup, expr: profit / cost, why: divided by cost}
    checks:
      - {expr: profit == gross_profit, within: rounding}
    overrides:
      beta: {near_misses: [{id: markup, expr: profit / cost, why: divided by cost, claim: 33% above}]}
  - id: research_share
    name: Research
    ask: Research expense as a percentage of revenue, to one decimal.
    family: calibration
    unit: percent
    period: FY2023
    answer_type: precise
    steps:
      - {id: answer, expr: research / revenue}
    scoring: {full: 0.05 pp}
    near_misses:
      - {id: of_cost, expr: research / cost, why: divided by cost}
    overrides:
      gama: {answer_type: not_available}
  - id: stressed_profit
    name: Profit after a fall of revenue
    ask: Range of gross profit when revenue falls by the assumption fall and cost by half as much or as much.
    family: reasoning
    unit: EUR
    period: FY2023
    answer_type: range
    steps:
      - {id: lost, expr: revenue * fall}
      - {id: low, expr: cells.gross_margin.profit - lost}
      - {id: high, expr: cells.gross_margin.profit - lost / 2}
    scoring: {overlap: 0.5}
"""

_SOURCES = (  # id, publisher, published, tier, reason
    ("alfa-report", "Alfa Brewing", "2024-03-01", "T1", "annual report"),
    ("alfa-restated", "Alfa Brewing", "2024-09-01", "T1", "restated annual report"),
    ("beta-report", "Beta Brewing", "2024-03-10", "T1", "annual report"),
    ("gama-report", "Gama Brewing", "2024-03-20", "T1", "annual report"),
    ("statistics", "Office of Statistics", "2024-06-01", "T2", "official statistics of the trade"),
)
_FIGURES = (  # entity, name, source, label, figure, period, rank
    ("alfa", "revenue", "alfa-report", "Revenue of the year", "8,412", "FY2023", "primary"),
    ("alfa", "revenue", "alfa-report", "Revenue of the year before", "7,905", "FY2022", "primary"),
    ("alfa", "cost", "alfa-report", "Cost of sales", "(5,101)", "FY2023", "primary"),
    ("alfa", "gross_profit", "alfa-report", "Gross profit", "3,311", "FY2023", "primary"),
    ("alfa", "research", "alfa-report", "Research", "231", "FY2023", "primary"),
    ("alfa", "cost", "alfa-restated", "Cost of sales, restated", "(5,322)", "FY2023", "witness"),
    ("beta", "revenue", "beta-report", "Revenue of the year", "6,120", "FY2023", "primary"),
    ("beta", "revenue", "beta-report", "Revenue of the year before", "6,544", "FY2022", "primary"),
    ("beta", "cost", "beta-report", "Cost of sales", "(4,590)", "FY2023", "primary"),
    ("beta", "research", "beta-report", "Research", "97", "FY2023", "primary"),
    ("gama", "revenue", "gama-report", "Revenue of the year", "2,903", "FY2023", "primary"),
    ("gama", "revenue", "gama-report", "Revenue of the year before", "2,411", "FY2022", "primary"),
    ("gama", "cost", "gama-report", "Cost of sales", "(1,877)", "FY2023", "primary"),
    ("alfa", "revenue", "statistics", "Alfa Brewing, revenue", "8,412", "FY2023", "witness"),
    ("beta", "revenue", "statistics", "Beta Brewing, revenue", "6,120", "FY2023", "witness"),
    ("gama", "revenue", "statistics", "Gama Brewing, revenue", "2,903", "FY2023", "witness"),
)
_DIVERGENT = {
    "agreement": "divergent",
    "reason_code": "restated",
    "chosen": "alfa.cost.fy2023",
    "note": "the question asks for the figure first reported",
}

RowText = dict[str, str]


@dataclass
class Parts:
    """Everything an audit takes, in a form that a test may change."""

    task: str = TASK
    tables: dict[str, list[RowText]] = field(default_factory=dict)
    columns: dict[str, list[str]] = field(default_factory=dict)
    """The head of a table, where it is not every column."""
    raw: dict[str, bytes] = field(default_factory=dict)
    """Files as bytes, in the place of their table."""
    evidence: dict[str, Evidence] = field(default_factory=dict)
    profile: bytes = PROFILE
    owners: list[RegistryRow] = field(default_factory=list)
    thresholds: Thresholds = field(default_factory=Thresholds)
    extra: list[Rule] = field(default_factory=list)
    unusable: list[Problem] = field(default_factory=list)
    canary: str | None = None
    day: date | None = None
    name: str = "breweries-2023"
    """The task's id."""
    beside: list[Parts] = field(default_factory=list)
    """Other tasks of the repository, which this one is compared with."""
    twist: Callable[[AuditContext], None] | None = None
    """Changes what the rules look at, for what no file can bring about."""

    def row(self, table: str, **wanted: str) -> RowText:
        """The one row of a table with these fields."""
        found = [row for row in self.tables[table] if all(row.get(key) == text for key, text in wanted.items())]
        assert len(found) == 1, (table, wanted, len(found))
        return found[0]

    def fact(self, fact_id: str) -> RowText:
        """A fact by its id."""
        return self.row("facts", id=fact_id)

    def cell(self, entity: str, dimension: str) -> RowText:
        """A line of `cells.csv`."""
        return self.row("cells", entity=entity, dimension=dimension)

    def say(self, old: str, new: str) -> None:
        """Change words of `task.yaml` that stand there once."""
        assert self.task.count(old) == 1, (old, self.task.count(old))
        self.task = self.task.replace(old, new)

    def add_fact(
        self,
        figure: str,
        *,
        entity: str,
        name: str,
        source: str,
        label: str,
        period: str = "FY2023",
        rank: str = "witness",
        **fields: str,
    ) -> RowText:
        """One more fact whose quote stands in its source."""
        row = {**_fact(entity, name, source, label, figure, period, rank), **fields}
        self.tables["facts"].append(row)
        self.print_captures()
        return row

    def print_captures(self) -> None:
        """Make each capture hold the quotes of its facts, and pin it."""
        for source in self.tables["sources"]:
            quotes = [row["quote"] for row in self.tables["facts"] if row["source"] == source["id"]]
            text = f"{source['title']}\n" + "\n".join(dict.fromkeys(quotes))
            digest = hashlib.sha256(text.encode()).hexdigest()
            source["capture"] = digest
            self.evidence[source["id"]] = Evidence(source["id"], digest, text, "live", "200", "text/html")

    def change_evidence(self, source: str, **fields: str) -> None:
        """Change what was found for a source."""
        self.evidence[source] = replace(self.evidence[source], **fields)

    def folder(self) -> TaskFolder:
        """The folder that these parts make."""
        files = {"task.yaml": self.task.replace("id: breweries-2023", f"id: {self.name}").encode()}
        for name, rows in self.tables.items():
            files[f"{name}.csv"] = write_table(rows, self.columns.get(name) or TASK_TABLES[name].columns())
        files.update(self.raw)
        return read_folder(files, f"tasks/{self.name}")

    def read_profile(self) -> Profile:
        """The profile that these parts name."""
        return read_profile(self.profile, "small-3x4.yaml")

    def audit(self, *, draft: bool = False) -> TaskAudit:
        """The audit of these parts."""
        given = AuditInput(self.folder(), self.evidence, self.read_profile(), self.day, self.canary)
        audits = audit_tasks(
            [given],
            thresholds=self.thresholds,
            owners=self.owners,
            draft=draft,
            extra=self.extra,
            unusable=self.unusable,
        )
        audit = next(audits)
        packed = {parts.name: summary_of(parts.folder()) for parts in (self, *self.beside)}
        return with_across([audit], packed)[0] if self.beside else audit

    def context(self) -> AuditContext:
        """What the rules look at, changed by `twist`."""
        context = context_of(
            self.folder(), self.evidence, profile=self.read_profile(), owners=self.owners, thresholds=self.thresholds
        )
        if self.twist is not None:
            self.twist(context)
        return context

    def findings(self, rule: str) -> list[Finding]:
        """What one rule finds in these parts."""
        if self.twist is not None:
            known = next(known for known in builtin_rules() if known.info.id == rule)
            return [finding_of(known.info, hit) for hit in known.check(self.context())]
        return [finding for finding in self.audit().findings if finding.rule == rule]


Spoil = Callable[[Parts], object]


def clean() -> Parts:
    """The task that meets every condition, without a single warning."""
    parts = Parts()
    parts.tables["sources"] = [_source(*fields) for fields in _SOURCES]
    parts.tables["facts"] = [_fact(*fields) for fields in _FIGURES]
    parts.tables["cells"] = [
        _cell(entity, dimension)
        for entity in ("alfa", "beta", "gama")
        for dimension in ("total_revenue", "gross_margin", "research_share", "stressed_profit")
    ]
    parts.tables["searches"] = [
        {
            "entity": "*",
            "dimension": "*",
            "query": "annual reports and trade statistics",
            "date": "2024-12-01",
            "outcome": "nobody else states it",
        }
    ]
    parts.tables["waivers"] = []
    parts.tables["pilots"] = []
    parts.print_captures()
    return parts


def _source(source: str, publisher: str, published: str, tier: str, reason: str) -> RowText:
    return {
        "id": source,
        "url": f"https://www.breweries.org/{source}.html",
        "title": f"Document {source}",
        "publisher": publisher,
        "published": published,
        "accessed": "2024-12-01",
        "media_type": "text/html",
        "locale": "en",
        "tier": tier,
        "tier_reason": reason,
        "capture": "",
    }


def _fact(entity: str, name: str, source: str, label: str, figure: str, period: str, rank: str) -> RowText:
    outflow = figure.startswith("(")
    number = figure.strip("()").replace(",", "")
    fact_id = f"{entity}.{name}.{period.lower()}" + ("" if rank == "primary" else "." + source.replace("-", "_"))
    return {
        "id": fact_id,
        "entity": entity,
        "name": name,
        "source": source,
        "as_written": figure,
        "period": period,
        "rank": rank,
        "value": f"{number}000000",
        "scale": "6",
        "sign": "reversed" if outflow else "shown",
        "unit": "EUR",
        "quote": f"{label} {figure}",
        "basis": "reported",
        "scope": "consolidated",
    }


def _cell(entity: str, dimension: str) -> RowText:
    row = {
        "entity": entity,
        "dimension": dimension,
        "answer_type": "precise",
        "agreement": "single",
        "annotator": "ana",
        "reviewer": "ben",
    }
    if dimension == "total_revenue":
        row["agreement"] = "consistent"
    if dimension == "stressed_profit":
        row |= {"answer_type": "range", "method": "cost falls by half as much as revenue, or as much"}
    if (entity, dimension) in (("alfa", "gross_margin"), ("alfa", "stressed_profit")):
        row |= _DIVERGENT
    if (entity, dimension) == ("gama", "research_share"):
        row |= {"answer_type": "not_available", "agreement": "", "reason_code": "not_disclosed"}
    return row
