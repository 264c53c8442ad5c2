"""What is wrong with a task's derivations before any number is looked at, each fault told once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cellwright.records.derivations._book import reserved_names
from cellwright.records.derivations._cycles import find_cycles
from cellwright.records.derivations._graph import ANSWER, RANGE_ENDS, StepKey, TaskGraph
from cellwright.records.derivations._text import parsed
from cellwright.records.derivations._tree import Call, CellName, Name, Tree, format_expression, walk
from cellwright.records.errors import ExpressionError, Place, Problem, UnreadableInput
from cellwright.records.fields import AnswerType
from cellwright.records.rows import Fact
from cellwright.records.suggest import did_you_mean
from cellwright.records.task import Check, Dimension, NearMiss, Step, Task


def static_problems(task: Task, facts: Sequence[Fact]) -> tuple[Problem, ...]:
    """The faults of every expression of the task, of its units, and of names that derivations cannot use.

    Told are: what is not in the language; names that no fact, step, assumption or dimension gives, with a near
    one; a step that bears the name of a fact or an assumption, or is used before it is defined; steps that need
    themselves, with the path; answers without the step `answer`, or `low` and `high`; units that cannot be
    read. Raises UnreadableInput where the task's own units cannot be read.
    """
    return tuple(_Look(TaskGraph(task, facts, {})).problems())


@dataclass(frozen=True)
class _Part:
    """The expressions of a dimension, or of an entity's override, that belong together."""

    dimension: Dimension
    entity: str
    answer_type: AnswerType
    steps: tuple[Step, ...]
    near_misses: tuple[NearMiss, ...]
    checks: tuple[Check, ...]
    own_steps: bool
    """Whether the steps are its own; those that it inherits are looked at where they stand."""
    has_period: bool
    """Whether a bare fact name means a period."""


