"""A public layout that a stranger sent: strict in what is known, tolerant in what is not, and bounded."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from cellwright.harness import public_files
from cellwright.harness.public_files import read_layout
from cellwright.harness.public_import import MARK, import_files, write_import
from cellwright.records.errors import UnreadableInput

CASES = ["01_ai_labs", "02_chips"]
MODELS = {"claude-opus-4-7": ["31.5", None], "deepseek__deepseek-v4-flash": ["27.731927", "40"]}
Tables = dict[str, Any]
Change = Callable[[Tables], object]


def foreign() -> Tables:
    """A layout as others write it: no cells, no status, keys of their own, averages rounded to six decimals."""
    pairs = [
        (model, case, score) for model, scores in MODELS.items() for case, score in zip(CASES, scores, strict=True)
    ]
    names = [{"id": f"{model}::{case}", "model": model, "case_id": case} for model, case, _ in pairs]
    scores = [None if score is None else float(score) for _, _, score in pairs]
    return {
        "cases": [{"case_id": case, "question": ["anything"], "pipeline": {"version": 2}} for case in CASES],
        "model_results": [
            {**name, "overall_pct": score, "wall_seconds": 12.5} for name, score in zip(names, scores, strict=True)
        ],
        "model_answers": [
            {**name, "answer": None if score is None else f"# Report\n\nIt is {score}."}
            for name, score in zip(names, scores, strict=True)
        ],
        "score_details": [{**name, "rationales": {"a": "…"}} for name in names],
        "summary": {
            "dataset_id": "someone/some-bench",
            "dataset_url": "https://a.example/some-bench",
            "code_url": None,
            "exported_at": "2026-05-07T01:56:46.809439+00:00",
            "n_cases": 2,
            "n_models": 2,
            "n_model_case_pairs": 4,
            "n_scored": 3,
            "n_model_answer_records": 4,
            "n_model_answers_with_text": 3,
            "n_score_detail_records": 4,
            "by_model": {
                "claude-opus-4-7": {"scored": 1, "expected": 2, "avg_overall_pct": 31.5, "pass_count": 1},
                "deepseek__deepseek-v4-flash": {
                    "scored": 2,
                    "expected": 2,
                    "avg_overall_pct": 33.865964,
                    "pass_count": 1,
                },
            },
        },
    }


def write(folder: Path, tables: Tables) -> Path:
    (folder / "data").mkdir(parents=True, exist_ok=True)
    for name, rows in tables.items():
        if name == "summary":
            (folder / "data/summary.json").write_text(json.dumps(rows), encoding="utf-8")
        else:
            text = "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows)
            (folder / f"data/{name}.jsonl").write_text(text, encoding="utf-8")
    return folder


def refusal(folder: Path) -> str:
    with pytest.raises(UnreadableInput) as caught:
        read_layout(folder)
    return str(caught.value)


def test_a_layout_from_elsewhere_is_read_and_its_own_keys_are_told(tmp_path: Path) -> None:
    read = read_layout(write(tmp_path, foreign()))
    assert [item.overall_pct for item in read.layout.results] == [
        Decimal("31.5"),
        None,
        Decimal("27.731927"),
        Decimal("40.0"),
    ]
    assert read.unknown == {
        "data/cases.jsonl": {"pipeline": 2},
        "data/model_results.jsonl": {"wall_seconds": 4},
        "data/score_details.jsonl": {"rationales": 4},
    }


def test_scores_without_cells_come_as_percentages_and_words_as_they_were_written(tmp_path: Path) -> None:
    files = import_files(read_layout(write(tmp_path, foreign())))
    assert sorted(files) == [
        "layout.json",
        "runs/claude-opus-4-7/answers/01_ai_labs.md",
        "runs/claude-opus-4-7/overall.jsonl",
        "runs/deepseek__deepseek-v4-flash/answers/01_ai_labs.md",
        "runs/deepseek__deepseek-v4-flash/answers/02_chips.md",
        "runs/deepseek__deepseek-v4-flash/overall.jsonl",
    ]
    assert files["runs/claude-opus-4-7/answers/01_ai_labs.md"] == b"# Report\n\nIt is 31.5."
    assert files["runs/claude-opus-4-7/overall.jsonl"].decode().splitlines() == [
        '{"case_id":"01_ai_labs","overall_pct":31.5,"passed":null}',
        '{"case_id":"02_chips","overall_pct":null,"passed":null}',
    ]


def test_the_answers_may_stand_under_a_key_that_is_named_and_ids_may_be_left_out(tmp_path: Path) -> None:
    tables = foreign()
    for row in tables["model_answers"]:
        row["report"] = row.pop("answer")
    for row in [*tables["model_answers"], *tables["model_results"]]:
        del row["id"]
    folder = write(tmp_path, tables)
    assert "`answer` is missing; name the key that holds the text with `--answer-key`" in refusal(folder)
    read = read_layout(folder, answer_key="report")
    assert read.layout.answers[0].answer == "# Report\n\nIt is 31.5."
    assert "data/model_answers.jsonl" not in read.unknown


def test_what_a_stranger_names_cannot_begin_a_line_of_its_own(tmp_path: Path) -> None:
    tables = foreign()
    tables["summary"]["by_model"]["a\nerror: b"] = {}
    assert "\nerror" not in refusal(write(tmp_path, tables))
    tables = foreign()
    tables["model_results"][0]["id"] = "x\nerror: y"
    assert "\nerror" not in refusal(write(tmp_path, tables))
    tables = foreign()
    tables["model_results"][0] = '{"a\\nerror: b": 1, "a\\nerror: b": 2}'
    assert "\nerror" not in refusal(write(tmp_path, tables))


@pytest.mark.parametrize(
    ("where", "change", "told"),
    [
        ("model_results", {"overall_pct": "31.5"}, "model_results.jsonl:1 (`overall_pct`)"),
        ("model_results", {"overall_pct": True}, "a JSON number, not text"),
        ("model_results", {"overall_pct": 100.5}, "less than or equal to 100"),
        ("model_results", {"overall_pct": -1}, "greater than or equal to 0"),
        ("model_results", {"status": "won"}, "(`status`)"),
        ("model_results", {"passed": "yes"}, "(`passed`)"),
        ("model_results", {"passed": False, "pass_pct": 20}, "`passed` is not what the percentage says"),
        ("model_results", {"status": "scored"}, "a run that is scored has no cells"),
        ("model_results", {"id": "claude-opus-4-7::02_chips"}, "the id is not the model's and the case's"),
        ("model_results", {"case_id": "03_none"}, "the case is not in data/cases.jsonl"),
        ("model_results", {"case_id": "../../etc"}, "(`case_id`)"),
        ("model_results", {"model": "../x"}, "(`model`)"),
        ("model_results", {"model": "a::b"}, "(`model`)"),
        ("model_results", {"model": ""}, "(`model`)"),
        ("model_results", {"model": "m" * 200}, "(`model`)"),
        ("model_results", {"model": "сlaude"}, "(`model`)"),  # A Cyrillic letter that looks like a Latin one.
        ("model_results", {"model": "CLAUDE-opus-4-7", "id": "CLAUDE-opus-4-7::01_ai_labs"}, "by capitals alone"),
        ("model_answers", {"answer": 7}, "(`answer`)"),
        ("model_answers", {"answer": "x" * 4_000_001}, "at most 4000000 characters"),
        ("score_details", {"cells": {}}, "(`cells`)"),
        ("score_details", {"cells": [{}]}, "`cells.0.entity` is missing"),
        ("score_details", {"cells": [[]] * 10_001}, "(`cells`)"),
        ("cases", {"case_id": 7}, "cases.jsonl:1 (`case_id`)"),
        ("cases", {"case_id": "02_chips"}, "the case stands twice"),
        ("cases", {"case_id": "02_CHIPS"}, "two cases differ by capitals alone"),
    ],
)
def test_what_a_known_key_must_not_hold_is_told_with_its_line(
    where: str, change: dict[str, Any], told: str, tmp_path: Path
) -> None:
    tables = foreign()
    tables[where][0] |= change
    assert told in refusal(write(tmp_path, tables))


@pytest.mark.parametrize(
    ("where", "line", "told"),
    [
        ("model_results", '{"overall_pct": NaN}', "NaN is no number of JSON"),
        ("model_results", '{"id": "a", "id": "b"}', "the key `id` stands twice"),
        ("model_results", "[" * 50_000, "nested too deeply"),
        ("model_results", "[]", "the line is no JSON object"),
        ("model_results", "null", "the line is no JSON object"),
        ("model_results", "", "not JSON"),
        ("model_answers", '{"answer": "\\ud800"}', "half of a surrogate pair"),
        ("model_answers", '{"overall_pct": ' + "9" * 5000 + "}", "more than 100 characters"),
        ("score_details", "=HYPERLINK(1)", "not JSON"),
        ("cases", "{}", "`case_id` is missing"),
    ],
)
def test_a_line_that_is_no_record_is_told_with_its_number(where: str, line: str, told: str, tmp_path: Path) -> None:
    tables = foreign()
    tables[where].insert(0, line)
    said = refusal(write(tmp_path, tables))
    assert told in said
    assert f"data/{where}.jsonl:1" in said


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("n_cases", 3),
        ("n_models", 1),
        ("n_model_case_pairs", 3),
        ("n_scored", 4),
        ("n_model_answer_records", 5),
        ("n_model_answers_with_text", 4),
        ("n_score_detail_records", 0),
    ],
)
def test_a_count_of_the_summary_that_does_not_add_up_is_told(key: str, value: int, tmp_path: Path) -> None:
    tables = foreign()
    tables["summary"][key] = value
    said = refusal(write(tmp_path, tables))
    assert f"data/summary.json (`{key}`): the summary does not add up; seen '{value}'" in said


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("scored", 1, "by_model.deepseek__deepseek-v4-flash.scored"),
        ("expected", 4, "by_model.deepseek__deepseek-v4-flash.expected"),
        ("avg_overall_pct", 33.86597, "by_model.deepseek__deepseek-v4-flash.avg_overall_pct"),
        ("avg_overall_pct", None, "seen 'null'"),
        ("avg_overall_pct", "33.865964", "a JSON number, not text"),
        ("pass_count", 1.5, "pass_count"),
        ("pass_count", -1, "pass_count"),
    ],
)
def test_a_model_s_line_of_the_summary_that_does_not_add_up_is_told(
    key: str, value: Any, told: str, tmp_path: Path
) -> None:
    tables = foreign()
    tables["summary"]["by_model"]["deepseek__deepseek-v4-flash"][key] = value
    assert told in refusal(write(tmp_path, tables))


def test_the_passed_are_counted_where_every_line_says_who_passed(tmp_path: Path) -> None:
    tables = foreign()
    for row in tables["model_results"]:
        row |= {"passed": None if row["overall_pct"] is None else True, "pass_pct": 20}
    said = refusal(write(tmp_path, tables))
    assert "by_model.deepseek__deepseek-v4-flash.pass_count" in said
    assert "claude" not in said


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda t: t["model_results"].append(t["model_results"][0]), "the pair stands twice"),
        (lambda t: t["model_answers"].pop(), "model_answers.jsonl: a pair has no line"),
        (lambda t: t["score_details"].pop(), "score_details.jsonl: a pair has no line"),
        (lambda t: t["model_results"].pop(), "the pair is not in data/model_results.jsonl"),
        (lambda t: t["cases"].append({"case_id": "03_new"}), "nothing of claude-opus-4-7::03_new"),
        (lambda t: t["summary"]["by_model"].pop("claude-opus-4-7"), "the summary leaves a model out"),
        (lambda t: t["summary"]["by_model"].update(x=t["summary"]["by_model"]["claude-opus-4-7"]), "has no line in"),
        (lambda t: t["summary"].pop("by_model"), "`by_model` is missing"),
        (lambda t: t["summary"].update(n_cases="2"), "(`n_cases`)"),
        (lambda t: t["summary"].update(by_model=[]), "(`by_model`)"),
    ],
)
def test_tables_that_do_not_fit_one_another_are_told(change: Change, told: str, tmp_path: Path) -> None:
    tables = foreign()
    change(tables)
    assert told in refusal(write(tmp_path, tables))


def test_problems_are_told_together_and_no_more_than_fifty(tmp_path: Path) -> None:
    tables = foreign()
    tables["model_results"] = ["{}"] * 1000
    assert refusal(write(tmp_path, tables)).count("\n") == 49


@pytest.mark.parametrize("name", ["cases.jsonl", "model_results.jsonl", "score_details.jsonl", "summary.json"])
def test_a_file_that_is_missing_or_no_text_is_told(name: str, tmp_path: Path) -> None:
    folder = write(tmp_path, foreign())
    (folder / "data" / name).write_bytes(b"{}\n\xff\xfe")
    assert f"data/{name}:2: the file is not UTF-8" in refusal(folder)
    (folder / "data" / name).unlink()
    assert f"data/{name}: the file is missing" in refusal(folder)


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    folder = write(tmp_path / "layout", foreign())
    (folder / "data/cases.jsonl").rename(tmp_path / "cases.jsonl")
    (folder / "data/cases.jsonl").symlink_to(tmp_path / "cases.jsonl")
    assert "data/cases.jsonl: the file leads out of its folder" in refusal(folder)


def test_a_file_of_too_many_lines_or_bytes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = foreign()
    tables["cases"] = [{"case_id": f"c{n}"} for n in range(10_001)]
    assert "data/cases.jsonl: the file has more than 10000 lines" in refusal(write(tmp_path, tables))
    monkeypatch.setattr(public_files, "MAX_FILE", 1000)
    assert "data/cases.jsonl" in refusal(tmp_path)


def test_a_folder_that_is_no_layout_is_told_what_is_expected(tmp_path: Path) -> None:
    assert "data/cases.jsonl: the file is missing" in refusal(tmp_path)
    assert "a folder that holds data/summary.json" in refusal(tmp_path / "nowhere")


def test_a_second_import_replaces_the_first_and_nothing_of_a_person_s(tmp_path: Path) -> None:
    out = tmp_path / "out"
    files = import_files(read_layout(write(tmp_path / "layout", foreign())))
    write_import(files, out)
    (out / "runs/claude-opus-4-7/overall.jsonl").write_text("old")
    write_import({MARK: files[MARK]}, out)
    assert [path.name for path in out.iterdir()] == [MARK]
    (out / "notes.txt").write_text("mine")
    with pytest.raises(UnreadableInput, match=r"holds more than an import; seen 'notes\.txt'"):
        write_import(files, out)
    assert (out / "notes.txt").read_text() == "mine"


def test_a_folder_that_is_no_import_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "photo.jpg").write_bytes(b"x")
    with pytest.raises(UnreadableInput, match="holds something else"):
        write_import({MARK: b"{}"}, tmp_path)
