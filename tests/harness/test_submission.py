"""A submission in JSON lines or Markdown: read, checked against the bundle, refused in one sentence."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.harness.submission import load_submission, read_submission
from cellwright.records.errors import UnreadableInput
from cellwright.records.scoring import RawAnswer, ShownStep, Unread, read_answer


def record(**changes: Any) -> dict[str, Any]:
    return {
        "task": "ev-makers-2023",
        "entity": "byd",
        "dimension": "vehicles",
        "answer": {"value": "4.27 million"},
        **changes,
    }


def lines(*records: Any) -> bytes:
    return "\n".join(item if isinstance(item, str) else json.dumps(item) for item in records).encode()


def one(bundle: Any, data: bytes, name: str = "submission.jsonl") -> Any:
    return next(iter(read_submission(data, bundle, name).cells.values()))


def test_a_line_gives_its_cell_with_every_field(bundle: Any) -> None:
    answer = {"type": "precise", "value": 4270000, "unit": "vehicle", "low": None, "high": None, "confidence": 0.9,
              "method": "count", "reason": ""}  # fmt: skip
    cell = one(bundle, lines(record(answer=answer, derivation="as reported", sources=["https://a.example"])))
    assert cell.answer == RawAnswer("precise", "4270000", "vehicle", confidence="0.9", method="count")
    assert (cell.derivation, cell.sources, cell.line) == ("as reported", ("https://a.example",), 1)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ('"28,479"', "28,479"), ('"CNY 28.5k"', "CNY 28.5k"), ("28479.10", "28479.10"), ("2.8479e4", "28479"),
        ("0.1", "0.1"), ("-7", "-7"), ("12345678901234567890.123456789", "12345678901234567890.123456789"),
        ("null", ""), ("true", "yes"), ("false", "no"), ("0", "0"), ('"\\ud800"', "?"),
    ],
)  # fmt: skip
def test_a_value_keeps_every_digit_it_was_written_with(bundle: Any, value: str, text: str) -> None:
    line = json.dumps(record()).replace('"4.27 million"', value)
    assert one(bundle, line.encode()).answer.value == text


def test_an_answer_may_be_its_bare_words(bundle: Any) -> None:
    assert one(bundle, lines(record(answer="4.27 million"))).answer == RawAnswer(value="4.27 million")


def test_a_derivation_may_be_text_a_list_of_text_or_a_list_of_steps(bundle: Any) -> None:
    assert one(bundle, lines(record(derivation=["a", "b"]))).derivation == "a\nb"
    steps = [{"id": "answer", "expr": "a / b", "value": 3, "unit": "CNY"}, {"expr": "1 + 1"}]
    assert one(bundle, lines(record(derivation=steps))).derivation == (
        ShownStep("answer", "a / b", "3", "CNY"), ShownStep(expr="1 + 1"))  # fmt: skip


def test_blank_lines_a_byte_order_mark_and_own_keys_are_passed_over(bundle: Any) -> None:
    data = b"\xef\xbb\xbf\n" + lines(record(x_trace="…")) + b"\r\n\n"
    assert one(bundle, data).line == 2


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "submission.jsonl: the submission is empty"),
        (b"\xff\xfea\x00", "the submission is UTF-16"),
        (b"\n\n\xc3\x28", "submission.jsonl:3: the submission is not UTF-8"),
        (b"not json", "submission.jsonl:1: the line is not JSON"),
        (b"[1, 2]", "submission.jsonl:1: the line is no JSON object"),
        (b'{"a": ' * 200_000, "submission.jsonl:1: a line of more than 1000000 characters"),
        (b"[" * 100_000, "submission.jsonl:1: JSON that is nested too deeply"),
        (b'"' + b"x" * 10_000_000 + b'"', "submission.jsonl:1: a line of more than 1000000 characters"),
        (lines(record()).replace(b"4.27 million", b"4.27\x01"), "submission.jsonl:1: the line is not JSON"),
        (lines(record(task=None)), "`task` is missing"),
        (lines(record(entity="")), "`entity` is missing"),
        (lines(record(dimension=3)), "`dimension` is missing"),
        (b'{"task": "a", "task": "b"}', "the key `task` stands twice in one object"),
        (lines(record(task="ev-makers")), "the task is not in the bundle; seen 'ev-makers'"),
        (lines(record(entity="bydd")), "the entity is not in the bundle; seen 'bydd', expected one of byd, nio; did"),
        (lines(record(dimension="vehicle")), "the dimension is not in the bundle.*did you mean `vehicles`"),
    ],
)  # fmt: skip
def test_a_bad_line_ends_in_one_sentence_with_its_number(bundle: Any, data: bytes, says: str) -> None:
    with pytest.raises(UnreadableInput, match=says) as caught:
        read_submission(data, bundle, "submission.jsonl")
    assert all(len(problem.sentence()) < 1_000 for problem in caught.value.problems)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (lines(record()).replace(b'"4.27 million"', b"NaN"), "`answer.value` is a number out of bounds; seen 'NaN'"),
        (lines(record()).replace(b'"4.27 million"', b"-Infinity"), "`answer.value` is a number out of bounds"),
        (lines(record()).replace(b'"4.27 million"', b"1e999999999"), "`answer.value` is a number out of bounds"),
        (lines(record()).replace(b'"4.27 million"', b"9" * 500), "`answer.value` is a number out of bounds"),
        (lines(record()).replace(b'"4.27 million"', b"[1]"), "`answer.value` is neither text nor a number"),
        (lines(record(answer=[1])), "`answer` is no object"),
        (lines(record(answer={"vaule": 1})), "the key `vaule` is unknown.*did you mean `value`"),
        (lines(record(anwser={})), "the key `anwser` is unknown.*did you mean `answer`"),
        (lines(record(derivation={})), "`derivation` is neither text nor a list of steps"),
        (lines(record(derivation=[True])), "a step of `derivation` is no object"),
        (lines(record(derivation=[{"formula": "1"}])), "the key `formula` is unknown"),
        (lines(record(sources=[True])), "`sources` is no list of addresses"),
        (lines(record(answer="2")).replace(b'"2"', b"NaN"), "`answer` is a number out of bounds"),
        (b'{"task": "ev-makers-2023", "entity": "byd", "dimension": "vehicles", "answer": "1", "answer": "2"}',
         "the key `answer` stands twice"),
    ],
)  # fmt: skip
def test_an_answer_that_is_not_of_the_form_leaves_its_cell_unparsed_and_the_others_read(
    bundle: Any, data: bytes, says: str
) -> None:
    found = read_submission(data + b"\n" + lines(record(entity="nio")), bundle, "submission.jsonl").cells
    broken, whole = (found["ev-makers-2023", entity, "vehicles"] for entity in ("byd", "nio"))
    unread = read_answer(broken.answer, "vehicle")
    assert isinstance(unread, Unread)
    assert unread.outcome == "unparsed"
    assert re.search(says, unread.why)
    assert whole.answer == RawAnswer(value="4.27 million")


def test_a_number_that_no_answer_rests_on_may_be_unreadable(bundle: Any) -> None:
    data = lines(record(answer={"value": 5, "confidence": 0.9}, derivation=[{"expr": "1 + 4", "value": 5}]))
    cell = one(bundle, data.replace(b"0.9", b"NaN").replace(b'"value": 5}]', b'"value": Infinity}]'))
    assert (cell.answer.value, cell.answer.confidence, cell.answer.unreadable) == ("5", "NaN", "")
    assert cell.derivation == (ShownStep(expr="1 + 4", value="Infinity"),)


def test_two_lines_of_one_cell_are_told_with_both_numbers(bundle: Any) -> None:
    with pytest.raises(UnreadableInput, match="is answered twice; seen 'lines 1 and 3'"):
        read_submission(lines(record(), record(entity="nio"), record()), bundle, "submission.jsonl")


def test_every_unknown_cell_is_told_up_to_a_bound(bundle: Any) -> None:
    with pytest.raises(UnreadableInput) as caught:
        read_submission(lines(*(record(entity=f"x{index}") for index in range(80))), bundle, "submission.jsonl")
    assert len(caught.value.problems) == 50


def test_a_missing_file_is_told(bundle: Any, tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput, match=r"answers\.jsonl: the file is missing"):
        load_submission(tmp_path / "answers.jsonl", bundle)


@given(st.binary(max_size=300))
def test_no_bytes_break_the_reader(bundle: Any, data: bytes) -> None:
    for name in ("a.jsonl", "a.md", "a"):
        try:
            found = read_submission(data, bundle, name)
        except UnreadableInput as error:
            told = str(error)
        else:
            told = str(len(found.cells))
        assert told


MARKDOWN = """\
# My report