class _Look:
    def __init__(self, graph: TaskGraph) -> None:
        self.graph = graph
        self.task = graph.task
        self.assumptions = {assumption.id for assumption in self.task.assumptions}
        self.known = graph.names()
        self.dimensions = {dimension.id: dimension for dimension in self.task.dimensions}
        self.cycles = find_cycles({key: graph.needs(key) for key in graph.all_keys()})
        self.circular = {(dimension, step) for _, dimension, step in self.cycles}

    def problems(self) -> Iterator[Problem]:
        """Every fault, dimension by dimension."""
        yield from self.of_facts()
        yield from self.of_units()
        for dimension in self.task.dimensions:
            for part in _parts(dimension):
                yield from self.of_part(part)
        yield from self.of_cycles()

    def of_facts(self) -> Iterator[Problem]:
        facts = self.graph.book.by_id.values()
        for fact in reserved_names(facts):
            yield Problem(
                "the fact's name begins with a word that derivations keep for themselves",
                Place("facts.csv", fact.line or None, "name", fact.id),
                fact.name,
                "a name that does not begin with cells, all, others or publishers",
            )
        for name in sorted(self.assumptions & self.graph.book.names):
            index = [item.id for item in self.task.assumptions].index(name)
            yield Problem(
                f"the assumption `{name}` bears a fact's name",
                self.task.place("assumptions", index, "id"),
                fix="give one of them another name",
            )

    def of_units(self) -> Iterator[Problem]:
        for index, assumption in enumerate(self.task.assumptions):
            yield from self.of_unit(
                assumption.unit, self.task.place("assumptions", index, "unit", record=assumption.id)
            )
        for dimension in self.task.dimensions:
            yield from self.of_unit(dimension.unit, self.task.place_of(dimension.id, "unit"))
            for entity, own in dimension.overrides.items():
                if own.unit is not None:
                    yield from self.of_unit(own.unit, self.task.place_of(dimension.id, "unit", entity=entity))

    def of_unit(self, unit: str, place: Place) -> Iterator[Problem]:
        try:
            self.graph.kinds.unit(unit)
        except UnreadableInput as error:
            for problem in error.problems:
                yield Problem(problem.what, place, problem.seen or unit, problem.expected, problem.fix)

    def of_part(self, part: _Part) -> Iterator[Problem]:
        yield from self.of_answer(part)
        ids = [step.id for step in part.steps]
        for index, step in enumerate(part.steps if part.own_steps else ()):
            place = self.place(part, "steps", index, "id")
            if step.id in ids[:index]:
                yield Problem(f"the step `{step.id}` stands twice", place, fix="give one of them another id")
            if step.id in self.graph.book.names:
                yield Problem(f"the step `{step.id}` bears a fact's name", place, fix="give the step another id")
            elif step.id in self.assumptions:
                yield Problem(f"the step `{step.id}` bears an assumption's name", place, fix="give the step another id")
            place = self.place(part, "steps", index, "expr")
            yield from self.of_expression(step.expr, part, place, ids[:index], ids[index:])
        for index, miss in enumerate(part.near_misses):
            yield from self.of_expression(miss.expr, part, self.place(part, "near_misses", index, "expr"), ids, [])
        for index, check in enumerate(part.checks):
            yield from self.of_expression(check.expr, part, self.place(part, "checks", index, "expr"), ids, [])
            if check.within not in ("", "rounding"):
                yield Problem(
                    "the check's `within` is unknown",
                    self.place(part, "checks", index, "within"),
                    check.within,
                    "`rounding`, or nothing for an exact comparison",
                )

    def place(self, part: _Part, *path: str | int) -> Place:
        return self.task.place_of(part.dimension.id, *path, entity=part.entity)

    def of_answer(self, part: _Part) -> Iterator[Problem]:
        ids = [step.id for step in part.steps]
        place = self.place(part, "steps")
        if part.answer_type == "range":
            for end in RANGE_ENDS:
                if end not in ids:
                    yield Problem(
                        f"a range needs the step `{end}`", place, ", ".join(ids), "the steps `low` and `high`"
                    )
        elif part.answer_type == "precise" and ids[-1:] != [ANSWER]:
            yield Problem(
                "the last step is not the answer",
                place,
                ids[-1] if ids else "no steps",
                "`answer` as the last step's id",
            )

    def of_expression(
        self, text: str, part: _Part, place: Place, before: list[str], after: list[str]
    ) -> Iterator[Problem]:
        expression = parsed(text)
        if isinstance(expression, ExpressionError):
            for problem in expression.problems:
                yield Problem(problem.what, place, problem.seen, problem.expected, problem.fix)
            return
        for name in expression.names:
            if isinstance(name, CellName):
                yield from self.of_cell_name(name, place)
            elif name.name in after:
                if (part.dimension.id, name.name) in self.circular:
                    continue  # told as the path of the circle
                yield Problem(
                    f"the step `{name.name}` is used before it is defined",
                    place,
                    fix=f"move `{name.name}` above this step",
                )
            elif name.name not in before and name.name not in after:
                yield from self.of_name(name, part, place, before)
        yield from self.of_rates(expression.tree, place)

    def of_cell_name(self, name: CellName, place: Place) -> Iterator[Problem]:
        dimension = self.dimensions.get(name.dimension)
        if dimension is None:
            yield Problem(
                f"there is no dimension `{name.dimension}`",
                place,
                format_expression(name),
                fix=did_you_mean(name.dimension, self.dimensions) + "mend the name after `cells.`",
            )
            return
        steps = [*dimension.steps, *(step for own in dimension.overrides.values() for step in own.steps or ())]
        ids = {step.id for step in steps}
        if name.step and name.step not in ids:
            yield Problem(
                f"the dimension `{name.dimension}` has no step `{name.step}`",
                place,
                format_expression(name),
                fix=did_you_mean(name.step, ids).strip(),
            )
        elif not name.step and dimension.answer_type == "range":
            yield Problem(
                f"the dimension `{name.dimension}` is a range",
                place,
                format_expression(name),
                fix=f"name one end: cells.{name.dimension}.low or cells.{name.dimension}.high",
            )

    def of_name(self, name: Name, part: _Part, place: Place, before: list[str]) -> Iterator[Problem]:
        if name.name in self.assumptions and not name.star:
            if name.scope or name.shift or name.label:
                yield Problem(
                    f"`{format_expression(name)}` asks of an assumption what only a fact has",
                    place,
                    fix=f"write `{name.name}`",
                )
            return
        facts = self.graph.book.names
        given = any(other.startswith(f"{name.name}.") for other in facts) if name.star else name.name in facts
        if not given:
            yield Problem(
                f"`{name.name}{'.*' if name.star else ''}` is no fact, no step and no assumption",
                place,
                fix=did_you_mean(name.name, self.known | set(before)) + "add the fact to facts.csv or mend the name",
            )
        elif not (name.label or part.has_period):
            yield Problem("the dimension has no period", place, fix="give it a `period:`, or write x['FY2023']")
        elif name.label and name.label not in self.task.periods and not name.label[0].isdigit():
            yield Problem(
                f"the period `{name.label}` has no dates",
                place,
                expected=f"a label of `periods` ({', '.join(sorted(self.task.periods)) or 'none yet'})",
            )

    def of_rates(self, tree: Tree, place: Place) -> Iterator[Problem]:
        for node in walk(tree):
            if isinstance(node, Call) and node.function == "to":
                target, kind = node.words
                rates = [
                    name
                    for name in self.graph.book.names
                    if name.startswith("fx.")
                    and name.endswith(f".{kind}")
                    and target.lower() in name.split(".")[1].split("_")
                ]
                if not rates:
                    yield Problem(
                        f"no fact gives an exchange rate to {target} ({kind})",
                        place,
                        format_expression(node),
                        f"a fact named `fx.<from>_{target.lower()}.{kind}`",
                    )

    def of_cycles(self) -> Iterator[Problem]:
        told: set[tuple[tuple[str, str], ...]] = set()
        for path in sorted(set(self.cycles.values())):
            steps = tuple((dimension, step) for _, dimension, step in path)
            if steps not in told:
                told.add(steps)
                yield Problem(
                    f"the step `{path[0][2]}` needs itself: {_shown(path)}",
                    self.step_place(path[0]),
                    fix="break the circle: one of these must follow from facts alone",
                )

    def step_place(self, key: StepKey) -> Place:
        entity, dimension, step = key
        spec = self.graph.spec(entity, dimension)
        ids = [item.id for item in spec.steps] if spec is not None else []
        own = self.dimensions[dimension].overrides.get(entity)
        whose = entity if own is not None and own.steps is not None else ""
        return self.task.place_of(dimension, "steps", ids.index(step), "expr", entity=whose)


def _shown(path: tuple[StepKey, ...]) -> str:
    """The path without the entity where there is only one: it is the same for the others."""
    alone = len({entity for entity, _, _ in path}) == 1
    return " → ".join(
        f"{dimension}.{step}" if alone else f"{entity}/{dimension}.{step}" for entity, dimension, step in path
    )


def _parts(dimension: Dimension) -> Iterator[_Part]:
    """The dimension itself, and each override that changes an expression or an answer type."""
    overridden = any(own.period for own in dimension.overrides.values())
    yield _Part(
        dimension,
        "",
        dimension.answer_type,
        dimension.steps,
        dimension.near_misses,
        dimension.checks,
        True,
        bool(dimension.period) or overridden,
    )
    for entity, own in dimension.overrides.items():
        steps = dimension.steps if own.steps is None else own.steps
        kind = own.answer_type or dimension.answer_type
        yield _Part(
            dimension,
            entity,
            kind,
            steps,
            own.near_misses or (),
            own.checks or (),
            own.steps is not None,
            bool(own.period or dimension.period),
        )
