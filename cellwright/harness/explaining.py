"""Why one submission's score changed from one release to another: both results found or made, then the bridge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cellwright.clients.bundle_reader import Bundle
from cellwright.harness.carrying import carried
from cellwright.harness.result_lines import StoredResults, read_results, require_of, stored_of
from cellwright.harness.score import score_submission
from cellwright.harness.submission import load_submission
from cellwright.records.errors import UnreadableInput
from cellwright.records.releases.bridge import Bridge, CellResult, bridge
from cellwright.records.releases.changes import CellKey, ReleaseDiff
from cellwright.records.releases.versions import Version


@dataclass(frozen=True)
class Explained:
    """The bridge, and where each of its two ends comes from."""

    bridge: Bridge
    sources: tuple[str, str]
    """In words: `results.jsonl`, `answers.jsonl, scored now`, `results.jsonl, carried over`."""
    open_cells: int = 0
    """Cells of which only bounds are known, as there was no submission to score again."""
    unanswered: int = 0
    """Cells that joined later than the results were made, and count 0."""


def explain(old: Bundle, new: Bundle, diff: ReleaseDiff, results: Sequence[Path], submission: Path | None) -> Explained:
    """The bridge from a submission's score on `old` to that on `new`.

    Two results: one of each release, told apart by their digests. One, and the submission: the other is scored now.
    One alone: its answers are graded again as far as a result line tells them. The submission alone: both are scored
    now. Raises UnreadableInput where results are not those of either release, or neither is given.
    """
    if len(results) > 2 or not (results or submission):
        raise UnreadableInput(
            "there is nothing to explain" if not results else "there are too many results",
            seen=f"{len(results)} results",
            expected="`--results FILE` once or twice, or `--submission FILE`, or both",
        )
    pair = _placed([read_results(path) for path in results], old, new)
    ends: list[dict[CellKey, CellResult]] = []
    words: list[str] = []
    open_cells = unanswered = 0
    for stored, bundle, other, known in ((pair[0], old, new, pair[1]), (pair[1], new, old, pair[0])):
        told = ""
        if stored is None and submission is not None:
            report = score_submission(bundle, load_submission(submission, bundle, elsewhere=other))
            stored, told = stored_of(report, submission.name), ", scored now"
        if stored is not None:
            ends.append({key: line.result for key, line in stored.lines.items()})
            words.append(f"{stored.name}{told}")
        elif known is not None:
            end = carried(known, bundle, diff, later=_is_later(bundle, other))
            open_cells, unanswered = end.open_cells, end.unanswered
            ends.append(end.results)
            words.append(f"{known.name}, its answers graded again")
    return Explained(bridge(diff, ends[0], ends[1]), (words[0], words[1]), open_cells, unanswered)


def _is_later(bundle: Bundle, other: Bundle) -> bool:
    """Whether a bundle is of a later version; False where one of them has none."""
    try:
        return Version.parse(bundle.version) > Version.parse(other.version)
    except UnreadableInput:
        return False


def _placed(
    results: Sequence[StoredResults], old: Bundle, new: Bundle
) -> tuple[StoredResults | None, StoredResults | None]:
    """Which results are of which release, by the digests of the cells; by their order where both have the same."""
    if not results:
        return None, None
    if len(results) == 1:
        if results[0].are_of(old):
            return results[0], None
        if results[0].are_of(new):
            return None, results[0]
        require_of(results[0], old, new)
    first, second = results[0], results[-1]
    if not (first.are_of(old) and second.are_of(new)) and first.are_of(new) and second.are_of(old):
        first, second = second, first
    require_of(first, old, new)
    require_of(second, new, old)
    return first, second
