"""Near names for a name that is not there."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`did you mean x? ` when a known name is near, else nothing; for the end of a sentence."""
    near = get_close_matches(name[:80].lower(), sorted(known), n=1, cutoff=0.7)
    return f"did you mean `{near[0]}`? " if near else ""
