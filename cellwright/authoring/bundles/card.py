"""The dataset card of a bundle: what it holds, how dense its records are, whose it is and how it is loaded."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from cellwright.authoring.bundles.card_head import front_matter
from cellwright.authoring.bundles.card_loading import LOADING
from cellwright.authoring.bundles.card_text import as_markdown
from cellwright.authoring.bundles.citation import citation
from cellwright.authoring.bundles.licences import licence_address, spdx_id
from cellwright.authoring.bundles.record_density import TIERS, density_lines
from cellwright.records.bundle import TABLE_COLUMNS, TABLES, Rows

MAX_PUBLISHERS = 60
"""Publishers that the card lists; how many more there are is said."""


def card(
    name: str, version: str, tables: Mapping[str, Rows], *, canary: str, demonstration: bool, url: str = ""
) -> str:
    """The dataset card, `README.md` of the bundle, in Markdown with a YAML head that dataset hubs read.

    `url` is where the benchmark is published.
    """
    lines = [
        *front_matter(name, tables),
        f"# {name} {version}",
        "",
        "A deep-research benchmark: for each task a matrix of entities × dimensions, each cell with a reference",
        "answer, the steps that lead to it, the facts it rests on and the sources that state them.",
        "",
        *(_DEMONSTRATION if demonstration else ()),
        "| table | rows | what a row is |",
        "| --- | ---: | --- |",
        *[f"| `{table}.parquet` | {len(tables[table])} | {TABLES[table]} |" for table in TABLE_COLUMNS],
        "",
        *density_lines(tables),
        *_cell_lines(tables),
        *_task_lines(tables),
        *_source_lines(tables),
        *LOADING.splitlines(),
        "",
        "## Citation",
        "",
        "```bibtex",
        *citation(name, version, tables, url=url).splitlines(),
        "```",
        "",
        "The digest in `note` covers each cell's question, reference and rule: results that carry the same one can be",
        "compared. `croissant.json` holds the same citation.",
        "",
        *([f"Canary: `{canary}`. Please keep this text out of training data.", ""] if canary else []),
    ]
    return "\n".join(lines)


_DEMONSTRATION = (
    "> **A demonstration.** Some captures are stand-ins: figures as disclosed, not the documents",
    "> themselves. It shows the format and must not be used to rank anybody.",
    "",
)


def _cell_lines(tables: Mapping[str, Rows]) -> list[str]:
    types = Counter(row["answer_type"] for row in tables["cells"])
    labels = Counter(row["agreement"] or "none" for row in tables["cells"])
    return ["## Cells", "", f"Answer types: {_mix(types)}. Agreement: {_mix(labels)}.", ""]


def _task_lines(tables: Mapping[str, Rows]) -> list[str]:
    """Each task with its licence: it covers what the task's makers wrote, not the documents they read."""
    return [
        "## Tasks and their licences",
        "",
        "| task | title | as of | licence |",
        "| --- | --- | --- | --- |",
        *[
            f"| `{row['task']}` | {as_markdown(row['title'])} | {as_markdown(row['as_of'])} "
            f"| {_licence(row['licence'])} |"
            for row in tables["tasks"]
        ],
        "",
        "A task's licence covers its questions, derivations, references and rules.",
        "",
    ]


def _licence(text: str) -> str:
    address = licence_address(text)
    return f"[{spdx_id(text)}]({address})" if address else as_markdown(text) or "none stated"


def _source_lines(tables: Mapping[str, Rows]) -> list[str]:
    """Whose the documents are: each publisher with its documents and their tiers."""
    tiers: dict[str, Counter[str]] = defaultdict(Counter)
    for row in tables["sources"]:
        tiers[row["publisher"]][row["tier"]] += 1
    ranked = sorted(tiers, key=lambda publisher: (-tiers[publisher].total(), publisher))
    more = len(ranked) - MAX_PUBLISHERS
    return [
        "## Sources and their rights",
        "",
        "The documents stay their publishers', under their terms. The bundle holds no document: it holds addresses,",
        "single figures, and excerpts of at most 300 characters that show where a figure stands.",
        "",
        "| publisher | documents | tiers |",
        "| --- | ---: | --- |",
        *[
            f"| {as_markdown(publisher) or 'not stated'} | {tiers[publisher].total()} | {_tiers(tiers[publisher])} |"
            for publisher in ranked[:MAX_PUBLISHERS]
        ],
        "",
        *([f"And {more} more; the table `sources` has all of them.", ""] if more > 0 else []),
    ]


def _tiers(counts: Counter[str]) -> str:
    return ", ".join(f"{tier} {counts[tier]}" for tier in TIERS if counts[tier]) or "none"


def _mix(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "none"
