"""Faults in what people note: cells, searches, waivers, second readings, trial runs, corrections."""

from __future__ import annotations

import random
from functools import partial

from tests.power.draft import Draft, Row
from tests.power.kinds import add, answered, choose, kind, setting


def _precise(draft: Draft, row: Row) -> bool:
    return row["answer_type"] == "precise"


def _range(draft: Draft, row: Row) -> bool:
    return row["answer_type"] == "range"


def _absent(draft: Draft, row: Row) -> bool:
    return row["answer_type"] == "not_available"


def _settled(draft: Draft, row: Row) -> bool:
    return row.get("agreement") in ("single", "consistent")


for name, rule, says, table, column, text, where in (
    ("reviewer_by_a_space", "C1-REVIEWER-IS-ANNOTATOR", "one person, a stop after the name", "cells", "reviewer",
     "ana.", answered),
    ("reviewer_by_an_accent", "C1-REVIEWER-IS-ANNOTATOR", "one person, with an accent", "cells", "reviewer",
     "\u00e1na", answered),
    ("reviewer_by_another_script", "C1-REVIEWER-IS-ANNOTATOR", "one person, with a letter of another script", "cells",
     "reviewer", "\u0430na", answered),
    ("reviewer_by_mail", "C1-REVIEWER-IS-ANNOTATOR", "one person, by the address of her mail", "cells", "reviewer",
     "ana@example.org", answered),
    ("reviewer_by_hidden_space", "C1-REVIEWER-IS-ANNOTATOR", "one person, with a space of no width", "cells",
     "reviewer", "ana\u200b", answered),
    ("reviewer_nobody", "C1-PLACEHOLDER", "a dash in the place of a reviewer", "cells", "reviewer", "-", answered),
    ("reviewer_to_do", "C1-PLACEHOLDER", "a reviewer who is to be named", "cells", "reviewer", "TBD", answered),
    ("annotator_unknown", "C1-PLACEHOLDER", "n/a in the place of an annotator", "cells", "annotator", "n/a", answered),
    ("two_people_in_one_field", "C1-REVIEWER-IS-ANNOTATOR", "two people in the reviewer's field, one the annotator",
     "cells", "reviewer", "ben, ana", answered),
    ("low_without_high", "C3-SECOND-OPINION", "one end of a range stated", "cells", "low", "1", _range),
    ("ends_on_a_precise_cell", "C3-SECOND-OPINION", "an end of a range on a precise cell", "cells", "high", "5",
     _precise),
    ("stated_on_an_absent_cell", "C3-SECOND-OPINION", "a value stated where nothing is available", "cells",
     "stated_value", "12.5", _absent),
    ("stated_on_a_range", "C3-SECOND-OPINION", "one value stated for a range", "cells", "stated_value", "3", _range),
    ("end_on_an_absent_cell", "C3-SECOND-OPINION", "an end of a range where nothing is available", "cells", "low",
     "2", _absent),
    ("confidence_beyond_all", "C1-CONFIDENCE", "a confidence of 150 %", "cells", "confidence", "150%", answered),
    ("chosen_on_a_settled_cell", "C4-CHOSEN-NEEDLESS", "a fact chosen where nothing differs", "cells", "chosen",
     "FACT", _settled),
    ("note_of_a_spreadsheet_s_error", "C1-PLACEHOLDER", "an error of a spreadsheet in a note", "cells", "note",
     "#REF!", answered),
    ("method_of_a_spreadsheet_s_error", "C1-PLACEHOLDER", "an error of a spreadsheet as a method", "cells", "method",
     "#N/A", _range),
    ("title_of_a_spreadsheet_s_error", "C1-PLACEHOLDER", "an error of a spreadsheet as a title", "sources", "title",
     "#NAME?", lambda draft, row: True),
    ("title_broken", "C1-MOJIBAKE", "letters broken by a wrong encoding in a title", "sources", "title",
     "Annual report of Soci\u00c3\u00a9t\u00c3\u00a9 Alfa", lambda draft, row: True),
    ("title_lost", "C1-MOJIBAKE", "letters lost for marks of what cannot be read", "sources", "title",
     "Gesch\ufffdftsbericht", lambda draft, row: True),
    ("publisher_with_a_hidden_space", "C1-HIDDEN-CHARACTERS", "a space of no width in a publisher", "sources",
     "publisher", "Office\u200b of Statistics", lambda draft, row: row["id"] == "statistics"),
    ("tier_reason_to_do", "C1-PLACEHOLDER", "a reason that is to be written", "sources", "tier_reason", "TODO",
     lambda draft, row: True),
    ("tier_reason_is_the_tier", "C1-PLACEHOLDER", "a tier as its own reason", "sources", "tier_reason", "T1",
     lambda draft, row: row["tier"] == "T1"),
    ("value_in_scientific_notation", "C1-FIELD-UNREADABLE", "a value in a spreadsheet's short form", "facts", "value",
     "1.23E+05", lambda draft, row: True),
    ("published_as_a_serial", "C1-FIELD-UNREADABLE", "a day as a spreadsheet counts it", "sources", "published",
     "45352", lambda draft, row: True),
    ("published_the_other_way_round", "C1-FIELD-UNREADABLE", "a day before its month", "sources", "published",
     "31.03.2024", lambda draft, row: True),
    ("page_with_a_p", "C1-FIELD-UNREADABLE", "a page as text", "facts", "page", "p. 4", lambda draft, row: True),
    ("basis_mistyped", "C1-BASIS-UNKNOWN", "a basis mistyped", "facts", "basis", "reportet", lambda draft, row: True),
    ("unit_in_words", "C1-UNIT-UNKNOWN", "a unit that there is not", "facts", "unit", "dollars",
     lambda draft, row: row["rank"] == "witness"),
    ("unit_with_its_scale", "C1-UNIT-UNKNOWN", "a unit with its scale in it", "facts", "unit", "USD million",
     lambda draft, row: row["rank"] in ("witness", "context")),
):  # fmt: skip

    def _set(table: str, column: str, text: str, where: object, draft: Draft, rng: random.Random) -> bool:
        if text != "FACT":
            return setting(table, column, text, where)(draft, rng)  # type: ignore[arg-type]
        row = choose(rng, [row for row in draft.tables[table] if where(draft, row)])  # type: ignore[operator]
        fact = choose(rng, [fact for fact in draft.facts if row and fact["entity"] == row["entity"]])
        if row is None or fact is None:
            return False
        row[column] = fact["id"]
        return True

    add(name, rule, says, partial(_set, table, column, text, where))


