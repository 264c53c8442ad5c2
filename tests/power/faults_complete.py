"""Faults against condition 1: fields, ids, lines, people, waivers, profile and periods."""

from __future__ import annotations

import random
from functools import partial

from tests.power.draft import Draft, Row
from tests.power.kinds import READING, add, always, choose, is_primary, kind, setting

UNREADABLE, UNRESOLVED = "C1-FIELD-UNREADABLE", "C1-ID-UNRESOLVED"

for name, table, column, text, says in (
    ("value_with_commas", "facts", "value", "1,877", "a value with grouping marks"),
    ("value_as_word", "facts", "value", "n/a", "a word in the place of a value"),
    ("scale_as_wrong_word", "facts", "scale", "mio", "a scale that is no power of ten"),
    ("sign_as_symbol", "facts", "sign", "-", "a sign that is neither shown nor reversed"),
    ("rank_unknown", "facts", "rank", "main", "a rank that there is not"),
    ("entity_as_date", "facts", "entity", "1-Mar", "an id that a spreadsheet made a date"),
    ("page_zero", "facts", "page", "0", "a page before the first"),
    ("tier_unknown", "sources", "tier", "T5", "a tier that there is not"),
    ("date_of_another_form", "sources", "published", "03/01/2024", "a date with slashes"),
    ("date_that_is_none", "sources", "accessed", "2024-02-30", "a day that no month has"),
    ("pin_cut", "sources", "capture", "3f5570db07a580f5", "a pin with digits missing"),
    ("label_unknown", "cells", "agreement", "agreed", "a label that there is not"),
    ("reason_unknown", "cells", "reason_code", "unclear", "a reason code that there is not"),
    ("stated_value_with_unit", "cells", "stated_value", "12.5%", "a stated value with its unit"),
):
    add(name, UNREADABLE, says, setting(table, column, text))

for name, table, column, text, says in (
    ("fact_of_unknown_entity", "facts", "entity", "zulu", "a fact of an entity that is not there"),
    ("fact_of_unknown_source", "facts", "source", "lost-report", "a fact of a source that is not there"),
    ("supersedes_unknown", "facts", "supersedes", "alfa.revenue.fy1999", "a fact that supersedes nothing"),
    ("cell_of_unknown_dimension", "cells", "dimension", "gross_marign", "a dimension's id mistyped in cells.csv"),
    ("cell_of_unknown_entity", "cells", "entity", "zulu", "an entity's id mistyped in cells.csv"),
    ("chosen_unknown", "cells", "chosen", "alfa.cost.fy1999", "a chosen fact that is not there"),
    ("search_of_unknown_dimension", "searches", "dimension", "gross_marign", "a search for a dimension not there"),
):
    add(name, UNRESOLVED, says, setting(table, column, text))


def _added(table: str, row: Row, draft: Draft, rng: random.Random) -> bool:
    draft.tables[table].append(dict(row))
    return True


_WAIVER = {"rule": "C4-NOTE-MISSING", "reason": "settled", "by": "ben", "date": "2024-12-01"}
for name, rule, change, says in (
    ("waiver_of_unknown_entity", UNRESOLVED, {"entity": "zulu"}, "a waiver for an entity that is not there"),
    ("waiver_without_reason", "C1-WAIVER-INCOMPLETE", {"reason": ""}, "a waiver that does not say why"),
    ("waiver_by_nobody", "C1-WAIVER-INCOMPLETE", {"by": ""}, "a waiver that nobody signs"),
    ("waiver_undated", "C1-WAIVER-INCOMPLETE", {"date": ""}, "a waiver without its day"),
    ("waiver_of_unknown_rule", "C1-WAIVER-RULE-UNKNOWN", {"rule": "C4-NOTES-MISSING"}, "a rule's id mistyped"),
    ("waiver_expired", "C1-WAIVER-EXPIRED", {"expires": "2020-01-01"}, "a waiver that has run out"),
    ("waiver_unused", "C1-WAIVER-UNUSED", {}, "a waiver that accepts nothing"),
):
    add(name, rule, says, partial(_added, "waivers", _WAIVER | change))


