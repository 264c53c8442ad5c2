"""What a person is told of a capture: what has no usable document, why, and how to mend it; counts at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from cellwright.authoring.captures.capture import CaptureSummary, SourceOutcome

MOST_SHOWN = 20
"""Sources told by name for each status; the rest are counted, and stand in sources/captures.csv."""

_BY_HAND = "open it in a browser, save it, then `cellwright capture TASK --from FILE SOURCE`"
MENDS = {
    "gone": "look for the document's new address at its publisher, and correct `url` in sources.csv",
    "blocked": f"tools are not let in: {_BY_HAND}",
    "challenge": f"the page wants proof that a person reads: {_BY_HAND}",
    "paywalled": f"what came is not the whole: cite a source that anybody can read, or, where you may, {_BY_HAND}",
    "rate_limited": "the host asks for patience: run it again later; CELLWRIGHT_PAUSE makes the pauses longer",
    "too_large": "cite the part of it that holds the figures, where that has an address of its own",
    "wrong_type": f"compare `url` and `media_type` in sources.csv with what the address shows; else {_BY_HAND}",
    "tls_error": f"the server's certificate is not in order, so nobody vouches for what it says: {_BY_HAND}",
    "dns_error": "check the host's name in `url` of sources.csv, and that you are connected",
    "timeout": "run it again later; CELLWRIGHT_MAX_SECONDS gives a slow server longer",
    "unreachable": "run it again later; where it stays so, look for another address of the document",
    "absent": "add a line for the address to the mirror's index.csv",
}
"""For each status without a usable document, what to do. TASK, FILE and SOURCE stand for the person's own."""


def unusable(summary: CaptureSummary) -> Iterator[str]:
    """A table of the sources without a usable capture, status by status: status, source, what was seen; the mend.

    Nothing where every source has one. What several sources have in common is said once.
    """
    by_status: dict[str, list[SourceOutcome]] = {}
    for outcome in summary.failed:
        by_status.setdefault(outcome.status, []).append(outcome)
    for status, outcomes in sorted(by_status.items()):
        for names, note in _shared(outcomes[:MOST_SHOWN]):
            where = names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
            yield f"{status:<12}  {summary.task}/{where}: {note}"
        if len(outcomes) > MOST_SHOWN:
            yield f"{status:<12}  and {len(outcomes) - MOST_SHOWN} more; sources/captures.csv names them"
        if status in MENDS:
            one = outcomes[0].source if len(outcomes) == 1 else "SOURCE"
            mend = MENDS[status].replace("TASK", summary.task).replace("SOURCE", one)
            yield f"{'':<12}  to mend: {mend}"


def remarks(summary: CaptureSummary) -> Iterator[str]:
    """What there is to say of captures that are usable, and warnings that were not told otherwise."""
    told = "".join(outcome.note for outcome in summary.failed)
    for names, note in _shared([outcome for outcome in summary.outcomes if outcome.action != "failed"]):
        if note:
            where = names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
            told += note
            yield f"{summary.task}/{where}: {note}"
    for warning in summary.warnings:
        if warning.partition(": ")[0] not in told:
            yield warning


def counts(summary: CaptureSummary) -> str:
    """How many sources each action befell, and of what failed how many each status."""
    parts = [f"{count} {action}" for action, count in summary.counts.items()] or ["no sources"]
    statuses = Counter(outcome.status for outcome in summary.outcomes if outcome.status)
    statuses = statuses if set(statuses) != {"ok"} else Counter()
    by_status = ", ".join(f"{count} {status}" for status, count in sorted(statuses.items()))
    return f"{summary.task}: {', '.join(parts)}{f' ({by_status})' if by_status else ''}"


def stopped(summary: CaptureSummary) -> str:
    """Where a person stopped it: what is kept, and how to go on."""
    done = len(summary.outcomes)
    return (
        f"{summary.task}: stopped; {done} of {done + summary.left} sources are done and kept; "
        f"`cellwright capture {summary.task}` goes on with the other {summary.left}"
    )


def _shared(outcomes: list[SourceOutcome]) -> list[tuple[list[str], str]]:
    """The sources that one note is about, and the note."""
    by_note: dict[str, list[str]] = {}
    for outcome in outcomes:
        by_note.setdefault(outcome.note, []).append(outcome.source)
    return [(names, note) for note, names in by_note.items()]
