"""What a reader is not sure of reaches the people at the command line: in `locate`, and in the audit."""

from __future__ import annotations

import io
import json
from pathlib import Path

import openpyxl
import pytest

from tests.documents.small_files import pdf_of
from tests.whole_way.conftest import run_program
from tests.whole_way.small_tasks import Trap, fact, findings, located, make

LEAD = "<p>The group sold more than in the year before, as its board said today in its yearly report to owners.</p>"
PAGE = f"""<!doctype html><html><head><meta charset="windows-1252"><title>Yearly report</title>
<meta property="og:site_name" content="The Group"><meta property="article:published_time" content="2024-02-21">
</head><body><main><article><h1>Yearly report</h1>{LEAD * 5}<p>Umsatzerlöse in Mio. €</p>
<table><tr><td></td><td>2023</td></tr><tr><td>Revenue</td><td>1,234.5</td></tr></table></article></main></body></html>"""


def workbook() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "S"
    for row in (["USD million", "2023-12-31"], ["Sales", 5], ["Cost", 3], ["Profit", "=B2-B3"], ["Tax", "#REF!"]):
        sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    scan = pdf_of([[(72, 700, "Report")], []], images=[1])
    facts = [
        fact("revenue", "page", "FY2023", "Revenue"),
        fact("profit", "book", "FY2023", "Profit", locator="S!B4"),
        fact("cost", "scan", "FY2023", "Cost of sales"),
    ]
    sources: dict[str, str | bytes] = {"page": PAGE.encode(), "book": workbook(), "scan": scan}
    return make(tmp_path / "repository", None, Trap("The Group", sources, facts, title=""))


def test_locate_tells_each_doubt_and_what_a_page_proposes(root: Path) -> None:
    said = json.loads(run_program("locate", "trap", "--format", "json", cwd=root, code=1))
    documents = {read["source"]: read for read in said["documents"]}
    page = documents["page"]
    assert (page["encoding"], page["encoding_by"]) == ("cp1252", "meta")
    assert "looks read with a wrong encoding: 'UmsatzerlÃ¶' where 'Umsatzerlö' may be meant" in page["doubts"][0]
    assert page["proposals"] == {"title": "Yearly report"}
    assert documents["book"]["doubts"] == [
        "1 formulas have no stored value: save the workbook in a spreadsheet program, and capture that",
        "cells of the sheet 'S' hold an error and no value: B5 #REF!",
    ]
    assert "page 2 of 2 without text, an image only (scanned)" in documents["scan"]["doubts"][0]
    people = run_program("locate", "trap", cwd=root, code=1)
    assert "proposal: page: `title` may be 'Yearly report'" in people
    assert sum(line.startswith("doubt: ") for line in people.splitlines()) == 4


def test_a_fact_that_is_not_there_is_told_with_the_doubt_that_may_explain_it(root: Path) -> None:
    found = located(root, 1)
    assert found["it.profit.book"]["status"] == "absent"
    assert "1 formulas have no stored value" in found["it.profit.book"]["why"]
    assert "image only (scanned)" in found["it.cost.scan"]["why"]


def test_the_audit_repeats_each_doubt_at_its_source(root: Path) -> None:
    told = findings(root, "C2-READING-DOUBT")
    assert sorted(finding["record"] for finding in told) == ["book", "book", "page", "scan"]
    assert {finding["severity"] for finding in told} == {"warning"}
