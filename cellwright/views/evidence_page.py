"""The evidence page: one HTML file in which a reader follows each answer of a bundle back to its sources."""

from __future__ import annotations

from collections.abc import Mapping

from cellwright.records.findings import Audit
from cellwright.views.evidence_task import page_view
from cellwright.views.finding_view import ADMITTED_MEANS
from cellwright.views.labels import LABEL_SIGNS, LABEL_WORDS, STAND_IN
from cellwright.views.render import render


def evidence_page(
    tables: Mapping[str, list[dict[str, str]]], audit: Audit | None, *, name: str, version: str, canary: str = ""
) -> bytes:
    """The page of the bundle `name` at `version`, as UTF-8 HTML.

    `tables` are the bundle's (`records.bundle.TABLE_COLUMNS`, every value text); `audit` marks the cells that
    have findings; `canary` is printed at its end. It works offline and without scripts; equal input gives equal bytes.
    """
    page = page_view(tables, audit, name, version, canary)
    return render(
        "evidence.html.j2",
        {
            "page": page,
            "label_words": LABEL_WORDS,
            "label_signs": LABEL_SIGNS,
            "stand_in": STAND_IN,
            "admitted_means": ADMITTED_MEANS,
        },
    )
