"""Facts from a PDF, a workbook, a CSV and a JSON document: captured, located, written, audited; tampered ones told."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import openpyxl
import pytest

from cellwright.records.repository_rows import MirrorRow
from cellwright.records.rows import TASK_TABLES
from cellwright.records.tables import write_table
from tests.whole_way.conftest import run_program

URL = "https://reports.example.org"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
FILES = {
    "report-pdf": ("report.pdf", "application/pdf"),
    "book-xlsx": ("book.xlsx", XLSX),
    "list-csv": ("list.csv", "text/csv"),
    "facts-json": ("facts.json", "application/json"),
}
PDF = "ADOBE_2022_10K.pdf"
TASK_YAML = """schema: 1
id: others
title: Other documents
domain: technology
as_of: 2025-12-31
question: What do other documents say?
entities:
  - {id: adobe, name: Adobe Inc., aliases: [Adobe], currency: USD}
periods:
  FY2022: {default: 2021-12-04/2022-12-02}
  FY2021: {default: 2020-11-28/2021-12-03}
dimensions:
  - {id: revenue, name: Revenue, ask: Revenue, family: retrieval, unit: USD, answer_type: precise, period: FY2022}
"""
FACTS = {  # id, name, source, period, unit, row → the figure as it must come back, value, and place
    "pdf_revenue": ("revenue", "report-pdf", "FY2022", "USD", "Total revenue", "17,606", "17606000000", "54"),
    "pdf_revenue_before": ("revenue", "report-pdf", "FY2021", "USD", "Total revenue", "15,785", "15785000000", "54"),
    "pdf_capex": ("capex", "report-pdf", "FY2022", "USD", "Purchases of property and equipment", "(442)", "", "57"),
    "book_staff": ("headcount", "book-xlsx", "FY2022", "employee", "Headcount", "29239", "29239", "Staff!D2"),
    "book_rent": ("rent", "book-xlsx", "FY2022", "USD", "Rent", "120.5", "120500000", "Costs!B3"),
    "list_orders": ("orders", "list-csv", "FY2022", "USD", "Orders", "1300", "1300000000", "D2"),
    "json_cost": (
        "cost_of_revenue",
        "facts-json",
        "FY2022",
        "USD",
        "CostOfRevenue",
        "2165000000",
        "2165000000",
        "/facts/us-gaap/CostOfRevenue/units/USD/1/val",
    ),
}


def workbook() -> bytes:
    book = openpyxl.Workbook()
    costs = book.active
    assert costs is not None
    costs.title = "Costs"
    for row in (["USD million", "December 2, 2022", "December 3, 2021"], ["Power", 80, 70], ["Rent", 120.5, 110]):
        costs.append(row)
    staff = book.create_sheet("Staff")
    for row in (
        ["Company", "Metric", "Period end", "Value"],
        ["Adobe", "Headcount", "2022-12-02", 29239],
        ["Other Ltd", "Headcount", "2022-12-02", 5],
    ):
        staff.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def company_facts() -> bytes:
    items = [
        {"start": "2020-11-28", "end": "2021-12-03", "val": 1865000000, "accn": "a-1", "fy": 2022},
        {"start": "2021-12-04", "end": "2022-12-02", "val": 2165000000, "accn": "a-1", "fy": 2022},
    ]
    facts = {"us-gaap": {"CostOfRevenue": {"label": "Cost of Revenue", "units": {"USD": items}}}}
    return json.dumps({"entityName": "ADOBE INC.", "facts": facts}, indent=1).encode()


LIST = (
    b"Company,Metric,Period,Value (USD million)\nAdobe Inc.,Orders,2021-12-04/2022-12-02,1300\n"
    b"Adobe Inc.,Orders,2020-11-28/2021-12-03,1200\nOther Ltd,Orders,2021-12-04/2022-12-02,77\n"
)


@pytest.fixture(scope="module")
def captured(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small repository whose four sources are captured, three from a mirror and one from a file."""
    root = tmp_path_factory.mktemp("others")
    (root / "sources").mkdir()
    mirror = root / "mirror"
    mirror.mkdir()
    shutil.copy(shared_data / "pdf_financebench" / PDF, mirror / "report.pdf")
    (mirror / "book.xlsx").write_bytes(workbook())
    (mirror / "list.csv").write_bytes(LIST)
    rows = [
        {"url": f"{URL}/{file}", "file": file, "media_type": media_type, "fetched": "2025-03-31T00:00:00Z"}
        for file, media_type in FILES.values()
        if file != "facts.json"
    ]
    (mirror / "index.csv").write_bytes(write_table(rows, MirrorRow.columns()))
    (root / "facts.json").write_bytes(company_facts())
    folder = root / "tasks" / "others"
    folder.mkdir(parents=True)
    (folder / "task.yaml").write_text(TASK_YAML, encoding="utf-8")
    sources = [
        {
            "id": source,
            "url": f"{URL}/{file}",
            "title": source,
            "publisher": "Adobe",
            "published": "2023-01-17",
            "accessed": "2025-03-31",
            "media_type": media_type,
            "locale": "en",
            "tier": "T1",
            "tier_reason": "the issuer's own",
        }
        for source, (file, media_type) in FILES.items()
    ]
    (folder / "sources.csv").write_bytes(write_table(sources, TASK_TABLES["sources"].columns()))
    (folder / "cells.csv").write_bytes(write_table([], TASK_TABLES["cells"].columns()))
    write_facts(root, blind())
    run_program("capture", "others", "--from", root / "facts.json", "facts-json", cwd=root)
    run_program("capture", "others", "--mirror", mirror, cwd=root)
    return root


