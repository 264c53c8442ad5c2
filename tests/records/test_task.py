"""task.yaml as records."""

from __future__ import annotations

import pytest

from cellwright.records.errors import UnreadableInput
from cellwright.records.task_reading import read_task
from cellwright.records.yaml_text import read_yaml

TASK = """\
schema: 1
id: ev
title: t
domain: technology
as_of: 2024-06-30
question: q
entities:
  - {id: no, name: "NO", currency: NOK}
  - {id: nio, name: NIO}
periods:
  FY2023: {default: 2023-01-01/2023-12-31, nio: 2023-02-01/2024-01-31}
assumptions:
  - {id: cut, value: 0.1, unit: percent, reason: given}
dimensions:
  - id: margin
    name: m
    ask: a
    family: derivation
    unit: percent
    period: FY2023
    answer_type: precise
    steps:
      - {id: answer, expr: "profit / revenue"}
    overrides:
      nio: {answer_type: not_available}
"""


def test_scalars_stay_the_text_that_was_typed() -> None:
    raw, lines = read_yaml(b"a: NO\nb: 12:30\nc: 0.10\nd: 1e3\ne: ~\n", "t.yaml")
    assert raw == {"a": "NO", "b": "12:30", "c": "0.10", "d": "1e3", "e": "~"}
    assert lines[("c",)] == 3


def test_an_override_applies_to_its_entity_only() -> None:
    task = read_task(TASK.encode(), "task.yaml")
    assert task.cell("nio", "margin").answer_type == "not_available"
    assert task.cell("no", "margin").answer_type == "precise"
    assert str(task.calendar.period("FY2023", "nio")) == "2023-02-01/2024-01-31"
    assert task.place_of("margin", "answer_type", entity="nio").line == 25


CASES = {
    "unknown key": (("currency: NOK", "curency: NOK"), r"task\.yaml:8 .*`curency` is unknown.*did you mean `currency`"),
    "comma not quoted": (("name: NIO", "name: NIO, Inc."), "must be quoted"),
    "missing key": (("title: t\n", ""), "`title` is missing"),
    "repeated entity": (("id: nio, name", "id: no, name"), "`no` stands twice"),
    "repeated key": (("title: t\n", "title: t\ntitle: u\n"), "`title` stands twice"),
    "override of nobody": (("      nio: {answer", "      byd: {answer"), "entity `byd` is not there"),
    "period of nobody": (("nio: 2023-02-01", "byd: 2023-02-01"), "entity `byd` is not there"),
    "period without dates": (("default: 2023-01-01/2023-12-31", "default: the year"), "YYYY-MM-DD"),
    "period backwards": (("2023-01-01/2023-12-31", "2023-12-31/2023-01-01"), "first day that is not after"),
    "family": (("family: derivation", "family: magic"), "'retrieval', 'derivation'"),
    "schema of the future": (("schema: 1", "schema: 2"), "schema"),
    "expression of 10 MB": (("profit / revenue", "1 + " * 2_600_000), "too large"),
    "expression too long": (("profit / revenue", "x + " * 600), "2000"),
    "assumption twice": (("value: 0.1", "value: 0.1, values: {no: 1}"), "either `value` or `values`"),
    "id with a capital": (("id: margin", "id: Margin"), "small letters"),
    "id turned into a date": (("id: margin", "id: 1-Mar"), "a spreadsheet has turned this id into a date"),
    "not YAML": (("title: t", "title: [t"), "not YAML"),
    "a tag": (("title: t", "title: !!python/object:os.system t"), "tag"),
    "an alias": (("title: t", "title: &a t"), "anchor"),
    "a list": ((TASK, "- a\n- b\n"), "not a task"),
}


@pytest.mark.parametrize("name", sorted(CASES))
def test_a_fault_in_task_yaml_is_told_with_its_line(name: str) -> None:
    (old, new), words = CASES[name]
    with pytest.raises(UnreadableInput, match=words) as raised:
        read_task(TASK.replace(old, new).encode(), "task.yaml")
    assert "task.yaml" in raised.value.problems[0].sentence()
    assert len(raised.value.problems[0].sentence()) < 600


@pytest.mark.parametrize("data", [b"", b"\xff\xfea\x00", b"a: " + b"[" * 100_000, b"a: &x 1\nb: *x\n"])
def test_hostile_yaml_ends_in_a_sentence(data: bytes) -> None:
    with pytest.raises(UnreadableInput, match=r"t\.yaml"):
        read_yaml(data, "t.yaml")
