"""`capture --refresh` and `--accept` as people run them, against a real server on this machine."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.small_task import TASK, captures, facts, page, pins, rows, serve, write_task
from tests.cli.terminal import on_a_terminal
from tests.cli.workshop import Result, Workshop, edit, snapshot
from tests.loopback import Server, answer, serving

Run = Callable[..., Result]


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


@pytest.fixture
def shop(server: Server, tmp_path: Path, here: Run) -> Workshop:
    """The task with its sources captured and its facts located."""
    for maker in ("aurel", "borea"):
        serve(server, maker, page(maker))
    shop = write_task(tmp_path / "shop", server.url)
    assert here("capture", TASK, "--allow-private", cwd=shop.root).code == 0
    assert here("locate", TASK, "--write", cwd=shop.root).code == 0
    return shop


@pytest.fixture
def refresh(shop: Workshop, here: Run) -> Run:
    def run(*more: str) -> Result:
        return here("capture", TASK, "--refresh", "--allow-private", *more, cwd=shop.root)

    return run


def drifts(done: Result) -> dict[str, tuple[str, str, str]]:
    (task,) = done.json["tasks"]
    return {fact["id"]: (fact["status"], fact["old"], fact["new"]) for fact in task["drift"]["facts"]}


def test_pages_that_did_not_change_leave_every_fact_and_file_as_it_was(shop: Workshop, refresh: Run) -> None:
    before = snapshot(shop.root)
    done = refresh()
    assert (done.code, done.out) == (0, f"{TASK}: 4 same\n")
    assert snapshot(shop.root) == before


def test_other_bytes_with_the_same_text_are_told_as_such_and_kept_beside(
    shop: Workshop, server: Server, refresh: Run
) -> None:
    before = pins(shop)
    serve(server, "aurel", page("aurel", extra="<!-- built at 12:01 --><script>track(1)</script>"))
    done = refresh("--format", "json")
    assert done.code == 0
    (task,) = done.json["tasks"]
    assert task["counts"] == {"same": 1, "unchanged text": 1}
    assert {status for status, _, _ in drifts(done).values()} == {"same"}
    assert pins(shop) == before
    mine = [row for row in captures(shop) if row["source"] == "aurel-report"]
    assert len({row["sha256"] for row in mine}) == 2
    assert len({row["text_sha256"] for row in mine}) == 1
    assert "--accept" not in done.err


def test_each_fact_is_told_what_became_of_it_and_nothing_is_moved(shop: Workshop, server: Server, refresh: Run) -> None:
    old = snapshot(shop.root)
    serve(server, "aurel", page("aurel", "383,200", extra="<p>Restated.</p>"))
    serve(server, "borea", page("borea", row="Revenue before rebates"))
    done = refresh("--format", "json")
    assert done.code == 1
    assert drifts(done) == {
        "aurel.revenue.fy2023": ("changed", "383,285", "383,200"),
        "aurel.cost.fy2023": ("moved", "", ""),
        "borea.revenue.fy2023": ("orphaned", "118,000", ""),
        "borea.cost.fy2023": ("moved", "", ""),
    }
    (task,) = done.json["tasks"]
    assert task["drift"]["counts"] == {"same": 0, "moved": 2, "changed": 1, "orphaned": 1, "unreachable": 0}
    new = snapshot(shop.root)
    assert {name: new[name] for name in old if name != "sources/captures.csv"} == {
        name: digest for name, digest in old.items() if name != "sources/captures.csv"
    }
    assert len(captures(shop)) == 4


def test_people_read_a_line_a_fact_that_needs_a_look(server: Server, refresh: Run) -> None:
    serve(server, "aurel", page("aurel", "383,200"))
    done = refresh()
    assert done.out.splitlines() == [
        "changed      aurel.revenue.fy2023 (aurel-report): 383,285 → 383,200: "
        "the row 'Total net sales' shows another figure",
        "moved        aurel.cost.fy2023 (aurel-report): the same figure stands at another place: other words around it",
        f"{TASK}: 2 same, 1 moved, 1 changed",
    ]
    assert f"`cellwright capture {TASK} --accept aurel-report` takes the new one" in done.err


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (answer("403 Forbidden", b"no"), "blocked"),
        (answer("404 Not Found", b"no"), "gone"),
        (answer("200 OK", b"%PDF-1.7 x", "Content-Type: application/pdf"), "wrong_type"),
        (answer("200 OK", gzip.compress(b"x", mtime=0)[:-9], "Content-Encoding: gzip"), "wrong_type"),
    ],
)
def test_a_page_that_cannot_be_had_leaves_its_facts_unreachable(
    shop: Workshop, server: Server, refresh: Run, reply: bytes, why: str
) -> None:
    server.routes["/aurel"] = reply
    before = snapshot(shop.root)
    done = refresh("--format", "json")
    assert done.code == 1
    (task,) = done.json["tasks"]
    assert [fact["status"] for fact in task["drift"]["facts"]] == ["unreachable", "unreachable", "same", "same"]
    assert task["drift"]["facts"][0]["why"].startswith(why)
    after = snapshot(shop.root)
    assert [name for name in after if after[name] != before.get(name)] == ["sources/captures.csv"]
    told = [row for row in rows(shop, "sources/captures.csv") if not row["sha256"]]
    assert [(row["source"], row["status"]) for row in told] == [("aurel-report", why)]


def test_a_dry_run_tells_what_accepting_would_do_and_moves_nothing(
    shop: Workshop, server: Server, refresh: Run, here: Run
) -> None:
    serve(server, "aurel", page("aurel", "383,200"))
    refresh()
    before = snapshot(shop.root)
    done = here("capture", TASK, "--accept", "aurel-report", "--dry-run", cwd=shop.root)
    assert done.code == 1
    assert "changed      aurel.revenue.fy2023 (aurel-report): 383,285 → 383,200" in done.out
    assert snapshot(shop.root) == before


def test_accepting_moves_the_pin_marks_the_capture_before_it_and_keeps_every_file(
    shop: Workshop, server: Server, refresh: Run, here: Run
) -> None:
    old = pins(shop)
    serve(server, "aurel", page("aurel", "383,200"))
    refresh()
    before = snapshot(shop.root)
    done = here("capture", TASK, "--accept", "aurel-report", cwd=shop.root)
    assert done.code == 0
    new = pins(shop)
    assert (new["aurel-report"] != old["aurel-report"], new["borea-report"]) == (True, old["borea-report"])
    assert {row["sha256"]: row["superseded_by"] for row in captures(shop) if row["source"] == "aurel-report"} == {
        old["aurel-report"]: new["aurel-report"],
        new["aurel-report"]: "",
    }
    after = snapshot(shop.root)
    kept = [name for name in before if name.startswith("sources/captures/")]
    assert {name: after[name] for name in kept} == {name: before[name] for name in kept}
    assert facts(shop)["aurel.revenue.fy2023"]["as_written"] == "383,285", "what was read is the curator's to change"
    assert "1 fact must be read again, aurel.revenue.fy2023" in done.err


def test_after_accepting_the_audit_tells_which_facts_must_be_read_again(
    shop: Workshop, server: Server, refresh: Run, here: Run
) -> None:
    serve(server, "aurel", page("aurel", "383,200"))
    refresh()
    here("capture", TASK, "--accept", "aurel-report", cwd=shop.root)
    done = here("audit", TASK, "--format", "json", cwd=shop.root)
    told = {(finding["rule"], finding["record"]) for finding in done.json["tasks"][0]["findings"]}
    assert {("C2-QUOTE-ABSENT", "aurel.revenue.fy2023"), ("C2-FIGURE-CONTRADICTED", "aurel.revenue.fy2023")} <= told
    assert not {record for rule, record in told if rule == "C2-QUOTE-ABSENT"} - {"aurel.revenue.fy2023"}


def test_accepting_back_takes_the_mark_off(shop: Workshop, server: Server, refresh: Run, here: Run) -> None:
    old = pins(shop)["aurel-report"]
    serve(server, "aurel", page("aurel", "383,200"))
    refresh()
    here("capture", TASK, "--accept", "aurel-report", cwd=shop.root)
    serve(server, "aurel", page("aurel"))
    told = refresh()
    assert told.code == 1
    assert f"`cellwright capture {TASK} --accept aurel-report@{old[:12]}` takes the new one" in told.err
    assert here("capture", TASK, "--accept", f"aurel-report@{old[:12]}", cwd=shop.root).code == 0
    assert pins(shop)["aurel-report"] == old
    marks = {row["sha256"]: row["superseded_by"] for row in captures(shop) if row["source"] == "aurel-report"}
    assert (marks.pop(old), set(marks.values())) == ("", {old})
    unknown = here("capture", TASK, "--accept", "aurel-report@0123", cwd=shop.root)
    assert (unknown.code, len(unknown.sentences)) == (2, 1)
    assert "the source has no such capture" in unknown.sentences[0]


def test_all_accepts_every_source_whose_page_changed(shop: Workshop, server: Server, refresh: Run, here: Run) -> None:
    serve(server, "aurel", page("aurel", "383,200"))
    serve(server, "borea", page("borea", cost="90,501"))
    old = pins(shop)
    refresh()
    done = here("capture", TASK, "--accept", "all", "--format", "json", cwd=shop.root)
    assert done.code == 0
    assert done.json["moved"] is True
    assert [pin["source"] for pin in done.json["tasks"][0]["pins"]] == ["aurel-report", "borea-report"]
    assert all(pins(shop)[source] != old[source] for source in old)
    again = here("capture", TASK, "--accept", "all", "--format", "json", cwd=shop.root)
    assert (again.code, again.json["moved"]) == (0, False)


def test_a_superseded_fact_is_kept_and_not_held_against_the_new_page(
    shop: Workshop, server: Server, refresh: Run
) -> None:
    file = shop.root / "tasks" / TASK / "facts.csv"
    file.write_text(file.read_text().replace("FY2023,primary", "FY2023,superseded", 1))
    serve(server, "aurel", page("aurel", "383,200"))
    before = file.read_bytes()
    done = refresh()
    assert done.code == 0
    assert done.out.splitlines()[-1] == f"{TASK}: 2 same, 1 moved; 1 superseded, kept as they were read"
    assert file.read_bytes() == before


def test_a_superseded_fact_rests_on_the_capture_it_was_read_from_and_the_new_one_on_the_new(
    shop: Workshop, server: Server, refresh: Run, here: Run
) -> None:
    serve(server, "aurel", page("aurel", "383,200"))
    refresh()
    here("capture", TASK, "--accept", "aurel-report", cwd=shop.root)
    file = shop.root / "tasks" / TASK / "facts.csv"
    first, old, *rest = file.read_text().splitlines(keepends=True)
    names = next(csv.reader([first]))
    new = dict.fromkeys(names, "")
    new |= {"id": "aurel.revenue.fy2023.restated", "entity": "aurel", "name": "revenue", "source": "aurel-report"}
    new |= {"as_written": "383,200", "period": "FY2023", "rank": "primary", "unit": "USD", "row": "Total net sales"}
    new |= {"supersedes": "aurel.revenue.fy2023"}
    line = ",".join(f'"{new[name]}"' for name in names) + "\n"
    file.write_text("".join([first, old.replace("FY2023,primary", "FY2023,superseded"), line, *rest]))
    done = here("locate", TASK, "--write", cwd=shop.root)
    assert (done.code, done.out.splitlines()[-1]) == (0, "4 exact, 1 mismatch, 0 ambiguous, 0 absent")
    findings = here("audit", TASK, "--format", "json", cwd=shop.root).json["tasks"][0]["findings"]
    told = {finding["rule"] for finding in findings}
    assert not told & {"C2-QUOTE-ABSENT", "C2-FIGURE-CONTRADICTED", "C2-QUOTE-EMPTY", "C1-PRIMARY-TWICE"}
    kept = facts(shop)["aurel.revenue.fy2023"]
    assert (kept["as_written"], kept["value"], kept["rank"]) == ("383,285", "383285000000", "superseded")
    # A quote that stands in no capture is still told.
    file.write_text(file.read_text().replace('Total net sales 383,285"', 'Total net sales 383,999"', 1))
    findings = here("audit", TASK, "--format", "json", cwd=shop.root).json["tasks"][0]["findings"]
    assert "aurel.revenue.fy2023" in {f["record"] for f in findings if f["rule"] == "C2-QUOTE-ABSENT"}


def test_on_a_terminal_accepting_asks_and_no_moves_nothing(shop: Workshop, server: Server, refresh: Run) -> None:
    serve(server, "aurel", page("aurel", "383,200"))
    refresh()
    before = snapshot(shop.root)
    code, seen = on_a_terminal(shop, b"n\n", "capture", TASK, "--accept", "aurel-report")
    assert (code, "move 1 pin? [y/N]" in seen, "nothing was moved" in seen) == (1, True, True)
    assert snapshot(shop.root) == before
    code, seen = on_a_terminal(shop, b"", "capture", TASK, "--accept", "aurel-report", "--yes")
    assert (code, "[y/N]" in seen) == (0, False)
    assert snapshot(shop.root) != before


@pytest.mark.parametrize("option", ["--dry-run", "--yes"])
def test_what_goes_with_accept_is_refused_without_it(option: str, shop: Workshop, here: Run) -> None:
    done = here("capture", TASK, option, cwd=shop.root)
    assert (done.code, len(done.sentences)) == (2, 1)
    assert f"invalid value for {option}: it goes with --accept" in done.sentences[0]


def test_a_table_at_fault_is_told_before_anything_is_fetched(shop: Workshop, server: Server, refresh: Run) -> None:
    edit(shop.root / "tasks" / TASK / "facts.csv", ",shown,", ",seen,")
    asked = len(server.asked)
    done = refresh()
    assert (done.code, len(done.sentences)) == (2, 1)
    assert "`sign` cannot be read; seen 'seen'" in done.sentences[0]
    assert len(server.asked) == asked
