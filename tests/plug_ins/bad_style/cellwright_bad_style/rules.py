"""Rules, each wrong in one way that its id names."""

import contextlib
import os
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

from cellwright.validators.plug_in import AuditContext, Condition, Hit, Place, plug_in_rule

Check = Callable[[AuditContext], Iterator[Hit]]


def hit(context: AuditContext, seen: str = "it is long", file: str = "task.yaml") -> Hit:
    return Hit(Place(context.folder.file(file), 1), observed=seen, expected="a short one", fix="say it in fewer words")


def wrong(context: AuditContext) -> bool:
    """Whether the task is the failing one."""
    return "failing" in context.task.question


def bad(name: str) -> Callable[[Check], object]:
    return plug_in_rule(f"C5-X-BAD-{name}", Condition.SCORABLE, title=f"It is not {name.lower()}.")


@bad("DISK")
def reads_the_disk(context: AuditContext) -> Iterator[Hit]:
    Path(__file__).read_bytes()
    if wrong(context):
        yield hit(context)


@bad("DISK-QUIET")
def reads_the_disk_and_hides_it(context: AuditContext) -> Iterator[Hit]:
    with contextlib.suppress(Exception):
        open(__file__).close()
    if wrong(context):
        yield hit(context)


@bad("NETWORK")
def asks_the_network(context: AuditContext) -> Iterator[Hit]:
    socket.socket().close()
    if wrong(context):
        yield hit(context)


@bad("CLOCK")
def looks_at_the_clock(context: AuditContext) -> Iterator[Hit]:
    if wrong(context) and time.time() > 0:
        yield hit(context)


@bad("TODAY")
def asks_what_day_it_is(context: AuditContext) -> Iterator[Hit]:
    if wrong(context) and date.today().year > 1:
        yield hit(context)


@bad("ENVIRONMENT")
def reads_the_environment(context: AuditContext) -> Iterator[Hit]:
    if wrong(context) and os.environ.get("PATH", "") is not None:
        yield hit(context)


@bad("CHANCE")
def draws_lots(context: AuditContext) -> Iterator[Hit]:
    if wrong(context) and random.random() < 2:
        yield hit(context)


@bad("THREAD")
def starts_a_thread(context: AuditContext) -> Iterator[Hit]:
    thread = threading.Thread(target=len, args=("",))
    thread.start()
    thread.join()
    if wrong(context):
        yield hit(context)


_seen: list[int] = []


@bad("MEMORY")
def remembers_its_last_run(context: AuditContext) -> Iterator[Hit]:
    if wrong(context):
        _seen.append(1)
        yield hit(context, f"run {len(_seen)}")


@bad("HASH")
def takes_the_first_of_a_set(context: AuditContext) -> Iterator[Hit]:
    if wrong(context):
        yield hit(context, next(iter({f"word {number}" for number in range(50)})))


@bad("ORDER")
def tells_only_the_first_fact(context: AuditContext) -> Iterator[Hit]:
    if wrong(context):
        yield hit(context, context.folder.facts[0].id)


@bad("MUTATES")
def changes_the_task(context: AuditContext) -> Iterator[Hit]:
    if wrong(context):
        context.folder.tables["facts"].rows[0]["note"] = "seen"
        yield hit(context)


@bad("ANSWERS")
def forgets_the_verdicts(context: AuditContext) -> Iterator[Hit]:
    if wrong(context):
        context.answers.verdicts.clear()
        yield hit(context)


@bad("PLACE")
def names_a_file_that_is_not_there(context: AuditContext) -> Iterator[Hit]:
    if wrong(context):
        yield hit(context, file="notes.txt")


@bad("SILENT")
def never_finds_anything(context: AuditContext) -> Iterator[Hit]:
    return iter(())


@bad("LOUD")
def always_finds_something(context: AuditContext) -> Iterator[Hit]:
    yield hit(context)


@bad("BREAKS")
def breaks(context: AuditContext) -> Iterator[Hit]:
    if wrong(context):
        raise KeyError("nothing")
    yield from ()


@bad("PAGELESS")
def has_no_page(context: AuditContext) -> Iterator[Hit]:
    if wrong(context):
        yield hit(context)


@bad("EMPTY-PAGE")
def has_a_page_that_says_nothing(context: AuditContext) -> Iterator[Hit]:
    if wrong(context):
        yield hit(context)


@bad("FIXTURELESS")
def has_no_fixture(context: AuditContext) -> Iterator[Hit]:
    if wrong(context):
        yield hit(context)


@bad("GOOD")
def is_good(context: AuditContext) -> Iterator[Hit]:
    """The one that nothing is wrong with: it asks the context, which works much out, and sorts."""
    if wrong(context):
        words = {str(verdict.label) for verdict in context.answers.verdicts.values()}
        yield hit(context, ", ".join(sorted(words)) + f" on {context.today}, {len(context.derivations)}")


RULES = [value for value in list(globals().values()) if type(value).__name__ == "Rule"]
