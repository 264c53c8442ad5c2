"""Cycles in a graph, told as the shortest path back to the beginning."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, TypeVar

Key = TypeVar("Key", bound=Hashable)


def find_cycles(graph: Mapping[Key, Iterable[Key]]) -> dict[Key, tuple[Key, ...]]:
    """For each key that lies on a cycle, one cycle through it: first and last key are the same.

    All keys that lie on one and the same cycle get it beginning at its least key, whatever the order of
    `graph`. Keys that are not in `graph` are taken to lead nowhere.
    """
    found: dict[Key, tuple[Key, ...]] = {}
    for key in sorted(_on_cycles(graph), key=_order):
        if key not in found:
            path = _shortest(graph, key)
            for member in path[:-1]:
                found.setdefault(member, path)
    return found


def _order(key: Any) -> Any:
    return key


def _on_cycles(graph: Mapping[Key, Iterable[Key]]) -> set[Key]:
    """What is left when everything that leads nowhere, and then everything nothing leads to, is taken away."""
    left = {key: {other for other in others if other in graph} for key, others in graph.items()}
    for _ in range(2):
        back: dict[Key, set[Key]] = {key: set() for key in left}
        for key, others in left.items():
            for other in others:
                back[other].add(key)
        ready = [key for key, others in left.items() if not others]
        while ready:
            key = ready.pop()
            del left[key]
            for other in back[key]:
                left[other].discard(key)
                if not left[other]:
                    ready.append(other)
        left = {key: {other for other in left if key in left[other]} for key in left}  # turn the arrows round
    return set(left)


def _shortest(graph: Mapping[Key, Iterable[Key]], start: Key) -> tuple[Key, ...]:
    """The shortest way from `start` back to it; `start` alone where there is none."""
    before: dict[Key, Key] = {}
    pending = deque([start])
    while pending:
        key = pending.popleft()
        for other in sorted((item for item in graph.get(key, ()) if item in graph), key=_order):
            if other == start:
                path = [start, key]
                while path[-1] != start:
                    path.append(before[path[-1]])
                return tuple(reversed(path))
            if other not in before:
                before[other] = key
                pending.append(other)
    return (start,)
