"""A small repository that can be released: real git, a real DVC remote folder, tasks of three breweries each."""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cellwright.records.repository_rows import MirrorRow
from cellwright.records.rows import TASK_TABLES
from cellwright.records.tables import write_table
from tests.cli.workshop import Result, run

PROFILE = """\
id: tiny
entities: 3
dimensions: 2
families: {retrieval: 1, derivation: 1}
domains: [consumer]
"""
PIPELINE = """\
stages:
  audit:
    cmd: cellwright audit --format json --out build/audit.json
    deps: [sources/captures, sources/captures.csv, tasks]
    params: [audit]
    outs: [build/audit.json]
  bundle:
    cmd: cellwright bundle --out build/bundle
    deps:
      [build/audit.json, releases/CHANGELOG.md, releases/advisories.csv, sources/captures, sources/captures.csv, tasks]
    params: [audit, bundle]
    outs: [build/bundle]
"""
PARAMS = """\
# What this benchmark sets for itself.
audit:
  constant_guess_mean: 0.5
bundle:
  name: breweries   # its name
  version: 0.1.0
  canary: cellwright-canary-0b4f9a52-1d0f-4a52-8c55-a2f3d4c1b7e6
"""
TASK = """\
# Three breweries: the only figures that both publish.
schema: 1
id: {task}
title: Breweries of {place}
profile: tiny
domain: consumer
language: en
as_of: 2024-12-31
licence: CC-BY-4.0
status: review   # ready
comparability: 1
contributors: [ana, ben]
question: How did three breweries of {place} fare in their fiscal year 2023?
entities:
{entities}
periods:
  FY2023: {{default: 2023-01-01/2023-12-31}}
dimensions:
  - id: revenue
    name: Revenue
    ask: Revenue of the fiscal year, as first reported.
    family: retrieval
    unit: USD
    period: FY2023
    answer_type: precise
    steps: [{{id: answer, expr: revenue}}]
    scoring: {{full: 0.1%}}
    near_misses:
      - {{id: cost_for_revenue, expr: cost, why: the line below}}
  - id: cost_share
    name: Part of cost
    ask: Cost of sales in percent of revenue, to one decimal.
    family: derivation
    unit: percent
    period: FY2023
    answer_type: precise
    steps: [{{id: answer, expr: cost / revenue}}]
    scoring: {{full: 0.05 pp}}
    near_misses:
      - {{id: margin, expr: (revenue - cost) / revenue, why: the other part}}
"""
NAMES = ("alder", "birch", "cedar")
FIGURES = {"alder": ("6,104", "1,837"), "birch": ("58,400", "32,171"), "cedar": ("2,904,000", "2,439,381")}
HTML = "text/html"


def git(root: Path, *arguments: str) -> str:
    """What git says."""
    done = subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@dataclass(frozen=True)
class Shop:
    """A repository with its remote beside it."""

    root: Path

    def inside(self, *arguments: str) -> None:
        """Run the program in this process, where nothing but its work is wanted; it must say yes."""
        from cellwright.cli.app import app

        told = io.StringIO()
        with contextlib.chdir(self.root), contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
            code = app(list(arguments), prog_name="cellwright", standalone_mode=False)
        assert not code, (arguments, told.getvalue())

    def run(self, *arguments: str | Path, env: dict[str, str] | None = None) -> Result:
        """Run the program in the repository."""
        return run(*arguments, cwd=self.root, env=env)

    def commit(self, message: str) -> None:
        """Commit everything but what only the pipeline writes."""
        git(self.root, "add", "-A")
        git(self.root, "commit", "-qm", message)

    def cut(self, *arguments: str) -> Result:
        """Cut a release without being asked."""
        return self.run("release", "cut", *arguments, "--yes")

    def add_task(self, task: str, *, shift: int = 0, wrong_row: bool = False, via: str = "") -> None:
        """A task ready to be released, its captures under DVC; `shift` makes its figures its own."""
        place = f"{task.title()} Valley"
        folder, mirror = self.root / "tasks" / task, self.root.parent / f"mirror-{task}"
        folder.mkdir(parents=True)
        mirror.mkdir()
        entities = "".join(
            f"  - {{id: {name}, name: {_company(name, task)}, currency: USD}}\n" for name in NAMES
        ).rstrip()
        (folder / "task.yaml").write_text(TASK.format(task=task, place=place, entities=entities), encoding="utf-8")
        sources, facts, index = [], [], []
        for name in NAMES:
            url, file = f"https://www.{name}-{task}.org/2023.html", f"{name}.html"
            revenue, cost = (_shifted(text, shift) for text in FIGURES[name])
            (mirror / file).write_text(_page(_company(name, task), revenue, cost), encoding="utf-8")
            index.append({"url": url, "file": file, "media_type": HTML, "fetched": "2024-11-01T00:00:00Z", "via": via})
            sources.append(_source(name, url, _company(name, task)))
            wrong = wrong_row and name == "birch"
            read = _shifted(revenue, 1000) if wrong else revenue
            row = "Sales with excise" if wrong else "Revenue"
            facts += [_fact(name, "revenue", read, row), _fact(name, "cost", cost, "Cost of sales")]
        cells = [
            {"entity": name, "dimension": dimension, "annotator": "ana", "reviewer": "ben"}
            for name in NAMES
            for dimension in ("revenue", "cost_share")
        ]
        searches = [
            {"entity": "*", "dimension": "*", "query": "annual figures", "date": "2024-11-03", "outcome": "nobody else"}
        ]
        tables = {"sources": sources, "facts": facts, "cells": cells, "searches": searches}
        for table, rows in tables.items():
            self.write_table(task, table, rows)
        (mirror / "index.csv").write_bytes(write_table(index, MirrorRow.columns()))
        self.inside("capture", task, "--mirror", str(mirror))
        self.inside("locate", task, "--write", "--yes")
        self.inside("derive", task, "--write")

    def write_table(self, task: str, table: str, rows: Sequence[dict[str, str]]) -> None:
        """One table of a task."""
        path = self.root / "tasks" / task / f"{table}.csv"
        path.write_bytes(write_table(rows, TASK_TABLES[table].columns()))

    def rows(self, path: str) -> list[dict[str, str]]:
        """The rows of a table by its path."""
        with (self.root / path).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def correct(self, task: str) -> None:
        """The fact that was read from the wrong row, read from the right one; told in corrections.csv."""
        facts = self.rows(f"tasks/{task}/facts.csv")
        fact = next(row for row in facts if row["id"] == "birch.revenue.fy2023")
        old = fact["as_written"]
        right = _shifted(old, -1000)
        for column in ("value", "scale", "sign", "quote", "prefix", "suffix", "column"):
            fact[column] = ""
        fact.update(as_written=right, row="Revenue")
        self.write_table(task, "facts", facts)
        self.inside("locate", task, "--write", "--yes")
        cells = self.rows(f"tasks/{task}/cells.csv")
        self.write_table(task, "cells", [{**row, "stated_value": ""} for row in cells])
        correction = {
            "id": "c1",
            "entity": "birch",
            "fact": "birch.revenue.fy2023",
            "old": old,
            "new": right,
            "code": "reading",
            "reported_by": "a reader",
            "evidence_url": f"https://www.birch-{task}.org/2023.html",
        }
        self.write_table(task, "corrections", [correction])

    def tags(self) -> list[str]:
        """The names of the tags."""
        return git(self.root, "tag", "--list").split()

    def listed(self) -> list[dict[str, Any]]:
        """What `release list` tells."""
        done = self.run("release", "list", "--format", "json")
        assert done.code == 0, done.err
        return list(done.json["releases"])


