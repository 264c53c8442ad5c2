"""The evidence page: what a reader sees, that nothing from outside acts, and that equal input gives equal bytes."""

from __future__ import annotations

import copy
import re
from collections import Counter

import pytest

from cellwright.records.bundle import canonical_json
from cellwright.records.findings import Audit, CellAgreement, Condition, Finding, conclude
from cellwright.views.evidence_page import evidence_page
from tests.views import sample
from tests.views.html_reading import Page, read_page

Tables = dict[str, list[dict[str, str]]]
EVIL = (
    '</style></title><script>alert(1)</script><img src=x onerror=alert(1)>" onmouseover="alert(1)'
    " {{ 7*7 }} \u202e\x1b[31m"
)


def page_of(tables: Tables, audit: Audit | None = None) -> Page:
    return read_page(evidence_page(tables, audit, name="deepweb-sample", version="0.1.0"))


@pytest.fixture(scope="module")
def tables() -> Tables:
    return sample.tables()


@pytest.fixture(scope="module")
def page(tables: Tables) -> Page:
    return page_of(tables, sample.audit())


@pytest.mark.parametrize(
    "words",
    [
        "deepweb-sample 0.1.0",
        "Unit economics of electric-vehicle makers",
        "2024-06-30",
        "CC-BY-4.0",
        "64 cells",
        "8 of 9 sources T1 primary disclosure",
        "1.2 steps a cell",
        "price_cut 10 % scenario given in the question",
        "28,479 CNY/vehicle",
        "28,478.68852459016393442622950819672 CNY/vehicle",
        "−1.6 %",
        "11.3 to 14.3 %",
        "not available (not separately reported)",
        "auto_gross_profit = auto_revenue * auto_gross_margin",
        "121,604,000,000 CNY",
        "company total for segment 36,757 CNY/vehicle 29 % above",
        "within 2 % of the reference, with a sound derivation",
        "within 0.05 pp of the reference",
        "Deliveries, not registrations.",
        "divergent: witnesses disagree",
        "a figure that tempts and is not taken",
        "T3",
        "not captured",
        "Aurel Motor Company: annual report 2023",
        "2024-03-26",
        "none of the cut, or a third of it, is passed to suppliers",
        "figures as disclosed; the document itself is not held",
        "1 of 9 documents of this task are stood in for",
    ],
)
def test_a_reader_sees(page: Page, words: str) -> None:
    assert words in page.words().replace(" :", ":")


def test_a_superseded_fact_is_shown_and_marked(tables: Tables) -> None:
    changed = copy.deepcopy(tables)
    for fact in changed["facts"]:
        if fact["fact"] == "aurel.vehicles.fy2023.press":
            fact["rank"] = "superseded"
    words = page_of(changed).words()
    assert "superseded vehicles" in words
    assert "superseded: withdrawn by its publisher" in words
    assert "4,600" in words
    assert "superseded" not in page_of(tables).words()


def test_each_cell_of_the_matrix_leads_to_its_section(page: Page) -> None:
    ids = page.attributes("id")
    anchors = [href for href in page.attributes("href") if href.startswith("#")]
    assert {href[1:] for href in anchors} <= set(ids)
    for maker, *_ in sample.MAKERS:
        for dimension, *_ in sample.DIMENSIONS:
            assert f"#{sample.TASK}/{maker}/{dimension}" in anchors


def test_no_id_stands_twice(page: Page) -> None:
    assert [name for name, times in Counter(page.attributes("id")).items() if times > 1] == []


def test_the_figure_is_marked_in_its_quote(tables: Tables) -> None:
    text = evidence_page(tables, None, name="n", version="1").decode()
    assert "Auto revenue <mark>602,000</mark> 1,234 (1,234)" in text


def test_labels_are_told_by_letter_and_word_not_by_colour_alone(page: Page) -> None:
    words = page.words()
    for told in ("S single", "C consistent", "D divergent", "N not separately reported"):
        assert told in words


def test_every_finding_appears_with_its_place(page: Page) -> None:
    for finding in sample.audit().tasks[0].findings:
        for told in (finding.rule, str(finding.place), finding.observed, finding.expected, finding.fix, finding.waived):
            assert told in page.words()


def test_a_cell_bears_a_mark_for_its_findings_and_those_of_its_facts(tables: Tables) -> None:
    text = evidence_page(tables, sample.audit(), name="n", version="1").decode()
    marked = re.findall(rf'<td class="[^"]*"><a href="#{sample.TASK}/([^"]+)">(.*?)</a></td>', text, re.DOTALL)
    assert {cell for cell, inner in marked if "finding" in inner} == {
        "aurel/gross_profit_per_vehicle",
        "cindra/vehicles",
        "cindra/gross_profit_per_vehicle",
        "cindra/revenue_per_vehicle",
    }


def test_without_an_audit_the_page_says_so(tables: Tables) -> None:
    assert "No audit of this task came with the tables." in page_of(tables).words()


def test_equal_input_gives_equal_bytes_in_any_order_of_rows(tables: Tables) -> None:
    audit = sample.audit()
    first = evidence_page(tables, audit, name="n", version="1")
    assert first == evidence_page(copy.deepcopy(tables), audit, name="n", version="1")
    turned = {name: list(reversed(rows)) for name, rows in tables.items()}
    assert read_page(first).attributes("id") == page_of(turned, audit).attributes("id")


def test_the_page_asks_nothing_of_the_network_and_runs_nothing(page: Page) -> None:
    assert {tag for tag, _ in page.elements} & {
        "script",
        "iframe",
        "object",
        "embed",
        "img",
        "form",
        "base",
        "video",
        "audio",
        "svg",
    } == set()
    assert [attributes["href"] for tag, attributes in page.elements if tag == "link"] == ["data:,"]
    assert page.attributes("src") == []
    assert not [name for _, attributes in page.elements for name in attributes if name.startswith("on")]


