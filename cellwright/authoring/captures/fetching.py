"""Many sources fetched at once: hosts in turn, none asked by more than its share, results as they come.

The threads do not hold the program up when it ends: a person who stops it need not wait for a slow server, and
whatever a thread was writing is then either in place whole or not there.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Protocol, TypeVar, runtime_checkable
from urllib.parse import urlsplit

from cellwright.clients.fetched import Fetched, Validators
from cellwright.records.rows import Source

Result = TypeVar("Result")
_LONGEST_LOOK = 0.5
"""Seconds after which hosts are looked at again, so that a stop by a person is never waited for longer."""
_GATHERED = 0.01
"""Seconds for which results are let gather."""


class Fetcher(Protocol):
    """What documents come from: HTTP or a mirror. `concurrency` is how many fetches are sensible at a time."""

    concurrency: int

    def fetch(self, url: str, *, conditional: Validators | None = None) -> Fetched | None:
        """What the address answers; None where this fetcher knows nothing of it. `conditional` are the
        validators of the document held: an answer may then be `not_modified`."""
        ...


@runtime_checkable
class PacedFetcher(Protocol):
    """A fetcher that is polite to hosts: so many questions to one at a time, and a wait before the next."""

    per_host: int

    def wait_for(self, host: str) -> float:
        """Seconds until a host may be asked next."""
        ...

    def stop(self) -> None:
        """Ends every wait at once."""
        ...


def each_done(fetcher: Fetcher, sources: Sequence[Source], work: Callable[[Source], Result]) -> Iterator[Result]:
    """What `work` gives for each source: in order where one is fetched at a time, else as they are done.

    A source's exception is raised here; whatever ends the iteration early ends the threads' waits.
    """
    if fetcher.concurrency <= 1 or not isinstance(fetcher, PacedFetcher):
        yield from map(work, sources)
        return
    schedule = _Schedule(sources, fetcher)
    done: SimpleQueue[Result | _Failed] = SimpleQueue()
    for number in range(min(fetcher.concurrency, len(sources))):
        threading.Thread(target=_run, args=(schedule, work, done), name=f"fetch-{number}", daemon=True).start()
    left = len(sources)
    try:
        while left:
            for result in _gathered(done, left):
                left -= 1
                if isinstance(result, _Failed):
                    raise result.fault
                yield result
    finally:
        schedule.close()
        if left:
            fetcher.stop()


@dataclass(frozen=True, slots=True)
class _Failed:
    """What went wrong in a thread, to be raised in the one that asked for it."""

    fault: BaseException


def _run(schedule: _Schedule, work: Callable[[Source], Result], done: SimpleQueue[Result | _Failed]) -> None:
    while (source := schedule.take()) is not None:
        result: Result | _Failed
        try:
            result = work(source)
        except BaseException as fault:
            result = _Failed(fault)
        schedule.give_back(source)
        done.put(result)


def _gathered(done: SimpleQueue[Result | _Failed], left: int) -> Iterator[Result | _Failed]:
    """What is done by now; the first is waited for. Where more is to come it is let gather for a moment: taking turns
    with the threads at each single result would cost as much as the fetching."""
    first: Result | _Failed | None = None
    while first is None:
        with suppress(Empty):
            first = done.get(timeout=_LONGEST_LOOK)
    yield first
    if left > 1:
        time.sleep(_GATHERED)
    with suppress(Empty):
        while True:
            yield done.get_nowait()


class _Schedule:
    """The sources still to be done, by host; threads take from it. A host never has more than its share of them."""

    def __init__(self, sources: Sequence[Source], fetcher: PacedFetcher) -> None:
        self._fetcher = fetcher
        self._changed = threading.Condition(threading.Lock())
        self._running: dict[str, int] = {}
        self._waiting: dict[str, deque[Source]] = {}
        for source in sources:
            self._waiting.setdefault(_host(source), deque()).append(source)

    def take(self) -> Source | None:
        """The next source, waited for; None where there is none any more."""
        with self._changed:
            while self._waiting:
                source, wait = self._next()
                if source is not None:
                    return source
                self._changed.wait(wait)
        return None

    def give_back(self, source: Source) -> None:
        """The source is done: its host may be asked for another."""
        with self._changed:
            self._running[_host(source)] -= 1
            self._changed.notify()

    def close(self) -> None:
        """Nothing more is to be taken."""
        with self._changed:
            self._waiting.clear()
            self._changed.notify_all()

    def _next(self) -> tuple[Source | None, float]:
        """A source whose host is free, else the seconds after which it is worth another look."""
        soonest = _LONGEST_LOOK
        for host, queue in self._waiting.items():
            if self._running.get(host, 0) >= self._fetcher.per_host:
                continue
            wait = self._fetcher.wait_for(host)
            if wait > 0:
                soonest = min(soonest, wait)
                continue
            self._running[host] = self._running.get(host, 0) + 1
            source = queue.popleft()
            del self._waiting[host]
            if queue:
                self._waiting[host] = queue  # At the end: the other hosts come first.
            return source, 0.0
        return None, soonest


def _host(source: Source) -> str:
    try:
        return urlsplit(source.url).hostname or ""
    except ValueError:
        return ""
