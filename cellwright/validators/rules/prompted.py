"""Condition 5, prompted: the prompt tells no answer, no near miss, no source and no tier."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cellwright.records.derivations import CellResult
from cellwright.records.errors import Place, clip
from cellwright.records.findings import Condition
from cellwright.records.scoring import Rule
from cellwright.records.task import Task
from cellwright.validators.context import AuditContext
from cellwright.validators.owners import host_of
from cellwright.validators.prompt_numbers import PromptNumbers, Told, told_answers
from cellwright.validators.registry import Hit, rule

C5 = Condition.SCORABLE
_ADDRESS = re.compile(r"(?:https?://|\bwww\.)\S{1,80}", re.IGNORECASE)
_TIER = re.compile(r"\bT[1-4]\b")
_TITLE_WORDS = 4
"""A title of fewer words (`Annual report 2023`) is what a question may well say."""


@rule("C5-PROMPT-TELLS", C5, needs="answers", title="The prompt tells no answer.")
def prompts_tell_no_answers(context: AuditContext) -> Iterator[Hit]:
    """Numbers in the question, its parts or its assumptions that are a cell's reference, at any scale."""
    for told in dict.fromkeys(_told(context)):
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
    limits = context.thresholds
    return told_answers(context.task, cells, limits.prompt_digits, rules, limits.prompt_digits_scaled)


@rule("C5-PROMPT-NEAR-MISS", C5, severity="warning", needs="answers", title="The prompt tells no near miss.")
def prompts_tell_no_near_misses(context: AuditContext) -> Iterator[Hit]:
    """Numbers of the prompt that are what a near miss gives, and claims of near misses that stand in it word for word.

    The one steers every agent to the misstep or away from it; the two together give the answer.
    """
    limits = context.thresholds
    prompt = PromptNumbers(context.task, limits.prompt_digits, limits.prompt_digits_scaled)
    seen: set[tuple[str, str]] = set()
    claimed = any(miss.claim for miss in context.answers.near_misses)
    texts = [(place, name, _plain(text)) for place, name, text in _texts(context.task)] if claimed else []
    for miss in context.answers.near_misses:
        spec = context.specs[miss.entity, miss.dimension]
        for told in prompt.telling(spec, miss.value, stated=False) if miss.value is not None else ():
            if (told.text, miss.dimension) not in seen:
                seen.add((told.text, miss.dimension))
                yield _near_miss(told.place, told.text, f"what `{miss.id}` gives", miss.entity, miss.dimension)
        if miss.claim:
            for place, dimension, text in texts:
                apt = dimension in ("", miss.dimension) and _plain(miss.claim) in text
                if apt and (miss.claim, miss.dimension) not in seen:
                    seen.add((miss.claim, miss.dimension))
                    yield _near_miss(place, miss.claim, f"the claim of `{miss.id}`", miss.entity, miss.dimension)


def _near_miss(place: Place, text: str, what: str, entity: str, dimension: str) -> Hit:
    return Hit(
        place,
        f"`{clip(text)}` is {what}, {entity}/{dimension}",
        "a question that tells no near miss",
        "take it out of the question",
        entity,
        dimension,
    )


@rule("C5-PROMPT-SOURCE", C5, title="The prompt names no source and no tier.")
def prompts_name_no_sources(context: AuditContext) -> Iterator[Hit]:
    """Addresses, hosts, titles and ids of sources, and tiers, in the question or its parts."""
    sources = context.folder.sources
    sites = {site for source in sources for site in _sites(source.url)}
    ids = {source.id for source in sources if not source.id.isalpha()}
    long = sorted(source.title for source in sources if len(source.title.split()) >= _TITLE_WORDS)
    titles = [(f" {_plain(title)} ", title) for title in long]
    for place, dimension, text in (*_texts(context.task), *_names(context.task)):
        seen = _source_in(text, sites, ids, titles)
        if seen:
            yield Hit(
                place,
                f"`{clip(seen)}`",
                "a question that leaves the search to the reader",
                "take it out of the question",
                dimension=dimension,
            )


def _source_in(text: str, sites: set[str], ids: set[str], titles: list[tuple[str, str]]) -> str:
    """What in a text names a source or a tier; empty where nothing does."""
    if found := _ADDRESS.search(text) or _TIER.search(text):
        return found[0]
    words = {word.strip(".,;:()'\"").lower() for word in text.split()}
    named = sorted(word for word in words if word in ids or word.partition("/")[0] in sites)
    if named:
        return named[0]
    plain = f" {_plain(text)} "
    return next((title for key, title in titles if key in plain), "")


def _plain(text: str) -> str:
    """Words in small letters with single blanks; punctuation at their ends gone."""
    return " ".join(word.strip(".,;:()'\"«»“”") for word in text.casefold().split())


def _sites(url: str) -> Iterator[str]:
    """The host of an address, and each site that it is a part of: `investors.example.org`, `example.org`."""
    parts = host_of(url).split(".")
    for start in range(max(len(parts) - 1, 0)):
        yield ".".join(parts[start:])


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


def _names(task: Task) -> Iterator[tuple[Place, str, str]]:
    """What else the prompt prints of the entities: aliases and identifiers."""
    for index, entity in enumerate(task.entities):
        for text in (*entity.aliases, *entity.identifiers.values()):
            yield task.place("entities", index, record=entity.id), "", text
