"""Two submissions that any bundle can be scored with: its own reference answers, and its near misses.

The first earns 1 in every cell whose arithmetic can be written down in numbers; the second earns less. Stored with
a release, they tell whether a later version of the program scores as the one that cut it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from cellwright.clients.bundle_reader import Bundle, Key
from cellwright.records.bundle import canonical_json

Row = Mapping[str, str]
_NAME = re.compile(r"[a-z][a-z0-9_]*(?:\.(?:[a-z][a-z0-9_]*|\*))*(?:\[[^\[\]]{0,60}\])?")
_CALL = re.compile(r"\b(sum|mean)\(([^()]*)\)")
_SWITCHED = re.compile(r"\b(?:to|closing)\(|\bif\(|\brank\(|\bavailable\(|\bcount\(|[<>=]")
MAX_DEPTH = 20
"""Cells within cells whose arithmetic is written down."""


def reference_submission(bundle: Bundle) -> bytes:
    """The reference answers as a submission, each with the arithmetic that leads to it, in the numbers of its facts."""
    book = _Book(bundle)
    return _lines(bundle, {key: (_answer(bundle.cells[key]), book.shown(key)) for key in bundle.cells})


def near_miss_submission(bundle: Bundle) -> bytes:
    """The first near miss of each cell that has one as a submission, without any derivation; empty where none has."""
    found: dict[Key, tuple[dict[str, str], str]] = {}
    for row in bundle.tables["near_misses"]:
        key = row["task"], row["entity"], row["dimension"]
        cell = bundle.cells.get(key)
        if cell is not None and key not in found and (row["value"] or row["low"]):
            found[key] = _answer({**row, "unit": cell["unit"], "method": "as the near miss"}), ""
    return _lines(bundle, found) if found else b""


def _lines(bundle: Bundle, answers: Mapping[Key, tuple[dict[str, str], str]]) -> bytes:
    urls = {(row["task"], row["source"]): row["url"] for row in bundle.tables["sources"]}
    lines = []
    for key, (answer, derivation) in sorted(answers.items()):
        named = [urls[key[0], name] for name in json.loads(bundle.cells[key]["sources"]) if (key[0], name) in urls]
        cell = dict(zip(("task", "entity", "dimension"), key, strict=True))
        lines.append(canonical_json({**cell, "answer": answer, "derivation": derivation, "sources": named}) + "\n")
    return "".join(lines).encode("utf-8")


def _answer(row: Row) -> dict[str, str]:
    if row.get("value"):
        return {"type": "precise", "value": row["value"], "unit": row["unit"]}
    if row.get("low"):
        said = {"type": "range", "low": row["low"], "high": row["high"], "unit": row["unit"]}
        return {**said, "method": row.get("method") or "as derived"}
    return {"type": "not_available", "reason": row.get("reason_code") or "not disclosed"}


class _Book:
    """What the names of a task's expressions stand for."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        self.facts = {(row["task"], row["fact"]): row for row in bundle.tables["facts"]}
        self.steps: dict[Key, list[Row]] = {}
        for row in sorted(bundle.tables["steps"], key=lambda row: int(row["position"])):
            self.steps.setdefault((row["task"], row["entity"], row["dimension"]), []).append(row)
        self.assumptions = {row["task"]: json.loads(row["assumptions"] or "[]") for row in bundle.tables["tasks"]}

    def shown(self, key: Key) -> str:
        """The arithmetic of a cell: each figure by its name, then each step as an equation, cells it rests on first."""
        lines: dict[str, None] = {}
        self._add(key, lines, 0)
        return "\n".join(lines)

    def _add(self, key: Key, lines: dict[str, None], depth: int) -> None:
        for step in self.steps.get(key, ()):
            for name in _texts(step["inputs"]):
                kind, _, rest = name.partition(":")
                other = tuple(rest.split("/")[:2])
                if kind == "cell" and len(other) == 2 and depth < MAX_DEPTH:
                    self._add((key[0], *other), lines, depth + 1)
                fact = self.facts.get((key[0], rest)) if kind == "fact" else None
                if fact is not None:
                    lines[f"{fact['name']} of {fact['entity']}: {fact['value']}"] = None
        for step in self.steps.get(key, ()):
            written = self._equation(key, step)
            lines[f"{written} = {step['value']}" if written else f"{step['step']}: {step['value']}"] = None

    def _equation(self, key: Key, step: Row) -> str:
        """The expression in numbers; empty where it is more than arithmetic."""
        text = step["expr"]
        if _SWITCHED.search(text):
            return ""
        text = _CALL.sub(lambda found: self._spread(key, step, found), text)
        unknown: list[str] = []

        def number(found: re.Match[str]) -> str:
            values = self._values(key, step, found[0])
            if len(values) != 1:
                unknown.append(found[0])
                return ""
            return f"({values[0]})" if values[0].startswith("-") else values[0]

        written = _NAME.sub(number, text)
        return "" if unknown else written

    def _spread(self, key: Key, step: Row, call: re.Match[str]) -> str:
        """`sum(x.*)` or `mean(all.x)` as additions of its numbers."""
        values = [value for name in call[2].split(",") for value in self._values(key, step, name.strip())]
        if not values:
            return call[0]
        added = " + ".join(f"({value})" if value.startswith("-") else value for value in values)
        return f"({added})" if call[1] == "sum" else f"(({added}) / {len(values)})"

    def _values(self, key: Key, step: Row, name: str) -> list[str]:
        """The numbers that a name stands for in a step, one or, of `x.*` and `all.x`, several."""
        task, entity, _ = key
        own = {row["step"]: row["value"] for row in self.steps[key]}
        if name in own:
            return [own[name]]
        if name.startswith("cells."):
            dimension, _, part = name.removeprefix("cells.").partition(".")
            other = (task, entity, dimension)
            if part:
                return [row["value"] for row in self.steps.get(other, ()) if row["step"] == part]
            return [self.bundle.cells[other]["value"]] if other in self.bundle.cells else []
        assumed = [item for item in self.assumptions.get(task, ()) if item.get("id") == name]
        if assumed:
            return [str(assumed[0].get("value") or assumed[0].get("values", {}).get(entity, ""))]
        return list(self._fact_values(key, step, name))

    def _fact_values(self, key: Key, step: Row, name: str) -> Iterator[str]:
        task, entity = key[:2]
        plain, at, _ = name.partition("[")
        everyone = plain.startswith(("all.", "others."))
        plain = plain.removeprefix("all.").removeprefix("others.")
        period = self.bundle.cells[key]["period"]
        for item in _texts(step["inputs"]):
            fact = self.facts.get((task, item.removeprefix("fact:"))) if item.startswith("fact:") else None
            if fact is None or not (everyone or fact["entity"] in (entity, "*")):
                continue
            fits = fact["name"].startswith(plain[:-1]) if plain.endswith(".*") else fact["name"] == plain
            if fits and (fact["period"] == period) == (not at):
                yield fact["value"]


def _texts(text: str) -> Sequence[str]:
    found = json.loads(text or "[]")
    return [item for item in found if isinstance(item, str)] if isinstance(found, list) else []