def make_shop(root: Path, *tasks: str, wrong_row: str = "") -> Shop:
    """A repository with its tasks committed, and nothing released yet."""
    from dvc.repo import Repo

    for folder in ("tasks", "sources", "profiles", "releases"):
        (root / folder).mkdir(parents=True)
    git(root, "init", "-q", "-b", "main")
    git(root, "config", "user.name", "Ana")
    git(root, "config", "user.email", "ana@example.org")
    with Repo.init(str(root)):
        pass
    (root / ".dvc" / "config").write_text(
        "[core]\n    remote = store\n    analytics = false\n['remote \"store\"']\n    url = ../../store\n"
    )
    for name, text in {
        "profiles/tiny.yaml": PROFILE,
        "dvc.yaml": PIPELINE,
        "params.yaml": PARAMS,
        ".gitignore": "/build/\n.cellwright/\n",
        "sources/registry.csv": "publisher,domain,owner,default_tier,note\n",
    }.items():
        (root / name).write_text(text, encoding="utf-8")
    shop = Shop(root)
    for place, task in enumerate(tasks):
        shop.add_task(task, shift=7 * place, wrong_row=task == wrong_row)
    shop.commit("The first tasks")
    return shop


def copy_shop(shop: Shop, folder: Path) -> Shop:
    """A copy of the repository and its remote."""
    shutil.copytree(shop.root.parent, folder, symlinks=True)
    return Shop(folder / shop.root.name)


def got(shop: Shop, tag: str, folder: Path) -> dict[str, Any]:
    """The bundle of a tag as somebody gets it elsewhere: from the remote alone. Gives its `bundle.json`."""
    from cellwright.clients.dvc import get

    cache = folder / "moved"
    moved = shop.root / ".dvc" / "cache"
    os.rename(moved, cache)
    try:
        get(str(shop.root), "build/bundle", tag, folder / "bundle")
    finally:
        shutil.rmtree(moved, ignore_errors=True)
        os.rename(cache, moved)
    return dict(json.loads((folder / "bundle" / "bundle.json").read_text(encoding="utf-8")))


def sha256(path: Path) -> str:
    """Of a file's bytes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def trailer(shop: Shop, tag: str, key: str) -> str:
    """What a tag's message says under a key."""
    text = git(shop.root, "for-each-ref", "--format=%(contents)", f"refs/tags/{tag}")
    return dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)[key]


def _company(name: str, task: str) -> str:
    return f"{name.title()} Brewing of {task.title()}"


def _shifted(text: str, by: int) -> str:
    return f"{int(text.replace(',', '')) + by:,}"


def _page(company: str, revenue: str, cost: str) -> str:
    rows = (("Sales with excise", _shifted(revenue, 1000)), ("Revenue", revenue), ("Cost of sales", cost))
    body = "".join(f"<tr><td>{label}</td><td>{figure}</td></tr>" for label, figure in rows)
    return (
        f"<html><body><h1>{company}</h1><p>Annual report. Fiscal years end on December 31.</p>"
        f"<table><tr><th>(in millions of USD)</th><th>2023</th></tr>{body}</table></body></html>"
    )


def _source(name: str, url: str, publisher: str) -> dict[str, str]:
    return {
        "id": f"{name}-report",
        "url": url,
        "title": f"Report of {publisher}",
        "publisher": publisher,
        "published": "2024-03-01",
        "accessed": "2024-11-01",
        "media_type": HTML,
        "locale": "en",
        "tier": "T1",
        "tier_reason": "the issuer's own annual report",
    }


def _fact(entity: str, name: str, figure: str, row: str) -> dict[str, str]:
    return {
        "id": f"{entity}.{name}.fy2023",
        "entity": entity,
        "name": name,
        "source": f"{entity}-report",
        "as_written": figure,
        "period": "FY2023",
        "rank": "primary",
        "unit": "USD",
        "row": row,
    }
