"""Bad input in a task's files: one sentence a fault, the exit code of its kind, every file as it was."""

from __future__ import annotations

import csv
import gzip
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cellwright.clients.warc import read_capture
from cellwright.validators.audit import all_rules
from tests.cli.workshop import MIRROR, TASK, Result, Workshop, edit, snapshot

EXPR = "expr: gross_profit_calc / revenue"
FIRST_STEP = "expr: revenue - cost_of_revenue, why: not"
SHEET = "text/html,en,T1,annual"
Spoil = Callable[[Path], object]


@dataclass(frozen=True)
class Bad:
    """A way to spoil a task, and what is told of it."""

    name: str
    spoil: Spoil
    told: str
    """The whole sentence, as a pattern; `FOLDER` is the task's folder."""
    rule: str = ""
    """The audit's rule that tells it; empty where the files cannot be read at all."""
    at: str = ""
    """File and line of that finding."""

    def __str__(self) -> str:
        return self.name

    def pattern(self) -> str:
        return self.told.replace("FOLDER", rf"tasks/{self.name}")


def changed(file: str, old: str, new: str) -> Spoil:
    return lambda task: edit(task / file, old, new)


def expression(text: str) -> Spoil:
    return changed("task.yaml", EXPR, f"expr: {text}")


def written(file: str, data: bytes) -> Spoil:
    return lambda task: (task / file).write_bytes(data)


def recoded(file: str) -> Spoil:
    return lambda task: (task / file).write_bytes((task / file).read_text(encoding="utf-8").encode("utf-16"))


UNREADABLE = [
    Bad(
        "unknown-column",
        changed("facts.csv", "supersedes,note", "supersedes,notes"),
        r"FOLDER/facts\.csv:1 \(`notes`\): the column `notes` is unknown; seen 'notes', expected one of id, .* note; "
        r"did you mean `note`\? or begin its name with `x_` to keep a column of your own",
    ),
    Bad(
        "number-in-two-fields",
        changed("facts.csv", '"383,285",FY2023', "383,285,FY2023"),
        r"FOLDER/facts\.csv:2: the line has more fields than the head; seen '23 fields: .*', expected 22 fields; "
        r'put a field that holds `,` in double quotes, as in "383,285"',
    ),
    Bad(
        "empty-table",
        written("facts.csv", b""),
        r"FOLDER/facts\.csv:1: the file is empty; expected a head line with the columns; .*",
    ),
    Bad("blank-table", written("cells.csv", b"\n  \n"), r"FOLDER/cells\.csv:1: the file is empty; .*"),
    Bad(
        "utf-16-table",
        recoded("facts.csv"),
        r"FOLDER/facts\.csv: the file is UTF-16 or binary; seen 'the bytes ff fe 69 00', expected UTF-8 text; .*",
    ),
    Bad("utf-16-yaml", recoded("task.yaml"), r"FOLDER/task\.yaml:1: the file is not UTF-8; expected UTF-8 text; .*"),
    Bad(
        "open-quote",
        changed("facts.csv", '"383,285",FY2023', '"383,285,FY2023'),
        r"FOLDER/facts\.csv:\d+: the line is not CSV; seen .*, expected a quoted field to be closed, .*",
    ),
    Bad(
        "control-character",
        changed("facts.csv", "aapl.revenue.fy2023", "aapl\x07revenue.fy2023"),
        r"FOLDER/facts\.csv:2: a control character stands in the file; seen 'U\+0007', .*",
    ),
    Bad(
        "column-twice",
        changed("facts.csv", "supersedes,note", "note,note"),
        r"FOLDER/facts\.csv:1 \(`note`\): the column `note` stands twice; remove one of them",
    ),
    Bad("missing-table", lambda task: (task / "sources.csv").unlink(), r"FOLDER/sources\.csv: the file is missing; .*"),
    Bad("missing-yaml", lambda task: (task / "task.yaml").unlink(), r"FOLDER/task\.yaml: the file is missing; .*"),
    Bad(
        "folder-for-a-table",
        lambda task: [(task / "facts.csv").unlink(), (task / "facts.csv").mkdir()],
        r"FOLDER/facts\.csv: the file is missing; .*",
    ),
    Bad(
        "not-yaml",
        changed("task.yaml", "entities:", "entities: [: {"),
        r"FOLDER/task\.yaml:17: the file is not YAML; seen .*, expected YAML; .*",
    ),
    Bad(
        "not-a-mapping",
        written("task.yaml", b"- one\n- two\n"),
        r"FOLDER/task\.yaml:1: the file is not a task; expected `key: value` lines",
    ),
    Bad(
        "unquoted-comma",
        changed("task.yaml", 'name: "Amazon.com, Inc."', "name: Amazon.com, Inc."),
        r"FOLDER/task\.yaml:19 \(`entities\.amzn\.Inc\.`\): the key `Inc\.` is unknown; seen 'Inc\.', expected .*; "
        r"inside \{…\}, text with a comma, bracket or brace must be quoted",
    ),
    Bad(
        "key-twice",
        changed("task.yaml", "language: en", "language: en\nlanguage: de"),
        r"FOLDER/task\.yaml:7: the key `language` stands twice; seen 'first on line 6'; .*",
    ),
    Bad(
        "alias-bomb",
        changed("task.yaml", "question: >-", "x_bomb: &a [*a]\nquestion: >-"),
        r"FOLDER/task\.yaml:12: an anchor or alias stands in the file; seen '&a', .*",
    ),
    Bad(
        "another-id",
        changed("task.yaml", "id: another-id", "id: elsewhere"),
        r"FOLDER/task\.yaml:2 \(`id`\): the task's id is not its folder's name; seen 'elsewhere', expected another-id; "
        r".*",
    ),
    Bad(
        "dimension-twice",
        changed("task.yaml", "id: gross_margin", "id: total_revenue"),
        r"FOLDER/task\.yaml:\d+ \(`dimensions`\): the id `total_revenue` stands twice in `dimensions`; .*",
    ),
    Bad(
        "ten-megabytes",
        expression("revenue + " * 1_050_000 + "revenue"),
        r"FOLDER/task\.yaml: the file is too large; seen '10\d{6} bytes', expected at most 2000000",
    ),
    Bad(
        "long-expression",
        expression("revenue + " * 100_000 + "revenue"),
        r"FOLDER/task\.yaml:57 \(`dimensions\.gross_margin\.steps\.answer\.expr`\): `expr` cannot be read; "
        r"seen 'revenue \+ .*…', expected at most 2000 characters",
    ),
]

