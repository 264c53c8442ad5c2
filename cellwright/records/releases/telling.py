"""What a release tells its readers: the section of the changelog, and the advisories for readers of older ones."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from cellwright.records.decimals import CONTEXT, canonical
from cellwright.records.errors import clip
from cellwright.records.releases.comparing import Comparison, Key
from cellwright.records.releases.proposal import Proposal
from cellwright.records.releases.versions import Level, Version
from cellwright.records.repository_rows import Advisory
from cellwright.records.rows import Correction

MEANING = {
    Level.MAJOR: "Major: readers or scoring rules break; scores before and after cannot be compared.",
    Level.MINOR: "Minor: a score may move.",
    Level.PATCH: "Patch: no score can move.",
}
_HEAD = re.compile(r"^## +(.*?)\s*$", re.MULTILINE)
_LONG = re.compile(r"-?\d+\.\d{5,}")
"""A number with more decimals than anybody reads."""
_UNRELEASED = "unreleased"
_MOST = 1000
"""Characters of an advisory's reason."""


@dataclass(frozen=True)
class Standing:
    """Why a task is left out."""

    status: str
    reason: str = ""


@dataclass(frozen=True)
class Told:
    """A correction that a release is the first to have, with the cells that it moved."""

    task: str
    correction: Correction
    cells: tuple[Key, ...]

    def words(self) -> str:
        """What was corrected: the fact, else the cell; old → new; the kind of mistake."""
        item = self.correction
        what = f"`{item.fact}`" if item.fact else f"{item.entity}/{item.dimension}"
        code = f" ({item.code})" if item.code else ""
        return f"{what} {clip(item.old, 120)} → {clip(item.new, 120)}{code}"


def told_corrections(comparison: Comparison, corrections: Mapping[str, Sequence[Correction]]) -> tuple[Told, ...]:
    """Each correction with the changed cells that rest on its fact, or its cell; `corrections` by task."""
    found = []
    for task, items in sorted(corrections.items()):
        changed = [key for key in comparison.cells_changed if key[0] == task]
        for item in items:
            cells = tuple(key for key in changed if _moved(comparison, key, item))
            found.append(Told(task, item, cells))
    return tuple(found)


def _moved(comparison: Comparison, key: Key, item: Correction) -> bool:
    if item.fact:
        return comparison.rests_on(key, item.fact)
    return item.dimension in ("", "*", key[2]) and item.entity in ("", "*", key[1])


def changelog_section(
    version: Version,
    proposal: Proposal,
    told: Sequence[Told],
    left_out: Mapping[str, Standing],
    *,
    by_hand: str = "",
    demonstration: bool = False,
) -> str:
    """The section of `version`; `by_hand` is what people wrote under `Unreleased`."""
    comparison = proposal.comparison
    titles = {row["task"]: row["title"] for tables in (comparison.old, comparison.new) for row in tables["tasks"]}
    lines = [f"## {version}", ""]
    if demonstration:
        lines += ["A demonstration: some captures are stand-ins for documents, not the documents.", ""]
    lines += [MEANING[proposal.level] if proposal.level is not None else "The first release.", ""]
    if by_hand.strip():
        lines += [by_hand.strip(), ""]
    lines += [f"- Added: task `{task}`, {_line(titles[task])}." for task in comparison.added]
    for task in comparison.gone:
        standing = left_out.get(task, Standing("removed"))
        because = f": {_line(standing.reason)}" if standing.reason else ""
        lines.append(f"- {standing.status.capitalize()}: task `{task}`{because}.".replace("..", "."))
    for item in told:
        lines.append(f"- Corrected in `{item.task}`: {_line(item.words())}.{_cells(comparison, item.cells)}")
    explained = {key for item in told for key in item.cells}
    others = [key for key in comparison.cells_changed if key not in explained]
    lines += [f"- Changed in `{key[0]}`:{_change(comparison, key)}." for key in others]
    lines += [f"- Added in `{task}`: cell {entity}/{name}." for task, entity, name in comparison.cells_added]
    lines += [f"- Removed in `{task}`: cell {entity}/{name}." for task, entity, name in comparison.cells_gone]
    graver = [reason.text for reason in proposal.reasons if _is_new(reason.text)]
    lines += [f"- {text[:1].upper()}{text[1:]}." for text in graver]
    if lines[-1] == "":
        lines.append("- Nothing that is scored has changed.")
    return "\n".join(lines) + "\n"


