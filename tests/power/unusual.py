"""Tasks that are unusual and right: what a careful curator may write and the audit must be silent about."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from cellwright.records.decimals import canonical
from cellwright.validators.audit import context_of
from tests.power.clean_tasks import clean_task
from tests.power.draft import Draft, Row

Item = dict[str, Any]
CASES: dict[str, Callable[[], Draft]] = {}


def case(make: Callable[[], Draft]) -> Callable[[], Draft]:
    """Write an unusual task down under its function's name."""
    CASES[make.__name__] = make
    return make


def holding(*dimensions: str, size: tuple[int, int] = (6, 7)) -> Draft:
    """A clean task, in English, that has these dimensions."""
    for seed in range(400):
        draft = clean_task(seed, size)
        english = all(row["locale"] == "en" for row in draft.sources)
        if english and set(dimensions) <= {item["id"] for item in draft.task["dimensions"]}:
            return draft
    raise AssertionError(dimensions)


def dimension(draft: Draft, name: str) -> Item:
    """A dimension by its id."""
    return draft.dimensions(id=name)[0]


def rewrite(draft: Draft, name: str, ask: str, *steps: tuple[str, str], **fields: Any) -> Draft:
    """Let a dimension ask for something else; its labels are those that its witnesses give."""
    item = dimension(draft, name)
    item["ask"] = ask
    item["steps"] = [{"id": step, "expr": expr} for step, expr in steps]
    item["checks"] = []
    item["near_misses"] = [{"id": "twice", "expr": f"({steps[-1][1]}) * 2"}]
    item.update(fields)
    for row in draft.cells_where(dimension=name):
        row["stated_value"] = ""
    draft.tables["facts"] = [row for row in draft.facts if row["name"] != name]  # what others stated of the old one
    read = {row["source"] for row in draft.facts}
    draft.tables["sources"] = [row for row in draft.sources if row["id"] in read]
    return settle(without_unused(draft))


def without_unused(draft: Draft) -> Draft:
    """Rank context what no derivation uses any more."""
    used = " ".join(str(item) for item in draft.task["dimensions"])
    for fact in draft.facts:
        named = fact["name"] in used or fact["name"].split(".")[0] + ".*" in used or fact["entity"] == "*"
        if fact["rank"] == "primary" and not named:
            fact["rank"] = "context"
    draft.task["assumptions"] = [item for item in draft.task["assumptions"] if item["id"] in used]
    return draft


def settle(draft: Draft) -> Draft:
    """Labels as the witnesses give them, as `derive --write` does; unused primaries are ranked context."""
    given = draft.input()
    context = context_of(given.folder, given.evidence, profile=given.profile, owners=draft.owners)
    for row in draft.cells:
        verdict = context.answers.verdicts.get((row["entity"], row["dimension"]))
        if verdict is None:
            continue
        row.update(agreement=verdict.label, reason_code="", chosen="", note="")
        if verdict.label == "divergent":
            row.update(reason_code="restated", chosen=verdict.diverging[0].replaces, note="as first reported")
    used = {name for _, result in context.answers.replayed for name in result.inputs}
    used |= {name for miss in context.answers.near_misses for name in miss.inputs}
    used |= {name for found in context.answers.checks for name in getattr(found.result, "inputs", ())}
    names = {item["id"] for item in draft.task["dimensions"]}
    for fact in draft.facts:
        if fact["rank"] == "primary" and fact["id"] not in used and fact["name"] not in names:
            fact["rank"] = "context"
    lone = {(row["entity"], row["name"], row["period"]) for row in draft.facts_where(rank="primary")}
    for fact in draft.facts_where(rank="witness"):
        if (fact["entity"], fact["name"], fact["period"]) not in lone:
            fact["rank"] = "context"
    return draft


def add(draft: Draft, entity: str, name: str, period: str, figure: str, **fields: str) -> Row:
    """One more primary fact of an entity's report, printed there in a line of its own."""
    label = fields.pop("label", name.replace("_", " ").replace(".", " of ").capitalize())
    scale = fields.get("scale", "6")
    number = Decimal(figure.replace(",", "").strip("()")) * (-1 if figure.startswith("(") else 1)
    row = {
        "id": f"{entity}.{name}.{period.lower().replace('-', '_').replace('/', '_')}",
        "entity": entity,
        "name": name,
        "source": f"{entity}-report",
        "as_written": figure,
        "period": period,
        "rank": "primary",
        "value": canonical(number.scaleb(int(scale))),
        "scale": scale,
        "sign": "shown",
        "unit": draft.task["entities"][0]["currency"],
        "basis": "reported",
        "scope": "consolidated",
        **fields,
    }
    draft.facts.append(row)
    draft.with_quote(row, row.get("quote") or f"{label} ({period}) stood at {figure} for {entity.title()}")
    return row


def each(draft: Draft, name: str, period: str, first: int, step: int, **fields: str) -> None:
    """A fact of this name for every entity, the figures apart from one another."""
    for place, entity in enumerate(draft.entities()):
        number = int(first * Decimal("1.42") ** place) + step * place
        add(draft, entity, name, period, f"{number:,}" if first > 0 else f"({abs(number):,})", **fields)
