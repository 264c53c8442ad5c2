"""A small task of two makers whose pages are served on this machine, for what happens between fetches."""

from __future__ import annotations

import csv
from pathlib import Path

from cellwright.records.rows import CellRow, Fact, Source
from cellwright.records.tables import write_table
from tests.cli.workshop import Workshop
from tests.loopback import Server, answer

TASK = "makers"
TASK_YAML = """\
schema: 1
id: makers
title: Makers
domain: industrials_transport
as_of: 2025-12-31
question: q
entities:
  - {id: aurel, name: Aurel Motor Company, currency: USD}
  - {id: borea, name: Borea Automotive, currency: USD}
periods:
  FY2023: {default: 2023-01-01/2023-12-31}
dimensions:
  - {id: revenue, name: Revenue, ask: Revenue., family: retrieval, unit: USD, period: FY2023, answer_type: precise}
"""
HTML = "Content-Type: text/html; charset=utf-8"
NAMES = {"aurel": "Aurel Motor Company", "borea": "Borea Automotive"}
FIGURES = {"aurel": ("383,285", "214,137"), "borea": ("118,000", "90,500")}


def page(maker: str, revenue: str = "", cost: str = "", *, extra: str = "", heads: str = "2023", row: str = "") -> str:
    """A maker's annual figures."""
    first, second = FIGURES[maker]
    return (
        f"<html><body><h1>{NAMES[maker]}</h1><p>Fiscal years end on December 31.</p>{extra}"
        f"<table><tr><th>(in millions)</th><th>{heads}</th></tr>"
        f"<tr><td>{row or 'Total net sales'}</td><td>{revenue or first}</td></tr>"
        f"<tr><td>Cost of sales</td><td>{cost or second}</td></tr></table></body></html>"
    )


def serve(server: Server, maker: str, text: str) -> None:
    """Put a page at the maker's address."""
    server.routes[f"/{maker}"] = answer("200 OK", text.encode(), HTML)


def write_task(root: Path, url: str) -> Workshop:
    """The repository with the task, its sources not captured and its facts not located."""
    folder = root / "tasks" / TASK
    folder.mkdir(parents=True)
    (root / "sources").mkdir()
    (folder / "task.yaml").write_text(TASK_YAML, encoding="utf-8")
    sources = [
        {
            "id": f"{maker}-report",
            "url": f"{url}/{maker}",
            "title": f"Report of {name}",
            "publisher": name,
            "published": "2024-02-01",
            "accessed": "2024-03-01",
            "media_type": "text/html",
            "locale": "en",
            "tier": "T1",
            "tier_reason": "annual report",
        }
        for maker, name in NAMES.items()
    ]
    facts = [
        {
            "id": f"{maker}.{name}.fy2023",
            "entity": maker,
            "name": name,
            "source": f"{maker}-report",
            "as_written": figure,
            "period": "FY2023",
            "rank": "primary",
            "unit": "USD",
            "row": row,
        }
        for maker, figures in FIGURES.items()
        for name, row, figure in zip(("revenue", "cost"), ("Total net sales", "Cost of sales"), figures, strict=True)
    ]
    (folder / "sources.csv").write_bytes(write_table(sources, Source.columns()))
    (folder / "facts.csv").write_bytes(write_table(facts, Fact.columns()))
    (folder / "cells.csv").write_bytes(write_table([], CellRow.columns()))
    return Workshop(root)


def rows(workshop: Workshop, name: str) -> list[dict[str, str]]:
    """The rows of a table by its path below the root."""
    with (workshop.root / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def facts(workshop: Workshop) -> dict[str, dict[str, str]]:
    """The facts by id."""
    return {row["id"]: row for row in rows(workshop, f"tasks/{TASK}/facts.csv")}


def pins(workshop: Workshop) -> dict[str, str]:
    """The pin of each source."""
    return {row["id"]: row["capture"] for row in rows(workshop, f"tasks/{TASK}/sources.csv")}


def captures(workshop: Workshop) -> list[dict[str, str]]:
    """The captures that captures.csv tells; an attempt that brought none has no sha256."""
    return [row for row in rows(workshop, "sources/captures.csv") if row["sha256"]]
