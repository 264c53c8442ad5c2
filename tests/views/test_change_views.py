"""A comparison in text, Markdown and HTML: readable at 80 columns, and nothing from outside does anything."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from cellwright.records.releases.changes import ReleaseDiff
from cellwright.records.releases.diff import compare
from cellwright.views.change_markdown import change_markdown, plain
from cellwright.views.change_page import change_page
from cellwright.views.change_report import ChangeReport, Grid, Item, Line, Section
from cellwright.views.change_text import change_text, print_change_report
from cellwright.views.release_diff_view import diff_report
from tests.harness.conftest import TASK
from tests.releases.small_releases import CORRECTION, FULL, corrected, edited, rule, side, tables, with_task
from tests.views.html_reading import read_page
from tests.views.test_in_a_browser import opened

EVIL = "<script>alert(1)</script> [x](javascript:alert(1)) | a *b* `c` \x1b[2J\u202e & # _d_"
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]")


def real() -> ReleaseDiff:
    old = tables()
    new = rule(corrected(with_task(old, "ev-b"), correction=CORRECTION), FULL)
    return compare(side(old), side(new, "1.1.0"))


def evil() -> ChangeReport:
    line = Line(EVIL, EVIL, EVIL, EVIL, EVIL)
    grid = Grid(EVIL, (EVIL, EVIL), ((EVIL, EVIL),), frozenset({1}), frozenset({0}))
    section = Section(EVIL, EVIL, grid, (Item(EVIL, EVIL, "met", (line, Line("why", EVIL, address="javascript:x"))),))
    return ChangeReport(EVIL, (EVIL,), (section,), EVIL)


def test_the_page_holds_the_whole_comparison() -> None:
    words = read_page(change_page(diff_report(real()))).words()
    for said in (
        "small 1.0.0 → 1.1.0",
        "28,479 CNY/vehicle → 28,952 CNY/vehicle (1.7 % above)",
        "correction c1 (misread): byd.auto_revenue: 602 → 612",
        "full (earns 1) 1% → 2%",
        "ev-b added",
    ):
        assert said in words


def test_nothing_from_outside_is_markup_on_the_page() -> None:
    page = change_page(evil())
    read = read_page(page)
    assert {name for name, _ in read.elements} & {"script", "iframe", "img", "form"} == set()
    assert "<script>alert(1)</script>" in html.unescape(read.text)
    assert read.attributes("href") == ["data:,", "#content"]
    assert not CONTROL.search(page.decode("utf-8"))


def test_an_evidence_address_is_a_link_only_where_it_is_one() -> None:
    links = [link for link in read_page(change_page(diff_report(real()))).attributes("href") if "filings" in link]
    assert set(links) == {"https://filings.example/report#p12"}


def test_nothing_from_outside_is_markup_in_markdown() -> None:
    text = change_markdown(evil())
    assert not CONTROL.search(text)
    assert not re.search(r"(?<!\\)[<\[`]", text)
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {3}
    assert not re.search(r"\]\(", text.replace("\\]", ""))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("gross_profit_per_vehicle", "gross_profit_per_vehicle"),
        ("_x_", r"\_x\_"),
        ("0.1.0 has 2 tasks", "0.1.0 has 2 tasks"),
        ("1. a list", r"1\. a list"),
        ("- a list", r"\- a list"),
        ("# a head", r"\# a head"),
        ("+0.5 pp", "+0.5 pp"),
        ("R&D", r"R\&D"),
        ("two\nlines", "two lines"),
    ],
)
def test_words_stay_readable_in_markdown(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_text_fits_80_columns_and_has_no_control_characters() -> None:
    for report in (diff_report(real()), evil()):
        text = change_text(report, 80)
        assert max(map(len, text.splitlines())) <= 80
        assert not CONTROL.search(text)


def test_a_terminal_gets_colours() -> None:
    console = Console(force_terminal=True, width=80, color_system="truecolor", record=True, file=open_sink())
    print_change_report(console, diff_report(real()))
    assert "\x1b[" in console.export_text(styles=True)


def open_sink() -> object:
    import io

    return io.StringIO()


def shows(edit: Callable[[dict[str, str]], None], table: str = "cells", **where: str) -> str:
    where = {"task": TASK, **where} if where else {"task": TASK, "entity": "byd", "dimension": "vehicles"}
    return change_text(diff_report(compare(side(tables()), side(edited(tables(), table, edit, **where), "1.1.0"))), 200)


@pytest.mark.parametrize(
    ("edit", "line"),
    [
        (
            lambda row: row.update(value="4270000.4"),
            "value: 4,270,000.00 vehicle → 4,270,000.40 vehicle (0.0000094 % above)",
        ),
        (lambda row: row.update(value=""), "value: 4,270,000 vehicle → nothing"),
        (lambda row: row.update(period_end="2023-11-30"), "2023-12-31) → FY2023 (2023-01-01 to 2023-11-30)"),
        (lambda row: row.update(agreement="single"), "agreement: nothing → single"),
        (lambda row: row.update(inputs='["byd.total_revenue"]'), "now rests on: byd.total_revenue"),
    ],
)
def test_a_change_is_said_in_a_line(edit: Callable[[dict[str, str]], None], line: str) -> None:
    assert line in shows(edit)


def test_a_change_without_a_reason_says_so() -> None:
    assert "why: no reason is recorded" in shows(lambda row: row.update(note="x"))


def test_two_releases_that_are_alike_say_so_and_nothing_else() -> None:
    text = change_text(diff_report(compare(side(tables()), side(tables(), "1.0.1"))), 80)
    assert text.splitlines()[2:] == ["Nothing that the tables hold changed."]


@pytest.mark.browser
def test_the_page_renders_in_a_browser_and_its_console_is_silent(tmp_path: Path) -> None:
    document, said = opened(change_page(diff_report(real())), tmp_path, "--dump-dom")
    assert said == []
    assert "28,952 CNY/vehicle" in document
