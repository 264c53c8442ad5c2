"""The program run on a terminal, by a person who answers its question."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

from tests.cli.workshop import Workshop, environment


def on_a_terminal(shop: Workshop, types: bytes, *arguments: str) -> tuple[int, str]:
    """The program run on a terminal by a person who types."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "cellwright", *arguments],
        cwd=shop.root,
        env=environment({"TERM": "xterm", "COLUMNS": "200"}),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    seen = b""
    typed = False
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        if not part:
            break
        seen += part
        if not typed and b"[y/N]" in seen:
            os.write(ours, types)
            typed = True
    code = process.wait(60)
    os.close(ours)
    return code, seen.decode("utf-8", "replace")
