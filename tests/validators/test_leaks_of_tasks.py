"""No false alarm on whole tasks that are clean, however unusual; and every long answer of them found when planted."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from cellwright.authoring.bundles.open_pages import open_card, open_changelog
from cellwright.authoring.bundles.tables import TaskContent, bundle_tables
from cellwright.records.bundle import Rows
from cellwright.records.prompt import task_prompt
from cellwright.records.sealing import open_rows
from cellwright.validators.audit import context_of
from cellwright.validators.leak_numbers import digits_of, numbers_in, significant
from cellwright.validators.leaks import OpenBundle, given_texts, leaks
from cellwright.validators.thresholds import Thresholds
from tests.power import unusual_cases
from tests.power.clean_tasks import clean_task
from tests.power.draft import CANARY, Draft, shipped
from tests.power.unusual import CASES

MANIFEST = {"name": "demo", "version": "0.1.0", "tool": "cellwright", "canary": CANARY, "demonstration": False}
assert unusual_cases
TASKS: dict[str, Callable[[], Draft]] = {
    "shipped": shipped,
    **{f"clean {seed}": (lambda seed=seed: clean_task(seed)) for seed in range(6)},  # type: ignore[misc]
    **CASES,
}


@cache
def tables_of(name: str) -> dict[str, Rows]:
    draft = TASKS[name]()
    folder = draft.folder()
    context = context_of(folder, draft.evidence, profile=draft.profile, thresholds=Thresholds(), owners=draft.owners)
    return bundle_tables([TaskContent(folder, context.answers)])


def shown(tables: dict[str, Rows], planted: str = "") -> OpenBundle:
    """The open files as they are built, with a text behind the card."""
    prompts = {f"prompts/{row['task']}.md": task_prompt(tables, row["task"], canary=CANARY) for row in tables["tasks"]}
    pages = {"README.md": open_card(MANIFEST, tables) + planted, "CHANGELOG.md": open_changelog(MANIFEST, tables)}
    texts = {name: text.splitlines() for name, text in {**prompts, **pages}.items()}
    texts |= {f"{name}.parquet": ["\t".join(row.values()) for row in rows] for name, rows in open_rows(tables).items()}
    return OpenBundle(texts, {}, MANIFEST)


@pytest.mark.parametrize("name", sorted(TASKS))
def test_a_task_as_it_is_built_tells_nothing(name: str) -> None:
    tables = tables_of(name)
    assert [problem.sentence() for problem in leaks(shown(tables), tables)] == []


@pytest.mark.parametrize("name", ["shipped", "clean 0", "clean 1", "clean 2"])
def test_every_long_answer_that_is_planted_is_told(name: str) -> None:
    tables = tables_of(name)
    given = {number for text in given_texts(MANIFEST, tables) for number in numbers_in(text)}
    values = {row["value"] for row in tables["cells"]}
    long = sorted(
        value for value in values if len(significant(digits_of(value))) >= 5 and digits_of(value) not in given
    )
    assert len(long) > 5
    missed = [value for value in long if not leaks(shown(tables, f"\nIt is {value}."), tables)]
    assert missed == []


@pytest.mark.parametrize("name", ["shipped", "clean 0"])
def test_every_quote_and_address_that_is_planted_is_told(name: str) -> None:
    tables = tables_of(name)
    texts = [row["quote"][:60] for row in tables["facts"][::7] if len(row["quote"]) > 40]
    texts += [row["url"] for row in tables["sources"]]
    assert len(texts) > 10
    assert [text for text in texts if not leaks(shown(tables, f"\n{text}"), tables)] == []
