"""Numbers as findings show them to people."""

from __future__ import annotations

from decimal import Decimal

from cellwright.records.decimals import CONTEXT, canonical

_SHORT = CONTEXT.copy()
_SHORT.prec = 6


def short(value: Decimal | None) -> str:
    """A value with six digits at most."""
    return "nothing" if value is None else canonical(value.normalize(_SHORT))
