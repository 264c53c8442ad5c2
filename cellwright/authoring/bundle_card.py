"""What tells a bundle to people and catalogues: its card, its cases and its Croissant description."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from decimal import Decimal

from cellwright.records.bundle import TABLE_COLUMNS, Rows, canonical_json
from cellwright.records.decimals import CONTEXT

TIERS = ("T1", "T2", "T3", "T4")


def record_density(tables: Mapping[str, Rows]) -> dict[str, str]:
    """URLs and publishers a cell, steps a derivation cell, tier mix in percent; one decimal each.

    A cell's sources are those of the facts its answer rests on; a not-available cell counts with none.
    """
    address = {(row["task"], row["source"]): row for row in tables["sources"]}
    urls, publishers = 0, 0
    for cell in tables["cells"]:
        mine = [address[cell["task"], name] for name in json.loads(cell["sources"])]
        urls += len({source["url"] for source in mine})
        publishers += len({source["publisher"] for source in mine})
    steps = Counter((row["task"], row["entity"], row["dimension"]) for row in tables["steps"])
    derived = [cell for cell in tables["cells"] if cell["family"] == "derivation"]
    step_count = sum(steps[cell["task"], cell["entity"], cell["dimension"]] for cell in derived)
    tiers = Counter(row["tier"] for row in tables["sources"])
    density = {
        "urls_per_cell": _ratio(urls, len(tables["cells"])),
        "publishers_per_cell": _ratio(publishers, len(tables["cells"])),
        "steps_per_derivation_cell": _ratio(step_count, len(derived)),
    }
    return {**density, **{f"{tier}_percent": _ratio(100 * tiers[tier], len(tables["sources"])) for tier in TIERS}}


def _ratio(part: int, whole: int) -> str:
    if not whole:
        return "0.0"
    return str(CONTEXT.divide(Decimal(part), Decimal(whole)).quantize(Decimal("0.1"), context=CONTEXT))


def card(name: str, version: str, tables: Mapping[str, Rows], *, canary: str, demonstration: bool) -> str:
    """The dataset card, `README.md` of the bundle, in Markdown with a YAML head that dataset hubs read."""
    types = Counter(row["answer_type"] for row in tables["cells"])
    labels = Counter(row["agreement"] or "none" for row in tables["cells"])
    lines = [
        *_front_matter(name, tables),
        f"# {name} {version}",
        "",
        "A deep-research benchmark: for each task a matrix of entities × dimensions, each cell with a reference",
        "answer, the steps that lead to it, the facts it rests on and the sources that state them.",
        "",
        *(_DEMONSTRATION if demonstration else ()),
        "| table | rows | what a row is |",
        "| --- | ---: | --- |",
        *[f"| `{table}.parquet` | {len(tables[table])} | {_what(table)} |" for table in TABLE_COLUMNS],
        "",
        *_density_lines(tables),
        "## Cells",
        "",
        f"Answer types: {_mix(types)}. Agreement: {_mix(labels)}.",
        "",
        "## Tasks",
        "",
        "| task | title | as of | licence |",
        "| --- | --- | --- | --- |",
        *[
            f"| `{row['task']}` | {_cell(row['title'])} | {row['as_of']} | {_cell(row['licence'])} |"
            for row in tables["tasks"]
        ],
        "",
        "Numbers are exact decimal strings. Quotes are short excerpts; the documents are at their publishers'.",
        "",
        *([f"Canary: `{canary}`. Please keep this text out of training data.", ""] if canary else []),
    ]
    return "\n".join(lines)


_DEMONSTRATION = (
    "> **A demonstration.** Some captures are stand-ins: figures as disclosed, not the documents",
    "> themselves. It shows the format and must not be used to rank anybody.",
    "",
)


def _front_matter(name: str, tables: Mapping[str, Rows]) -> list[str]:
    """The YAML head. What a task says is quoted: a line break in it must not become a key of ours."""
    licences = sorted({row["licence"] for row in tables["tasks"] if row["licence"]})
    languages = sorted({row["language"] for row in tables["tasks"]})
    lines = ["---", f"pretty_name: {json.dumps(name)}", "language:", *[f"- {json.dumps(item)}" for item in languages]]
    lines += [f"license: {json.dumps(licences[0].lower() if len(licences) == 1 else 'other')}", "configs:"]
    for table in TABLE_COLUMNS:
        lines += [f"- config_name: {table}", f"  data_files: {table}.parquet"]
        lines += ["  default: true"] if table == "cells" else []
    return [*lines, "---", ""]


def _density_lines(tables: Mapping[str, Rows]) -> list[str]:
    density = record_density(tables)
    return [
        "## Record density",
        "",
        "| per cell | here |",
        "| --- | ---: |",
        f"| URLs | {density['urls_per_cell']} |",
        f"| publishers | {density['publishers_per_cell']} |",
        f"| steps of a derivation cell | {density['steps_per_derivation_cell']} |",
        f"| sources of tier T1 / T2 / T3 / T4, % | {' / '.join(density[f'{tier}_percent'] for tier in TIERS)} |",
        "",
    ]


def cases(tables: Mapping[str, Rows]) -> str:
    """`cases.jsonl`: one line a cell, the question with its reference."""
    names = {(row["task"], row["entity"]): row["name"] for row in tables["entities"]}
    keys = (
        "task",
        "entity",
        "dimension",
        "family",
        "ask",
        "unit",
        "period",
        "period_start",
        "period_end",
        "answer_type",
        "value",
        "low",
        "high",
        "agreement",
        "digest",
    )
    return "".join(
        canonical_json(
            {
                "id": f"{row['task']}::{row['entity']}::{row['dimension']}",
                "entity_name": names[row["task"], row["entity"]],
                **{key: row[key] for key in keys},
            }
        )
        + "\n"
        for row in tables["cells"]
    )


def croissant(name: str, version: str, tables: Mapping[str, Rows], files: Mapping[str, str]) -> str:
    """The Croissant (1.0) description: one file object and one record set a table."""
    licences = sorted({row["licence"] for row in tables["tasks"] if row["licence"]})
    distribution = [
        {
            "@type": "cr:FileObject",
            "@id": f"{table}.parquet",
            "name": f"{table}.parquet",
            "contentUrl": f"{table}.parquet",
            "encodingFormat": "application/x-parquet",
            "sha256": files[f"{table}.parquet"],
        }
        for table in TABLE_COLUMNS
    ]
    records = [
        {
            "@type": "cr:RecordSet",
            "@id": table,
            "name": table,
            "description": _what(table),
            "field": [
                {
                    "@type": "cr:Field",
                    "@id": f"{table}/{column}",
                    "name": f"{table}/{column}",
                    "description": text,
                    "dataType": "sc:Text",
                    "source": {"fileObject": {"@id": f"{table}.parquet"}, "extract": {"column": column}},
                }
                for column, text in columns.items()
            ],
        }
        for table, columns in TABLE_COLUMNS.items()
    ]
    document = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": name,
        "version": version,
        "description": "A deep-research benchmark: matrices of entities and dimensions with derived answers.",
        "license": licences,
        "distribution": distribution,
        "recordSet": records,
    }
    return json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "column": "cr:column",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
    "citeAs": "cr:citeAs",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "jsonPath": "cr:jsonPath",
}


def _what(table: str) -> str:
    return {
        "tasks": "a task",
        "entities": "a row of a matrix",
        "dimensions": "a column of a matrix",
        "cells": "a cell with its reference answer and rule",
        "sources": "a public document",
        "facts": "one number read from one excerpt",
        "steps": "one step of a cell's derivation",
        "near_misses": "a wrong answer that a named misstep gives",
        "changes": "a correction",
    }[table]


def _mix(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")
