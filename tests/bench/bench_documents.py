"""Plain text and tables of the real filings against bare lxml on the same bytes."""

from __future__ import annotations

import gzip
import os
import sys
from pathlib import Path

from lxml import html

from cellwright.documents.html import tables_of, text_of
from tests.bench.measure import best_of, tell

SHARED = Path(os.environ.get("CELLWRIGHT_SHARED", Path(__file__).resolve().parents[3] / "shared"))


def bare_text(pages: list[bytes]) -> int:
    """Parse and take the text, as a script without the library would."""
    return sum(len(html.fromstring(page).text_content()) for page in pages)


def bare_parse(pages: list[bytes]) -> int:
    """Parse alone."""
    return sum(len(html.fromstring(page)) for page in pages)


def main() -> int:
    """The 17 filings, seven rounds."""
    files = sorted((SHARED / "data" / "filings").glob("*.html.gz"))
    if not files:
        print(f"bench_documents: no filings in {SHARED}; name the folder in CELLWRIGHT_SHARED")
        return 0
    pages = [gzip.decompress(path.read_bytes()) for path in files]
    times = best_of(
        7,
        ours_text=lambda: sum(len(text_of(page)) for page in pages),
        bare_text=lambda: bare_text(pages),
        ours_tables=lambda: sum(len(tables_of(page)) for page in pages),
        bare_parse=lambda: bare_parse(pages),
    )
    tell(f"text of {len(pages)} filings / lxml text", times["ours_text"], times["bare_text"], "≤ 1.3 ×")
    tell(f"tables of {len(pages)} filings / lxml parse", times["ours_tables"], times["bare_parse"], "≤ 4 ×")
    return 0


if __name__ == "__main__":
    sys.exit(main())