def test_the_style_asks_nothing_of_the_network(tables: Tables) -> None:
    style = evidence_page(tables, None, name="n", version="1").decode().partition("</style>")[0]
    assert "url(" not in style
    assert "@import" not in style


@pytest.mark.parametrize("table", [name for name in sample.tables() if name != "changes"])
def test_nothing_from_outside_acts_whatever_field_it_stands_in(table: str, tables: Tables) -> None:
    hostile = copy.deepcopy(tables)
    for row in hostile[table]:
        for column in row:
            if column not in ("task", "entity", "dimension", "position", "source", "fact"):
                row[column] = EVIL
    page = read_page(evidence_page(hostile, sample.audit(), name=EVIL, version=EVIL))
    assert {tag for tag, _ in page.elements} & {"script", "img"} == set()
    assert not [name for _, attributes in page.elements for name in attributes if name.startswith("on")]
    assert "{{ 7*7 }}" in page.words()
    assert not set(page.text) & {"\u202e", "\x1b"}


def test_ids_from_outside_cannot_leave_their_attribute(tables: Tables) -> None:
    hostile = {name: [dict.fromkeys(row, EVIL) for row in rows[:2]] for name, rows in tables.items()}
    page = read_page(evidence_page(hostile, None, name="n", version="1"))
    assert not any(set("\"'<> ") & set(name) for name in page.attributes("id"))


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:text/html,x", "//x.example/", "ftp://x.example/"])
def test_an_address_that_is_not_http_is_text_and_no_link(address: str, tables: Tables) -> None:
    hostile = copy.deepcopy(tables)
    for row in hostile["sources"]:
        row["url"] = address
    page = page_of(hostile)
    assert not [href for href in page.attributes("href") if not href.startswith("#") and href != "data:,"]
    assert address in page.words()


def test_links_to_sources_tell_them_nothing(page: Page) -> None:
    links = [attributes for tag, attributes in page.elements if tag == "a" and attributes["href"].startswith("http")]
    assert links
    assert {link["rel"] for link in links} == {"noopener noreferrer nofollow external"}


@pytest.mark.parametrize("text", ["[", "7", '{"a":', "[[[[", "[" * 5000, '[1, {"id": 3}, "x"]'])
def test_a_field_that_is_not_the_json_it_should_be_takes_nothing_down(text: str, tables: Tables) -> None:
    broken = copy.deepcopy(tables)
    for name, column in (
        ("tasks", "assumptions"),
        ("tasks", "contributors"),
        ("cells", "inputs"),
        ("cells", "rule"),
        ("cells", "sources"),
        ("steps", "inputs"),
    ):
        for row in broken[name]:
            row[column] = text
    assert "Unit economics" in page_of(broken).words()


def test_an_empty_bundle_is_a_page_too() -> None:
    assert "0 tasks" in page_of({}).words()


def test_several_tasks_have_a_list_of_contents(tables: Tables) -> None:
    second = copy.deepcopy(tables)
    for rows in second.values():
        for row in rows:
            row["task"] = "another-task"
    both = {name: [*rows, *second[name]] for name, rows in tables.items()}
    page = page_of(both)
    assert "#another-task" in page.attributes("href")
    assert "another-task/aurel/revenue" in page.attributes("id")
    assert [name for name, times in Counter(page.attributes("id")).items() if times > 1] == []


def test_an_assumption_with_values_for_single_entities_names_them(tables: Tables) -> None:
    changed = copy.deepcopy(tables)
    changed["tasks"][0]["assumptions"] = canonical_json(
        [{"id": "cut", "values": {"aurel": "10", "borea": "12.5"}, "unit": "percent", "reason": "given"}]
    )
    assert "Aurel Motor Company: 10.0 %; Borea Automotive Group: 12.5 %" in page_of(changed).words()


def test_a_cell_in_another_unit_than_its_column_shows_it_in_the_matrix(tables: Tables) -> None:
    changed = copy.deepcopy(tables)
    for row in changed["cells"]:
        if (row["entity"], row["dimension"]) == ("aurel", "revenue"):
            row["unit"] = "EUR"
    text = evidence_page(changed, None, name="n", version="1").decode()
    assert "<b>777 bn EUR</b>" in text
    assert "<b>131 bn</b>" in text


def test_a_long_list_of_findings_is_folded_and_whole(tables: Tables) -> None:
    many = [
        Finding(rule="C2-QUOTE-EMPTY", condition=Condition.SOURCED, severity="error", file="facts.csv", line=line)
        for line in range(2, 302)
    ]
    audit = Audit(tool="t", tasks=(conclude(sample.TASK, 64, many),))
    page = page_of(tables, audit)
    assert "Findings (300)" in page.words()
    assert page.words().count("C2-QUOTE-EMPTY") == 300


def test_a_cell_says_what_is_corroborated_and_the_page_ends_with_the_canary() -> None:
    says = "corroborated 1 of 2; `x.later` gives another answer"
    cell = f"{sample.MAKERS[0][0]}/revenue"
    told = CellAgreement(cell=cell, label="divergent", inputs=2, corroborated=1, difference=("x.later",), says=says)
    audit = Audit(tool="t", tasks=(conclude(sample.TASK, 64, (), agreement=(told,)),))
    words = read_page(
        evidence_page(sample.tables(), audit, name="n", version="1.0.0", canary="<b>bird-4711</b>")
    ).words()
    assert says in words
    assert "Difficulty: not checked (no trial run with sources has a score)." in words
    assert "Canary: <b>bird-4711</b>" in words
