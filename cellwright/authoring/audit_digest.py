"""What an audit's answer depends on, as digests: the keys under which answers are kept.

Everything goes in as bytes that are really there, never as a time or a size: each file of the task's folder, the
publishers, the task's lines of captures.csv, each pinned capture, params.yaml, the repository's profiles, this
package's code, every installed distribution, Python, plug-ins with their code, whether drafts are asked less, and
which waivers have run out on the day of the audit.
What is too much is kept out by nothing: a key that changes without need costs an audit, one that does not change
costs its truth.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import cellwright
from cellwright.clients.disk import read_bytes
from cellwright.clients.repository import Repository

if TYPE_CHECKING:
    from cellwright.validators.registry import Rule

PLUG_INS = "cellwright"
"""How the groups of entry points begin by which plug-ins add rules."""
MOST_FILES = 5_000
"""Files of one package's code; a larger one is not digested, and nothing is kept."""
_PIN = re.compile(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
_DATE = re.compile(rb"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_PACKAGE = Path(cellwright.__file__).parent


class NotDigestible(Exception):
    """Something that the answer depends on cannot be read as bytes: the answer is not kept."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of one task: of its audit, and of its summary, which needs the task's own files alone."""

    audit: str
    summary: str


class TaskDigests:
    """The keys of a repository's tasks."""

    def __init__(
        self, repository: Repository, *, draft: bool, day: date | None = None, rules: Sequence[Rule] = ()
    ) -> None:
        self._repository = repository
        self._draft = draft
        self._day = day.isoformat() if day else ""
        self._program = _joined([("program", program_digest()), ("rules", "\n".join(sorted(_of_rules(rules))))])

    def keys(self, task: str) -> Keys:
        """The keys of a task as it lies there. Raises UnreadableInput or NotDigestible."""
        files = self._repository.task_folder(task)
        summary: list[tuple[str, str | bytes]] = [("program", self._program), ("task", task), *files.items()]
        folder = self._repository.captures_folder(task)
        rows = self._rows.get(task, "")
        # Earlier captures too: a superseded fact is looked for in them.
        pins = sorted({*_PIN.findall(files.get("sources.csv", b"")), *_PIN.findall(rows.encode("utf-8", "replace"))})
        captures = [(pin.decode(), self._capture(folder, task, pin.decode())) for pin in pins]
        rest = [("rows", rows), ("draft", str(self._draft)), ("shared", self._shared), *captures]
        rest.append(("day", self._passed(files.get("waivers.csv", b""))))
        return Keys(_joined([*summary, ("audit", ""), *rest]), _joined([*summary, ("summary", "")]))

    def _passed(self, waivers: bytes) -> str:
        """What the day decides: which of the waivers' dates have passed; the day itself where a plug-in may ask it."""
        if not self._day or self._plugged_in:
            return self._day
        dates = {found.decode() for found in _DATE.findall(waivers)}
        return " ".join(["passed", *sorted(found for found in dates if found < self._day)])

    @cached_property
    def _plugged_in(self) -> bool:
        """Whether something installed adds rules; looked for once, as hundreds of folders are opened for it."""
        return any(True for _ in _plug_ins(installed()))

    def _capture(self, folder: Path, task: str, pin: str) -> str:
        """The digest of a capture's file. A link is followed with the repository's care, which takes its time."""
        path = folder / f"{pin}.warc.gz"
        linked = os.path.islink(path) or not os.path.isfile(path)
        data = self._repository.capture_bytes(task, pin) if linked else read_bytes(path)
        return "absent" if data is None else hashlib.sha256(data).hexdigest()

    @cached_property
    def _shared(self) -> str:
        """What every task's audit depends on."""
        names: list[tuple[str, ...]] = [("sources", "registry.csv"), ("params.yaml",)]
        names += [("profiles", name) for name in self._repository.names("profiles") if name.endswith(".yaml")]
        found = [("/".join(name), self._repository.file(*name)) for name in names]
        return _joined([(name, b"absent" if data is None else b"=" + data) for name, data in found])

    @cached_property
    def _rows(self) -> dict[str, str]:
        """The lines of captures.csv that speak of each task, and its head, as one text; the whole where unclear."""
        data = self._repository.sources_file("captures.csv")
        if data is None:
            return {}
        text = data.decode("utf-8", "surrogateescape")
        head = text.partition("\n")[0]
        mark = max(",;\t", key=head.count)
        try:
            first, *rows = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
        except (csv.Error, ValueError):
            return _Always(text)
        found: dict[str, list[list[str]]] = {}
        for row in rows:
            for field in dict.fromkeys(row):
                found.setdefault(field, [first]).append(row)
        return {field: repr(lines) for field, lines in found.items()}


class _Always(dict[str, str]):
    """The same text for every task."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def get(self, key: str, default: str = "") -> str:  # type: ignore[override]
        return self._text


def program_digest() -> str:
    """Of all code that has a part in an audit: this package, Python, what is installed, and plug-ins."""
    return _program_digest(tuple(sys.path))


@cache
def _program_digest(_: tuple[str, ...]) -> str:
    """Taken once for where Python looks for code: a process may be told of another place while it runs."""
    folders = installed()
    parts = [("python", sys.version), ("installed", "\n".join(sorted({folder.name for folder in folders})))]
    parts += [("code", code_digest(_PACKAGE)), *_plug_ins(folders)]
    return _joined(parts)


def installed() -> list[Path]:
    """The folder of each distribution that this Python finds, named by the distribution's name and version.

    The libraries that an audit needs are among them; to tell which of the others do not matter is not worth a slip.
    """
    found = []
    for top in dict.fromkeys(sys.path):
        try:
            names = os.listdir(top or ".")
        except OSError:  # no folder: a zip file, or gone
            continue
        found += [Path(top, name) for name in names if name.endswith((".dist-info", ".egg-info"))]
    return sorted(found)


def _plug_ins(distributions: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """Each distribution that adds something to Cellwright, with the digest of its code.

    Read here and not by importlib.metadata: that takes a tenth of a second, more than all the rest.
    """
    for folder in distributions:
        try:
            text = (folder / "entry_points.txt").read_text(encoding="utf-8")
        except (OSError, ValueError):
            continue
        group = ""
        for line in map(str.strip, text.splitlines()):
            if line.startswith("["):
                group = line.strip("[] ")
            elif group.startswith(PLUG_INS) and "=" in line:
                module = line.partition("=")[2].partition(":")[0].strip()
                yield f"{folder.name} {group} {line}", _module_digest(module)


def code_digest(folder: Path) -> str:
    """Of every file below a package's folder but what Python makes itself. Raises NotDigestible."""
    files: list[tuple[str, Path]] = []
    for top, below, names in os.walk(folder):
        below[:] = [name for name in below if name != "__pycache__"]
        files += [(os.path.relpath(os.path.join(top, name), folder), Path(top, name)) for name in names]
        if len(files) > MOST_FILES:
            raise NotDigestible(f"{folder} holds more than {MOST_FILES} files")
    if not files:
        raise NotDigestible(f"{folder} is no folder of code")
    return _joined((name, read_bytes(path)) for name, path in sorted(files))


def _of_rules(rules: Iterable[Rule]) -> Iterator[str]:
    for known in rules:
        module = getattr(known.check, "__module__", "")
        yield f"{known.info} {_module_digest(module)}"


def _module_digest(module: str) -> str:
    """The code of the package or file that holds a module; found without importing it."""
    return _module_digest_at(module, tuple(sys.path))


@cache
def _module_digest_at(module: str, _: tuple[str, ...]) -> str:
    top = module.partition(".")[0]
    try:
        spec = find_spec(top) if top else None
    except (ImportError, ValueError):
        spec = None
    if spec is None:
        raise NotDigestible(f"the code of {module or 'a rule'} is not found")
    folders = list(spec.submodule_search_locations or ())
    if folders:
        return _joined((str(place), code_digest(Path(folder))) for place, folder in enumerate(folders))
    if spec.origin is None or not os.path.isfile(spec.origin):
        raise NotDigestible(f"the code of {module} is no file")
    return hashlib.sha256(read_bytes(Path(spec.origin))).hexdigest()


def _joined(parts: Iterable[tuple[str, str | bytes]]) -> str:
    """One sha256 over named parts; lengths go in, so that no two lists of parts look alike."""
    digest = hashlib.sha256()
    for name, part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        label = name.encode("utf-8", "surrogateescape")
        digest.update(b"%d %d " % (len(label), len(data)) + label)
        digest.update(data)
    return digest.hexdigest()
