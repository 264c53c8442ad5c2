"""The real filings as a mirror or behind a local server, and the 624 figures as the facts of a task."""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cellwright.records.repository_rows import MirrorRow
from cellwright.records.rows import CellRow, Fact, Source
from cellwright.records.tables import write_table

FILES = {  # The shipped task's sources and the documents that they are.
    "aapl-10-k-fy2024": "AAPL_10-K_FY2024",
    "amzn-10-k-fy2023": "AMZN_10-K_FY2023",
    "goog-10-k-fy2023": "GOOG_10-K_FY2023",
    "hd-10-k-fy2023": "HD_10-K_FY2023",
    "meta-10-k-fy2023": "META_10-K_FY2023",
    "nvda-10-k-fy2024": "NVDA_10-K_FY2024",
    "txn-10-k-fy2023": "TXN_10-K_FY2023",
    "wmt-10-k-fy2024": "WMT_10-K_FY2024",
    "meta-10-k-fy2024": "META_10-K_FY2024",
    "nvda-10-k-fy2025": "NVDA_10-K_FY2025",
    "wmt-10-k-fy2025": "WMT_10-K_FY2025",
}
_FIGURE = re.compile(r"(\s*(\$|\(|\)|—|[\d,]+(\.\d+)?|\.\d+))$")
_DATE = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan)\.? \d{1,2}, \d{4}$"
)


def filings(shared_data: Path) -> dict[str, bytes]:
    """The documents by name, unpacked."""
    return {
        path.name.removesuffix(".html.gz"): gzip.decompress(path.read_bytes())
        for path in sorted((shared_data / "filings").glob("*.html.gz"))
    }


def write_mirror(folder: Path, shared_data: Path, urls: dict[str, str]) -> Path:
    """A mirror in which each address of `urls` (source → address) answers with the real document."""
    folder.mkdir(parents=True)
    documents = filings(shared_data)
    rows = []
    for source, url in urls.items():
        (folder / f"{source}.html").write_bytes(documents[FILES[source]])
        rows.append(
            {"url": url, "file": f"{source}.html", "media_type": "text/html", "fetched": "2025-03-31T00:00:00Z"}
        )
    (folder / "index.csv").write_bytes(write_table(rows, MirrorRow.columns()))
    return folder


@dataclass(frozen=True)
class Figure:
    """One of the 624 figures: what identifies it, and how it is printed."""

    id: str
    document: str
    entity: str
    name: str
    row: str
    period: str
    unit: str
    displayed: str
    """The printed digits, without brackets."""
    bracketed: bool
    scale: int

    @property
    def as_written(self) -> str:
        """The figure with its brackets."""
        return f"({self.displayed})" if self.bracketed else self.displayed


def figures(shared_data: Path) -> Iterator[Figure]:
    """The rows of matrix.csv; whether a figure is bracketed is read off the text of its row."""
    with (shared_data / "filings" / "ground_truth" / "matrix.csv").open(encoding="utf-8", newline="") as handle:
        for number, row in enumerate(csv.DictReader(handle)):
            text, shown = row["row_text"], row["displayed"]
            period = f"{row['period_start']}/{row['period_end']}" if row["period_start"] else row["period_end"]
            yield Figure(
                id=f"f{number:03d}",
                document=Path(row["file"]).stem,
                entity=row["ticker"].lower(),
                name=row["metric"],
                row=row_label(text),
                period=period,
                unit="USD/share" if row["unit"] == "USD/shares" else row["unit"],
                displayed=shown,
                bracketed=re.search(rf"\(\s*{re.escape(shown)}\s*\)", text) is not None,
                scale=int(row["scale"]),
            )


def row_label(text: str) -> str:
    """A row's label: its text without the figures at its end, dates kept; a sentence up to its first figure."""
    if text.endswith("."):
        return re.split(r"\s*\$?\s*\d", text, maxsplit=1)[0]
    while True:
        if _DATE.search(text):
            return text
        shorter = _FIGURE.sub("", text)
        if shorter == text:
            return text.strip()
        text = shorter


def write_task(folder: Path, figures_of_task: list[Figure], facts: list[dict[str, str]], url: str) -> None:
    """A task whose sources are the documents at `url` and whose facts are `facts`."""
    folder.mkdir(parents=True)
    entities = sorted({figure.entity for figure in figures_of_task})
    lines = [
        "schema: 1",
        f"id: {folder.name}",
        "title: t",
        "domain: finance",
        "as_of: 2025-12-31",
        "question: q",
        "entities:",
    ]
    lines += [f"  - {{id: {entity}, name: {entity.upper()}, currency: USD}}" for entity in entities]
    lines += ["dimensions:", "  - {id: d, name: n, ask: a, family: retrieval, unit: USD, answer_type: precise}"]
    (folder / "task.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    documents = sorted({figure.document for figure in figures_of_task})
    sources = [
        {
            "id": source_id(name),
            "url": f"{url}/{name}.html",
            "title": name,
            "publisher": name,
            "published": "2024-01-01",
            "accessed": "2025-01-01",
            "media_type": "text/html",
            "locale": "en",
        }
        for name in documents
    ]
    (folder / "sources.csv").write_bytes(write_table(sources, Source.columns()))
    (folder / "facts.csv").write_bytes(write_table(facts, Fact.columns()))
    (folder / "cells.csv").write_bytes(write_table([], CellRow.columns()))


def source_id(document: str) -> str:
    """The source's id in the task."""
    return document.lower().replace("_", "-")


def blind_fact(figure: Figure) -> dict[str, str]:
    """The fact with everything that would give the number away left empty."""
    return {
        "id": figure.id,
        "entity": figure.entity,
        "name": figure.name,
        "source": source_id(figure.document),
        "period": figure.period,
        "rank": "witness",
        "unit": figure.unit,
        "row": figure.row,
    }
