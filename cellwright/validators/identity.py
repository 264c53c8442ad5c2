"""Which entities of different tasks are one: by what identifies them, else by their names.

Ids are a task's own: `apple` here and `aapl` there may be one company, `delta` two. Names count only where no
identifier speaks against them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from cellwright.validators.summaries import EntityInShort

IDENTIFYING = frozenset(
    (
        *("lei", "isin", "cik", "ticker", "symbol", "cusip", "sedol", "figi", "ric", "permid", "gvkey"),
        *("duns", "ein", "vat", "company_number", "registration", "wikidata", "ror"),
        *("iso", "iso2", "iso3", "iata", "icao", "npi", "nct", "cas", "imo"),
    )
)
"""The identifiers that name one entity. Others (`exchange: NYSE`, `sector: …`) describe it, and many share them."""
_LISTED = ("ticker", "symbol", "ric")
"""Those of a listing, which a company has one of on each market: `002594.SZ` and `1211.HK` are no contradiction."""

Member = tuple[str, EntityInShort]
"""A task's id and one of its entities."""


@dataclass(frozen=True, slots=True)
class Identifier:
    """One identifier, in the form in which it is compared: two of one scheme and market should be equal."""

    scheme: str
    market: str
    value: str

    @property
    def kind(self) -> tuple[str, str]:
        """Of two entities that are one, identifiers of one kind are equal."""
        return self.scheme, self.market


def identifiers_of(entity: EntityInShort) -> Iterator[Identifier]:
    """What identifies an entity: scheme in small letters, value in capitals without blanks, market apart."""
    for name, text in entity.identifiers:
        scheme = "_".join(name.casefold().replace("-", " ").split())
        value = "".join(text.split()).upper()
        if scheme not in IDENTIFYING or not value:
            continue
        market = ""
        if scheme in _LISTED:
            before, colon, after = value.partition(":")
            if colon:  # `NASDAQ:AAPL`
                market, value = before, after
            else:  # `AAPL.O`; the point of `BRK.B` is not told apart and makes two listings of it
                value, _, market = value.partition(".")
            scheme = "ticker"
        elif scheme == "isin":
            market = value[:2]  # of another country: a depositary receipt
        elif scheme == "cik":
            value = value.lstrip("0")
        yield Identifier(scheme, market, value)


@dataclass(slots=True)
class Cluster:
    """Entities that are one."""

    members: list[Member] = field(default_factory=list)
    by_kind: dict[tuple[str, str], set[str]] = field(default_factory=dict)

    def take(self, member: Member) -> None:
        """One more entity that is the same."""
        self.members.append(member)
        for one in identifiers_of(member[1]):
            self.by_kind.setdefault(one.kind, set()).add(one.value)

    def speaks_against(self, entity: EntityInShort) -> bool:
        """Whether an identifier of the entity differs from all of its kind here."""
        return any(one.value not in self.by_kind.get(one.kind, {one.value}) for one in identifiers_of(entity))


class Identities:
    """The entities of all tasks, those that are one together. The order of the tasks does not matter."""

    def __init__(self, members: Iterable[Member]) -> None:
        self.members = sorted(members, key=lambda member: (member[0], member[1].id))
        self._by_identifier = self._join()
        self.clusters: list[Cluster] = []
        self.cluster_of: dict[tuple[str, str], int] = {}
        by_name: dict[str, list[int]] = {}
        by_root: dict[int, int] = {}
        # Those with identifiers first: a name alone must find them there.
        ordered = sorted(range(len(self.members)), key=lambda place: not any(identifiers_of(self.members[place][1])))
        for place in ordered:
            task, entity = self.members[place]
            number = by_root.get(self._by_identifier[place])
            if number is None:
                known = dict.fromkeys(found for name in entity.plain_names for found in by_name.get(name, ()))
                number = next((found for found in known if self._is_one(found, task, entity)), None)
            if number is None:
                number = len(self.clusters)
                self.clusters.append(Cluster())
            by_root.setdefault(self._by_identifier[place], number)
            self.clusters[number].take((task, entity))
            self.cluster_of[task, entity.id] = number
            for name in entity.plain_names:
                if number not in (listed := by_name.setdefault(name, [])):
                    listed.append(number)

    def _is_one(self, number: int, task: str, entity: EntityInShort) -> bool:
        """Whether a name is enough; two entities of one task are two, whatever their names."""
        cluster = self.clusters[number]
        return not cluster.speaks_against(entity) and all(other != task for other, _ in cluster.members)

    def _join(self) -> list[int]:
        """For each member the first of those that it shares an identifier with, directly or by others."""
        parent = list(range(len(self.members)))

        def root(place: int) -> int:
            while parent[place] != place:
                parent[place] = parent[parent[place]]
                place = parent[place]
            return place

        first: dict[Identifier, int] = {}
        for place, (_, entity) in enumerate(self.members):
            for one in identifiers_of(entity):
                other = root(first.setdefault(one, place))
                own = root(place)
                parent[max(own, other)] = min(own, other)
        return [root(place) for place in range(len(self.members))]

    @property
    def shared(self) -> frozenset[int]:
        """The numbers of the entities that two tasks or more are about."""
        return frozenset(
            number for number, cluster in enumerate(self.clusters) if len({task for task, _ in cluster.members}) > 1
        )
