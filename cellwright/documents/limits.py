"""How large a document may be: what lies above is told in a sentence instead of filling the memory."""

from __future__ import annotations

from cellwright.records.errors import UnreadableInput

MAX_BYTES = 200_000_000
"""The largest document that is read at all, in bytes. The largest real filing met so far has 30 MB."""
MAX_CHARACTERS = 50_000_000
"""The longest text, in characters."""
MAX_CELLS = 2_000_000
"""The most places of all tables of one document together, blank ones within the rectangle counted."""


def check_bytes(data: bytes, kind: str) -> None:
    """Raises UnreadableInput when `data` is empty or larger than `MAX_BYTES`."""
    if not data:
        raise UnreadableInput(f"the {kind} document is empty (0 bytes)", fix="capture the source again")
    if len(data) > MAX_BYTES:
        raise UnreadableInput(
            f"the {kind} document is too large", seen=f"{len(data)} bytes", expected=f"{MAX_BYTES} bytes at most"
        )


def check_characters(count: int, kind: str) -> None:
    """Raises UnreadableInput when a text of `count` characters is longer than `MAX_CHARACTERS`."""
    if count > MAX_CHARACTERS:
        raise UnreadableInput(
            f"the text of the {kind} document is too long",
            seen=f"{count} characters",
            expected=f"{MAX_CHARACTERS} at most",
        )


def check_cells(count: int, kind: str) -> None:
    """Raises UnreadableInput when tables of `count` places together are larger than `MAX_CELLS`."""
    if count > MAX_CELLS:
        raise UnreadableInput(
            f"the tables of the {kind} document are too large",
            seen=f"{count} cells or more",
            expected=f"{MAX_CELLS} at most",
            fix="cut the source down to the part that is cited",
        )
