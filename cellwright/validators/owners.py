"""Who owns a publisher: witnesses of one owner are one witness (design, sections 3 and 6)."""

from __future__ import annotations

from collections.abc import Iterable

from cellwright.records.rows import RegistryRow


def _key(name: str) -> str:
    return " ".join(name.split()).casefold()


class Owners:
    """The owners of publishers, as `sources/registry.csv` tells them."""

    def __init__(self, rows: Iterable[RegistryRow] = ()) -> None:
        self._owners = {_key(row.publisher): row.owner or row.publisher for row in rows}

    def owner(self, publisher: str) -> str:
        """The owner of a publisher; the publisher itself where the registry does not know one."""
        return self._owners.get(_key(publisher), publisher)

    def same(self, one: str, other: str) -> bool:
        """Whether two publishers answer to one owner, however their names are spelt."""
        return _key(self.owner(one)) == _key(self.owner(other))

    def key(self, publisher: str) -> str:
        """A name by which owners are told apart: the owner's, without regard to blanks and capitals."""
        return _key(self.owner(publisher))
