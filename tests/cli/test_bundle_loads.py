"""A bundle loads with `datasets`, `mlcroissant`, DuckDB and pandas: the same rows, ids and decimals as they are.

The libraries are imported in the tests; what is ignored are warnings that they raise about themselves.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import shutil
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cellwright.authoring.bundles.card import card
from cellwright.authoring.bundles.croissant import croissant
from cellwright.authoring.bundles.parquet import parquet_bytes
from cellwright.clients.bundle_reader import read_table
from cellwright.records.bundle import TABLE_COLUMNS, Rows, sorted_rows

pytestmark = [
    pytest.mark.whole_way,
    pytest.mark.filterwarnings("ignore::DeprecationWarning:(rdflib|mlcroissant|datasets|dill|multiprocess)"),
    pytest.mark.filterwarnings("ignore:The inplace keyword in DataFrame.reset_index:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning"),
]

Reader = Callable[[Path, str], list[dict[str, str]]]
LONG = "-1234567890123456789012345.678901234567890123456789"
HARD = ("0012", "1e5", "NO", "NULL", "nan", "true", "None", "-0", "1,5", " ", "", "2024-01-01", "0x1f", "∞", LONG)
TEXT = 'a "quoted", <b>bold</b>\n; \\ line — 漢字 \u202e 🙂 \' `x` {y}'


def hostile_tables() -> dict[str, Rows]:
    """Two tasks whose ids, values and words are what readers like to take for something else."""
    tables: dict[str, Rows] = {name: [] for name in TABLE_COLUMNS}
    for task in ("0012", "NULL"):
        words = {"title": TEXT, "as_of": "2024-01-01", "licence": "NO", "language": "no", "contributors": '["nan"]'}
        tables["tasks"].append({"task": task, "question": TEXT, **words})
        for position, word in enumerate(HARD, 1):
            tables["entities"].append({"task": task, "entity": word, "position": str(position), "name": TEXT})
            row = {"task": task, "entity": word, "dimension": "1e5", "value": word, "ask": TEXT, "sources": "[]"}
            tables["cells"].append({**row, "digest": word})
        tables["sources"].append({"task": task, "source": "true", "publisher": "nan", "tier": "T1", "url": TEXT})
    return {name: sorted_rows(name, rows) for name, rows in tables.items()}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with tables, card and description as a bundle has them."""
    folder = tmp_path_factory.mktemp("hostile")
    tables = hostile_tables()
    files = {f"{name}.parquet": parquet_bytes(name, rows) for name, rows in tables.items()}
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    files["croissant.json"] = croissant("hostile", "0.1.0", tables, digests).encode()
    files["README.md"] = card("hostile", "0.1.0", tables, canary="", demonstration=False).encode()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


@pytest.fixture(scope="module")
def shipped(built: Path) -> Path:
    """The bundle of the shipped task, built by the program."""
    return built


@pytest.fixture(scope="module", autouse=True)
def no_hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The Hugging Face libraries are offline, with a home of their own; they read this when they are imported."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        patch.setenv("HF_DATASETS_OFFLINE", "1")
        patch.setenv("HF_HUB_DISABLE_TELEMETRY", "1")
        patch.setenv("HF_HOME", str(tmp_path_factory.mktemp("hub")))
        yield


def with_datasets(folder: Path, table: str) -> list[dict[str, str]]:
    import datasets

    datasets.disable_progress_bars()
    return [dict(row) for row in datasets.load_dataset(str(folder), table, split="train")]


@cache
def description(folder: Path) -> Any:
    import mlcroissant

    return mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))


def with_mlcroissant(folder: Path, table: str) -> list[dict[str, str]]:
    return [
        {name.partition("/")[2]: value.decode() for name, value in record.items()}
        for record in description(folder).records(table)
    ]