ONE_FIELD = [
    Bad(
        "duplicate-id",
        changed("facts.csv", "aapl.revenue.fy2022,", "aapl.revenue.fy2023,"),
        r"FOLDER/facts\.csv:3 \(`id`\): `aapl\.revenue\.fy2023` stands twice; seen 'first on line 2'; .*",
        "C1-RECORD-TWICE",
        "facts.csv:3",
    ),
    Bad(
        "id-made-a-date",
        changed("facts.csv", "aapl.revenue.fy2023,", "1-Mar,"),
        r"FOLDER/facts\.csv:2 \(1-Mar, `id`\): `id` cannot be read; seen '1-Mar', expected an id of .*; "
        r"a spreadsheet has turned this id into a date: .*",
        "C1-FIELD-UNREADABLE",
        "facts.csv:2",
    ),
    Bad(
        "source-made-a-date",
        changed("sources.csv", "aapl-10-k-fy2024,", "1-Mar,"),
        r"FOLDER/sources\.csv:2 \(1-Mar, `id`\): `id` cannot be read; seen '1-Mar', .* into a date: .*",
        "C1-FIELD-UNREADABLE",
        "sources.csv:2",
    ),
    Bad(
        "grouped-value",
        changed("facts.csv", ",383285000000,", ',"383,285",'),
        r"FOLDER/facts\.csv:2 \(aapl\.revenue\.fy2023, `value`\): `value` cannot be read; seen '383,285', "
        r"expected a plain number: .*",
        "C1-FIELD-UNREADABLE",
        "facts.csv:2",
    ),
    Bad(
        "pin-that-is-a-path",
        lambda task: edit(task / "sources.csv", capture_of(task).name[:64], "../../passwd"),
        r"FOLDER/sources\.csv:2 \(aapl-10-k-fy2024, `capture`\): `capture` cannot be read; seen '\.\./\.\./passwd', .*",
        "C1-FIELD-UNREADABLE",
        "sources.csv:2",
    ),
]

