"""Profiles: the shape a task must have, as data (design, sections 3 and 6)."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from cellwright.records.errors import Place, Problem, UnreadableInput
from cellwright.records.fields import SourceId
from cellwright.records.task import Family
from cellwright.records.yaml_text import read_yaml

_SPAN = re.compile(r"(\d{1,3})(?:-(\d{1,3}))?")


class Span(BaseModel):
    """How many of something: at least and at most. Written `8`, or `6-10`."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    at_least: int = Field(ge=0, le=999)
    at_most: int = Field(ge=0, le=999)

    def holds(self, count: int) -> bool:
        """Whether `count` is allowed."""
        return self.at_least <= count <= self.at_most

    def __str__(self) -> str:
        return str(self.at_least) if self.at_least == self.at_most else f"{self.at_least} to {self.at_most}"


def _span(value: Any) -> Any:
    if isinstance(value, Span):
        return value
    match = _SPAN.fullmatch(str(value).strip())
    if match is None:
        raise ValueError("a count such as `8`, or the least and the most such as `6-10`")
    least, most = int(match[1]), int(match[2] or match[1])
    if least > most:
        raise ValueError("a least count that is not above the most")
    return Span(at_least=least, at_most=most)


Count = Annotated[Span, BeforeValidator(_span)]


class Profile(BaseModel):
    """The shape of a task. The published benchmark's is 8 × 8; others go from 6 to 10 a side."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
    id: SourceId
    """The profile's name: a task says `profile: <id>`."""
    title: str = ""
    """What it is for."""
    entities: Count
    """How many rows."""
    dimensions: Count
    """How many columns."""
    families: dict[Family, Count]
    """How many dimensions of each capability family; one that is not named has none."""
    domains: tuple[str, ...] = Field(min_length=1)
    """The subject domains that a task may have."""

    @model_validator(mode="after")
    def _adds_up(self) -> Profile:
        least = sum(span.at_least for span in self.families.values())
        most = sum(span.at_most for span in self.families.values())
        if least > self.dimensions.at_most or most < self.dimensions.at_least:
            raise ValueError(f"families that add up to the dimensions ({self.dimensions}), not to {least} to {most}")
        if self.dimensions.at_least < least or self.dimensions.at_most > most:
            raise ValueError(f"families that allow all counts of dimensions ({self.dimensions}), not {least} to {most}")
        for key in ("entities", "dimensions"):
            if not getattr(self, key).at_least:
                raise ValueError(f"at least one of `{key}`, since a task without is none")
        if not all(domain.strip() for domain in self.domains) or len(set(self.domains)) < len(self.domains):
            raise ValueError("domains that have a name, each once")
        return self


def read_profile(data: bytes, file: str, *, name: str = "") -> Profile:
    """The profile in `data`, a YAML file; UnreadableInput tells every fault with its line.

    `name` is what tasks call it: a profile that calls itself something else is refused, since no task could have it.
    """
    raw, lines = read_yaml(data, file)
    try:
        profile = Profile.model_validate(raw)
        if name and profile.id != name:
            raise UnreadableInput(
                "the profile does not bear the name under which it is found",
                Place(file, lines.get(("id",)), "id"),
                seen=profile.id,
                expected=name,
                fix="mend `id:`, or the name of the file",
            )
        return profile
    except ValidationError as error:
        problems = []
        for fault in error.errors(include_url=False):
            path = tuple(fault["loc"])
            key = ".".join(str(part) for part in path)
            expected = fault["msg"].removeprefix("Value error, ")
            problems.append(
                Problem(
                    f"`{key}` cannot be read" if key else "the profile does not add up",
                    Place(file, lines.get(path), key),
                    seen=str(fault.get("input", ""))[:80],
                    expected=expected,
                )
            )
        raise UnreadableInput(problems) from None
