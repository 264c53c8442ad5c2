"""A release is verified from nothing but its tag: what is wrong anywhere on its way is named."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import cellwright.authoring.bundles.parquet as bundle_parquet
import cellwright.harness.score as scoring
from cellwright.authoring.releases.verifying_releases import verify_bundle, verify_release
from cellwright.harness.rescoring import score_faults
from tests.cli.workshop import TASK, edit, environment, run
from tests.conftest import ROOT
from tests.releases.made_release import TAG, Release, trailers
from tests.releases.tampering import rehash
from tests.releases.verified import failed, state, verified, words

# DVC's own libraries warn of their own futures.
pytestmark = pytest.mark.filterwarnings("ignore")
SLOW = pytest.mark.slow


# -- a whole release


def test_a_release_is_verified_by_every_check_and_nothing_is_left_behind(released: Release, tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    done = run("release", "verify", released.root, "--rev", TAG, "--format", "json", cwd=tmp_path,
               env={"TMPDIR": str(tmp_path / "tmp")})  # fmt: skip
    assert (done.code, done.err) == (0, "")
    assert done.json["verified"] is True
    assert {check["state"] for check in done.json["checks"]} == {"met"}
    assert [check["name"] for check in done.json["checks"]] == [
        "tag", "pulled", "captures", "manifest", "files", "released", "tables", "digests", "made again", "read",
        "rebuilt", "scores",
    ]  # fmt: skip
    assert list((tmp_path / "tmp").iterdir()) == []


def test_settings_of_the_user_and_of_the_repository_take_no_part(release: Release, tmp_path: Path) -> None:
    home, ran = tmp_path / "home", tmp_path / "ran"
    home.mkdir()
    hook = tmp_path / "hooks" / "post-checkout"
    hook.parent.mkdir()
    hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
    hook.chmod(0o755)
    shutil.copytree(hook.parent, release.root / ".git" / "hooks", dirs_exist_ok=True)
    (home / ".gitconfig").write_text(
        f'[core]\n\thooksPath = {hook.parent}\n[filter "lfs"]\n\tsmudge = touch {ran}\n\trequired = true\n'
        '[url "ext::nothing "]\n\tinsteadOf = /\n'
    )
    (home / ".config" / "dvc").mkdir(parents=True)
    (home / ".config" / "dvc" / "config").write_text("[core]\n    remote = nobody\n")
    (release.root / ".gitattributes").write_text("*.csv filter=lfs\n")
    release.git("add", "-A")
    release.git("commit", "-q", "-m", "attributes")
    release.tag()
    env = {"HOME": str(home), "GIT_DIR": "/nowhere", "GIT_INDEX_FILE": "/nowhere", "XDG_CONFIG_HOME": ""}
    done = run("release", "verify", release.root, "--rev", TAG, cwd=tmp_path, env=env)
    assert done.code == 0, done.out + done.err
    assert not ran.exists()


@pytest.mark.parametrize("sent", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=SLOW)])
def test_a_verification_that_is_stopped_leaves_nothing_behind(
    sent: signal.Signals, released: Release, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "cellwright", "release", "verify", str(released.root), "--rev", TAG]
    process = subprocess.Popen(command, cwd=tmp_path, env=environment({"TMPDIR": str(tmp_path)}),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
    while process.poll() is None and not list(tmp_path.glob("cellwright-*/tree/tasks")):
        time.sleep(0.01)
    process.send_signal(sent)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert list(tmp_path.iterdir()) == []


# -- a tag that somebody moved


def test_a_tag_moved_to_another_commit_gives_another_bundle(release: Release) -> None:
    before = trailers(release.bundle)
    edit(release.root / "tasks" / TASK / "task.yaml", "title: ", "title: Other ")
    release.git("commit", "-q", "-am", "another title")
    release.tag(before)
    wrong = failed(verified(release))
    assert set(wrong) == {"rebuilt"}
    assert "tasks.parquet: the tag's files and captures give other bytes" in wrong["rebuilt"]


@SLOW
def test_a_plain_tag_is_no_release(release: Release) -> None:
    release.git("tag", "-f", TAG)
    assert failed(verified(release))["tag"] == f"the tag {TAG} is a plain one, without a message"


def test_a_tag_under_another_s_name_is_told(release: Release) -> None:
    release.git("update-ref", "refs/tags/v2.0.0", f"refs/tags/{TAG}")
    wrong = failed(verify_release(str(release.root), "v2.0.0", score_faults))
    assert wrong["tag"] == f"what the tag v2.0.0 leads to is the tag {TAG}"
    assert "bundle.json: `version` is 1.0.0, and the tag states 2.0.0" in wrong["manifest"]


@pytest.mark.parametrize(
    "trailer", ["bundle", *(pytest.param(name, marks=SLOW) for name in ("cells", "corpus", "tool"))]
)
def test_a_trailer_that_was_changed_is_held_against_the_bundle(trailer: str, release: Release) -> None:
    lines = trailers(release.bundle).splitlines()
    other = "cellwright 9.9.9" if trailer == "tool" else "0" * 64
    release.tag("\n".join(f"{trailer}: {other}" if line.startswith(f"{trailer}: ") else line for line in lines))
    assert "bundle.json: " in failed(verified(release))["manifest"]


@SLOW
def test_a_tag_without_trailers_states_nothing(release: Release) -> None:
    release.tag("Release 1.0.0\n")
    found = verified(release)
    assert "the tag states no `bundle:`" in failed(found)["tag"]
    assert state(found, "manifest") == "not checked"


# -- what moved


def test_a_score_that_code_alone_moved_is_named_with_old_and_new(
    released: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wrong scoring is made here: near answers earn nothing any more."""
    from decimal import Decimal

    right = scoring.grade

    def wrong(*arguments: object) -> scoring.Grade:
        earned = right(*arguments)  # type: ignore[arg-type]
        if earned.score == Decimal("0.25"):
            earned = type(earned)(*[
                Decimal(0) if getattr(earned, name) == Decimal("0.25") else getattr(earned, name)
                for name in earned.__dataclass_fields__
            ])  # fmt: skip
        return earned

    monkeypatch.setattr(scoring, "grade", wrong)
    told = failed(verified(released))
    assert set(told) == {"scores"}
    assert f"releases/submissions/near-misses/results.jsonl: {TASK}/" in told["scores"]
    assert "`score` was 0.25 and is 0" in told["scores"]
    assert "reference" not in told["scores"]


