"""The Croissant (1.0) description of a bundle: what loads its tables record by record, and what catalogues read.

Source: https://docs.mlcommons.org/croissant/docs/croissant-spec-1.0.html
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cellwright.authoring.bundles.card_head import TAGS
from cellwright.authoring.bundles.citation import authors, citation, last_day
from cellwright.authoring.bundles.licences import licence_address
from cellwright.records.bundle import TABLE_COLUMNS, TABLE_KEYS, TABLES, Rows

CONFORMS_TO = "http://mlcommons.org/croissant/1.0"


def croissant(name: str, version: str, tables: Mapping[str, Rows], files: Mapping[str, str], *, url: str = "") -> str:
    """The description as JSON-LD: one file object and one record set for each table that `files` has.

    `files` gives the sha256 of each published file by its path; `url` is where the benchmark is published.
    """
    shown = [table for table in TABLE_COLUMNS if f"{table}.parquet" in files]
    day = last_day(tables)
    document: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": name,
        "version": version,
        "description": _description(day),
        "citeAs": citation(name, version, tables, url=url),
        "creator": _creators(name, tables),
        "license": _licences(tables),
        "inLanguage": sorted({row["language"] for row in tables["tasks"]} - {""}),
        "keywords": list(TAGS),
        "isLiveDataset": False,
        "distribution": [_file(table, files[f"{table}.parquet"]) for table in shown],
        "recordSet": [_record_set(table, len(tables[table]), "tasks" in shown) for table in shown],
        # No clock makes the bytes of a bundle: the day is the latest that a source of it may be from.
        **({"datePublished": day} if day else {}),
        **({"url": url} if url else {}),
    }
    return json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _description(day: str) -> str:
    text = (
        "A deep-research benchmark: matrices of entities and dimensions, each cell with a reference answer, the steps "
        "that lead to it, the facts it rests on and the sources that state them. Every column is text; numbers are "
        "exact decimal strings. Nothing of a source is in it but addresses, single figures and short quotes."
    )
    return f"{text} Its sources were public by {day}, which stands as the day of publication." if day else text


def _creators(name: str, tables: Mapping[str, Rows]) -> list[dict[str, str]]:
    people = [{"@type": "sc:Person", "name": person} for person in authors(tables)]
    return people or [{"@type": "sc:Organization", "name": f"The {name} contributors"}]


def _licences(tables: Mapping[str, Rows]) -> list[Any]:
    """The address of each licence's text; one that is not known as a work of its own name."""
    names = sorted({row["licence"].strip() for row in tables["tasks"]} - {""})
    return [licence_address(text) or {"@type": "sc:CreativeWork", "name": text} for text in names]


def _file(table: str, sha256: str) -> dict[str, str]:
    return {
        "@type": "cr:FileObject",
        "@id": f"{table}.parquet",
        "name": f"{table}.parquet",
        "description": f"The table `{table}`: a row is {TABLES[table]}.",
        "contentUrl": f"{table}.parquet",
        "encodingFormat": "application/x-parquet",
        "sha256": sha256,
    }


def _record_set(table: str, rows: int, tasks_shown: bool) -> dict[str, Any]:
    """A table's record set. `key` is what tells its rows apart; `references` is told of `task` alone.

    A reference is a join to every reader of Croissant: `task` is the only column that names one row elsewhere by
    itself. The others do so together with it, which the format cannot say; the descriptions do.
    """
    return {
        "@type": "cr:RecordSet",
        "@id": table,
        "name": table,
        "description": f"A record is {TABLES[table]}; there are {rows}.",
        "key": [{"@id": f"{table}/{column}"} for column in TABLE_KEYS[table]],
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{table}/{column}",
                "name": f"{table}/{column}",
                "description": text + _names(table, column),
                "dataType": "sc:Text",
                "source": {"fileObject": {"@id": f"{table}.parquet"}, "extract": {"column": column}},
                **(
                    {"references": {"field": {"@id": "tasks/task"}}}
                    if column == "task" and table != "tasks" and tasks_shown
                    else {}
                ),
            }
            for column, text in TABLE_COLUMNS[table].items()
        ],
    }


_PARENTS = {"entity": "entities", "dimension": "dimensions", "source": "sources", "fact": "facts"}


def _names(table: str, column: str) -> str:
    """Which table's row a column names together with `task`."""
    parent = _PARENTS.get(column, "")
    return f"; with task, it names a record of {parent}" if parent and parent != table else ""


_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
"""The context that the specification gives, key by key; readers warn of any other."""
