"""A task that faults are planted into: `task.yaml` as data, tables as rows, captures as evidence."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from cellwright.records.bundle import STAND_IN
from cellwright.records.decimals import canonical
from cellwright.records.folder import TaskFolder, read_folder
from cellwright.records.repository_rows import RegistryRow
from cellwright.records.rows import TASK_TABLES
from cellwright.records.tables import write_table
from cellwright.records.yaml_text import read_yaml
from cellwright.validators.audit import AuditInput
from cellwright.validators.evidence import Evidence
from cellwright.validators.profiles import Profile, read_profile

Row = dict[str, str]
ROOT = Path(__file__).resolve().parents[2]
SHIPPED = "us-large-caps-fy2023"
CANARY = "canary-8b1f5d2e-94a7-4c56-b0e3-6d7a1c2f3b4e"


@dataclass
class Draft:
    """One task in a form that a fault may change. Take a `copy` before planting."""

    task: dict[str, Any]
    tables: dict[str, list[Row]]
    evidence: dict[str, Evidence]
    profile: Profile
    owners: list[RegistryRow] = field(default_factory=list)
    raw: dict[str, bytes] = field(default_factory=dict)
    """Files as bytes in the place of their table."""
    heads: dict[str, list[str]] = field(default_factory=dict)
    """The head of a table, where it is not every column."""
    beside: list[Draft] = field(default_factory=list)
    """Other tasks that it is compared with; they are read, and not audited."""
    stand_in: bool = False
    """Whether its captures are stand-ins, which the audit marks."""
    canary: str | None = CANARY
    day: date | None = None
    """The day of the audit."""

    def copy(self) -> Draft:
        """A copy that shares nothing that a fault changes."""
        return replace(
            self,
            task=copy.deepcopy(self.task),
            tables={name: [dict(row) for row in rows] for name, rows in self.tables.items()},
            evidence=dict(self.evidence),
            owners=list(self.owners),
            raw=dict(self.raw),
            heads=dict(self.heads),
            beside=[other.copy() for other in self.beside],
        )

    def folder(self) -> TaskFolder:
        """The folder as the audit reads it. Raises UnreadableInput for what cannot be read at all."""
        files = {"task.yaml": json.dumps(self.task, ensure_ascii=False, indent=1).encode()}
        for name, rows in self.tables.items():
            files[f"{name}.csv"] = write_table(rows, self.heads.get(name) or TASK_TABLES[name].columns())
        return read_folder({**files, **self.raw}, f"tasks/{self.task['id']}")

    def input(self) -> AuditInput:
        """What the audit takes."""
        return AuditInput(self.folder(), self.evidence, self.profile, self.day, self.canary)

    @property
    def facts(self) -> list[Row]:
        """The lines of `facts.csv`."""
        return self.tables["facts"]

    @property
    def sources(self) -> list[Row]:
        """The lines of `sources.csv`."""
        return self.tables["sources"]

    @property
    def cells(self) -> list[Row]:
        """The lines of `cells.csv`."""
        return self.tables["cells"]

    def dimensions(self, **wanted: str) -> list[dict[str, Any]]:
        """Dimensions with these keys."""
        return [item for item in self.task["dimensions"] if all(item.get(key) == text for key, text in wanted.items())]

    def cells_where(self, **wanted: str) -> list[Row]:
        """Lines of `cells.csv` with these fields."""
        return [row for row in self.cells if all(row.get(key, "") == text for key, text in wanted.items())]

    def facts_where(self, **wanted: str) -> list[Row]:
        """Facts with these fields."""
        return [row for row in self.facts if all(row.get(key, "") == text for key, text in wanted.items())]

    def source(self, source_id: str) -> Row:
        """A source by its id."""
        return next(row for row in self.sources if row["id"] == source_id)

    def entities(self) -> list[str]:
        """The entities' ids."""
        return [item["id"] for item in self.task["entities"]]

    def with_quote(self, fact: Row, quote: str) -> None:
        """Give a fact another quote, and let its capture hold that too: as if the document said so."""
        found = self.evidence[fact["source"]]
        fact["quote"] = quote
        self.print_capture(fact["source"], f"{found.text}\n{quote}")

    def print_capture(self, source: str, text: str) -> None:
        """Let a capture have this text, pinned by its sha256."""
        digest = hashlib.sha256(text.encode()).hexdigest()
        self.source(source)["capture"] = digest
        via = STAND_IN if self.stand_in else "live"
        self.evidence[source] = Evidence(source, digest, text, via, "200", "text/html", url=self.source(source)["url"])

    def restate_figure(self, fact: Row, figure: str, value: Decimal) -> None:
        """Another printed figure and value, quote and capture in step."""
        quote = fact["quote"].replace(fact["as_written"], figure)
        fact["as_written"], fact["value"] = figure, canonical(value)
        self.with_quote(fact, quote)


def print_captures(draft: Draft) -> None:
    """Let each capture hold its title, the head of its table and the quotes of its facts."""
    for source in draft.sources:
        facts = [row for row in draft.facts if row["source"] == source["id"]]
        head = [row.get("prefix", "") for row in facts[:1]]
        lines = [source["title"], *head, *dict.fromkeys(row["quote"] for row in facts)]
        draft.print_capture(source["id"], "\n".join(line for line in lines if line))


def shipped() -> Draft:
    """The shipped task with a stand-in capture for each source."""
    path = ROOT / "tasks" / SHIPPED
    files = {file.name: file.read_bytes() for file in path.iterdir() if file.suffix in (".csv", ".yaml")}
    raw, _ = read_yaml(files["task.yaml"], "task.yaml")
    assert isinstance(raw, dict)
    folder = read_folder(files, f"tasks/{SHIPPED}")
    tables = {name: [dict(row) for row in folder.tables[name].rows] for name in folder.tables}
    for name in ("waivers", "pilots", "searches", "annotations"):
        tables.setdefault(name, [])
    profile = ROOT / "cellwright" / "validators" / "profiles" / "deepweb-8x8.yaml"
    draft = Draft(raw, tables, {}, read_profile(profile.read_bytes(), profile.name), stand_in=True)
    print_captures(draft)
    return draft


def leaves(items: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Steps of dimensions, each a changeable mapping."""
    for item in items:
        yield from item.get("steps", ())
