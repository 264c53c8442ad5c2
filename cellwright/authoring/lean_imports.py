"""The libraries of an audit imported without what they would bring along only because it is installed.

Pandera imports Hypothesis (for making data up) and warcio imports fsspec (for reading from the web) where they find
them, which takes a quarter of a second, as long as auditing a task. Neither is asked for anything here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

OPTIONAL = {"pandera.strategies.base_strategies": "hypothesis", "warcio.utils": "fsspec"}
"""Module → what it imports if it can, and does without if not."""


def import_lean() -> None:
    """Import the modules that look for something optional, which they then do without; later imports find it."""
    for module, optional in OPTIONAL.items():
        if module not in sys.modules:
            with _hidden(optional):
                import_module(module)


@contextmanager
def _hidden(name: str) -> Iterator[None]:
    """Let a module that was not imported yet look as if it were not installed."""
    if name in sys.modules:
        yield
        return
    sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[name]