def _is_new(text: str) -> bool:
    """Whether a reason tells what the lines before it do not tell cell by cell or task by task."""
    return not re.match(r"\d+ (cell|task)s? ", text)


def _cells(comparison: Comparison, cells: Sequence[Key]) -> str:
    told = "".join(f"{';' if place else ''}{_change(comparison, key)}" for place, key in enumerate(cells))
    return f" It moves{told}." if told else " No reference moves."


def _change(comparison: Comparison, key: Key) -> str:
    old, new = comparison.value(key, newer=False), comparison.value(key, newer=True)
    short = _LONG.sub(_shortened, old), _LONG.sub(_shortened, new)
    told = short if short[0] != short[1] else (old, new)
    if old == new:
        return f" {key[1]}/{key[2]} (the reference stays {short[0]})"
    return f" {key[1]}/{key[2]} {told[0]} → {told[1]}"


def _shortened(number: re.Match[str]) -> str:
    """A number to six significant digits, whole ones kept, as people read it; the bundle has it unrounded."""
    value = Decimal(number[0])
    return canonical(value.quantize(Decimal(1).scaleb(min(0, max(value.adjusted() - 5, -30))), context=CONTEXT))


def with_section(changelog: str, name: str, section: str, version: str) -> str:
    """The changelog with the section on top of the older ones, in the place of `Unreleased` and of an earlier try."""
    head, sections = _sections(changelog)
    kept = [text for title, text in sections if title.casefold() != _UNRELEASED and title != version]
    head = head.strip() or f"# Changelog of {name}"
    return "\n\n".join([head, section.strip(), *(text.strip() for text in kept)]) + "\n"


def has_section(changelog: str, version: str) -> bool:
    """Whether the changelog tells of the version."""
    return any(title == version for title, _ in _sections(changelog)[1])


def unreleased(changelog: str) -> str:
    """What people wrote under `## Unreleased`."""
    found = [text for title, text in _sections(changelog)[1] if title.casefold() == _UNRELEASED]
    return "\n\n".join(text.partition("\n")[2].strip() for text in found)


def _sections(changelog: str) -> tuple[str, list[tuple[str, str]]]:
    places = list(_HEAD.finditer(changelog))
    ends = [*(place.start() for place in places[1:]), len(changelog)][: len(places)]
    head = changelog[: places[0].start()] if places else changelog
    return head, [(place[1], changelog[place.start() : end]) for place, end in zip(places, ends, strict=True)]


def with_advisories(
    known: Sequence[Advisory],
    version: Version,
    proposal: Proposal,
    told: Sequence[Told],
    left_out: Mapping[str, Standing],
) -> list[Advisory]:
    """The advisories with those that this release brings: a line a corrected cell, a line a quarantined task.

    What a candidate of the same version, or a release before it, told already is not told again.
    """
    if proposal.base is None:
        return list(known)
    base = proposal.base
    there = {
        (row.kind, row.task, row.entity, row.dimension)
        for row in known
        if row.kind != "yanked" and Version.parse(row.version) > base
    }
    because: dict[tuple[str, str, str, str], list[str]] = {}
    for item in told:
        for key in item.cells:
            because.setdefault(("corrected", *key), []).append(item.words())
    for task in proposal.comparison.gone:
        standing = left_out.get(task)
        if standing is not None and standing.status == "quarantined":
            because["quarantined", task, "", ""] = [standing.reason or "the task was quarantined"]
    rows = list(known)
    for (kind, task, entity, dimension), reasons in sorted(because.items()):
        if (kind, task, entity, dimension) not in there:
            rows.append(
                Advisory.model_validate(
                    {
                        "id": next_id(rows),
                        "kind": kind,
                        "version": str(version),
                        "task": task,
                        "entity": entity,
                        "dimension": dimension,
                        "because": clip("; ".join(reasons), _MOST),
                    }
                )
            )
    return rows


def next_id(rows: Sequence[Advisory]) -> str:
    """The id after the highest one: `A1` where there is none."""
    return f"A{max((int(row.id[1:]) for row in rows), default=0) + 1}"


def _line(text: str) -> str:
    return clip(" ".join(text.split()), 600)
