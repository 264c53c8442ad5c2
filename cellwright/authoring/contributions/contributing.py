"""`contribute check`: an untrusted contribution held against everything that can be known without the network.

First the container, then names, digests, texts, addresses and captures, then the whole audit against this
repository's own registry, profiles and thresholds. No code of the contribution is run, none of its files is put on
the disk, and what it proposes for the whole repository is shown and not applied.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path

from cellwright.authoring.auditing import audit_tasks
from cellwright.authoring.contributions.captures import captures_seen
from cellwright.authoring.contributions.guest import GuestRepository
from cellwright.authoring.contributions.reading import Contribution, read_contribution
from cellwright.authoring.loading import load_owners
from cellwright.clients.contribution_file import Container, open_contribution
from cellwright.clients.repository import Repository
from cellwright.clients.warc import read_capture
from cellwright.documents.quotes import normalise
from cellwright.documents.reading import read_text
from cellwright.records.contribution import (
    CAPTURES,
    MANIFEST,
    PROFILES_FOLDER,
    REGISTRY,
    TASK_FOLDER,
    CheckFinding,
    Severity,
    finding,
    from_problems,
)
from cellwright.records.errors import CellwrightError
from cellwright.records.findings import TaskAudit
from cellwright.records.repository_rows import RegistryRow
from cellwright.records.tables import write_table
from cellwright.validators.contributions.addresses import address_findings
from cellwright.validators.contributions.bounds import search_finding
from cellwright.validators.contributions.captures import CaptureSeen, capture_file, capture_findings
from cellwright.validators.contributions.texts import Said, SaysSo, imitation_findings, text_findings

MOST_TOLD = 40
"""Findings of one check that are told; the rest are counted."""
_UNREADABLE = frozenset(("K-CONTAINER", "K-MANIFEST", "K-TASK", "K-LINES", "K-SIZE"))
"""Checks after which something of the contribution was never read."""
_NOT_AUDITED = _UNREADABLE | {"K-COMPRESSED", "K-ENCRYPTED", "K-OVERLAP", "K-HEADER", "K-TWICE"}
_ADDRESSES = ("url", "final_url", "evidence_url")


@dataclass(frozen=True)
class CheckReport:
    """What was found. `audit` is None where it was not made; `proposed` are lines and files for a person to judge."""

    shown: str
    task: str
    findings: tuple[CheckFinding, ...]
    audit: TaskAudit | None = None
    proposed_lines: tuple[str, ...] = ()
    proposed_profiles: tuple[str, ...] = ()

    @property
    def errors(self) -> int:
        """How many findings refuse it."""
        return sum(item.severity == "error" for item in self.findings)

    @property
    def exit_code(self) -> int:
        """0 it may be accepted, 1 it is refused, 2 something of it could not be read."""
        if any(item.check in _UNREADABLE and item.severity == "error" for item in self.findings):
            return 2
        return 1 if self.errors else 0

    def as_json(self) -> dict[str, object]:
        """The shape of `contribute check --format json`."""
        return {
            "file": self.shown,
            "task": self.task,
            "verdict": ("acceptable", "refused", "unreadable")[self.exit_code],
            "findings": [item.model_dump() for item in self.findings],
            "proposed": {"registry": list(self.proposed_lines), "profiles": list(self.proposed_profiles)},
            "audit": self.audit.model_dump(mode="json") if self.audit is not None else None,
        }


def check_file(
    repository: Repository, path: Path, *, draft: bool = False, replace: bool = False, day: date | None = None
) -> CheckReport:
    """The report on a file or a folder. Raises UnreadableInput where there is none, or the repository is at fault."""
    with open_contribution(path) as container:
        return check_container(repository, container, draft=draft, replace=replace, day=day)[0]


def check_container(
    repository: Repository, container: Container, *, draft: bool, replace: bool, day: date | None
) -> tuple[CheckReport, Contribution]:
    """The report, and what was read of the contribution.

    With `draft` the audit judges what is there; with `replace` a task of this id may be in the repository; `day`
    is that of the check.
    """
    owners = load_owners(repository)
    found = read_contribution(container)
    seen, told = captures_seen(container, found.captures)
    found.findings += told
    found.findings += _content_findings(found, seen, owners, day)
    if found.folder is not None and (too_much := search_finding(found.folder, seen)) is not None:
        found.findings.append(too_much)
    if found.folder is not None and not replace and repository.task_path(found.task).exists():
        found.findings.append(
            finding(
                "K-THERE-ALREADY", MANIFEST, field="task", observed=found.task, fix="`--replace` shows what differs"
            )
        )
    lines, profiles = _proposals(repository, found, owners)
    audit = None
    if found.folder is not None and not any(item.check in _NOT_AUDITED for item in found.findings):
        audit = _audited(guest_of(repository, found, seen), found, draft, day)
    findings = tuple(_bounded(dict.fromkeys(found.findings)))
    return CheckReport(container.shown, found.task, findings, audit, lines, profiles), found


def guest_of(repository: Repository, found: Contribution, seen: Mapping[str, CaptureSeen]) -> GuestRepository:
    """The repository with the contributed task beside its own; captures that cannot be read are not there."""
    good = tuple(name for name, capture in seen.items() if capture.problem is None)

    def capture_of(sha256: str) -> bytes | None:
        return found.container.read(capture_file(sha256)) if sha256 in good else None

    return GuestRepository(
        repository.root,
        guest=found.task,
        files=found.task_files,
        captures=good,
        capture_of=capture_of,
        captures_csv=found.small.get(CAPTURES),
    )


def _content_findings(
    found: Contribution, seen: Mapping[str, CaptureSeen], owners: Iterable[RegistryRow], day: date | None
) -> Iterator[CheckFinding]:
    owners = tuple(owners)
    yield from text_findings(found.texts, _says_so(found, seen))
    addresses = [said for said in found.texts if said.in_table and said.field in _ADDRESSES]
    addresses += [
        Said(url, capture_file(name), 0, "WARC-Target-URI")
        for name, capture in seen.items()
        for url in dict.fromkeys((capture.url, capture.final_url))
        if url
    ]
    yield from address_findings(addresses, [row.domain for row in owners])
    yield from _publishers(found, owners)
    if found.folder is None:
        return
    yield from capture_findings(found.task, found.folder.sources, found.rows, seen, day)
    pins = {source.id: source.capture for source in found.folder.sources if source.capture}
    if found.manifest is not None and pins != found.manifest.pins:
        odd = sorted(key for key in {*pins, *found.manifest.pins} if pins.get(key) != found.manifest.pins.get(key))
        yield finding("K-PINS", MANIFEST, field="pins", observed=", ".join(odd[:5]), fix="pack it again")
    for waiver in found.folder.waivers:
        yield finding(
            "K-WAIVER",
            f"{TASK_FOLDER}waivers.csv",
            waiver.line,
            record=waiver.record,
            observed=f"{waiver.rule}: {waiver.reason}",
            expected="a waiver that a maintainer agrees with",
            severity="warning",
        )


def _publishers(found: Contribution, owners: tuple[RegistryRow, ...]) -> Iterator[CheckFinding]:
    known = [name for row in owners for name in (row.publisher, row.owner) if name]
    if found.folder is not None:
        known += [name for entity in found.folder.task.entities for name in (entity.name, *entity.aliases)]
    said = [
        item for item in found.texts if item.in_table and item.field in ("publisher", "owner") and item.file != CAPTURES
    ]
    yield from imitation_findings(said, known)


def _says_so(found: Contribution, seen: Mapping[str, CaptureSeen]) -> SaysSo:
    """Whether the pinned capture of a source has a text, each document read when it is first asked for."""
    sources = {source.id: source for source in found.folder.sources} if found.folder is not None else {}

    @lru_cache(maxsize=1)
    def text_of(source: str) -> str:
        pin = sources[source].capture
        try:
            capture = read_capture(found.container.read(capture_file(pin)), file=capture_file(pin))
            return normalise(read_text(capture.body, sources[source].media_type or capture.media_type))
        except CellwrightError:
            return ""

    def says_so(source: str, text: str) -> bool:
        known = source in sources and sources[source].capture in seen and not seen[sources[source].capture].problem
        return known and normalise(text) in text_of(source)

    return says_so


def _proposals(
    repository: Repository, found: Contribution, owners: Iterable[RegistryRow]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is proposed and not here already, each told; the lines of the registry as they would be pasted."""
    known = {tuple(row.texts().items()) for row in owners}
    new = [row for row in found.proposed if tuple(row.texts().items()) not in known]
    lines = []
    for row in new:
        text = write_table([row.texts()], RegistryRow.columns()).decode("utf-8").partition("\n")[2].rstrip("\n")
        lines.append(text)
        told = "a line of sources/registry.csv is proposed; paste it there if it is right"
        found.findings.append(finding("K-PROPOSED", REGISTRY, row.line, what=told, observed=text, severity="warning"))
    profiles = []
    for name, data in found.profiles.items():
        if repository.file("profiles", f"{name}.yaml") == data:
            continue
        profiles.append(name)
        told = "a profile is proposed; the audit did not use it"
        found.findings.append(finding("K-PROPOSED", f"{PROFILES_FOLDER}{name}.yaml", what=told, severity="warning"))
    return tuple(lines), tuple(profiles)


