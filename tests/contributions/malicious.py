"""Malicious contributions as real bytes, each with the check that must refuse it and a word of the reason."""

from __future__ import annotations

import gzip
import io
import os
import stat
import tarfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from cellwright.records.repository_rows import RegistryRow
from cellwright.records.rows import Fact, Source
from cellwright.records.tables import write_table
from tests.contributions.small import (
    FACT,
    PAGE,
    SOURCE,
    TASK_YAML,
    URL,
    Entry,
    capture_of,
    entries_of,
    files_of,
    listed,
    zip_of,
)

CYRILLIC_A = "\u0430"
SCRIPT = "<script>alert(1)</script>"


@dataclass(frozen=True)
class Malicious:
    """`make` writes the contribution to a path, a file or a folder; `check` and `reason` are what is told of it."""

    make: Callable[[Path], None]
    check: str
    reason: str


def _file(data: bytes | Callable[[], bytes]) -> Callable[[Path], None]:
    return lambda path: path.write_bytes(data() if callable(data) else data) and None


def _zip(files: Callable[[], Mapping[str, bytes]]) -> Callable[[Path], None]:
    """An honest container with a list that fits: only what is inside is at fault."""
    return _file(lambda: zip_of(entries_of(listed(files()))))


def _with(**changes: object) -> Callable[[Path], None]:
    return _zip(lambda: files_of(**changes))  # type: ignore[arg-type]


def _also(name: str, data: bytes = b"x") -> Callable[[Path], None]:
    return _zip(lambda: files_of(more={name: data}))


def _entries(change: Callable[[list[Entry]], list[Entry]], **about: bytes) -> Callable[[Path], None]:
    return _file(lambda: zip_of(change(entries_of(listed(files_of()))), **about))


def _changed(name: bytes, **changes: object) -> Callable[[Path], None]:
    def change(entries: list[Entry]) -> list[Entry]:
        return [replace(one, **changes) if one.name == name else one for one in entries]  # type: ignore[arg-type]

    return _entries(change)


def _folder(more: Callable[[Path], None]) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        for name, data in listed(files_of()).items():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes(data)
        more(path)

    return make


def _link_out(path: Path) -> None:
    (path / "task" / "searches.csv").symlink_to("/etc/passwd")


def _linked_folder(path: Path) -> None:
    (path / "profiles").symlink_to("/etc")


def _pipe(path: Path) -> None:
    os.mkfifo(path / "task" / "pilots.csv")


def _deep_folder(path: Path) -> None:
    deep = path
    for _ in range(200):
        deep = deep / "d"
    deep.mkdir(parents=True)
    (deep / "x").write_bytes(b"x")


def _bomb() -> bytes:
    """Files that overlap: each member's bytes hold the next one's head and bytes, and all are listed."""
    files = listed(files_of())
    honest = entries_of(files)
    kernel = Entry(b"task/notes.csv", b"\0" * 1_000_000)
    again = [replace(kernel, name=f"task/n{number}.csv".encode(), written=False, offset=0) for number in range(500)]
    return zip_of([kernel, *honest, *again])


def _tar() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        device = tarfile.TarInfo("task/task.yaml")
        device.type, device.devmajor, device.devminor = tarfile.CHRTYPE, 1, 5
        archive.addfile(device)
        link = tarfile.TarInfo("captures.csv")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    return out.getvalue()


def _yaml_bomb() -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    return TASK_YAML + "\n".join(lines) + "\n"


def _million_rows() -> dict[str, bytes]:
    files = files_of()
    line = write_table([FACT], Fact.columns()).split(b"\n")[1] + b"\n"
    # Short enough for a file of a contribution, and a million of them.
    files["task/pilots.csv"] = b"run,entity\n" + b"r,a\n" * 1_000_000
    files["task/facts.csv"] += line
    return files


def _endless_search() -> dict[str, bytes]:
    """Thousands of facts, each to be looked for in a large document that does not have it."""
    page = PAGE.replace(b"</body>", b"<p>" + b"12,345 other words. " * 250_000 + b"</p></body>")
    facts = [{**FACT, "id": f"aurel.revenue.n{n}", "name": f"n{n}", "quote": f"{n} 383,285"} for n in range(4_900)]
    return {**files_of(page=page), "task/facts.csv": write_table(facts, Fact.columns())}


