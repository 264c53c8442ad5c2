"""Names → nodes: facts, steps, assumptions and cells, of this entity and of others."""

from __future__ import annotations

from cellwright.records.derivations._book import When
from cellwright.records.derivations._nodes import Node
from cellwright.records.derivations._site import SiteTools, shown
from cellwright.records.derivations._tree import CellName, Name, Tree
from cellwright.records.derivations._values import Failure
from cellwright.records.errors import UnreadableInput, clip
from cellwright.records.suggest import did_you_mean


class NameResolver(SiteTools):
    """Finds what a name stands for at one site; what is not there becomes a failed node."""

    def fact_or_other(self, tree: Name) -> Node:
        if tree.star:
            return self.fail(f"`{tree.name}.*` stands for several numbers", expected="it inside sum(…)")
        if tree.name in self.site.later:
            return self.fail(
                f"the step `{tree.name}` is used before it is defined", fix=f"move `{tree.name}` above this step"
            )
        step = self.site.steps.get(tree.name)
        if step is not None:
            self.site.inputs[f"step:{tree.name}"] = None
            return self.bare(tree, "step") or step
        assumed = self.graph.assumption(tree.name, self.entity, self.site.place)
        if isinstance(assumed, Failure):
            return self.failed(assumed)
        if assumed is not None:
            self.site.inputs[f"assumption:{tree.name}"] = None
            return self.bare(tree, "assumption") or assumed
        return self.fact(tree, self.entity)

    def bare(self, tree: Name, what: str) -> Node | None:
        """The failure of a period given to what has none."""
        if not tree.shift and not tree.label:
            return None
        return self.fail(
            f"`{shown(tree)}` asks for another period of a{'n' * (what == 'assumption')} {what}",
            fix="write the expression of facts with their own [-1]"
            if what == "step"
            else "state an assumption of its own for that period",
        )

    def unknown(self, tree: Name) -> Node | None:
        """The failure of a name that nothing in the task bears."""
        if tree.name in self.graph.book.names:
            return None
        known = self.graph.names() | set(self.site.steps) | self.site.later
        if tree.scope and tree.name in known:
            return self.fail(
                f"`{shown(tree)}` is not a list", expected="a fact's or a step's name", fix=f"write `{tree.name}`"
            )
        return self.fail(
            f"`{clip(tree.name, 60)}` is no fact, no step and no assumption",
            fix=(did_you_mean(tree.name, known) + "add the fact to facts.csv or mend the name"),
        )

    def fact(self, tree: Name, entity: str) -> Node:
        when = self.when(tree, entity)
        if isinstance(when, Node):
            return when
        return self.unknown(tree) or self.primary(entity, tree.name, when, wide=not tree.scope)

    def primary(self, entity: str, name: str, when: When, *, wide: bool) -> Node:
        found = self.graph.book.primary(entity, name, when, self.site.place, wide=wide)
        if isinstance(found, Failure):
            return self.failed(found)
        self.site.inputs[f"fact:{found.id}"] = None
        return self.graph.fact_node(found)

    def when(self, tree: Name, entity: str) -> When | Node:
        """The period that a name means: its own label, or the dimension's, years back."""
        spec = self.site.spec if entity == self.entity else self.graph.spec(entity, self.site.spec.dimension)
        label = tree.label or (spec.period if spec is not None else "")
        if not label:
            return self.fail("the dimension has no period", fix="give it a `period:`, or write x['FY2023']")
        try:
            return self.graph.book.years_before(label, -tree.shift, entity)
        except UnreadableInput as error:
            problem = error.problems[0]
            return self.fail(
                f"the period of `{shown(tree)}` cannot be told: {problem.what}",
                seen=problem.seen,
                expected=problem.expected,
                fix=problem.fix,
            )

    def cell(self, tree: CellName, entity: str) -> Node:
        found = self.graph.step_node(entity, tree.dimension, tree.step, self.site.place)
        if isinstance(found, Failure):
            return self.failed(found)
        step = f"/{tree.step}" if tree.step else ""
        self.site.inputs[f"cell:{entity}/{tree.dimension}{step}"] = None
        return found

    # -- lists

    def whose(self, tree: Name | CellName) -> list[str]:
        """The entities that a name's scope stands for."""
        if not tree.scope:
            return [self.entity]
        return [entity for entity in self.graph.entities if tree.scope == "all" or entity != self.entity]

    def of_entity(self, tree: Name | CellName, entity: str) -> list[Node]:
        if isinstance(tree, CellName):
            return [self.cell(tree, entity)]
        if tree.star:
            return self.parts(tree, entity)
        if tree.scope and (tree.name in self.site.steps or tree.name in self.site.later):
            step = CellName(self.site.spec.dimension, tree.name, tree.scope, tree.at)
            return [self.bare(tree, "step") or self.cell(step, entity)]
        return [self.fact(tree, entity)]

    def available(self, name: Name | CellName, tree: Tree) -> list[str]:
        """The entities of `available(all.x)`: those whose cell here is not not-available; a note tells the count."""
        every = self.whose(name)
        kept: list[str] = []
        without: list[str] = []
        for entity in every:
            spec = self.graph.spec(entity, self.site.spec.dimension)
            (without if spec is not None and spec.answer_type == "not_available" else kept).append(entity)
        note = f"`{shown(tree)}` counts {len(kept)} of {len(every)} entities"
        self.site.notes[f"{note}, without {', '.join(without)}" if without else note] = None
        return kept

    def publishers(self, tree: Name) -> list[Node]:
        when = self.when(tree, self.entity)
        if isinstance(when, Node):
            return [when]
        unknown = self.unknown(tree)
        if unknown is not None:
            return [unknown]
        found = self.graph.book.witnesses(self.entity, tree.name, when, self.site.place)
        if isinstance(found, Failure):
            return [self.failed(found)]
        for fact in found:
            self.site.inputs[f"fact:{fact.id}"] = None
        return [self.graph.fact_node(fact, pinned=True) for fact in found]

    def parts(self, tree: Name, entity: str) -> list[Node]:
        """The facts of `capex.*`: at least one."""
        when = self.when(tree, entity)
        if isinstance(when, Node):
            return [when]
        names = self.graph.book.parts(entity, tree.name, when)
        if not names:
            return [
                self.fail(
                    f"no primary fact gives a part `{tree.name}.…` of `{entity}` for {when}",
                    expected=f"facts named `{tree.name}.` and one more part",
                    missing=True,
                )
            ]
        return [self.primary(entity, name, when, wide=False) for name in names]
