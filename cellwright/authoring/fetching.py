"""Many sources fetched at once: hosts in turn, none asked by more than its share, results as they come.

The threads do not hold the program up when it ends: a person who stops it need not wait for a slow server, and
whatever a thread was writing is then either in place whole or not there.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from queue import Empty, SimpleQueue
from typing import Generic, Protocol, TypeVar, runtime_checkable
from urllib.parse import urlsplit

from cellwright.clients.fetched import Fetched, Validators
from cellwright.records.rows import Source

Result = TypeVar("Result")
_LONGEST_LOOK = 0.5
"""Seconds after which hosts are looked at again, so that a stop by a person is never waited for longer."""


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

    def wait_for(self, url: str) -> float:
        """Seconds until the address's host may be asked next."""
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
    crew = _Crew(min(fetcher.concurrency, len(sources)), work)
    waiting = _by_host(sources)
    running: dict[str, int] = {}
    try:
        while waiting or crew.busy:
            soonest = _give_out(crew, waiting, running, fetcher)
            for source, result in crew.done(soonest):
                running[_host(source)] -= 1
                if isinstance(result, BaseException):
                    raise result
                yield result
    finally:
        if waiting or crew.busy:
            fetcher.stop()
        crew.dismiss()


def _give_out(
    crew: _Crew[Result], waiting: dict[str, deque[Source]], running: dict[str, int], fetcher: PacedFetcher
) -> float:
    """Gives sources to idle threads, a host after the other; gives the seconds until it is worth another look."""
    soonest = _LONGEST_LOOK
    for host in list(waiting):
        if not crew.idle:
            break
        queue = waiting[host]
        if running.get(host, 0) >= fetcher.per_host:
            continue
        wait = fetcher.wait_for(queue[0].url)
        if wait > 0:
            soonest = min(soonest, wait)
            continue
        running[host] = running.get(host, 0) + 1
        crew.take(queue.popleft())
        del waiting[host]
        if queue:
            waiting[host] = queue  # At the end: the other hosts come first.
            soonest = 0.0 if crew.idle else soonest
    return soonest


def _by_host(sources: Sequence[Source]) -> dict[str, deque[Source]]:
    found: dict[str, deque[Source]] = {}
    for source in sources:
        found.setdefault(_host(source), deque()).append(source)
    return found


def _host(source: Source) -> str:
    try:
        return urlsplit(source.url).hostname or ""
    except ValueError:
        return ""


class _Crew(Generic[Result]):
    """Threads that do `work`; `idle` of them have nothing to do, `busy` have."""

    def __init__(self, size: int, work: Callable[[Source], Result]) -> None:
        self._work = work
        self._orders: SimpleQueue[Source | None] = SimpleQueue()
        self._done: SimpleQueue[tuple[Source, Result | BaseException]] = SimpleQueue()
        self._size = size
        self.busy = 0
        for number in range(size):
            threading.Thread(target=self._run, name=f"fetch-{number}", daemon=True).start()

    @property
    def idle(self) -> int:
        return self._size - self.busy

    def take(self, source: Source) -> None:
        self.busy += 1
        self._orders.put(source)

    def done(self, timeout: float) -> Iterator[tuple[Source, Result | BaseException]]:
        """Everything that is done, the first waited for."""
        try:
            found = self._done.get(timeout=timeout) if timeout else self._done.get_nowait()
            while True:
                self.busy -= 1
                yield found
                found = self._done.get_nowait()
        except Empty:
            return

    def dismiss(self) -> None:
        """The threads end after what they are doing; nobody waits for them."""
        while True:  # Orders that no thread has taken yet are void.
            try:
                self._orders.get_nowait()
            except Empty:
                break
        for _ in range(self._size):
            self._orders.put(None)

    def _run(self) -> None:
        while (source := self._orders.get()) is not None:
            try:
                self._done.put((source, self._work(source)))
            except BaseException as error:  # Raised again in the thread that asked for it.
                self._done.put((source, error))