def blind() -> list[dict[str, str]]:
    """The facts with what identifies them; the size of an outflow is the curator's to say."""
    return [
        {
            "id": key,
            "entity": "adobe",
            "name": name,
            "source": source,
            "period": period,
            "rank": "primary",
            "unit": unit,
            "row": row,
            "sign": "reversed" if key == "pdf_capex" else "",
        }
        for key, (name, source, period, unit, row, *_) in FACTS.items()
    ]


def write_facts(root: Path, facts: list[dict[str, str]]) -> None:
    (root / "tasks" / "others" / "facts.csv").write_bytes(write_table(facts, TASK_TABLES["facts"].columns()))


def read_facts(root: Path) -> list[dict[str, str]]:
    text = (root / "tasks" / "others" / "facts.csv").read_text(encoding="utf-8")
    return [dict(row) for row in csv.DictReader(io.StringIO(text))]


def statuses(root: Path, code: int = 0) -> dict[str, str]:
    said = json.loads(run_program("locate", "others", "--format", "json", cwd=root, code=code))
    return {fact["id"]: fact["status"] for fact in said["facts"]}


@pytest.fixture
def written(captured: Path, tmp_path: Path) -> Path:
    """A copy of the repository whose facts `locate --write` has filled."""
    root = Path(shutil.copytree(captured, tmp_path / "copy"))
    run_program("locate", "others", "--write", cwd=root)
    return root


def test_what_is_written_is_the_figure_its_place_and_its_value(written: Path) -> None:
    facts = {fact["id"]: fact for fact in read_facts(written)}
    for key, (_, source, *_, figure, value, place) in FACTS.items():
        fact = facts[key]
        assert (fact["as_written"], fact["page" if source == "report-pdf" else "locator"]) == (figure, place), key
        assert fact["value"] == (value or "442000000")
        assert all(fact[name] for name in ("quote", "scale")), key


def test_the_audit_has_nothing_against_them_and_they_are_found_again(written: Path) -> None:
    audit = json.loads(run_program("audit", "others", "--format", "json", cwd=written, code=1))
    (task,) = audit["tasks"]
    assert [finding for finding in task["findings"] if finding["rule"].startswith("C2-")] == []
    assert set(statuses(written).values()) == {"exact"}


TAMPERED = [
    ("pdf_revenue", "as_written", "17,607"),
    ("pdf_revenue", "as_written", "15,785"),
    ("pdf_revenue", "scale", "3"),
    ("book_staff", "as_written", "5"),
    ("book_rent", "as_written", "120.6"),
    ("list_orders", "as_written", "77"),
    ("list_orders", "locator", "D3"),
    ("json_cost", "as_written", "1865000000"),
    ("json_cost", "scale", "3"),
    ("json_cost", "locator", "/facts/us-gaap/CostOfRevenue/units/USD/0/val"),
]


def test_tampered_facts_are_told(written: Path) -> None:
    right = {fact["id"]: fact for fact in read_facts(written)}
    wrong = [{**right[key], field: text, "id": f"wrong_{number}"} for number, (key, field, text) in enumerate(TAMPERED)]
    write_facts(written, [*right.values(), *wrong])
    found = statuses(written, code=1)
    assert {key: status for key, status in found.items() if key in right} == dict.fromkeys(right, "exact")
    assert [
        TAMPERED[int(key.removeprefix("wrong_"))]
        for key, status in found.items()
        if key not in right and status == "exact"
    ] == []