def test_the_offered_reference_answers_score_one_in_every_cell(released: Release) -> None:
    stored = (released.root / "releases" / "submissions" / "reference" / "results.jsonl").read_text(encoding="utf-8")
    assert [json.loads(line)["score"] for line in stored.splitlines()] == ["1"] * 64


@SLOW
def test_stored_results_that_were_changed_are_named(release: Release) -> None:
    results = release.root / "releases" / "submissions" / "reference" / "results.jsonl"
    edit(results, '"score":"1"', '"score":"0.5"')
    release.git("commit", "-q", "-am", "results")
    release.tag()
    told = failed(verified(release))["scores"]
    assert told.startswith(f"releases/submissions/reference/results.jsonl: {TASK}/aapl/diluted_eps: `score` was 0.5")


# -- other libraries


def other_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """As another version of the library would, write tables in other bytes."""
    write = bundle_parquet.pq.write_table

    def otherwise(table: object, out: object, **settings: object) -> None:
        write(table, out, **{**settings, "compression_level": 1, "use_dictionary": False})

    monkeypatch.setattr(bundle_parquet.pq, "write_table", otherwise)


@SLOW
def test_other_bytes_under_the_same_libraries_are_a_failure(released: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    other_bytes(monkeypatch)
    assert "facts.parquet: the tag's files and captures give other bytes" in failed(verified(released))["rebuilt"]


def test_under_other_libraries_the_digests_are_compared_and_the_libraries_are_named(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    (release.root / "requirements.lock").write_text("pyarrow==1.2.3 \\\n    --hash=sha256:0\njinja2==0.1\n")
    release.git("add", "-A")
    release.git("commit", "-q", "-m", "lock")
    release.tag()
    other_bytes(monkeypatch)
    found = verified(release)
    rebuilt = next(check for check in found.checks if check.name == "rebuilt")
    assert rebuilt.state == "met"
    assert "by the digests of tables, cells and corpus, since libraries differ (jinja2 0.1 then, " in words(rebuilt)
    assert "pyarrow 1.2.3 then, " in words(rebuilt)
    assert "facts.parquet" in words(rebuilt)


# -- a bundle that somebody got


def test_a_bundle_whose_every_hash_was_made_to_fit_is_named_by_the_tag(
    released: Release, bundle: Path, tmp_path: Path
) -> None:
    text = bundle / "README.md"
    text.write_text(text.read_text().replace("benchmark", "benchmarks"))
    rehash(bundle)
    done = run("release", "verify", bundle, "--rev", TAG, "--repository", released.root, cwd=tmp_path)
    assert done.code == 1
    assert "    README.md: the bytes are not those that DVC keeps" in done.out
    assert "    bundle.json: the file is not the one that the tag names" in done.out
    assert done.out.splitlines()[-1].startswith(f"{bundle} {TAG}: not verified; failed: manifest, released, made again")


@SLOW
def test_a_bundle_without_bundle_json_is_named_by_the_tag(released: Release, bundle: Path) -> None:
    (bundle / "bundle.json").unlink()
    wrong = failed(verify_bundle(bundle, str(released.root), TAG))
    assert "bundle.json: the file is missing" in wrong["manifest"]


def test_where_the_remote_cannot_be_reached_the_tag_still_names_bundle_json(release: Release, bundle: Path) -> None:
    shutil.rmtree(release.remote)
    rehash(bundle)
    (bundle / "README.md").write_text("mine")
    found = verify_bundle(bundle, str(release.root), TAG)
    assert state(found, "released") == "not checked"
    assert "README.md: the bytes are not those that were released" in failed(found)["files"]


@pytest.mark.slow
def test_with_pinned_the_bundle_is_built_by_the_libraries_that_the_tag_names(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The libraries here write other bytes; those of the tag's own pinned file write the released ones."""
    shutil.copytree(ROOT / "cellwright", release.root / "cellwright", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "requirements.lock", release.root)
    release.git("add", "-A")
    release.git("commit", "-q", "-m", "the program and its pinned file")
    release.tag()
    other_bytes(monkeypatch)
    assert "rebuilt" in failed(verified(release))
    found = verify_release(str(release.root), TAG, score_faults, pinned=True)
    rebuilt = next(check for check in found.checks if check.name == "rebuilt")
    assert (rebuilt.state, words(rebuilt)) == ("met", "17 files, byte for byte")


@SLOW
def test_pinned_needs_a_pinned_file(released: Release) -> None:
    found = verify_release(str(released.root), TAG, score_faults, pinned=True)
    assert state(found, "rebuilt") == "not checked"
