"""Inline XBRL: what the tags of a page say of its figures. A second witness, never the one that is asked.

Inline XBRL 1.1 (XBRL International, 2013): a number in the visible text is wrapped in `ix:nonFraction`, whose
attributes tell scale, sign, format, unit and context. People see the text, and programs believe the tags; both are
typed by hand, and they differ at times. What is read of a figure always comes from the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from lxml import etree

from cellwright.documents.number_words import read_words
from cellwright.records.decimals import CONTEXT

NAMESPACES = ("http://www.xbrl.org/2013/inlineXBRL", "http://www.xbrl.org/2008/inlineXBRL")
_XBRLI = "{http://www.xbrl.org/2003/instance}"
_XBRLDI = "{http://xbrl.org/2006/xbrldi}"
MAX_TAGS = 200_000
"""No more tags of one page are read. The largest real filing met so far has 12,000."""
MAX_SCALE = 30
"""The largest power of ten that a tag is believed to mean, either way."""
_LONGEST = 200
"""No number or name in a tag is longer, in characters."""


@dataclass(frozen=True, slots=True)
class Tag:
    """One tagged number, and where it is printed."""

    id: str
    concept: str
    """As the tag names it ("us-gaap:NetIncomeLoss")."""
    displayed: str
    """The text that it wraps, on one line: "14,264"."""
    value: Decimal | None
    """With the tag's scale and sign; None where it cannot be told."""
    scale: int
    sign: str
    """`-` where the tag says that the value is minus what is displayed, else empty."""
    unit: str
    """"USD", "USD/shares", "pure", "shares"; empty where the tag names no unit that is there."""
    entity: str
    start: date | None
    """None for an instant."""
    end: date | None
    parts: tuple[tuple[str, str], ...]
    """The parts of the entity that it is of, as (axis, member): a segment, a class of shares."""
    problem: str = ""
    """Why there is no value."""
    hidden: bool = False
    """It stands in `ix:hidden` or in what the page does not show: nobody reads it there."""
    table: int | None = None
    """The number of the table it is printed in; None in running text."""
    row: int = 0
    column: int = 0
    offset: int = 0
    """Where it begins in its cell's text, or in the document's text outside of tables."""
    begin: int = 0
    """Where it begins in the document's text."""
    stop: int = 0
    """Where it ends in the document's text."""

    @property
    def magnitude(self) -> Decimal | None:
        """The value without its sign: a tag's sign is of its concept's meaning and not of what is printed."""
        return None if self.value is None else abs(self.value)


@dataclass(frozen=True, slots=True)
class _Context:
    entity: str = ""
    start: date | None = None
    end: date | None = None
    parts: tuple[tuple[str, str], ...] = ()


def elements_of(root: etree._Element) -> list[etree._Element]:
    """The tagged numbers of a page in its order, `MAX_TAGS` at most; in a page read as HTML their names are small."""
    names = [f"{{{namespace}}}nonFraction" for namespace in NAMESPACES]
    found: list[etree._Element] = []
    for element in root.iter(*names, "ix:nonfraction"):
        found.append(element)
        if len(found) == MAX_TAGS:
            break
    return found


def reader_of(root: etree._Element) -> Callable[[etree._Element, str], Tag]:
    """What makes a `Tag` of an element and its text, with the page's contexts and units at hand."""
    contexts = {_attribute(item, "id"): item for item in root.iter(f"{_XBRLI}context", "xbrli:context")}
    units = {_attribute(item, "id"): _unit(item) for item in root.iter(f"{_XBRLI}unit", "xbrli:unit")}
    read: dict[str, _Context] = {}

    def tag_of(element: etree._Element, displayed: str) -> Tag:
        reference = _attribute(element, "contextRef")
        context = read.get(reference)
        if context is None:
            context = read[reference] = _context(contexts.get(reference))
        sign = "-" if _attribute(element, "sign") == "-" else ""
        scale = _attribute(element, "scale").strip()
        value, problem = _value(element, displayed, scale, sign)
        return Tag(
            id=_attribute(element, "id"),
            concept=_attribute(element, "name"),
            displayed=displayed[:_LONGEST],
            value=value,
            scale=int(scale) if value is not None and scale else 0,
            sign=sign,
            unit=units.get(_attribute(element, "unitRef"), ""),
            entity=context.entity,
            start=context.start,
            end=context.end,
            parts=context.parts,
            problem=problem,
        )

    return tag_of


def _attribute(element: etree._Element, name: str) -> str:
    return (element.get(name) or element.get(name.lower()) or "")[:_LONGEST]


_SCALE = re.compile(r"[-+]?\d{1,3}")


def _value(element: etree._Element, displayed: str, scale: str, sign: str) -> tuple[Decimal | None, str]:
    """The number that a tag says, or why it says none."""
    if scale and (not _SCALE.fullmatch(scale) or abs(int(scale)) > MAX_SCALE):
        return None, f"its scale {scale[:20]!r} is no power of ten from -{MAX_SCALE} to {MAX_SCALE}"
    form = _attribute(element, "format").rpartition(":")[2].lower().replace("-", "")
    number = _number(displayed, form) if len(displayed) <= _LONGEST else None
    if number is None:
        return None, f"its text {displayed[:40]!r} is no number of the format {form[:40] or 'plain'!r}"
    value = number.scaleb(int(scale or 0), CONTEXT)
    return (-value if sign and value else value), ""


_PLAIN = re.compile(r"\d{1,34}(?:\.\d{0,34})?|\.\d{1,34}")
_ZEROS = frozenset({"fixedzero", "zerodash", "numdash", "fixedempty", "nocontent"})
_WORDS = frozenset({"numwordsen"})
_COMMA_DECIMAL = frozenset({"numcommadecimal", "numcomma", "numdotcomma", "numspacecomma"})
_GROUPS = dict.fromkeys(map(ord, "  \u2009\u202f'’"))


def _number(displayed: str, form: str) -> Decimal | None:
    """The digits by the rules of the tag's format (Transformation Registry 1 to 5 of XBRL International)."""
    if form in _ZEROS:
        return Decimal(0)
    if form in _WORDS:
        return read_words(displayed)
    plain = displayed.strip().translate(_GROUPS)
    plain = plain.replace(".", "").replace(",", ".") if form in _COMMA_DECIMAL else plain.replace(",", "")
    return Decimal(plain) if plain.isascii() and len(plain) <= 35 and _PLAIN.fullmatch(plain) else None


def _context(element: etree._Element | None) -> _Context:
    if element is None:
        return _Context()
    said = {_local(item): (item.text or "").strip()[:_LONGEST] for item in element.iter() if isinstance(item.tag, str)}
    parts = tuple(
        sorted(
            (_attribute(item, "dimension"), " ".join("".join(item.itertext()).split())[:_LONGEST])
            for item in element.iter(f"{_XBRLDI}explicitMember", f"{_XBRLDI}typedMember", "xbrldi:explicitmember")
        )
    )
    start = _day(said.get("startdate", ""))
    end = _day(said.get("enddate", "") or said.get("instant", ""))
    return _Context(said.get("identifier", ""), start, end, parts)


def _unit(element: etree._Element) -> str:
    measures = [
        (item.text or "").strip().rpartition(":")[2][:_LONGEST]
        for item in element.iter(f"{_XBRLI}measure", "xbrli:measure")
    ]
    divided = any(_local(item) == "divide" for item in element.iter() if isinstance(item.tag, str))
    return "/".join(measures[:2]) if divided else "*".join(measures[:4])


def _local(element: etree._Element) -> str:
    return str(element.tag).rpartition("}")[2].rpartition(":")[2].lower()


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None
