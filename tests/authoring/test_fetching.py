"""Many sources at once: hosts in turn, a slow one holds nobody up, and an end comes when it is asked for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import date

import pytest

from cellwright.authoring.captures.fetching import each_done
from cellwright.clients.fetched import Fetched, Validators
from cellwright.records.rows import Source


class Paced:
    """A fake fetcher: `waits` tells how long a host is to be let alone."""

    def __init__(self, concurrency: int = 4, per_host: int = 1) -> None:
        self.concurrency = concurrency
        self.per_host = per_host
        self.waits: dict[str, float] = {}
        self.stopped = threading.Event()

    def fetch(self, url: str, *, conditional: Validators | None = None) -> Fetched | None:
        return None

    def wait_for(self, host: str) -> float:
        return self.waits.get(host, 0.0)

    def stop(self) -> None:
        self.stopped.set()


def source(url: str) -> Source:
    day = date(2024, 1, 1)
    return Source(
        id="s" + "".join(c for c in url if c.isalnum()), url=url, title="T", publisher="P", published=day, accessed=day
    )


def sources(*urls: str) -> list[Source]:
    return [source(f"http://{url}") for url in urls]


class Work:
    """What is done for a source: `slow` hosts wait until they are let go. Keeps how many ran at a time."""

    def __init__(self, *slow: str) -> None:
        self.slow = slow
        self.go = threading.Event()
        self.lock = threading.Lock()
        self.running: dict[str, int] = {}
        self.most: dict[str, int] = {}
        self.begun: list[str] = []

    def __call__(self, source: Source) -> str:
        host = source.url.split("/")[2]
        with self.lock:
            self.begun.append(source.url.removeprefix("http://"))
            self.running[host] = self.running.get(host, 0) + 1
            self.most[host] = max(self.most.get(host, 0), self.running[host])
        if host in self.slow:
            self.go.wait(30)
        with self.lock:
            self.running[host] -= 1
        return source.url.removeprefix("http://")


def test_every_source_is_done_once() -> None:
    wanted = [f"{host}.example/{number}" for host in "abc" for number in range(20)]
    assert sorted(each_done(Paced(), sources(*wanted), Work())) == sorted(wanted)


def test_a_slow_host_holds_nobody_else_up() -> None:
    work = Work("slow.example")
    wanted = sources("slow.example/1", "slow.example/2", *(f"b.example/{number}" for number in range(20)))
    found = each_done(Paced(concurrency=2), wanted, work)
    first = [next(found) for _ in range(20)]
    assert all(url.startswith("b.example") for url in first)
    work.go.set()
    assert sorted(found) == ["slow.example/1", "slow.example/2"]


def test_a_host_is_asked_by_its_share_of_threads_at_a_time() -> None:
    work = Work()
    wanted = sources(*(f"a.example/{number}" for number in range(40)))
    assert len(list(each_done(Paced(concurrency=8, per_host=2), wanted, work))) == 40
    assert work.most["a.example"] <= 2


def test_a_host_that_is_to_be_let_alone_waits_while_others_go_on() -> None:
    work, fetcher = Work(), Paced(concurrency=1)
    fetcher.concurrency = 2
    fetcher.waits["a.example"] = 0.05
    found = each_done(fetcher, sources("a.example/1", "b.example/1", "b.example/2"), work)
    assert [next(found), next(found)] == ["b.example/1", "b.example/2"]
    fetcher.waits.clear()
    assert list(found) == ["a.example/1"]


def test_one_at_a_time_keeps_the_order() -> None:
    wanted = ["b.example/1", "a.example/1", "b.example/2"]
    assert list(each_done(Paced(concurrency=1), sources(*wanted), Work())) == wanted


@pytest.mark.parametrize("fault", [RuntimeError("broken"), KeyboardInterrupt()])
def test_what_goes_wrong_in_a_thread_is_raised_and_ends_the_waits(fault: BaseException) -> None:
    fetcher = Paced()

    def fail(source: Source) -> str:
        raise fault

    with pytest.raises(type(fault)):
        list(each_done(fetcher, sources("a.example/1", "b.example/1", "c.example/1", "a.example/2"), fail))
    assert fetcher.stopped.is_set()


def test_leaving_early_begins_nothing_new() -> None:
    fetcher, work = Paced(concurrency=2, per_host=2), Work("slow.example")
    found = each_done(fetcher, sources("a.example/1", *(f"slow.example/{number}" for number in range(20))), work)
    assert next(found) == "a.example/1"
    close: Callable[[], None] = found.close  # type: ignore[attr-defined]
    close()
    begun = len(work.begun)
    work.go.set()
    assert begun <= 4
    assert fetcher.stopped.is_set()
