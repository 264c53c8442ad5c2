"""`status` proposes what a source lacks; the curator decides."""

from __future__ import annotations

from collections.abc import Callable

from tests.cli.workshop import TASK, Result, Workshop, edit


def test_a_source_without_a_tier_gets_one_proposed(workshop: Workshop, here: Callable[..., Result]) -> None:
    sources = workshop.root / "tasks" / TASK / "sources.csv"
    edit(sources, ",en,T1,annual report filed with the regulator under its audit rules,4501", ",en,,,4501")
    done = here("status", TASK, cwd=workshop.root)
    assert done.code == 1
    assert "aapl-10-k-fy2024 lacks a tier\n  proposed T1: Apple Inc. by the registry: files with" in done.out
    found = here("status", TASK, "--format", "json", cwd=workshop.root).json["sources"][0]
    assert (found["lacks"], found["proposed_tier"]) == (["a tier"], "T1")
    audit = here("audit", TASK, "--format", "json", cwd=workshop.root).json["tasks"][0]["findings"]
    told = [finding for finding in audit if finding["rule"] == "C2-TIER-MISSING"]
    assert told[0]["fix"].startswith("proposed is T1: Apple Inc. by the registry")


def test_a_publisher_that_the_registry_does_not_know_gets_its_line(
    workshop: Workshop, here: Callable[..., Result]
) -> None:
    """At the domain that somebody registered, not at the host."""
    sources = workshop.root / "tasks" / TASK / "sources.csv"
    edit(sources, "https://www.sec.gov/Archives/edgar/data/320193/", "https://ir.orchard.co.uk/")
    edit(sources, '2024",Apple Inc.,', '2024",Orchard plc,')
    done = here("status", TASK, cwd=workshop.root)
    assert (done.code, done.out.splitlines()[0].strip()) == (
        0,
        "aapl-10-k-fy2024: for sources/registry.csv, if you agree: Orchard plc,orchard.co.uk,Orchard plc,T1,",
    )
