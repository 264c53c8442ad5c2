"""A comparison as Markdown, to be put into a mail or a changelog as it is.

Text from outside is escaped: it can make no link, no heading, no table and no HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cellwright.views.change_report import ChangeReport, Grid, Item, Line
from cellwright.views.safe import one_line, web_address

_MARKS = re.compile(r"([\\`*\[\]<>|~]|&(?=[#A-Za-z])|(?<![^\W_])_|_(?![^\W_]))")
"""An underscore within a word marks nothing, and ids are full of them."""
_LEADING = re.compile(r"^(\d{1,9}(?=[.)](?:\s|$))|[#+=-](?=[#+=\s-]|$))")


def change_markdown(report: ChangeReport) -> str:
    """The comparison as Markdown; ends with a line feed."""
    lines = [f"# {plain(report.title)}", "", *(plain(sentence) for sentence in report.lead), ""]
    for section in report.sections:
        lines += [f"## {plain(section.title)}", ""]
        if section.intro:
            lines += [plain(section.intro), ""]
        if section.grid is not None:
            lines += [*_grid(section.grid), ""]
        for item in section.items:
            lines += _item(item)
        if section.items:
            lines.append("")
    if report.foot:
        lines += [plain(report.foot), ""]
    return "\n".join(lines).rstrip() + "\n"


def plain(text: str) -> str:
    """`text` on one line, with nothing in it that Markdown would take for a mark."""
    escaped = _MARKS.sub(r"\\\1", one_line(text))
    return _LEADING.sub(lambda match: f"\\{match[0]}" if not match[0].isdigit() else f"{match[0]}\\", escaped)


def _item(item: Item) -> Iterator[str]:
    yield f"- **{plain(item.name)}**" + (f" ({plain(item.tag)})" if item.tag else "")
    for line in item.lines:
        yield f"  - {plain(line.label)}: {_said(line)}"


def _said(line: Line) -> str:
    text = plain(line.text)
    if line.change:
        text = f"{plain(line.old)} → **{plain(line.new)}**" + (f" ({text})" if text else "")
    address = web_address(line.address)
    if address and not re.search(r"[<>\s]", address):
        return f"{text}; evidence <{address}>"
    return f"{text}; evidence {plain(line.address)}" if line.address else text


def _grid(grid: Grid) -> Iterator[str]:
    yield f"| {' | '.join(plain(head) for head in grid.head)} |"
    yield f"| {' | '.join('---:' if at in grid.right else '---' for at in range(len(grid.head)))} |"
    for at, row in enumerate(grid.rows):
        cells = (plain(text) for text in row)
        yield f"| {' | '.join(f'**{cell}**' if at in grid.strong and cell else cell for cell in cells)} |"
