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
the rules happen to reach. How well, was tried once: before the rules of `faults_words`, `faults_evidence`,
`faults_steps` and `faults_people` were written, 198 kinds of fault were written down before the rules were read one by
one, and the 196 of them that found a place were planted four times each. The rule meant for it, or one that
does as well, told 20 kinds; 72 were told by other rules only, most of them by a second opinion that differed; 104
were missed at least once. The rules were then written, and all but a few of those kinds stand in the table below;
the few stand at its end.
"""
FOOT = """
## What no audit can see

Some faults leave no trace in the files. They are for the reviewer, and the guidelines ask for them by name.

- **The wrong line under the right words.** Gross for net, or basic for diluted, where neither the fact's name nor the
  label says which. A document that is read alike for all years, in the wrong scale, with no word of scale in the
  quotes, and no witness.
- **A sign that fits.** Cost added where it is to be subtracted, or an outflow read as an inflow for all years and
  entities, where no check, second opinion or witness stands against it.
- **The other of two good readings.** A mean of ratios or the ratio of the sums, an end balance or an average one,
  growth from the middle of both years: only the ask says which is meant, and it is read for plain words in English.
- **A last step dropped, with the step before in the same unit,** where nobody stated a value and no near miss is the
  same figure.
- **Who stands behind a publisher.** A wire story that two newspapers print is one witness; `sources/registry.csv` must
  say so. Two people of one name, or one person of two names that are not alike, are what the files say.
- **A period moved by a few days.** A year of 364 days is a year of 52 weeks for one company, and a slip for another.
- **An assumption whose unit is lost.** Ten without percent is ten times as much; the answer shows it only where
  somebody knows about how large it must be.
- **A figure typed as an assumption** is told where it is the answer of a cell; else it looks like any scenario.
- **A range so wide that it says nothing**, where no constant falls into most of them.
- **What a search found.** That an outcome says «found» in words of one's own.
- **A waiver for everything.** A waiver that names no entity and no dimension accepts all that its rule finds: it may
  be meant. It is shown wherever the audit is shown.
- **A trap that nobody set.** A figure that every source repeats, and that is wrong in all of them.
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
    return "\n".join(lines) + "\n" + FOOT


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
