"""Who answers for a document, and who owns that publisher: `sources/registry.csv` (design, section 3).

Witnesses of one owner are one witness (design, section 6). A line of the registry is keyed by publisher and
domain, because a filing host publishes for thousands of issuers. What kind of publisher it is stands at the
beginning of its note, before a colon:

- `filing host: …`: it hosts what others answer for (a regulator's filing system, an exchange's news service);
- `aggregator: …`: it repeats figures that others disclosed.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from cellwright.documents.companies import core
from cellwright.records.rows import RegistryRow

FILING_HOST, AGGREGATOR = "filing host", "aggregator"
"""How the note of such a publisher begins."""


def _key(name: str) -> str:
    """A publisher's name without its legal form, punctuation and capitals: `Acme, Inc` and `ACME Inc.` are one.

    A rare pair of companies that differ in the legal form alone counts as one owner: the careful mistake.
    """
    return core(name) or " ".join(name.split()).casefold()


def host_of(url: str) -> str:
    """The host of an address without `www.`, in small letters; empty where there is none."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return host.removeprefix("www.").rstrip(".")


def is_kind(row: RegistryRow, kind: str) -> bool:
    """Whether a line's note begins with the kind: `aggregator: …`."""
    return row.note.split(":", 1)[0].strip().casefold() == kind


class Owners:
    """The publishers of the registry, found by name or by address."""

    def __init__(self, rows: Iterable[RegistryRow] = ()) -> None:
        self._by_name: dict[str, list[RegistryRow]] = {}
        self._by_domain: dict[str, list[RegistryRow]] = {}
        for row in rows:
            self._by_name.setdefault(_key(row.publisher), []).append(row)
            self._by_domain.setdefault(row.domain.casefold(), []).append(row)

    def owner(self, publisher: str) -> str:
        """The owner of a publisher; the publisher itself where the registry does not know one."""
        rows = self._by_name.get(_key(publisher))
        return (rows[-1].owner or rows[-1].publisher) if rows else publisher

    def same(self, one: str, other: str) -> bool:
        """Whether two publishers answer to one owner, however their names are spelt."""
        return self.key(one) == self.key(other)

    def key(self, publisher: str) -> str:
        """A name by which owners are told apart, without regard to legal form, blanks and capitals."""
        return _key(self.owner(publisher))

    def named(self, publisher: str) -> tuple[RegistryRow, ...]:
        """The registry's lines of a publisher, in the order of the file."""
        return tuple(self._by_name.get(_key(publisher), ()))

    def at(self, url: str) -> tuple[RegistryRow, ...]:
        """The lines of the longest domain that the address lies in: `data.ecb.europa.eu` before `europa.eu`."""
        parts = host_of(url).split(".")
        for start in range(len(parts) - 1):
            if rows := self._by_domain.get(".".join(parts[start:])):
                return tuple(rows)
        return ()

    def repeats(self, publisher: str, url: str = "") -> bool:
        """Whether the publisher is an aggregator: by its name, or, where the name is unknown, by its address."""
        rows = self.named(publisher) or self.at(url)
        return any(is_kind(row, AGGREGATOR) for row in rows)