@kind(UNRESOLVED, "a trial run of an entity that is not there")
def pilot_of_unknown_entity(draft: Draft, rng: random.Random) -> bool:
    row = rng.choice(draft.cells)
    return _added("pilots", {"run": "r1", "entity": "zulu", "dimension": row["dimension"], "score": "0.5"}, draft, rng)


@kind(UNRESOLVED, "a second reading of a dimension that is not there")
def reading_of_unknown_dimension(draft: Draft, rng: random.Random) -> bool:
    row = {"entity": rng.choice(draft.entities()), "dimension": "gross_marign", "annotator": "cleo"}
    return _added("annotations", row, draft, rng)


@kind("C1-COLUMN-MISSING", "a column that cannot be left out is not there")
def column_missing(draft: Draft, rng: random.Random) -> bool:
    table, column = rng.choice([("facts", "source"), ("facts", "name"), ("sources", "publisher"), ("cells", "entity")])
    draft.heads[table] = [name for name in draft.tables[table][0] if name != column]
    return True


def _doubled(table: str, draft: Draft, rng: random.Random) -> bool:
    draft.tables[table].append(dict(rng.choice(draft.tables[table])))
    return True


for table, says in (("facts", "a fact's line"), ("cells", "a cell's line"), ("sources", "a source's line")):
    add(f"{table}_line_twice", "C1-RECORD-TWICE", f"{says} stands twice", partial(_doubled, table))


@kind("C1-FILE-ENCODING", "a table saved in another encoding")
def saved_as_cp1252(draft: Draft, rng: random.Random) -> bool:
    head = "entity,dimension,query,url,date,outcome,note\n"
    draft.raw["searches.csv"] = f"{head}*,*,reports,,2024-12-01,nothing – at all,\n".encode("cp1252")
    return True


@kind("C1-PROFILE-UNKNOWN", "the task names a profile that is another")
def profile_mistyped(draft: Draft, rng: random.Random) -> bool:
    draft.task["profile"] += "-x"
    return True


@kind("C1-PROFILE-SHAPE", "a dimension is missing from the matrix")
def dimension_missing(draft: Draft, rng: random.Random) -> bool:
    gone = draft.task["dimensions"].pop()
    draft.tables["cells"] = [row for row in draft.cells if row["dimension"] != gone["id"]]
    draft.tables["searches"] = [row for row in draft.tables["searches"] if row["dimension"] == "*"]
    return True


@kind("C1-FAMILY-SPLIT", "a dimension filed under another family")
def family_wrong(draft: Draft, rng: random.Random) -> bool:
    item = rng.choice(draft.task["dimensions"])
    item["family"] = "calibration" if item["family"] != "calibration" else "retrieval"
    return True


@kind("C1-DOMAIN-UNKNOWN", "a domain mistyped")
def domain_mistyped(draft: Draft, rng: random.Random) -> bool:
    draft.task["domain"] += "s"
    return True


for key, empty in (("licence", ""), ("title", " "), ("question", ""), ("contributors", [])):

    def _emptied(key: str, empty: object, draft: Draft, rng: random.Random) -> bool:
        draft.task[key] = empty
        return True

    add(f"{key}_empty", "C1-TEXT-EMPTY", f"the task's {key} not written", partial(_emptied, key, empty))


@kind("C1-TEXT-EMPTY", "a dimension that asks nothing")
def ask_empty(draft: Draft, rng: random.Random) -> bool:
    rng.choice(draft.task["dimensions"])["ask"] = ""
    return True


@kind("C1-TEXT-EMPTY", "a quarantined task that does not say why")
def quarantined_without_reason(draft: Draft, rng: random.Random) -> bool:
    draft.task["status"] = "quarantined"
    return True


@kind("C1-ASSUMPTION-REASON", "an assumption without its reason")
def assumption_without_reason(draft: Draft, rng: random.Random) -> bool:
    item = choose(rng, draft.task["assumptions"])
    if item is None:
        return False
    item["reason"] = ""
    return True


@kind("C1-CELL-MISSING", "a cell without its line")
def cell_missing(draft: Draft, rng: random.Random) -> bool:
    draft.cells.remove(rng.choice(draft.cells))
    return True


add("rank_missing", "C1-RANK-MISSING", "a fact without rank", setting("facts", "rank", ""))
for column in ("as_written", "unit", "period"):
    add(f"{column}_missing", "C1-FACT-INCOMPLETE", f"a fact without {column}", setting("facts", column, ""))
