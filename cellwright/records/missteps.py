"""The names of missteps: what goes wrong on the way to a wrong answer (design, sections 1 and 8).

The order is the order of preference: where two missteps give one number, the earlier name says more about it.
"""

from __future__ import annotations

from typing import Literal

Origin = Literal["curated", "witness", "computed"]
"""Who thought of a near miss: the curator in `task.yaml`; a witness that gives a divergent cell another answer; or
the tool, which makes known missteps in the cell's own derivation. A computed one is for diagnosis and no more."""

MISSTEPS: dict[str, str] = {
    "total_for_segment": "the total taken for a part of it",
    "segment_for_total": "a part taken for the total",
    "gross_for_net": "a gross figure taken for a net one",
    "net_for_gross": "a net figure taken for a gross one",
    "witness_for_primary": "another reading taken for the primary one",
    "trap_for_primary": "the figure of a weak source taken for the primary one",
    "other_reading": "another figure of the same name taken: context, or withdrawn",
    "reversed_difference": "a difference or a change taken the wrong way round",
    "reversed_rank": "ranked from the other end",
    "wrong_base": "a change divided by the later figure instead of the earlier one, or the reverse",
    "wrong_divisor": "a mean over another number of figures than are added",
    "step_dropped": "the last step, or a part of it, left out",
    "ratio_inverted": "a ratio turned over",
    "wrong_period": "the year before taken for this year",
    "percent_for_fraction": "a percentage taken for a fraction: a hundred times too large",
    "fraction_for_percent": "a fraction taken for a percentage: a hundred times too small",
    "wrong_scale": "thousands or millions taken for units, or the reverse",
    "other_figure": "another figure of the same entity, period and unit taken",
    "sign_lost": "a negative figure read as a positive one",
    "other_entity": "the answer of another entity",
}
"""Each misstep's name with what it is, in plain words; those that computed near misses are made of."""
