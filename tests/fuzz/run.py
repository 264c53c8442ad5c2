"""Feeds drawn inputs to a reader in a process of its own: faults, hangs, crashes and the peak memory are told.

An input is named by reader, seed and number and can be drawn again: `input_of`. Time is the processor's, so
that a busy machine makes no hang; what hangs outside Python is told by the watch of the process.
"""

from __future__ import annotations

import multiprocessing
import random
import resource
import signal
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import Synchronized
from types import FrameType

from cellwright.records.errors import CellwrightError
from tests.fuzz.readers import Reader

SILENT = 180.0
"""Seconds without a finished input after which a process is stopped: it hangs where no signal reaches it."""
MEMORY = 2_000_000_000
"""Bytes that a process may add to what it had: more raises MemoryError, a fault."""


class HangError(BaseException):
    """An input took too long. No reader may swallow it, so it is no Exception."""


@dataclass(frozen=True)
class Fault:
    """What an input brought about."""

    reader: str
    number: int
    what: str


@dataclass
class Outcome:
    """What became of a run of inputs."""

    reader: str
    inputs: int = 0
    refused: int = 0
    """Inputs that were refused in a sentence."""
    faults: tuple[Fault, ...] = ()
    peak: int = 0
    """Peak memory of the process in bytes."""


def input_of(reader: Reader, seed: str, number: int) -> bytes:
    """The input of this number, drawn anew."""
    return reader.make(random.Random(f"{reader.name} {seed} {number}"))


def try_one(reader: Reader, data: bytes) -> str | None:
    """Why the reader refused it, "" where it read it. Raises whatever is a fault."""
    try:
        reader.read(data)
    except CellwrightError as error:
        return str(error)
    return ""


def run(reader: Reader, seed: str, numbers: range) -> Outcome:
    """All inputs of these numbers, started again behind one that kills or silences its process."""
    total = Outcome(reader.name)
    begin = numbers.start
    while begin < numbers.stop:
        part, begin = _in_a_process(reader, seed, range(begin, numbers.stop))
        total.inputs += part.inputs
        total.refused += part.refused
        total.faults += part.faults
        total.peak = max(total.peak, part.peak)
    return total


def _in_a_process(reader: Reader, seed: str, numbers: range) -> tuple[Outcome, int]:
    """What a process made of the inputs, and the number to go on with."""
    context = multiprocessing.get_context("fork")
    at = context.Value("q", numbers.start)
    mine, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(reader, seed, numbers, at, theirs), daemon=True)
    process.start()
    theirs.close()
    stopped = ""
    seen, since = at.value, time.monotonic()
    while not mine.poll(0.2):
        if at.value != seen:
            seen, since = at.value, time.monotonic()
        if not process.is_alive():
            stopped = f"the process ended with {process.exitcode}"
        elif time.monotonic() - since > SILENT:
            process.kill()
            stopped = f"no answer within {SILENT:g} s"
        if stopped and not mine.poll(0):
            break
    try:
        outcome: Outcome = mine.recv()
        process.join()
        return outcome, numbers.stop
    except EOFError:
        process.join()
        number = at.value
        fault = Fault(reader.name, number, stopped or f"the process ended with {process.exitcode}")
        return Outcome(reader.name, number + 1 - numbers.start, 0, (fault,)), number + 1


def _work(reader: Reader, seed: str, numbers: range, at: Synchronized[int], out: Connection) -> None:
    used = _address_space()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
    signal.signal(signal.SIGPROF, _hang)
    outcome = Outcome(reader.name, inputs=len(numbers))
    outcome.faults = tuple(_faults(reader, seed, numbers, at, outcome))
    outcome.peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    out.send(outcome)


def _faults(reader: Reader, seed: str, numbers: range, at: Synchronized[int], outcome: Outcome) -> Iterator[Fault]:
    for number in numbers:
        at.value = number
        data = input_of(reader, seed, number)
        signal.setitimer(signal.ITIMER_PROF, reader.seconds)
        try:
            outcome.refused += bool(try_one(reader, data))
        except HangError:
            yield Fault(reader.name, number, f"more than {reader.seconds:g} s of processor time")
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            yield Fault(reader.name, number, f"{type(error).__name__}: {str(error)[:120]} ({last.name}:{last.lineno})")
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)


def _hang(number: int, frame: FrameType | None) -> None:
    raise HangError


def _address_space() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * resource.getpagesize()
