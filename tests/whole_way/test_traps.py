"""The traps that real documents hold, each as a task: what `locate` and `audit` say of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.documents.scaled_figures import page, paragraphs, read_json
from tests.whole_way.conftest import run_program
from tests.whole_way.small_tasks import Sources, Trap, fact, findings, located, make

Make = Callable[[Trap], Path]


@pytest.fixture
def made(shared_data: Path, tmp_path: Path) -> Make:
    return lambda trap: make(tmp_path / "repository", shared_data, trap)


NVDA: Sources = {"nvda-2024": "filings/NVDA_10-K_FY2024.html.gz", "nvda-2025": "filings/NVDA_10-K_FY2025.html.gz"}
META: Sources = {"meta-2023": "filings/META_10-K_FY2023.html.gz", "meta-2024": "filings/META_10-K_FY2024.html.gz"}
PUBLISHED = {"nvda-2024": "2024-02-21", "nvda-2025": "2025-02-26", "meta-2023": "2024-02-02", "meta-2024": "2025-01-30"}


def test_a_share_s_earnings_before_and_after_its_split_are_two_figures_of_one_period(made: Make) -> None:
    share = {"unit": "USD/share"}
    root = made(
        Trap(
            "NVIDIA Corporation",
            NVDA,
            [
                fact("eps_diluted", "nvda-2024", "NVDA2024", "Diluted", **share),
                fact("eps_diluted", "nvda-2025", "NVDA2024", "Diluted", rank="witness", **share),
            ],
            PUBLISHED,
            unit="USD/share",
            steps="eps_diluted",
        )
    )
    found = located(root, 0)
    assert [found[f"it.eps_diluted.{source}".replace("-", "_")]["value_read"] for source in NVDA] == ["11.93", "1.19"]
    run_program("locate", "trap", "--write", cwd=root)
    (label,) = findings(root, "C4-LABEL-MISSING")
    assert "divergent" in label["expected"]
    assert findings(root, "C2-NOTE-MARK") == [], "11.93 is not 1.19 with the mark of a note"


@pytest.mark.slow
def test_one_tag_in_two_filings_gives_two_figures_that_are_divergent_and_not_mixed_up(made: Make) -> None:
    row = "Purchases of property and equipment"
    root = made(
        Trap(
            "Meta Platforms, Inc.",
            META,
            [
                fact("capex", "meta-2023", "FY2023", row, sign="reversed"),
                fact("capex", "meta-2024", "FY2023", row, sign="reversed", rank="witness"),
            ],
            PUBLISHED,
            steps="capex",
        )
    )
    found = located(root, 0)
    read = [found[f"it.capex.{source}".replace("-", "_")]["value_read"] for source in META]
    assert read == ["-27266000000", "-27045000000"]
    run_program("locate", "trap", "--write", cwd=root)
    (label,) = findings(root, "C4-LABEL-MISSING")
    assert "divergent" in label["expected"]
    facts = root / "tasks" / "trap" / "facts.csv"
    text = facts.read_text(encoding="utf-8")
    first, second = (line for line in text.splitlines() if line.startswith("it.capex"))
    facts.write_text(text.replace(first, first.replace("27,266", "27,045").replace("27266", "27045")), encoding="utf-8")
    rules = {found["rule"] for found in findings(root, "C2-") if found["record"] == "it.capex.meta_2023"}
    assert "C2-FIGURE-CONTRADICTED" in rules
    assert "(27,045)" in second.replace(" ", "")


def test_a_filing_without_its_statements_says_where_to_look(made: Make) -> None:
    root = made(
        Trap(
            "International Business Machines Corporation",
            {"ibm-2023": "filings/IBM_10-K_FY2023.html.gz"},
            [fact("revenue", "ibm-2023", "FY2023", "Total revenue")],
        )
    )
    found = located(root, 1)["it.revenue.ibm_2023"]
    assert found["status"] == "absent"
    assert "the document has no financial statements of its own" in found["why"]
    assert "Exhibit 13" in found["why"]


def test_a_figure_of_a_pdf_without_locale_names_both_readings(made: Make) -> None:
    enquiries = fact(
        "enquiries",
        "eu-015",
        "FY2023",
        "EU Institutions",
        unit="count",
        as_written="3.597",
        value="3.597",
        scale="0",
        sign="shown",
        quote="EU Institutions 3.597",
        page="1",
    )
    root = made(
        Trap(
            "European Union",
            {"eu-015": "pdf_tables_icdar2013/eu-015.pdf"},
            [enquiries],
            locale="",
            unit="count",
            steps="enquiries",
        )
    )
    (told,) = findings(root, "C2-TWO-READINGS")
    assert (told["severity"], told["record"]) == ("error", "it.enquiries.eu_015")
    assert "3.597 (decimal point) and 3597 (grouping point)" in told["observed"]
    sources = root / "tasks" / "trap" / "sources.csv"
    sources.write_text(sources.read_text(encoding="utf-8").replace("application/pdf,,", "application/pdf,de,"))
    assert findings(root, "C2-TWO-READINGS") == []
    assert [found["rule"] for found in findings(root, "C2-VALUE")] == ["C2-VALUE-MISMATCH"], "it is 3597 then"


def test_a_gold_scale_that_the_page_gives_to_shares_alone_is_contradicted(shared_data: Path, made: Make) -> None:
    """TAT-QA gives dividends of 87.4 the scale thousand; the page says "in millions", and thousands of its shares."""
    entries = read_json(shared_data / "qa_derivations" / "tatqa_dataset_dev.json.gz")
    entry = next(e for e in entries if any(q["uid"].startswith("d730fec2") for q in e["questions"]))
    (question,) = (q for q in entry["questions"] if q["uid"].startswith("d730fec2"))
    assert (question["answer"], question["scale"]) == (["(87.4)"], "thousand")
    as_gold = fact(
        "preferred_dividends",
        "tower-2019",
        "FY2017",
        "Dividends on preferred stock",
        as_written="(87.4)",
        scale="3",
        sign="reversed",
        value="87400",
        quote="Dividends on preferred stock — (9.4) (87.4)",
    )
    trap = Trap(
        "American Tower Corporation",
        {"tower-2019": page(entry["table"]["table"], paragraphs(entry))},
        [as_gold],
        steps="preferred_dividends",
    )
    root = made(trap)
    found = located(root, 1)["it.preferred_dividends.tower_2019"]
    assert (found["status"], found["value_read"], found["scale_read"]) == ("mismatch", "-87400000", 6)
    (told,) = findings(root, "C2-FIGURE-CONTRADICTED")
    assert "the fact's scale is 3 and the document says 6" in told["observed"]
