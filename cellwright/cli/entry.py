"""Where the command line begins and where every error of a user's ends: one sentence, one exit code."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import typer

from cellwright.cli.app import app
from cellwright.cli.output import STOPPED, ReaderGone
from cellwright.cli.problems import tell
from cellwright.records.errors import CellwrightError, DiskFailed, UnreadableInput, WorldFailed

if TYPE_CHECKING:
    # The command line's own parser raises it; typer names only its subclass.
    from typer._click.exceptions import UsageError
else:
    UsageError = typer.BadParameter.__bases__[0]

SHOW_FAULTS = "CELLWRIGHT_TRACEBACK"
"""The setting with which a fault of the program itself is shown in full."""


def main() -> None:
    """Run the command line; exits 0, or by kind: 1 no, 2 unreadable input, 3 the world, 4 the disk, 130 stopped."""
    for stream in (sys.stdout, sys.stderr):
        # A pipe under another locale must carry the same bytes as a terminal does.
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        code = _run()
        sys.stdout.flush()
    except (ReaderGone, BrokenPipeError):
        # The reader of the pipe has gone (`| head`): nobody is there to be told.
        _keep_quiet_at_exit()
        code = 0
    except OSError as error:
        _keep_quiet_at_exit()
        tell(DiskFailed("the output cannot be written", seen=error.strerror or type(error).__name__))
        code = DiskFailed.exit_code
    if code == STOPPED:
        print("stopped; what was finished is kept", file=sys.stderr, flush=True)
        # An interrupt that passed through a library's start leaves Python set on ending by the signal itself.
        os._exit(code)
    sys.exit(code)


def _run() -> int:
    """Run the command and give the exit code; whatever goes wrong has been told."""
    try:
        return int(app(prog_name="cellwright", standalone_mode=False) or 0)
    except CellwrightError as error:
        return _told(error)
    except UsageError as error:
        return _usage(error)
    except typer.Abort:
        return STOPPED
    except (OSError, ReaderGone):
        raise
    except ModuleNotFoundError as error:
        part = (error.name or "").partition(".")[0]
        extra = _extra_with(part)
        if not extra:
            return _fault(error)
        return _told(WorldFailed(f"this command needs `{part}`", fix=f"install `cellwright[{extra}]`, which holds it"))
    except Exception as error:  # A fault of the program's own: a sentence says so, and asks for a report.
        return _fault(error)


def _told(error: CellwrightError) -> int:
    tell(error)
    return error.exit_code


def _usage(error: UsageError) -> int:
    """A command that cannot be read, as one sentence; the help where nothing was asked."""
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()
        return error.exit_code
    what = error.format_message().removesuffix(".").replace("Value error, ", "")
    asked = error.ctx.command_path if error.ctx is not None else "cellwright"
    return _told(UnreadableInput(what[:1].lower() + what[1:], fix=f"`{asked} --help` tells what there is"))


def _extra_with(module: str) -> str:
    """The extra of this distribution that brings a module; empty where none does."""
    from importlib.metadata import PackageNotFoundError, requires

    top = module.replace("_", "-").lower()
    try:
        wanted = requires("cellwright") or []
    except PackageNotFoundError:
        return ""
    for line in wanted:
        name, _, marker = line.partition(";")
        if name.lower().startswith(top) and not name[len(top) : len(top) + 1].isalnum() and "extra ==" in marker:
            return marker.rpartition("extra ==")[2].strip(" '\"")
    return ""


def _fault(error: Exception) -> int:
    if os.environ.get(SHOW_FAULTS):
        raise error
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = f"{os.path.basename(place.tb_frame.f_code.co_filename)}:{place.tb_lineno}" if place is not None else ""
    told = WorldFailed(
        "this is a fault of cellwright, not of your files",
        seen=f"{type(error).__name__} in {where}: {error}",
        fix=f"please report it; with {SHOW_FAULTS}=1 it is shown in full",
    )
    return _told(told)


def _keep_quiet_at_exit() -> None:
    """What could not be written is dropped: Python would try again at exit, and print what went wrong."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
