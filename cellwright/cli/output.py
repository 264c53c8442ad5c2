"""Where results go: machine output to the standard output only, people's output with colours on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cellwright.views.safe import fit

if TYPE_CHECKING:
    from rich.console import Console

Progress = Callable[[int, int, str], None]
STOPPED = 130
"""The exit code of a run that a person stopped."""
PIPE_WIDTH = 120
"""Columns of text for people in a pipe or a file: the same wherever it runs."""


class ReaderGone(Exception):
    """The reader of the standard output has gone, as `head` does when it has seen enough."""


def console() -> Console:
    """The standard output for people: colours and the terminal's width there, neither in a pipe."""
    from rich.console import Console

    class Output(Console):
        def on_broken_pipe(self) -> None:
            raise ReaderGone

    if sys.stdout.isatty():
        return Output(highlight=False, emoji=False, markup=False)
    return Output(highlight=False, emoji=False, markup=False, width=PIPE_WIDTH, color_system=None, force_terminal=False)


def print_line(out: Console, text: str, indent: int = 0) -> None:
    """A line for people: folded between words on a terminal, one line in a pipe so that `grep` finds it whole."""
    from rich.padding import Padding

    if out.is_terminal:
        out.print(Padding(fit(text), (0, 0, 0, indent)))
    else:
        out.print(" " * indent + fit(text), soft_wrap=True)


def say(text: str) -> None:
    """A line for people on the error stream, so that a pipe carries results only."""
    print(fit(text), file=sys.stderr)


def agreed(question: str, *, yes: bool) -> bool:
    """Whether a person says yes on a terminal; `yes` and a pipe, where nobody can be asked, stand for it."""
    if yes or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return True
    import typer

    return typer.confirm(question)


def write_json(value: Any, out: Path | None = None) -> None:
    """`value` as JSON, keys in their order, to a file or the standard output."""
    import json

    write_text(json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n", out)


def write_text(text: str, out: Path | None = None) -> None:
    """Text to a file, written whole or not at all, or to the standard output."""
    write_bytes(text.encode("utf-8"), out)


def write_bytes(data: bytes, out: Path | None = None) -> None:
    """Bytes to a file, written whole or not at all, or to the standard output."""
    if out is None:
        try:
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            raise ReaderGone from None
        return
    from cellwright.clients.disk import write_atomic

    write_atomic(out, data)


@contextmanager
def progress(what: str) -> Iterator[Progress | None]:
    """A progress bar on a terminal; nothing in a pipe. Called with (done, total, what is being done)."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        job = bar.add_task(what, total=None)

        def tell(done: int, total: int, now: str) -> None:
            bar.update(job, completed=done, total=total, description=f"{what} {now[:40]}")

        yield tell
