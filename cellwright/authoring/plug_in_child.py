"""The process in which the test kit runs a plug-in: it may hang, and what it changes ends with it.

Called as `python -m cellwright.authoring.plug_in_child NAME OUT [guard]`; writes JSON lines to OUT: what it is at
(`now`), what is wrong (`fault`), and at its end what every rule found (`found`).
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from importlib.metadata import EntryPoint, distribution
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

from cellwright.authoring.plug_in_fixtures import Files, Fixture, context_made, large_task
from cellwright.authoring.plug_in_guard import guarded
from cellwright.authoring.plug_ins import RULES, load_plug_ins
from cellwright.records.errors import CellwrightError
from cellwright.validators.context import AuditContext
from cellwright.validators.plug_in import MAX_HITS, Hit, hits_of
from cellwright.validators.registry import Rule, builtin_rules

FIXTURES = "cellwright.fixtures"
"""The group of entry points that name a plug-in's fixtures: a list of `Fixture`."""
PAGES = "pages"
"""The folder of a plug-in's package that has a page for each rule."""
MOST_SECONDS = 10
"""Seconds of the processor that a rule may take on a task of 2,000 facts."""
Tell = Callable[..., None]


def main(name: str, out: str, *more: str) -> None:
    """Load the plug-in, run its rules, and write what came of it to the file `out`."""
    with Path(out).open("w", encoding="utf-8") as file:

        def tell(**line: object) -> None:
            file.write(json.dumps(line) + "\n")
            file.flush()

        _check(name, list(distribution(name).entry_points), tell, guard="guard" in more)


def _check(name: str, points: list[EntryPoint], tell: Tell, *, guard: bool) -> None:
    before = {known.info.id: known for known in builtin_rules()}
    tell(now="it is loaded")
    loaded = load_plug_ins()
    known_as = _normal(name)
    rules = [rule for rule in loaded.rules if _normal(rule.info.origin.rpartition(" ")[0]) == known_as]
    for problem in loaded.problems:
        if _normal(problem.place.record.rpartition(" ")[0]) == known_as or f" of {name} " in problem.sentence():
            tell(fault=problem.sentence())
    fixtures = _fixtures(points, tell)
    for rule in rules:
        for fault in _pages(rule, points):
            tell(fault=f"{rule.info.id}: {fault}")
        given = fixtures.pop(rule.info.id, None)
        if given is None:
            tell(fault=f"{rule.info.id}: no fixture: give one by an entry point of {FIXTURES}")
            continue
        _run(rule, given, tell, guard=guard)
    for stray in sorted(fixtures):
        tell(fault=f"{stray}: a fixture of a rule that the plug-in does not give")
    after = {known.info.id: known for known in builtin_rules()}
    for rule_id in sorted(before):
        if after.get(rule_id) != before[rule_id]:
            gone = "takes" if rule_id not in after else "changes"
            tell(fault=f"it {gone} the built-in rule {rule_id}: a plug-in adds rules and takes none away")
    tell(end=True)


def _fixtures(points: list[EntryPoint], tell: Tell) -> dict[str, Fixture]:
    found: dict[str, Fixture] = {}
    for point in sorted(points, key=lambda point: (point.group, point.name)):
        if point.group != FIXTURES:
            continue
        try:
            given = point.load()
        except Exception as error:
            tell(fault=f"the fixtures `{point.value}` cannot be imported: {type(error).__name__}: {error}")
            continue
        if not isinstance(given, list | tuple) or not all(isinstance(item, Fixture) for item in given):
            tell(fault=f"the fixtures `{point.value}` are not a list of Fixture")
            continue
        for item in given:
            if item.rule in found:
                tell(fault=f"{item.rule}: two fixtures; one rule has one")
            found[item.rule] = item
    return found


def _pages(rule: Rule, points: list[EntryPoint]) -> Iterator[str]:
    """What is wrong with a rule's page: a file of the package that gives the rule, as `pages/<ID>.md`."""
    module = rule.check.__module__.partition(".")[0]
    modules = [module, *(point.value.partition(":")[0].partition(".")[0] for point in points if point.group == RULES)]
    wanted = f"{PAGES}/{rule.info.id}.md"
    for package in dict.fromkeys(modules):
        try:
            page = files(importlib.import_module(package)).joinpath(PAGES, f"{rule.info.id}.md")
            text = page.read_text(encoding="utf-8")
        except (OSError, ValueError, TypeError, ImportError):
            continue
        first, _, rest = text.partition("\n")
        if rule.info.id not in first:
            yield f"its page {wanted} does not name it on its first line"
        if len(rest.split()) < 10:
            yield f"its page {wanted} says too little: what is wrong, why it matters, how to mend it"
        return
    yield f"no page {wanted} in the installed package `{module}`"


