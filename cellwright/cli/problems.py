"""What is told of an error of the user's: a sentence for each problem, on the error stream."""

from __future__ import annotations

import os
import sys

from cellwright.records.errors import CellwrightError
from cellwright.views.safe import one_line

MOST_TOLD = 20
"""Problems of one error that are told; the rest are counted."""


def tell(error: CellwrightError) -> None:
    """Each problem as one sentence on the error stream, `error:` in red where that is a terminal."""
    colour = sys.stderr.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    mark = "\x1b[1;31merror:\x1b[0m" if colour else "error:"
    shown = error.problems[:MOST_TOLD]
    for problem in shown:
        print(f"{mark} {one_line(problem.sentence())}", file=sys.stderr)
    if len(error.problems) > len(shown):
        print(f"{mark} and {len(error.problems) - len(shown)} more like these", file=sys.stderr)
