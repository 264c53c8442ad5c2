"""What data a revision needs: the objects behind its pointer files and the outputs of its `dvc.lock`, by DVC's own
reading, and which of them are not there.

An object is named by the md5 of its bytes. A folder is one object (`….dir`, a list of what lies in it) and one for
each file. What a revision needs is known only where its lists can be read, here or in the remote.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cellwright.clients.dvc import dvc_repository
from cellwright.records.errors import Place, WorldFailed

MAX_OBJECTS = 5_000_000
"""Objects of one revision."""


@dataclass(frozen=True, slots=True, order=True)
class DataObject:
    """One object that a revision needs."""

    path: str
    """From the repository's root: `build/bundle/cells.parquet`; of a folder's list, the folder."""
    md5: str
    """32 hex digits, with `.dir` behind them for the list of a folder."""
    size: int | None = None
    """Bytes, where they are known: of a tracked file, or of one whose object is in the cache. Of a folder's list, the
    bytes of all its files."""


def objects_of(root: Path, revision: str) -> list[DataObject]:
    """The objects that a revision (a tag, a branch, a commit; "" for the work tree) needs, sorted.

    What a release needs is `objects_of(root, "v1.2.0")`; whether the remote has it all,
    `missing(root, objects_of(root, "v1.2.0"), remote=True)`. Raises WorldFailed where DVC cannot read the revision, or
    the list of a folder is neither in the cache nor in the remote.
    """
    with dvc_repository(root, f"read what {revision or 'the work tree'} needs") as repository:
        return objects_at(Lists(repository), revision)


def missing(root: Path, objects: Iterable[DataObject], *, remote: bool) -> list[DataObject]:
    """Those of the objects that are not in the cache, or with `remote` not in the default remote, sorted.

    The remote itself is asked; what DVC remembers of it is not believed.
    """
    with dvc_repository(root, "ask the remote what it has" if remote else "look into its cache") as repository:
        return absent(remote_to_read(repository) if remote else cache_store(repository), objects)


# -- with a repository that is open


def objects_at(lists: Lists, revision: str, *, all_outputs: bool = False) -> list[DataObject]:
    """`objects_of` in a repository that is open; `all_outputs` counts those too that are never pushed."""
    repository = lists.repository
    if not revision:
        _require_seen(repository)
    with repository.switch(revision) if revision else nullcontext():
        found = list(_tracked(repository.index.outs, all_outputs))
    # A revision's own settings may know no remote yet: lists are read by those of now.
    return sorted(_objects(lists, found))


def objects_here(repository: Any, targets: Sequence[str]) -> list[DataObject]:
    """The objects of these targets (pointer files, outputs, stages; from the root) in the work tree."""
    root = Path(repository.root_dir)
    outs = [
        out
        for target in targets
        for stage, only in repository.stage.collect_granular(str(root / target))
        for out in stage.outs
        if only is None or out.fs_path == only or Path(only).is_relative_to(out.fs_path)
    ]
    return sorted(set(_objects(Lists(repository), _tracked(outs, False))))


def cache_store(repository: Any) -> Any:
    """DVC's store of objects on this machine."""
    return repository.cache.local


def remote_store(repository: Any) -> Any:
    """DVC's store of objects in the default remote, which a first push begins."""
    return repository.cloud.get_remote_odb()


def remote_to_read(repository: Any) -> Any:
    """The default remote's store, to be asked what it has.

    Raises where its folder or its bucket is not there: asked for objects, it would only say that it has none.
    """
    store = remote_store(repository)
    try:
        forget_listing(store)
        store.fs.fs.ls(store.path, detail=False)
    except FileNotFoundError as error:
        if error.__cause__ is not None:  # A server's answer: there is no such bucket.
            raise
        if store.fs.protocol == "local" and not Path(store.path).parent.parent.is_dir():
            raise WorldFailed(
                "the remote's folder is not there",
                Place(str(Path(store.path).parent.parent)),
                fix="mount its disk, or mend `url` with `dvc remote modify`; a first `dvc push` makes the folder",
            ) from None
    forget_listing(store)
    return store


def forget_listing(store: Any) -> None:
    """Has the store asked anew: what it listed earlier in this process may be out of date."""
    forget = getattr(store.fs.fs, "invalidate_cache", None)
    if forget is not None:
        forget()


def absent(store: Any, objects: Iterable[DataObject]) -> list[DataObject]:
    """Those of the objects that a store does not have."""
    wanted = sorted(set(objects))
    names = sorted({one.md5 for one in wanted})
    there = set(store.list_oids_exists(names)) if names else set()
    return [one for one in wanted if one.md5 not in there]


def send(objects: Iterable[DataObject], source: Any, target: Any) -> int:
    """Copies objects from one store to another, and gives how many went; those that are there stay.

    What DVC remembers of a remote is not believed. A folder's list goes after its files, so that a store which has
    the list has the folder. Raises DVC's own error where any did not go.
    """
    from dvc.exceptions import DownloadError, UploadError
    from dvc_data.hashfile.hash_info import HashInfo
    from dvc_data.hashfile.transfer import transfer

    names = {HashInfo("md5", one.md5) for one in objects}
    if not names:
        return 0
    local = source if source.fs.protocol == "local" else target
    result = transfer(source, target, names, verify=source.verify, cache_odb=local)
    if result.failed:
        raise (UploadError if local is source else DownloadError)(len(result.failed))
    return len(result.transferred)


