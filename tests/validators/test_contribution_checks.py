"""What is held against a contribution: formulas, addresses, names, markup; what is right stays unsaid."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from cellwright.records.contribution import CHECKS, Manifest, read_manifest
from cellwright.records.errors import UnreadableInput
from cellwright.records.rows import TASK_TABLES
from cellwright.records.tables import read_table, write_table
from cellwright.records.yaml_text import read_yaml
from cellwright.validators.contributions.addresses import address_fault, address_findings
from cellwright.validators.contributions.formulas import is_formula
from cellwright.validators.contributions.names import name_findings
from cellwright.validators.contributions.texts import (
    Said,
    imitation_findings,
    said_in_table,
    said_in_yaml,
    text_findings,
)
from tests.power.clean_tasks import clean_task

FORMULAS = (
    *("=1+1", " =1", "\t=1", "\r=1", "＝1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3+cmd|' /C calc'!A0", "-A1"),
    *("- Revenue", "+A1*2", "-5+SUM(A1)", "-5+SUM (A1)", '-5&"x"', "=", "-(A1)", "@x"),
)
NO_FORMULAS = (
    *("-5", "+3.2 %", "-1,234 million", "-", "–", "--", "(5)", "-$5.2", "- 5", "−5", "-(5)", "+1-555-0100", "@", ""),
    *("-5.2% decrease (2022: -3)", "a=b", "1=1", "x@y.example", "△5", "-€ 1.234,5"),
)


@pytest.mark.parametrize("text", FORMULAS)
def test_what_a_spreadsheet_would_run_is_a_formula(text: str) -> None:
    assert is_formula(text)


@pytest.mark.parametrize("text", NO_FORMULAS)
def test_numbers_dashes_and_text_are_no_formulas(text: str) -> None:
    assert not is_formula(text)


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("https://www.sec.gov/Archives/x.htm", ""),
        ("http://8.8.8.8/x", ""),
        ("https://xn--mnchen-3ya.de/", ""),
        ("file:///etc/passwd", "not one of the web"),
        ("javascript:alert(1)", "not one of the web"),
        ("ftp://a.example.com/", "not one of the web"),
        ("http://127.0.0.1/", "private network"),
        ("http://10.1.2.3:8080/", "private network"),
        ("http://169.254.169.254/latest", "private network"),
        ("http://[::1]/", "private network"),
        ("http://[::ffff:10.0.0.1]/", "private network"),
        ("http://[fe80::1%25eth0]/", "private network"),
        ("http://localhost/", "private network"),
        ("http://printer.local/", "private network"),
        ("http://intranet/", "private network"),
        ("http://2130706433/", "number"),
        ("http://0x7f.0x1/", "number"),
        ("http://127.1/", "number"),
        ("https://sec.gov@evil.example.com/", "user name"),
        ("https://a.example.com\\@b.example.com/", "backslashes"),
        ("http://a b/", "blanks"),
        ("http:///x", "no host"),
        ("http://a.example.com:99999/", "cannot be read"),
        ("http://[::1/", "cannot be read"),
        ("https://a.example.com/" + "x" * 5_000, "too long"),
    ],
)
def test_an_address_leads_to_a_public_document_or_is_told(url: str, fault: str) -> None:
    told = address_fault(url)
    assert fault in told
    assert bool(told) == bool(fault)


@pytest.mark.parametrize(
    ("host", "severity"),
    [
        ("www.apple.com", ""),
        ("xn--pple-43d.com", "error"),  # the first letter is Cyrillic
        ("xn--80ak6aa92e.com", "error"),  # every letter is
        ("xn--mnchen-3ya.de", "warning"),
        ("xn--" + "9" * 60 + ".com", ""),  # stands for nothing
    ],
)
def test_a_host_that_looks_like_a_publishers_is_told(host: str, severity: str) -> None:
    found = list(address_findings([Said(f"https://{host}/", "s", 1, "url")], ["apple.com", "sec.gov"]))
    assert [item.severity for item in found] == ([severity] if severity else [])


@pytest.mark.parametrize(
    ("name", "severity"),
    [
        ("Apple Inc.", ""),
        ("apple inc", ""),
        ("Nestle", ""),
        ("Аpple Inc.", "error"),  # the first letter is Cyrillic
        ("App1e", "warning"),
        ("Somebody else", ""),
    ],
)
def test_a_publisher_that_imitates_another_is_told(name: str, severity: str) -> None:
    found = list(imitation_findings([Said(name, "s", 1, "publisher")], ["Apple Inc.", "Nestlé S.A."]))
    assert [item.severity for item in found] == ([severity] if severity else [])


def findings_of(text: str, field: str = "title", source: str = "", *, there: bool = False) -> list[tuple[str, str]]:
    said = [Said(text, "task/sources.csv", 2, field, source=source)]
    return [(item.check, item.severity) for item in text_findings(said, lambda *_: there)]


@pytest.mark.parametrize(
    ("text", "field", "there", "told"),
    [
        ("Annual report 2023", "title", False, []),
        ("売上高 1,234百万円", "quote", False, []),
        ("a < b and c > d", "title", False, []),
        ("margin < base case", "title", False, []),
        ("R&D <b>bold</b>", "title", False, [("K-MARKUP", "warning")]),
        ("<script>x", "title", True, [("K-SCRIPT", "error")]),
        ("</SCRIPT>", "title", True, [("K-SCRIPT", "error")]),
        ("<script>x", "quote", False, [("K-SCRIPT", "error")]),
        ("<script>x", "quote", True, [("K-SCRIPT", "warning")]),
        ("x onload=go()", "title", False, [("K-SCRIPT", "error")]),
        ("javascript:go()", "note", False, [("K-SCRIPT", "error")]),
        ("once = 5 of them", "title", False, []),
        ("zero\u200bwidth", "title", False, [("K-HIDDEN-TEXT", "error")]),
        ("soft\u00adhyphen", "quote", False, [("K-HIDDEN-TEXT", "warning")]),
        ("turned\u202e", "quote", False, [("K-HIDDEN-TEXT", "error")]),
        ("Rеport", "title", False, [("K-LOOKALIKE", "error")]),
        ("Отчёт", "title", False, []),
        ("аurel", "entity", False, [("K-LOOKALIKE", "error"), ("K-LOOKALIKE", "error")]),
    ],
)
def test_a_text_is_told_for_what_it_hides_or_runs(
    text: str, field: str, there: bool, told: list[tuple[str, str]]
) -> None:
    assert findings_of(text, field, "s" if field == "quote" else "", there=there) == told


@pytest.mark.parametrize(
    "name",
    [
        *("contribution.json", "captures.csv", "task/task.yaml", "task/facts.csv", "profiles/mine.yaml"),
        f"captures/{'0' * 64}.warc.gz",
    ],
)
def test_the_files_of_a_contribution_are_known(name: str) -> None:
    assert name_findings([name]) == []


@pytest.mark.parametrize(
    "name",
    [
        *("task/Facts.csv", "task/facts.csv ", "task/notes.txt", "captures/x.warc.gz", "profiles/.yaml", "task", ""),
        *("./captures.csv", "task//facts.csv", "profiles/a/b.yaml", "task/facts.csv\n", "Contribution.json"),
    ],
)
def test_any_other_is_told(name: str) -> None:
    assert name_findings([name]) != []


@pytest.mark.parametrize("piece", ["<", "< ", "- ", "-A(", "=", "on", "xn--", "onx =", "\u202e", "<a ", "+-", "data :"])
def test_no_text_takes_long_to_look_at(piece: str) -> None:
    """A field has 20,000 characters at most; what takes more than linear time would take minutes."""
    text = (piece * 20_000)[:20_000]
    begun = time.process_time()
    findings_of(text)
    is_formula("-" + text)
    address_fault(f"https://{text}/")
    assert time.process_time() - begun < 20  # a hang and not a measure


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"[]", b"null", b'{"schema": true}', b'{"schema": 2}', b'{"schema": 1}', b"\xff", b"{" * 90_000),
        *(b'{"schema": 1, "schema": 1}', b'{"schema": 1, "task": "A"}', b'{"schema": 1' + b"0" * 9_000 + b"}"),
    ],
)
def test_a_list_that_cannot_be_read_is_refused_in_a_sentence(data: bytes) -> None:
    with pytest.raises(UnreadableInput):
        read_manifest(data)


def test_a_list_is_read_back_as_it_was_written() -> None:
    manifest = Manifest(schema_=1, tool="t", task="a", admitted=True, files=(), pins={"s": "0" * 64})
    assert read_manifest(manifest.as_bytes()) == manifest


def test_every_check_has_a_line_on_its_page(root: Path) -> None:
    text = (root / "guidelines" / "contribution-checks.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(K-[A-Z-]+)` \|", text, re.MULTILINE) == list(CHECKS)


def test_every_check_is_made_somewhere(root: Path) -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in (root / "cellwright").rglob("*.py"))
    assert [check for check in CHECKS if code.count(f'"{check}"') < 2] == []


@pytest.mark.parametrize("seed", range(6))
def test_no_text_of_a_clean_task_is_told(seed: int) -> None:
    """Tasks of many shapes, in two languages, with figures as they are printed."""
    draft = clean_task(seed)
    tables = [
        read_table(write_table(rows, TASK_TABLES[name].columns()), name, f"task/{name}.csv")
        for name, rows in draft.tables.items()
        if rows
    ]
    texts = [said for table in tables for said in said_in_table(table)]
    assert len(texts) > 1_000
    assert list(text_findings(texts, lambda *_: False)) == []


def test_no_text_of_the_shipped_task_is_told(root: Path) -> None:
    folder = root / "tasks" / "us-large-caps-fy2023"
    texts = list(said_in_yaml(*read_yaml((folder / "task.yaml").read_bytes(), "task.yaml"), "task.yaml"))
    for name in ("sources", "facts", "cells", "searches"):
        texts += said_in_table(read_table((folder / f"{name}.csv").read_bytes(), name, f"{name}.csv"))
    assert list(text_findings(texts, lambda *_: False)) == []
