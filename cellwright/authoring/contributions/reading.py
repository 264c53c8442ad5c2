"""A contribution's files read as far as they can be, every fault kept: nothing is run, nothing is written."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from cellwright.authoring.contributions.captures import capture_names
from cellwright.clients.contribution_file import Container
from cellwright.records.contribution import (
    CAPTURES,
    CAPTURES_FOLDER,
    MANIFEST,
    MAX_SMALL,
    PROFILES_FOLDER,
    REGISTRY,
    TASK_FOLDER,
    CheckFinding,
    Manifest,
    finding,
    from_problems,
    read_manifest,
)
from cellwright.records.errors import UnreadableInput
from cellwright.records.folder import TaskFolder, read_folder
from cellwright.records.repository_rows import CaptureRow, RegistryRow
from cellwright.records.rows import TASK_TABLES
from cellwright.records.tables import R, Table, read_table, records_of
from cellwright.records.yaml_text import read_yaml
from cellwright.validators.contributions.bounds import line_finding, task_bounds
from cellwright.validators.contributions.listing import listing_findings
from cellwright.validators.contributions.names import is_known, name_findings
from cellwright.validators.contributions.texts import Said, said_in_table, said_in_yaml


@dataclass
class Contribution:
    """What could be read. `findings` grow as more of it is looked at."""

    container: Container
    findings: list[CheckFinding] = field(default_factory=list)
    manifest: Manifest | None = None
    small: dict[str, bytes] = field(default_factory=dict)
    """Every file that is no capture, by its path."""
    folder: TaskFolder | None = None
    rows: tuple[CaptureRow, ...] = ()
    proposed: tuple[RegistryRow, ...] = ()
    tables: dict[str, Table] = field(default_factory=dict)
    texts: list[Said] = field(default_factory=list)

    @property
    def task(self) -> str:
        """The task's id, "" where it is not known."""
        return self.manifest.task if self.manifest is not None else ""

    @property
    def task_files(self) -> dict[str, bytes]:
        """The files of the task's folder by their name in it."""
        return {
            name.removeprefix(TASK_FOLDER): data for name, data in self.small.items() if name.startswith(TASK_FOLDER)
        }

    @property
    def captures(self) -> tuple[str, ...]:
        """The sha256 in the name of each capture, sorted."""
        return tuple(sorted(capture_names(name for name in self.container.sizes if is_known(name))))

    @property
    def profiles(self) -> dict[str, bytes]:
        """The profiles that are proposed, by name."""
        return {
            name.removeprefix(PROFILES_FOLDER).removesuffix(".yaml"): data
            for name, data in self.small.items()
            if name.startswith(PROFILES_FOLDER)
        }


def read_contribution(container: Container) -> Contribution:
    """Everything of the contribution but its captures; what is wrong is in its findings."""
    found = Contribution(container, [*container.faults, *name_findings(container.names)])
    sums = _sums(found)
    _read_list(found, sums)
    _read_yaml_texts(found)
    _read_tables(found)
    _read_task(found)
    return found


def _sums(found: Contribution) -> dict[str, tuple[int, str]]:
    """Size and sha256 of each known file but the list; those that are no captures are kept."""
    sums: dict[str, tuple[int, str]] = {}
    for name, size in found.container.sizes.items():
        if not is_known(name):
            continue
        small = not name.startswith(CAPTURES_FOLDER)
        if small and size > MAX_SMALL:
            found.findings.append(finding("K-SIZE", name, observed=f"{size} bytes", expected=f"at most {MAX_SMALL}"))
            continue
        try:
            data = found.container.read(name)
        except UnreadableInput as error:
            found.findings += from_problems("K-HASH", error.problems)
            continue
        if small:
            found.small[name] = data
        if name != MANIFEST:
            sums[name] = (len(data), hashlib.sha256(data).hexdigest())
    return sums


def _read_list(found: Contribution, sums: Mapping[str, tuple[int, str]]) -> None:
    data = found.small.get(MANIFEST)
    if data is None:
        found.findings.append(
            finding("K-MANIFEST", MANIFEST, observed="no such file", fix="`contribute pack` writes it")
        )
        return
    try:
        found.manifest = read_manifest(data)
    except UnreadableInput as error:
        found.findings += from_problems("K-MANIFEST", error.problems)
        return
    refused = set(found.container.names)
    found.findings += listing_findings(found.manifest, sums, refused)


def _read_yaml_texts(found: Contribution) -> None:
    for name, data in found.small.items():
        if not name.endswith(".yaml"):
            continue
        try:
            value, lines = read_yaml(data, name)
        except UnreadableInput as error:
            if name.startswith(PROFILES_FOLDER):  # `task.yaml` is told when the folder is read.
                found.findings += from_problems("K-TASK", error.problems)
            continue
        found.texts += said_in_yaml(value, lines, name)


def _read_tables(found: Contribution) -> None:
    models = {f"{TASK_FOLDER}{table}.csv": table for table in TASK_TABLES}
    models |= {CAPTURES: CaptureRow.table, REGISTRY: RegistryRow.table}
    for name, data in found.small.items():
        if name not in models:
            continue
        if (told := line_finding(name, data)) is not None:
            found.findings.append(told)
            continue
        try:
            table = read_table(data, models[name], name)
        except UnreadableInput as error:
            found.findings += from_problems("K-TASK", error.problems)
            continue
        found.tables[name] = table
        found.texts += said_in_table(table)
    found.rows = _rows(found, CAPTURES, CaptureRow)
    found.proposed = _rows(found, REGISTRY, RegistryRow)
    if CAPTURES not in found.small:
        found.findings.append(finding("K-CAPTURE-LINE", CAPTURES, what="the file is missing"))


def _rows(found: Contribution, name: str, model: type[R]) -> tuple[R, ...]:
    if name not in found.tables:
        return ()
    records = records_of(found.tables[name], model)
    found.findings += from_problems("K-FIELD", records.problems)
    return records.rows


def _read_task(found: Contribution) -> None:
    """The task's folder as records, where its list says which task it is and no table is beyond bounds."""
    too_long = any(item.check == "K-LINES" for item in found.findings)
    if found.manifest is None or too_long:
        return
    where = f"tasks/{found.task}"
    try:
        folder = read_folder(found.task_files, where)
    except UnreadableInput as error:
        told = {(item.file, item.line, item.what) for item in found.findings}
        problems = list(_in_contribution(from_problems("K-TASK", error.problems), where))
        found.findings += [item for item in problems if (item.file, item.line, item.what) not in told]
        return
    found.findings += task_bounds(folder.task, f"{TASK_FOLDER}task.yaml")
    found.findings += _in_contribution(from_problems("K-FIELD", folder.problems), where)
    for item in _in_contribution(from_problems("K-FIELD", folder.warnings), where):
        found.findings.append(item.model_copy(update={"severity": "warning"}))
    found.folder = folder


def _in_contribution(findings: list[CheckFinding], where: str) -> Iterator[CheckFinding]:
    """Findings with the paths that the contribution has for them."""
    for item in findings:
        file = item.file
        if file.startswith(f"{where}/"):
            file = TASK_FOLDER + file.removeprefix(f"{where}/")
        yield item.model_copy(update={"file": file})