NOT_DERIVED = [
    Bad(
        "circle",
        changed("task.yaml", FIRST_STEP, "expr: answer * revenue, why: not"),
        r"FOLDER/task\.yaml:57 \(gross_margin, `expr`\): the step `answer` needs itself: gross_margin\.answer → "
        r"gross_margin\.gross_profit_calc → gross_margin\.answer; break the circle: .*; 16 cells have no answer .*",
        "C3-REPLAY",
        "task.yaml:56",
    ),
    Bad(
        "circle-of-cells",
        lambda task: [
            edit(task / "task.yaml", EXPR, "expr: cells.fcf_margin"),
            edit(task / "task.yaml", "expr: fcf / revenue", "expr: cells.gross_margin"),
        ],
        r"FOLDER/task\.yaml:75 \(fcf_margin, `expr`\): the step `answer` needs itself: fcf_margin\.answer → "
        r"gross_margin\.answer → fcf_margin\.answer; .*",
        "C3-REPLAY",
        "task.yaml:57",
    ),
    Bad(
        "name-that-no-fact-gives",
        changed("task.yaml", FIRST_STEP, "expr: revenue - cost_of_revenu, why: not"),
        r"FOLDER/task\.yaml:56 \(gross_margin, `expr`\): `cost_of_revenu` is no fact, no step and no assumption; "
        r"did you mean `cost_of_revenue`\? add the fact to facts\.csv or mend the name; 16 cells .*",
        "C3-REPLAY",
        "task.yaml:56",
    ),
    Bad(
        "two-primary-facts",
        changed("facts.csv", '"394,328",FY2022,primary', '"394,328",FY2023,primary'),
        r"FOLDER/task\.yaml:42 \(aapl/total_revenue, `expr`\): two primary facts give `revenue` of `aapl` for FY2023 "
        r"\(2022-09-25/2023-09-30\): `aapl\.revenue\.fy2022` and `aapl\.revenue\.fy2023`; keep one as primary .*; "
        r"5 cells .*",
        "C1-PRIMARY-TWICE",
        "facts.csv:3",
    ),
    Bad(
        "period-with-no-dates",
        changed("facts.csv", '"383,285",FY2023', '"383,285",FY2019'),
        r"FOLDER/task\.yaml:42 .*: the fact `aapl\.revenue\.fy2023` cannot be placed: the period `FY2019` has no "
        r"dates; expected a label of `periods` \(FY2022, FY2023\), or dates as .*; mend the fact's period .*",
        "C1-PERIOD-UNREADABLE",
        "facts.csv:2",
    ),
    Bad(
        "question-with-no-dates",
        changed("task.yaml", "unit: percent\n    period: FY2023", "unit: percent\n    period: FY2019"),
        r"FOLDER/task\.yaml:56 .*: the period of `revenue` cannot be told: the period `FY2019` has no dates; .*",
        "C3-REPLAY",
        "task.yaml:56",
    ),
    Bad(
        "division-by-zero",
        expression("gross_profit_calc / (revenue - revenue)"),
        r"FOLDER/task\.yaml:57 .*: division by zero in `gross_profit_calc / \(revenue - revenue\)`; 16 cells .*",
        "C3-REPLAY",
        "task.yaml:57",
    ),
    Bad(
        "power",
        expression("2**9999999"),
        r"FOLDER/task\.yaml:57 .*: the exponent `9999999` is out of bounds .*; seen '2\*\*9999999', expected .*",
        "C3-REPLAY",
        "task.yaml:57",
    ),
    Bad(
        "tower-of-powers",
        expression("2**2**2**2**2"),
        r"FOLDER/task\.yaml:57 .*: a power of a power needs parentheses .*",
        "C3-REPLAY",
        "task.yaml:57",
    ),
    Bad(
        "deep-parentheses",
        expression("(" * 900 + "revenue" + ")" * 900),
        r"FOLDER/task\.yaml:57 .*: the expression is nested more than \d+ deep .*",
        "C3-REPLAY",
        "task.yaml:57",
    ),
    Bad(
        "python",
        expression("\"__import__('os').system('touch owned')\""),
        r"FOLDER/task\.yaml:57 .*; seen \"__import__\('os'\)\.system\('touch owned'\)\"; .*",
        "C3-REPLAY",
        "task.yaml:57",
    ),
    Bad(
        "attribute",
        expression('"revenue.__class__"'),
        r"FOLDER/task\.yaml:57 .*: `revenue\.__class__` is not a name .*",
        "C3-REPLAY",
        "task.yaml:57",
    ),
]


def capture_of(task: Path) -> Path:
    """The pinned capture of the task's first source."""
    with (task / "sources.csv").open(encoding="utf-8", newline="") as file:
        pin = next(csv.DictReader(file))["capture"]
    return task.parent.parent / "sources" / "captures" / task.name / f"{pin}.warc.gz"


