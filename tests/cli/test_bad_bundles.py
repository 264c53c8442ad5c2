"""Bad input on the read side: bundles that were changed, and submissions that mean harm."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.workshop import TASK, Result, edit, run, snapshot

EPS = {"task": TASK, "entity": "aapl", "dimension": "diluted_eps"}
GOOD = {**EPS, "answer": {"type": "precise", "value": "6.13", "unit": "USD/share"}, "derivation": "", "sources": []}
FILES = [
    "CHANGELOG.md", "README.md", "audit.json", "cases.jsonl", "cells.parquet", "changes.parquet", "croissant.json",
    "dimensions.parquet", "entities.parquet", "evidence.html", "facts.parquet", "near_misses.parquet",
    f"prompts/{TASK}.md", "sources.parquet", "steps.parquet", "tasks.parquet",
]  # fmt: skip


@pytest.fixture
def submission(tmp_path: Path) -> Path:
    """One answer, a right one."""
    file = tmp_path / "answers.jsonl"
    file.write_text(json.dumps(GOOD) + "\n", encoding="utf-8")
    return file


@pytest.fixture
def score(bundle: Path, submission: Path, tmp_path: Path, here: Callable[..., Result]) -> Callable[..., Result]:
    """Score a submission against a bundle that may have been changed; nothing is written, whatever comes of it."""

    def call(answers: Path = submission) -> Result:
        before = snapshot(tmp_path)
        done = here("harness", "score", "--bundle", bundle, "--submission", answers, "--out", "r.jsonl", cwd=tmp_path)
        if done.code:
            assert done.out == ""
            assert len(done.err.splitlines()) == len(done.sentences) == 1, done.err
            assert snapshot(tmp_path) == before
        return done

    return call


def test_the_bundle_holds_the_files_that_are_changed_here(built: Path) -> None:
    assert sorted(set(snapshot(built)) - {"bundle.json"}) == FILES


@pytest.mark.parametrize("name", FILES)
def test_a_file_with_one_byte_changed_is_told(name: str, bundle: Path, score: Callable[..., Result]) -> None:
    file = bundle / name
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    done = score()
    assert done.code == 2
    assert re.fullmatch(
        rf"{re.escape(name)}: the file is not the one that was released; seen '[0-9a-f]{{64}}', "
        r"expected [0-9a-f]{64}; fetch the bundle again",
        done.sentences[0],
    )


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_gone_is_told(name: str, bundle: Path, score: Callable[..., Result]) -> None:
    (bundle / name).unlink()
    done = score()
    assert done.code == 2
    assert done.sentences[0].startswith(f"{name}: the file is missing")


def manifest(bundle: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change what bundle.json says."""
    file = bundle / "bundle.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    change(data)
    file.write_text(json.dumps(data), encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda said: said.update(schema=99), r"bundle\.json \(`schema`\): the bundle has schema 99, and .*"),
        (lambda said: said.update(schema="1"), r"bundle\.json \(`schema`\): the bundle says no schema; .*"),
        (lambda said: said.update(sealed=True), r"bundle\.json \(`sealed`\): the bundle is sealed: .*"),
        (lambda said: said.update(files=[]), r"bundle\.json \(`files`\): `files` is missing or not an object of text"),
        (
            lambda said: said["files"].update({"../../passwd": "0" * 64}),
            r"bundle\.json \(`files`\): a file of the bundle has no plain name or no sha256; "
            r"seen '\.\./\.\./passwd: .*",
        ),
        (
            lambda said: said["files"].pop("cells.parquet"),
            r"bundle\.json \(`tables`\): the table `cells` is not in the bundle",
        ),
        (
            lambda said: said["tables"].update(cells="0" * 64),
            r"cells\.parquet: the table `cells` is not the one that was released; .*",
        ),
        (
            lambda said: said["cells"].update(digest="0" * 64),
            r"bundle\.json \(`cells`\): the digest of the cells is not theirs; .*",
        ),
        (lambda said: said.pop("name"), r"bundle\.json \(`name`\): `name` is missing or no text"),
    ],
)
def test_a_manifest_that_says_something_else_is_told(
    change: Callable[[dict[str, Any]], object], told: str, bundle: Path, score: Callable[..., Result]
) -> None:
    manifest(bundle, change)
    done = score()
    assert done.code == 2
    assert re.fullmatch(told, done.sentences[0]), done.sentences[0]


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff\xfe{}", b'{"schema": NaN}', b"[" * 200_000])
def test_a_manifest_that_is_no_manifest_is_told(data: bytes, bundle: Path, score: Callable[..., Result]) -> None:
    (bundle / "bundle.json").write_bytes(data)
    done = score()
    assert done.code == 2
    assert done.sentences[0].startswith("bundle.json: the file ")


def test_a_table_that_was_forged_with_its_digests_is_still_no_other_table(
    bundle: Path, score: Callable[..., Result]
) -> None:
    """The file's sha256 in bundle.json is forged too: the table's columns and rows are looked at all the same."""
    shutil.copy(bundle / "facts.parquet", bundle / "cells.parquet")
    forged = hashlib.sha256((bundle / "cells.parquet").read_bytes()).hexdigest()
    manifest(bundle, lambda said: said["files"].update({"cells.parquet": forged}))
    done = score()
    assert done.code == 2
    assert done.sentences[0].startswith("cells.parquet: the columns of the table `cells` are not those of schema 1; ")


def test_a_link_out_of_the_bundle_is_not_read(bundle: Path, tmp_path: Path, score: Callable[..., Result]) -> None:
    outside = tmp_path / "outside.md"
    shutil.move(bundle / "README.md", outside)
    (bundle / "README.md").symlink_to(outside)
    done = score()
    assert done.code == 2
    assert done.sentences == ["README.md: a file of the bundle leads out of its folder"]


@pytest.mark.parametrize("command", ["page", "report", "validate"])
def test_no_command_passes_a_changed_bundle_on(
    command: str, bundle: Path, submission: Path, tmp_path: Path, here: Callable[..., Result]
) -> None:
    edit(bundle / "evidence.html", "11.93", "11.94")
    arguments = {
        "page": ("page", bundle, "--out", tmp_path / "page.html"),
        "report": ("harness", "report", "--bundle", bundle),
        "validate": ("harness", "validate", "--bundle", bundle, "--submission", submission),
    }[command]
    done = here(*arguments, cwd=tmp_path)
    assert done.code == 2
    assert done.out == ""
    assert len(done.sentences) == 1
    assert done.sentences[0].startswith("evidence.html: the file is not the one that was released")
    assert not (tmp_path / "page.html").exists()


def test_building_over_a_folder_with_a_person_s_file_is_refused(
    bundle: Path, captured: Path, here: Callable[..., Result]
) -> None:
    (bundle / "notes.txt").write_text("mine", encoding="utf-8")
    before = snapshot(bundle)
    done = here("bundle", "--out", bundle, cwd=captured)
    assert done.code == 2
    assert done.out == ""
    assert done.sentences == [
        f"{bundle}: the folder holds more than a bundle; seen 'notes.txt', expected nothing but what `bundle.json` "
        "lists; move these files away, or name another folder"
    ]
    assert snapshot(bundle) == before


# -- submissions


def line(**changes: object) -> str:
    return json.dumps({**GOOD, **changes})


def answer(**changes: object) -> str:
    return line(answer={**GOOD["answer"], **changes})  # type: ignore[dict-item]


UNREADABLE = {
    "nothing": (b"", r"the submission is empty; .*"),
    "utf-16": (line().encode("utf-16"), r"the submission is UTF-16; expected UTF-8; .*"),
    "bytes": (b'{"task": "\xff"}', r"the submission is not UTF-8; seen 'byte 0xff'; .*"),
    "no JSON": (b"hello {", r"the line is not JSON; seen 'hello \{', .*"),
    "no object": (b"[1]", r"the line is no JSON object; .*"),
    "not finite": (b'{"task": NaN}', r"`task` is missing; seen 'NaN', .*"),
    "deep": (b"[" * 200_000, r"JSON that is nested too deeply; .*"),
    "long": (line(derivation="x" * 2_000_000).encode(), r"a line of more than 1000000 characters; .*"),
    "key twice": (b'{"task": "x", "task": "y"}', r"the key `task` stands twice in one object"),
    "unknown task": (line(task="x").encode(), rf"the task is not in the bundle; seen 'x', expected one of {TASK}"),
    "unknown entity": (line(entity="appl").encode(), r"the entity is not in the bundle; .*; did you mean `aapl`\?"),
    "path": (line(dimension="../../passwd").encode(), r"the dimension is not in the bundle; .*"),
    "number for a name": (line(task=1).encode(), r"`task` is missing; seen '1', .*"),
    "twice": (f"{line()}\n{line()}".encode(), r"the cell `.*/aapl/diluted_eps` is answered twice; .*"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_submission_that_cannot_be_read_is_told_with_its_line(
    name: str, tmp_path: Path, score: Callable[..., Result]
) -> None:
    data, told = UNREADABLE[name]
    answers = tmp_path / "bad.jsonl"
    answers.write_bytes(data)
    done = score(answers)
    assert done.code == 2
    assert re.fullmatch(rf"bad\.jsonl(:\d+)?( \(`[a-z.]+`\))?: {told}", done.sentences[0]), done.sentences[0]


UNPARSED = {"unknown key": (line(answr=1), "answr"), "list for a value": (answer(value=[1]), "value")}


@pytest.mark.parametrize("name", UNPARSED)
def test_an_answer_that_is_not_of_the_form_costs_its_own_cell_and_says_why(
    name: str, tmp_path: Path, score: Callable[..., Result]
) -> None:
    text, word = UNPARSED[name]
    answers = tmp_path / "odd.jsonl"
    answers.write_text(text + "\n", encoding="utf-8")
    assert score(answers).code == 0
    results = [json.loads(each) for each in (tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()]
    mine = next(each for each in results if {key: each[key] for key in EPS} == EPS)
    assert (mine["outcome"], mine["score"]) == ("unparsed", "0")
    assert word in mine["clause"]


HARMFUL = {
    "markup": answer(value="<script>alert(1)</script>"),
    "colours": answer(value="\x1b[31m6.13\x1b[0m \x1b]0;title\x07"),
    "turned round": answer(value="\u202e31.6"),
    "half a pair": line(derivation="\ud800"),
    "infinity": answer(value="Infinity"),
    "no number": answer(value="NaN"),
    "power": line(derivation="2**9999999 = 6.13"),
    "parentheses": line(derivation="(" * 5_000 + "1" + ")" * 5_000),
    "many digits": line(derivation="9" * 100_000 + " / 3 = 6.13"),
    "python": line(derivation="__import__('os').system('touch owned') = 6.13"),
}


@pytest.mark.parametrize("name", HARMFUL)
def test_a_submission_that_means_harm_is_graded_and_does_none(
    name: str, tmp_path: Path, score: Callable[..., Result]
) -> None:
    answers = tmp_path / "harm.jsonl"
    answers.write_text(HARMFUL[name] + "\n", encoding="utf-8")
    done = score(answers)
    assert done.code == 0
    assert done.sentences == []
    assert "\x1b" not in done.out + done.err
    results = [json.loads(each) for each in (tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()]
    mine = [each for each in results if {key: each[key] for key in EPS} == EPS]
    assert len(results) == 64
    assert mine[0]["outcome"] in ("scored", "unparsed")
    assert not (tmp_path / "owned").exists()
    assert all(character.isprintable() for each in results for value in each.values() for character in value or "")


def test_the_real_program_refuses_a_changed_bundle(bundle: Path, submission: Path, tmp_path: Path) -> None:
    (bundle / "cells.parquet").write_bytes((bundle / "cells.parquet").read_bytes() + b"\0")
    done = run("harness", "score", "--bundle", bundle, "--submission", submission, cwd=tmp_path)
    assert done.code == 2
    assert done.out == ""
    assert len(done.err.splitlines()) == 1
    assert done.sentences[0].startswith("cells.parquet: the file is not the one that was released; ")
