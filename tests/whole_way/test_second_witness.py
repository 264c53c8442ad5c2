"""A page's own tag from the command line: `locate` shows it, `audit` warns where it contradicts what is printed."""

from __future__ import annotations

import json
from pathlib import Path

from cellwright.records.rows import TASK_TABLES
from cellwright.records.tables import write_table
from tests.documents.test_tags import statement, tag
from tests.whole_way.conftest import run_program

TASK = """schema: 1
id: witness
title: t
domain: consumer
as_of: 2025-12-31
question: q
entities:
  - {id: acme, name: Acme Corp., currency: USD}
dimensions:
  - {id: d, name: n, ask: a, family: retrieval, unit: USD, answer_type: precise}
"""
FACT = {
    "id": "cost",
    "entity": "acme",
    "name": "cost",
    "source": "report",
    "period": "2023-01-01/2023-12-31",
    "rank": "witness",
    "unit": "USD",
    "row": "Cost of sales",
    "as_written": "(1,877)",
    "value": "-1877000000",
    "scale": "6",
    "sign": "shown",
}
SOURCE = {
    "id": "report",
    "url": "https://reports.example.org/r.html",
    "title": "r",
    "media_type": "text/html",
    "locale": "en",
}


def captured(root: Path, page: str) -> Path:
    """A repository with one fact of one captured page."""
    folder = root / "tasks" / "witness"
    folder.mkdir(parents=True)
    (root / "sources").mkdir()
    (folder / "task.yaml").write_text(TASK, encoding="utf-8")
    for name, rows in (("facts", [FACT]), ("sources", [SOURCE]), ("cells", [])):
        (folder / f"{name}.csv").write_bytes(write_table(rows, TASK_TABLES[name].columns()))
    (root / "page.html").write_text(page, encoding="utf-8")
    run_program("capture", "witness", "--from", "page.html", "report", cwd=root)
    return root


def test_a_tag_of_another_scale_is_shown_and_warned_of_and_fills_nothing(tmp_path: Path) -> None:
    root = captured(tmp_path, statement(tag("1,877", scale="3", format="ixt:num-dot-decimal")))
    said = json.loads(run_program("locate", "witness", "--format", "json", cwd=root))["facts"][0]
    assert (said["status"], said["value_read"]) == ("exact", "-1877000000")
    assert said["witness"] == {
        "concept": "a:Cost",
        "value": "1877000",
        "unit": "USD",
        "start": "2023-01-01",
        "end": "2023-12-31",
        "says": "scale",
    }
    audit = json.loads(run_program("audit", "witness", "--format", "json", cwd=root, code=1))
    told = [finding for finding in audit["tasks"][0]["findings"] if finding["rule"] == "C2-TAG-DIFFERS"]
    assert [(finding["severity"], finding["record"]) for finding in told] == [("warning", "cost")]


def test_a_tag_that_agrees_is_shown_and_not_warned_of(tmp_path: Path) -> None:
    root = captured(tmp_path, statement(tag("1,877", scale="6", format="ixt:num-dot-decimal")))
    said = json.loads(run_program("locate", "witness", "--format", "json", cwd=root))["facts"][0]
    assert said["witness"]["says"] == "agrees"
    audit = json.loads(run_program("audit", "witness", "--format", "json", cwd=root, code=1))
    assert "C2-TAG-DIFFERS" not in {finding["rule"] for finding in audit["tasks"][0]["findings"]}