Some words before. Answer: 7

### byd / vehicles
Answer: **4.27 million**
Unit: vehicles
Confidence: 0.9
Derivation: as reported
Sources: https://a.example/report
- https://b.example/report

### byd / gross_profit_per_vehicle
- **Answer:** CNY 28,479
- **Unit**: CNY/vehicle
- **Derivation:**
```
602 billion × 20.2% = 121.6 billion
121.6 / 4.27 = 28.48
```

## Notes
Answer: 9
"""


def test_markdown_sections_give_their_cells_with_every_field(bundle: Any) -> None:
    first, second = read_submission(MARKDOWN.encode(), bundle, "answers.md").cells.values()
    assert first.key == ("ev-makers-2023", "byd", "vehicles")
    assert first.answer == RawAnswer(value="**4.27 million**", unit="vehicles", confidence="0.9")
    assert first.sources == ("https://a.example/report", "https://b.example/report")
    assert second.answer == RawAnswer(value="CNY 28,479", unit="CNY/vehicle")
    assert second.derivation == "602 billion × 20.2% = 121.6 billion\n121.6 / 4.27 = 28.48"


@pytest.mark.parametrize(
    "heading",
    ["### byd / vehicles", "## byd/vehicles", "#### `byd` / `vehicles`", "### **byd / vehicles**", "**byd / vehicles**",
     "### byd / vehicles ###", "###  byd  /  vehicles:", "### `byd / vehicles`"],
)  # fmt: skip
def test_headings_are_read_as_models_write_them(bundle: Any, heading: str) -> None:
    assert one(bundle, f"{heading}\nAnswer: 5".encode(), "a.md").key == ("ev-makers-2023", "byd", "vehicles")


@pytest.mark.parametrize(
    "line", ["Answer: 5", "answer: 5", "**Answer:** 5", "**Answer**: 5", "- Answer: 5", "* **Answer:** 5", "  Answer:5",
             "Final answer: 5", "Answer： 5", "_Answer:_ 5"],
)  # fmt: skip
def test_fields_are_read_as_models_write_them(bundle: Any, line: str) -> None:
    assert one(bundle, f"### byd / vehicles\n{line}".encode(), "a.md").answer.value == "5"


def test_the_final_answer_and_the_final_section_of_a_cell_count(bundle: Any) -> None:
    twice = "### byd / vehicles\nAnswer: 4\nAnswer: 5\n\n### byd / vehicles\nAnswer: 6\nUnit: vehicles\n\n"
    cell = one(bundle, twice.encode(), "a.md")
    assert (cell.answer.value, cell.answer.unit, cell.line) == ("6", "vehicles", 5)


def test_a_range_field_stands_for_a_missing_answer(bundle: Any) -> None:
    text = "### byd / stressed_margin\nRange: 10.2% to 20.2%\nMethod: scenario"
    assert one(bundle, text.encode(), "a.md").answer == RawAnswer(value="10.2% to 20.2%", method="scenario")


def test_a_task_line_names_the_task_of_the_sections_below_it(bundle: Any) -> None:
    text = "Task: other-task\n\n### byd / vehicles\nAnswer: 5"
    with pytest.raises(UnreadableInput, match=r"a\.md:3: the task is not in the bundle; seen 'other-task'"):
        read_submission(text.encode(), bundle, "a.md")


@pytest.mark.parametrize("text", ["# Nothing here", "### BYD / vehicles\nAnswer: 5", "Answer: 5"])
def test_markdown_without_a_cell_is_told(bundle: Any, text: str) -> None:
    with pytest.raises(UnreadableInput, match="no cell is answered"):
        read_submission(text.encode(), bundle, "a.md")


def test_a_section_of_an_unknown_cell_is_told_with_its_line(bundle: Any) -> None:
    with pytest.raises(UnreadableInput, match=r"a\.md:1: the dimension is not in the bundle; seen 'price'"):
        read_submission(b"### byd / price\nAnswer: 5", bundle, "a.md")


@pytest.mark.parametrize(
    "text",
    ["### byd / vehicles\nAnswer: " + "9" * 100_001, "x" * 10_000_000, "\n" * 500_001],
)  # fmt: skip
def test_markdown_beyond_its_bounds_is_told(bundle: Any, text: str) -> None:
    with pytest.raises(UnreadableInput):
        read_submission(text.encode(), bundle, "a.md")


@pytest.mark.parametrize("filler", ["# " + " " * 90_000, "- " + "\t" * 90_000, "```" + " " * 90_000 + "x", "*" * 90_000,
                                    "Answer" + " " * 90_000, "`" * 90_000, "Task: " + "*" * 90_000])  # fmt: skip
def test_long_lines_of_marks_are_read_in_linear_time(bundle: Any, filler: str) -> None:
    text = "### byd / vehicles\nAnswer: 5\n" + f"{filler}\n" * 5 + "### nio / vehicles\nAnswer: 6\n"
    assert read_submission(text.encode(), bundle, "a.md").cells.keys() >= {("ev-makers-2023", "nio", "vehicles")}


def test_the_form_is_told_by_the_name_or_the_first_character(bundle: Any) -> None:
    assert one(bundle, lines(record()), "answers").answer.value == "4.27 million"
    assert one(bundle, b"### byd / vehicles\nAnswer: 5", "answers.txt").answer.value == "5"
