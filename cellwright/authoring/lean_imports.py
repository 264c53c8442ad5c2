"""The libraries of an audit imported without what they would bring along only because it is installed.

Pandera imports pandas and Hypothesis (for other frames, for making data up) and warcio imports fsspec (for reading
from the web) where they find them, which takes up to a second, as long as auditing several tasks. None is asked for
anything here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module

OPTIONAL = {
    "pandera.polars": ("pandas", "hypothesis"),
    "pandera.strategies.base_strategies": ("pandas", "hypothesis"),
    "warcio.utils": ("fsspec",),
}
"""Module → what it imports if it can, and does without if not."""


class _Absent:
    """Finds nothing, and says of some names that they are not installed, as Python itself says it."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Raises ModuleNotFoundError for a name that is hidden."""
        if name in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def import_lean() -> None:
    """Import the modules that look for something optional, which they then do without; later imports find it."""
    import_module("polars")  # looks for pandas itself, and is content to know that it is there
    for module, optional in OPTIONAL.items():
        if module not in sys.modules:
            with _hidden(optional):
                import_module(module)


@contextmanager
def _hidden(names: Sequence[str]) -> Iterator[None]:
    """Let modules that were not imported yet look as if they were not installed."""
    absent = _Absent([name for name in names if name not in sys.modules])
    sys.meta_path.insert(0, absent)
    try:
        yield
    finally:
        sys.meta_path.remove(absent)
