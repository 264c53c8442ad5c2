"""Written numbers: read one, find them in running text, write one so that it reads back the same.

Design, section 4. What two readings fit is an error that names both, never a guess.
"""

from __future__ import annotations

from cellwright.records.quantities._currencies import CURRENCIES
from cellwright.records.quantities._find import find_numbers
from cellwright.records.quantities._plain import DASHES
from cellwright.records.quantities._read import read_number
from cellwright.records.quantities._reading import QuantityError, Reading, printed_interval
from cellwright.records.quantities._write import parse_scale, write_number

__all__ = [
    "CURRENCIES",
    "DASHES",
    "QuantityError",
    "Reading",
    "find_numbers",
    "parse_scale",
    "printed_interval",
    "read_number",
    "write_number",
]
