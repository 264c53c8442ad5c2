"""What is seen: colours on a terminal and none in a pipe, the same words everywhere, and a reader that goes away."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.workshop import ESCAPE, TASK, Result, Workshop, edit, environment, run
from tests.conftest import missing

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]")
CELL = ("derive", TASK, "nvda/fcf_margin")
COLOUR = re.compile(r"\x1b\[[0-9;]*(3[0-7]|4[0-7]|9[0-7]|38;5)[0-9;]*m")
ELSEWHERE = {"LC_ALL": "C", "LANG": "C", "TZ": "Asia/Tokyo", "PYTHONHASHSEED": "7", "PYTHONUTF8": "0", "TERM": "dumb"}
HERE = {"LC_ALL": "C.UTF-8", "TZ": "America/Lima", "PYTHONHASHSEED": "1", "TERM": "xterm-256color", "COLUMNS": "40"}


def on_a_terminal(*arguments: str, cwd: Path, env: dict[str, str] | None = None, width: int = 100) -> Result:
    """Run the program with its output and its errors on a pseudo-terminal; both come back in `out`."""
    try:
        import fcntl
        import pty
        import struct
        import termios
    except ImportError:
        missing("this system has no pseudo-terminals")
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    child = subprocess.Popen(
        [sys.executable, "-m", "cellwright", *arguments], cwd=cwd, stdin=slave, stdout=slave, stderr=slave,
        env=environment({"TERM": "xterm-256color", **(env or {})}),
    )  # fmt: skip
    os.close(slave)
    seen = bytearray()
    try:
        while part := os.read(master, 1 << 16):
            seen += part
    except OSError as error:
        if error.errno != errno.EIO:  # Linux tells so that the last one who wrote has gone.
            raise
    finally:
        os.close(master)
    return Result(child.wait(timeout=60), seen.decode("utf-8").replace("\r\n", "\n"), "")


def plain(text: str) -> str:
    """What is left to read when the styles are taken away."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)


def test_a_terminal_gets_colours_and_a_pipe_the_same_words_without(captured: Path) -> None:
    seen = on_a_terminal(*CELL, cwd=captured)
    piped = run(*CELL, cwd=captured)
    assert seen.code == piped.code == 0
    assert COLOUR.search(seen.out)
    assert ESCAPE not in piped.out
    assert plain(seen.out) == piped.out


def test_colours_are_left_out_where_nobody_wants_them(captured: Path) -> None:
    assert not COLOUR.search(on_a_terminal(*CELL, cwd=captured, env={"NO_COLOR": "1"}).out)
    assert ESCAPE not in on_a_terminal("derive", "nope", cwd=captured, env={"NO_COLOR": "1"}).out
    assert "\x1b[1;31merror:\x1b[0m tasks/nope" in on_a_terminal("derive", "nope", cwd=captured).out


def test_a_narrow_terminal_loses_no_word(captured: Path) -> None:
    wide, narrow = (plain(on_a_terminal(*CELL, cwd=captured, width=width).out) for width in (100, 40))
    assert all(len(line) <= 40 for line in narrow.splitlines())
    assert "".join(narrow.split()) == "".join(wide.split())


def test_progress_is_shown_on_a_terminal_and_never_in_a_pipe(workshop: Workshop) -> None:
    seen = on_a_terminal("locate", TASK, cwd=workshop.root)
    piped = run("locate", TASK, cwd=workshop.root)
    assert "/236" in seen.out
    assert piped.err.replace("\n", "") == "" or piped.err.startswith("--write would fill")


def test_output_is_the_same_in_every_locale_time_zone_and_terminal(workshop: Workshop) -> None:
    """Figures, dashes and names that no ASCII holds come out as UTF-8 everywhere."""
    edit(workshop.task / "task.yaml", "name: Alphabet Inc.", "name: Алфавит Å/S 株式会社")
    edit(workshop.task / "facts.csv", '"Total net sales 383', '"Total nett sales – 383')
    for arguments in (("audit",), ("derive", TASK, "--format", "json")):
        here, there = (workshop.run(*arguments, env=env) for env in (HERE, ELSEWHERE))
        assert here == there
        assert ESCAPE not in here.out
        assert here.out


def test_text_in_a_pipe_is_folded_at_one_width_whatever_the_terminal_is(captured: Path) -> None:
    done = run("rules", cwd=captured, env=HERE)
    assert done.code == 0
    assert all(len(line) <= 120 for line in done.out.splitlines())
    assert any(len(line) > 80 for line in done.out.splitlines())


@pytest.mark.parametrize("arguments", [("derive", TASK), ("derive", TASK, "--format", "json"), ("rules",)],
                         ids=["text", "json", "table"])  # fmt: skip
def test_a_reader_that_goes_away_is_no_fault(arguments: tuple[str, ...], captured: Path) -> None:
    """As `| head` does it, but at once, so that the first word already finds nobody."""
    child = subprocess.Popen(
        [sys.executable, "-m", "cellwright", *arguments], cwd=captured, env=environment(), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.close()
    err = child.stderr.read()
    child.stderr.close()
    assert (child.wait(timeout=60), err) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_an_output_that_cannot_be_written_is_told(captured: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "cellwright", *CELL, "--format", "json"], cwd=captured, env=environment(),
            stdout=full, stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
    assert done.returncode == 4
    assert done.stderr.decode() == "error: the output cannot be written; seen 'No space left on device'\n"


def test_text_from_outside_cannot_move_the_cursor(workshop: Workshop, here: Callable[..., Result]) -> None:
    """A task from a stranger: its names reach the terminal as text, whatever is in them."""
    edit(workshop.task / "task.yaml", "expr: revenue - cost_of_revenue, why: not",
         'expr: "revenue - cost\\e[2J\\a_of_revenue", why: not')  # fmt: skip
    for arguments in (("derive", TASK), ("audit",), ("audit", "--format", "github"), ("status", TASK)):
        done = here(*arguments, cwd=workshop.root)
        assert done.code == 1
        assert "has no meaning in an expression" in done.out + done.err
        assert not CONTROL.search(done.out + done.err)
    done = here("audit", "--root", "no\x1b[2J\x9b where\u202e", cwd=workshop.root)
    assert done.code == 2
    assert done.sentences[0].startswith("no\ufffd[2J\ufffd where\ufffd: the repository is missing")


def test_units_read_as_people_write_them(captured: Path, here: Callable[..., Result]) -> None:
    done = here("derive", TASK, cwd=captured)
    assert not re.search(r"\^1\b|\bdimensionless\b|\d[eE][+-]?\d", done.out)
    assert re.search(r"^nvda/diluted_eps  11\.93 USD/share$", done.out, re.MULTILINE)
    assert re.search(r"^aapl/total_revenue  383,285,000,000 USD$", done.out, re.MULTILINE)


def test_one_thing_wrong_in_many_places_is_told_once(captured: Path, here: Callable[..., Result]) -> None:
    done = here("audit", cwd=captured)
    assert done.out.count("seen: a stand-in") == 1
    assert len(re.findall(r"sources\.csv:\d+", done.out)) == 11
