"""The publishers that the repository ships are real enough to be relied on: named, placed, owned, with a reason."""

from __future__ import annotations

from collections import defaultdict

import pytest
import tldextract

from cellwright.records.repository_rows import RegistryRow
from cellwright.records.tables import read_records
from cellwright.validators.owners import AGGREGATOR, FILING_HOST, is_kind
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def rows() -> tuple[RegistryRow, ...]:
    read = read_records((ROOT / "sources" / "registry.csv").read_bytes(), RegistryRow, "sources/registry.csv")
    assert not read.problems
    return read.rows


def test_there_are_some_hundred_publishers_of_every_tier(rows: tuple[RegistryRow, ...]) -> None:
    assert len({row.publisher for row in rows}) >= 300
    counts: dict[str, int] = defaultdict(int)
    for row in rows:
        counts[row.default_tier or "none"] += 1
    assert sorted(counts) == ["T1", "T2", "T3", "T4"]
    assert min(counts.values()) >= 40


def test_every_line_says_where_whose_and_why(rows: tuple[RegistryRow, ...]) -> None:
    assert [row.publisher for row in rows if not (row.domain and row.owner and row.note)] == []


def test_the_lines_are_in_order_and_none_stands_twice(rows: tuple[RegistryRow, ...]) -> None:
    keys = [(row.publisher, row.domain) for row in rows]
    assert keys == sorted(set(keys))


def test_a_publisher_has_one_owner_and_one_tier(rows: tuple[RegistryRow, ...]) -> None:
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for row in rows:
        found[row.publisher].add((row.owner, row.default_tier or ""))
    assert {name: kinds for name, kinds in found.items() if len(kinds) > 1} == {}


def test_every_domain_is_one_that_can_be_registered(rows: tuple[RegistryRow, ...]) -> None:
    """By the public suffix list that the library carries: a misspelt ending is no domain."""
    extract = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=False)
    odd = [row.domain for row in rows if not extract(row.domain).suffix or row.domain != row.domain.casefold()]
    assert odd == []


def test_aggregators_are_weak_and_hosts_are_marked(rows: tuple[RegistryRow, ...]) -> None:
    assert {row.default_tier for row in rows if is_kind(row, AGGREGATOR)} <= {"T2", "T4"}
    assert {"U.S. Securities and Exchange Commission", "EDINET"} <= {
        row.publisher for row in rows if is_kind(row, FILING_HOST)
    }