@kind("C4-CHOSEN-NOT-TAKEN", "a chosen fact of another entity")
def chosen_of_another_entity(draft: Draft, rng: random.Random) -> bool:
    row = choose(rng, draft.cells_where(agreement="divergent"))
    if row is None:
        return False
    row["chosen"] = rng.choice([fact["id"] for fact in draft.facts if fact["entity"] != row["entity"]])
    return True


@kind("C1-PERSON-RESPELT", "an annotator who is none of the contributors")
def annotator_is_no_contributor(draft: Draft, rng: random.Random) -> bool:
    rng.choice(draft.cells)["annotator"] = "anaa"
    return True


for name, rule, says, row in (
    ("search_before_the_end", "C4-SEARCH-DATE", "a search before the year that it is about has ended",
     {"date": "2023-02-01", "query": "research expense", "outcome": "nothing"}),
    ("search_after_as_of", "C1-DATE-UNLIKELY", "a search in years to come",
     {"date": "2042-02-01", "query": "research expense", "outcome": "nothing"}),
    ("search_at_no_address", "C4-SEARCH-ADDRESS", "a search at what is no address",
     {"date": "2024-11-02", "url": "their web site", "query": "x", "outcome": "nothing"}),
    ("search_to_do", "C1-PLACEHOLDER", "a search whose outcome is to be written",
     {"date": "2024-11-02", "query": "research expense", "outcome": "TBD"}),
):  # fmt: skip

    def _searched(fresh: Row, draft: Draft, rng: random.Random) -> bool:
        row = choose(rng, draft.cells_where(answer_type="not_available"))
        if row is None:
            return False
        draft.tables["searches"].append({"entity": row["entity"], "dimension": row["dimension"], **fresh})
        return True

    add(name, rule, says, partial(_searched, row))


