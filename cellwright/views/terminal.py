"""What people see on a terminal: audit, matrix, score, derivation. Colours there, none in a pipe."""

from __future__ import annotations

from cellwright.views.terminal_audit import print_audit
from cellwright.views.terminal_derivation import print_derivation
from cellwright.views.terminal_matrix import print_matrix
from cellwright.views.terminal_score import print_score
from cellwright.views.terminal_verification import print_verification

__all__ = ["print_audit", "print_derivation", "print_matrix", "print_score", "print_verification"]
