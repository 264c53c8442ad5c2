"""Turns at hosts, told by a clock of the test's own."""

from __future__ import annotations

from cellwright.clients.hosts import Hosts


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def hosts(clock: Clock, pause: float = 2.0) -> Hosts:
    return Hosts(2, pause, clock.sleep, lambda: clock.now)


def test_the_first_question_is_asked_at_once_and_the_next_after_the_pause() -> None:
    clock = Clock()
    turns = hosts(clock)
    for expected in (0.0, 2.0, 2.0):
        assert turns.wait_for("a.example") == expected
        with turns.turn("a.example") as waited:
            assert waited == expected
    assert clock.slept == [2.0, 2.0]


def test_another_host_does_not_wait() -> None:
    clock = Clock()
    turns = hosts(clock)
    with turns.turn("a.example"), turns.turn("b.example") as waited:
        assert waited == 0


def test_a_pause_grows_and_never_shrinks() -> None:
    clock = Clock()
    turns = hosts(clock)
    turns.slow_down("a.example", 9)
    turns.slow_down("a.example", 1)
    with turns.turn("a.example"):
        assert turns.wait_for("a.example") == 9


def test_a_host_that_asks_for_patience_is_held() -> None:
    clock = Clock()
    turns = hosts(clock)
    turns.hold("a.example", 30)
    turns.hold("a.example", 5)
    assert turns.held_for("a.example") == 30
    assert turns.held_for("b.example") == 0
    clock.now += 31
    assert turns.held_for("a.example") == 0
