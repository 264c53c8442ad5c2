"""Every threshold of the audit, with its default and the reason for it; `params.yaml` is made from here."""

from __future__ import annotations

import textwrap
from decimal import Decimal
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from cellwright.records.decimals import canonical
from cellwright.records.errors import Place, Problem, UnreadableInput
from cellwright.records.fields import decimal_field
from cellwright.records.suggest import did_you_mean
from cellwright.records.yaml_text import read_yaml

SECTION = "audit"
"""The key of `params.yaml` under which the audit's thresholds stand."""


def _number(value: Any) -> Any:
    return decimal_field(value) if isinstance(value, str) else value


_Share = Annotated[Decimal, BeforeValidator(_number), Field(ge=0, le=1)]
_Points = Annotated[Decimal, BeforeValidator(_number), Field(ge=0, le=100)]
_Days = Annotated[int, Field(ge=0, le=4000)]
_Runs = Annotated[int, Field(ge=1, le=1000)]
_Digits = Annotated[int, Field(ge=1, le=34)]


class Thresholds(BaseModel):
    """What the audit compares with. A reason stands under each; change one only with a better reason."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
    constant_guess_mean: _Share = Decimal("0.5")
    """A dimension on which one constant answer scores more than this on average asks for no research: 0.5 is
    what an honest near answer earns, and guessing the order of magnitude right everywhere gives 0.25 already."""
    constant_guess_mean_derived: _Share = Decimal("0.45")
    """The same where every cell asks for a derivation: a constant shows none and earns 0.5 at most, so that more
    than this means that it is a near answer for nine entities in ten."""
    relative_full_most: _Share = Decimal("0.05")
    """A relative `full` wider than this part of the reference takes wrong answers for right ones: missteps
    such as a neighbouring year begin about there."""
    points_full_most: _Points = Decimal("0.5")
    """An absolute `full` of a percentage wider than this many percentage points takes neighbouring answers for
    right ones: to one decimal, half the last digit is 0.05, and ten times as much is a guess."""
    relative_full_finest: _Share = Decimal("0.001")
    """A relative `full` of this part of the reference is as tight as is sensibly asked for: a known misstep that
    lies nearer meets the answer by chance, and a tighter tolerance would fail right answers for it."""
    points_full_finest: _Points = Decimal("0.05")
    """The same for percentages, in percentage points: half the last digit of an answer to one decimal."""
    overlap_finest: _Share = Decimal("0.5")
    """The same for ranges: an `overlap` of a half takes neighbours for right on purpose, and less than that is
    told where a known misstep passes."""
    difficulty_least: _Share = Decimal("0.05")
    """A task on which trial runs score less than this on average tells agents apart by luck: it is more
    likely broken than hard."""
    difficulty_most: _Share = Decimal("0.85")
    """A task on which trial runs score more than this on average leaves no room to tell agents apart."""
    closed_book_most: _Share = Decimal("0.5")
    """A cell that agents without sources score more than this on average is known by heart, not researched."""
    pilot_runs_least: _Runs = 3
    """A cell is said to be got by no trial run, or by every one, only where this many runs tried it: one or two
    agree by chance."""
    canary_least: _Digits = 24
    """Characters of the benchmark's canary: a shorter text may stand in a page by chance, and a UUID alone has 36."""
    claim_slack: _Points = Decimal("1")
    """Units of its last written digit by which a near miss's claim (`29% above`, `0.4 pp above`) may differ from
    what it gives: one forgives rounding up or down, and no more than the claim itself leaves open."""
    prompt_digits: _Digits = 3
    """A number in the question tells the answer only when it has this many significant digits: shorter ones
    (`top 5`, `10 percent`) meet an answer by chance."""
    prompt_digits_scaled: _Digits = 4
    """The same for a number that is the answer at another scale or in another country's marks (`28,479` where the
    answer is 28.479 billion): so many more numbers are compared that three digits would meet by chance."""
    period_slack_days: _Days = 20
    """Days by which the lengths of two periods may differ inside one derivation: fiscal years have 52 or 53
    weeks, while a quarter in place of a year is 270 days off."""
    date_reach_years: _Digits = 5
    """Years after the last document and the last period beyond which a day is a slip of the hand: a benchmark
    asks for figures of its own time, and digits that change places miss by decades."""


def read_thresholds(data: bytes, file: str) -> Thresholds:
    """The thresholds under `audit:` of `params.yaml`; what is not named there has its default.

    Raises UnreadableInput for unknown keys and values that cannot be read, each with its line.
    """
    raw, lines = read_yaml(data, file)
    part = raw.get(SECTION, {}) if isinstance(raw, dict) else None
    if not isinstance(part, dict):
        raise UnreadableInput(
            "the thresholds cannot be read",
            Place(file, lines.get((SECTION,), 1), SECTION),
            expected=f"`{SECTION}:` with one `key: value` line for each threshold",
        )
    try:
        return Thresholds.model_validate(part)
    except ValidationError as error:
        problems = []
        for fault in error.errors(include_url=False):
            key = str(fault["loc"][0]) if fault["loc"] else ""
            unknown = fault["type"] == "extra_forbidden"
            problems.append(
                Problem(
                    f"the threshold `{key}` is unknown" if unknown else f"the threshold `{key}` cannot be read",
                    Place(file, lines.get((SECTION, key)), key),
                    seen=str(fault.get("input", ""))[:80],
                    expected=f"one of {', '.join(Thresholds.model_fields)}"
                    if unknown
                    else fault["msg"].removeprefix("Value error, "),
                    fix=did_you_mean(key, Thresholds.model_fields) if unknown else "",
                )
            )
        raise UnreadableInput(problems) from None


def thresholds_yaml(thresholds: Thresholds | None = None) -> str:
    """The text of `params.yaml`: every threshold, its reason above it as a comment."""
    values = thresholds or Thresholds()
    lines = [
        "# Every threshold of the audit with its reason. A threshold that is left out has this value.",
        f"{SECTION}:",
    ]
    for name, field in Thresholds.model_fields.items():
        reason = " ".join((field.description or "").split())
        lines += [f"  # {line}" for line in textwrap.wrap(reason, 100)]
        value = getattr(values, name)
        lines.append(f"  {name}: {canonical(value) if isinstance(value, Decimal) else value}")
    return "\n".join(lines) + "\n"
