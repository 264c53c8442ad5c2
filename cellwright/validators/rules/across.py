"""Rules over several tasks: figures that contradict one another, questions asked twice, identities that differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from cellwright.records.decimals import canonical
from cellwright.records.errors import Place
from cellwright.records.findings import Condition
from cellwright.validators.across import MOST_NAMED, Asked, Standing, TaskHit, Tasks, across_rule
from cellwright.validators.identity import Identifier, Member, identifiers_of
from cellwright.validators.registry import Hit

C1, C4, C5 = Condition.COMPLETE, Condition.RECONCILED, Condition.SCORABLE


@dataclass(frozen=True, slots=True)
class _Disagreement:
    """A figure with those of other tasks that differ from it."""

    name: str
    own: Standing
    others: tuple[Standing, ...]


def _disagreements(tasks: Tasks, one_line: bool) -> Iterator[_Disagreement]:
    """Figures that differ beyond what was written: of one line of one document, or of different ones."""
    for (number, *_), standings in tasks.figures.items():
        if len({standing.figure.value for standing in standings}) == 1:
            continue
        for own in standings:
            value, half = Decimal(own.figure.value), Decimal(own.figure.half)
            others = [
                other
                for other in standings
                if other.task.task != own.task.task and not other.figure.agrees(value, half)
                if _of_one_thing(own, other) and _of_one_line(own, other) is one_line
                if one_line or not _knows(own, other)
            ]
            if others:
                yield _Disagreement(tasks.name(number), own, tuple(others))


def _of_one_thing(own: Standing, other: Standing) -> bool:
    """Whether nothing that is said of the two makes them different things: another basis or another scope."""
    pairs = ((own.figure.basis, other.figure.basis), (own.figure.scope, other.figure.scope))
    return all(not (mine and theirs) or mine.casefold() == theirs.casefold() for mine, theirs in pairs)


def _of_one_line(own: Standing, other: Standing) -> bool:
    """Whether the two are read from one document, and not from rows of different names."""
    mine, theirs = own.figure, other.figure
    document = (mine.pin and mine.pin == theirs.pin) or (mine.url and mine.url == theirs.url)
    return bool(document) and (not (mine.row and theirs.row) or mine.row == theirs.row)


def _knows(own: Standing, other: Standing) -> bool:
    """Whether the task holds the other's figure too, as a witness or a superseded one, and has judged it."""
    return any(other.figure.agrees(Decimal(value), Decimal(half)) for value, half in own.figure.known)


def _figure_hit(found: _Disagreement, fix: str) -> TaskHit:
    figure = found.own.figure
    seen = [f"{_short(other.figure.value)} {other.figure.unit} in {_at(other.place)}" for other in found.others]
    hit = Hit(
        found.own.place,
        f"{_short(figure.value)} {figure.unit}; {_named(seen)}",
        f"one value for {figure.name} of {found.name}, {figure.dates}",
        fix,
        figure.entity,
        fields=("value",),
    )
    return found.own.task.task, hit


@across_rule("C4-TASKS-CONTRADICT", C4, severity="error", title="Two tasks read the same line of one document alike.")
def one_line_is_read_alike(tasks: Tasks) -> Iterator[TaskHit]:
    """Same entity, name, dates and unit, read from one document, with values that differ beyond what is written."""
    for found in _disagreements(tasks, one_line=True):
        yield _figure_hit(found, "look at the document again; one of the two is misread, or names another thing")


@across_rule(
    "C4-TASKS-DIFFER", C4, severity="warning", title="A figure that two tasks share has one value, or both are known."
)
def shared_figures_have_one_value(tasks: Tasks) -> Iterator[TaskHit]:
    """The same from different documents or rows, unless the task holds the other figure too: a vintage is one."""
    for found in _disagreements(tasks, one_line=False):
        yield _figure_hit(
            found,
            "mend the wrong one; if both are right, add the other as a witness here, or say what tells them apart in "
            "`basis`, `scope` or the name",
        )


