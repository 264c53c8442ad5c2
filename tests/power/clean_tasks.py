"""Clean tasks of many shapes, made from random but consistent figures: clean by construction.

Labels and stated values are worked out here, from the figures alone, and never by the audit.
"""

from __future__ import annotations

import random
from collections import Counter
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

from cellwright.records.decimals import canonical
from cellwright.records.repository_rows import RegistryRow
from cellwright.validators.profiles import read_profile
from tests.power.clean_dimensions import NEEDED, TEMPLATES, Figures, Template
from tests.power.draft import Draft, Row, print_captures

ENTITIES = ("alfa", "beta", "cedar", "delta", "ember", "fjord", "grove", "heron", "iris", "jade")
YEARS = {"fy2021": "2021", "fy2022": "2022", "fy2023": "2023"}
LABELS = {
    "revenue": "Revenue of the group",
    "revenue.beer": "Sales of beer",
    "revenue.cider": "Sales of cider",
    "cost": "Cost of sales",
    "gross_profit": "Gross profit",
    "research": "Research expense",
    "employees": "Employees at year end",
    "eps": "Earnings per share",
    "market": "Part of the market",
    "capex": "Purchases of plant",
    "cash_flow": "Cash from operations",
}
OUTFLOWS = ("cost", "capex", "research")


def clean_task(seed: int, size: tuple[int, int] | None = None) -> Draft:
    """The clean task of a seed: 6 to 10 entities by 6 to 10 dimensions, or of the size asked for."""
    rng = random.Random(f"clean {seed}")
    rows, columns = size or (rng.randint(6, 10), rng.randint(6, 10))
    entities = ENTITIES[:rows]
    templates = sorted(rng.sample(TEMPLATES, columns), key=TEMPLATES.index)
    return _Maker(rng, seed, entities, templates).draft()