def _gzip_bomb() -> dict[str, bytes]:
    return files_of(warc=gzip.compress(b"WARC/1.0\r\n" + b"\0" * 300_000_000, compresslevel=9, mtime=0))


def _coded_bomb() -> dict[str, bytes]:
    """A sound WARC whose document is gzip by its content coding, and grows beyond every bound."""
    inner = gzip.compress(b"\0" * 200_000_000, mtime=0)
    return files_of(warc=capture_of(inner, headers={"Content-Encoding": "gzip"}))


def _publisher(name: str) -> dict[str, bytes]:
    return files_of(source={"publisher": name})


def _formula_in_own_column() -> dict[str, bytes]:
    files = files_of()
    head, line, *_ = files["task/sources.csv"].decode().split("\n")
    files["task/sources.csv"] = f"{head},x_note\n{line},@SUM(1+1)*cmd|' /C calc'!A0\n".encode()
    return files


def _scripted_registry() -> dict[str, bytes]:
    row = {"publisher": "Aurel Motor Company", "domain": "aurel.example.com", "note": f"issuer: {SCRIPT}"}
    return files_of(more={"registry.csv": write_table([row], RegistryRow.columns())})


def _two_sources() -> dict[str, bytes]:
    """A capture of another address than the source it is pinned to."""
    files = files_of()
    files["task/sources.csv"] = write_table(
        [{**SOURCE, "url": "https://reports.aurel.example.com/2024.html", "capture": _name()}], Source.columns()
    )
    return files


def _name() -> str:
    import hashlib

    return hashlib.sha256(PAGE).hexdigest()


def _other_body() -> dict[str, bytes]:
    return files_of(warc=capture_of(PAGE.replace(b"383,285", b"483,285")))


def _wrong_hash() -> bytes:
    files = listed(files_of())
    files["task/facts.csv"] = files["task/facts.csv"].replace(b"383285000000", b"483285000000")
    return zip_of(entries_of(files))


def _named(name: bytes) -> Callable[[Path], None]:
    return _entries(lambda entries: [*entries, Entry(name, b"x", flags=0 if name.isascii() else 0x0800)])


