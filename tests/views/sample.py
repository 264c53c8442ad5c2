"""A bundle's tables and an audit made of invented companies, for the tests of pages and terminals."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from cellwright.records.bundle import canonical_json, cell_digest, sorted_rows
from cellwright.records.decimals import CONTEXT, canonical
from cellwright.records.findings import Audit, Condition, Finding, conclude

TASK = "ev-makers-2023"
MAKERS = (
    ("aurel", "Aurel Motor Company", 602, 777, 4270, "20.2"),
    ("borea", "Borea Automotive Group", 118, 131, 612, "14.9"),
    ("cindra", "Cindra", 48, 55, 160, "5.5"),
    ("dalvo", "Dalvo New Energy Vehicles Limited", 124, 126, 376, "21.5"),
    ("ester", "Ester Mobility", 27, 31, 142, "-1.6"),
    ("fennik", "Fennik Electric", 81, 97, 1809, "11.2"),
    ("gorma", "Gorma Holding", 15, 17, 144, "-14.9"),
    ("hyle", "Hyle Car Works", 9, 12, 61, "3.4"),
)
"""Id, name, segment revenue and total revenue in CNY billion, thousand vehicles, segment gross margin in percent."""
DIMENSIONS = (
    ("revenue", "Revenue", "retrieval", "CNY"),
    ("gross_profit_per_vehicle", "Gross profit per vehicle", "derivation", "CNY/vehicle"),
    ("segment_share", "Share of the car segment", "derivation", "percent"),
    ("gross_margin", "Gross margin of the segment", "derivation", "percent"),
    ("revenue_per_vehicle", "Revenue per vehicle", "derivation", "CNY/vehicle"),
    ("vehicles", "Vehicles delivered", "calibration", "vehicle"),
    ("margin_rank", "Rank by gross margin", "reasoning", "rank"),
    ("stressed_margin", "Gross margin after a price cut", "reasoning", "percent"),
)
RULE = canonical_json(
    {
        "full": {"kind": "relative", "size": "0.02"},
        "partial": {"kind": "relative", "size": "0.1"},
        "order": "10",
        "overlap": "0.5",
        "max_width": "4",
        "derivation": "required",
    }
)
PP_RULE = canonical_json(
    {
        "full": {"kind": "absolute", "size": "0.05"},
        "partial": {"kind": "relative", "size": "0.1"},
        "order": None,
        "overlap": "0.5",
        "max_width": "4",
        "derivation": "required",
    }
)


def tables() -> dict[str, list[dict[str, str]]]:
    """The tables of a bundle with one task of 8 × 8 cells, as `records.bundle` lays them out."""
    rows: dict[str, list[dict[str, str]]] = {"tasks": [_task()], "changes": []}
    rows["entities"] = [
        {
            "task": TASK,
            "entity": entity,
            "position": str(at),
            "name": name,
            "aliases": "[]",
            "identifiers": "{}",
            "currency": "CNY",
        }
        for at, (entity, name, *_) in enumerate(MAKERS, 1)
    ]
    rows["dimensions"] = [
        {
            "task": TASK,
            "dimension": dimension,
            "position": str(at),
            "name": name,
            "ask": f"{name}.",
            "family": family,
            "unit": unit,
            "period": "FY2023",
            "answer_type": "precise",
        }
        for at, (dimension, name, family, unit) in enumerate(DIMENSIONS, 1)
    ]
    for name in ("cells", "sources", "facts", "steps", "near_misses"):
        rows[name] = []
    for maker in MAKERS:
        for name, found in _maker_rows(*maker):
            rows[name].append(found)
    return {name: sorted_rows(name, found) for name, found in rows.items()}


def audit() -> Audit:
    """An audit of that task: errors, warnings and one waived finding, with places of every kind."""
    folder = f"tasks/{TASK}"
    findings = [
        Finding(
            rule="C2-CAPTURE-STAND-IN",
            condition=Condition.SOURCED,
            severity="warning",
            file=f"{folder}/sources.csv",
            line=2,
            record="aurel-report-2023",
            fields=("capture",),
            observed="the capture is a figure sheet",
            expected="the document itself",
            fix="capture the document",
        ),
        Finding(
            rule="C2-QUOTE-ABSENT",
            condition=Condition.SOURCED,
            severity="error",
            file=f"{folder}/facts.csv",
            line=14,
            record="cindra.vehicles.fy2023",
            fields=("quote",),
            observed="160 thousand, twice",
            expected="the quote once in the capture",
            fix="copy the excerpt again",
        ),
        Finding(
            rule="C5-CLAIM-WRONG",
            condition=Condition.SCORABLE,
            severity="error",
            file=f"{folder}/task.yaml",
            line=61,
            record="aurel/gross_profit_per_vehicle",
            fields=("near_misses", "claim"),
            observed="29 % above",
            expected="34 % below",
            fix="mend the claim",
        ),
        Finding(
            rule="C1-REVIEWER-IS-ANNOTATOR",
            condition=Condition.COMPLETE,
            severity="error",
            file=f"{folder}/cells.csv",
            line=9,
            record="borea/revenue",
            fields=("reviewer",),
            observed="ana",
            expected="another person",
            waived="two people only in the first week",
        ),
        Finding(
            rule="C5-NEAR-MISS-INDISTINGUISHABLE",
            condition=Condition.SCORABLE,
            severity="warning",
            file=f"{folder}/task.yaml",
            line=80,
            record="segment_share",
            observed="a near miss inside the interval",
        ),
    ]
    return Audit(tool="cellwright 0.1.0", tasks=(conclude(TASK, 64, findings, counts={"facts": 40, "sources": 9}),))


def _task() -> dict[str, str]:
    return {
        "task": TASK,
        "title": "Unit economics of electric-vehicle makers",
        "profile": "deepweb-8x8",
        "domain": "industrials_transport",
        "language": "en",
        "as_of": "2024-06-30",
        "licence": "CC-BY-4.0",
        "status": "review",
        "comparability": "1",
        "contributors": '["ana","ben"]',
        "question": "For eight makers of electric vehicles, how much does each earn on a vehicle, and how much of it "
        "would be left after a price cut of a tenth?",
        "assumptions": canonical_json(
            [{"id": "price_cut", "value": "10", "unit": "percent", "reason": "scenario given in the question"}]
        ),
    }


def _maker_rows(
    entity: str, name: str, segment: int, total: int, vehicles: int, margin: str
) -> Iterator[tuple[str, dict[str, str]]]:
    source = f"{entity}-report-2023"
    yield (
        "sources",
        {
            "task": TASK,
            "source": source,
            "url": f"https://www.{entity}.example/reports/2023.html",
            "title": f"{name}: annual report 2023",
            "publisher": name,
            "published": "2024-03-26",
            "accessed": "2024-05-02",
            "media_type": "text/html",
            "tier": "T1",
            "tier_reason": "annual report, audited",
            "sha256": f"{len(entity) * 7919:064x}",
            "via": "stand-in" if entity == "aurel" else "live",
        },
    )
    printed = {
        "auto_revenue": (f"{segment},000", "6", f"{segment}000000000", "CNY"),
        "total_revenue": (f"{total},000", "6", f"{total}000000000", "CNY"),
        "auto_gross_margin": (f"({margin[1:]})" if margin.startswith("-") else margin, "0", margin, "percent"),
        "vehicles": (f"{vehicles:,}", "3", f"{vehicles}000", "vehicle"),
    }
    for fact, (as_written, scale, value, unit) in printed.items():
        yield "facts", _fact(entity, fact, source, as_written, scale, value, unit)
    if entity == "aurel":
        yield "sources", _press()
        yield (
            "facts",
            {
                **_fact(entity, "vehicles", "press-note", "4,600", "3", "4600000", "vehicle"),
                "fact": "aurel.vehicles.fy2023.press",
                "rank": "trap",
                "quote": "Aurel says it sold 4,600 thousand cars last year",
            },
        )
    for dimension, _, family, unit in DIMENSIONS:
        yield from _cell_rows(
            entity, dimension, family, unit, Decimal(segment), Decimal(total), Decimal(vehicles), Decimal(margin)
        )


def _press() -> dict[str, str]:
    return {
        "task": TASK,
        "source": "press-note",
        "url": "https://press.example/aurel",
        "title": "Aurel's record year",
        "publisher": "The Daily Motor",
        "published": "2024-01-03",
        "accessed": "2024-05-02",
        "media_type": "text/html",
        "tier": "T3",
        "tier_reason": "press",
        "sha256": "",
        "via": "",
    }


def _fact(entity: str, name: str, source: str, as_written: str, scale: str, value: str, unit: str) -> dict[str, str]:
    label = name.replace("_", " ").capitalize()
    return {
        "task": TASK,
        "fact": f"{entity}.{name}.fy2023",
        "entity": entity,
        "name": name,
        "source": source,
        "as_written": as_written,
        "period": "FY2023",
        "rank": "primary",
        "value": value,
        "scale": scale,
        "sign": "shown",
        "unit": unit,
        "quote": f"{label} {as_written} 1,234 (1,234)",
        "row": label,
        "column": "2023",
        "basis": "reported",
        "scope": "segment",
    }


def _cell_rows(
    entity: str,
    dimension: str,
    family: str,
    unit: str,
    segment: Decimal,
    total: Decimal,
    vehicles: Decimal,
    margin: Decimal,
) -> Iterator[tuple[str, dict[str, str]]]:
    billion, thousand = Decimal(10) ** 9, Decimal(1000)
    expressions = {
        "revenue": ("total_revenue", total * billion, ("total_revenue",)),
        "gross_profit_per_vehicle": (
            "auto_gross_profit / vehicles",
            CONTEXT.divide(segment * billion * margin / 100, vehicles * thousand),
            ("auto_revenue", "auto_gross_margin", "vehicles"),
        ),
        "segment_share": (
            "auto_revenue / total_revenue",
            CONTEXT.divide(segment * 100, total),
            ("auto_revenue", "total_revenue"),
        ),
        "gross_margin": ("auto_gross_margin", margin, ("auto_gross_margin",)),
        "revenue_per_vehicle": (
            "auto_revenue / vehicles",
            CONTEXT.divide(segment * billion, vehicles * thousand),
            ("auto_revenue", "vehicles"),
        ),
        "vehicles": ("vehicles", vehicles * thousand, ("vehicles",)),
        "margin_rank": (
            "rank(auto_gross_margin, all.auto_gross_margin, descending)",
            Decimal(sorted(-Decimal(maker[5]) for maker in MAKERS).index(-margin) + 1),
            ("auto_gross_margin",),
        ),
        "stressed_margin": (
            "(auto_gross_margin - price_cut) / (1 - price_cut)",
            CONTEXT.divide(margin - 10, Decimal("0.9")),
            ("auto_gross_margin",),
        ),
    }
    expr, value, names = expressions[dimension]
    text = canonical(value)
    cell = {
        "task": TASK,
        "entity": entity,
        "dimension": dimension,
        "family": family,
        "ask": f"{next(name for key, name, *_ in DIMENSIONS if key == dimension)} of the fiscal year.",
        "unit": unit,
        "period": "FY2023",
        "period_start": "2023-01-01",
        "period_end": "2023-12-31",
        "answer_type": "precise",
        "value": text,
        "agreement": "single",
        "rule": PP_RULE if unit == "percent" else RULE,
        "inputs": canonical_json([f"{entity}.{name}.fy2023" for name in names]),
        "sources": canonical_json([f"{entity}-report-2023"]),
    }
    if value and unit not in ("rank", "vehicle"):
        cell |= {
            "interval_low": canonical(value * Decimal("0.9991")),
            "interval_high": canonical(value * Decimal("1.0009")),
        }
    steps = [("answer", expr, text, unit)]
    if dimension == "gross_profit_per_vehicle":
        steps.insert(
            0,
            (
                "auto_gross_profit",
                "auto_revenue * auto_gross_margin",
                canonical(segment * billion * margin / 100),
                "CNY",
            ),
        )
    if dimension == "stressed_margin":
        low, high = canonical(value), canonical(value + 3)
        cell |= {
            "answer_type": "range",
            "value": "",
            "low": low,
            "high": high,
            "interval_low": "",
            "interval_high": "",
            "method": "none of the cut, or a third of it, is passed to suppliers",
        }
        steps = [("low", expr, low, unit), ("high", f"{expr} + passed_on", high, unit)]
    if (entity, dimension) in (("gorma", "margin_rank"), ("hyle", "segment_share")):
        cell |= {
            "answer_type": "not_available",
            "value": "",
            "agreement": "",
            "reason_code": "not_separately_reported",
            "inputs": "[]",
            "interval_low": "",
            "interval_high": "",
            "note": "The report gives no segment figures; the notes and the filing were read.",
        }
        steps = []
    if (entity, dimension) == ("aurel", "vehicles"):
        cell |= {
            "agreement": "divergent",
            "reason_code": "definition",
            "chosen": "aurel.vehicles.fy2023",
            "note": "Deliveries, not registrations.",
        }
    if (entity, dimension) == ("borea", "revenue"):
        cell |= {"agreement": "consistent"}
    cell["digest"] = cell_digest(cell, [])
    yield "cells", cell
    for at, (step, written, result, of) in enumerate(steps, 1):
        yield (
            "steps",
            {
                "task": TASK,
                "entity": entity,
                "dimension": dimension,
                "position": str(at),
                "step": step,
                "expr": written,
                "why": "the margin is the segment's" if step == "auto_gross_profit" else "",
                "value": result,
                "unit": of,
                "low": result,
                "high": result,
                "inputs": canonical_json([f"fact:{entity}.{name}.fy2023" for name in names if name in written]),
            },
        )
    if dimension == "gross_profit_per_vehicle":
        miss = CONTEXT.divide(total * billion * margin / 100, vehicles * thousand)
        yield (
            "near_misses",
            {
                "task": TASK,
                "entity": entity,
                "dimension": dimension,
                "near_miss": "total_for_segment",
                "value": canonical(miss),
                "why": "company total for segment",
                "indistinguishable": "",
                "inputs": canonical_json([f"{entity}.total_revenue.fy2023"]),
            },
        )
