"""What the evidence page shows, as plain data: everything a template prints, in its words and order."""

from __future__ import annotations

from dataclasses import dataclass

from cellwright.views.finding_view import ConditionView, FindingView
from cellwright.views.highlight import Part
from cellwright.views.scoring_words import RuleLine

Pairs = tuple[tuple[str, str], ...]
"""Labels and what stands beside them."""


@dataclass(frozen=True, slots=True)
class SourceView:
    """A source as a reader sees it."""

    id: str
    anchor: str
    title: str
    publisher: str
    address: str
    """As published."""
    link: str
    """The address where it may be a link, else nothing."""
    published: str
    accessed: str
    media_type: str
    tier: str
    tier_words: str
    tier_reason: str
    sha256: str
    via: str
    stand_in: bool
    """The figures as disclosed; the document itself is not held."""
    findings: tuple[FindingView, ...] = ()


@dataclass(frozen=True, slots=True)
class FactView:
    """A fact with the excerpt it was read from."""

    id: str
    anchor: str
    name: str
    entity: str
    rank: str
    rank_words: str
    period: str
    as_written: str
    value: str
    """Every digit, with its unit."""
    how: str
    """How the value follows from what is printed: the scale, and the sign where it is reversed."""
    quote: tuple[Part, ...]
    prefix: str
    suffix: str
    where: Pairs
    """Page, row, column, locator, basis, scope, where there are any."""
    source: SourceView | None
    chosen: bool = False
    findings: tuple[FindingView, ...] = ()


@dataclass(frozen=True, slots=True)
class StepView:
    """A step of the derivation."""

    id: str
    expr: str
    why: str
    value: str
    exact: str
    """Every digit, where `value` shows fewer."""
    interval: str
    uses: Pairs
    """Names of what it computes on, and the anchor of each that stands in this cell's section."""
    is_answer: bool = False


@dataclass(frozen=True, slots=True)
class NearMissView:
    """A wrong answer that a named misstep gives."""

    id: str
    why: str
    value: str
    distance: str
    indistinguishable: bool
    computed: bool = False
    """Whether the tool worked it out: no person has thought of it, and no score rests on it."""


@dataclass(frozen=True, slots=True)
class CellView:
    """A cell: its place in the matrix, and its section."""

    id: str
    anchor: str
    entity: str
    dimension: str
    ask: str
    family: str
    period: str
    answer_type: str
    answer: str
    """In human form, with unit; for not available, the reason."""
    exact: str
    interval: str
    method: str
    label: str
    """consistent, divergent, single, not_available or nothing; decides the colour."""
    label_words: str
    reason: str
    chosen: str
    note: str
    stand_in: bool
    steps: tuple[StepView, ...]
    facts: tuple[FactView, ...]
    others: tuple[FactView, ...]
    """Other readings of the same facts: witnesses, traps, what was withdrawn."""
    near_misses: tuple[NearMissView, ...]
    missteps: tuple[NearMissView, ...]
    """Near misses that the tool computed."""
    rule: tuple[RuleLine, ...]
    digest: str
    findings: tuple[FindingView, ...]
    unit: str = ""
    brief: str = ""
    """The answer as the matrix shows it: no unit, large amounts in billions."""
    witnesses: str = ""
    """What the witnesses say: `corroborated 1 of 2`, and the fact that makes the difference."""


@dataclass(frozen=True, slots=True)
class Head:
    """A row's or column's head in the matrix."""

    id: str
    name: str
    detail: str = ""
    family: str = ""
    unit: str = ""
    findings: tuple[FindingView, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskView:
    """A task: its head, its matrix, its audit, its cells and its sources."""

    id: str
    anchor: str
    title: str
    question: str
    about: Pairs
    assumptions: tuple[tuple[str, str, str], ...]
    """Name, value, reason."""
    dimensions: tuple[Head, ...]
    rows: tuple[tuple[Head, tuple[CellView | None, ...]], ...]
    cells: tuple[CellView, ...]
    sources: tuple[SourceView, ...]
    tiers: Pairs
    labels: Pairs
    """How many cells bear each label, by the label's code."""
    density: Pairs
    audited: bool
    admitted: bool
    summary: str
    conditions: tuple[ConditionView, ...]
    findings: tuple[FindingView, ...]
    waived: tuple[FindingView, ...]
    difficulty: str = ""
    witnesses: str = ""

    @property
    def stand_ins(self) -> int:
        """How many documents are only stood in for."""
        return sum(source.stand_in for source in self.sources)


@dataclass(frozen=True, slots=True)
class PageView:
    """The whole page."""

    name: str
    version: str
    counts: Pairs
    tasks: Pairs
    """Each task's place on the page and its title."""
    sections: tuple[str, ...]
    """The HTML of each task's part, as our own template made it."""
    tiers: Pairs
    density: Pairs
    canary: str = ""