class _Maker:
    def __init__(self, rng: random.Random, seed: int, entities: tuple[str, ...], templates: list[Template]) -> None:
        self.rng, self.seed, self.entities, self.templates = rng, seed, entities, templates
        self.currency = rng.choice(["EUR", "USD", "CHF"])
        self.german = rng.random() < 0.3
        self.figures = {entity: self._figures(place) for place, entity in enumerate(entities)}
        self.silent = set(rng.sample(entities, rng.randint(1, 2)))
        """Entities that do not disclose research."""
        self.restated = set(rng.sample(entities, rng.randint(1, 2)))
        """Entities whose cost a later report restates."""
        self.told = set(rng.sample(entities, rng.randint(2, len(entities))))
        """Entities whose revenue the office of statistics tells, this year's and last year's."""
        self.stated = set(rng.sample(entities, rng.randint(1, 3))) - self.restated
        """Entities whose gross margin an institute states."""
        self.names = {name for template in templates for name in template.names}
        self.facts: list[Row] = []

    def _figures(self, place: int) -> Figures:
        """Consistent figures of one entity; the place keeps entities apart so that no constant pays."""
        rng = self.rng
        revenue = int(8000 * Decimal("1.42") ** place) + rng.randint(1, 900)
        found: Figures = {}
        margin = Decimal(rng.randint(220, 250) + 36 * place) / 1000
        for year in ("fy2023", "fy2022", "fy2021"):
            cost = int(revenue * (1 - margin))
            beer = revenue * (rng.randint(22, 25) + 5 * place) // 100
            numbers = {
                "revenue": revenue,
                "revenue.beer": beer,
                "revenue.cider": revenue - beer,
                "cost": cost,
                "gross_profit": revenue - cost,
                "research": revenue * (rng.randint(20, 26) + 11 * place) // 20000 * 20 + 2 * place,
                "employees": revenue * (2 + place) + rng.randint(1, 99),
                "capex": revenue * rng.randint(30, 70) // 1000,
                "cash_flow": revenue * rng.randint(100, 250) // 1000,
            }
            found |= {(name, year): Decimal(number) for name, number in numbers.items()}
            found["eps", year] = (Decimal(rng.randint(150, 950) + 1000 * place) / 100).quantize(Decimal("0.01"))
            found["market", year] = (Decimal(rng.randint(11, 39) + 40 * place) / 10).quantize(Decimal("0.1"))
            margin += Decimal(rng.choice([-1, 1]) * rng.randint(15, 60)) / 1000
            revenue = int(revenue / (1 + Decimal(rng.choice([-1, 1]) * rng.randint(30, 180)) / 1000))
        return found

    def draft(self) -> Draft:
        """Everything put together."""
        sources = self._sources()
        self._primaries()
        self._witnesses()
        cells = [self._cell(entity, template) for entity in self.entities for template in self.templates]
        draft = Draft(
            self._task(),
            {
                "sources": [row for row in sources if any(fact["source"] == row["id"] for fact in self.facts)],
                "facts": self.facts,
                "cells": cells,
                "searches": [
                    {"entity": "*", "dimension": "*", "query": "reports and statistics", "date": "2024-11-03"}
                    | {"outcome": "nobody else states it"}
                ],
                "waivers": [],
                "pilots": [],
                "annotations": [],
            },
            {},
            read_profile(self._profile().encode(), "profile.yaml"),
            [RegistryRow(publisher="Institute of Brewing", domain="institute.org", owner="Brewers' Union")],
        )
        print_captures(draft)
        return draft

    def _profile(self) -> str:
        counts = Counter(template.family for template in self.templates)
        families = ", ".join(f"{name}: {count}" for name, count in sorted(counts.items()))
        return (
            f"id: shape-{self.seed}\nentities: {len(self.entities)}\ndimensions: {len(self.templates)}\n"
            f"families: {{{families}}}\ndomains: [consumer]\n"
        )

    def _task(self) -> dict[str, Any]:
        assumptions = [
            {"id": name, "value": value, "unit": unit, "reason": "scenario of the question"}
            for name, value, unit in (("fall", "10", "percent"), ("years", "3", ""))
            if any(name in template.assumptions for template in self.templates)
        ]
        return {
            "schema": "1",
            "id": f"clean-{self.seed}",
            "title": "Breweries compared",
            "profile": f"shape-{self.seed}",
            "domain": "consumer",
            "as_of": "2024-12-31",
            "licence": "CC-BY-4.0",
            "contributors": ["ana"],
            "question": "How did these breweries fare in their fiscal year 2023?",
            "entities": [
                {"id": name, "name": f"{name.title()} Brewing", "currency": self.currency} for name in self.entities
            ],
            "periods": {
                f"FY{year}": {"default": f"{year}-01-01/{year}-12-31"} for year in sorted(YEARS.values(), reverse=True)
            },
            "assumptions": assumptions,
            "dimensions": [self._dimension(template) for template in self.templates],
        }

    def _dimension(self, template: Template) -> dict[str, Any]:
        item = template.dimension(self.currency)
        if "research" in template.names:
            item["overrides"] = {entity: {"answer_type": "not_available"} for entity in sorted(self.silent)}
        return item

    def _sources(self) -> list[Row]:
        rows = [self._source(f"{entity}-report", f"{entity.title()} Brewing", "2024-03-01") for entity in self.entities]
        rows += [
            self._source(f"{entity}-restated", f"{entity.title()} Brewing", "2024-09-01")
            for entity in sorted(self.restated)
        ]
        rows.append(self._source("statistics", "Office of Statistics", "2024-06-01", "T2"))
        rows.append(self._source("institute", "Institute of Brewing", "2024-07-01", "T2"))
        return rows

    def _source(self, source: str, publisher: str, published: str, tier: str = "T1") -> Row:
        return {
            "id": source,
            "url": f"https://www.breweries.org/{self.seed}/{source}.html",
            "title": f"Document {source}",
            "publisher": publisher,
            "published": published,
            "accessed": "2024-12-01",
            "media_type": "text/html",
            "locale": "de" if self.german else "en",
            "tier": tier,
            "tier_reason": "annual report under audit" if tier == "T1" else "published method",
            "capture": "",
        }

    def _primaries(self) -> None:
        for entity in self.entities:
            for name in LABELS:
                for year in YEARS:
                    wanted = any((name, year) in template.needs for template in self.templates)
                    if wanted and not (name == "research" and entity in self.silent):
                        value = self.figures[entity][name, year]
                        self.facts.append(self._fact(entity, name, year, value, f"{entity}-report", "primary"))

    def _witnesses(self) -> None:
        for entity in self.entities:
            for year in ("fy2022", "fy2023"):
                if entity in self.told and self._has(entity, "revenue", year):
                    value = self.figures[entity]["revenue", year]
                    self.facts.append(self._fact(entity, "revenue", year, value, "statistics", "witness"))
            if entity in self.restated and self._has(entity, "cost", "fy2023"):
                value = self._restated_cost(entity)
                self.facts.append(self._fact(entity, "cost", "fy2023", value, f"{entity}-restated", "witness"))
            if entity in self.stated and any(template.id == "gross_margin" for template in self.templates):
                figures = self.figures[entity]
                margin = (figures["gross_profit", "fy2023"] / figures["revenue", "fy2023"] * 100).quantize(
                    Decimal("0.01"), ROUND_HALF_EVEN
                )
                self.facts.append(self._fact(entity, "gross_margin", "fy2023", margin, "institute", "witness"))
                self.facts[-1]["rank"] = "primary"

    def _has(self, entity: str, name: str, year: str) -> bool:
        return any(
            fact["entity"] == entity and fact["name"] == name and fact["period"] == year.upper() for fact in self.facts
        )

    def _restated_cost(self, entity: str) -> Decimal:
        return (self.figures[entity]["cost", "fy2023"] * Decimal("1.2")).quantize(Decimal(1))

    def _fact(self, entity: str, name: str, year: str, value: Decimal, source: str, rank: str) -> Row:
        unit, scale = NEEDED.get(name, (self.currency, 6))
        unit = unit.replace("CUR", self.currency)
        number = f"{value:,}"
        if self.german:
            number = number.translate(str.maketrans(",.", ".,"))
        outflow = name in OUTFLOWS
        figure = f"({number})" if outflow else f"{number}%" if unit == "percent" else number
        label = LABELS.get(name, "Gross margin")
        words = "million" if scale else ""
        restated = source.endswith("-restated")
        quote = f"{label}{' restated' if restated else ''} {figure} {words} {entity.title()} {YEARS[year]}"
        return {
            "id": f"{entity}.{name}.{year}" + ("" if rank == "primary" else "." + source.split("-")[-1]),
            "entity": entity,
            "name": name,
            "source": source,
            "as_written": figure,
            "period": year.upper(),
            "rank": rank,
            "value": canonical(value.scaleb(scale)),
            "scale": str(scale),
            "sign": "reversed" if outflow else "shown",
            "unit": unit,
            "quote": " ".join(quote.split()),
            "basis": "restated" if restated else "reported",
            "scope": "segment" if name.startswith("revenue.") else "consolidated",
        }

    def _cell(self, entity: str, template: Template) -> Row:
        row = {"entity": entity, "dimension": template.id, "annotator": "ana", "reviewer": "ben"}
        if "research" in template.names and entity in self.silent:
            return row | {"answer_type": "not_available", "reason_code": "not_disclosed"}
        row |= {"answer_type": template.answer_type, "agreement": self._label(entity, template)}
        if template.answer_type == "range":
            row["method"] = "all or half of the fall is lost"
        if row["agreement"] == "divergent":
            row |= {"reason_code": "restated", "chosen": f"{entity}.cost.fy2023", "note": "as first reported"}
        if template.value is not None and self.rng.random() < 0.8:
            peers = [self.figures[other] for other in self.entities if other not in self.silent]
            stated = template.value(self.figures[entity], peers)
            row["stated_value"] = canonical(stated if template.exact else stated.quantize(Decimal("0.0001")))
        return row

    def _label(self, entity: str, template: Template) -> str:
        if ("cost", "fy2023") in template.inputs and entity in self.restated:
            return "divergent"
        if template.id == "gross_margin" and entity in self.stated:
            return "consistent"
        witnessed = {("revenue", "fy2023"), ("revenue", "fy2022")} if entity in self.told else set()
        return "consistent" if set(template.inputs) <= witnessed else "single"
