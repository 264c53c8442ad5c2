"""A second task beside a clean one: the same entities under other ids, the same figures, other questions."""

from __future__ import annotations

from tests.power.draft import Draft

TAIL = "_too"


def neighbour(draft: Draft) -> Draft:
    """Another task with which the draft agrees; it is compared with and not audited itself."""
    other = draft.copy()
    other.beside = []
    other.task["id"] = f"{draft.task['id']}-too"
    for entity in other.task["entities"]:
        entity["id"] += TAIL
        entity["name"] += ", Inc."
    for table in other.tables.values():
        for row in table:
            if row.get("entity", "*") not in ("", "*"):
                row["entity"] += TAIL
    for dates in other.task.get("periods", {}).values():
        for name in [name for name in dates if name != "default"]:
            dates[name + TAIL] = dates.pop(name)
    for assumption in other.task.get("assumptions", ()):
        if assumption.get("values"):
            assumption["values"] = {name + TAIL: value for name, value in assumption["values"].items()}
    for item in other.task["dimensions"]:
        item["ask"] = f"Twice this: {item['ask']}"
        item["overrides"] = {name + TAIL: _other_words(own) for name, own in item.get("overrides", {}).items()}
        item["steps"] = _doubled(item.get("steps", []))
    return other


def _other_words(own: dict[str, object]) -> dict[str, object]:
    """An override that asks and derives something else, too."""
    changed = dict(own)
    if changed.get("ask"):
        changed["ask"] = f"Twice this: {changed['ask']}"
    if changed.get("steps"):
        changed["steps"] = _doubled(changed["steps"])
    return changed


def _doubled(steps: object) -> list[dict[str, str]]:
    """The steps with the last one doubled."""
    assert isinstance(steps, list)
    made = [dict(step) for step in steps]
    for step in made[-1:]:
        step["expr"] = f"2 * ({step['expr']})"
    return made
