"""Runs the program's own `main` on one contribution after another, in one process with bounded memory.

Reads a JSON list of argument lists from the standard input; prints for each the exit code, what was said, and the
process's peak memory in bytes at its end.
"""

from __future__ import annotations

import io
import json
import resource
import sys

MEMORY = 3_000_000_000
"""Bytes of address space that the process may have in all: libraries take the most of it."""


def main() -> None:
    jobs = json.load(sys.stdin)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    from cellwright.cli import main as program

    told = []
    for arguments in jobs:
        out, error = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
        real = sys.stdout, sys.stderr
        sys.argv, sys.stdout, sys.stderr = ["cellwright", *arguments], out, error
        code = 0
        try:
            program()
        except SystemExit as stopped:
            code = int(stopped.code or 0)
        finally:
            sys.stdout, sys.stderr = real
        said = []
        for stream in (out, error):
            stream.flush()
            said.append(stream.buffer.getvalue().decode("utf-8"))  # type: ignore[attr-defined]
        told.append({"code": code, "out": said[0], "err": said[1], "peak": _peak()})
    print(json.dumps(told))


def _peak() -> int:
    """Not `getrusage`, which begins with what the process had that started this one."""
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM:"))


if __name__ == "__main__":
    main()
