"""Slips made in the files of the shipped task, and what `cellwright audit` says of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from tests.cli.workshop import TASK, Result, Workshop

Run = Callable[..., Result]
SLIPS = (
    ("sources.csv", "000032019324000123/aapl-20240928.htm", "000032019323000106/aapl-20230930.htm",
     "C2-CAPTURE-OTHER-ADDRESS"),
    ("sources.csv", "for the fiscal year ended January 28, 2024\",NVIDIA Corporation,2024-02-21",
     "for the fiscal year ended January 28, 2024\",NVIDIA Corporation,2023-02-21", "C2-PUBLISHED-EARLY"),
    ("facts.csv", "Diluted earnings per share 6.13 USD per share 2022-09-25/2023-09-30,million",
     "Diluted earnings per share 6.13 USD per share 2022-09-25/2023-09-30,billion", "C2-PLACE-WRONG"),
    ("facts.csv", "aapl.eps_diluted.fy2023,aapl,eps_diluted,aapl-10-k-fy2024,6.13,FY2023,primary,6.13,0",
     "aapl.eps_diluted.fy2023,aapl,eps_diluted,aapl-10-k-fy2024,6.13,FY2023,primary,6130000,6", "C2-UNIT-SCALE"),
    ("cells.csv", "aapl,gross_margin,precise,single,44.131,,,,,,,,ana,ben",
     "aapl,gross_margin,precise,single,44.131,,,,,,,,ana,Ana@example.org", "C1-REVIEWER-IS-ANNOTATOR"),
    ("cells.csv", "aapl,gross_margin,precise,single,44.131,,,,,,,,ana,ben",
     "aapl,gross_margin,precise,single,44.131,,,,,,,,ana,TBD", "C1-PLACEHOLDER"),
    ("task.yaml", "aliases: [Alphabet, Google]", "aliases: [Alphabet, Apple]", "C1-ENTITY-CONFUSED"),
    ("task.yaml", "ask: Provision for income tax as a percentage of income before income tax, to one decimal.",
     "ask: Provision for income tax as a percentage of income before income tax.", "C5-ASK-DECIMALS"),
    ("task.yaml", "ask: Provision for income tax as", "ask: Provision for income tax in fiscal 2019 as",
     "C5-ASK-PERIOD"),
    ("task.yaml", 'expr: "revenue / revenue[-1] - 1"', 'expr: "1 - revenue / revenue[-1]"', "C3-CHANGE-REVERSED"),
    ("task.yaml", "as_of: 2025-03-31", "as_of: 2052-03-31", "C1-DATE-UNLIKELY"),
)  # fmt: skip


def _told(here: Run, workshop: Workshop) -> Counter[str]:
    done = here("audit", TASK, "--format", "json", cwd=workshop.root)
    return Counter(finding["rule"] for finding in done.json["tasks"][0]["findings"])


def test_the_shipped_task_is_told_its_eleven_stand_ins_and_nothing_else(here: Run, workshop: Workshop) -> None:
    assert _told(here, workshop) == {"C2-CAPTURE-STAND-IN": 11}


@pytest.mark.parametrize(("file", "old", "new", "rule"), SLIPS, ids=[f"{slip[3]} {slip[2][-12:]}" for slip in SLIPS])
def test_a_slip_in_a_file_is_told(here: Run, workshop: Workshop, file: str, old: str, new: str, rule: str) -> None:
    path = workshop.root / "tasks" / TASK / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert rule in _told(here, workshop)
