"""The captures of a contribution read one at a time: what each holds, bounded, and never more than one in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cellwright.clients.contribution_file import Container
from cellwright.clients.warc import read_capture
from cellwright.clients.warc_shape import growth_fault, oddity
from cellwright.records.contribution import CAPTURES_FOLDER, MANIFEST, finding
from cellwright.records.contribution import CheckFinding as Finding
from cellwright.records.errors import Place, Problem, UnreadableInput
from cellwright.validators.contributions.captures import CaptureSeen, capture_file

MAX_UNPACKED = 2_000_000_000
"""Bytes of all documents of a contribution together."""


def capture_names(names: Iterable[str]) -> tuple[str, ...]:
    """The sha256 in the name of each capture."""
    return tuple(
        name.removeprefix(CAPTURES_FOLDER).removesuffix(".warc.gz")
        for name in names
        if name.startswith(CAPTURES_FOLDER)
    )


def captures_seen(container: Container, names: Iterable[str]) -> tuple[Mapping[str, CaptureSeen], list[Finding]]:
    """What each capture holds, by the sha256 in its name; and where there is too much of it."""
    seen: dict[str, CaptureSeen] = {}
    room = MAX_UNPACKED
    for name in names:
        if room < 0:
            told = finding("K-SIZE", MANIFEST, what="the captures are too large together", expected=f"{MAX_UNPACKED}")
            return seen, [told]
        seen[name], size = _seen(container, name)
        room -= size
    return seen, []


def _seen(container: Container, name: str) -> tuple[CaptureSeen, int]:
    file = capture_file(name)
    try:
        data = container.read(file)
        if fault := growth_fault(data):
            return CaptureSeen(name, problem=Problem(fault, Place(file), expected="one capture, packed once")), 0
        capture = read_capture(data, file=file)
        odd = oddity(data, file)
    except UnreadableInput as error:
        return CaptureSeen(name, problem=error.problems[0]), 0
    told = CaptureSeen(
        name,
        capture.sha256,
        capture.url,
        capture.final_url,
        capture.fetched,
        capture.via,
        capture.status,
        odd=odd,
        size=len(capture.body),
    )
    return told, len(capture.body)
