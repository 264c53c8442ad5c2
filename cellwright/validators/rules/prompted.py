"""Condition 5, prompted: the prompt tells no answer, no source and no tier."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from cellwright.records.derivations import CellResult
from cellwright.records.errors import Place
from cellwright.records.findings import Condition
from cellwright.records.scoring import Rule
from cellwright.records.task import Task
from cellwright.validators.context import AuditContext
from cellwright.validators.prompt_numbers import Told, told_answers
from cellwright.validators.registry import Hit, rule

C5 = Condition.SCORABLE
_ADDRESS = re.compile(r"https?://\S{1,80}", re.IGNORECASE)
_TIER = re.compile(r"\bT[1-4]\b")


@rule("C5-PROMPT-TELLS", C5, needs="answers", title="The prompt tells no answer.")
def prompts_tell_no_answers(context: AuditContext) -> Iterator[Hit]:
    """Numbers in the question, its parts or its assumptions that are a cell's reference."""
    for told in _told(context):
        yield Hit(
            told.place,
            f"`{told.text}` is the answer of {told.entity}/{told.dimension}",
            "a question that tells no answer",
            "take the number out of the question",
            told.entity,
            told.dimension,
        )


def _told(context: AuditContext) -> Iterator[Told]:
    cells = [(spec, result) for spec, result in context.answers.answered if isinstance(result, CellResult)]
    rules = {key: found for key, found in context.answers.rules.items() if isinstance(found, Rule)}
    return told_answers(context.task, cells, context.thresholds.prompt_digits, rules)


@rule("C5-PROMPT-SOURCE", C5, title="The prompt names no source and no tier.")
def prompts_name_no_sources(context: AuditContext) -> Iterator[Hit]:
    """Addresses, hosts and ids of sources, and tiers, in the question or its parts."""
    hosts = {host for source in context.folder.sources if (host := _host(source.url))}
    ids = {source.id for source in context.folder.sources if not source.id.isalpha()}
    for place, dimension, text in _texts(context.task):
        found = _ADDRESS.search(text) or _TIER.search(text)
        words = {word.strip(".,;:()'\"").lower() for word in text.split()}
        seen = found[0] if found else next(iter(sorted(words & (hosts | ids))), "")
        if seen:
            yield Hit(
                place,
                f"`{seen}`",
                "a question that leaves the search to the reader",
                "take it out of the question",
                dimension=dimension,
            )


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:  # C2-URL-UNUSABLE tells it
        return ""


def _texts(task: Task) -> Iterator[tuple[Place, str, str]]:
    """Each text that the prompt holds, with its place and dimension."""
    for key in ("title", "question"):
        yield task.place(key), "", getattr(task, key)
    for index, assumption in enumerate(task.assumptions):
        yield task.place("assumptions", index, "reason", record=assumption.id), "", assumption.reason
    for dimension in task.dimensions:
        for key in ("name", "ask"):
            yield task.place_of(dimension.id, key), dimension.id, getattr(dimension, key)
        for entity, own in dimension.overrides.items():
            if own.ask:
                yield task.place_of(dimension.id, "ask", entity=entity), dimension.id, own.ask