def swap(task: Path) -> None:
    """Another document's capture under this one's name."""
    capture = capture_of(task)
    shutil.copy(next(path for path in sorted(capture.parent.iterdir()) if path != capture), capture)


def change_a_figure(task: Path) -> None:
    """One digit of the captured page is another."""
    capture = capture_of(task)
    page = gzip.decompress(capture.read_bytes())
    assert b"383,285" in page
    capture.write_bytes(gzip.compress(page.replace(b"383,285", b"383,286"), mtime=0))


DERIVED_ALL_THE_SAME = [
    Bad(
        "quote-not-in-the-capture",
        changed("facts.csv", '"Total net sales 383', '"Total nett sales 383'),
        "",
        "C2-QUOTE-ABSENT",
        "facts.csv:2",
    ),
    Bad(
        "number-of-two-readings",
        changed("sources.csv", SHEET, "text/html,en-ZA,T1,annual"),
        "",
        "C2-NUMBER-UNREADABLE",
        "facts.csv:2",
    ),
    Bad(
        "number-in-another-locale",
        changed("sources.csv", SHEET, "text/html,de,T1,annual"),
        "",
        "C2-VALUE-MISMATCH",
        "facts.csv:2",
    ),
    Bad("bytes-of-another-capture", swap, "", "C2-CAPTURE-MISMATCH", "sources.csv:2"),
    Bad("changed-capture", change_a_figure, "", "C2-CAPTURE-UNUSABLE", "sources.csv:2"),
    Bad(
        "cut-capture",
        lambda task: capture_of(task).write_bytes(capture_of(task).read_bytes()[:300]),
        "",
        "C2-CAPTURE-UNUSABLE",
        "sources.csv:2",
    ),
    Bad("lost-capture", lambda task: capture_of(task).unlink(), "", "C2-CAPTURE-MISSING", "sources.csv:2"),
]
AUDITED = [*ONE_FIELD, *NOT_DERIVED, *DERIVED_ALL_THE_SAME]


