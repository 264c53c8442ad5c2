"""How densely a benchmark is documented: URLs and publishers a cell, steps a derivation, the mix of tiers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from decimal import Decimal

from cellwright.records.bundle import Rows
from cellwright.records.decimals import CONTEXT

TIERS = ("T1", "T2", "T3", "T4")
PUBLISHED = {
    "urls_per_cell": "3.2",
    "publishers_per_cell": "2.4",
    "steps_per_derivation_cell": "2.8",
    "T1_percent": "61",
    "T2_percent": "24",
    "T3_or_T4_percent": "15",
}
"""The same figures as the description of DeepWeb-Bench gives them (100 tasks, arXiv 2605.21482)."""


def record_density(tables: Mapping[str, Rows]) -> dict[str, str]:
    """URLs and publishers a cell, steps a derivation cell, tier mix in percent; one decimal each.

    A cell's sources are those of the facts its answer rests on; a not-available cell counts with none. The tiers
    are those of the sources, each counted once a task.
    """
    address = {(row["task"], row["source"]): row for row in tables["sources"]}
    urls, publishers = 0, 0
    for cell in tables["cells"]:
        mine = [address[cell["task"], name] for name in json.loads(cell["sources"])]
        urls += len({source["url"] for source in mine})
        publishers += len({source["publisher"] for source in mine})
    steps = Counter((row["task"], row["entity"], row["dimension"]) for row in tables["steps"])
    derived = [cell for cell in tables["cells"] if cell["family"] == "derivation"]
    step_count = sum(steps[cell["task"], cell["entity"], cell["dimension"]] for cell in derived)
    tiers = Counter(row["tier"] for row in tables["sources"])
    density = {
        "urls_per_cell": _ratio(urls, len(tables["cells"])),
        "publishers_per_cell": _ratio(publishers, len(tables["cells"])),
        "steps_per_derivation_cell": _ratio(step_count, len(derived)),
    }
    mix = {f"{tier}_percent": _ratio(100 * tiers[tier], len(tables["sources"])) for tier in TIERS}
    weak = _ratio(100 * (tiers["T3"] + tiers["T4"]), len(tables["sources"]))
    return {**density, **mix, "T3_or_T4_percent": weak}


def density_lines(tables: Mapping[str, Rows]) -> list[str]:
    """The card's section: each figure of this bundle beside the published one."""
    density = record_density(tables)
    words = {
        "urls_per_cell": "URLs a cell",
        "publishers_per_cell": "publishers a cell",
        "steps_per_derivation_cell": "steps a derivation cell",
        "T1_percent": "sources of tier T1, %",
        "T2_percent": "sources of tier T2, %",
        "T3_or_T4_percent": "sources of tier T3 or T4, %",
    }
    return [
        "## Record density",
        "",
        "| | here | published |",
        "| --- | ---: | ---: |",
        *[f"| {text} | {density[name]} | {PUBLISHED[name]} |" for name, text in words.items()],
        "",
        "*Published* are the figures that DeepWeb-Bench gives of its 100 tasks. Here a cell counts the sources that",
        "its answer rests on, a cell whose answer is not available with none; a tier tells how a source stands to",
        "the figure (T1 primary disclosure to T4 informal), and is no mark of quality.",
        "",
    ]


def _ratio(part: int, whole: int) -> str:
    if not whole:
        return "0.0"
    return str(CONTEXT.divide(Decimal(part), Decimal(whole)).quantize(Decimal("0.1"), context=CONTEXT))
