"""A tier is proposed with its reason, from the registry that the repository ships."""

from __future__ import annotations

import pytest

from cellwright.records.repository_rows import RegistryRow
from cellwright.records.rows import Source
from cellwright.records.tables import read_records
from cellwright.validators.owners import Owners, host_of
from cellwright.validators.tiers import proposed_tier
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def owners() -> Owners:
    data = (ROOT / "sources" / "registry.csv").read_bytes()
    return Owners(read_records(data, RegistryRow, "sources/registry.csv").rows)


def _source(url: str, publisher: str = "") -> Source:
    return Source(id="s", url=url, publisher=publisher, title="", published=None, accessed=None)


@pytest.mark.parametrize(
    ("url", "publisher", "tier", "reason"),
    [
        ("https://www.sec.gov/Archives/a.htm", "Apple Inc.", "T1", "Apple Inc. by the registry"),
        ("https://www.sec.gov/Archives/a.htm", "Acme, Inc", "T1", "Acme, Inc answers for it"),
        ("https://www.sec.gov/Archives/a.htm", "", "T1", "write as publisher who answers for it"),
        ("https://www.prnewswire.com/news/1.html", "Acme", "T3", "Acme answers for it"),
        ("https://investors.byd.com/2023.pdf", "BYD Company Limited", "T1", "answers for what it discloses of itself"),
        ("https://www.macrotrends.net/stocks/AAPL", "Macrotrends", "T4", "aggregator: repeats figures"),
        ("https://www.macrotrends.net/stocks/AAPL", "Somebody", "T4", "Macrotrends by the registry"),
        ("https://data.ecb.europa.eu/x", "European Central Bank", "T1", "central bank"),
        ("https://ec.europa.eu/eurostat/web/x", "Eurostat", "T1", "statistics office"),
        ("https://www.reuters.com/x", "", "T3", "press"),
        ("https://en.wikipedia.org/wiki/Steel", "", "T4", "informal"),
        ("https://www.energimyndigheten.gov.se/x", "Agency", "T1", "an authority's address"),
        ("https://www.bmwk.bund.de/x", "Ministry", "T1", "an authority's address"),
        ("https://www.cs.nowhere.edu/x", "Lab", "T2", "only with a published method"),
        ("https://blog.nobody.example/x", "A blogger", "T4", "knows nobody who answers for blog.nobody.example"),
        ("not an address", "", "T4", "knows nobody who answers for it"),
        ("https://[bad/x", "", "T4", "knows nobody who answers for it"),
    ],
)
def test_the_publisher_is_asked_first_and_the_address_last(
    url: str, publisher: str, tier: str, reason: str, owners: Owners
) -> None:
    found = proposed_tier(_source(url, publisher), owners, ["BYD Company"])
    assert found.tier == tier
    assert reason in found.reason


@pytest.mark.parametrize("url", ["https://gov.example/x", "https://notsec.gov.example/x", "https://gov/x"])
def test_a_name_that_only_looks_like_an_authority_s_is_nobody_s(url: str, owners: Owners) -> None:
    assert proposed_tier(_source(url), owners).tier == "T4"


@pytest.mark.parametrize("url", ["https://evilreuters.com/x", "https://reuters.com.evil.example/x"])
def test_a_domain_is_matched_by_whole_labels_from_the_right(url: str, owners: Owners) -> None:
    assert owners.at(url) == ()


def test_the_longest_domain_is_the_publisher() -> None:
    rows = [RegistryRow(publisher="Union", domain="europa.eu"), RegistryRow(publisher="Bank", domain="ecb.europa.eu")]
    owners = Owners(rows)
    assert [row.publisher for row in owners.at("https://data.ecb.europa.eu/x")] == ["Bank"]
    assert [row.publisher for row in owners.at("https://www.europa.eu/x")] == ["Union"]
    assert owners.at("https://eu/x") == ()


@pytest.mark.parametrize(
    ("one", "other"), [("Acme Inc.", "Acme, Inc"), ("ACME  Corporation", "Acme Corp."), ("A", "a")]
)
def test_a_publisher_spelt_in_two_ways_is_one_owner(one: str, other: str) -> None:
    assert Owners().same(one, other)


def test_two_companies_are_two_owners() -> None:
    assert not Owners().same("Acme Inc.", "Acne Inc.")


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://WWW.Example.COM./x", "example.com"),
        ("https://a.example:8080", "a.example"),
        ("x", ""),
        ("https://[", ""),
    ],
)
def test_the_host_of_an_address(url: str, host: str) -> None:
    assert host_of(url) == host
