"""How the benchmarks measure: interleaved rounds, the best of each, peak memory of a process of its own."""

from __future__ import annotations

import gc
import resource
import sys
import time
from collections.abc import Callable


def best_of(rounds: int, **work: Callable[[], object]) -> dict[str, float]:
    """Seconds of processor time of each piece of work, the best of `rounds`, run in turn: A B A B …"""
    best = dict.fromkeys(work, float("inf"))
    for _ in range(rounds):
        for name, run in work.items():
            gc.collect()
            start = time.process_time()
            run()
            best[name] = min(best[name], time.process_time() - start)
    return best


def peak_megabytes() -> float:
    """The most memory this process has held at once, children left out."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1_000_000 if sys.platform == "darwin" else peak / 1_000


def tell(what: str, ours: float, bare: float, goal: str) -> None:
    """One line: the ratio, both times, the goal, peak memory so far."""
    print(
        f"{what:<44} {ours / bare:6.2f} ×   ({ours:.3f} s to {bare:.3f} s; goal {goal}; "
        f"peak {peak_megabytes():.0f} MB)",
        flush=True,
    )
