"""The derivations of a task as one graph: each step of each cell built once, when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from cellwright.records.derivations._book import FactBook, FindPlace
from cellwright.records.derivations._build import Builder
from cellwright.records.derivations._cycles import find_cycles
from cellwright.records.derivations._kinds import kinds_of
from cellwright.records.derivations._nodes import Node, Reading
from cellwright.records.derivations._reading import read_fact
from cellwright.records.derivations._site import Site
from cellwright.records.derivations._text import Expression, parsed
from cellwright.records.derivations._tree import Binary, Call, CellName, Minus, Name, Tree
from cellwright.records.derivations._values import Failure
from cellwright.records.errors import ExpressionError, UnreadableInput
from cellwright.records.rows import Fact
from cellwright.records.suggest import did_you_mean
from cellwright.records.task import CellSpec, Step, Task

StepKey = tuple[str, str, str]
"""Entity, dimension, step."""
ANSWER = "answer"
RANGE_ENDS = ("low", "high")


@dataclass(frozen=True, slots=True)
class Built:
    """An expression as a node; `inputs` and `notes` as in StepResult and CellResult."""

    node: Node
    inputs: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    tree: Tree | None = None


class TaskGraph:
    """All nodes of one task and its facts; it holds no value but those of literals and assumptions."""

    def __init__(self, task: Task, facts: Sequence[Fact], locales: Mapping[str, str]) -> None:
        self.task = task
        self.book = FactBook(task, facts)
        self.kinds = kinds_of(task.units)
        self.entities = task.entity_ids
        self._readings: dict[str, Reading] = {}
        self._locales = locales
        self._specs: dict[tuple[str, str], CellSpec] = {}
        self._dimensions = {dimension.id for dimension in task.dimensions}
        self._assumptions = {assumption.id: assumption for assumption in task.assumptions}
        self._leaves: dict[tuple[str, bool], Node] = {}
        self._assumed: dict[tuple[str, str], Node | Failure] = {}
        self._steps: dict[StepKey, Built] = {}
        self._answers: dict[tuple[str, str, str], Built] = {}
        self._built: dict[tuple[str, str], dict[str, Built]] = {}
        self._places: dict[tuple[str, str], dict[str, int]] = {}
        self._cycles: dict[StepKey, tuple[StepKey, ...]] | None = None

    # -- cells

    def spec(self, entity: str, dimension: str) -> CellSpec | None:
        """The cell's question; None for an entity or dimension that is not there."""
        known = self._specs.get((entity, dimension))
        if known is None and entity in self.entities and dimension in self._dimensions:
            known = self._specs[entity, dimension] = self.task.cell(entity, dimension)
        return known

    def built(self, spec: CellSpec) -> dict[str, Built]:
        """Every step of the cell, by id in order."""
        key = (spec.entity, spec.dimension)
        known = self._built.get(key)
        if known is None:
            self._ensure([(*key, step.id) for step in spec.steps])
            known = self._built[key] = {step.id: self._steps[*key, step.id] for step in spec.steps}
        return known

    def _positions(self, spec: CellSpec) -> dict[str, int]:
        """Where each step stands among the cell's."""
        key = (spec.entity, spec.dimension)
        known = self._places.get(key)
        if known is None:
            known = self._places[key] = {}
            for index, step in enumerate(spec.steps):
                known.setdefault(step.id, index)
        return known

    def answer_step(self, spec: CellSpec, place: FindPlace) -> str | Failure:
        """The id of the step that a precise cell's answer is."""
        if spec.answer_type == "not_available":
            return Failure(
                f"the cell {spec.id} is not available",
                place(),
                missing=True,
                fix="leave it out with available(all.…) where this cell is not available too",
            )
        if spec.answer_type == "range":
            return Failure(
                f"the cell {spec.id} is a range",
                place(),
                fix=(f"name one end: cells.{spec.dimension}.low or cells.{spec.dimension}.high"),
            )
        if not spec.steps:
            return Failure(f"the cell {spec.id} has no steps", place(), expected="a step `answer`")
        if spec.steps[-1].id != ANSWER:
            return Failure(
                "the last step is not the answer",
                place(),
                seen=spec.steps[-1].id,
                expected="`answer` as the last step's id",
            )
        return ANSWER

    def step_node(self, entity: str, dimension: str, step: str, place: FindPlace) -> Node | Failure:
        """The node of another step; of a precise cell's answer for an empty `step`."""
        spec = self.spec(entity, dimension)
        if spec is None:
            return Failure(
                f"there is no dimension `{dimension}`",
                place(),
                fix=did_you_mean(dimension, self._dimensions) + "mend the name after `cells.`",
            )
        found = self.answer_step(spec, place)
        if isinstance(found, Failure) and (not step or found.missing):
            return found
        wanted = step or str(found)
        ids = [item.id for item in spec.steps]
        if wanted not in ids:
            return Failure(
                f"the cell {spec.id} has no step `{wanted}`",
                place(),
                expected=f"one of {', '.join(ids)}",
                fix=did_you_mean(wanted, ids).strip(),
            )
        return self._steps[entity, dimension, wanted].node

    # -- leaves

    def fact_node(self, fact: Fact, *, pinned: bool = False) -> Node:
        """The leaf of a fact; a pinned one is not moved when a witness is put in the fact's place."""
        node = self._leaves.get((fact.id, pinned))
        if node is None:
            reading = self.reading(fact)
            node = Node("pinned" if pinned else "fact", (), reading.unit, fact=fact.id)
            self._leaves[fact.id, pinned] = node
        return node

    def reading(self, fact: Fact) -> Reading:
        """What a fact of the task stands for; each is read once."""
        known = self._readings.get(fact.id)
        if known is None:
            known = self._readings[fact.id] = self.read(fact)
        return known

    def read(self, fact: Fact) -> Reading:
        """What any fact stands for."""
        return read_fact(fact, self.kinds, self._locales.get(fact.source) or "en")

    def assumption(self, name: str, entity: str, place: FindPlace) -> Node | Failure | None:
        """The leaf of an assumption; None where the task states none of this name."""
        found = self._assumptions.get(name)
        if found is None:
            return None
        known = self._assumed.get((name, entity))
        if known is None:
            value = found.values.get(entity, found.value)
            if value is None:
                return Failure(
                    f"the assumption `{name}` has no value for `{entity}`",
                    place(),
                    fix=f"add `{entity}:` to its `values`",
                )
            known = self._leaf_of(name, value, found.unit, place)
            if isinstance(known, Node):
                self._assumed[name, entity] = known
        return known

    def _leaf_of(self, name: str, value: object, unit: str, place: FindPlace) -> Node | Failure:
        try:
            kind, inward = self.kinds.inward(unit)
        except UnreadableInput as error:
            problem = error.problems[0]
            return Failure(
                f"the unit of the assumption `{name}` cannot be read: {problem.what}",
                place(),
                problem.seen,
                problem.expected,
                problem.fix,
            )
        return Node("assumption", (), kind, fixed=inward(value))

    def names(self) -> set[str]:
        """The names of facts and assumptions."""
        return self.book.names | set(self._assumptions)

    # -- steps

    def _ensure(self, keys: Sequence[StepKey]) -> None:
        """Builds the steps and all that they need, needs first, without recursion."""
        begun: set[StepKey] = set()
        pending = list(reversed(keys))
        while pending:
            key = pending[-1]
            if key in self._steps:
                pending.pop()
                continue
            if self._cycles and key in self._cycles:
                needs: list[StepKey] = []
            else:
                needs = [need for need in self.needs(key) if need not in self._steps]
            if key in begun or not needs:
                if needs and self._cycles is None:
                    self._cycles = find_cycles({item: self.needs(item) for item in self.all_keys()})
                    begun.clear()
                    continue
                pending.pop()
                self._steps[key] = self._build_step(key)
                continue
            begun.add(key)
            pending += reversed(needs)

    def all_keys(self) -> Iterator[StepKey]:
        """Every step of every cell."""
        for entity in self.entities:
            for dimension in sorted(self._dimensions):
                spec = self.spec(entity, dimension)
                for step in spec.steps if spec is not None else ():
                    yield entity, dimension, step.id

    def needs(self, key: StepKey) -> list[StepKey]:
        """The steps that a step names, whether they stand before it or after."""
        entity, dimension, step = key
        spec = self.spec(entity, dimension)
        assert spec is not None
        positions = self._positions(spec)
        expression = parsed(spec.steps[positions[step]].expr)
        if isinstance(expression, ExpressionError):
            return []
        if expression.reaches_out:
            return self._named(spec, expression)
        return list(
            dict.fromkeys(
                (entity, dimension, name.name)
                for name in expression.names
                if isinstance(name, Name) and name.name in positions
            )
        )

    def _named(self, spec: CellSpec, expression: Expression) -> list[StepKey]:
        """The steps of any cell that an expression in this cell's place names, each once."""
        found: dict[StepKey, None] = {}
        for name in expression.names:
            other, wanted = (
                (name.dimension, name.step or ANSWER) if isinstance(name, CellName) else (spec.dimension, name.name)
            )
            for whose in self._entities_of(name, spec.entity):
                cell = self.spec(whose, other)
                if (
                    cell is not None
                    and wanted in self._positions(cell)
                    and (cell.answer_type != "not_available" or cell is spec)
                ):
                    found[whose, other, wanted] = None
        return list(found)

    def _entities_of(self, name: Name | CellName, entity: str) -> Sequence[str]:
        if name.scope == "all":
            return self.entities
        return [other for other in self.entities if other != entity] if name.scope == "others" else (entity,)

    def _build_step(self, key: StepKey) -> Built:
        entity, dimension, wanted = key
        spec = self.spec(entity, dimension)
        assert spec is not None
        index = self._positions(spec)[wanted]
        step = spec.steps[index]
        place = partial(self.task.place_of, dimension, "steps", index, "expr", entity=entity)
        cycle = self._cycles.get(key) if self._cycles else None
        if cycle is not None:
            path = " → ".join(f"{who}/{what}.{part}" for who, what, part in cycle)
            return Built(
                Builder.failed(
                    Failure(
                        f"the step `{wanted}` needs itself: {path}",
                        place(),
                        fix="break the circle: one of these must follow from facts alone",
                    )
                )
            )
        if any(item.id == wanted for item in spec.steps[index + 1 :]):
            return Built(
                Builder.failed(Failure(f"the step `{wanted}` stands twice", place(), fix="give one of them another id"))
            )
        if wanted in self.book.names:
            return Built(
                Builder.failed(
                    Failure(f"the step `{wanted}` bears a fact's name", place(), fix="give the step another id")
                )
            )
        if wanted in self._assumptions:
            return Built(
                Builder.failed(
                    Failure(f"the step `{wanted}` bears an assumption's name", place(), fix="give the step another id")
                )
            )
        return self._build(spec, step.expr, place, spec.steps[:index], spec.steps[index:])

    def _build(
        self, spec: CellSpec, text: str, place: FindPlace, before: Sequence[Step], after: Sequence[Step] = ()
    ) -> Built:
        expression = parsed(text)
        if isinstance(expression, ExpressionError):
            problem = expression.problems[0]
            return Built(Builder.failed(Failure(problem.what, place(), problem.seen, problem.expected, problem.fix)))
        steps = {
            step.id: self._steps[spec.entity, spec.dimension, step.id].node
            for step in before
            if (spec.entity, spec.dimension, step.id) in self._steps
        }
        site = Site(spec, place, steps, frozenset(step.id for step in after))
        node = Builder(self, site).number(expression.tree)
        return Built(node, tuple(site.inputs), tuple(site.notes), expression.tree)

    # -- expressions beside the steps

    def site(self, spec: CellSpec, place: FindPlace) -> Site:
        """Where near misses and checks stand: after all steps of the cell."""
        return Site(spec, place, {name: built.node for name, built in self.built(spec).items()})

    def ensure_named(self, spec: CellSpec, expression: Expression) -> None:
        """Builds the other cells that an expression beside the steps names."""
        if expression.reaches_out:
            self._ensure(self._named(spec, expression))

    def expression(self, spec: CellSpec, text: str, place: FindPlace) -> Built:
        """An expression beside the steps, converted to the dimension's unit."""
        key = (spec.entity, spec.dimension, text)
        known = self._answers.get(key)
        if known is None:
            expression = parsed(text)
            if not isinstance(expression, ExpressionError):
                self.ensure_named(spec, expression)
            self.built(spec)
            known = self._answers[key] = self.in_unit(spec, self._build(spec, text, place, spec.steps), place)
        return known

    def answer(self, spec: CellSpec, step: str) -> Built:
        """A step of the cell, converted to the dimension's unit."""
        key = (spec.entity, spec.dimension, f"{step}:")
        known = self._answers.get(key)
        if known is None:
            index = self._positions(spec)[step]
            place = partial(self.task.place_of, spec.dimension, "steps", index, "expr", entity=spec.entity)
            built = self._steps[spec.entity, spec.dimension, step]
            known = self._answers[key] = self.in_unit(spec, built, place)
        return known

    def in_unit(self, spec: CellSpec, built: Built, place: FindPlace) -> Built:
        """The expression in the dimension's unit (inside: percent as hundredths), or the failure that names both."""
        node = built.node
        if node.unit is None:
            return built
        try:
            wanted = self.kinds.unit(spec.unit)
        except UnreadableInput as error:
            problem = error.problems[0]
            where = self.task.place_of(spec.dimension, "unit", entity=spec.entity)
            return Built(
                Builder.failed(
                    Failure(
                        f"the unit of {spec.id} cannot be read: {problem.what}",
                        where,
                        problem.seen,
                        problem.expected,
                        problem.fix,
                    )
                )
            )
        changed = Builder(self, Site(spec, place)).converted(node, wanted)
        if changed is None:
            return Built(
                Builder.failed(
                    Failure(
                        f"the answer's unit is not the dimension's ({spec.unit})",
                        place(),
                        seen=self.kinds.describe(node.unit),
                        expected=spec.unit,
                        fix="mend the expression, the `unit:`, or the `unit` of its facts in facts.csv",
                    )
                )
            )
        if spec.unit == "pp" and built.tree is not None and not self._subtracts(spec, built.tree):
            return Built(
                Builder.failed(
                    Failure(
                        "percentage points need a last step that subtracts",
                        place(),
                        expected="a difference of two shares",
                        fix="set `unit: percent`, or subtract",
                    )
                )
            )
        return Built(changed, built.inputs, built.notes, built.tree)

    def _subtracts(self, spec: CellSpec, tree: Tree) -> bool:
        """Whether the answer is a difference, its size, or a fact that is printed in percentage points."""
        for _ in range(len(spec.steps) + 50):
            match tree:
                case Binary(operator="-"):
                    return True
                case Minus():
                    tree = tree.operand
                case Call(function="abs"):
                    tree = tree.args[0]
                case Call(function="if"):
                    tree = tree.args[1]
                case Name() if not tree.star:
                    step = next((item for item in spec.steps if item.id == tree.name), None)
                    inner = parsed(step.expr) if step is not None else None
                    if inner is None or isinstance(inner, ExpressionError):
                        return any(fact.name == tree.name and fact.unit == "pp" for fact in self.book.by_id.values())
                    tree = inner.tree
                case _:
                    return isinstance(tree, CellName)
        return False
