"""The audit's power as a table: `python -m tests.power [--times N] [--clean N]`; `make audit-power` runs it.

Writes docs/audit-power.md and prints the same. Ends with 1 where a planted fault was not told by the rule meant for
it, or where a clean task has a finding.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from multiprocessing import get_context

from tests.power.draft import ROOT, shipped
from tests.power.kinds import READING
from tests.power.measure import Count, all_kinds, false_alarms
from tests.power.workers import CHUNK, alarms_in, measured

PAGE = ROOT / "docs" / "audit-power.md"
HEAD = """\
# The power of the audit, measured

`make audit-power` makes this page. It generates clean tasks of many shapes (6 to 10 entities by 6 to 10 dimensions,
figures random but consistent, labels and second opinions worked out apart from the audit) and plants faults into
them and into the shipped task, one fault at a time. A fault is *caught* when the rule meant for it tells it; *by
another* when only other rules do; *missed* when the audit says nothing. A rule called `reading` is the reader of the
files, which refuses the task before any rule runs.

What this shows and what not: the faults are those that we thought of. Faults of other kinds are caught as well as
the rules happen to reach.
"""


def page(counts: Sequence[Count], alarms: Sequence[tuple[str, str]], clean: int) -> str:
    """The page in Markdown."""
    planted, meant = sum(count.planted for count in counts), sum(count.meant for count in counts)
    missed = sum(count.missed for count in counts)
    told = ", ".join(f"{rule} ({number})" for rule, number in sorted(Counter(rule for _, rule in alarms).items()))
    rules = len({count.kind.rule for count in counts if count.kind.rule != READING})
    lines = [
        HEAD,
        f"- {len(counts)} kinds of fault, meant for {rules} rules; {planted:,} planted: {meant:,} caught by the rule"
        f" meant, {planted - meant - missed:,} by another, {missed:,} missed.",
        f"- {clean + 1} clean tasks (the shipped one among them): {len(alarms)} findings{f': {told}' if told else ''}."
        " The shipped task's marks for its stand-in captures are not counted.",
        "",
        "| kind of fault | what goes wrong | rule meant | planted | caught | by another | missed |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for count in counts:
        other = sum(count.other.values())
        named = f" ({', '.join(sorted(count.other))})" if other else ""
        kind = count.kind
        rule = kind.rule if kind.rule == READING else f"[{kind.rule}](../guidelines/rules/{kind.rule}.md)"
        cells = (f"`{kind.name}`", kind.says, rule, count.planted, count.meant, f"{other}{named}", count.missed)
        lines.append(f"| {' | '.join(str(cell) for cell in cells)} |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write the page."""
    parser = argparse.ArgumentParser(prog="audit-power", description=__doc__)
    parser.add_argument("--times", type=int, default=8, help="how often each kind is planted")
    parser.add_argument("--clean", type=int, default=200, help="how many clean tasks are audited")
    parser.add_argument("--workers", type=int, default=2, help="how many processes measure")
    given = parser.parse_args(arguments)
    kinds = {kind.name: kind for kind in all_kinds()}
    alarms, counts = list(false_alarms([shipped()])), []
    with get_context("spawn").Pool(given.workers) as pool:  # a fork would share the threads of the tables' library
        starts = [(first, min(CHUNK, given.clean - first)) for first in range(0, given.clean, CHUNK)]
        cleaned = pool.starmap_async(alarms_in, starts, chunksize=1)
        found = pool.starmap_async(measured, [(name, given.times) for name in kinds], chunksize=8)
        for name, planted, meant, other, missed in found.get():
            counts.append(Count(kinds[name], planted, meant, other, missed))
            print(f"{name}: {meant} of {planted}", file=sys.stderr, flush=True)
        alarms += [alarm for part in cleaned.get() for alarm in part]
    text = page(counts, alarms, given.clean)
    PAGE.write_text(text, encoding="utf-8")
    print(text)
    return 0 if not alarms and all(count.whole for count in counts) else 1


if __name__ == "__main__":
    raise SystemExit(main())