CASES: dict[str, Malicious] = {
    # -- paths and names
    "a path out of the folder": Malicious(_also("task/../../../.bashrc"), "K-PATH", "`..`"),
    "an absolute path": Malicious(_also("/etc/cron.d/x"), "K-PATH", "absolute"),
    "a drive and backslashes": Malicious(_also("C:\\Windows\\x.dll"), "K-PATH", "drive"),
    "a path 200 folders deep": Malicious(_also("d/" * 200 + "x"), "K-PATH", "201 parts"),
    "a folder 200 folders deep": Malicious(_folder(_deep_folder), "K-PATH", "more than 8 folders"),
    "NUL in a name": Malicious(_named(b"task/facts.csv\0.exe"), "K-NAME", "U+0000"),
    "a name that turns the reading direction": Malicious(_named("task/\u202evsc.stcaf".encode()), "K-NAME", "U+202E"),
    "a letter of another script in a name": Malicious(
        _named(f"task/f{CYRILLIC_A}cts.csv".encode()), "K-NAME", "U+0430"
    ),
    "a device's name": Malicious(_named(b"task/con.csv"), "K-NAME", "device"),
    "one name twice": Malicious(
        _entries(lambda entries: [*entries, Entry(b"task/task.yaml", b"id: other\n")]), "K-TWICE", "2 times"
    ),
    "names that are one where case does not count": Malicious(_named(b"task/Task.yaml"), "K-TWICE", "beside"),
    # -- what would be run
    "a .git folder with a hook": Malicious(
        _also(".git/hooks/post-checkout", b"#!/bin/sh\ntouch /tmp/x\n"), "K-UNKNOWN-FILE", "run a command"
    ),
    "a .dvc/config with a command": Malicious(
        _also(".dvc/config", b"[core]\n  remote = x\n['remote \"x\"']\n  url = ssh://-oProxyCommand=x\n"),
        "K-UNKNOWN-FILE",
        "run a command",
    ),
    "a dvc.yaml": Malicious(_also("dvc.yaml", b"stages:\n  x: {cmd: touch x}\n"), "K-UNKNOWN-FILE", "run a command"),
    "a conftest.py": Malicious(_also("task/conftest.py", b"raise SystemExit\n"), "K-UNKNOWN-FILE", "run a command"),
    "a pyproject.toml with a plug-in": Malicious(_also("pyproject.toml"), "K-UNKNOWN-FILE", "run a command"),
    "an archive in the archive": Malicious(
        _also("task/more.zip", zip_of([Entry(b"a", b"\0" * 1_000_000, method=8)])), "K-UNKNOWN-FILE", "none of those"
    ),
    # -- the container
    "a symbolic link in the container": Malicious(
        _changed(b"captures.csv", data=b"/etc/passwd", mode=stat.S_IFLNK | 0o777), "K-NOT-A-FILE", "symbolic link"
    ),
    "a device in the container": Malicious(
        _changed(b"captures.csv", mode=stat.S_IFCHR | 0o666), "K-NOT-A-FILE", "device"
    ),
    "a link out of a folder": Malicious(_folder(_link_out), "K-NOT-A-FILE", "symbolic link"),
    "a linked folder": Malicious(_folder(_linked_folder), "K-NOT-A-FILE", "symbolic link"),
    "a pipe in a folder": Malicious(_folder(_pipe), "K-NOT-A-FILE", "pipe"),
    "a tar with a device and a link": Malicious(_file(_tar), "K-CONTAINER", "tar"),
    "a zip bomb": Malicious(
        _changed(b"task/task.yaml", data=b"\0" * 50_000_000, method=8), "K-COMPRESSED", "times as many"
    ),
    "a zip bomb of overlapping members": Malicious(_file(_bomb), "K-OVERLAP", "begins at byte 0"),
    "a file that claims four gigabytes": Malicious(
        _changed(b"task/task.yaml", size=0xFFFFFFF0), "K-SIZE", "4294967280"
    ),
    "an encrypted file": Malicious(_changed(b"task/task.yaml", flags=1), "K-ENCRYPTED", "encrypted"),
    "two heads for one file": Malicious(
        _changed(b"task/task.yaml", local_name=b"task/evil.yaml"), "K-HEADER", "task/evil.yaml"
    ),
    "bytes after the end": Malicious(
        _entries(lambda entries: entries, after=b"PK" + b"\x90" * 500), "K-HIDDEN-BYTES", "502 bytes after the end"
    ),
    "bytes before the first file": Malicious(
        _entries(lambda entries: entries, before=b"#!/bin/sh\n" + b"x" * 90), "K-HIDDEN-BYTES", "100 bytes before"
    ),
    "a comment": Malicious(_entries(lambda entries: entries, comment=b"x" * 40), "K-HIDDEN-BYTES", "comment"),
    "60,000 files": Malicious(
        _entries(lambda entries: [*entries, *(Entry(f"task/{n}".encode(), b"") for n in range(60_000))]),
        "K-SIZE",
        "files",
    ),
    # -- the list
    "a wrong digest": Malicious(_file(_wrong_hash), "K-HASH", "expected"),
    "a list that nests without end": Malicious(
        _file(lambda: zip_of(entries_of({**files_of(), "contribution.json": b"[" * 200_000}))), "K-MANIFEST", "list"
    ),
    # -- YAML and CSV
    "a YAML object tag": Malicious(
        _with(task=TASK_YAML + "extra: !!python/object/apply:os.system ['touch /tmp/x']\n"), "K-TASK", "a tag stands"
    ),
    "a YAML alias bomb": Malicious(_with(task=_yaml_bomb()), "K-TASK", "anchor or alias"),
    "a YAML merge key": Malicious(_with(task=TASK_YAML + "a: &a {x: 1}\nb: {<<: *a}\n"), "K-TASK", "anchor or alias"),
    "YAML nested without end": Malicious(_with(task=TASK_YAML + "a: " + "[" * 5_000 + "\n"), "K-TASK", "nesting depth"),
    "a million lines": Malicious(_zip(_million_rows), "K-LINES", "lines"),
    "a thousand entities": Malicious(
        _with(
            task=TASK_YAML.replace(
                "periods:", "".join(f"  - {{id: e{n}, name: E {n}}}\n" for n in range(1_000)) + "periods:"
            )
        ),
        "K-LINES",
        "1001",
    ),
    "a search without end": Malicious(_zip(_endless_search), "K-LINES", "look through"),
    "a formula in a title": Malicious(
        _with(source={"title": '=HYPERLINK("https://evil.example.com","open")'}), "K-FORMULA", "HYPERLINK"
    ),
    "a formula that starts a program": Malicious(_with(fact={"note": "-2+3+cmd|' /C calc'!A0"}), "K-FORMULA", "cmd"),
    "a formula behind a tab": Malicious(_with(source={"tier_reason": "\t=1+1"}), "K-FORMULA", "=1+1"),
    "a formula in a column of one's own": Malicious(_zip(_formula_in_own_column), "K-FORMULA", "calc"),
    # -- texts
    "a script in a quote": Malicious(
        _with(fact={"quote": f"Total net sales {SCRIPT} 383,285"}), "K-SCRIPT", "capture says"
    ),
    "a script in a title": Malicious(_with(source={"title": f"Report {SCRIPT}"}), "K-SCRIPT", "<script"),
    "an event handler in the question": Malicious(
        _with(task=TASK_YAML.replace("Which maker", "<img src=x onerror=alert(1)> Which maker")), "K-SCRIPT", "onerror"
    ),
    "a script in a proposed line of the registry": Malicious(_zip(_scripted_registry), "K-SCRIPT", "<script"),
    "a homoglyph in an entity's id": Malicious(
        _with(task=TASK_YAML.replace("id: aurel", f"id: {CYRILLIC_A}urel")), "K-LOOKALIKE", "U+0430"
    ),
    "a homoglyph in a publisher": Malicious(
        _zip(lambda: _publisher(f"{CYRILLIC_A.upper()}urel Motor Company")), "K-LOOKALIKE", "U+0410"
    ),
    "a publisher wholly in look-alike letters": Malicious(
        _with(
            source={"publisher": "\u0410\u0421\u0415"},
            task=TASK_YAML.replace("currency: USD}\n", "currency: USD}\n  - {id: ace, name: ACE, currency: USD}\n"),
        ),
        "K-LOOKALIKE",
        "looks like ACE",
    ),
    "a title that turns the reading direction": Malicious(
        _with(source={"title": "Report \u202eleruA"}), "K-HIDDEN-TEXT", "U+202E"
    ),
    # -- addresses
    "a private address": Malicious(
        _with(source={"url": "http://169.254.169.254/latest/meta-data/"}), "K-ADDRESS", "private network"
    ),
    "an address as a number": Malicious(_with(source={"url": "http://2130706433/"}), "K-ADDRESS", "number"),
    "an address with a password": Malicious(
        _with(source={"url": "https://www.sec.gov@evil.example.com/x"}), "K-ADDRESS", "user name"
    ),
    "an address that is a script": Malicious(_with(source={"url": "javascript:alert(1)"}), "K-ADDRESS", "of the web"),
    "a file of this machine": Malicious(_with(source={"url": "file:///etc/passwd"}), "K-ADDRESS", "of the web"),
    "a host in look-alike letters": Malicious(
        _with(source={"url": "https://www.xn--pple-43d.com/report"}), "K-HOST", "xn--pple-43d"
    ),
    # -- captures
    "a gzip bomb as a capture": Malicious(_zip(_gzip_bomb), "K-CAPTURE-BROKEN", "grows beyond"),
    "a bomb in a capture's content coding": Malicious(_zip(_coded_bomb), "K-CAPTURE-BROKEN", "too large"),
    "a capture that is another document": Malicious(_zip(_other_body), "K-CAPTURE-SUM", "what its name says"),
    "a capture of another address": Malicious(_zip(_two_sources), "K-CAPTURE-ADDRESS", URL),
    "a capture that only says it is live": Malicious(_with(row={"via": "upload"}), "K-CAPTURE-LINE", "upload"),
    "a capture of tomorrow": Malicious(
        _with(row={"fetched": "2999-01-01T00:00:00Z"}, warc=capture_of(fetched="2999-01-01T00:00:00Z")),
        "K-CAPTURE-TIME",
        "2999",
    ),
    "bytes behind a capture's end": Malicious(
        _with(warc=capture_of() + b"hidden"), "K-CAPTURE-BROKEN", "follow the end"
    ),
    "a second answer in a capture": Malicious(
        _with(warc=capture_of() + capture_of(b"<p>other</p>")), "K-CAPTURE-BROKEN", "2 documents"
    ),
    "a capture that nobody asked for": Malicious(
        _zip(lambda: files_of(more={f"captures/{'0' * 64}.warc.gz": capture_of()})), "K-CAPTURE-EXTRA", "no source"
    ),
}
