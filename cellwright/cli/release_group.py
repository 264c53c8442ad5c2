"""The group of commands about releases."""

from __future__ import annotations

import typer

release = typer.Typer(name="release", no_args_is_help=True, help="Cut, verify, compare and withdraw releases.")
