"""What `locate` will change, and one fact explained, told on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cellwright.cli.output import console, print_line

if TYPE_CHECKING:
    from rich.console import Console

    from cellwright.authoring.locating import LocatedFact, Locating


def show_changes(out: Console, locating: Locating) -> None:
    """Each fact with the fields that will be written, old → new."""
    from cellwright.records.fields import write_field
    from cellwright.views.terminal_changes import print_changes

    print_changes(
        out,
        [
            (item.fact.id, {name: (write_field(getattr(item.fact, name)), new) for name, new in item.changes.items()})
            for item in locating.facts
            if item.changes
        ],
    )


def explain_fact(item: LocatedFact) -> None:
    """What was looked for, what was found, and what came near."""
    from cellwright.authoring.explaining import GO_ON, SHOWN, candidate_text

    out = console()
    found = item.found
    print_line(out, f"{item.fact.id}: {found.status}: {found.why}")
    if item.shown is not None:
        print_line(out, f"looked for: {item.shown.asked}")
    if found.status == "exact":
        print_line(out, f"quote: {found.quote}")
    places = found.candidates or (item.shown.near if item.shown is not None and found.status == "absent" else ())
    if places:
        print_line(out, "came near, the likeliest first:")
    for place in places[:SHOWN]:
        print_line(out, candidate_text(place), indent=2)
    if found.asks:
        print_line(out, found.asks)
    if found.status in GO_ON:
        print_line(out, f"next: {GO_ON[found.status]}")
