"""HTML bytes to a tree: hostile input bounded, nothing loaded, nothing expanded."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lxml import etree

from cellwright.records.errors import UnreadableInput

MAX_HTML = 50_000_000
"""The largest page that is read, in bytes of UTF-8."""
HIDDEN = "cellwright-hidden"
XHTML = "http://www.w3.org/1999/xhtml"

_HIDING = ((b"isplay", re.compile(rb"\s{0,9}:\s{0,9}none", re.IGNORECASE)), (b"idden", re.compile(rb"[\s=>/]")))
"""The words by which a tag hides its element, without the letter that may be a capital, and what must follow."""
_TAG = re.compile(rb"<([A-Za-z][A-Za-z0-9]{0,30})[\s/]")
_LONGEST_TAG = 4_000
_DISPLAY_NONE = re.compile(r"display\s*:\s*none", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Page:
    """A page as parsed; what hides itself, by `display:none` or `hidden`, is renamed to `HIDDEN`."""

    root: etree._Element
    namespaced: bool
    """Its tags are in XHTML's namespace."""


def parse(source: bytes) -> Page:
    """The tree of a page in UTF-8.

    A page that is well-formed XHTML (inline XBRL always is) is read as XML, which is faster; all others as
    HTML. Neither loads a DTD, expands an entity or opens an address. Raises UnreadableInput for a page
    that is too large, nested too deep, or holds no element.
    """
    if len(source) > MAX_HTML:
        raise UnreadableInput(
            "the HTML document is too large", seen=f"{len(source)} bytes", expected=f"{MAX_HTML} bytes at most"
        )
    root = _as_xml(source)
    if root is None:
        root = _as_html(source)
    namespaced = root.tag == f"{{{XHTML}}}html"
    hiding = [f"{{{XHTML}}}{tag}" if namespaced else tag for tag in sorted(_hiding_tags(source))]
    for element in list(root.iter(*hiding)) if hiding else ():
        style = element.get("style")
        if (style and _DISPLAY_NONE.search(style)) or element.get("hidden") is not None:
            element.tag = HIDDEN
    return Page(root, namespaced)


def may_be_xhtml(source: bytes) -> bool:
    """Whether the page says that it is XHTML, whose tags are written small."""
    return XHTML.encode() in source[:20_000]


def _as_xml(source: bytes) -> etree._Element | None:
    """The tree of well-formed XHTML; None for everything else, and for a page that declares entities."""
    if not may_be_xhtml(source) or b"<!ENTITY" in source[:20_000]:
        return None
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
        huge_tree=False,
    )
    try:
        root = etree.fromstring(source, parser)
    except etree.XMLSyntaxError:
        return None
    return root if root.tag == f"{{{XHTML}}}html" else None


_INLINE = re.compile(rb"</?(?:font|span|b|i|u|a|em|strong|small|big|center|tt|s)(?:\s[^<>]{0,2000})?>", re.IGNORECASE)


def _as_html(source: bytes) -> etree._Element:
    """The tree by the forgiving parser. Old pages that never close `<font>` are read once more without it."""
    root = _parsed_html(source)
    if root is None:
        root = _parsed_html(_INLINE.sub(b"", source))
    if root is None:
        raise UnreadableInput(
            "the HTML document is nested too deep",
            expected="2,048 levels at most",
            fix="save the page anew from a browser",
        )
    return root


def _parsed_html(source: bytes) -> etree._Element | None:
    """The tree; None where the nesting is too deep, because the parser then leaves out all that follows."""
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=True)
    try:
        root = etree.fromstring(source, parser)
    except etree.XMLSyntaxError:
        root = None
    if root is None:
        raise UnreadableInput(
            "the HTML document holds nothing to read",
            seen=f"{len(source)} bytes",
            expected="text or tags",
            fix="capture the source again",
        )
    deep = any("depth" in entry.message for entry in parser.error_log.filter_from_errors())
    return None if deep else root


def _hiding_tags(source: bytes) -> frozenset[str]:
    """The names of the tags some of which hide what they hold.

    Looked for in the source, because asking each element for its style takes longer than parsing.
    """
    names: set[str] = set()
    for word, rest in _HIDING:
        at = source.find(word)
        while at >= 0:
            if rest.match(source, at + len(word)):
                names.add(_hiding_tag(source, at))
            at = source.find(word, at + 1)
    return frozenset(names - {""})


def _hiding_tag(source: bytes, at: int) -> str:
    """The name of the tag that position `at` lies in; empty outside of tags, and for a tag that holds nothing."""
    opening = source.rfind(b"<", max(0, at - _LONGEST_TAG), at)
    tag = _TAG.match(source, opening) if opening >= 0 else None
    if not tag or source.find(b">", opening, at) >= 0:
        return ""
    end = source.find(b">", at, at + _LONGEST_TAG)
    if end < 0 or source[end - 1 : end] == b"/" or source.startswith((b"</", b"<ix:header"), end + 1):
        return ""  # empty, or what is never drawn anyway
    return tag[1].decode("ascii").lower()
