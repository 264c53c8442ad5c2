"""The test kit for plug-ins: one call in pytest holds a plug-in to the contract (docs/plug-ins.md).

from cellwright.authoring.plug_in_kit import check_plug_in

def test_our_plug_in_keeps_the_contract() -> None:
    check_plug_in("cellwright-house-style")
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from cellwright.authoring.plug_in_fixtures import TASK, Fixture, large_task, small_task
from cellwright.authoring.plug_ins import PROFILES, RULES

__all__ = ["CONTRACT", "TASK", "Fixture", "check_plug_in", "large_task", "plug_in_faults", "small_task"]

CONTRACT = 1
"""The version of the contract between Cellwright and plug-ins. It goes up with Cellwright's major version only."""
SECONDS = 300
"""How long a plug-in with all its fixtures may take."""
_SEEDS = ("1", "2")
_SEED_MATTERS = "it finds other things under another hash seed: sort what you take from a set"


def check_plug_in(name: str, *, seconds: float = SECONDS) -> None:
    """Raises AssertionError, a line a fault, where the installed plug-in does not keep the contract."""
    faults = plug_in_faults(name, seconds=seconds)
    assert not faults, f"{name} does not keep the contract:\n" + "\n".join(f"- {fault}" for fault in faults)


def plug_in_faults(name: str, *, seconds: float = SECONDS) -> tuple[str, ...]:
    """What keeps the installed distribution `name` from being a plug-in that keeps the contract, a sentence each.

    It is loaded and run in processes of its own, with two hash seeds; after `seconds` they are ended.
    """
    try:
        points = distribution(name).entry_points
    except (PackageNotFoundError, ValueError):
        return (f"the plug-in `{name}` is not installed here",)
    if not any(point.group in (RULES, PROFILES) for point in points):
        return (f"`{name}` gives neither rules nor profiles: it has no entry point of {RULES} or {PROFILES}",)
    runs = []
    for seed in _SEEDS:
        lines, fault = _run(name, seed, seconds)
        faults = [str(line["fault"]) for line in lines if "fault" in line]
        if fault:
            return tuple(dict.fromkeys([*faults, fault]))
        runs.append((faults, [line["found"] for line in lines if "found" in line]))
    (first, found), (second, found_again) = runs
    others = {item["rule"]: item["hits"] for item in found_again}
    differing = [item["rule"] for item in found if _differ(item["hits"], others.get(item["rule"], {}))]
    seeds = [f"{rule}: {_SEED_MATTERS}" for rule in differing]
    return tuple(dict.fromkeys([*first, *second, *seeds]))


def _differ(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two processes found different things where both came to an end."""
    return any(one[way] != other[way] for way in one.keys() & other.keys())


def _run(name: str, seed: str, seconds: float) -> tuple[list[dict[str, Any]], str]:
    """What the process told, and why it did not come to its end; empty where it did."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "told.jsonl"
        command = [sys.executable, "-m", "cellwright.authoring.plug_in_child", name, str(out)]
        path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
        # Only the first is guarded and timed: what it tells holds for the second.
        more = ["guard"] if seed == _SEEDS[0] else []
        try:
            done = subprocess.run(
                [*command, *more], env=environment, capture_output=True, timeout=seconds, check=False, cwd=folder
            )
        except subprocess.TimeoutExpired:
            lines = _lines(out)
            return lines, f"{_now(lines)}: it has not ended after {seconds:g} s"
        lines = _lines(out)
        if not any("end" in line for line in lines):
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            return lines, f"{_now(lines)}: it ended the program ({said[-1] if said else f'exit {done.returncode}'})"
        return lines, ""


def _now(lines: list[dict[str, Any]]) -> str:
    return next((str(line["now"]) for line in reversed(lines) if "now" in line), "before it was loaded")


def _lines(out: Path) -> list[dict[str, Any]]:
    if not out.exists():
        return []
    found = []
    for line in out.read_text(encoding="utf-8").splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:  # the last line of a process that was ended may be cut short
            break
    return found