def _second(fresh: Row, draft: Draft, rng: random.Random) -> bool:
    row = choose(rng, [row for row in draft.cells if row.get("stated_value") and row["answer_type"] == "precise"])
    if row is None:
        return False
    reading = {"entity": row["entity"], "dimension": row["dimension"], "annotator": "cleo", "at": "2024-11-05"}
    draft.tables["annotations"].append({**reading, "value": row["stated_value"], **fresh})
    return True


for name, rule, says, fresh in (
    ("second_reading_by_the_first", "C1-READING-NOT-INDEPENDENT", "a second reading by who read first",
     {"annotator": "ana"}),
    ("second_reading_by_nobody", "C1-READING-NOT-INDEPENDENT", "a second reading by nobody", {"annotator": ""}),
    ("second_reading_decided_by_a_party", "C1-READING-NOT-INDEPENDENT", "a party decides between the two readings",
     {"value": "1", "decided_by": "cleo"}),
    ("second_reading_of_another_unit", "C3-SECOND-READING", "a second reading in another unit", {"unit": "GBP"}),
):  # fmt: skip
    add(name, rule, says, partial(_second, fresh))


for name, rule, says, pilots in (
    ("pilot_beyond_one", "C5-PILOT-UNUSABLE", "a trial run with a score above 1", [{"score": "2"}]),
    ("pilot_twice", "C5-PILOT-UNUSABLE", "one cell of one trial run twice", [{"score": "1"}, {"score": "0"}]),
    ("pilot_closed_book_in_words", "C5-PILOT-UNUSABLE", "a closed-book mark in words that nobody reads",
     [{"score": "0.5", "closed_book": "perhaps"}]),
):  # fmt: skip

    def _piloted(rows: list[Row], draft: Draft, rng: random.Random) -> bool:
        cell = choose(rng, draft.cells_where(answer_type="precise"))
        if cell is None:
            return False
        for place, other in enumerate(draft.cells):  # a run within the band
            score = "1" if place % 2 else "0"
            head = {"run": "one", "entity": other["entity"], "dimension": other["dimension"]}
            draft.tables["pilots"].append({**head, "score": score, "closed_book": "no"})
        head = {"run": "two", "entity": cell["entity"], "dimension": cell["dimension"], "closed_book": "no"}
        draft.tables["pilots"] += [{**head, **row} for row in rows]
        return True

    add(name, rule, says, partial(_piloted, pilots))


def _waived(fresh: Row, draft: Draft, rng: random.Random) -> bool:
    row = choose(rng, [row for row in draft.cells if answered(draft, row) and row.get("agreement") == "single"])
    if row is None:
        return False
    row["agreement"] = ""
    base = {"rule": "C4-LABEL-MISSING", "entity": row["entity"], "dimension": row["dimension"]}
    base |= {"reason": "the witness is on its way", "by": "ben", "date": "2024-11-20", "expires": "2025-12-31"}
    draft.tables["waivers"].append({**base, **fresh})
    return True


for name, rule, says, fresh in (
    ("waiver_by_the_annotator", "C1-WAIVER-ODD", "a finding accepted by who made the cell", {"by": "ana"}),
    ("waiver_of_a_day_to_come", "C1-DATE-UNLIKELY", "a waiver of a day to come", {"date": "2042-01-01", "expires": ""}),
    ("waiver_run_out_before_it_began", "C1-WAIVER-ODD", "a waiver that ends before it begins",
     {"date": "2025-03-30", "expires": "2025-03-29"}),
    ("waiver_reason_to_do", "C1-PLACEHOLDER", "a waiver whose reason is to be written", {"reason": "TBD"}),
):  # fmt: skip
    add(name, rule, says, partial(_waived, fresh))
