"""Every reader refuses damaged input in a sentence: a small share of `make fuzz`, and the instrument itself."""

from __future__ import annotations

import os
import random
import signal

import pytest

from cellwright.records.errors import UnreadableInput
from tests.fuzz.readers import READERS, Reader
from tests.fuzz.run import Outcome, input_of, run

QUICK = {"quantities": 3_000, "expressions": 1_000, "html": 300, "pdf": 60, "xlsx": 60}


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_damaged_input_is_read_or_refused_in_a_sentence(reader: Reader) -> None:
    outcome = run(reader, "quick", range(QUICK.get(reader.name, 200)))
    assert outcome.faults == ()
    assert outcome.inputs == QUICK.get(reader.name, 200)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_an_input_can_be_drawn_again_by_its_number(reader: Reader) -> None:
    assert [input_of(reader, "s", number) for number in range(5)] == [
        input_of(reader, "s", number) for number in range(5)
    ]
    assert len({input_of(reader, "s", number) for number in range(40)}) > 10


def _made(rng: random.Random) -> bytes:
    return rng.randbytes(4)


def _run(read: object, count: int = 3) -> Outcome:
    return run(Reader("planted", 1, _made, read, seconds=0.3), "s", range(count))  # type: ignore[arg-type]


def test_a_sentence_is_no_fault() -> None:
    def read(data: bytes) -> None:
        raise UnreadableInput("it is damaged")

    assert (_run(read).refused, _run(read).faults) == (3, ())


def test_any_other_error_is_a_fault_with_its_number() -> None:
    faults = _run(lambda data: data.index(b"no such bytes")).faults
    assert [(fault.number, fault.what.split(":")[0]) for fault in faults] == [(n, "ValueError") for n in range(3)]


def test_a_hang_is_a_fault_and_the_next_input_is_tried() -> None:
    def read(data: bytes) -> None:
        while True:
            try:
                sum(range(1000))
            except Exception:  # what swallows every error swallows no hang
                continue

    assert [fault.what for fault in _run(read).faults] == ["more than 0.3 s of processor time"] * 3


def test_a_killed_process_is_a_fault_and_the_next_input_is_tried() -> None:
    outcome = _run(lambda data: os.kill(os.getpid(), signal.SIGKILL))
    assert [fault.number for fault in outcome.faults] == [0, 1, 2]
    assert outcome.inputs == 3
    assert outcome.faults[0].what == "the process ended with -9"


def test_memory_without_bound_is_a_fault() -> None:
    assert _run(lambda data: len(bytearray(20_000_000_000)), 1).faults[0].what.startswith("MemoryError")
