"""What a capture's file holds besides its one capture: nothing, where Cellwright wrote it.

Readers of WARC files pass over what they do not ask for; a file from outside may carry other things there.
"""

from __future__ import annotations

import io
import struct
import zlib

from warcio.archiveiterator import ArchiveIterator

from cellwright.clients.coding import CodingError, pieces
from cellwright.clients.fetched import is_redirect
from cellwright.clients.warc import MAX_WARC, answers, unpacked

MAX_GROWTH = 200
"""Times that a capture beyond `FREE` may grow when its gzip is undone: pages grow by ten, bombs by a thousand."""
FREE = 10_000_000
"""Bytes up to which growth is not looked at."""
_KINDS = frozenset({"response", "request", "resource"})


def oddity(data: bytes, file: str) -> str:
    """What is odd about a capture's file in words; nothing where it holds one capture and nothing else.

    To be asked of a file that is no bomb (`growth_fault`). Raises UnreadableInput for what is no WARC.
    """
    plain, packed = unpacked(data, file, MAX_WARC, f"at most {MAX_WARC} bytes")
    final = sum(not is_redirect(answer.http_status or 200, answer.headers) for answer in answers(plain, packed, file))
    if final != 1:
        return f"it holds {final} answers that are no redirects"
    kinds = {record.rec_type for record in ArchiveIterator(io.BytesIO(plain))}
    if strange := sorted(str(kind)[:40] for kind in kinds - _KINDS):
        return f"it holds records of the kind {', '.join(strange)}"
    return ""


def growth_fault(data: bytes) -> str:
    """Why a gzip file is not unpacked, "" where it may be: it grows without measure, or bytes follow its end.

    It is taken out piece by piece, none of which is kept.
    """
    most = max(FREE, min(MAX_WARC, MAX_GROWTH * len(data)))
    size = last = checksum = 0
    ends = b""
    try:
        for piece in pieces(data):
            if piece is None:  # A member ends with its checksum and size (RFC 1952).
                ends = struct.pack("<LL", checksum, last & 0xFFFFFFFF)
                last = checksum = 0
                continue
            size, last, checksum = size + len(piece), last + len(piece), zlib.crc32(piece, checksum)
            if size > most:
                return f"the capture of {len(data)} bytes grows beyond {most} bytes when it is unpacked"
    except CodingError as error:
        return f"the capture cannot be unpacked: {error}"
    return "" if data.endswith(ends) else "bytes follow the end of the capture"