def require_in_remote(repository: Any, objects: Iterable[DataObject]) -> None:
    """Raises WorldFailed where the remote lacks any of the objects."""
    lacking = absent(remote_store(repository), objects)
    if lacking:
        # The list of a folder stays here where a file of it cannot go: what is not here either comes first.
        lacking = absent(cache_store(repository), lacking) or lacking
        raise WorldFailed(
            "the remote does not have all of the data, and this repository does not have it either",
            Place(lacking[0].path),
            seen=_told(lacking),
            fix=_where_from(lacking[0]),
        )


def require_somewhere(repository: Any, objects: Iterable[DataObject]) -> None:
    """Raises WorldFailed where any of the objects is neither in the cache nor in the remote."""
    lacking = absent(cache_store(repository), objects)
    lacking = absent(remote_to_read(repository), lacking) if lacking else []
    if lacking:
        raise WorldFailed(
            "the remote lacks data that the repository needs",
            Place(lacking[0].path),
            seen=_told(lacking),
            fix=_where_from(lacking[0]),
        )


def _told(lacking: Sequence[DataObject]) -> str:
    many = len(lacking)
    return f"object {lacking[0].md5} missing" + (f", and {many - 1} more" if many > 1 else "")


def _where_from(one: DataObject) -> str:
    fix = "`dvc push` in a clone that still has it puts it into the remote"
    if one.path.startswith("sources/captures/"):
        task = one.path.split("/")[2]
        return f"{fix}; `cellwright capture {task}` fetches what no clone has"
    return f"{fix}; where no clone has it, `dvc repro` makes it again" if one.path.startswith("build/") else fix


def _require_seen(repository: Any) -> None:
    """Raises WorldFailed where DVC passes over a pointer in the work tree: it skips what it takes for ignored by git,
    and reads `sources/captures/*/` in a .gitignore as if it named the pointers too."""
    seen = {Path(stage.path).resolve() for stage in repository.index.stages}
    root = Path(repository.root_dir)
    for pointer in sorted((root / "sources" / "captures").glob("*.dvc")):
        if pointer.resolve() not in seen:
            raise WorldFailed(
                "DVC passes over the pointer, since it takes it for ignored by git",
                Place(pointer.relative_to(root).as_posix()),
                fix=f"in .gitignore, name the folders one by one, as `dvc add` does: `/{pointer.stem}` in"
                " sources/captures/.gitignore",
            )


@dataclass(frozen=True, slots=True)
class _Tracked:
    """An output as its pointer file or `dvc.lock` tells it."""

    path: str
    hash_info: Any
    size: int | None


def _tracked(outs: Iterable[Any], all_outputs: bool) -> Iterator[_Tracked]:
    for out in outs:
        # What another repository holds, and what is never pushed, is not looked for in the remote.
        pushed = out.can_push and not out.stage.is_repo_import
        if out.use_cache and out.hash_info.value and (pushed or all_outputs):
            yield _Tracked("/".join(out.index_key[1]), out.hash_info, out.meta.size)


def _objects(lists: Lists, tracked: Iterable[_Tracked]) -> Iterator[DataObject]:
    for out in tracked:
        yield DataObject(out.path, out.hash_info.value, out.size)
        if out.hash_info.isdir:
            for name, md5 in lists.entries(out.path, out.hash_info):
                yield DataObject(f"{out.path}/{name}", md5, _size(lists.repository, md5))


class Lists:
    """The lists of folders, each read once: from the cache, else from the remote."""

    def __init__(self, repository: Any) -> None:
        self.repository = repository
        self._remote: Any = None
        self._known: dict[str, tuple[tuple[str, str], ...]] = {}

    def entries(self, path: str, hash_info: Any) -> tuple[tuple[str, str], ...]:
        """Path and md5 of each file in the folder. Raises WorldFailed where its list is neither here nor there."""
        if hash_info.value not in self._known:
            tree = self._read(path, hash_info)
            if len(tree) > MAX_OBJECTS:
                raise WorldFailed("the folder holds too much", Place(path), seen=f"{len(tree)} files")
            self._known[hash_info.value] = tuple(("/".join(key), entry.value) for key, _, entry in tree)
        return self._known[hash_info.value]

    def _read(self, path: str, hash_info: Any) -> Any:
        from dvc.config import NoRemoteError
        from dvc_data.hashfile.tree import Tree
        from dvc_objects.errors import ObjectFormatError

        with suppress(FileNotFoundError, ObjectFormatError):
            return Tree.load(cache_store(self.repository), hash_info)
        with suppress(NoRemoteError):
            self._remote = self._remote or remote_to_read(self.repository)
            with suppress(FileNotFoundError, ObjectFormatError):
                return Tree.load(self._remote, hash_info)
        raise WorldFailed(
            "the list of what lies in the folder is neither here nor in the remote",
            Place(path),
            seen=f"object {hash_info.value} missing",
            fix=_where_from(DataObject(f"{path}/", hash_info.value)),
        )


def _size(repository: Any, md5: str) -> int | None:
    store = cache_store(repository)
    with suppress(OSError):
        return Path(store.oid_to_path(md5)).stat().st_size
    return None


def new_folder_list(repository: Any, files: Mapping[str, str]) -> str:
    """Puts the list of a folder (path → md5 of each file) into the cache, and gives its md5, which ends in `.dir`."""
    from dvc_data.hashfile.hash_info import HashInfo
    from dvc_data.hashfile.tree import Tree

    tree: Any = Tree()  # type: ignore[no-untyped-call]
    for path, md5 in files.items():
        tree.add(tuple(path.split("/")), None, HashInfo("md5", md5))
    tree.digest()
    cache_store(repository).add(tree.path, tree.fs, tree.oid)
    return str(tree.oid)
