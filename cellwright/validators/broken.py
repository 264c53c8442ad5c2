"""A rule that does not run to its end: that itself is a finding, and the rest of the audit goes on."""

from __future__ import annotations

from cellwright.records.errors import CellwrightError, Place, clip
from cellwright.records.findings import Finding
from cellwright.validators.registry import Hit, RuleInfo, broken_rule, finding_of

Found = tuple[RuleInfo, Hit, Finding]
"""A hit with the rule that has it and the finding that it makes."""


def broken(info: RuleInfo, error: BaseException) -> Found:
    """The finding that a rule has broken, of the rule's own condition."""
    rule = broken_rule(info.condition)
    hit = Hit(
        Place(record=info.id),
        clip(f"{info.id} broke: {_told(error)}", 300),
        "a rule that runs to its end",
        "tell the rule's authors; the other rules were checked",
    )
    return rule, hit, finding_of(rule, hit)


def _told(error: BaseException) -> str:
    """What an error says of itself; its kind alone where even that breaks."""
    try:
        return str(error) if isinstance(error, CellwrightError) else f"{type(error).__name__}: {error}"
    except Exception:  # the message of a plug-in's error is a plug-in's code
        return f"{type(error).__name__}: it cannot say why"
