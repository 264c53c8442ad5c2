"""Through what a cell rests on something that changed: inputs of steps and cells followed to the end.

A name in `steps.inputs` is `fact:<id>`, `assumption:<id>`, `step:<id>` of the same cell, `cell:<entity>/<dimension>`
or `cell:<entity>/<dimension>/<step>`; ranks and sums over `all.x` name each fact that they read.
"""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping

from cellwright.records.releases.changes import Chain

Place = tuple[str, str]
"""Entity and dimension of a cell."""
Row = Mapping[str, str]


class Steps:
    """The steps of one task in one release, and what each rests on."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.by_cell: dict[Place, list[Row]] = defaultdict(list)
        for row in sorted(rows, key=lambda row: int(row["position"])):
            self.by_cell[row["entity"], row["dimension"]].append(row)
        self._inputs: dict[str, tuple[str, ...]] = {}
        for place, steps in self.by_cell.items():
            for row in steps:
                self._inputs[link(place, row["step"])] = tuple(self._target(place, name) for name in names_in(row))

    def chains(self, place: Place, changed: frozenset[str], moved: frozenset[str] = frozenset()) -> dict[str, Chain]:
        """The shortest way from each changed thing to the answer of the cell, by what changed.

        It ends in a step that no other step of the cell rests on: the answer, or an end of a range; in one of
        `moved` rather than another. A changed step of the cell itself is no origin of its own.
        """
        own = {link(place, row["step"]) for row in self.by_cell.get(place, [])}
        used = {item for name in own for item in self._inputs[name]}
        last = sorted(own - used, key=lambda name: (name not in moved, name))
        came: dict[str, str] = dict.fromkeys(last, "")
        queue = deque(last)
        found: dict[str, Chain] = {}
        while queue:
            name = queue.popleft()
            for item in self._inputs.get(name, ()):
                if item in came:
                    continue
                came[item] = name
                queue.append(item)
                if item in changed and item not in own:
                    found[item] = Chain(_way(item, came))
        return found

    def _target(self, place: Place, name: str) -> str:
        """The name as it is known across the task."""
        if name.startswith("step:"):
            return link(place, name[5:])
        parts = name[5:].split("/") if name.startswith("cell:") else []
        if len(parts) == 3:
            return link((parts[0], parts[1]), parts[2])
        if len(parts) == 2:
            there = parts[0], parts[1]
            steps = self.by_cell.get(there, [])
            return link(there, steps[-1]["step"]) if steps else name
        return name


def link(place: Place, step: str) -> str:
    """A step as a link of a chain: `byd/gross_margin.answer`."""
    return f"{place[0]}/{place[1]}.{step}"


def names_in(row: Row, column: str = "inputs") -> tuple[str, ...]:
    """The names in a column that holds a JSON list; none where it holds anything else."""
    try:
        names = json.loads(row.get(column, "") or "[]")
    except (ValueError, RecursionError):
        return ()
    return tuple(name for name in names if isinstance(name, str)) if isinstance(names, list) else ()


def _way(item: str, came: Mapping[str, str]) -> tuple[str, ...]:
    links = [item]
    while came[links[-1]]:
        links.append(came[links[-1]])
    return tuple(links)
