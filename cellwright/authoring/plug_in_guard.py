"""A guard around a plug-in's rule: what it touches of the disk, the network, the clock or the environment is noted.

A guard for honest mistakes, not a jail: a plug-in is code that somebody chose to install. It sees every call of a
built-in function that the rule's own code, or a library that it uses, makes from Python (`sys.setprofile`), and
every file, socket and process that is opened at all (audit events, PEP 578), which it also refuses. What Cellwright
itself does when a rule asks the context something, and what importing a module reads, is not the rule's doing.
"""

from __future__ import annotations

import datetime
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

_PURE = ("cellwright.records", "cellwright.documents", "cellwright.validators")
_RUNNER = "cellwright.validators.plug_in"
"""The module that calls a rule: the outermost frame of Cellwright's below the rule's own."""
_CLOCK = {
    id(getattr(time, name))
    for name in (
        "time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time",
        "process_time_ns", "thread_time", "localtime", "gmtime", "ctime", "sleep",
    )
    if hasattr(time, name)
}  # fmt: skip
_NOW = {"now", "utcnow", "today"}
_HARMLESS = {"fspath", "fsencode", "fsdecode"}
_EVENTS = {
    "open": "the disk", "os.": "the system", "shutil.": "the disk", "glob.": "the disk", "pathlib.": "the disk",
    "tempfile.": "the disk", "socket.": "the network", "urllib.": "the network", "http.": "the network",
    "ssl.": "the network", "subprocess.": "another program", "sqlite3.": "the disk", "ctypes.": "the system",
}  # fmt: skip
_ENVIRON = {
    method.__code__ for method in (type(os.environ).__getitem__, type(os.environ).__iter__, type(os.environ).__len__)
}
_SPOKEN = {"posix": "os", "nt": "os", "_io": "io", "_locale": "locale", "_thread": "threading"}
"""Modules by the name that people import."""
_listening: list[Callable[[str, str], bool]] = []
_hooked: list[bool] = []


class Touched(RuntimeError):
    """A rule opened what it must not; raised where it did."""


@contextmanager
def guarded() -> Iterator[set[str]]:
    """Notes what is touched while the block runs, each as «the clock (time.time)»."""
    touched: set[str] = set()
    before = sys.getprofile()

    def heard(what: str, name: str) -> bool:
        if not _is_the_rule_s(sys._getframe(1)):
            return False
        touched.add(f"{what} ({name})")
        return True

    def seen(frame: FrameType, event: str, given: Any) -> None:
        if event == "c_call":
            what = _what(given)
            if what and _is_the_rule_s(frame):
                touched.add(f"{what} ({_name(given)})")
        elif event == "call" and frame.f_code in _ENVIRON and _is_the_rule_s(frame):
            touched.add("the environment (os.environ)")

    _hook()
    _listening.append(heard)
    sys.setprofile(seen)
    try:
        yield touched
    finally:
        sys.setprofile(before)
        _listening.remove(heard)


def _hook() -> None:
    """An audit hook can never be taken away again: it is set once and asks who listens."""
    if _hooked:
        return
    _hooked.append(True)

    def hook(event: str, given: tuple[Any, ...]) -> None:
        if not _listening:
            return
        for start, what in _EVENTS.items():
            if event == start or (start.endswith(".") and event.startswith(start)):
                if _listening[-1](what, event):
                    raise Touched(f"a rule must not touch {what} ({event})")
                return

    sys.addaudithook(hook)


def _what(function: Any) -> str:
    """What a built-in function touches, in words; empty where it touches nothing."""
    owner, module = getattr(function, "__self__", None), getattr(function, "__module__", None) or ""
    name = getattr(function, "__name__", "")
    if id(function) in _CLOCK or (name in _NOW and isinstance(owner, type) and issubclass(owner, datetime.date)):
        return "the clock"
    if owner is random._inst:
        return "chance"
    if module in ("posix", "nt") and name not in _HARMLESS and not name.startswith("_path"):
        return "chance" if name == "urandom" else "the system"
    if module in ("_io", "io") and name in ("open", "open_code"):
        return "the disk"
    if module == "_locale":
        return "the locale"
    return "a thread of its own" if module == "_thread" and name.startswith("start") else ""


def _name(function: Any) -> str:
    owner, module = getattr(function, "__self__", None), getattr(function, "__module__", None) or ""
    name = getattr(function, "__name__", "")
    if isinstance(owner, type):
        return f"{owner.__name__}.{name}"
    return f"{_SPOKEN.get(module, module or 'random')}.{name}"


def _is_the_rule_s(frame: FrameType | None) -> bool:
    """Whether the rule did it: the innermost frame of a pure room of Cellwright's is the one that runs rules."""
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        if name.startswith("importlib.") or frame.f_code.co_filename.startswith("<frozen importlib"):
            return False
        if name.startswith(_PURE):
            return name == _RUNNER
        frame = frame.f_back
    return False