def _run(rule: Rule, fixture: Fixture, tell: Tell, *, guard: bool) -> None:
    rule_id = rule.info.id
    if unknown := sorted(set(fixture.settings) - set(rule.thresholds)):
        tell(fault=f"{rule_id}: the fixture sets `{unknown[0]}`, which is no threshold of the rule")
    made = replace(rule, thresholds={**rule.thresholds, **fixture.settings})
    found: dict[str, Any] = {}
    for kind, task in (("passing", fixture.passing), ("failing", fixture.failing)):
        for way in ("", "again", "shuffled"):
            tell(now=f"{rule_id} on its {kind} fixture")
            try:
                context = context_made(task, fixture, shuffled=way == "shuffled")
            except (CellwrightError, ValueError) as error:
                tell(fault=f"{rule_id}: its {kind} fixture cannot be read: {error}")
                break
            hits = _hits(made, context, tell, kind, first=not way, guard=guard and not way)
            if hits is None:
                break
            found[f"{kind} {way}".strip()] = [_plain(hit, lines=way != "shuffled") for hit in hits]
            if not way:
                for fault in _faults(hits, kind, task, context):
                    tell(fault=f"{rule_id}: {fault}")
                found[f"{kind} unnumbered"] = [_plain(hit, lines=False) for hit in hits]
        if sorted(found.get(f"{kind} again", [])) != sorted(found.get(kind, [])):
            tell(fault=f"{rule_id}: two runs on its {kind} fixture find different things")
        elif sorted(found.get(f"{kind} shuffled", [])) != sorted(found.get(f"{kind} unnumbered", [])):
            tell(fault=f"{rule_id}: it finds other things in its {kind} fixture when the tables' rows are shuffled")
    tell(found={"rule": rule_id, "hits": {key: sorted(value) for key, value in found.items()}})
    if guard:
        _time(made, tell)


def _hits(rule: Rule, context: AuditContext, tell: Tell, kind: str, *, first: bool, guard: bool) -> list[Hit] | None:
    """What a rule finds; the first time after the built-in ones, as in an audit. None where it breaks."""
    if first:
        warm(context)
    if rule.info.needs == "answers":
        try:
            _ = context.answers
        except CellwrightError as error:
            tell(fault=f"{rule.info.id}: it needs answers, and its {kind} fixture cannot be replayed: {error}")
            return None
    before = _shown(context)
    touched: set[str] = set()
    hits: list[Hit] | None = None
    try:
        if guard:
            with guarded() as touched:
                hits = list(hits_of(rule, context))
        else:
            hits = list(hits_of(rule, context))
    except Exception as error:
        if not touched:
            said = f"{type(error).__name__}: {error}"
            tell(fault=f"{rule.info.id}: it breaks on its {kind} fixture: {said}")
    for what in sorted(touched):
        tell(fault=f"{rule.info.id}: it touches {what}: the same files must give the same audit")
    for part, shown in _shown(context).items():
        if shown != before[part]:
            tell(fault=f"{rule.info.id}: it changes `context.{part}`, which other rules look at")
    return hits


def warm(context: AuditContext) -> None:
    """The built-in rules run first, as in an audit: what they work out lazily is there when the plug-in's run."""
    for known in builtin_rules():
        if known.info.needs == "tasks":
            continue
        try:
            for _ in known.check(context):
                pass
        except Exception:  # a fixture may be a task that breaks them; the audit would tell it, and the rule still runs
            continue


def _shown(context: AuditContext) -> dict[str, str]:
    """What a rule could change under the feet of the next one, as text."""
    shown = {
        name: repr(getattr(context, name))
        for name in ("folder", "evidence", "profile", "thresholds", "specs", "faults", "periods", "rule_ids")
    }
    try:
        shown["answers"] = repr((context.answers.verdicts, context.answers.near_misses))
    except Exception:  # nothing can be replayed, so that nothing of it can be changed
        shown["answers"] = ""
    return shown


def _faults(hits: list[Hit], kind: str, task: Files, context: AuditContext) -> Iterator[str]:
    if kind == "passing" and hits:
        yield f"it finds something in its passing fixture: {hits[0].observed}"
    if kind == "failing" and not hits:
        yield "it finds nothing in its failing fixture"
    known = {context.folder.file(name) for name in task} | {"", "params.yaml"}
    for hit in hits:
        if hit.place.file not in known:
            yield f"a hit names the file `{hit.place.file}`; expected one of the task, by `context.folder.place(…)`"
            return
        if not (hit.observed and hit.fix):
            yield "a hit does not say what was seen (`observed`) or how to mend it (`fix`)"
            return


def _time(rule: Rule, tell: Tell) -> None:
    tell(now=f"{rule.info.id} on a task of 2,000 facts")
    context = _large_context()
    start = time.process_time()
    try:
        for _ in islice(hits_of(rule, context), MAX_HITS):
            pass
    except Exception as error:
        tell(fault=f"{rule.info.id}: it breaks on a task of 2,000 facts: {type(error).__name__}: {error}")
        return
    took = time.process_time() - start
    if took > MOST_SECONDS:
        tell(fault=f"{rule.info.id}: it takes {took:.0f} s on a task of 2,000 facts; at most {MOST_SECONDS} s")


@cache
def _large_context() -> AuditContext:
    """One for all rules: what they change in it, another look has told."""
    context = context_made(large_task())
    warm(context)
    return context


def _plain(hit: Hit, *, lines: bool) -> list[str]:
    line = str(hit.place.line or "") if lines else ""
    place = (hit.place.file, line, hit.place.column, hit.place.record)
    return [*place, hit.observed, hit.expected, hit.fix, hit.entity, hit.dimension, *hit.fields]


def _normal(name: str) -> str:
    return name.replace("_", "-").replace(".", "-").lower()


if __name__ == "__main__":
    main(*sys.argv[1:])
