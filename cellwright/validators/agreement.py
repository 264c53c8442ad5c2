"""Agreement: what the witnesses say about a cell (design, section 6, condition 4). Pure.

An *input* is a fact that the answer rests on. Its *witnesses* are other readings of the same thing: the
same entity, name and period, by another owner or in a later vintage of the same owner. An *other answer*
is what the derivation gives with one input replaced by one witness and all other inputs held at primary.

- `divergent`: some other answer lies outside the cell's `full`, with its interval apart from the answer's
  interval (a range: intersection over union below `overlap`). A vintage of the same owner counts: NVIDIA's
  11.93 and, after the split, 1.19 are two answers to one question.
- `consistent`: none diverges, and either every input is told by two or more independent owners, or
  another owner states the answer itself. Vintages of one owner are one owner.
- `single`: else.

A figure that states the answer itself (a fact named as the dimension) and does not fit it diverges too:
it is a witness of the answer. A cell that is not available has no label.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from cellwright.records.decimals import CONTEXT
from cellwright.records.fields import Agreement

Interval = tuple[Decimal, Decimal]


@dataclass(frozen=True, slots=True)
class InputWitnesses:
    """One input of a cell and the owners who tell it."""

    fact: str
    """The primary fact."""
    owners: frozenset[str]
    """Owners of the primary and of its witnesses, each once."""

    @property
    def corroborated(self) -> bool:
        """Whether two or more independent owners tell it."""
        return len(self.owners) >= 2


@dataclass(frozen=True, slots=True)
class OtherAnswer:
    """What a cell's answer would be under one witness."""

    fact: str
    """The witness."""
    replaces: str
    """The primary fact it stands in for; empty where the witness states the answer itself."""
    value: Decimal | None
    """The other answer in the cell's unit; of a range its middle is not taken, this is None."""
    low: Decimal | None = None
    high: Decimal | None = None
    interval: Interval | None = None
    within: bool = True
    """Whether it earns `full`; of a range, whether it overlaps enough."""
    apart: bool = False
    """Whether its interval lies apart from the answer's."""

    @property
    def diverges(self) -> bool:
        """Whether it is really another answer."""
        return not self.within and self.apart


@dataclass(frozen=True, slots=True)
class Verdict:
    """The label of a cell with what it rests on."""

    label: Agreement
    inputs: int
    """How many facts the answer rests on."""
    corroborated: int
    """How many of them two or more owners tell."""
    diverging: tuple[OtherAnswer, ...] = ()
    lacking: tuple[str, ...] = ()
    """Inputs that only one owner tells."""
    stated_by: str = ""
    """The fact by which another owner states the answer."""

    @property
    def difference(self) -> tuple[str, ...]:
        """The facts that make the difference: those that give another answer, else those that only one owner tells."""
        if self.diverging:
            return tuple(dict.fromkeys(other.fact for other in self.diverging))
        return self.lacking if self.label == "single" else ()

    def says(self) -> str:
        """The verdict in words: `corroborated 2 of 3`, and the fact that makes the difference."""
        text = f"corroborated {self.corroborated} of {self.inputs}"
        if self.diverging:
            first = self.diverging[0]
            more = f" and {len(self.diverging) - 1} more" if len(self.diverging) > 1 else ""
            return f"{text}; `{first.fact}` gives another answer{more}"
        if self.stated_by:
            return f"{text}; `{self.stated_by}` states the answer"
        if self.label == "single" and self.lacking:
            return f"{text}; only one owner tells `{self.lacking[0]}`"
        return text


def agreement(inputs: Sequence[InputWitnesses], others: Sequence[OtherAnswer], stated_by: str = "") -> Verdict:
    """The label that the witnesses give: design, section 6, condition 4."""
    diverging = tuple(other for other in others if other.diverges)
    lacking = tuple(item.fact for item in inputs if not item.corroborated)
    corroborated = len(inputs) - len(lacking)
    label: Agreement
    if diverging:
        label = "divergent"
    elif stated_by or (inputs and not lacking):
        label = "consistent"
    else:
        label = "single"
    return Verdict(label, len(inputs), corroborated, diverging, lacking, stated_by)


def apart(one: Interval, other: Interval) -> bool:
    """Whether two closed intervals have no point in common."""
    return one[1] < other[0] or other[1] < one[0]


def overlap(one: Interval, other: Interval) -> Decimal:
    """Intersection over union of two ranges, 0 to 1; two equal points overlap wholly."""
    low, high = max(one[0], other[0]), min(one[1], other[1])
    union = CONTEXT.subtract(max(one[1], other[1]), min(one[0], other[0]))
    if union == 0:
        return Decimal(1)
    return CONTEXT.divide(CONTEXT.subtract(high, low), union) if high > low else Decimal(0)