add("period_mistyped", "C1-PERIOD-UNREADABLE", "a period label mistyped", setting("facts", "period", "FY2032"))
add("period_dates_broken", "C1-PERIOD-UNREADABLE", "half of a period", setting("facts", "period", "2023-01-01/"))


@kind("C1-PRIMARY-TWICE", "a witness ranked primary beside the primary")
def witness_ranked_primary(draft: Draft, rng: random.Random) -> bool:
    fact = choose(rng, draft.facts_where(rank="witness"))
    if fact is None:
        return False
    fact["rank"] = "primary"
    return True


@kind("C1-PRIMARY-TWICE", "a second primary whose period is written as dates")
def second_primary_by_dates(draft: Draft, rng: random.Random) -> bool:
    fact = rng.choice([row for row in draft.facts_where(rank="primary") if row["period"] in draft.task["periods"]])
    dates = draft.task["periods"][fact["period"]]
    period = dates.get(fact["entity"], dates["default"])
    draft.facts.append({**fact, "id": f"{fact['id']}.again", "period": period})
    return True


@kind("C1-PRIMARY-ABSENT", "a witness whose name is mistyped witnesses nothing")
def witness_of_nothing(draft: Draft, rng: random.Random) -> bool:
    fact = choose(rng, draft.facts_where(rank="witness"))
    if fact is None:
        return False
    fact["name"] += "s"
    return True


for column in ("title", "publisher", "accessed"):
    add(f"{column}_missing", "C1-SOURCE-INCOMPLETE", f"a source without {column}", setting("sources", column, ""))
add("annotator_missing", "C1-ANNOTATOR-MISSING", "a cell that nobody wrote", setting("cells", "annotator", ""))
add("reviewer_missing", "C1-REVIEWER-MISSING", "a cell that nobody checked", setting("cells", "reviewer", ""))
add("reviewer_is_annotator", "C1-REVIEWER-IS-ANNOTATOR", "one person twice", setting("cells", "reviewer", "ana"))
add(
    "reviewer_is_annotator_respelt",
    "C1-REVIEWER-IS-ANNOTATOR",
    "one person, spelt with a capital",
    setting("cells", "reviewer", " ANA "),
)


@kind("C1-METHOD-MISSING", "a range that does not say how it follows")
def method_missing(draft: Draft, rng: random.Random) -> bool:
    row = choose(rng, draft.cells_where(answer_type="range"))
    if row is None:
        return False
    row["method"] = ""
    for item in draft.dimensions(id=row["dimension"]):
        for step in item["steps"]:
            step.pop("why", None)
    return True


@kind("C1-PERIOD-LENGTH", "half a year under the label of a year")
def half_year_for_year(draft: Draft, rng: random.Random) -> bool:
    draft.task["periods"]["FY2023"][rng.choice(draft.entities())] = "2023-01-01/2023-06-30"
    return True


@kind("C1-PERIOD-OVERLAP", "two fiscal years that share a month")
def years_overlap(draft: Draft, rng: random.Random) -> bool:
    draft.task["periods"]["FY2022"][rng.choice(draft.entities())] = "2022-03-01/2023-02-28"
    return True


@kind(READING, "an override of an entity that is not there")
def override_of_unknown_entity(draft: Draft, rng: random.Random) -> bool:
    rng.choice(draft.task["dimensions"]).setdefault("overrides", {})["zulu"] = {"unit": "percent"}
    return True


@kind(READING, "an entity that stands twice")
def entity_twice(draft: Draft, rng: random.Random) -> bool:
    draft.task["entities"].append(dict(rng.choice(draft.task["entities"])))
    return True


@kind(READING, "a step that stands twice")
def step_twice(draft: Draft, rng: random.Random) -> bool:
    steps = rng.choice(draft.task["dimensions"])["steps"]
    steps.append(dict(rng.choice(steps)))
    return True


@kind(READING, "a period whose last day lies before its first")
def period_turned_round(draft: Draft, rng: random.Random) -> bool:
    draft.task["periods"]["FY2023"]["default"] = "2023-12-31/2023-01-01"
    return True


__all__ = ["always", "is_primary"]
