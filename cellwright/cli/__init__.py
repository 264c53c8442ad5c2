"""The command line. Importing it stays light: what a command needs is imported when it runs."""

from __future__ import annotations

from cellwright.cli.entry import main

__all__ = ["main"]
