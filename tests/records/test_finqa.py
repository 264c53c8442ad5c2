"""The 200 published programs of FinQA's development set, replayed as derivations to their executed answers.

The programs call `add(a, b), divide(#0, const_100)` on numbers of a filing's page, on `#k`, the k-th result,
on named constants and on rows of its table. Numbers become facts as they are printed, constants assumptions,
each call a step.
"""

from __future__ import annotations

import gzip
import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

from cellwright.records.derivations import CellResult, Evaluator
from cellwright.records.rows import Fact
from tests.records.derivation_task import dimension, fact, task

SIGNS = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "exp": "**", "greater": ">"}
TABLE = {"table_sum": "sum", "table_average": "mean", "table_max": "max", "table_min": "min"}
CALL = re.compile(r"(\w+)\(([^()]*)\)")


class Translation:
    """One program as facts, assumptions and steps."""

    def __init__(self, program: str, table: list[list[str]]) -> None:
        self.facts: list[Fact] = []
        self.constants: dict[str, str] = {}
        self.table = table
        self.steps = [
            self.step(name, [part.strip() for part in args.split(", ")]) for name, args in CALL.findall(program)
        ]

    def step(self, name: str, args: list[str]) -> str:
        if name in TABLE:
            return f"{TABLE[name]}({self.row(args[0])}.*)"
        left, right = (self.operand(text) for text in args)
        return f"{left} {SIGNS[name]} {right}"

    def operand(self, text: str) -> str:
        if text.startswith("#"):
            return f"s{text[1:]}"
        if text.startswith("const_"):
            self.constants[text] = text.removeprefix("const_").replace("m", "-")
            return text
        return self.number(f"n{len(self.facts)}", text)

    def number(self, name: str, text: str) -> str:
        self.facts.append(fact(name, text, unit="percent" if text.endswith("%") else "count"))
        return name

    def row(self, label: str) -> str:
        cells = next(row[1:] for row in self.table if row[0] == label)
        head = f"row{len(self.facts)}"
        for index, cell in enumerate(cells):  # "$ -8683 ( 8683 )": the number is printed a second time in brackets
            self.number(f"{head}.c{index}", cell.split("(")[0].replace("$", "").strip())
        return head

    def evaluate(self) -> CellResult:
        named = [f"s{index}: {expr}" for index, expr in enumerate(self.steps[:-1])]
        assumptions = [
            {"id": name, "value": value, "unit": "count", "reason": "a constant of the program"}
            for name, value in self.constants.items()
        ]
        made = task(dimension("d", *named, f"answer: {self.steps[-1]}"), entities="a", assumptions=assumptions)
        return Evaluator(made, self.facts).cell("a", "d")


def executed(answer: Any) -> Decimal:
    return {"yes": Decimal(1), "no": Decimal(0)}.get(answer) if isinstance(answer, str) else Decimal(str(answer))


def test_all_200_programs_replay_to_their_executed_answers(shared_data: Path) -> None:
    questions = json.loads(gzip.decompress((shared_data / "qa_derivations/finqa_dev200.json.gz").read_bytes()))
    wrong = []
    for question in questions:
        found = Translation(question["qa"]["program"], question["table"]).evaluate()
        assert found.value is not None
        if found.value.quantize(Decimal("1e-5")) != executed(question["qa"]["exe_ans"]):
            wrong.append((question["id"], question["qa"]["program"], str(found.value), question["qa"]["exe_ans"]))
    assert wrong == []
    assert len(questions) == 200


def test_every_answer_lies_in_its_interval(shared_data: Path) -> None:
    questions = json.loads(gzip.decompress((shared_data / "qa_derivations/finqa_dev200.json.gz").read_bytes()))
    for question in questions:
        found = Translation(question["qa"]["program"], question["table"]).evaluate()
        assert found.interval is None or found.interval[0] <= found.value <= found.interval[1], question["id"]
