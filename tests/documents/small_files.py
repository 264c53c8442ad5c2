"""Small files made by the tests: PDFs written by hand, workbooks by openpyxl, zip archives by zipfile."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import openpyxl

Line = tuple[int, int, str]
"""Left, height above the page's foot (points), text in cp1252."""


# How a line is drawn so that a page shown turned by so many degrees looks upright: the text's matrix and its place.
_DRAWN: dict[int, Callable[[int, int], str]] = {
    0: lambda x, y: f"1 0 0 1 {x} {y}",
    90: lambda x, y: f"0 1 -1 0 {792 - y} {x}",
    180: lambda x, y: f"-1 0 0 -1 {612 - x} {792 - y}",
    270: lambda x, y: f"0 -1 1 0 {y} {612 - x}",
}


def pdf_of(pages: Sequence[Sequence[Line]], *, images: Sequence[int] = (), rotate: int = 0) -> bytes:
    """A PDF whose pages show `pages`; the 0-based pages of `images` draw an image too.

    With `rotate` the pages are drawn turned and shown turned back, as landscape pages of reports are.
    `1,234^{3}` draws the 3 small and raised, as the mark of a note.
    """
    objects: list[bytes] = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray"
        b" /BitsPerComponent 8 /Length 1 >>\nstream\nA\nendstream",
    ]
    box = b"0 0 612 792" if rotate % 180 == 0 else b"0 0 792 612"
    kids = []
    for number, lines in enumerate(pages):
        drawn = "".join(f"BT /F1 12 Tf {_DRAWN[rotate](x, y)} Tm {_shown(text)} ET\n" for x, y, text in lines)
        if number in images:
            drawn += "q 300 0 0 300 100 100 cm /Im1 Do Q\n"
        stream = drawn.encode("cp1252")
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [%s] /Rotate %d /Contents %d 0 R /Resources "
            b"<< /Font << /F1 3 0 R >> /XObject << /Im1 4 0 R >> >> >>" % (box, rotate, len(objects))
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), b" ".join(kids))
    return _assembled(objects)


def _shown(text: str) -> str:
    plain, *notes = re.split(r"\^\{(.*?)\}", text)
    drawn = f"({_escaped(plain)}) Tj"
    for mark, after in zip(notes[::2], notes[1::2], strict=True):
        drawn += f" /F1 7 Tf 2 Ts ({_escaped(mark)}) Tj /F1 12 Tf 0 Ts ({_escaped(after)}) Tj"
    return drawn


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def _assembled(objects: Sequence[bytes]) -> bytes:
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)


_CORE = "docProps/core.xml"
"""Where a workbook says when it was made."""


def xlsx_of(sheets: Mapping[str, Mapping[str, Any]], *, hidden: Sequence[str] = ()) -> bytes:
    """A workbook: for each sheet's name the values by cell (`{"Grids": {"F14": 5}}`)."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, cells in sheets.items():
        sheet = book.create_sheet(name)
        for cell, value in cells.items():
            sheet[cell] = value
        if name in hidden:
            sheet.sheet_state = "hidden"
    out = io.BytesIO()
    book.save(out)
    core = re.sub(rb"20\d\d-[\dT:-]+Z", b"2024-01-02T03:04:05Z", part_of(out.getvalue(), _CORE))
    return repacked(out.getvalue(), {_CORE: core})


def repacked(archive: bytes, changes: Mapping[str, bytes]) -> bytes:
    """The zip archive with the parts of `changes` put in place of its own, or added; no clock is in its bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            if name not in changes:
                target.writestr(zipfile.ZipInfo(name), source.read(name), zipfile.ZIP_DEFLATED)
        for name, body in changes.items():
            target.writestr(zipfile.ZipInfo(name), body, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def part_of(archive: bytes, name: str) -> bytes:
    """One part of a zip archive."""
    with zipfile.ZipFile(io.BytesIO(archive)) as source:
        return source.read(name)


def with_shared_strings(archive: bytes) -> bytes:
    """The workbook as spreadsheet programs write it: the first sheet's texts in a part of their own."""
    sheet = part_of(archive, "xl/worksheets/sheet1.xml").decode()
    pieces = re.split(r't="inlineStr"><is><t>(.*?)</t></is>', sheet)
    texts = pieces[1::2]
    sheet = "".join(piece if n % 2 == 0 else f't="s"><v>{n // 2}</v>' for n, piece in enumerate(pieces))
    items = "".join(f"<si><t>{text}</t></si>" for text in texts)
    main = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    types = (
        part_of(archive, "[Content_Types].xml")
        .decode()
        .replace(
            "</Types>", f'<Override PartName="/xl/sharedStrings.xml" ContentType="{main}.sharedStrings+xml"/></Types>'
        )
    )
    return repacked(
        archive,
        {
            "xl/worksheets/sheet1.xml": sheet.encode(),
            "[Content_Types].xml": types.encode(),
            "xl/sharedStrings.xml": f'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">{items}</sst>'.encode(),
        },
    )
