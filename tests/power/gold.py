"""Published gold derivations as steps of shown arithmetic: FinQA, ConvFinQA, TAT-QA and jfinqa.

Each is a list of expressions, one after the other; what does not give its own published answer is named.
Brackets are arithmetic here, also around a number: that is what a derivation says.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from cellwright.records.decimals import CONTEXT
from cellwright.records.scoring.arithmetic import evaluate
from cellwright.records.scoring.arithmetic_text import ArithmeticProblem, parse_expression

SCALES = {"": 0, "thousand": 3, "million": 6, "billion": 9, "percent": -2}
SIGNS = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "exp": "^", "greater": "-", "eq": "-"}
CALL = re.compile(r"(\w+)\(([^()]*)\)")
NUMBER = re.compile(r"-?[0-9][0-9,]*(?:\.[0-9]+)?")


@dataclass(frozen=True)
class Gold:
    """One published derivation: its steps, the last of which is the answer, and the answer that it is given."""

    name: str
    steps: tuple[tuple[str, str], ...]
    answer: str
    scale: str = ""
    ends: str = ""
    """`greater` or `eq` where the answer says whether the last step is above 0 or 0, `abs` where it is its size."""

    def value(self) -> Decimal:
        """What its own arithmetic gives. Raises ArithmeticProblem."""
        values: dict[str, Decimal] = {}
        result = Decimal(0)
        for name, text in self.steps:
            result = evaluate(parse_expression(text, tuple(values)), values)
            values[name] = result
        return abs(result) if self.ends == "abs" else result

    def gives_its_answer(self) -> bool:
        """Whether the value, rounded as the answer is, is the answer; a percentage may be written as its fraction."""
        if self.ends in ("greater", "eq"):
            holds = self.value() > 0 if self.ends == "greater" else not self.value()
            return holds is (self.answer in YES)
        try:
            stated = Decimal(NUMBER.findall(self.answer)[0].replace(",", ""))
        except (IndexError, InvalidOperation):
            return False
        exponent = stated.as_tuple().exponent
        half = Decimal((0, (5,), (exponent if isinstance(exponent, int) else 0) - 1))
        value = self.value()
        powers = {0, 2, -SCALES.get(self.scale, 0)}
        return any(abs(CONTEXT.subtract(value.scaleb(power, CONTEXT), stated)) <= half for power in powers)


YES = ("yes", "増収", "増益", "増加", "はい", "改善")


def unanswered(golds: Iterator[Gold]) -> tuple[int, list[str]]:
    """How many there are, and the names of those whose own arithmetic does not give their own answer."""
    count, named = 0, []
    for gold in golds:
        count += 1
        try:
            right = gold.gives_its_answer()
        except ArithmeticProblem:
            right = False
        if not right:
            named.append(f"{gold.name}: {'; '.join(text for _, text in gold.steps)} given as {gold.answer}")
    return count, named


def tat_qa(folder: Path) -> Iterator[Gold]:
    """The arithmetic questions of TAT-QA's development set."""
    for page in _read(folder, "tatqa_dataset_dev"):
        for item in page["questions"]:
            if item["answer_type"] == "arithmetic":
                yield Gold(item["uid"], (("answer", item["derivation"].strip()),), str(item["answer"]), item["scale"])


def conv_finqa(folder: Path) -> Iterator[Gold]:
    """The last turn of each conversation of ConvFinQA."""
    for item in _read(folder, "convfinqa_dev_pick"):
        program = item["programs"][-1]
        ends = "greater" if " > " in program else ""
        steps = [part.split(" = ", 1) for part in program.replace(" > ", " - ").split("; ")]
        yield Gold(item["id"], tuple((name.strip(), text) for name, text in steps), str(item["answer"]), ends=ends)


def finqa(folder: Path) -> Iterator[Gold]:
    """The programs of FinQA that need no table."""
    for item in _read(folder, "finqa_dev200"):
        program = item["qa"]["program"]
        if "table_" not in program:
            yield _program(item["id"], CALL.findall(program), str(item["qa"]["exe_ans"]))


def jfinqa(folder: Path) -> Iterator[Gold]:
    """The programs of jfinqa."""
    for item in _read(folder, "jfinqa_v1_pick"):
        calls = [found for text in item["qa"]["program"] for found in CALL.findall(text)]
        yield _program(item["id"], calls, item["qa"]["answer"])


def _program(name: str, calls: list[tuple[str, str]], answer: str) -> Gold:
    """`subtract(a, b), divide(#0, const_100)` as steps."""
    steps, ends = [], ""
    for place, (function, args) in enumerate(calls):
        parts = [_operand(part.strip()) for part in args.split(",")]
        ends = function if function in ("greater", "eq", "abs") else ""
        steps.append((f"s{place}", f" {SIGNS[function]} ".join(parts) if len(parts) > 1 else parts[0]))
    return Gold(name, tuple(steps), answer, ends=ends)


def _operand(text: str) -> str:
    if text.startswith("#"):
        return f"s{text[1:]}"
    if text.startswith("const_"):
        text = text.removeprefix("const_").replace("m", "-")
    return f"({text})" if text.startswith("-") else text


def _read(folder: Path, name: str) -> list[Any]:
    found: list[Any] = json.loads(gzip.decompress((folder / f"{name}.json.gz").read_bytes()), parse_float=str)
    return found
