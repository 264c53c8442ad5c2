"""The comparison of two releases for people: the answer first, then tasks, facts and cells, and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from cellwright.records.releases.cell_changes import ANSWER_FIELDS
from cellwright.records.releases.changes import (
    CellChange,
    FactChange,
    FieldChange,
    PartChange,
    Reason,
    ReleaseDiff,
    TaskChange,
)
from cellwright.views import numbers
from cellwright.views.change_report import ChangeReport, Item, Line, Section
from cellwright.views.finding_view import count_words
from cellwright.views.labels import words
from cellwright.views.safe import anchor

NUMBERS = ("value", "low", "high")
RULE_WORDS = {
    "full": "full (earns 1)",
    "partial": "partial (earns 0.5)",
    "order": "order (earns 0.25)",
    "overlap": "overlap of ranges",
    "max_width": "widest range",
}
TASK_TAGS = {
    "added": ("added", "met"),
    "removed": ("removed", "failed"),
    "quarantined": ("quarantined", "failed"),
    "changed": ("changed", "warning"),
}
MAX_CHAINS = 6
"""Ways shown of one cell; a rank over many entities has one for each that changed."""
NO_REASON = "no reason is recorded"
WORDS_OF_A_QUOTE = ("quote", "prefix", "suffix")


def diff_report(diff: ReleaseDiff) -> ChangeReport:
    """What is told of a comparison."""
    stayed = [cell for cell in diff.cells if cell.change == "changed"]
    corrected = [cell for cell in stayed if cell.answer_changed]
    others = [cell for cell in stayed if not cell.answer_changed]
    rules = [cell for cell in others if cell.rule]
    kept = [cell for cell in others if not cell.rule and cell.chains]
    rest = [cell for cell in others if not cell.rule and not cell.chains]
    sections = [
        Section("Tasks", items=tuple(_task(task) for task in diff.tasks)),
        _cells(
            "References changed",
            "The cell itself was corrected: its answer is another one.",
            [cell for cell in corrected if cell.direct],
        ),
        _cells(
            "References changed as dependents",
            "The answer is another one because something that the cell rests on changed.",
            [cell for cell in corrected if not cell.direct],
        ),
        _cells("Rules changed", "The answer is the same, and something else earns the score.", rules),
        _cells(
            "Answers that stood",
            "They rest on something that changed, and their answer did not: what a derivation must show may have.",
            kept,
        ),
        _cells("Steps, sources, labels and notes", "The answer and the rule are the same.", rest),
        _cells(
            "Cells added and removed",
            "In tasks that both releases have.",
            [cell for cell in diff.cells if cell.change != "changed"],
        ),
        Section("Facts", items=tuple(_facts(diff.facts, stayed))),
    ]
    title = f"{diff.new.name} {diff.old.version} → {diff.new.version}"
    return ChangeReport(title, tuple(_lead(diff)), tuple(section for section in sections if section.items))


def _lead(diff: ReleaseDiff) -> Iterator[str]:
    old, new, counts = diff.old, diff.new, diff.counts()
    sizes = [f"{count_words(side.tasks, 'task')} and {count_words(side.cells, 'cell')}" for side in (old, new)]
    yield f"{old.version} has {sizes[0]}, {new.version} {sizes[1]}."
    if diff.same:
        yield "Nothing that the tables hold changed."
        return
    joined = [f"{counts[f'tasks_{kind}']:,} {kind}" for kind in TASK_TAGS if counts[f"tasks_{kind}"]]
    if joined:
        yield f"Tasks: {', '.join(joined)}."
    if counts["references_changed"]:
        yield (
            f"References changed in {count_words(counts['references_changed'], 'cell')}: "
            f"{counts['references_changed_directly']:,} directly, "
            f"{counts['references_changed_as_dependents']:,} because of something that they rest on."
        )
    if counts["rules_changed"]:
        yield f"Scoring rules changed in {count_words(counts['rules_changed'], 'cell')}."
    if counts["dependents_unmoved"]:
        rest = "rests" if counts["dependents_unmoved"] == 1 else "rest"
        yield (
            f"{count_words(counts['dependents_unmoved'], 'cell')} {rest} on something that changed and kept the answer."
        )
    moves = counts["cells_whose_score_may_move"] or any(counts[f"tasks_{kind}"] for kind in list(TASK_TAGS)[:3])
    moves = moves or counts["cells_added"] or counts["cells_removed"]
    yield "A score may move." if moves else "No score can move."


def _task(task: TaskChange) -> Item:
    tag, tone = TASK_TAGS[task.change]
    lines = [Line("title", task.title)] if task.title else []
    if task.change == "changed":
        lines += [_text_line(field) for field in task.fields]
    else:
        lines.append(Line("cells", f"{task.new_cells or task.old_cells:,}"))
    return Item(task.task, tag, tone, (*lines, *why_lines(task.reasons)), anchor(task.task))


def _cells(title: str, intro: str, cells: Iterable[CellChange]) -> Section:
    return Section(title, intro, items=tuple(_cell(cell) for cell in cells))


def _cell(cell: CellChange) -> Item:
    name = f"{cell.task} {cell.entity}/{cell.dimension}"
    if cell.change != "changed":
        tone = "met" if cell.change == "added" else "failed"
        return Item(name, cell.change, tone, tuple(why_lines(cell.reasons)), anchor(*cell.key))
    lines = list(_field_lines(cell.fields, cell.unit)) + list(_rule_lines(cell))
    lines += [line for step in cell.steps for line in _part("step", step, cell.unit)]
    lines += [line for source in cell.sources for line in _part("source", source, "")]
    lines += [line for miss in cell.near_misses for line in _part("near miss", miss, cell.unit)]
    if cell.facts_added:
        lines.append(Line("now rests on", ", ".join(cell.facts_added)))
    if cell.facts_removed:
        lines.append(Line("rests no more on", ", ".join(cell.facts_removed)))
    lines += [Line("through", " → ".join(_link(link) for link in way.links)) for way in cell.chains[:MAX_CHAINS]]
    if len(cell.chains) > MAX_CHAINS:
        lines.append(Line("through", f"and {len(cell.chains) - MAX_CHAINS:,} more ways like these"))
    tag = "" if cell.score_may_move else "no score moves"
    return Item(name, tag, "met" if tag else "", (*lines, *why_lines(cell.reasons)), anchor(*cell.key))


def answer_lines(cell: CellChange) -> Iterator[Line]:
    """What a score can tell of a cell: its reference and its rule, old → new."""
    yield from _field_lines([field for field in cell.fields if field.field in ANSWER_FIELDS], cell.unit)
    yield from _rule_lines(cell)


def _field_lines(fields: Iterable[FieldChange], unit: str) -> Iterator[Line]:
    for field in fields:
        if field.field == "interval":
            ends = (_interval(field.old, unit), _interval(field.new, unit))
            yield Line("interval", "", *ends)
        else:
            yield _number_line(field, unit) if field.field in NUMBERS else _text_line(field)


def _interval(text: str, unit: str) -> str:
    low, to, high = text.partition(" to ")
    return numbers.interval_of(low, high, unit) if to else text or "nothing"


def _rule_lines(cell: CellChange) -> Iterator[Line]:
    for field in cell.rule:
        yield Line(RULE_WORDS.get(field.field, words(field.field)), "", *_ends(field))


def _facts(facts: Iterable[FactChange], cells: Iterable[CellChange]) -> Iterator[Item]:
    resting: dict[tuple[str, str], list[str]] = defaultdict(list)
    for cell in cells:
        for way in cell.chains:
            if way.links[0].startswith("fact:"):
                resting[cell.task, way.links[0][5:]].append(f"{cell.entity}/{cell.dimension}")
    for fact in facts:
        lines = [_fact_line(field) for field in fact.fields]
        if names := resting.get((fact.task, fact.fact)):
            lines.append(Line("cells that rest on it", ", ".join(names)))
        elif fact.counts:
            lines.append(Line("cells that rest on it", "none"))
        tone = {"added": "met", "removed": "failed"}.get(fact.change, "warning")
        yield Item(f"{fact.task} {fact.fact}", fact.change, tone, (*lines, *why_lines(fact.reasons)))


def _part(kind: str, part: PartChange, unit: str) -> Iterator[Line]:
    label = f"{kind} {part.id}"
    if part.change != "changed":
        said = "; ".join(f"{field.field} {field.new or field.old}" for field in part.fields)
        yield Line(label, ", ".join(text for text in (part.change, part.note, said) if text))
        return
    shown = {field.field for field in part.fields}
    for field in part.fields:
        if kind == "step" and field.field in ("low", "high") and "value" in shown:
            continue  # They are what the last digits of its facts leave open, and move with the value.
        # A step's unit is its own and may differ from the cell's: its number is shown without one.
        old, new = _amounts(field, "") if field.field in NUMBERS else _ends(field)
        yield Line(f"{label}, {words(field.field)}", "", old, new)


def _number_line(field: FieldChange, unit: str) -> Line:
    old, new = _amounts(field, unit)
    return Line(words(field.field), _difference(field, unit), old, new)


def _amounts(field: FieldChange, unit: str) -> tuple[str, str]:
    """Both numbers rounded for reading; with as many digits as tell them apart where that would make them one."""
    pair = field.old, field.new
    short = [numbers.amount_of(text, unit) if text else "nothing" for text in pair]
    if short[0] == short[1]:
        apart = numbers.interval_of(*pair, unit).removesuffix(f" {numbers.unit_label(unit)}").split(" to ")
        short = [numbers.with_unit(text, unit) for text in apart]
    return short[0], short[-1]


def _difference(field: FieldChange, unit: str) -> str:
    by = numbers.read(field.by) if field.by else None
    old, new = numbers.read(field.old), numbers.read(field.new)
    if by is None or old is None or new is None or unit in numbers.PLAIN:
        return ""
    if unit in numbers.HUNDREDTHS:
        return f"{'+' if by > 0 else ''}{numbers.amount(by, 'pp')}"
    return numbers.distance(new, old)


def _text_line(field: FieldChange) -> Line:
    column, _, name = field.field.partition(".")
    label = f"{column.removesuffix('s')} {name}" if name else words(column)
    if field.field in WORDS_OF_A_QUOTE and field.old and field.new:
        return Line(label, "other words", _clipped(field.old), _clipped(field.new))
    return Line(label, "", *_ends(field))


def _fact_line(field: FieldChange) -> Line:
    """A fact's value is exact: every digit is shown."""
    if field.field != "value":
        return _text_line(field)
    old, new = (numbers.exact_of(text, "") if text else "nothing" for text in (field.old, field.new))
    return Line("value", _difference(field, ""), old, new)


def _ends(field: FieldChange) -> tuple[str, str]:
    return field.old or "nothing", field.new or "nothing"


def _clipped(text: str) -> str:
    return text if len(text) <= 120 else f"{text[:119]}…"


def _link(link: str) -> str:
    kind, colon, name = link.partition(":")
    return f"{kind} {name}" if colon and kind in ("fact", "assumption") else link


def why_lines(reasons: Sequence[Reason]) -> Iterator[Line]:
    for reason in reasons:
        named = f"{reason.kind} {reason.id}" + (f" ({reason.code})" if reason.code else "")
        undone = "; only the release compared from has it" if reason.undone else ""
        yield Line("why", f"{named}: {reason.words}{undone}", address=reason.evidence)
    if not reasons:
        yield Line("why", NO_REASON)
