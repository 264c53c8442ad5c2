"""A comparison as one HTML page that works offline, without scripts, and can be printed."""

from __future__ import annotations

from cellwright.views.change_report import ChangeReport
from cellwright.views.render import render
from cellwright.views.safe import web_address


def change_page(report: ChangeReport) -> bytes:
    """The comparison as UTF-8 HTML; equal input gives equal bytes."""
    return render("change.html.j2", {"report": report, "web_address": web_address})
