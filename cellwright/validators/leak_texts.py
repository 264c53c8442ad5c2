"""Passages and addresses of sources looked for in open texts, whatever blanks, case and escapes stand between."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence, Set
from urllib.parse import unquote, urlsplit

from cellwright.validators.leak_numbers import Spot

WINDOW = 20
"""Characters of a quote that must not stand in an open text: fewer are words that any question may use."""
_STEP = WINDOW // 2
_CUT = "\0"
_CELL = re.compile(r"[\t|]")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
_HOST = re.compile(r"(?<![a-z0-9-])[a-z0-9-]+(?:\.[a-z0-9-]+)+")


def folded(text: str) -> str:
    """The text as it is compared: escapes of Markdown, HTML and JSON undone, one blank between words, no capitals."""
    plain = html.unescape(_ESCAPE.sub(_unescaped, text))
    return " ".join(plain.casefold().split())


def _unescaped(match: re.Match[str]) -> str:
    said = match[1]
    if len(said) > 1:
        return chr(int(said[1:], 16))
    return " " if said in "nrt" else said


def windows(text: str, size: int = WINDOW) -> Iterable[str]:
    """Every passage of `size` characters of a folded text."""
    return (text[start : start + size] for start in range(len(text) - size + 1))


def address(url: str) -> str:
    """An address as it is compared: without scheme, `www.`, fragment and last slash, escapes undone."""
    parts = urlsplit(url.strip())
    query = f"?{parts.query}" if parts.query else ""
    whole = f"{(parts.netloc or '').removeprefix('www.')}{parts.path}{query}".rstrip("/")
    return " ".join(unquote(whole).casefold().split())


def _own_words(line: str, text: str, told: Set[str]) -> str:
    """The folded line, whole questions in it cut out and as long as before.

    What stands at the seam of two questions is nobody's words: a heading «… rate» above «Provision for income …»
    must not meet a quote that says «before provision for income».
    """
    if text in told:
        return _CUT * len(text)
    for cell in _CELL.split(line) if _CELL.search(line) else ():
        words = folded(cell)
        if len(words) >= _STEP and words in told:
            text = text.replace(words, _CUT * len(words), 1)
    return text


class OpenTexts:
    """The open texts without what the question says itself, to be asked for a passage or an address."""

    def __init__(self, texts: Mapping[str, Sequence[str]], given: Iterable[str]) -> None:
        told = {folded(text) for text in given}
        self._files = {file: _File(lines, told) for file, lines in texts.items()}
        known = {passage for text in told for passage in windows(f" {text} ")}
        self._known = "\n".join(unquote(text) for text in sorted(told))
        self._spots: dict[str, Spot] = {}
        for name, file in self._files.items():
            for start, passage in enumerate(windows(file.said)):
                if _CUT not in passage and passage not in known and passage not in self._spots:
                    self._spots[passage] = (name, file.line(start + passage.startswith(" ")))
        self._parts = {part for passage in self._spots for part in windows(passage, _STEP)}
        self._hosts = {host for file in self._files.values() for host in _HOST.findall(unquote(file.text))}

    def spot_of_quote(self, quote: str) -> Spot | None:
        """Where 20 characters in a row of the quote stand; None where none do.

        Twenty characters hold one of the quote's tens that begin at a multiple of ten, so that these are looked
        for first.
        """
        text = folded(quote)
        for ten in range(0, len(text) - _STEP + 1, _STEP):
            if text[ten : ten + _STEP] not in self._parts:
                continue
            for start in range(max(0, ten - _STEP), min(ten, len(text) - WINDOW) + 1):
                spot = self._spots.get(text[start : start + WINDOW])
                if spot is not None:
                    return spot
        return None

    def spot_of_address(self, url: str) -> Spot | None:
        """Where the address stands, whatever its scheme; None where it does not or the question gives it."""
        wanted = address(url)
        host = wanted.partition("/")[0].partition("?")[0].partition(":")[0]
        if not host or not any(found == host or found.endswith(f".{host}") for found in self._hosts):
            return None
        if wanted in self._known:
            return None
        for name, file in self._files.items():
            start = unquote(file.text).find(wanted)
            if start >= 0:
                return name, file.line(start)
        return None


class _File:
    """An open file's folded text, and the line in which each place of it stands."""

    def __init__(self, lines: Sequence[str], told: Set[str]) -> None:
        self._starts: list[int] = []
        self._lines: list[int] = []
        parts, said, start = [], [], 0
        for number, line in enumerate(lines, 1):
            text = folded(line)
            if text:
                parts.append(text)
                said.append(_own_words(line, text, told))
                self._starts.append(start)
                self._lines.append(number)
                start += len(text) + 1
        self.text = " ".join(parts)
        self.said = " ".join(said)
        """The same without the lines and table cells that are a question's text and nothing else."""

    def line(self, start: int) -> int:
        """The line in which the character at `start` stands."""
        return self._lines[max(0, bisect_right(self._starts, start) - 1)] if self._lines else 1
