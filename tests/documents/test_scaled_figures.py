"""The figures that TAT-QA and jfinqa answers rest on, read with their scale from the tables and texts in the data.

Each table is shown as a page with its paragraphs above it: a line that says nothing but a scale ("(in millions)")
next to the table, before it the paragraph that introduces it. Every figure that is not read as the gold says is named
below with its reason; a new one fails.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cellwright.documents.scales import read_scales
from tests.documents.scaled_figures import (
    NUMBER,
    PERCENT,
    POWERS,
    Asked,
    Read,
    digits,
    page,
    paragraphs,
    printed,
    read_json,
)

OPERAND = re.compile(r"(?<![\d.,/])(?<!/ )(\d[\d,]*(?:\.\d+)?|\.\d+)(?![\d%])")
"""A figure of a gold derivation: no divisor of a mean, no factor in percent."""
YEAR = re.compile(r"(?:19|20)\d\d")

GOLD_SAYS_NONE = "the page says thousands or millions, and the gold's scale is empty"
GOLD_WRONG = "dividends in millions, and the gold takes the thousands that the page gives to shares"
GOLD_CONVERTS = "the figure is printed with its own scale, and the gold converts it within its answer"
HEAD_CUT = "the head that says the scale stands over one column only: its span is lost in the data"
FAR = "the scale stands in a paragraph that speaks of something else, far from the table"
PENCE = "a price in pence, written 445.0p: no quantity that is read"
WORD = "the gold answers 0 for a word or a dash of the page"
SECTION = "a number of shares that only the sections around it tell from amounts per share"
NOT_AS_SAID = {
    "9b6759c8": GOLD_SAYS_NONE,
    "4a58213e": GOLD_SAYS_NONE,
    "59f389c8": GOLD_SAYS_NONE,
    "d05ff4c9": GOLD_SAYS_NONE,
    "24b6e5a5": GOLD_SAYS_NONE,
    "4c3adbad": GOLD_SAYS_NONE,
    "b819c4e1": GOLD_SAYS_NONE,
    "d730fec2": GOLD_WRONG,
    "c4a0f2ab": GOLD_CONVERTS,
    "353861f4": GOLD_CONVERTS,
    "fda3b0cb": HEAD_CUT,
    "8d8c9fb6": HEAD_CUT,
    "b4aabd48": HEAD_CUT,
    "d5efb038": FAR,
    "4b8730b6": FAR,
    "c29f8c45": FAR,
    "33f8d9ee": FAR,
    "cc5b2e21": PENCE,
    "767f8459": PENCE,
    "ae566a1c": WORD,
    "10e75f5d": WORD,
    "58753c83": SECTION,
    "66e5cc1b": SECTION,
}
"""Questions by the first eight characters of their uid."""


def asked_of(entry: dict[str, Any], reads: list[Read]) -> Iterator[tuple[Asked, bool]]:
    """The figures that the gold answers name, or compute from, and whether they stand in the text alone."""
    for question in entry["questions"]:
        scale = question["scale"]
        if question["answer_type"] in ("span", "multi-span"):
            figures = [text for text in question["answer"] if digits(text) and not re.search("[A-Za-z]{3}", text)]
        elif question["answer_type"] == "arithmetic" and scale not in (PERCENT, ""):
            figures = OPERAND.findall(question["derivation"])
            figures = [text for text in figures if len(text) > 1 or any(digits(read.text) == text for read in reads)]
        else:
            continue
        for text in figures:
            if not YEAR.fullmatch(text):
                told = PERCENT if "%" in text else scale
                yield Asked(question["uid"][:8], text, told), question["answer_from"] == "text"


def outcome(asked: Asked, in_text: bool, reads: list[Read], said: set[int | None]) -> str:
    """`right`; `untold` where nothing in the excerpt says the gold's scale; else `other`."""
    same = [read for read in reads if digits(read.text) == digits(asked.figure)]
    drawn = [read for read in same if read.where != "text"]
    seen = drawn if drawn and not in_text else [read for read in same if read.where == "text"]
    wanted = PERCENT if asked.scale == PERCENT else str(POWERS[asked.scale])
    if any(read.scale == wanted for read in seen):
        return "right"
    nothing = {read.scale for read in seen} == {"0"}
    return "untold" if nothing and wanted not in (PERCENT, "0") and int(wanted) not in said else "other"


def tally(entries: list[dict[str, Any]]) -> tuple[Counter[str], dict[str, list[str]]]:
    counts: Counter[str] = Counter()
    others: dict[str, list[str]] = {}
    for entry in entries:
        above, table = paragraphs(entry), entry["table"]["table"]
        reads = list(printed(page(table, above)))
        said = {read_scales(text).money for text in (*above, *(cell for row in table for cell in row))}
        for asked, in_text in asked_of(entry, reads):
            found = outcome(asked, in_text, reads, said)
            counts[found] += 1
            if found == "other":
                others.setdefault(asked.uid, []).append(asked.figure)
    return counts, others


def tatqa(data: Path) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = read_json(data / "qa_derivations" / "tatqa_dataset_dev.json.gz")
    return entries


def test_figures_of_a_tenth_of_tat_qa_are_read_with_their_scale(shared_data: Path) -> None:
    counts, others = tally(tatqa(shared_data)[::10])
    assert counts["right"] > 60
    assert set(others) <= set(NOT_AS_SAID), others


@pytest.mark.slow
def test_figures_of_all_of_tat_qa_are_read_with_their_scale(shared_data: Path) -> None:
    counts, others = tally(tatqa(shared_data))
    print(f"TAT-QA: {dict(counts)}; {Counter(NOT_AS_SAID[uid] for uid, texts in others.items() for _ in texts)}")
    assert set(others) == set(NOT_AS_SAID), others
    assert counts == {"right": 1181, "untold": 60, "other": 27}


def test_every_figure_of_jfinqa_s_gold_rows_is_read_in_millions_of_yen(shared_data: Path) -> None:
    entries: list[dict[str, Any]] = read_json(shared_data / "qa_derivations" / "jfinqa_v1_pick.json.gz")
    checked = 0
    wrong: list[str] = []
    for entry in entries:
        heads, rows = entry["table"]["headers"], entry["table"]["rows"]
        # The set keeps the unit in a field of its own; on the page it is the line above the table.
        above = [*entry["pre_text"], f"(単位:{entry['scale']})"]
        told = entry["scale"] in "".join(heads)
        reads = list(printed(page([heads, *rows], entry["pre_text"] if told else above, entry["post_text"]), "ja"))
        for number in entry["qa"]["gold_evidence"]:
            label, *figures = rows[number]
            for figure in filter(digits, figures):
                checked += 1
                if Read(figure, str(POWERS[entry["scale"]]), "") not in [
                    Read(read.text, read.scale, "") for read in reads if read.where.startswith(label)
                ]:
                    wrong.append(f"{entry['id']}: {label} {figure}")
    print(f"jfinqa: {checked - len(wrong)} of {checked} figures")
    assert checked > 2000
    assert wrong == []


def test_a_figure_in_the_data_is_told_from_its_surroundings() -> None:
    assert NUMBER.findall("(44.1-56.7)/56.7") == ["44.1", "56.7", "56.7"]
    assert OPERAND.findall("(160+80+49)/3") == ["160", "80", "49"]
