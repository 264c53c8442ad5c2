"""The YAML head of a dataset card, which dataset hubs and `datasets` read.

Nothing of a task's own words stands in it: licences and languages only as codes that are known or well formed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping

from cellwright.authoring.bundles.licences import hub_licences
from cellwright.records.bundle import TABLE_COLUMNS, Rows

TAGS = ("benchmark", "croissant", "deep-research", "evaluation", "provenance")
CATEGORIES = ("question-answering", "table-question-answering")
_SIZES = ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M"), (10**7, "1M<n<10M"))
_LANGUAGE = re.compile(r"([a-z]{2,3})(?:-[A-Za-z0-9]{1,8}){0,4}")


def front_matter(name: str, tables: Mapping[str, Rows], published: Collection[str] = tuple(TABLE_COLUMNS)) -> list[str]:
    """The lines of the head, its fences and an empty line after it.

    `published` names the tables that stand open beside the card: each that has rows is a configuration, `cells`
    the default one. A table without rows is none: `datasets` refuses to load nothing.
    """
    licences = hub_licences(row["licence"] for row in tables["tasks"])
    head: list[str] = ["---", f"pretty_name: {json.dumps(name)}"]
    head += _list("language", sorted({match[1] for row in tables["tasks"] if (match := _language(row["language"]))}))
    if len(licences) == 1:
        head.append(f"license: {json.dumps(licences[0])}")
    else:
        head += _list("license", licences)
    if licences == ["other"]:
        head.append('license_name: "per-task"')
    head += _list("task_categories", CATEGORIES)
    head += _list("size_categories", [_size(len(tables["cells"]))])
    head += _list("tags", TAGS)
    shown = [table for table in TABLE_COLUMNS if table in published and tables[table]]
    head += ["configs:"] if shown else []
    for table in shown:
        head += [f"- config_name: {table}", f"  data_files: {table}.parquet"]
        head += ["  default: true"] if table == "cells" else []
    return [*head, "---", ""]


def _language(text: str) -> re.Match[str] | None:
    return _LANGUAGE.fullmatch(text)


def _size(cells: int) -> str:
    return next((words for limit, words in _SIZES if cells < limit), "10M<n<100M")


def _list(key: str, items: Collection[str]) -> list[str]:
    return [f"{key}:", *[f"- {json.dumps(item)}" for item in items]] if items else []
