"""The prompt of a task: everything an agent needs to know, and nothing sealed."""

from __future__ import annotations

import json

import pytest

from cellwright.records.bundle import Rows
from cellwright.records.errors import UnreadableInput
from cellwright.records.prompt import ANSWER_FIELDS, task_prompt


def tables() -> dict[str, Rows]:
    def cell(entity: str, **changes: str) -> dict[str, str]:
        return {
            "task": "t",
            "entity": entity,
            "dimension": "margin",
            "ask": "Gross margin.",
            "unit": "percent",
            "period": "FY2023",
            "period_start": "2023-01-01",
            "period_end": "2023-12-31",
            "answer_type": "precise",
            "value": "44.131",
            **dict.fromkeys(("rule", "inputs", "method", "reason_code"), "SEALED"),
            **changes,
        }

    return {
        "tasks": [
            {
                "task": "t",
                "title": "Margins | growth",
                "as_of": "2024-06-30",
                "question": "Which\nmargin?",
                "assumptions": json.dumps(
                    [
                        {"id": "cut", "value": "10", "unit": "percent", "reason": "scenario"},
                        {"id": "rate", "values": {"b": "2", "a": "1"}, "unit": "", "reason": ""},
                    ]
                ),
            }
        ],
        "entities": [
            {
                "task": "t",
                "entity": name,
                "position": position,
                "name": f"{name} | Inc.",
                "aliases": '["x"]',
                "identifiers": '{"ticker": "TT"}',
                "currency": "USD",
            }
            for name, position in (("b", "2"), ("a", "1"))
        ],
        "dimensions": [
            {
                "task": "t",
                "dimension": "margin",
                "position": "1",
                "name": "Margin",
                "ask": "Gross margin.",
                "unit": "percent",
                "period": "FY2023",
                "family": "derivation",
                "answer_type": "precise",
            }
        ],
        "cells": [
            cell("a"),
            cell("b", period_start="2022-09-25", period_end="2023-09-30", ask="Gross margin as restated."),
        ],
        "facts": [{"quote": "SEALED"}],
    }


def test_a_prompt_holds_entities_dimensions_units_dates_assumptions_and_the_form() -> None:
    prompt = task_prompt(tables(), "t")
    for words in (
        "Which margin?", "published on or before 2024-06-30", "| a | a \\| Inc. | x | ticker TT | USD |",
        "### margin: Margin", "Gross margin.", "Unit: percent; period: FY2023.",
        "For b, the question is: Gross margin as restated.",
        "- FY2023: a 2023-01-01 to 2023-12-31; b 2022-09-25 to 2023-09-30",
        "- cut: 10 percent (scenario)", "- rate: a 1; b 2", "Task: t", "### entity_id / dimension_id",
    ):  # fmt: skip
        assert words in prompt
    assert all(f"\n{field}:" in prompt for field in ANSWER_FIELDS)


def test_a_prompt_holds_nothing_sealed() -> None:
    prompt = task_prompt(tables(), "t")
    for words in ("SEALED", "44.1", "derivation\n", "precise"):
        assert words not in prompt


def test_entities_stand_in_their_order_and_equal_tables_give_equal_text() -> None:
    prompt = task_prompt(tables(), "t")
    assert prompt.index("| a |") < prompt.index("| b |")
    assert prompt == task_prompt(tables(), "t")


def test_an_unknown_task_is_told() -> None:
    with pytest.raises(UnreadableInput, match="the task `u` is not in the bundle"):
        task_prompt(tables(), "u")
