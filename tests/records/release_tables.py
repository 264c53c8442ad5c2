"""The tables of a release of one or more tasks with two cells each, for what changes between releases."""

from __future__ import annotations

import copy

from cellwright.records.bundle import TABLE_COLUMNS, Rows, canonical_json, cell_digest, sorted_rows

RULE = canonical_json(
    {
        "full": {"kind": "relative", "size": "0.01"},
        "partial": {"kind": "relative", "size": "0.1"},
        "order": "10",
        "overlap": "0.5",
        "max_width": "4",
        "derivation": "optional",
    }
)
Tables = dict[str, Rows]


def tables(*tasks: str) -> Tables:
    """Each task asks two companies for their revenue; each answer is one fact."""
    made: Tables = {name: [] for name in TABLE_COLUMNS}
    for task in tasks or ("t",):
        made["tasks"].append(
            {"task": task, "title": f"Title of {task}", "as_of": "2024-12-31", "comparability": "1", "question": "q?"}
            | {"periods": "{}", "assumptions": "[]"}
        )
        made["dimensions"].append(
            {"task": task, "dimension": "revenue", "position": "1", "ask": "Revenue.", "unit": "USD"}
        )
        for place, (entity, value) in enumerate((("a", "120"), ("b", "340")), 1):
            fact = f"{entity}.revenue"
            key = {"task": task, "entity": entity}
            made["entities"].append({**key, "position": str(place), "name": entity.upper()})
            made["facts"].append(
                {
                    **key,
                    "fact": fact,
                    "name": "revenue",
                    "value": value,
                    "as_written": value,
                    "quote": f"Revenue {value}",
                }
            )
            made["steps"].append(
                {**key, "dimension": "revenue", "position": "1", "step": "answer", "expr": "revenue", "value": value}
                | {"inputs": canonical_json([f"fact:{fact}"])}
            )
            made["cells"].append(
                {**key, "dimension": "revenue", "ask": "Revenue.", "unit": "USD", "answer_type": "precise"}
                | {"value": value, "rule": RULE, "inputs": canonical_json([fact])}
            )
    return finished(made)


def finished(made: Tables) -> Tables:
    """The tables with every column, sorted, and the cells' digests as they must be."""
    done = {name: sorted_rows(name, rows) for name, rows in made.items()}
    for row in done["cells"]:
        row["digest"] = cell_digest(row, [])
    return done


def changed(before: Tables, table: str, number: int, **columns: str) -> Tables:
    """The tables with some columns of one row changed."""
    after = copy.deepcopy(before)
    after[table][number].update(columns)
    return finished(after)
