"""The visible text of an HTML tree: blocks on lines of their own, a table's row on one line, drawn by XSLT.

A stylesheet, because walking the elements of a filing in Python takes several times as long as parsing it.
"""

from __future__ import annotations

import re
from functools import cache

from lxml import etree

from cellwright.documents.html_tree import HIDDEN, XHTML, Page
from cellwright.records.errors import UnreadableInput

TABLE, END_TABLE, ROW, CELL, END_CELL, CAPTION, END_CAPTION = (chr(0xE000 + n) for n in range(7))
"""Private-use characters that mark a table's parts in `draw(marked=True)`; a page's own are taken out."""
MARKS = "".join((TABLE, END_TABLE, ROW, CELL, END_CELL, CAPTION, END_CAPTION))
SPAN_END = chr(0xE007)
"""Ends the "colspan,rowspan,header" that follows CELL."""
TAG, TAG_NUMBER, END_TAG = (chr(0xE008 + n) for n in range(3))
"""What `tag_places` sets around the text of a tagged number, and behind the number of the tag."""

TABLE_MARKS = re.compile(f"{CELL}[^{SPAN_END}]*{SPAN_END}|[{TABLE}-{SPAN_END}]")
"""Every mark of a table's part; what is left without them is what is drawn without marks."""

_BLOCKS = (
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "center",
    "dd",
    "details",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "li",
    "legend",
    "main",
    "menu",
    "nav",
    "ol",
    "option",
    "p",
    "pre",
    "section",
    "select",
    "summary",
    "tbody",
    "tfoot",
    "thead",
    "ul",
)
_IX_HEADER = "ix:header | ix08:header"
_NEVER = ("head", "script", "style", "template", "noframes")

_STYLESHEET = """
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:h="{XHTML}"
    xmlns:ix="http://www.xbrl.org/2013/inlineXBRL" xmlns:ix08="http://www.xbrl.org/2008/inlineXBRL">
<xsl:output method="text"/>
<xsl:template match="{blocks}">
  <xsl:text>&#10;</xsl:text><xsl:apply-templates/><xsl:text>&#10;</xsl:text>
</xsl:template>
<xsl:template match="{br}"><xsl:text>&#10;</xsl:text></xsl:template>
<xsl:template match="{table}">
  <xsl:text>&#10;{TABLE}</xsl:text><xsl:apply-templates/><xsl:text>{END_TABLE}&#10;</xsl:text>
</xsl:template>
<xsl:template match="{caption}">
  <xsl:text>&#10;{CAPTION}</xsl:text><xsl:apply-templates/><xsl:text>{END_CAPTION}&#10;</xsl:text>
</xsl:template>
<xsl:template match="{tr}">
  <xsl:text>&#10;{ROW}</xsl:text><xsl:apply-templates/><xsl:text>&#10;</xsl:text>
</xsl:template>
<xsl:template match="{cell}">
  {spans}<xsl:if test="node()">
    <xsl:choose>
      <xsl:when test="*/* and .//{table}"><xsl:apply-templates/></xsl:when>
      <xsl:otherwise><xsl:apply-templates mode="line"/></xsl:otherwise>
    </xsl:choose>
  </xsl:if><xsl:text>{END_CELL} </xsl:text>
</xsl:template>
<xsl:template match="{blocks} | {br}" mode="line">
  <xsl:text> </xsl:text><xsl:apply-templates mode="line"/><xsl:text> </xsl:text>
</xsl:template>
<xsl:template match="{never}" priority="2"/>
<xsl:template match="{never}" mode="line" priority="2"/>
<xsl:template match="{sup}">{note_space}<xsl:apply-templates/></xsl:template>
<xsl:template match="{sup}" mode="line">{note_space}<xsl:apply-templates mode="line"/></xsl:template>
</xsl:stylesheet>"""

# A note's number printed small behind a figure would else become its last digit: 2023¹ is not 20231.
_NOTE_SPACE = (
    f"<xsl:variable name='left' select=\"translate(preceding-sibling::node()[1], '{END_TAG}', '')\"/>"
    "<xsl:if test=\"contains('0123456789)%', substring($left, string-length($left)))\">"
    "<xsl:text> </xsl:text></xsl:if>"
)
_SPANS = (
    "<xsl:text>{CELL}</xsl:text><xsl:value-of select='@colspan'/>,<xsl:value-of select='@rowspan'/>,"
    "<xsl:if test='self::{th}'>h</xsl:if><xsl:text>{SPAN_END}</xsl:text>"
)


def draw(page: Page, *, marked: bool = False) -> str:
    """The text of the page as it shows it, white space not yet put in order; with marks, if asked."""
    try:
        return str(_stylesheet(page.namespaced, marked)(page.root))
    except etree.XSLTApplyError as error:
        raise UnreadableInput(
            "the tables of the HTML document are nested too deep",
            expected="500 levels at most",
            fix="save the page anew from a browser",
        ) from error


def tidy(drawn: str) -> str:
    """`drawn` with one space between words, no blank lines, and no blanks at the ends of lines."""
    return "\n".join(filter(None, [" ".join(line.split()) for line in drawn.split("\n")]))


@cache
def _stylesheet(namespaced: bool, marked: bool) -> etree.XSLT:
    prefix = "h:" if namespaced else ""

    def names(*tags: str) -> str:
        return " | ".join(f"{prefix}{tag}" for tag in tags)

    signs = {
        name: (value if marked else "")
        for name, value in {
            "TABLE": TABLE,
            "END_TABLE": END_TABLE,
            "ROW": ROW,
            "CELL": CELL,
            "END_CELL": END_CELL,
            "CAPTION": CAPTION,
            "END_CAPTION": END_CAPTION,
            "SPAN_END": SPAN_END,
        }.items()
    }
    text = _STYLESHEET.format(
        XHTML=XHTML,
        **signs,
        blocks=names(*_BLOCKS),
        br=names("br"),
        table=names("table"),
        caption=names("caption"),
        tr=names("tr"),
        cell=names("td", "th"),
        sup=names("sup"),
        never=" | ".join((names(*_NEVER), HIDDEN, _IX_HEADER if namespaced else "*[name()='ix:header']")),
        note_space=_NOTE_SPACE,
        spans=_SPANS.format(th=f"{prefix}th", **signs) if marked else "",
    )
    return etree.XSLT(etree.fromstring(text))
