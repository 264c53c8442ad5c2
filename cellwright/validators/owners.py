"""Who owns a publisher: witnesses of one owner are one witness (design, sections 3 and 6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cellwright.records.names import company_key as _key
from cellwright.records.rows import RegistryRow


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()


class Owners:
    """The owners of publishers, as `sources/registry.csv` tells them.

    Names are compared without legal form, punctuation, accents and hidden characters: `Acme Inc.` and `ACME, Inc`
    are one owner.
    """

    def __init__(self, rows: Iterable[RegistryRow] = (), aliases: Iterable[Sequence[str]] = ()) -> None:
        """`aliases` are the names under which a task knows each of its entities, the first one its own."""
        self._rows = tuple(rows)
        self._exact = {_folded(row.publisher): row.owner or row.publisher for row in self._rows}
        self._owners = {_key(row.publisher): row.owner or row.publisher for row in self._rows}
        self._tiers = {_key(row.publisher): row.default_tier for row in self._rows if row.default_tier}
        for own, *others in aliases:
            for other in others:
                self._owners.setdefault(_key(other), self._owners.get(_key(own), own))

    def of_task(self, aliases: Iterable[Sequence[str]]) -> Owners:
        """The same owners, to whom the entities of one task are known by their aliases too."""
        found = [names for names in aliases if len(names) > 1]
        return Owners(self._rows, found) if found else self

    def default_tier(self, publisher: str) -> str:
        """The tier that the registry gives a publisher by default; empty where it gives none."""
        return self._tiers.get(_key(publisher), "")

    def owner(self, publisher: str) -> str:
        """The owner of a publisher; the publisher itself where the registry does not know one."""
        exact = self._exact.get(_folded(publisher))  # two lines may differ in their legal form alone
        return exact or self._owners.get(_key(publisher), publisher)

    def same(self, one: str, other: str) -> bool:
        """Whether two publishers answer to one owner, however their names are spelt."""
        return _key(self.owner(one)) == _key(self.owner(other))

    def key(self, publisher: str) -> str:
        """A name by which owners are told apart: the owner's, without regard to blanks and capitals."""
        return _key(self.owner(publisher))
