"""Versions of a release: semantic versions, and the one that a change asks for (design, section 7)."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import total_ordering

from cellwright.records.errors import Place, UnreadableInput

VERSION_PATTERN = r"(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})(?:-rc([1-9]\d{0,3}))?"
_VERSION = re.compile(VERSION_PATTERN, re.ASCII)
_FINAL = 10_000
"""Sorts a version behind all its candidates."""


class Level(IntEnum):
    """What a release changes for its readers; a higher one includes the lower ones."""

    PATCH = 0
    """No score can move."""
    MINOR = 1
    """A score may move: a reference corrected, a task added, quarantined or removed."""
    MAJOR = 2
    """Readers or scoring rules break."""

    @property
    def word(self) -> str:
        """`patch`, `minor` or `major`."""
        return self.name.lower()


@total_ordering
class Version:
    """A semantic version, `1.4.0` or its candidate `1.4.0-rc2`, which comes before it."""

    __slots__ = ("candidate", "core")

    def __init__(self, major: int, minor: int, patch: int, candidate: int | None = None) -> None:
        self.core = (major, minor, patch)
        self.candidate = candidate

    @classmethod
    def parse(cls, text: str) -> Version:
        """The version that `text` writes, with or without a leading `v`. Raises UnreadableInput."""
        found = _VERSION.fullmatch(text.removeprefix("v"))
        if not found:
            raise UnreadableInput(
                "this is no version", Place(), seen=text or "nothing", expected="such as `1.4.0` or `1.4.0-rc1`"
            )
        major, minor, patch, candidate = found.groups()
        return cls(int(major), int(minor), int(patch), int(candidate) if candidate else None)

    @property
    def tag(self) -> str:
        """The git tag of the release: `v1.4.0`."""
        return f"v{self}"

    @property
    def final(self) -> Version:
        """The version that this is a candidate for, or itself."""
        return Version(*self.core)

    def after(self, level: Level) -> Version:
        """The least final version that tells a change of `level` after this one.

        Before 1.0.0 the rule is the same: a reader of 0.3.1 is told by 0.4.0 that a score may move, and by 1.0.0
        that its reader breaks. A candidate is not yet that version: what it was cut for is asked for again.
        """
        major, minor, patch = self.core
        if level is Level.MAJOR:
            return Version(major + 1, 0, 0)
        if level is Level.MINOR:
            return Version(major, minor + 1, 0)
        return Version(major, minor, patch + 1)

    def __str__(self) -> str:
        core = ".".join(map(str, self.core))
        return core if self.candidate is None else f"{core}-rc{self.candidate}"

    def __repr__(self) -> str:
        return f"Version({self})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and self._key == other._key

    def __lt__(self, other: Version) -> bool:
        return self._key < other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[tuple[int, int, int], int]:
        return self.core, _FINAL if self.candidate is None else self.candidate