@across_rule("C5-CELL-ASKED-TWICE", C5, severity="warning", title="No two tasks ask for the same cell.")
def no_cell_is_asked_twice(tasks: Tasks) -> Iterator[TaskHit]:
    """Cells of one entity, period and unit with the same question, or with the same derivation from the same facts."""
    by_task = _figures_by_task(tasks.figures.values())
    for (number, *_), asked in tasks.questions.items():
        for own in asked:
            others = [
                other
                for other in asked
                if other.task.task != own.task.task and _is_asked_by(tasks, own, other, by_task)
            ]
            if others:
                seen = [
                    f"`{other.question.entity}/{other.question.dimension}` in {_at(other.place)}" for other in others
                ]
                hit = Hit(
                    own.place,
                    f"asked in {_named(seen)} too",
                    f"a question about {tasks.name(number)} that no other task asks",
                    "ask for something else in one of the two; a cell that stands twice counts twice",
                    own.question.entity,
                    own.question.dimension,
                )
                yield own.task.task, hit


_ByTask = dict[tuple[str, str], dict[tuple[str, str], Standing]]


def _figures_by_task(groups: Iterable[list[Standing]]) -> _ByTask:
    """Shared primary figures by task and entity, then by name and dates."""
    found: _ByTask = {}
    for standings in groups:
        for one in standings:
            figure = one.figure
            found.setdefault((one.task.task, figure.entity), {})[figure.name, figure.dates] = one
    return found


def _is_asked_by(tasks: Tasks, own: Asked, other: Asked, figures: _ByTask) -> bool:
    """Whether two cells of one entity, period and unit are one question."""
    mine, theirs = own.question, other.question
    if mine.assumed != theirs.assumed or mine.peers != theirs.peers:
        return False
    if mine.peers and tasks.peers(own.task) != tasks.peers(other.task):
        return False  # a rank among others is another question
    if mine.ask == theirs.ask:
        return True
    if not mine.derivation or mine.derivation != theirs.derivation:
        return False
    here = figures.get((own.task.task, mine.entity), {})
    there = figures.get((other.task.task, theirs.entity), {})
    shared = [key for key in here.keys() & there.keys() if key[0] in mine.names]
    at_its_period = {name for name, dates in shared if dates == mine.dates}
    alike = all(
        here[key].figure.agrees(Decimal(there[key].figure.value), Decimal(there[key].figure.half)) for key in shared
    )
    return bool(at_its_period) and alike


@across_rule(
    "C1-IDENTITY-DIFFERS", C1, severity="warning", title="What identifies an entity is the same in every task."
)
def identities_agree(tasks: Tasks) -> Iterator[TaskHit]:
    """Entities that are one, or bear one id or name, with identifiers of one kind that differ."""
    by_name: dict[tuple[str, str], list[Member]] = {}
    for task, entity in tasks.identities.members:
        for key in (("id", entity.id), *(("name", name) for name in entity.plain_names)):
            by_name.setdefault(key, []).append((task, entity))
    groups = [*by_name.values(), *(cluster.members for cluster in tasks.shared_clusters)]
    told: set[tuple[str, str, str]] = set()
    for members in groups:
        if len(members) < 2:
            continue
        listed = [(member, one) for member in members for one in identifiers_of(member[1])]
        for (task, entity), own in listed:
            others = [
                (member, one)
                for member, one in listed
                if member[0] != task and one.kind == own.kind and one.value != own.value
            ]
            if others and (task, entity.id, own.scheme) not in told:
                told.add((task, entity.id, own.scheme))
                yield task, _identity_hit(tasks, (task, entity), own, others)


def _identity_hit(tasks: Tasks, own: Member, mine: Identifier, others: list[tuple[Member, Identifier]]) -> Hit:
    task, entity = own
    seen = [
        f"{one.value} of `{member.id}` ({member.name}) in {_at(Place(f'tasks/{other}/task.yaml', member.line))}"
        for (other, member), one in others
    ]
    return Hit(
        Place(f"tasks/{task}/task.yaml", entity.line, "identifiers", entity.id),
        f"{mine.scheme} {mine.value} of {entity.name}; {_named(seen)}",
        f"one {mine.scheme} for one entity",
        "mend the wrong one; where the two are different entities, give one of them another id",
        entity.id,
    )


def _named(seen: list[str]) -> str:
    """The first few of several places, and how many more there are."""
    more = len(seen) - MOST_NAMED
    return ", ".join(seen[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _at(place: Place) -> str:
    """A place in another task: file, line, and the record where it is a fact."""
    where = f"{place.file}:{place.line}" if place.line else place.file
    return f"{where} (`{place.record}`)" if place.record and place.file.endswith(".csv") else where


def _short(value: str) -> str:
    """The value in plain digits; a number too large for that as it is."""
    try:
        return canonical(Decimal(value))
    except ValueError:
        return value
