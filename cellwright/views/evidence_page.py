"""The evidence page: one HTML file in which a reader follows each answer of a bundle back to its sources."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cellwright.records.findings import Audit, TaskAudit
from cellwright.views.evidence_task import page_view, task_views
from cellwright.views.finding_view import ADMITTED_MEANS
from cellwright.views.labels import LABEL_SIGNS, LABEL_WORDS, STAND_IN
from cellwright.views.render import render, render_part

Tables = Mapping[str, list[dict[str, str]]]


def evidence_page(tables: Tables, audit: Audit | None, *, name: str, version: str, canary: str = "") -> bytes:
    """The page of the bundle `name` at `version`, as UTF-8 HTML.

    `tables` are the bundle's (`records.bundle.TABLE_COLUMNS`, every value text); `audit` marks the cells that
    have findings; `canary` is printed at its end. It works offline and without scripts; equal input gives equal bytes.
    """
    sections = task_sections(tables, audit.tasks if audit else ())
    return page_of_sections(tables, sections, name=name, version=version, canary=canary)


def task_sections(tables: Tables, audits: Iterable[TaskAudit]) -> list[str]:
    """The part of the page that shows each task, in the order of the table of tasks; nothing else goes into it."""
    words = {
        "label_words": LABEL_WORDS,
        "label_signs": LABEL_SIGNS,
        "stand_in": STAND_IN,
        "admitted_means": ADMITTED_MEANS,
    }
    return [render_part("evidence_task.html.j2", {"task": view, **words}) for view in task_views(tables, audits)]


def page_of_sections(tables: Tables, sections: Iterable[str], *, name: str, version: str, canary: str = "") -> bytes:
    """The page around the parts that `task_sections` made of the same tables."""
    return render("evidence.html.j2", {"page": page_view(tables, sections, name, version, canary)})