def with_duckdb(folder: Path, table: str) -> list[dict[str, str]]:
    import duckdb

    with duckdb.connect() as connection:
        found = connection.execute("SELECT * FROM read_parquet(?)", [str(folder / f"{table}.parquet")])
        names = [item[0] for item in found.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def with_pandas(folder: Path, table: str) -> list[dict[str, str]]:
    import pandas as pd

    rows: list[dict[str, str]] = pd.read_parquet(folder / f"{table}.parquet").to_dict("records")
    return rows


READERS: dict[str, Reader] = {
    "datasets": with_datasets,
    "mlcroissant": with_mlcroissant,
    "DuckDB": with_duckdb,
    "pandas": with_pandas,
}


def truth(folder: Path, table: str) -> Rows:
    return read_table(table, (folder / f"{table}.parquet").read_bytes())


@pytest.mark.parametrize("library", READERS)
def test_every_table_of_the_shipped_bundle_has_the_same_rows(library: str, shipped: Path) -> None:
    for table in TABLE_COLUMNS:
        rows = truth(shipped, table)
        if rows or library != "datasets":  # `datasets` loads no table without rows: it is no configuration.
            assert READERS[library](shipped, table) == rows, table


@pytest.mark.parametrize("library", READERS)
@pytest.mark.parametrize("table", ["tasks", "entities", "cells", "sources"])
def test_ids_and_numbers_that_look_like_something_else_stay_as_they_are(
    library: str, table: str, hostile: Path
) -> None:
    rows = READERS[library](hostile, table)
    assert rows == hostile_tables()[table]
    assert {type(value) for row in rows for value in row.values()} == {str}


def test_every_configuration_of_the_card_loads_and_cells_are_the_default(shipped: Path) -> None:
    import datasets

    names = datasets.get_dataset_config_names(str(shipped))
    assert names == [table for table in TABLE_COLUMNS if truth(shipped, table)]
    default = datasets.load_dataset(str(shipped), split="train")
    assert default.column_names == list(TABLE_COLUMNS["cells"])
    assert {feature.dtype for feature in default.features.values()} == {"string"}


def test_the_head_is_one_that_the_hub_library_reads(shipped: Path) -> None:
    from huggingface_hub import DatasetCard

    data = DatasetCard((shipped / "README.md").read_text(encoding="utf-8")).data.to_dict()
    assert data["license"] == "cc-by-4.0"
    assert data["pretty_name"] == "us-large-caps-demo"
    assert [item["config_name"] for item in data["configs"] if item.get("default")] == ["cells"]


@pytest.mark.parametrize("folder", ["shipped", "hostile"])
def test_the_description_is_valid_without_a_warning(
    folder: str, request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture
) -> None:
    import mlcroissant
    from absl import logging as absl_logging

    absl_logging.use_absl_handler()
    with caplog.at_level(logging.WARNING):
        path = request.getfixturevalue(folder) / "croissant.json"
        issues = mlcroissant.Dataset(jsonld=str(path)).metadata.ctx.issues
    assert (set(issues.errors), set(issues.warnings)) == (set(), set())
    assert [record.getMessage() for record in caplog.records] == []


def test_the_library_does_complain_of_a_worse_description(shipped: Path, tmp_path: Path) -> None:
    import mlcroissant

    said = json.loads((shipped / "croissant.json").read_text(encoding="utf-8"))
    del said["datePublished"], said["citeAs"]
    (tmp_path / "croissant.json").write_text(json.dumps(said), encoding="utf-8")
    issues = mlcroissant.Dataset(jsonld=str(tmp_path / "croissant.json")).metadata.ctx.issues
    assert len(issues.warnings) == 2


def test_a_table_that_was_changed_is_refused_by_the_sha256_of_the_description(hostile: Path, tmp_path: Path) -> None:
    import mlcroissant

    folder = shutil.copytree(hostile, tmp_path / "changed")
    rows = hostile_tables()["entities"]
    (folder / "entities.parquet").write_bytes(parquet_bytes("entities", rows[:-1]))
    with pytest.raises(mlcroissant.GenerationError):
        with_mlcroissant(folder, "entities")


def test_decimals_are_exact_in_duckdb_and_in_pandas(hostile: Path) -> None:
    import duckdb
    import pandas as pd

    number = "-12345678901234567890.123456789"
    with duckdb.connect() as connection:
        cast = connection.execute("SELECT CAST(? AS DECIMAL(38, 10))", [number]).fetchone()
        read = connection.execute(
            "SELECT TRY_CAST(value AS DECIMAL(38, 10)) FROM read_parquet(?) WHERE entity = '0012'",
            [str(hostile / "cells.parquet")],
        ).fetchall()
    assert cast == (Decimal(number),)
    assert read == [(Decimal(12),), (Decimal(12),)]
    cells = pd.read_parquet(hostile / "cells.parquet")
    assert {Decimal(value) for value in cells.loc[cells["entity"] == LONG, "value"]} == {Decimal(LONG)}


def pieces(folder: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", (folder / "README.md").read_text(encoding="utf-8"), re.M | re.S)


@pytest.mark.parametrize("piece", range(4))
def test_what_the_card_says_of_loading_runs_as_it_stands(
    piece: int, shipped: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = pieces(shipped)
    assert len(code) == 4
    monkeypatch.chdir(shipped)
    names: dict[str, Any] = {"__name__": "piece"}
    exec(compile(code[piece], f"README.md, piece {piece}", "exec"), names)
    assert len(capsys.readouterr().out) > 5
