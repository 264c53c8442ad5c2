"""Sealed bundles from the command line: made, graded against, refused; the key is never shown."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cellwright.clients.seal_key import make_key_file
from tests.cli.workshop import TASK, Result, Workshop, edit, run, snapshot

ANSWERS = Path(__file__).parents[1] / "whole_way" / "submissions" / "careless.jsonl"
OPEN = {
    "CHANGELOG.md", "README.md", "bundle.json", "dimensions.parquet", "entities.parquet", f"prompts/{TASK}.md",
    "sealed.tar.age",
}  # fmt: skip


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key file."""
    file = tmp_path_factory.mktemp("key") / "benchmark.key"
    make_key_file(file)
    return file


@pytest.fixture(scope="module")
def secret(key: Path) -> str:
    """The key itself: as a word of it that stands nowhere else."""
    return key.read_text(encoding="utf-8").splitlines()[-1][16:]


@pytest.fixture(scope="module")
def sealed(captured: Path, key: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sealed bundle of the shipped task; not to be changed."""
    out = tmp_path_factory.mktemp("sealed") / "bundle"
    done = run("bundle", "--sealed", "--key-file", key, "--out", out, cwd=captured)
    assert done.code == 0, done.err
    assert "sealed: the questions are open, all else needs the key" in done.err
    return out


def said(bundle: Path) -> dict[str, object]:
    return dict(json.loads((bundle / "bundle.json").read_text(encoding="utf-8")))


def test_the_shipped_task_is_sealed_without_a_false_alarm(sealed: Path) -> None:
    assert set(snapshot(sealed)) == OPEN
    manifest = said(sealed)
    assert manifest["sealed"] is True
    assert "sealed.tar.age" not in manifest["files"]  # type: ignore[operator]
    assert set(manifest["seal"]) == {"file", "sha256", "salt", "digest"}  # type: ignore[call-overload]


def test_a_sealed_bundle_grades_as_the_unsealed_one(
    sealed: Path, built: Path, key: Path, tmp_path: Path, here: Callable[..., Result]
) -> None:
    """The same lines to the byte but for the digests of cells, and the same means."""
    results, told = {}, {}
    for name, bundle, option in (("open", built, ()), ("sealed", sealed, ("--key-file", key))):
        out = tmp_path / f"{name}.jsonl"
        done = here(
            "harness", "score", "--bundle", bundle, "--submission", ANSWERS, "--out", out, *option, cwd=tmp_path
        )
        assert done.code == 0, done.err
        results[name], told[name] = out.read_text(encoding="utf-8"), done.out
    assert told["open"] == told["sealed"]
    digest = re.compile(r'"cell_digest":"[0-9a-f]{64}"')
    assert digest.sub("", results["open"]) == digest.sub("", results["sealed"])
    mine, others = (set(digest.findall(results[name])) for name in ("sealed", "open"))
    assert len(mine) == len(others) == 64
    assert not mine & others


def test_every_reading_command_opens_it(
    sealed: Path, built: Path, key: Path, tmp_path: Path, here: Callable[..., Result]
) -> None:
    page = tmp_path / "page.html"
    assert here("page", sealed, "--out", page, "--key-file", key, cwd=tmp_path).code == 0
    assert page.read_bytes() == (built / "evidence.html").read_bytes()
    matrices = [here("harness", "report", "--bundle", built, cwd=tmp_path),
                here("harness", "report", "--bundle", sealed, "--key-file", key, cwd=tmp_path)]  # fmt: skip
    assert matrices[0].out == matrices[1].out
    checked = here("harness", "validate", "--bundle", sealed, "--submission", ANSWERS, "--key-file", key, cwd=tmp_path)
    assert (checked.code, checked.out) == (0, "")
    assert checked.err.endswith("of 64 cells are answered\n")
    assert "warning" not in checked.err


def test_a_run_on_it_is_exported_with_the_key_and_its_cases_tell_no_reference(
    sealed: Path, key: Path, tmp_path: Path, here: Callable[..., Result]
) -> None:
    named = ("--bundle", sealed, "--key-file", key)
    scored = here("harness", "score", *named, "--submission", ANSWERS, "--out", tmp_path / "r.jsonl", cwd=tmp_path)
    assert scored.code == 0, scored.err
    done = here("harness", "export", *named, "--run", "m=r.jsonl", "--out", tmp_path / "public", cwd=tmp_path)
    assert done.code == 0, done.err
    cases = (tmp_path / "public/data/cases.jsonl").read_text(encoding="utf-8")
    assert cases.count("\n") == 1
    assert not any(word in cases for word in ("references", "cell_digest", '"digest"', "not_disclosed", "answer_type"))


@pytest.mark.parametrize("setting", ["CELLWRIGHT_SEAL_KEY_FILE", "CELLWRIGHT_SEAL_KEY"])
def test_the_key_may_come_from_a_setting(setting: str, sealed: Path, key: Path, tmp_path: Path) -> None:
    value = str(key) if setting.endswith("FILE") else key.read_text(encoding="utf-8").splitlines()[-1]
    done = run("harness", "report", "--bundle", sealed, cwd=tmp_path, env={setting: value})
    assert done.code == 0, done.err
    assert "7." in done.out


def test_the_prompts_are_those_of_the_unsealed_one(sealed: Path, built: Path) -> None:
    name = f"prompts/{TASK}.md"
    assert (sealed / name).read_bytes() == (built / name).read_bytes()


def test_sealed_again_only_the_archive_and_its_sum_differ(
    sealed: Path, captured: Path, key: Path, tmp_path: Path, here: Callable[..., Result]
) -> None:
    """Over an earlier one, by the setting in params.yaml, from another copy of the repository."""
    root = shutil.copytree(captured, tmp_path / "elsewhere")
    edit(root / "params.yaml", "sealed: false", "sealed: true")
    out = shutil.copytree(sealed, root / "out")
    done = here("bundle", "--key-file", key, "--out", out, cwd=root)
    assert done.code == 0, done.err
    one, other = snapshot(sealed), snapshot(out)
    assert {name for name in one if one[name] != other[name]} == {"sealed.tar.age", "bundle.json"}
    seals = [said(bundle)["seal"] for bundle in (sealed, out)]
    assert [seal.pop("sha256") for seal in seals] != []  # type: ignore[attr-defined]
    assert seals[0] == seals[1]
    assert {**said(sealed), "seal": ""} == {**said(out), "seal": ""}


# -- what stops it


def refused(done: Result, code: int, told: str) -> None:
    assert done.code == code, done.err
    assert done.out == ""
    assert re.search(told, done.sentences[0]), done.sentences[0]


def test_without_a_key_nothing_is_sealed_and_nothing_opened(
    sealed: Path, workshop: Workshop, here: Callable[..., Result]
) -> None:
    asked = (
        "a sealed bundle is to be built, and there is no key; name the key's file with `--key-file FILE` or .*seal-key"
    )
    refused(here("bundle", "--sealed", "--out", "out", cwd=workshop.root), 2, asked)
    edit(workshop.root / "params.yaml", "sealed: false", "sealed: true")
    refused(here("bundle", "--out", "out", cwd=workshop.root), 2, asked)
    assert not (workshop.root / "out").exists()
    for command in (("page", sealed), ("harness", "report", "--bundle", sealed),
                    ("harness", "score", "--bundle", sealed, "--submission", ANSWERS),
                    ("harness", "validate", "--bundle", sealed, "--submission", ANSWERS)):  # fmt: skip
        told = r"^bundle\.json \(`sealed`\): the bundle is sealed: its references are encrypted; to open it, "
        refused(here(*command, cwd=workshop.root), 2, told)


def test_a_leak_stops_the_build_and_leaves_what_was_there(
    workshop: Workshop, key: Path, here: Callable[..., Result]
) -> None:
    """Apple's revenue in fiscal 2023, in a text that the open card repeats and no question holds."""
    out = workshop.root / "out"
    (out / "prompts").mkdir(parents=True)
    (out / "bundle.json").write_text('{"files": {"prompts/a.md": ""}}', encoding="utf-8")
    (out / "prompts" / "a.md").write_text("an earlier bundle", encoding="utf-8")
    before = snapshot(out)
    edit(workshop.task / "task.yaml", "licence: CC-BY-4.0", 'licence: "CC-BY-4.0, 383,285"')
    done = here("bundle", "--sealed", "--key-file", key, "--out", out, cwd=workshop.root)
    told = rf"^README\.md:\d+ \({TASK}/aapl/total_revenue\): a number of the reference stands openly in a bundle that "
    refused(done, 1, told)
    assert "383,285" not in done.err
    assert snapshot(out) == before


def test_a_key_for_a_bundle_that_is_not_to_be_sealed_is_asked_about(
    workshop: Workshop, key: Path, here: Callable[..., Result]
) -> None:
    done = here("bundle", "--key-file", key, "--out", "out", cwd=workshop.root)
    refused(done, 2, "a key is given, and the bundle is not to be sealed; add `--sealed`")


def test_another_key_and_a_damaged_archive_are_told(
    sealed: Path, key: Path, tmp_path: Path, here: Callable[..., Result]
) -> None:
    make_key_file(tmp_path / "other.key")
    done = here("harness", "report", "--bundle", sealed, "--key-file", tmp_path / "other.key", cwd=tmp_path)
    refused(done, 2, r"^sealed\.tar\.age: the key does not open the archive; give the key that this bundle was sealed")
    mine = shutil.copytree(sealed, tmp_path / "mine")
    (mine / "sealed.tar.age").write_bytes((mine / "sealed.tar.age").read_bytes()[:-1])
    done = here("harness", "report", "--bundle", mine, "--key-file", key, cwd=tmp_path)
    refused(done, 2, r"^sealed\.tar\.age: the file is not the one that was released")


# -- the key


def test_a_key_is_made_once_for_its_owner_alone(tmp_path: Path, here: Callable[..., Result]) -> None:
    done = here("seal-key", "my.key", cwd=tmp_path)
    assert (done.code, done.out) == (0, "")
    assert "my.key: a new key, age1" in done.err
    assert "AGE-SECRET" not in done.err
    made = (tmp_path / "my.key").read_bytes()
    refused(
        here("seal-key", "my.key", cwd=tmp_path), 2, r"^my\.key: the file is there already, and a key is never written"
    )
    assert (tmp_path / "my.key").read_bytes() == made


def test_a_key_in_a_repository_is_warned_of(workshop: Workshop, here: Callable[..., Result]) -> None:
    done = here("seal-key", workshop.root / "my.key", "--root", workshop.root, cwd=workshop.root)
    assert done.code == 0
    assert "lies in a repository: move it out, or it will be published with it" in done.err


def test_a_key_that_others_may_read_is_warned_of_once(
    sealed: Path, key: Path, tmp_path: Path, here: Callable[..., Result]
) -> None:
    mine = tmp_path / "mine.key"
    shutil.copy(key, mine)
    mine.chmod(0o644)
    done = here("harness", "report", "--bundle", sealed, "--key-file", mine, cwd=tmp_path)
    assert done.code == 0
    assert done.err.count("warning: ") == 1
    assert "others than you may read the key (mode 0644)" in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("harness", "report", "--bundle", "BUNDLE", "--key-file", "KEY"),
        ("harness", "report", "--bundle", "BUNDLE", "--key", "KEY"),
        ("harness", "report", "--bundle", "KEY"),
        ("page", "BUNDLE", "KEY"),
        ("page", "KEY"),
        ("bundle", "KEY"),
        ("bundle", "--sealed", "--key-file", "KEY"),
        ("seal-key", "KEY"),
        ("audit", "KEY"),
        ("KEY",),
    ],
    ids=" ".join,
)
def test_a_key_that_was_typed_as_an_argument_is_not_repeated(
    arguments: tuple[str, ...],
    sealed: Path,
    captured: Path,
    key: Path,
    secret: str,
    here: Callable[..., Result],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    typed = key.read_text(encoding="utf-8").splitlines()[-1]
    monkeypatch.setenv("CELLWRIGHT_TRACEBACK", "1")
    words = (typed if word == "KEY" else sealed if word == "BUNDLE" else word for word in arguments)
    told = here(*words, cwd=captured)
    assert told.code == 2
    assert secret not in told.out + told.err
    assert secret[:12] not in told.out + told.err


def test_help_shows_no_key_that_is_set(
    key: Path, secret: str, tmp_path: Path, here: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CELLWRIGHT_SEAL_KEY", key.read_text(encoding="utf-8").splitlines()[-1])
    for command in (("bundle",), ("page",), ("seal-key",), ("harness", "score")):
        done = here(*command, "--help", cwd=tmp_path)
        assert "--root" in done.out
        assert secret[:12] not in done.out + done.err


@pytest.mark.parametrize("bad", ["not a key", "AGE-SECRET-KEY-1SHORT", "../a.key"])
def test_a_setting_that_is_no_key_is_told_and_not_shown(bad: str, sealed: Path, tmp_path: Path) -> None:
    done = run("harness", "report", "--bundle", sealed, cwd=tmp_path, env={"CELLWRIGHT_SEAL_KEY": bad})
    refused(done, 2, r"^CELLWRIGHT_SEAL_KEY:1: the line is no key; expected `AGE-SECRET-KEY-1…`")
    assert bad not in done.err


def test_no_plain_byte_of_the_archive_touches_the_disk(
    sealed: Path, key: Path, tmp_path: Path, here: Callable[..., Result]
) -> None:
    """Whatever Python opens to write while a submission is graded: nothing but the output that was asked for."""
    written: list[str] = []
    watching = True

    def look(event: str, arguments: tuple[object, ...]) -> None:
        if (
            watching
            and event == "open"
            and isinstance(flags := arguments[2], int)
            and flags & (os.O_WRONLY | os.O_RDWR)
        ):
            written.append(str(arguments[0]))

    sys.addaudithook(look)
    out = tmp_path / "results.jsonl"
    done = here(
        "harness", "score", "--bundle", sealed, "--submission", ANSWERS, "--key-file", key, "--out", out, cwd=tmp_path
    )
    watching = False
    assert done.code == 0
    assert {Path(name).name.split(".tmp-")[0] for name in written} == {".results.jsonl"}
    assert snapshot(tmp_path).keys() == {"results.jsonl"}


def test_an_open_bundle_in_the_place_of_a_sealed_one_is_warned_of(
    sealed: Path, captured: Path, tmp_path: Path, here: Callable[..., Result]
) -> None:
    out = shutil.copytree(sealed, tmp_path / "out")
    done = here("bundle", "--out", out, cwd=captured)
    assert done.code == 0
    assert "warning: the bundle that was here was sealed, and this one tells every answer" in done.err
    assert "sealed.tar.age" not in snapshot(out)


def test_a_setting_that_is_neither_yes_nor_no_is_told_with_its_line(
    workshop: Workshop, here: Callable[..., Result]
) -> None:
    edit(workshop.root / "params.yaml", "sealed: false", "sealed: perhaps")
    refused(here("bundle", "--out", "out", cwd=workshop.root), 2, r"^params\.yaml:\d+ \(.*sealed`\): ")
