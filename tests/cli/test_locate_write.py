"""`locate --write` shows what it will change, `--renew` finds excerpts anew, `--explain` tells what came near."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.small_task import TASK, facts, page, write_task
from tests.cli.terminal import on_a_terminal
from tests.cli.workshop import Result, Workshop, edit, snapshot

Run = Callable[..., Result]
SITE = "https://makers.example"
FACTS = f"tasks/{TASK}/facts.csv"


@pytest.fixture
def shop(tmp_path: Path, here: Run) -> Workshop:
    """The task with both pages captured and no fact located."""
    shop = write_task(tmp_path / "shop", SITE)
    take(shop, here, page("aurel"), page("borea"))
    return shop


def take(shop: Workshop, here: Run, aurel: str, borea: str) -> None:
    """Capture the two pages and pin them."""
    for maker, text in (("aurel", aurel), ("borea", borea)):
        (shop.root / f"{maker}.html").write_text(text)
        source = f"{maker}-report"
        assert here("capture", TASK, "--from", f"{maker}.html", source, cwd=shop.root).code == 0
        assert here("capture", TASK, "--accept", source, cwd=shop.root).code == 0


@pytest.fixture
def locate(shop: Workshop, here: Run) -> Run:
    def run(*more: str) -> Result:
        return here("locate", TASK, *more, cwd=shop.root)

    return run


def test_what_will_be_filled_is_shown_before_it_is_written(shop: Workshop, locate: Run) -> None:
    done = locate("--write")
    assert done.code == 0
    first = done.out.splitlines()[0]
    assert first == (
        "aurel.revenue.fy2023: value → 383285000000, scale → 6, sign → shown, "
        "quote → Total net sales 383,285, prefix → December 31. (in millions) 2023, "
        "suffix → Cost of sales 214,137, column → 2023"
    )
    assert done.out.splitlines()[-1] == "4 exact, 0 mismatch, 0 ambiguous, 0 absent"
    assert facts(shop)["aurel.revenue.fy2023"]["value"] == "383285000000"
    assert locate("--write").out.splitlines() == ["4 exact, 0 mismatch, 0 ambiguous, 0 absent"]


def test_programs_read_old_and_new_of_each_field(shop: Workshop, locate: Run) -> None:
    before = snapshot(shop.root)
    told = locate("--renew", "--format", "json").json
    assert snapshot(shop.root) == before, "nothing is written without --write"
    written = locate("--write", "--format", "json").json
    assert written == told
    assert written["changes"]["aurel.revenue.fy2023"]["value"] == ["", "383285000000"]
    assert "row" not in written["changes"]["aurel.revenue.fy2023"], "what a person typed is not changed"
    assert facts(shop)["aurel.revenue.fy2023"]["value"] == "383285000000"


def moved(shop: Workshop, here: Run, aurel: str) -> None:
    """Locate, then accept another page of the first maker."""
    assert here("locate", TASK, "--write", cwd=shop.root).code == 0
    (shop.root / "aurel.html").write_text(aurel)
    here("capture", TASK, "--from", "aurel.html", "aurel-report", cwd=shop.root)
    done = here("capture", TASK, "--accept", "aurel-report", cwd=shop.root)
    assert done.code == 0, done.err


MORE = (
    page("aurel")
    .replace("<td>383,285</td>", "<td>383,285</td><td>394,328</td>")
    .replace("<th>2023</th>", "<th>2023</th><th>2022</th>")
)


def test_an_excerpt_that_is_gone_is_renewed_only_when_asked(shop: Workshop, here: Run, locate: Run) -> None:
    moved(shop, here, MORE.replace("Total net sales</td><td>", "Total net sales</td><td>$ "))
    old = facts(shop)["aurel.revenue.fy2023"]
    locate("--write")
    assert facts(shop)["aurel.revenue.fy2023"] == old
    done = locate("--write", "--renew")
    assert done.code == 0
    assert "aurel.revenue.fy2023: quote Total net sales 383,285 → Total net sales $ 383,285 394,328" in done.out
    new = facts(shop)["aurel.revenue.fy2023"]
    assert new["quote"] == "Total net sales $ 383,285 394,328"
    assert {name: new[name] for name in ("as_written", "value", "row", "column")} == {
        name: old[name] for name in ("as_written", "value", "row", "column")
    }
    audit = here("audit", TASK, "--format", "json", cwd=shop.root).json["tasks"][0]
    assert "C2-QUOTE-ABSENT" not in {finding["rule"] for finding in audit["findings"]}


LOOK_ALIKES = {
    "another number": page("aurel", "383,200"),
    "another row": page("aurel", row="Net sales before rebates"),
    "another year": page("aurel", heads="2022"),
    "another company": page("aurel").replace("Aurel Motor Company", "Borea Automotive Ltd."),
}


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_an_excerpt_is_never_renewed_to_a_look_alike(name: str, shop: Workshop, here: Run, locate: Run) -> None:
    moved(shop, here, LOOK_ALIKES[name].replace("<td>383", "<td>$ 383"))
    old = facts(shop)["aurel.revenue.fy2023"]
    locate("--write", "--renew")
    assert facts(shop)["aurel.revenue.fy2023"] == old


def test_a_superseded_fact_is_never_changed(shop: Workshop, here: Run, locate: Run) -> None:
    moved(shop, here, MORE)
    edit(shop.root / FACTS, "FY2023,primary", "FY2023,superseded")
    old = facts(shop)["aurel.revenue.fy2023"]
    locate("--write", "--renew")
    assert facts(shop)["aurel.revenue.fy2023"] == old


def test_a_summary_tells_how_to_go_on(shop: Workshop, locate: Run) -> None:
    edit(shop.root / FACTS, "Total net sales", "Operating income")
    edit(shop.root / FACTS, "383,285", "99,285")
    done = locate()
    assert done.code == 1
    assert (
        f"1 absent: look at the page: mend `row`, `period` or `source`, or capture the page again; "
        f"`cellwright locate {TASK} --explain FACT` shows what came near"
    ) in done.err.splitlines()


def test_a_fact_without_its_row_is_explained_by_the_rows_that_come_near(shop: Workshop, locate: Run) -> None:
    edit(shop.root / FACTS, "Total net sales", "Net sales of cars")
    edit(shop.root / FACTS, "383,285", "99,285")
    done = locate("--explain", "aurel.revenue.fy2023")
    assert done.code == 1
    lines = done.out.splitlines()
    assert lines[0].startswith("aurel.revenue.fy2023: absent: ")
    assert lines[1] == (
        "looked for: the row 'Net sales of cars' of 'Aurel Motor Company' for 2023-01-01/2023-12-31, in USD (money)"
    )
    assert lines[3].startswith("  Total net sales | 2023 | 2023")
    assert lines[3].endswith("383,285: its row is 'Total net sales'")


def test_each_place_that_came_near_says_why_it_was_not_taken(shop: Workshop, here: Run, locate: Run) -> None:
    wide = page("aurel").replace("<th>2023</th>", "<th>2022</th><th>2021</th>")
    take(shop, here, wide.replace("<td>383,285</td>", "<td>383,285</td><td>10.5%</td>"), page("borea"))
    (fact,) = locate("--explain", "aurel.revenue.fy2023", "--format", "json").json["facts"]
    why = {place["as_written"]: place["why"] for place in fact["candidates"]}
    assert why["383,285"] == "it is of 2022 and not of 2023-01-01/2023-12-31"
    assert why["10.5%"].startswith("it is of 2021 and not of 2023-01-01/2023-12-31, it is percent and not USD")
    assert next(iter(why)) == "383,285", "the likelier one comes first"


def test_a_fact_that_is_not_there_cannot_be_explained(shop: Workshop, locate: Run) -> None:
    done = locate("--explain", "aurel.revenu.fy2023")
    assert (done.code, len(done.sentences)) == (2, 1)
    assert done.sentences[0].startswith(f"{FACTS}: the task has no such fact; seen 'aurel.revenu.fy2023'")
    assert "did you mean `aurel.revenue.fy2023`?" in done.sentences[0]


def test_on_a_terminal_it_asks_and_no_leaves_the_file(shop: Workshop) -> None:
    before = snapshot(shop.root)
    code, seen = on_a_terminal(shop, b"n\n", "locate", TASK, "--write")
    assert code == 1
    assert "write 26 fields? [y/N]" in seen
    assert "nothing was written" in seen
    assert "\x1b[32m383285000000" in seen, "what will be there is green"
    assert snapshot(shop.root) == before


def test_on_a_terminal_yes_writes_typed_or_as_an_option(shop: Workshop) -> None:
    code, _ = on_a_terminal(shop, b"y\n", "locate", TASK, "--write")
    assert (code, facts(shop)["borea.cost.fy2023"]["value"]) == (0, "90500000000")
    edit(shop.root / FACTS, "90500000000", "")
    code, seen = on_a_terminal(shop, b"", "locate", TASK, "--write", "--yes")
    assert (code, "[y/N]" in seen) == (0, False)
    assert facts(shop)["borea.cost.fy2023"]["value"] == "90500000000"
