"""The parts of a workbook, looked at as text before they are parsed: what is hostile, unsaved, merged or hidden."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cellwright.documents.archive import check_xml, open_archive, read_part
from cellwright.records.errors import UnreadableInput

MAX_ROWS = 1_048_576
"""A sheet has no more rows (ECMA-376); a row number above it is a mistake or an attack."""

# A formula whose cell ends without a value, or with an empty one.
_NO_VALUE = re.compile(
    rb"(?:</(?:\w{1,9}:)?f>|<(?:\w{1,9}:)?f(?: [^<>]{0,300})?/>)\s{0,9}"
    rb"(?:<(?:\w{1,9}:)?v ?/>|<v></v>)?\s{0,9}</(?:\w{1,9}:)?c>"
)


_FAR_ROW = re.compile(rb'<(?:\w{1,9}:)?row [^<>]{0,300}?\br="[0-9]{8}')
_MERGED = re.compile(rb'<(?:\w{1,9}:)?mergeCell [^<>]{0,99}?\bref="([A-Z]{1,3}[0-9]{1,7}:[A-Z]{1,3}[0-9]{1,7})"')


_HIDDEN_ROW = re.compile(rb'<(?:\w{1,9}:)?row (?=[^<>]{0,300}?\bhidden="(?:1|true)")[^<>]{0,300}?\br="([0-9]{1,7})"')
_HIDDEN_COLUMNS = re.compile(
    rb'<(?:\w{1,9}:)?col (?=[^<>]{0,300}?\bhidden="(?:1|true)")(?=[^<>]{0,300}?\bmin="([0-9]{1,5})")'
    rb'[^<>]{0,300}?\bmax="([0-9]{1,5})"'
)


@dataclass(frozen=True, slots=True)
class Unseen:
    """What a sheet does not show: its hidden rows and ranges of columns, 1-based."""

    rows: tuple[int, ...] = ()
    columns: tuple[tuple[int, int], ...] = ()


def _unseen(part: bytes) -> Unseen:
    return Unseen(
        tuple(int(match) for match in _HIDDEN_ROW.findall(part)),
        tuple((int(first), int(last)) for first, last in _HIDDEN_COLUMNS.findall(part)),
    )


def check_parts(data: bytes) -> tuple[int, dict[str, list[str]], dict[str, Unseen]]:
    """How many formulas have no stored value, and the merged ranges and hidden parts of each sheet's part.

    Raises UnreadableInput for an archive that is not safe to parse.
    """
    unsaved = 0
    merged: dict[str, list[str]] = {}
    unseen: dict[str, Unseen] = {}
    with open_archive(data, "XLSX") as archive:
        names = archive.namelist()
        if "[Content_Types].xml" not in names or not any(name.startswith("xl/") for name in names):
            raise UnreadableInput("the file is a zip archive, but no XLSX workbook", seen=", ".join(names[:3]))
        for name in names:
            if not name.endswith((".xml", ".rels")):
                continue
            part = read_part(archive, name, "XLSX")
            check_xml(part, name, "XLSX")
            if name.startswith("xl/worksheets/"):
                if _FAR_ROW.search(part):
                    raise beyond(name)
                unsaved += len(_NO_VALUE.findall(part))
                merged[name] = [match.decode() for match in _MERGED.findall(part)]
                unseen[name] = _unseen(part)
    return unsaved, merged, unseen


def beyond(sheet: str) -> UnreadableInput:
    return UnreadableInput(
        f"the sheet {sheet[:40]!r} has a row beyond the last that a sheet can have", expected=f"{MAX_ROWS} rows at most"
    )
