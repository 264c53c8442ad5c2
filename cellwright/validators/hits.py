"""What a rule saw, and where: a finding is made of it."""

from __future__ import annotations

from dataclasses import dataclass

from cellwright.records.errors import Place


@dataclass(frozen=True, slots=True)
class Hit:
    """What a rule saw, where. `entity` and `dimension` say what it is about, for waivers."""

    place: Place
    observed: str = ""
    expected: str = ""
    fix: str = ""
    entity: str = ""
    dimension: str = ""
    fields: tuple[str, ...] = ()
    """The columns or keys to look at; the place's column where there is only one."""
