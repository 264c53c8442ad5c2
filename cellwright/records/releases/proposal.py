"""The version that a release asks for, and why: in words that name the cells and tasks (design, section 7).

major   readers or rules break: another layout of the bundle, a task whose author says that scores cannot be
        compared, a cell that is graded by other lines of the scoring table
minor   a score may move: a reference, question, unit, period, assumption or tolerance changed, a task or cell
        came or went, a sound derivation must show something else, the prompt reads otherwise
patch   no score can move
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cellwright.records.bundle import SCHEMA, TABLE_COLUMNS
from cellwright.records.errors import NotSettled, Place
from cellwright.records.releases.comparing import Comparison, Tables, cell_name
from cellwright.records.releases.versions import Level, Version

FIRST = Version(1, 0, 0)
"""What a first release is called where nobody says otherwise: from it on, readers rely on what a number tells."""
_NAMED = 8
"""So many cells or tasks are named in one reason; the others are counted."""


@dataclass(frozen=True, slots=True)
class Base:
    """The release that readers have now; `tables` is None where its layout is another one."""

    version: Version
    schema: int
    tables: Tables | None


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that changed, and the least level that tells it."""

    level: Level
    text: str


@dataclass(frozen=True)
class Proposal:
    """The least version that tells what changed, and each reason, the gravest first."""

    base: Version | None
    version: Version
    level: Level | None
    """None for a first release."""
    reasons: tuple[Reason, ...]
    comparison: Comparison

    def said(self) -> str:
        """The proposal in a sentence."""
        if self.level is None:
            return f"{self.version}: the first release"
        meaning = {
            Level.MAJOR: "readers or scoring rules break",
            Level.MINOR: "a score may move",
            Level.PATCH: "no score can move",
        }[self.level]
        return f"{self.version} ({self.level.word} after {self.base}): {meaning}"


def propose(base: Base | None, tables: Tables, standing: Mapping[str, str]) -> Proposal:
    """The version for a release of `tables` after `base`; `standing` is the status of each task that is left out."""
    empty: Tables = {name: [] for name in TABLE_COLUMNS}
    comparison = Comparison(base.tables if base and base.tables is not None else empty, tables)
    if base is None:
        return Proposal(None, FIRST, None, (), comparison)
    if base.schema != SCHEMA or base.tables is None:
        layout = Reason(Level.MAJOR, f"the bundle's layout is schema {SCHEMA}, and {base.version} has {base.schema}")
        return Proposal(base.version, base.version.after(Level.MAJOR), Level.MAJOR, (layout,), comparison)
    reasons = tuple(sorted(_reasons(comparison, standing), key=lambda reason: -reason.level))
    level = max((reason.level for reason in reasons), default=Level.PATCH)
    return Proposal(base.version, base.version.after(level), level, reasons, comparison)


def _reasons(comparison: Comparison, standing: Mapping[str, str]) -> list[Reason]:
    major, minor = Level.MAJOR, Level.MINOR
    found = [
        Reason(major, f"`{task}` says by `comparability` {old} → {new} that scores cannot be compared")
        for task, old, new in comparison.not_comparable
    ]
    forms: dict[str, list[str]] = {}
    for key, old, new in comparison.other_form:
        forms.setdefault(f"{old} → {new}", []).append(cell_name(key))
    found += [Reason(major, f"graded otherwise, {form}: {_listed(names)}") for form, names in sorted(forms.items())]
    told = {key for key, _, _ in comparison.other_form}
    lists = (
        ("added", [f"`{task}`" for task in comparison.added], "task"),
        *(
            (word, [f"`{task}`" for task in comparison.gone if _word(standing, task) == word], "task")
            for word in ("quarantined", "retired", "removed")
        ),
        ("changed", [cell_name(key) for key in comparison.cells_changed if key not in told], "cell"),
        ("added", [cell_name(key) for key in comparison.cells_added], "cell"),
        ("removed", [cell_name(key) for key in comparison.cells_gone], "cell"),
    )
    found += [
        Reason(minor, f"{_count(len(names), kind)} {word}: {_listed(names)}") for word, names, kind in lists if names
    ]
    if shown := [cell_name(key) for key in comparison.other_evidence]:
        found.append(Reason(minor, f"a sound derivation must show something else: {_listed(shown)}"))
    if prompts := [f"`{task}`" for task in comparison.other_prompt]:
        found.append(Reason(minor, f"the prompt reads otherwise: {_listed(prompts)}"))
    return found


def _word(standing: Mapping[str, str], task: str) -> str:
    status = standing.get(task, "")
    return status if status in ("quarantined", "retired") else "removed"


def check_version(wanted: Version, proposal: Proposal, last: Version | None) -> None:
    """Raises NotSettled where the version is not above the last one, or lower than what changed asks for."""
    if last is not None and wanted <= last:
        raise NotSettled(
            f"{wanted} does not come after {last}, which is released already",
            Place("params.yaml", column="version"),
            expected=f"{proposal.version} or higher",
        )
    if proposal.base is not None and wanted.final < proposal.version:
        reasons = [reason.text for reason in proposal.reasons if reason.level is proposal.level]
        raise NotSettled(
            f"{wanted} is too low: it would tell readers of {proposal.base} less than what changed",
            Place("params.yaml", column="version"),
            expected=f"{proposal.version} or higher, since {'; '.join(reasons)}",
        )


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def _count(count: int, kind: str) -> str:
    return f"{count} {kind}{'s' if count != 1 else ''}"
