"""`merge-captures`: two people captured, git merged, and the captures of both are kept.

A pointer file names all captures of a task by one sum, so that git can only choose. Captures are only ever added:
what is right is always both sides'. Files come first, the pointers and the table last and together, so that a run
that is killed leaves the marks where they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cellwright.authoring.captures.lock import capture_lock
from cellwright.clients.disk import read_bytes, write_all_atomic, write_atomic
from cellwright.clients.dvc import dvc_repository
from cellwright.clients.dvc_locks import locked
from cellwright.clients.dvc_objects import (
    DataObject,
    Lists,
    absent,
    cache_store,
    new_folder_list,
    remote_store,
    require_somewhere,
    send,
)
from cellwright.clients.repository import Repository
from cellwright.records.conflicts import refuse_conflict, sides
from cellwright.records.errors import Place, UnreadableInput
from cellwright.records.repository_rows import CaptureRow
from cellwright.records.tables import Table, read_table, write_table
from cellwright.records.yaml_text import read_yaml

TABLE = "sources/captures.csv"
_CAPTURE = re.compile(r"[0-9a-f]{64}\.warc\.gz")
_SUM = re.compile(r"[0-9a-f]{32}\.dir")
MAX_POINTER = 1_000_000
Files = dict[str, str]
"""The captures of a side: file name → md5."""


@dataclass(frozen=True, slots=True)
class Merged:
    """A pointer file after the merge; `twice` names captures that both sides made, of which ours was kept."""

    file: str
    captures: int
    only_ours: int
    only_theirs: int
    twice: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Merge:
    """What was merged; `rows`: lines of captures.csv afterwards, None where it was not in conflict."""

    pointers: tuple[Merged, ...]
    rows: int | None

    @property
    def files(self) -> tuple[str, ...]:
        """The files that were written, for `git add`."""
        return (*(one.file for one in self.pointers), *((TABLE,) if self.rows is not None else ()))


def require_settled(repository: Repository) -> None:
    """Raises UnreadableInput where a pointer file holds git's conflict marks: DVC reads none of them then."""
    for name in _pointers(repository):
        refuse_conflict(_text(repository, name), name)


def merge_captures(repository: Repository) -> Merge:
    """Keeps both sides' captures wherever a pointer file or captures.csv holds git's conflict marks.

    Raises UnreadableInput where a side is no pointer or no table, WorldFailed where a capture of either side is neither
    in the cache nor in the remote.
    """
    with capture_lock(repository):
        conflicts = {name: found for name in _pointers(repository) if (found := sides(_text(repository, name), name))}
        files: dict[Path, bytes] = {}
        merged = []
        if conflicts:
            with dvc_repository(repository.root, "merge the captures") as opened, locked(opened):
                for name, (ours, theirs) in conflicts.items():
                    told, pointer = _merged_pointer(repository, opened, name, ours, theirs)
                    merged.append(told)
                    files[repository.path(*name.split("/"))] = pointer
        rows = None
        if (table := _merged_table(repository)) is not None:
            files[repository.sources_path("captures.csv")] = table
            rows = len(read_table(table, CaptureRow.table, TABLE).rows)
        write_all_atomic(files)
    return Merge(tuple(merged), rows)


def _merged_pointer(repository: Repository, opened: Any, name: str, ours: str, theirs: str) -> tuple[Merged, bytes]:
    """Puts both sides' captures into the task's folder; gives what is told, and the new pointer."""
    task = name.removeprefix("sources/captures/").removesuffix(".dvc")
    folder = f"sources/captures/{task}"
    lists = Lists(opened)
    mine, yours = (_captures(lists, text, name, task) for text in (ours, theirs))
    both = {**yours, **mine}
    _bring(opened, [DataObject(f"{folder}/{file}", md5) for file, md5 in both.items()])
    store = cache_store(opened)
    for file, md5 in sorted(both.items()):
        target = repository.path("sources", "captures", task, file)
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(target, read_bytes(Path(store.oid_to_path(md5)), name=f"{folder}/{file}"))
    md5 = new_folder_list(opened, both)
    size = sum(Path(store.oid_to_path(one)).stat().st_size for one in both.values())
    pointer = f"outs:\n- md5: {md5}\n  size: {size}\n  nfiles: {len(both)}\n  hash: md5\n  path: {task}\n"
    twice = tuple(sorted(file for file in mine if yours.get(file, mine[file]) != mine[file]))
    told = Merged(name, len(both), len(mine.keys() - yours.keys()), len(yours.keys() - mine.keys()), twice)
    return told, pointer.encode()


