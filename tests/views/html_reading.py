"""A page read back with the standard library's parser: its elements, attributes and text."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

APART = {"td", "th", "li", "dd", "dt", "p", "div", "br", "h1", "h2", "h3", "h4", "blockquote", "summary", "caption"}
"""Elements that stand apart from what is before them."""


@dataclass
class Page(HTMLParser):
    """What a page holds, once it has been fed."""

    elements: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._within: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element; `style` and `title` are kept out of the text."""
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag in APART:
            self.text += " "
        if tag in ("style", "script", "title"):
            self._within.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Leave an element whose text is not the page's."""
        if self._within and self._within[-1] == tag:
            self._within.pop()

    def handle_data(self, data: str) -> None:
        """Collect text."""
        if not self._within:
            self.text += data

    def attributes(self, name: str) -> list[str]:
        """Every value of an attribute."""
        return [attributes[name] for _, attributes in self.elements if name in attributes]

    def words(self) -> str:
        """The text with each run of blanks as one."""
        return " ".join(self.text.split())


def read_page(data: bytes) -> Page:
    """The page read."""
    page = Page()
    page.feed(data.decode("utf-8"))
    page.close()
    return page
