"""21,054 tagged figures of real filings: read from the visible text alone, every miss is explained."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from tests.documents.tagged_figures import Tagged, facts_of, tagged_in

GOAL = 99.5
# Why a figure is read otherwise than its tag says, by document and id. The page counts; what a tag gets wrong is none
# of the reader's. docs/tagged-figures.md tells each kind in words, with the same counts.
EXPLAINED: dict[str, dict[str, tuple[str, ...]]] = {
    "the tag has no scale where the page says millions": {
        "MCD_10-K_FY2023": ("f-105", "f-106", "f-107", "f-108", "f-109", "f-110")
    },
    "the tag's scale is not that of the printed percent sign": {
        "AMD_10-K_FY2023": ("f-1168", "f-1255", "f-1256"),
        "NVDA_10-K_FY2024": ("f-535",),
    },
    "the tag wraps `no` of the word `not`": {
        "GOOG_10-K_FY2023": ("f-421", "f-422", "f-423"),
        "NVDA_10-K_FY2024": ("f-609", "f-610", "f-611"),
        "NVDA_10-K_FY2025": ("f-579", "f-580", "f-581"),
        "TXN_10-K_FY2023": ("f-863", "f-864", "f-865"),
    },
    "a note takes the scale of the table it stands below": {"GD_10-K_FY2023": ("f-600", "f-601", "f-602")},
}
REASON = {(file, key): why for why, files in EXPLAINED.items() for file, keys in files.items() for key in keys}
TAG_IS_WRONG = frozenset(list(EXPLAINED)[:3])
QUICK = ("filings/IBM_10-K_FY2023.html", "filings/AAPL_10-K_FY2024.html")


def read(shared_data: Path, files: tuple[str, ...] = ()) -> list[Tagged]:
    truth = facts_of(shared_data)
    return [item for file in files or sorted(truth) for item in tagged_in(shared_data, file, truth[file])]


def unexplained(found: list[Tagged]) -> list[tuple[str, str, str, str]]:
    return [
        (item.file, item.id, item.miss, item.row)
        for item in found
        if item.where != "hidden" and not item.right and (item.file, item.id) not in REASON
    ]


def test_in_two_filings_each_visible_figure_is_read_as_it_is_printed(shared_data: Path) -> None:
    found = read(shared_data, QUICK)
    assert len(found) == 1025
    assert unexplained(found) == []


@pytest.fixture(scope="module")
def every(shared_data: Path) -> list[Tagged]:
    return read(shared_data)


@pytest.mark.slow
def test_each_miss_among_all_figures_is_one_of_those_explained(every: list[Tagged]) -> None:
    missed = {(item.file, item.id) for item in every if item.where != "hidden" and not item.right}
    assert len(every) == 21_054
    assert unexplained(every) == []
    assert missed == set(REASON)


@pytest.mark.slow
def test_of_the_visible_figures_with_a_right_tag_each_kind_reaches_the_goal(every: list[Tagged]) -> None:
    by_kind: dict[str, list[bool]] = defaultdict(list)
    for item in every:
        if item.where != "hidden" and REASON.get((item.file, item.id)) not in TAG_IS_WRONG:
            by_kind[item.kind].append(item.right)
    shares = {kind: 100 * sum(right) / len(right) for kind, right in by_kind.items()}
    assert len(shares) == 8
    assert {kind: share for kind, share in shares.items() if share < GOAL} == {}


@pytest.mark.slow
def test_brackets_are_read_as_printed_whatever_the_tag_says_of_the_sign(every: list[Tagged]) -> None:
    bracketed = [item for item in every if item.negative]
    assert len(bracketed) > 3_000
    assert [item for item in bracketed if item.read is None or item.read.value > 0] == []


def documented(root: Path, heading: str) -> dict[str, tuple[str, ...]]:
    """The rows of the table below a heading of docs/tagged-figures.md, by their first cell."""
    text = (
        (root / "docs" / "tagged-figures.md")
        .read_text(encoding="utf-8")
        .partition(f"## {heading}")[2]
        .partition("\n## ")[0]
    )
    rows = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in text.splitlines() if line[:1] == "|"]
    return {row[0]: row[1:] for row in rows[2:]}


def test_the_page_of_the_reading_tells_each_kind_of_miss_with_its_count(root: Path) -> None:
    told = {why: int(cells[0]) for why, cells in documented(root, "What is read otherwise").items()}
    assert told == dict(Counter(REASON.values()))


@pytest.mark.slow
def test_the_page_of_the_reading_tells_the_counts_by_kind(root: Path, every: list[Tagged]) -> None:
    told = {
        kind: tuple(int(re.sub(r"\D", "", cell)) for cell in cells[:3])
        for kind, cells in documented(root, "How much of it is read right").items()
    }
    counted: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for item in every:
        counts = counted[item.kind]
        counts[0] += 1
        counts[1] += item.where != "hidden"
        counts[2] += item.where != "hidden" and item.right
    assert told == {kind: tuple(counts) for kind, counts in counted.items()}
