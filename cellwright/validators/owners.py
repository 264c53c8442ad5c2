"""Who answers for a document, and who owns that publisher: `sources/registry.csv` (design, section 3).

Witnesses of one owner are one witness (design, section 6). A line of the registry is keyed by publisher and
domain, because a filing host publishes for thousands of issuers. What kind of publisher it is stands at the
beginning of its note, before a colon:

- `filing host: …`: it hosts what others answer for (a regulator's filing system, an exchange's news service);
- `aggregator: …`: it repeats figures that others disclosed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from urllib.parse import urlsplit

from cellwright.records.names import company_key as _key
from cellwright.records.repository_rows import RegistryRow

FILING_HOST, AGGREGATOR = "filing host", "aggregator"
"""How the note of such a publisher begins."""


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()


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
    """The publishers of the registry, found by name or by address.

    Names are compared without legal form, punctuation, accents and hidden characters: `Acme Inc.` and `ACME, Inc`
    are one owner, unless the registry has a line for each.
    """

    def __init__(self, rows: Iterable[RegistryRow] = ()) -> None:
        self._exact: dict[str, str] = {}
        self._by_name: dict[str, list[RegistryRow]] = {}
        self._by_domain: dict[str, list[RegistryRow]] = {}
        self._aliases: dict[str, str] = {}
        for row in rows:
            self._exact[_folded(row.publisher)] = row.owner or row.publisher
            self._by_name.setdefault(_key(row.publisher), []).append(row)
            self._by_domain.setdefault(row.domain.casefold(), []).append(row)

    def of_task(self, aliases: Iterable[Sequence[str]]) -> Owners:
        """The same owners, to whom the entities of one task are known by their aliases too, the own name first."""
        known = copy(self)  # the registry is shared: it is read once for all tasks
        known._aliases = {_key(other): own for own, *others in aliases for other in others}
        return known

    def owner(self, publisher: str) -> str:
        """The owner of a publisher; the publisher itself where neither the registry nor an alias tells one."""
        exact = self._exact.get(_folded(publisher))  # two lines may differ in their legal form alone
        if exact is not None:
            return exact
        key = _key(publisher)
        if key in self._by_name:
            row = self._by_name[key][-1]
            return row.owner or row.publisher
        own = self._aliases.get(key)
        return publisher if own is None or _key(own) == key else self.owner(own)

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