def _audited(guest: GuestRepository, found: Contribution, draft: bool, day: date | None) -> TaskAudit | None:
    """The audit of the contributed task beside the others; why it is not admitted is a finding."""
    try:
        audited = audit_tasks(guest, [found.task], draft=draft, day=day)
    except CellwrightError as error:
        found.findings += from_problems("K-AUDIT", error.problems)
        return None
    audit = audited.audit.tasks[0]
    if not audit.passed:
        failed = ", ".join(name.value for name, state in audit.conditions.items() if state != "met")
        errors = sum(item.severity == "error" and not item.waived for item in audit.findings)
        found.findings.append(
            finding(
                "K-AUDIT",
                MANIFEST,
                what=f"the audit does not admit the task: {errors} error{'s' if errors != 1 else ''}",
                observed=failed,
                expected="five conditions met",
                fix="the audit's findings tell what to mend",
            )
        )
    return audit


def _bounded(findings: Iterable[CheckFinding]) -> Iterator[CheckFinding]:
    """The first of each check, and how many more there are: errors and warnings apart, so that none hides another."""
    counted: Counter[tuple[str, Severity]] = Counter()
    for item in findings:
        counted[item.check, item.severity] += 1
        if counted[item.check, item.severity] <= MOST_TOLD:
            yield item
    for (check, severity), count in counted.items():
        if count > MOST_TOLD:
            yield finding(check, what=f"and {count - MOST_TOLD} more of this check", severity=severity)
