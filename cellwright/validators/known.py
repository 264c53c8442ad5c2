"""Findings told apart from those that stood at an earlier revision: what is new, what is known, what was mended.

A finding is the same as one before when rule, file, record and fields are, wherever its line has moved to and
whatever figure it shows now. One that names no record is the same only if it also says the same. Where a person
had accepted it and has not now, it is new.
"""

from __future__ import annotations

import re
from collections import Counter

from cellwright.records.findings import Finding, TaskAudit, TaskSince

_LINE = re.compile(r"(?<=[\w`]):\d+|\blines? \d+")
_Key = tuple[object, ...]


def new_since(now: TaskAudit, then: TaskAudit | None) -> TaskAudit:
    """The audit with only the findings that `then` does not have; None where the task was not there or unreadable."""
    if then is None:
        return now.model_copy(update={"since": TaskSince(known=0, mended=0, readable=False)})
    standing = Counter(map(_exact, then.findings))
    new: list[Finding] = []
    known = 0
    for finding in now.findings:
        if standing[_exact(finding)]:
            standing[_exact(finding)] -= 1
            known += 1
        else:
            new.append(finding)
    left = Counter(key[:-1] for key, count in standing.items() for _ in range(count))
    really_new = []
    for finding in new:
        key = _exact(finding)[:-1]
        if finding.record and left[key]:
            left[key] -= 1
            known += 1
        else:
            really_new.append(finding)
    mended = sum(count for key, count in left.items() if not key[-1])
    since = TaskSince(known=known, mended=mended)
    return now.model_copy(update={"findings": tuple(really_new), "since": since})


def _exact(finding: Finding) -> _Key:
    """What a finding is told from others by: the last part is what it says, the one before whether it is accepted."""
    said = _LINE.sub("", finding.observed)
    return finding.rule, finding.file, finding.record, finding.fields, bool(finding.waived), said
