"""Stored submissions are scored anew, and what moved is told cell by cell."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from cellwright.clients.bundle_reader import Bundle
from cellwright.harness.offered import near_miss_submission, reference_submission
from cellwright.harness.rescoring import moved, rescore, rescored, score_faults
from cellwright.harness.submission import read_submission
from cellwright.records.errors import UnreadableInput


def results(bundle: Bundle, submission: bytes) -> list[dict[str, str | None]]:
    return [json.loads(line) for line in rescore(bundle, read_submission(submission, bundle, "s.jsonl")).splitlines()]


def test_the_reference_answers_score_one_in_every_cell_whose_reference_follows_from_its_facts(bundle: Bundle) -> None:
    """The one of nio's profit in the small bundle is a little off what its facts give."""
    less = {line["entity"] for line in results(bundle, reference_submission(bundle)) if line["score"] != "1"}
    assert less == {"nio"}


def test_no_near_miss_scores_one(bundle: Bundle) -> None:
    found = [line for line in results(bundle, near_miss_submission(bundle)) if line["outcome"] == "scored"]
    assert found
    assert "1" not in {line["score"] for line in found}


def test_result_lines_are_sorted_by_cell_and_the_same_each_time(bundle: Bundle) -> None:
    submission = read_submission(reference_submission(bundle), bundle, "s.jsonl")
    data = rescore(bundle, submission)
    keys = [(row["task"], row["entity"], row["dimension"]) for row in map(json.loads, data.splitlines())]
    assert keys == sorted(keys)
    assert rescore(bundle, submission) == data


def store(root: Path, files: dict[str, bytes]) -> None:
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)


def test_a_repository_without_submissions_is_offered_two_and_keeps_its_own(
    tmp_path: Path, write: Callable[..., Path]
) -> None:
    folder = write()
    offered = rescored(tmp_path, folder)
    assert sorted(offered) == [
        f"releases/submissions/{name}/{file}"
        for name in ("near-misses", "reference")
        for file in ("results.jsonl", "submission.jsonl")
    ]
    store(tmp_path, offered)
    assert rescored(tmp_path, folder) == {
        path: data for path, data in offered.items() if path.endswith("results.jsonl")
    }
    assert score_faults(tmp_path, folder) == (2, [])


def test_each_score_that_moved_is_told_with_old_and_new() -> None:
    def lines(*scores: str | None) -> bytes:
        rows = [{"task": "t", "entity": f"e{at}", "dimension": "d", "score": score} for at, score in enumerate(scores)]
        return "".join(json.dumps(row) + "\n" for row in rows).encode()

    assert moved(lines("1", "0.5"), lines("1", "0.5")) == []
    assert moved(lines("1", "0.5"), lines("1", "0.25")) == ["t/e1/d: `score` was 0.5 and is 0.25"]
    assert moved(lines("1", None), lines("1", "1")) == ["t/e1/d: `score` was open and is 1"]
    assert moved(lines("1", "1"), lines("1")) == ["t/e1/d: is scored no more"]
    assert moved(lines("1"), lines("1", "1")) == ["t/e1/d: is scored, and was not stored"]


@pytest.mark.parametrize("stored", [b"{", b"[]\n", b'{"task": 1}\n', b"\xff\n", b"[" * 100_000])
def test_stored_results_that_cannot_be_read_are_told(stored: bytes) -> None:
    assert moved(stored, b"") == ["the stored results cannot be read"]


def test_a_submission_that_cannot_be_read_or_has_no_results_is_told(tmp_path: Path, write: Callable[..., Path]) -> None:
    folder = write()
    offered = rescored(tmp_path, folder)
    store(tmp_path, offered)
    top = tmp_path / "releases" / "submissions"
    (top / "reference" / "results.jsonl").unlink()
    (top / "near-misses" / "submission.jsonl").write_text("{")
    count, faults = score_faults(tmp_path, folder)
    assert count == 2
    assert [file for file, _ in faults] == [
        "releases/submissions/near-misses/submission.jsonl",
        "releases/submissions/reference/results.jsonl",
    ]


def test_a_submission_behind_a_link_that_leads_out_is_refused(tmp_path: Path, write: Callable[..., Path]) -> None:
    root = tmp_path / "root"
    folder = write()
    store(root, rescored(tmp_path, folder))
    secret = tmp_path / "secret.jsonl"
    secret.write_text("{}")
    results = root / "releases" / "submissions" / "reference" / "results.jsonl"
    results.unlink()
    results.symlink_to(secret)
    assert "leads out of the repository" in score_faults(root, folder)[1][0][1]
    (tmp_path / "root" / "bundle.json").write_text("{}")
    with pytest.raises(UnreadableInput):
        rescored(root, tmp_path / "root")
