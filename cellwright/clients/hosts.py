"""Turns at each host: so many questions at a time, a pause between their starts, and waits that a host asks for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(slots=True)
class _Host:
    places: threading.Semaphore
    pause: float
    next_start: float = 0.0
    held_until: float = 0.0


class Hosts:
    """The hosts of one run; safe to share between threads. Seconds are those of `monotonic`."""

    def __init__(
        self,
        per_host: int,
        pause: float,
        sleep: Callable[[float], object],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._per_host = per_host
        self._pause = pause
        self._sleep = sleep
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._hosts: dict[str, _Host] = {}

    @contextmanager
    def turn(self, name: str) -> Iterator[float]:
        """A place at the host, held while it is asked; gives the seconds that were waited for it."""
        host = self._host(name)
        begun = self._monotonic()
        with host.places:
            wait = self._reserve(host)
            if wait > 0:
                self._sleep(wait)
            yield self._monotonic() - begun

    def slow_down(self, name: str, pause: float) -> None:
        """Makes the pause at a host at least this long."""
        host = self._host(name)
        with self._lock:
            host.pause = max(host.pause, pause)

    def hold(self, name: str, seconds: float) -> None:
        """The host has asked not to be asked for so long."""
        host = self._host(name)
        with self._lock:
            host.held_until = max(host.held_until, self._monotonic() + seconds)

    def held_for(self, name: str) -> float:
        """Seconds for which the host has asked not to be asked, 0 where it has not."""
        host = self._host(name)
        with self._lock:
            return max(0.0, host.held_until - self._monotonic())

    def wait_for(self, name: str) -> float:
        """Seconds until the host may be asked next, 0 for now; nothing is reserved."""
        host = self._host(name)
        with self._lock:
            return max(0.0, host.next_start - self._monotonic())

    def _host(self, name: str) -> _Host:
        with self._lock:
            if name not in self._hosts:
                self._hosts[name] = _Host(threading.Semaphore(self._per_host), self._pause)
            return self._hosts[name]

    def _reserve(self, host: _Host) -> float:
        """Seconds until the host may be asked again; that moment is taken."""
        with self._lock:
            now = self._monotonic()
            start = max(now, host.next_start)
            host.next_start = start + host.pause
            return start - now
