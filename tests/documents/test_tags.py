"""Inline XBRL tags: read with their places, as a second witness, whatever a hostile page does with them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from cellwright.documents.html import read_html
from cellwright.documents.locate import Locator
from cellwright.documents.tags import Tag
from cellwright.documents.wanted import Wanted

START = (
    '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL" '
    'xmlns:xbrli="http://www.xbrl.org/2003/instance" xmlns:iso4217="http://www.xbrl.org/2003/iso4217"><body>'
    '<div style="display:none"><ix:header><ix:hidden><ix:nonFraction id="h" name="a:B" unitRef="u" contextRef="c">5'
    "</ix:nonFraction></ix:hidden><ix:resources>"
    '<xbrli:context id="c"><xbrli:entity><xbrli:identifier>77</xbrli:identifier></xbrli:entity><xbrli:period>'
    "<xbrli:startDate>2023-01-01</xbrli:startDate><xbrli:endDate>2023-12-31</xbrli:endDate></xbrli:period>"
    '</xbrli:context><xbrli:unit id="u"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>'
    "</ix:resources></ix:header></div>"
)


def tag(text: str, key: str = "t", **attributes: str) -> str:
    said = {"name": "a:Cost", "unitRef": "u", "contextRef": "c", "id": key, **attributes}
    written = " ".join(f'{name}="{value}"' for name, value in said.items())
    return f"<ix:nonFraction {written}>{text}</ix:nonFraction>"


def statement(cost: str) -> str:
    return (
        f"{START}<p>In millions</p><table><tr><td></td><td>Year ended December 31, 2023</td></tr>"
        f"<tr><td>Revenue</td><td>3,000</td></tr><tr><td>Cost of sales</td><td>({cost})</td></tr></table></body></html>"
    )


def read(page: str) -> dict[str, Tag]:
    return {found.id: found for found in read_html(page.encode()).tags}


def test_a_tag_tells_its_value_unit_period_and_the_cell_it_stands_in() -> None:
    found = read(statement(tag("1,877", scale="6", format="ixt:num-dot-decimal")))["t"]
    assert (found.value, found.unit, found.entity) == (Decimal(1_877_000_000), "USD", "77")
    assert (found.start, found.end) == (date(2023, 1, 1), date(2023, 12, 31))
    assert (found.table, found.row, found.column, found.hidden) == (0, 2, 1, False)


def test_a_hidden_tag_is_there_and_marked() -> None:
    found = read(statement(tag("1,877")))["h"]
    assert (found.hidden, found.table, found.value) == (True, None, Decimal(5))


def test_a_tag_in_a_sentence_has_its_place_in_the_text() -> None:
    document = read_html(f"{START}<p>We paid $ {tag('12')} <sup>1</sup> in cash.</p></body></html>".encode())
    found = next(one for one in document.tags if one.id == "t")
    assert document.text[found.begin : found.stop] == "12"


FORMS = {
    ("1,877.5", "ixt:num-dot-decimal"): Decimal("1877.5"),
    ("1.877,5", "ixt:num-comma-decimal"): Decimal("1877.5"),
    ("1 877,5", "ixt:numspacecomma"): Decimal("1877.5"),
    ("—", "ixt:fixed-zero"): Decimal(0),
    ("two", "ixt-sec:numwordsen"): Decimal(2),
    ("1,877 or so", "ixt:num-dot-decimal"): None,
    ("9" * 500, ""): None,
}


@pytest.mark.parametrize(("text", "form"), FORMS)
def test_a_tag_is_read_by_its_format(text: str, form: str) -> None:
    assert read(statement(tag(text, format=form)))["t"].value == FORMS[text, form]


@pytest.mark.parametrize("scale", ["99", "-31", "1e9", "six", "999999999999"])
def test_a_scale_that_is_no_small_power_of_ten_gives_no_value_and_says_so(scale: str) -> None:
    found = read(statement(tag("1,877", scale=scale)))["t"]
    assert found.value is None
    assert "scale" in found.problem


def test_nested_tags_and_one_around_a_whole_row_are_read_without_harm() -> None:
    deep = "7"
    for number in range(60):
        deep = tag(deep, f"n{number}")
    found = read(statement(deep))
    assert {found[f"n{number}"].value for number in range(60)} == {Decimal(7)}
    page = (
        statement("1")
        .replace("<tr><td>Cost", f"{tag('', 'wide')[:-17]}<tr><td>Cost")
        .replace("</table>", "</ix:nonFraction></table>")
    )
    assert read(page)["wide"].value is None


def test_entities_are_not_expanded() -> None:
    bomb = "<!DOCTYPE html [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]>" + statement(tag("&b;"))
    assert all("aaaa" not in found.displayed for found in read_html(bomb.encode()).tags)


def test_a_page_with_our_own_marks_in_it_is_read_as_if_they_were_not_there() -> None:
    page = statement(tag("1\ue0088\ue00977\ue00a", scale="6"))
    assert read(page)["t"].displayed == "1877"


COST = Wanted(
    id="f",
    entity="acme",
    name="cost",
    period_start=date(2023, 1, 1),
    period_end=date(2023, 12, 31),
    unit="USD",
    row="Cost of sales",
)
SAYS = {"6": "agrees", "3": "scale"}


@pytest.mark.parametrize("scale", SAYS)
def test_the_witness_agrees_or_tells_another_scale_and_never_changes_what_is_read(scale: str) -> None:
    locator = Locator(read_html(statement(tag("1,877", scale=scale, format="ixt:num-dot-decimal")).encode()))
    found = locator.locate(COST)
    said = locator.witness(found)
    assert found.value_read == Decimal(-1_877_000_000)
    assert said is not None
    assert said.says == SAYS[scale]


def test_the_witness_tells_another_magnitude_and_an_unreadable_tag() -> None:
    for text, form, says in (("1,877", "ixt:fixed-zero", "magnitude"), ("1,877", "ixt:num-dot-decimal", "agrees")):
        locator = Locator(read_html(statement(tag(text, scale="6", format=form)).encode()))
        said = locator.witness(locator.locate(COST))
        assert said is not None
        assert said.says == says
    locator = Locator(read_html(statement(tag("1,877", scale="77")).encode()))
    said = locator.witness(locator.locate(COST))
    assert said is not None
    assert said.says == "unreadable"
    assert not said.differs


def test_a_figure_tagged_twice_is_contradicted_only_by_both() -> None:
    inner = tag("1,877", scale="3", format="ixt:num-dot-decimal")
    outer = tag(inner, "o", scale="6", format="ixt:num-dot-decimal")
    locator = Locator(read_html(statement(outer).encode()))
    said = locator.witness(locator.locate(COST))
    assert said is not None
    assert said.says == "agrees"


def test_a_page_without_tags_has_no_witness() -> None:
    locator = Locator(read_html(statement("1,877").replace("ix:nonFraction", "span").encode()))
    found = locator.locate(COST)
    assert found.status == "exact"
    assert locator.witness(found) is None