def _captures(lists: Lists, text: str, name: str, task: str) -> Files:
    """The captures that one side's pointer stands for. Raises UnreadableInput for what is no such pointer."""
    from dvc_data.hashfile.hash_info import HashInfo

    said, _ = read_yaml(text.encode(), name)
    outs = said.get("outs") if isinstance(said, dict) else None
    out = outs[0] if isinstance(outs, list) and len(outs) == 1 and isinstance(outs[0], dict) else {}
    if not _SUM.fullmatch(str(out.get("md5", ""))) or out.get("path") != task or out.get("hash") != "md5":
        raise UnreadableInput(
            "one side of the merge is no pointer to the task's captures",
            Place(name),
            seen=str(out.get("md5", "nothing")),
            expected=f"the sum of the folder `{task}`",
            fix="`git log --merge -p` shows both sides; keep the one that is, then `cellwright capture` again",
        )
    files: Files = dict(lists.entries(f"sources/captures/{task}", HashInfo("md5", out["md5"])))
    odd = next((file for file in sorted(files) if not _CAPTURE.fullmatch(file)), None)
    if odd is not None:
        raise UnreadableInput(
            "the folder of captures holds something else", Place(name), seen=odd, expected="files as <sha256>.warc.gz"
        )
    return files


def _bring(opened: Any, objects: Sequence[DataObject]) -> None:
    """Has every object in the cache, from the remote where it must be."""
    away = absent(cache_store(opened), objects)
    if away:
        require_somewhere(opened, away)
        send(away, remote_store(opened), cache_store(opened))


# -- the table


def _merged_table(repository: Repository) -> bytes | None:
    """captures.csv with the rows of both sides; None where it is not in conflict."""
    data = repository.sources_file("captures.csv")
    found = sides(data.decode("utf-8", "replace"), TABLE) if data else None
    if found is None:
        return None
    ours, theirs = (read_table(text.encode(), CaptureRow.table, TABLE) for text in found)
    columns = (*ours.columns, *(name for name in theirs.columns if name not in ours.columns))
    rows: dict[tuple[str, ...], dict[str, str]] = {}
    for row in (*_full(ours, columns), *_full(theirs, columns)):
        kept = rows.setdefault(_key(row), row)
        # The one thing that changes in a row: a person's mark that a newer capture took its place.
        if "superseded_by" in columns and not kept["superseded_by"]:
            kept["superseded_by"] = row["superseded_by"]
    captured = {key[:2] for key in rows if key[2]}
    # An attempt in vain is told until a capture came, whichever side it came on.
    both = [row for key, row in rows.items() if key[2] or key[:2] not in captured]
    order = ("task", "source", "fetched", "sha256")
    return write_table(sorted(both, key=lambda row: tuple(row.get(name, "") for name in order)), columns)


def _full(table: Table, columns: Sequence[str]) -> list[dict[str, str]]:
    return [{name: row.get(name, "") for name in columns} for row in table.rows]


def _key(row: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(row[name] for name in CaptureRow.key)


def _pointers(repository: Repository) -> list[str]:
    """The pointer files of the tasks' captures, from the root."""
    names = repository.names("sources/captures") if repository.path("sources", "captures").is_dir() else ()
    return [f"sources/captures/{name}" for name in names if name.endswith(".dvc") and not name.startswith(".")]


def _text(repository: Repository, name: str) -> str:
    return read_bytes(repository.path(*name.split("/")), limit=MAX_POINTER, name=name).decode("utf-8", "replace")
