"""Data that nothing needs any more: found by what every branch, tag and work tree needs, and dropped.

DVC's own `gc` keeps what the options name and drops the rest; forgetting `--all-tags` drops the data of releases. Here
everything that git points at is always kept, nothing is dropped where any of it cannot be read, and the releases'
objects are looked for again after the dropping.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cellwright.clients.dvc import dvc_repository
from cellwright.clients.dvc_locks import locked
from cellwright.clients.dvc_objects import DataObject, Lists, cache_store, forget_listing, objects_at, remote_to_read
from cellwright.clients.git_refs import Refs
from cellwright.records.errors import NotSettled, Place, WorldFailed


@dataclass(frozen=True, slots=True)
class Unused:
    """What a place (the cache, or a remote by its name) holds, and what of it nothing needs: md5 → bytes."""

    place: str
    held: int
    unused: Mapping[str, int]

    @property
    def size(self) -> int:
        """Bytes that nothing needs."""
        return sum(self.unused.values())


@dataclass(frozen=True, slots=True)
class Plan:
    """What would be dropped where, and what each release needs, by its tag."""

    places: tuple[Unused, ...]
    releases: Mapping[str, Sequence[DataObject]]


def unused_data(root: Path, refs: Refs, *, remote: bool) -> Plan:
    """What nothing needs in the cache, and with `remote` in the default remote. Changes nothing.

    Raises NotSettled where the cache is shared with other repositories, WorldFailed where a revision cannot be read.
    """
    with dvc_repository(root, "look for unused data") as repository, locked(repository):
        _require_own_cache(repository, root)
        plan, _ = _plan(repository, refs, remote)
    return plan


def drop_unused(root: Path, refs: Refs, plan: Plan) -> Plan:
    """Drops what the plan names and what is still unused now; gives what was dropped.

    Raises WorldFailed where an object of a release that was there before is gone afterwards.
    """
    with dvc_repository(root, "drop unused data") as repository, locked(repository):
        _require_own_cache(repository, root)
        fresh, stores = _plan(repository, refs, len(plan.places) > 1)
        dropped = []
        for store, old, new in zip(stores, plan.places, fresh.places, strict=True):
            going = {md5: size for md5, size in new.unused.items() if md5 in old.unused}
            before = set(_held(store))
            _remove(store, sorted(going))
            _require_kept(fresh, new.place, before - set(going), set(_held(store)))
            dropped.append(Unused(new.place, new.held, going))
    return Plan(tuple(dropped), fresh.releases)


def _plan(repository: Any, refs: Refs, remote: bool) -> tuple[Plan, list[Any]]:
    releases: dict[str, Sequence[DataObject]] = {}
    needed: set[str] = set()
    lists = Lists(repository)
    tags = {refs.commits[f"refs/tags/{name}"]: name for name in refs.releases}
    for revision in ("", *refs.revisions()):
        objects = objects_at(lists, revision, all_outputs=True)
        needed |= {one.md5 for one in objects}
        if revision in tags:
            releases[tags[revision]] = objects
    stores = [cache_store(repository)]
    names = ["cache"]
    if remote:
        stores.append(remote_to_read(repository))
        names.append(f"remote {repository.config['core'].get('remote')}")
    places = []
    for name, store in zip(names, stores, strict=True):
        held = _held(store)
        places.append(Unused(name, len(held), {md5: size for md5, size in held.items() if md5 not in needed}))
    return Plan(tuple(places), dict(sorted(releases.items()))), stores


def _held(store: Any) -> dict[str, int]:
    """The objects in a store with their bytes; what is no object (a half-written file) is left alone."""
    forget_listing(store)
    if not store.fs.exists(store.path):
        return {}
    found = {}
    for path, size in _files(store):
        try:
            md5 = store.path_to_oid(path)
        except ValueError:
            continue
        if _is_object(md5):
            found[md5] = size
    return found


def _files(store: Any) -> Iterator[tuple[str, int]]:
    """Path and bytes of each file in a store."""
    if store.fs.protocol == "local":
        for path in store.fs.find(store.path):
            yield path, os.stat(path).st_size
        return
    for path, info in store.fs.fs.find(store.path, detail=True).items():
        yield path, int(info.get("size") or 0)


def _is_object(md5: str) -> bool:
    plain = md5.removesuffix(".dir")
    return len(plain) == 32 and set(plain) <= set("0123456789abcdef")


def _remove(store: Any, names: Sequence[str]) -> None:
    """Folders' lists first: a list without its files would be taken for whole."""
    from dvc_data.hashfile.db import get_index

    paths = [store.oid_to_path(md5) for md5 in sorted(names, key=lambda md5: not md5.endswith(".dir"))]
    if paths:
        store.fs.remove(paths)
        get_index(store).clear()


def _require_kept(plan: Plan, place: str, before: set[str], after: set[str]) -> None:
    for release, objects in plan.releases.items():
        gone = [one for one in objects if one.md5 in before and one.md5 not in after]
        if gone:
            raise WorldFailed(
                f"data of the release {release} is gone from the {place} after dropping what nothing needs",
                Place(gone[0].path),
                seen=f"object {gone[0].md5}, and {len(gone) - 1} more",
                fix="bring it back with `dvc pull` or from another clone, and please report this",
            )


def _require_own_cache(repository: Any, root: Path) -> None:
    """A cache that other repositories use too holds what they need, which is not known here."""
    folder = Path(cache_store(repository).path)
    if not folder.resolve().is_relative_to(root.resolve()):
        raise NotSettled(
            "the cache lies outside of this repository, where others may use it too, and what they need is not known",
            Place(".dvc/config"),
            seen=str(folder),
            fix="`dvc gc --all-tags --all-branches --projects …` is DVC's own way, with every repository named",
        )
