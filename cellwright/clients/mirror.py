"""A mirror: a folder that stands in for the network, `index.csv` and the files that it names.

Each line answers for one address (design, section 3): `url, file, media_type, status, headers, fetched, via`.
The same mirror gives the same captures, byte for byte.
"""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath, PureWindowsPath
from urllib.parse import urljoin

from cellwright.clients.coding import CodingError, TooLarge, gunzip, undo_codings
from cellwright.clients.disk import read_bytes
from cellwright.clients.fetched import (
    MAX_BODY,
    UNKNOWN_TIME,
    Fetched,
    Headers,
    Hop,
    Validators,
    header,
    is_redirect,
    status_of,
    utc_time,
)
from cellwright.records.errors import Place, Problem, UnreadableInput
from cellwright.records.repository_rows import MirrorRow
from cellwright.records.tables import read_records

INDEX = "index.csv"
MAX_HOPS = 10
_GZIP_TYPES = frozenset({"application/gzip", "application/x-gzip"})


class Mirror:
    """The mirror in a folder. Raises UnreadableInput where its index is missing or a line of it is at fault."""

    concurrency = 1

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._shown = f"{folder.name}/{INDEX}"
        data = read_bytes(folder / INDEX, name=self._shown)
        rows = read_records(data, MirrorRow, self._shown).rows
        problems = [problem for row in rows if (problem := self._fault(row))]
        if problems:
            raise UnreadableInput(problems)
        self._rows = {_bare(row.url): row for row in rows}

    def fetch(self, url: str, *, conditional: Validators | None = None) -> Fetched | None:
        """What the mirror answers for the address, redirects followed; None where it has no line for it.

        A mirror gives the document whatever is held already: `conditional` changes nothing.
        Raises UnreadableInput for a file that is missing, leads out of the folder, or cannot be unpacked.
        """
        target, hops = _bare(url), list[Hop]()
        row = self._rows.get(target)
        if row is None:
            return None
        fetched_at = _time(row)
        while is_redirect(row.status or 200, headers := _headers(row)):
            hops.append(Hop(target, row.status or 200, headers))
            target = _bare(urljoin(target, header(headers, "location")))
            after = self._rows.get(target)
            if after is None or len(hops) > MAX_HOPS:
                note = "redirects follow each other without end" if after else f"the mirror has no line for {target}"
                return self._nothing(url, target, row, tuple(hops), note)
            row = after
        http_status = row.status or 200
        status = status_of(http_status, headers, len(hops))
        via = row.via or "mirror"
        if status not in ("ok", "redirected"):
            return self._nothing(url, target, row, tuple(hops), f"the mirror answers {http_status}")
        payload = self._file(row)
        try:
            body = undo_codings(payload, header(headers, "content-encoding"), MAX_BODY)
        except (CodingError, TooLarge) as error:
            raise self._unreadable(row, str(error) or f"more than {MAX_BODY} bytes") from None
        if not body:
            return self._nothing(url, target, row, tuple(hops), "the file is empty")
        return Fetched(url, target, status, http_status, headers, body, payload, fetched_at, tuple(hops), via)

    def _nothing(self, url: str, target: str, row: MirrorRow, hops: tuple[Hop, ...], note: str) -> Fetched:
        headers = _headers(row)
        status = status_of(row.status or 200, headers, 0)
        return Fetched(
            url,
            target,
            "wrong_type" if status == "ok" else status,
            row.status or 200,
            headers,
            b"",
            b"",
            _time(row),
            hops,
            row.via or "mirror",
            note=note,
        )

    def _file(self, row: MirrorRow) -> bytes:
        """The row's file, unpacked where it is an original kept as gzip."""
        path = Path(os.path.realpath(self._folder / row.file))
        shown = f"{self._folder.name}/{row.file}"
        if not path.is_relative_to(os.path.realpath(self._folder)):
            raise UnreadableInput(
                "a symbolic link leads out of the mirror",
                Place(self._shown, row.line, "file"),
                seen=row.file,
                expected="a file in the mirror's folder",
                fix="put a copy in its place",
            )
        data = read_bytes(path, limit=MAX_BODY, name=shown)
        try:
            return unpacked_original(data, row.file, row.media_type)
        except (CodingError, TooLarge) as error:
            raise self._unreadable(row, str(error) or f"more than {MAX_BODY} bytes") from None

    def _unreadable(self, row: MirrorRow, reason: str) -> UnreadableInput:
        return UnreadableInput(
            "the mirror's file cannot be unpacked", Place(self._shown, row.line, "file", row.file), seen=reason
        )

    def _fault(self, row: MirrorRow) -> Problem | None:
        """What is wrong with a line, before any file is opened."""

        def problem(what: str, column: str, seen: str, expected: str) -> Problem:
            return Problem(what, Place(self._shown, row.line, column), seen=seen, expected=expected)

        parts = PurePosixPath(row.file).parts
        redirects = bool(row.status and 300 <= row.status < 400)
        if not row.url.startswith(("http://", "https://")) or not row.url.isprintable() or " " in row.url:
            return problem("the address cannot be mirrored", "url", row.url, "an address with http:// or https://")
        if row.status is not None and not 200 <= row.status <= 599:
            return problem("this is no HTTP status", "status", str(row.status), "200 to 599")
        if not row.file.strip() and status_of(row.status or 200, (), 0) == "ok":
            return problem("the file is not named", "file", row.file, "a file in the mirror's folder")
        if (
            ".." in parts
            or PurePosixPath(row.file).is_absolute()
            or "\\" in row.file
            or PureWindowsPath(row.file).drive
            or not row.file.isprintable()
        ):
            return problem("the file leads out of the mirror", "file", row.file, "a file in the mirror's folder")
        try:
            headers = _headers(row)
        except ValueError as error:
            return problem("the headers cannot be read", "headers", row.headers, str(error))
        if redirects and not header(headers, "location"):
            return problem("a redirect leads nowhere", "headers", row.headers, "`Location: address`")
        try:
            _time(row)
        except ValueError:
            return problem("this is no time", "fetched", row.fetched, "a date or a time of ISO 8601")
        return None


def unpacked_original(data: bytes, name: str, media_type: str) -> bytes:
    """The document in a file that may be kept as gzip: unpacked where the name ends in .gz and the type is not gzip.

    Raises CodingError or TooLarge.
    """
    packed = name.lower().endswith(".gz") and media_type.partition(";")[0].strip().lower() not in _GZIP_TYPES
    return gunzip(data, MAX_BODY) if packed else data


def _headers(row: MirrorRow) -> Headers:
    """The answer's headers: the media type, then those of the column `headers`. Raises ValueError."""
    headers: list[tuple[str, str]] = []
    for part in row.headers.split("|"):
        if not part.strip():
            continue
        name, colon, value = part.partition(":")
        if not colon or not name.strip().replace("-", "").isalnum() or not part.isascii() or not part.isprintable():
            raise ValueError("`name: value`, separated by `|`, in plain characters")
        headers.append((name.strip(), value.strip()))
    if row.media_type and not header(tuple(headers), "content-type"):
        if not row.media_type.isascii() or not row.media_type.isprintable():
            raise ValueError("a media type in plain characters")
        headers.insert(0, ("Content-Type", row.media_type))
    return tuple(headers)


def _time(row: MirrorRow) -> str:
    return utc_time(row.fetched) if row.fetched else UNKNOWN_TIME


def _bare(url: str) -> str:
    return url.strip().partition("#")[0]