@pytest.fixture(scope="module")
def spoiled(captured: Path, tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """A workshop with a spoiled copy of the task for each way to spoil one."""
    workshop = Workshop(shutil.copytree(captured, tmp_path_factory.mktemp("spoiled") / "workshop"))
    for bad in [*UNREADABLE, *AUDITED]:
        bad.spoil(workshop.copied_task(bad.name))
    return workshop


@pytest.fixture(scope="module")
def before(spoiled: Workshop) -> dict[str, str]:
    return snapshot(spoiled.root)


@pytest.fixture(scope="module")
def audit(spoiled: Workshop, before: dict[str, str]) -> dict[str, Any]:
    """What the real program's audit says of every task that can be read, by task."""
    done = spoiled.run("audit", "--format", "json", *(bad.name for bad in AUDITED))
    assert done.code == 1
    assert done.err == ""
    assert snapshot(spoiled.root) == before
    # Copies of one task ask the same questions and contradict one another where one is spoiled: not what is looked at.
    across = {info.id for info in all_rules() if info.needs == "tasks"}
    tasks = done.json["tasks"]
    for task in tasks:
        task["findings"] = [finding for finding in task["findings"] if finding["rule"] not in across]
    return {task["task"]: task for task in tasks}


@pytest.mark.parametrize("bad", [*UNREADABLE, *ONE_FIELD], ids=str)
def test_what_cannot_be_read_is_told_in_one_sentence_and_stops_with_2(
    bad: Bad, spoiled: Workshop, before: dict[str, str], here: Callable[..., Result]
) -> None:
    done = here("derive", bad.name, "--write", cwd=spoiled.root)
    assert done.code == 2
    assert done.out == ""
    assert len(done.err.splitlines()) == len(done.sentences) == 1
    assert re.fullmatch(bad.pattern(), done.sentences[0]), done.sentences[0]
    assert snapshot(spoiled.root) == before


@pytest.mark.parametrize("bad", NOT_DERIVED, ids=str)
def test_a_fault_of_a_derivation_is_told_once_and_leaves_the_other_cells(
    bad: Bad, spoiled: Workshop, before: dict[str, str], here: Callable[..., Result]
) -> None:
    done = here("derive", bad.name, "--format", "json", cwd=spoiled.root)
    assert done.code == 1
    assert len(done.err.splitlines()) == len(done.sentences) == 1
    assert re.fullmatch(bad.pattern(), done.sentences[0]), done.sentences[0]
    assert 0 < len(done.json["cells"]) < 64
    assert snapshot(spoiled.root) == before


@pytest.mark.parametrize("bad", AUDITED, ids=str)
def test_the_audit_has_the_finding_at_its_place(bad: Bad, audit: dict[str, Any]) -> None:
    task = audit[bad.name]
    found = {f"{item['file']}:{item['line']}" for item in task["findings"] if item["rule"] == bad.rule}
    assert not task["admitted"]
    assert f"tasks/{bad.name}/{bad.at}" in found, sorted({item["rule"] for item in task["findings"]})


def test_a_line_with_one_bad_field_is_not_told_as_gone_as_well(audit: dict[str, Any]) -> None:
    rules = [finding["rule"] for finding in audit["pin-that-is-a-path"]["findings"]]
    assert "C1-ID-UNRESOLVED" not in rules


@pytest.mark.parametrize("bad", [item for item in DERIVED_ALL_THE_SAME if "number" not in item.name], ids=str)
def test_evidence_that_is_at_fault_is_the_only_thing_told(bad: Bad, audit: dict[str, Any]) -> None:
    told = {item["rule"] for item in audit[bad.name]["findings"] if item["severity"] == "error"}
    assert told - {"C2-QUOTE-ABSENT"} == {bad.rule} - {"C2-QUOTE-ABSENT"}


def test_the_audit_tells_every_fault_of_every_file_at_once(spoiled: Workshop, before: dict[str, str]) -> None:
    some = UNREADABLE[:15]
    done = spoiled.run("audit", "--format", "json", *(bad.name for bad in some))
    assert done.code == 2
    assert done.out == ""
    assert len(done.sentences) == len(done.err.splitlines()) == len(some)
    for bad, sentence in zip(some, done.sentences, strict=True):
        assert re.fullmatch(bad.pattern(), sentence), sentence
    assert snapshot(spoiled.root) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("status", "utf-16-table"),
        ("locate", "utf-16-table", "--write"),
        ("audit", "utf-16-table"),
        ("bundle", "utf-16-table", "--out", "nowhere"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_every_command_tells_the_same_of_a_file_that_cannot_be_read(
    arguments: tuple[str, ...], spoiled: Workshop, before: dict[str, str], here: Callable[..., Result]
) -> None:
    done = here(*arguments, cwd=spoiled.root)
    assert done.code == 2
    assert done.out == ""
    assert [sentence.partition(";")[0] for sentence in done.sentences] == [
        "tasks/utf-16-table/facts.csv: the file is UTF-16 or binary"
    ]
    assert snapshot(spoiled.root) == before


@pytest.mark.parametrize("name", ["bytes-of-another-capture", "changed-capture"])
def test_capture_refuses_to_take_a_changed_capture_for_the_document(
    name: str, spoiled: Workshop, here: Callable[..., Result]
) -> None:
    capture = capture_of(spoiled.root / "tasks" / name)
    held = capture.read_bytes()
    done = here("capture", name, "--mirror", MIRROR, cwd=spoiled.root)
    assert done.code == 1
    assert done.out == ""
    assert done.err.count(capture.name) == 1
    assert capture.read_bytes() == held


def test_capture_writes_a_capture_anew_that_was_cut_short(spoiled: Workshop, here: Callable[..., Result]) -> None:
    capture = capture_of(spoiled.root / "tasks" / "cut-capture")
    held = capture.read_bytes()
    done = here("capture", "cut-capture", "--mirror", MIRROR, cwd=spoiled.root)
    assert (done.code, done.out) == (0, "")
    assert "1 restored" in done.err
    assert len(capture.read_bytes()) > len(held)
    assert read_capture(capture.read_bytes()).sha256 == capture.name.partition(".")[0]


def test_no_spoiled_task_is_taken_into_a_bundle(spoiled: Workshop, here: Callable[..., Result]) -> None:
    done = here("bundle", TASK, "division-by-zero", "two-primary-facts", "--out", "made", cwd=spoiled.root)
    assert done.code == 1
    assert done.out == ""
    told = [sentence.partition(";")[0] for sentence in done.sentences]
    assert "tasks/division-by-zero: the task `division-by-zero` is not admitted" in told
    assert "tasks/two-primary-facts: the task `two-primary-facts` is not admitted" in told
    assert not (spoiled.root / "made").exists()
