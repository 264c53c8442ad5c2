"""What DVC keeps for a tag held against the tag's own tables: every capture is read, and is what the pins say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from cellwright.authoring.releases.verifying_files import Kept
from cellwright.clients.clone import Clone
from cellwright.clients.kept_objects import (
    KeptFolder,
    fetch_objects,
    kept_folder,
    locked_output,
    pointed_at,
    put_in_place,
)
from cellwright.clients.repository import Repository, is_task_id, open_repository
from cellwright.clients.warc import read_capture
from cellwright.records.errors import CellwrightError, Place, UnreadableInput
from cellwright.records.releases.verification import Remark, remarks_of
from cellwright.records.repository_rows import CaptureRow
from cellwright.records.rows import Source
from cellwright.records.tables import read_records

BUNDLE = "build/bundle"
STAGE = "bundle"
CAPTURES = "sources/captures"


@dataclass(frozen=True)
class Pulled:
    """A tag's tree with its captures in place, its bundle in a folder of its own, and what was wrong with any."""

    repository: Repository
    bundle: Path
    kept: Mapping[str, Kept]
    """The bundle's files as DVC keeps them."""
    wrong: tuple[Remark, ...]
    count: int
    """Files that came."""


def pull(clone: Clone, folder: Path, source: Path | None) -> Pulled:
    """The captures and the bundle of the tag, fetched from its DVC remote into nothing but `folder`.

    Raises UnreadableInput where the tag has no DVC, no `dvc.lock` or a pointer of another form; WorldFailed where
    the remote cannot be reached.
    """
    repository, settings, lock = _kept_by(clone)
    objects = {BUNDLE: locked_output(lock, STAGE, BUNDLE), **_pointers(repository)}
    cache = fetch_objects(settings, list(objects.values()), folder, source)
    folders = {path: kept_folder(cache, name) for path, name in objects.items()}
    for path, found in folders.items():
        put_in_place(cache, found, folder / "bundle" if path == BUNDLE else repository.path(*path.split("/")))
    (folder / "bundle").mkdir(exist_ok=True)
    kept = {name: Kept(md5) for name, md5 in folders[BUNDLE].files.items()}
    wrong = tuple(remark for path, found in folders.items() for remark in _wrong(path, found))
    return Pulled(repository, folder / "bundle", kept, wrong, sum(len(found.files) for found in folders.values()))


def kept_bundle(clone: Clone, folder: Path, source: Path | None) -> dict[str, Kept] | str:
    """The bundle's files as DVC keeps them for the tag, or why they are not known."""
    try:
        _, settings, lock = _kept_by(clone)
        name = locked_output(lock, STAGE, BUNDLE)
        found = kept_folder(fetch_objects(settings, [name], folder, source), name)
    except CellwrightError as error:
        return f"what DVC keeps for the tag is not known: {error.problems[0].sentence()}"
    if "" in found.wrong:
        return f"what DVC keeps for the tag is not known: {found.wrong['']}"
    return {name: Kept(md5) for name, md5 in found.files.items()}


def _kept_by(clone: Clone) -> tuple[Repository, bytes, bytes]:
    """The tag's tree, its `.dvc/config` and its `dvc.lock`."""
    repository = open_repository(clone.root)
    settings, lock = repository.file(".dvc", "config"), repository.file("dvc.lock")
    if settings is None or lock is None:
        raise UnreadableInput(
            "the tag is no release: it does not tell where DVC keeps its bundle",
            Place(".dvc/config" if settings is None else "dvc.lock"),
            expected="a tag that `cellwright release cut` made",
        )
    return repository, settings, lock


def _pointers(repository: Repository) -> dict[str, str]:
    """The object of each task's captures."""
    found = {}
    for name in repository.names(CAPTURES):
        task = name.removesuffix(".dvc")
        if name.endswith(".dvc") and is_task_id(task):
            data = repository.file(*CAPTURES.split("/"), name)
            found[f"{CAPTURES}/{task}"] = pointed_at(data or b"", f"{CAPTURES}/{name}", task)
    return found


def _wrong(path: str, found: KeptFolder) -> Iterator[Remark]:
    for name, what in found.wrong.items():
        yield Remark(file=f"{path}/{name}" if name else path, what=what)


def capture_faults(repository: Repository) -> Iterator[Remark]:
    """Captures that are another document, that a table names and are not here, or that none names."""
    rows, wrong = _capture_rows(repository)
    yield from wrong
    told = {(row.task, row.sha256) for row in rows if row.sha256}
    tasks, _ = repository.tasks_found()
    for task in tasks:
        yield from _pin_faults(repository, task, {(row.task, row.source, row.sha256) for row in rows})
    here: set[tuple[str, str]] = set()
    for task in repository.names(CAPTURES):
        if is_task_id(task) and not task.endswith(".dvc"):
            names = repository.capture_names(task)
            here |= {(task, name) for name in names}
            for other in set(repository.names(f"{CAPTURES}/{task}")) - {f"{name}.warc.gz" for name in names}:
                yield Remark(file=f"{CAPTURES}/{task}/{other}", what="the file is no capture")
    for task, sha256 in sorted(told | here):
        file = f"{CAPTURES}/{task}/{sha256}.warc.gz"
        if (task, sha256) not in told:
            yield Remark(file=file, what="sources/captures.csv does not tell of this capture")
        try:
            data = repository.capture_bytes(task, sha256)
            found = read_capture(data, file=file).sha256 if data is not None else ""
        except UnreadableInput as error:
            yield from remarks_of(error)
            continue
        if found != sha256:
            yield Remark(file=file, what=f"its document is {found}" if found else "the capture is missing")


def _capture_rows(repository: Repository) -> tuple[tuple[CaptureRow, ...], list[Remark]]:
    data = repository.sources_file("captures.csv")
    try:
        return read_records(data or b"", CaptureRow, "sources/captures.csv").rows, []
    except CellwrightError as error:
        return (), remarks_of(error)


def _pin_faults(repository: Repository, task: str, told: set[tuple[str, str, str]]) -> Iterator[Remark]:
    """Sources whose pin is a capture that is not told of."""
    file = f"tasks/{task}/sources.csv"
    try:
        sources = read_records(repository.task_folder(task).get("sources.csv", b""), Source, file).rows
    except CellwrightError as error:
        yield from remarks_of(error)
        return
    for source in sources:
        if source.capture and (task, source.id, source.capture) not in told:
            yield Remark(file=file, what=f"the pin of `{source.id}` is a capture that captures.csv does not tell of")
