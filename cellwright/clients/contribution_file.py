"""The container of a contribution: one ZIP file, or the same files in a folder. Nothing of it is put on the disk.

What is odd about the container is told as findings; its files are read one at a time and bounded. Names are
given as they are written: whether they are fit is judged elsewhere, and none is ever used as a path here except
of a folder, where it was listed and is no link.
"""

from __future__ import annotations

import os
import stat
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from cellwright.clients.zip_layout import Member, kind_of, read_at, read_layout
from cellwright.records.contribution import MAX_MEMBER, MAX_MEMBERS, MAX_TOTAL, CheckFinding, finding
from cellwright.records.errors import Place, UnreadableInput

MAX_DEPTH = 8
"""Folders below one another that are looked into; a contribution has one level."""
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True)
class Container:
    """An open contribution: the sizes of the files that can be read, every name that is written, what is odd."""

    shown: str
    sizes: Mapping[str, int]
    names: tuple[str, ...]
    faults: tuple[CheckFinding, ...]
    is_folder: bool = False
    _members: Mapping[str, Member] = field(default_factory=dict, repr=False)
    _descriptor: int = -1
    _folder: Path = Path()

    def read(self, name: str, limit: int = MAX_MEMBER) -> bytes:
        """The bytes of a file. Raises UnreadableInput where it is larger than `limit`, changed or damaged."""
        size = self.sizes[name]
        if size > limit:
            raise UnreadableInput("the file is too large", Place(name), seen=f"{size} bytes", expected=f"{limit}")
        if self.is_folder:
            return self._read_in_folder(name, size)
        member = self._members[name]
        data = read_at(self._descriptor, member.offset, size)
        if len(data) != size or zlib.crc32(data) != member.crc:
            raise UnreadableInput("the file is damaged in the container", Place(name), fix="pack or fetch it again")
        return data

    def _read_in_folder(self, name: str, size: int) -> bytes:
        try:
            descriptor = os.open(self._folder / name, os.O_RDONLY | _NOFOLLOW)
        except OSError as error:
            raise UnreadableInput("the file cannot be opened", Place(name), seen=error.strerror or "") from None
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise UnreadableInput("this is not a regular file", Place(name))
            data = read_at(descriptor, 0, size + 1)
        finally:
            os.close(descriptor)
        if len(data) != size:
            raise UnreadableInput("the file changed while it was looked at", Place(name), fix="check it again")
        return data


@contextmanager
def open_contribution(path: Path) -> Iterator[Container]:
    """The contribution in a file or a folder. Raises UnreadableInput where there is none that may be read."""
    if path.is_dir():
        yield _folder(path)
        return
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:
        seen = (error.strerror or "") if isinstance(error, OSError) else str(error)
        raise UnreadableInput(
            "the contribution cannot be opened",
            Place(str(path)),
            seen=seen,
            fix="name the file that `cellwright contribute pack` made, or its folder",
        ) from None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UnreadableInput("this is not a regular file", Place(str(path)), expected="a file that holds bytes")
        layout = read_layout(descriptor)
        members = {member.name: member for member in layout.members}
        sizes = {name: member.size for name, member in members.items()}
        yield Container(path.name, sizes, layout.names, layout.faults, False, members, descriptor)
    finally:
        os.close(descriptor)


def _folder(folder: Path) -> Container:
    """The files below a folder, links and devices told and not followed."""
    sizes: dict[str, int] = {}
    names: list[str] = []
    faults: list[CheckFinding] = []
    waiting: list[tuple[Path, str, int]] = [(folder, "", 1)]
    while waiting:
        where, prefix, depth = waiting.pop()
        if depth > MAX_DEPTH:
            told = prefix if len(prefix) <= 80 else f"{prefix[:79]}…"
            faults.append(finding("K-PATH", told, observed=f"more than {MAX_DEPTH} folders below one another"))
            continue
        try:
            with os.scandir(where) as found:
                for entry in found:
                    name = f"{prefix}{entry.name}"
                    if len(names) > MAX_MEMBERS:
                        faults.append(finding("K-SIZE", observed=f"more than {MAX_MEMBERS} files"))
                        return Container(folder.name, {}, (), tuple(faults), True, {}, -1, folder)
                    status = entry.stat(follow_symlinks=False)
                    if stat.S_ISDIR(status.st_mode):
                        waiting.append((Path(entry.path), f"{name}/", depth + 1))
                        if depth > 1:  # counted: folders without files are no way round the bound
                            names.append(f"{name}/")
                        continue
                    names.append(name)
                    if kind := kind_of(status.st_mode):
                        faults.append(finding("K-NOT-A-FILE", name, observed=kind, expected="plain files"))
                    elif status.st_size > MAX_MEMBER:
                        faults.append(finding("K-SIZE", name, observed=f"{status.st_size} bytes"))
                    else:
                        sizes[name] = status.st_size
        except OSError as error:
            raise UnreadableInput("the folder cannot be read", Place(str(where)), seen=error.strerror or "") from None
    if sum(sizes.values()) > MAX_TOTAL:
        faults.append(finding("K-SIZE", observed=f"{sum(sizes.values())} bytes", expected=f"at most {MAX_TOTAL}"))
    told_names = tuple(sorted(name for name in names if not name.endswith("/")))
    return Container(folder.name, dict(sorted(sizes.items())), told_names, tuple(faults), True, {}, -1, folder)
