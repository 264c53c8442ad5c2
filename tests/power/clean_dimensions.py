"""The dimensions that clean tasks are made of: each with its derivation in the language and in bare Decimal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

Figures = dict[tuple[str, str], Decimal]
Value = Callable[[Figures, list[Figures]], Decimal]
HUNDRED, MILLION = Decimal(100), Decimal(10) ** 6
NOW, BEFORE, EARLIER = "fy2023", "fy2022", "fy2021"
NEEDED: dict[str, tuple[str, int]] = {
    "employees": ("employee", 0),
    "eps": ("CUR/share", 0),
    "market": ("percent", 0),
    "gross_margin": ("percent", 0),
}
"""Unit and scale of a figure that is not money in millions; CUR stands for the task's currency."""


@dataclass(frozen=True, eq=False)
class Template:
    """One dimension: what it asks, how it is derived and what the answer is."""

    id: str
    family: str
    unit: str
    ask: str
    steps: tuple[tuple[str, str], ...]
    inputs: tuple[tuple[str, str], ...]
    """Name and year of each fact that the answer rests on."""
    value: Value | None
    scoring: dict[str, str]
    near_misses: tuple[tuple[str, str], ...] = ()
    checks: tuple[str, ...] = ()
    also: tuple[tuple[str, str], ...] = ()
    """Facts that only near misses and checks use."""
    assumptions: tuple[str, ...] = ()
    answer_type: str = "precise"
    exact: bool = False
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def needs(self) -> set[tuple[str, str]]:
        """Every fact that it names."""
        return {*self.inputs, *self.also}

    @property
    def names(self) -> set[str]:
        """The names of the facts that the answer rests on."""
        return {name for name, _ in self.inputs}

    def dimension(self, currency: str) -> dict[str, Any]:
        """What `task.yaml` says of it."""
        return {
            "id": self.id,
            "name": self.id.replace("_", " ").capitalize(),
            "ask": self.ask,
            "family": self.family,
            "unit": self.unit.replace("CUR", currency),
            "period": "FY2023",
            "answer_type": self.answer_type,
            "steps": [{"id": name, "expr": expr, "why": "as the reports have it"} for name, expr in self.steps],
            "scoring": dict(self.scoring),
            "near_misses": [{"id": name, "expr": expr, "why": "a misstep"} for name, expr in self.near_misses],
            "checks": [{"expr": expr, "within": "rounding"} for expr in self.checks],
        }


def _margin(figures: Figures, year: str) -> Decimal:
    return (figures["revenue", year] - figures["cost", year]) / figures["revenue", year] * HUNDRED


