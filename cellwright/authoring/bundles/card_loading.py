"""The part of a card that tells how to load the bundle; a test runs each piece as it stands there."""

from __future__ import annotations

LOADING = '''\
## How to load it

Every column of every table is text: a number is an exact decimal string, a list or a rule is JSON, nothing is an
empty string. So no reader turns `0012`, `1e5`, `NO` or `NULL` into something else, and no binary float touches a
number until you ask for one. Run these in the bundle's folder.

With `datasets`, one configuration a table:

```python
from pathlib import Path

from datasets import load_dataset

cells = load_dataset(str(Path.cwd()), "cells", split="train")
print(cells[0]["ask"], cells[0]["value"], cells[0]["unit"])
```

With `mlcroissant`, record by record, which also checks the sha256 of each file:

```python
import mlcroissant

dataset = mlcroissant.Dataset(jsonld="croissant.json")
for record in dataset.records("cells"):
    print(record["cells/ask"].decode(), record["cells/value"].decode())
```

With DuckDB, exact to 38 digits:

```python
import duckdb

print(
    duckdb.sql("""
        SELECT entity, dimension, TRY_CAST(value AS DECIMAL(38, 10)) AS value, unit
        FROM read_parquet('cells.parquet') WHERE answer_type = 'precise'
    """)
)
```

With pandas, and `decimal` for the numbers:

```python
from decimal import Decimal

import pandas as pd

cells = pd.read_parquet("cells.parquet")
precise = cells[cells["answer_type"] == "precise"]
print(precise["value"].map(Decimal).max())
```

`cellwright harness score --bundle . --submission FILE` grades answers against it.
'''
"""Markdown with Python in it; a table without rows has no configuration, for `datasets` refuses an empty one."""
