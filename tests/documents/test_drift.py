"""A page fetched again: each fact is told what became of it, and none is re-attached to what only looks like it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from cellwright.documents.drift import Drift, Version, drift_of
from cellwright.documents.mentions import EntityNames
from cellwright.documents.reading import read_document
from cellwright.documents.wanted import Wanted
from tests.documents.small_files import pdf_of

NAMES = {"aurel": ("Aurel Motor Company", "Aurel"), "borea": ("Borea Automotive", "Borea"), "nio": ("NIO",)}
HEADS = "<tr><th>(in millions)</th><th>2023</th><th>2022</th></tr>"
ROWS = (
    "<tr><td>Cars</td><td>300,010</td><td>290,020</td></tr>"
    "<tr><td>Total net sales</td><td>383,285</td><td>394,328</td></tr>"
    "<tr><td>Cost of sales</td><td>214,137</td><td>223,546</td></tr>"
)
TITLE = "<h1>Aurel Motor Company</h1><p>Statements of operations. Fiscal years end on December 31.</p>"


def page(rows: str = ROWS, *, heads: str = HEADS, title: str = TITLE, before: str = "", after: str = "") -> str:
    return f"<html><body>{title}{before}<table>{heads}{rows}</table>{after}</body></html>"


SALES = Wanted(
    id="aurel.revenue.fy2023",
    entity="aurel",
    entity_names=NAMES["aurel"],
    name="revenue",
    period_start=date(2023, 1, 1),
    period_end=date(2023, 12, 31),
    as_written="383,285",
    value=Decimal("383285000000"),
    scale=6,
    sign="shown",
    unit="USD",
    quote="Total net sales 383,285 394,328",
    prefix="Cars 300,010 290,020",
    suffix="Cost of sales 214,137 223,546",
    row="Total net sales",
    column="2023",
    label="FY2023",
)


def version(html: str, media_type: str = "text/html") -> Version:
    return Version(read_document(html.encode(), media_type), EntityNames(NAMES))


def drift(after: str, *, before: str = page(), wanted: Wanted = SALES, media_type: str = "text/html") -> Drift:
    return drift_of(version(before, media_type), version(after, media_type), wanted)


ROW = "<tr><td>Total net sales</td><td>383,285</td><td>394,328</td></tr>"
NEW_ROW = "<tr><td>Employees</td><td>161,000</td><td>164,000</td></tr>"
SAME = {
    "nothing": page(),
    "a banner above and a footer below": page(before="<p>We use cookies.</p>", after="<p>© 2025</p>"),
    "a script, a comment and a style": page(before="<script>var a=383285</script><!-- 1,234 --><style>p{}</style>"),
    "another table below": page(after="<table><tr><td>Employees</td><td>161,000</td></tr></table>"),
}
MOVED = {
    "another row before it": page(ROWS.replace(ROW, NEW_ROW + ROW)),
    "the order of the rows": page(ROW + ROWS.replace(ROW, "")),
    "the order of the columns": page(
        "<tr><td>Cars</td><td>290,020</td><td>300,010</td></tr>"
        "<tr><td>Total net sales</td><td>394,328</td><td>383,285</td></tr>"
        "<tr><td>Cost of sales</td><td>223,546</td><td>214,137</td></tr>",
        heads="<tr><th>(in millions)</th><th>2022</th><th>2023</th></tr>",
    ),
    "a year more": page(
        "<tr><td>Total net sales</td><td>400,001</td><td>383,285</td><td>394,328</td></tr>",
        heads="<tr><th>(in millions)</th><th>2024</th><th>2023</th><th>2022</th></tr>",
    ),
}
CHANGED = {
    "a restated figure": (page(ROWS.replace("383,285", "383,200")), "383,285", "383,200"),
    "a sign": (page(ROWS.replace("383,285", "(383,285)")), "383,285", "(383,285)"),
    "the scale": (page(heads=HEADS.replace("millions", "thousands")), "383,285 ×10^6", "383,285 ×10^3"),
    "a head that says it is restated": (
        page(ROWS.replace("383,285", "383,200"), heads=HEADS.replace("2023", "2023 (As Restated)")),
        "383,285",
        "383,200",
    ),
    "heads moved on by a year, the quote still word for word": (
        page(heads="<tr><th>(in millions)</th><th>2024</th><th>2023</th></tr>"),
        "383,285",
        "394,328",
    ),
}
# The number, the row, the column or the quote is there, and it is not the fact.
LOOK_ALIKES = {
    "in another row": page(ROWS.replace("Total net sales", "Total net sales and other income")),
    "in a row of another name that speaks of the same": page(ROWS.replace("Total net sales", "Revenue before rebates")),
    "in another year's column alone": page("<tr><td>Total net sales</td><td></td><td>383,285</td></tr>", heads=HEADS),
    "without its heads": page(heads="<tr><th>(in millions)</th><th></th><th></th></tr>", title="<h1>Aurel</h1>"),
    "in a footnote": page(
        ROWS.replace(ROW, ""), after="<p>Total net sales for 2023 were reported as $383,285 million before.</p>"
    ),
    "in a comment": page(ROWS.replace(ROW, f"<!-- {ROW} -->")),
    "in a script": page(ROWS.replace(ROW, ""), after=f"<script>{ROW}</script>"),
    "hidden": page(ROWS.replace(ROW, ROW.replace("<tr>", '<tr style="display:none">'))),
    "in a hidden table": page(ROWS.replace(ROW, ""), after=f"<div hidden><table>{HEADS}{ROWS}</table></div>"),
    "of another company, page and all": page(title=TITLE.replace("Aurel Motor Company", "Borea Automotive")),
    "of another company on a page that also names this one": page(
        title="<nav>Aurel | Borea | NIO</nav>" + TITLE.replace("Aurel Motor Company", "Borea Automotive")
    ),
    "of another company without a legal form": page(title="<p>Aurel and others</p><h1>NIO</h1>"),
    "of another company's table below, its own gone": page(
        ROWS.replace(ROW, ""), after=f"<h2>Borea Automotive</h2><table>{HEADS}{ROWS}</table>"
    ),
    "in two equal rows that differ": page(ROW + ROW.replace("383,285", "383,199")),
    "under another heading": page(f"<tr><td>Discontinued operations:</td><td></td><td></td></tr>{ROW}"),
    "in a column of a part": page(
        "<tr><td>Total net sales</td><td>383,285</td><td>394,328</td></tr>",
        heads="<tr><th>(in millions)</th><th>Americas 2023</th><th>Americas 2022</th></tr>",
    ),
    "on an error page": "<html><body><h1>Page not found</h1></body></html>",
    "on a page that asks to sign in": "<html><body><h1>Aurel</h1><p>Sign in: 383,285 users did.</p></body></html>",
}


@pytest.mark.parametrize("name", SAME)
def test_what_changed_elsewhere_leaves_a_fact_the_same(name: str) -> None:
    assert drift(SAME[name]).status == "same", drift(SAME[name])


@pytest.mark.parametrize("name", MOVED)
def test_the_same_number_of_row_and_year_at_another_place_has_moved(name: str) -> None:
    assert drift(MOVED[name]).status == "moved", drift(MOVED[name])


@pytest.mark.parametrize("name", CHANGED)
def test_another_number_of_row_and_year_is_told_with_the_old_one(name: str) -> None:
    after, old, new = CHANGED[name]
    found = drift(after)
    assert (found.status, found.old, found.new) == ("changed", old, new), found


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_an_orphan_is_never_attached_to_a_look_alike(name: str) -> None:
    assert drift(LOOK_ALIKES[name]).status == "orphaned", drift(LOOK_ALIKES[name])


def test_two_equal_rows_that_agree_are_one_answer() -> None:
    assert drift(page(ROW + ROW)).status == "moved"


def test_the_number_in_another_companys_table_does_not_hide_that_its_own_changed() -> None:
    other = "<h2>Borea Automotive Ltd.</h2>"
    own = page(ROWS.replace("383,285", "380,001"), after=f"{other}<table>{HEADS}{ROWS}</table>")
    found = drift(own, before=page(after=f"{other}<table>{HEADS}<tr><td>Cars</td><td>1</td><td>2</td></tr></table>"))
    assert (found.status, found.old, found.new) == ("changed", "383,285", "380,001")


SENTENCE = Wanted(
    id="aurel.vehicles.fy2023",
    entity="aurel",
    entity_names=NAMES["aurel"],
    name="vehicles_delivered",
    period_start=date(2023, 1, 1),
    period_end=date(2023, 12, 31),
    as_written="4,270",
    unit="vehicle",
    quote="Aurel delivered 4,270 vehicles in fiscal 2023",
    prefix="A year of growth.",
    suffix=", more than ever.",
)
STORY = "<html><body><h1>Aurel Motor Company</h1><p>Fiscal years end on December 31.</p><p>{}</p></body></html>"
TOLD = "A year of growth. Aurel delivered 4,270 vehicles in fiscal 2023, more than ever."


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (TOLD, "same"),
        ("We are glad. " + TOLD, "same"),
        (TOLD.replace("A year of growth.", "Growth again."), "moved"),
        (TOLD.replace("4,270", "4,100"), "changed"),
        (TOLD.replace("Aurel delivered", "Borea delivered"), "orphaned"),
        (TOLD.replace("2023", "2022"), "orphaned"),
        (TOLD.replace("4,270 vehicles", "4,270 engines for vehicles"), "orphaned"),
        ("Aurel employs 4,270 people.", "orphaned"),
        ("", "orphaned"),
    ],
)
def test_a_figure_of_a_sentence_is_held_to_its_sentence(text: str, status: str) -> None:
    found = drift(STORY.format(text), before=STORY.format(TOLD), wanted=SENTENCE)
    assert found.status == status, found


RECORDS = "entity,metric,year,value\nAurel,Total net sales,2023,383285\nBorea,Total net sales,2023,118000\n"
RECORD = Wanted(
    id="aurel.revenue.fy2023",
    entity="aurel",
    entity_names=NAMES["aurel"],
    name="revenue",
    period_start=date(2023, 1, 1),
    period_end=date(2023, 12, 31),
    as_written="383285",
    quote="Aurel Total net sales 2023 383285",
    row="Total net sales",
    label="FY2023",
)


@pytest.mark.parametrize(
    ("after", "status"),
    [
        (RECORDS, "same"),
        (RECORDS.replace("Borea,", "NIO,Total net sales,2023,48000\nBorea,"), "same"),
        (RECORDS.replace("Aurel,", "NIO,Total net sales,2023,48000\nAurel,"), "moved"),
        (RECORDS.replace("383285", "380000"), "changed"),
        (RECORDS.replace("118000", "383285").replace("Aurel,Total net sales,2023,383285\n", ""), "orphaned"),
        (RECORDS.replace("Aurel,Total net sales,2023", "Aurel,Total net sales,2022"), "orphaned"),
        (RECORDS.replace("Aurel,Total net sales", "Aurel,Total costs"), "orphaned"),
        (RECORDS.replace("Aurel,", "Cindra,"), "orphaned"),
    ],
)
def test_a_record_of_a_sheet_is_held_to_its_entity_name_and_year(after: str, status: str) -> None:
    found = drift(after, before=RECORDS, wanted=RECORD, media_type="text/csv")
    assert found.status == status, found


# No head tells a period: the reader alone cannot place the figure, its passage must.
LOOSE = "<html><body><h1>Aurel Motor Company</h1><table><tr><td>Cars</td><td>12</td></tr>{}</table></body></html>"
LOOSE_ROW = "<tr><td>Plants</td><td>31</td></tr><tr><td>Towns</td><td>9</td></tr>"
PLANTS = Wanted(
    id="aurel.plants.fy2023",
    entity="aurel",
    entity_names=NAMES["aurel"],
    name="plants",
    period_end=date(2023, 12, 31),
    as_written="31",
    unit="count",
    quote="Plants 31",
    prefix="Cars 12",
    suffix="Towns 9",
    row="Plants",
)


@pytest.mark.parametrize(
    ("rows", "status"),
    [
        (LOOSE_ROW, "same"),
        (LOOSE_ROW.replace("Towns", "Cities"), "moved"),
        (LOOSE_ROW.replace("31", "30"), "orphaned"),
        (LOOSE_ROW.replace("Plants", "Offices"), "orphaned"),
        (LOOSE_ROW + "<tr><td>Plants</td><td>31</td></tr><tr><td>Plants</td><td>32</td></tr>", "orphaned"),
        (LOOSE_ROW.replace("<td>31</td>", "<td>32</td><td>31</td>"), "orphaned"),
    ],
)
def test_what_the_reader_cannot_place_alone_hangs_on_its_whole_passage(rows: str, status: str) -> None:
    found = drift(LOOSE.format(rows), before=LOOSE.format(LOOSE_ROW), wanted=PLANTS)
    assert found.status == status, found


def test_a_fact_that_the_pinned_document_does_not_show_is_never_called_the_same() -> None:
    wrong = replace(SALES, as_written="999", quote="Total net sales 999", value=None)
    found = drift(page(), wanted=wrong)
    assert found.status == "orphaned"
    assert "locate it first" in found.why


LINES = (
    "Aurel Motor Company",
    "Consolidated statements of income (in millions)",
    "Year ended December 31, 2023 2022",
    "Total net sales 383,285 394,328",
    "Cost of sales 214,137 223,546",
)


def report(*pages: tuple[str, ...]) -> Version:
    drawn = [[(72, 720 - 20 * at, line) for at, line in enumerate(lines)] for lines in pages]
    return Version(read_document(pdf_of(drawn), "application/pdf"), EntityNames(NAMES))


def test_a_figure_of_a_pdf_moves_with_its_page_and_is_told_where_to() -> None:
    before, after = report(LINES), report(("A letter to our owners",), LINES)
    asked = replace(SALES, prefix="", suffix="", column="", page=1)
    assert drift_of(before, before, asked).status == "same"
    found = drift_of(before, after, asked)
    assert (found.status, found.why) == ("moved", "the same figure stands at another place: page 1 → 2")
    restated = tuple(line.replace("383,285", "383,199") for line in LINES)
    found = drift_of(before, report(restated), asked)
    assert (found.status, found.old, found.new) == ("changed", "383,285", "383,199")
    other = tuple(line.replace("Aurel Motor Company", "NIO") for line in LINES)
    assert drift_of(before, report(other), asked).status == "orphaned"
