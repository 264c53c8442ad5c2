"""Damaged and hostile inputs for every reader: `python -m tests.fuzz [--inputs N] [--seed S] [--reader NAME]`.

Prints a line a reader: inputs, how many were refused in a sentence, faults, peak memory. Ends with 1 where a reader
raised anything but a sentence, hung, or killed its process. `--show NUMBER` writes one input to the standard output.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor

from tests.fuzz.readers import READERS, Reader
from tests.fuzz.run import Outcome, input_of, run

CHUNK = 5_000


def main() -> int:
    """Run the inputs asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=1_000_000, help="how many in all")
    parser.add_argument("--seed", default="0", help="another seed, other inputs")
    parser.add_argument("--reader", choices=[reader.name for reader in READERS], help="this reader only")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--show", type=int, metavar="NUMBER", help="write this input of --reader and stop")
    asked = parser.parse_args()
    chosen = [reader for reader in READERS if asked.reader in (None, reader.name)]
    if asked.show is not None:
        sys.stdout.buffer.write(input_of(chosen[0], asked.seed, asked.show))
        return 0
    whole = sum(reader.share for reader in chosen)
    faults = 0
    with ThreadPoolExecutor(asked.workers) as pool:
        print(f"{'reader':12} {'inputs':>10} {'refused':>10} {'faults':>7} {'peak MB':>8}", flush=True)
        for reader in chosen:
            count = -(-asked.inputs * reader.share // whole)
            ranges = [range(start, min(start + CHUNK, count)) for start in range(0, count, CHUNK)]
            parts = list(pool.map(lambda numbers, reader=reader: run(reader, asked.seed, numbers), ranges))
            faults += _told(reader, parts)
    return 1 if faults else 0


def _told(reader: Reader, parts: list[Outcome]) -> int:
    faults = [fault for part in parts for fault in part.faults]
    inputs, refused = sum(part.inputs for part in parts), sum(part.refused for part in parts)
    peak = max(part.peak for part in parts)
    print(f"{reader.name:12} {inputs:>10,} {refused:>10,} {len(faults):>7,} {peak / 1e6:>8.0f}", flush=True)
    for fault in faults[:20]:
        print(f"  --reader {fault.reader} --show {fault.number}: {fault.what}", flush=True)
    return len(faults)


if __name__ == "__main__":
    sys.exit(main())