POINTS = {"full": "0.05 pp"}
REVENUE, COST, RESEARCH = ("revenue", NOW), ("cost", NOW), ("research", NOW)
TEMPLATES = (
    Template(
        "total_revenue",
        "retrieval",
        "CUR",
        "Revenue of the fiscal year as first reported.",
        (("answer", "revenue"),),
        (REVENUE,),
        lambda f, _: f[REVENUE] * MILLION,
        {"full": "0.5%"},
        (("prior_year", "revenue[-1]"),),
        ("sum(revenue.*) == revenue",),
        (("revenue", BEFORE), ("revenue.beer", NOW), ("revenue.cider", NOW)),
        exact=True,
    ),
    Template(
        "gross_margin",
        "derivation",
        "percent",
        "Revenue less cost of sales as a percentage of revenue, to one decimal.",
        (("profit", "revenue - cost"), ("answer", "profit / revenue")),
        (REVENUE, COST),
        lambda f, _: _margin(f, NOW),
        POINTS,
        (("markup", "profit / cost"),),
        ("profit == gross_profit",),
        (("gross_profit", NOW),),
    ),
    Template(
        "revenue_growth",
        "derivation",
        "percent",
        "Change of revenue on the year before, in percent to one decimal.",
        (("change", "revenue - revenue[-1]"), ("answer", "change / revenue[-1]")),
        (REVENUE, ("revenue", BEFORE)),
        lambda f, _: (f[REVENUE] / f["revenue", BEFORE] - 1) * HUNDRED,
        POINTS,
        (("wrong_base", "change / revenue"), ("reversed", "revenue[-1] / revenue - 1")),
    ),
    Template(
        "average_revenue",
        "derivation",
        "CUR",
        "Mean revenue of the three fiscal years to this one.",
        (("total", "sum(revenue, revenue[-1], revenue[-2])"), ("answer", "total / years")),
        (REVENUE, ("revenue", BEFORE), ("revenue", EARLIER)),
        lambda f, _: (f[REVENUE] + f["revenue", BEFORE] + f["revenue", EARLIER]) / 3 * MILLION,
        {"full": "0.5%"},
        (("two_years", "(revenue + revenue[-1]) / (2 * 2)"),),
        assumptions=("years",),
        exact=False,
    ),
    Template(
        "beer_share",
        "derivation",
        "percent",
        "Sales of beer as a percentage of revenue, to one decimal.",
        (("answer", "share(revenue.beer, revenue.*)"),),
        (("revenue.beer", NOW), ("revenue.cider", NOW)),
        lambda f, _: f["revenue.beer", NOW] / f[REVENUE] * HUNDRED,
        POINTS,
        (("of_cider", "revenue.beer / (revenue.cider + revenue)"),),
        also=(REVENUE,),
    ),
    Template(
        "margin_change",
        "derivation",
        "pp",
        "Change of the gross margin on the year before, in percentage points to one decimal.",
        (
            ("now", "(revenue - cost) / revenue"),
            ("before", "(revenue[-1] - cost[-1]) / revenue[-1]"),
            ("answer", "now - before"),
        ),
        (REVENUE, COST, ("revenue", BEFORE), ("cost", BEFORE)),
        lambda f, _: _margin(f, NOW) - _margin(f, BEFORE),
        {"full": "0.1 pp"},
        (("reversed", "before - now"),),
    ),
    Template(
        "revenue_per_head",
        "derivation",
        "CUR/employee",
        "Revenue divided by the employees at the year's end.",
        (("answer", "revenue / employees"),),
        (REVENUE, ("employees", NOW)),
        lambda f, _: f[REVENUE] * MILLION / f["employees", NOW],
        {"full": "1%"},
        (("on_profit", "(revenue - cost) / employees"),),
        also=(COST,),
    ),
    Template(
        "research_share",
        "calibration",
        "percent",
        "Research expense as a percentage of revenue, to one decimal.",
        (("answer", "research / revenue"),),
        (RESEARCH, REVENUE),
        lambda f, _: f[RESEARCH] / f[REVENUE] * HUNDRED,
        POINTS,
        (("of_cost", "research / (revenue + revenue)"),),
    ),
    Template(
        "earnings_per_share",
        "calibration",
        "CUR/share",
        "Earnings per share as first reported, to the cent.",
        (("answer", "eps"),),
        (("eps", NOW),),
        lambda f, _: f["eps", NOW],
        {"full": "exact"},
        (("doubled", "eps * 2"),),
        exact=True,
    ),
    Template(
        "market_part",
        "retrieval",
        "percent",
        "Part of the market as the report gives it, to one decimal.",
        (("answer", "market"),),
        (("market", NOW),),
        lambda f, _: f["market", NOW],
        POINTS,
        (("doubled", "market * 2"),),
        exact=True,
    ),
    Template(
        "research_rank",
        "reasoning",
        "rank",
        "Rank by research expense among those that disclose it, 1 for the largest.",
        (("answer", "rank(research, available(all.research), descending)"),),
        (RESEARCH,),
        lambda f, peers: Decimal(1 + sum(other[RESEARCH] > f[RESEARCH] for other in peers)),
        {"full": "exact"},
        exact=True,
    ),
    Template(
        "free_cash",
        "derivation",
        "CUR",
        "Cash from operations less purchases of plant.",
        (("answer", "cash_flow - capex"),),
        (("cash_flow", NOW), ("capex", NOW)),
        lambda f, _: (f["cash_flow", NOW] - f["capex", NOW]) * MILLION,
        {"full": "1%"},
        (("no_capex", "cash_flow"), ("added", "cash_flow + capex")),
        exact=True,
    ),
    Template(
        "stressed_profit",
        "reasoning",
        "CUR",
        "Range of gross profit when revenue falls by the assumption fall, and cost by half of that or not at all.",
        (("lost", "revenue * fall"), ("low", "revenue - cost - lost"), ("high", "revenue - cost - lost / 2")),
        (REVENUE, COST),
        None,
        {"overlap": "0.5"},
        assumptions=("fall",),
        answer_type="range",
    ),
)
