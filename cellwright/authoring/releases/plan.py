"""What a release would be: everything is looked at, and nothing of the repository is written."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cellwright.authoring.auditing import AdmittedTask, Progress, admitted_tasks
from cellwright.authoring.bundles.bundle import MANIFEST, corpus_digest, is_demonstration, sealing_key, tables_of
from cellwright.authoring.loading import load_task
from cellwright.authoring.releases.files import (
    ADVISORIES,
    CHANGELOG,
    load_advisories,
    load_changelog,
    written_advisories,
)
from cellwright.authoring.releases.standing import tasks_to_release, told_left_out
from cellwright.authoring.releases.tags import ReleaseTag, last_final, release_tags
from cellwright.authoring.settings import PARAMS, load_bundle_settings
from cellwright.clients.bundle_reader import open_bundle
from cellwright.clients.disk import read_bytes
from cellwright.clients.dvc import default_remote, get
from cellwright.clients.dvc_copy import outputs
from cellwright.clients.git_writing import REMADE, WorkTree, open_work_tree
from cellwright.clients.repository import Repository
from cellwright.records.bundle import SCHEMA, Rows, cells_digest
from cellwright.records.errors import NotSettled, Place, Problem
from cellwright.records.releases.proposal import Base, Proposal, check_after, check_version, propose
from cellwright.records.releases.telling import (
    Standing,
    changelog_section,
    told_corrections,
    unreleased,
    with_advisories,
    with_section,
)
from cellwright.records.releases.versions import Version
from cellwright.records.repository_rows import Advisory
from cellwright.records.rows import Correction
from cellwright.records.tables import updated_table
from cellwright.records.yaml_edit import set_yaml_text

BUNDLE = "build/bundle"
"""The output under which a release's bundle is got from its tag."""


@dataclass(frozen=True)
class Plan:
    """A release that may be cut: its version, why, and the files that its commit changes."""

    work_tree: WorkTree
    version: Version
    proposal: Proposal
    section: str
    """The section of the changelog."""
    new_advisories: tuple[Advisory, ...]
    left_out: Mapping[str, Standing]
    files: Mapping[str, bytes]
    """By path from the root: settings, corrections, changelog, advisories."""
    tables: Mapping[str, Rows]
    demonstration: bool
    remote: str
    secret: bytes = field(default=b"", repr=False)
    """What digests are keyed with, where the bundle is sealed."""

    @property
    def cells_digest(self) -> str:
        """The digest that the built bundle must have."""
        return cells_digest(self.tables["cells"])

    @property
    def corpus_digest(self) -> str:
        """The digest of the captures that it must rest on."""
        return corpus_digest(self.tables, self.secret)


def plan_release(
    repository: Repository, wanted: Version | None, *, demonstration: bool = False, progress: Progress | None = None
) -> Plan:
    """The release of what is committed, as `wanted` or as the version that what changed asks for.

    Raises NotSettled, with what to do, where it cannot be cut: files that are not committed, no remote, a tag that
    is there, a version that is too low, a task that is not admitted, captures that are stand-ins.
    """
    tree = open_work_tree(repository.root)
    _check_clean(tree)
    tree.check_identity()
    known = release_tags(tree, merged=True)
    _check_tag(tree, wanted, known)
    last = max((tag.version for tag in known), default=None)
    if wanted is not None:
        check_after(wanted, last)
    remote = default_remote(repository.root)
    _check_pipeline(repository)
    chosen, left_out = tasks_to_release(repository)
    base_tag = last_final(known)
    base = _base(repository, base_tag) if base_tag is not None else None
    key = sealing_key(load_bundle_settings(repository))
    admitted = _admitted(repository, chosen, left_out, base, progress)
    tables = tables_of(admitted, key)
    secret = b"" if key is None else key.secret
    stand_in = is_demonstration(tables)
    _check_stand_ins(tables, allowed=demonstration)
    proposal = propose(base, tables, {task: item.status for task, item in left_out.items()})
    version = wanted or _untagged(proposal.version, last)
    check_version(version, proposal)
    _check_tag(tree, version, known)
    files, section, advisories = _written(repository, version, proposal, admitted, left_out, stand_in)
    return Plan(tree, version, proposal, section, advisories, left_out, files, tables, stand_in, remote, secret)


def _written(
    repository: Repository,
    version: Version,
    proposal: Proposal,
    admitted: list[AdmittedTask],
    left_out: Mapping[str, Standing],
    stand_in: bool,
) -> tuple[dict[str, bytes], str, tuple[Advisory, ...]]:
    """The files that the release's commit changes, its section of the changelog, and the advisories it brings."""
    fresh: dict[str, list[Correction]] = {}
    files: dict[str, bytes] = {}
    for item in admitted:
        folder = load_task(repository, item.audit.task)
        rows = [row for row in folder.corrections if _is_fresh(row, proposal.base)]
        lines = {row.line: {"released_in": str(version)} for row in rows if not row.released_in}
        if lines:
            files[folder.file("corrections.csv")] = updated_table(folder.tables["corrections"], lines)
        if folder.task.id in proposal.comparison.kept:
            fresh[folder.task.id] = rows
    told = told_corrections(proposal.comparison, fresh)
    before, known = load_changelog(repository), load_advisories(repository)
    by_hand = unreleased(before)
    section = changelog_section(version, proposal, told, left_out, by_hand=by_hand, demonstration=stand_in)
    advisories = with_advisories(known, version, proposal, told, left_out)
    name = load_bundle_settings(repository).name
    files[PARAMS] = set_yaml_text(_params(repository), ("bundle", "version"), str(version), PARAMS)
    files[CHANGELOG] = with_section(before, name, section, str(version)).encode()
    files[ADVISORIES] = written_advisories(advisories)
    return files, section, tuple(advisories[len(known) :])


def _untagged(proposed: Version, last: Version | None) -> Version:
    """The version proposed, or the next one where a candidate of a higher one has been cut already."""
    return proposed if last is None or proposed > last else last.final


def _is_fresh(row: Correction, base: Version | None) -> bool:
    """Whether no final release that readers have now holds the correction."""
    return not row.released_in or (base is not None and Version.parse(row.released_in) > base)


def _params(repository: Repository) -> bytes:
    data = repository.file(PARAMS)
    if data is None:
        raise NotSettled(
            "the repository has no settings, and a release's version stands there",
            Place(PARAMS),
            fix="write `bundle:` with `name:` and `version:` below it",
        )
    return data


def _check_clean(tree: WorkTree) -> None:
    changed = [name for name in tree.changed() if name != REMADE]
    if changed:
        more = f" and {len(changed) - 8} more" if len(changed) > 8 else ""
        raise NotSettled(
            "a release is cut from what is committed, and some files are not",
            expected="a clean tree",
            fix=f"commit them, take them back, or let .gitignore name them: {', '.join(changed[:8])}{more}",
        )


def _check_tag(tree: WorkTree, version: Version | None, known: list[ReleaseTag]) -> None:
    if version is None or not tree.has_ref(f"refs/tags/{version.tag}"):
        return
    whole = any(tag.version == version for tag in known)
    raise NotSettled(
        f"the tag `{version.tag}` is there already" + ("" if whole else ", and it is no release that was cut here"),
        Place("refs/tags"),
        fix="name a higher version: a release is never cut twice",
    )


def _check_pipeline(repository: Repository) -> None:
    if BUNDLE not in outputs(repository.root):
        raise NotSettled(
            "the pipeline has no stage that builds the bundle",
            Place("dvc.yaml"),
            expected=f"a stage `bundle` with the output `{BUNDLE}`",
            fix="`cellwright bundle --out build/bundle` is its command",
        )


def _base(repository: Repository, tag: ReleaseTag) -> Base:
    """The last final release as its readers have it, from the cache or the remote."""
    with tempfile.TemporaryDirectory(prefix="cellwright-") as folder:
        got = Path(folder) / "bundle"
        get(str(repository.root), BUNDLE, tag.version.tag, got)
        schema = _schema(got)
        return Base(tag.version, schema, open_bundle(got).tables if schema == SCHEMA else None)


def _schema(bundle: Path) -> int:
    try:
        schema = json.loads(read_bytes(bundle / MANIFEST))["schema"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return 0
    return schema if isinstance(schema, int) else 0


def _admitted(
    repository: Repository,
    chosen: tuple[str, ...],
    left_out: Mapping[str, Standing],
    base: Base | None,
    progress: Progress | None,
) -> list[AdmittedTask]:
    """The tasks audited. One that readers have and would lose without a word stops the cut."""
    released = {row["task"] for row in base.tables["tasks"]} if base and base.tables is not None else set()
    lost = [_lost(task, left_out.get(task)) for task in sorted(released - set(chosen))]
    problems = [problem for problem in lost if problem is not None]
    try:
        audited = admitted_tasks(repository, chosen, progress=progress)
    except NotSettled as error:
        raise NotSettled([*problems, *(_with_way_out(problem, released) for problem in error.problems)]) from None
    if problems:
        raise NotSettled(problems)
    return audited


def _lost(task: str, standing: Standing | None) -> Problem | None:
    if standing is not None and standing.status in ("quarantined", "retired"):
        return None
    return Problem(
        f"the task `{task}` was in the last release and {'is a draft now' if standing else 'is not here any more'}",
        Place(f"tasks/{task}"),
        expected="a task that is admitted, quarantined or retired",
        fix=f"mend it, or tell its readers: `cellwright task quarantine {task} --because …`"
        if standing
        else "bring its folder back with `status: retired`, so that it is told why it is gone",
    )


def _with_way_out(problem: Problem, released: set[str]) -> Problem:
    """A task that is not admitted: what can be done where readers have it already."""
    task = problem.place.file.removeprefix("tasks/")
    if task not in released:
        return problem
    way = f"{problem.fix}; or `cellwright task quarantine {task} --because …` takes it out of the release"
    return Problem(f"{problem.what}, and was in the last release", problem.place, problem.seen, problem.expected, way)


def _check_stand_ins(tables: Mapping[str, Rows], *, allowed: bool) -> None:
    if allowed or not is_demonstration(tables):
        return
    names = [f"{row['task']}/{row['source']}" for row in tables["sources"] if row["via"] == "stand-in"]
    raise NotSettled(
        "some captures are stand-ins, and what stands in for a document cannot be released",
        Place("sources/captures.csv"),
        seen=f"{len(names)}: {', '.join(names[:3])}",
        fix="capture the documents themselves, or cut a demonstration with `--demonstration`",
    )


def plan_lines(plan: Plan) -> list[str]:
    """The plan for people: version and why, what is left out, advisories, changelog, what goes where."""
    lines = [f"release {plan.version}", f"proposed: {plan.proposal.said()}"]
    lines += [f"  {reason.level.word}: {reason.text}" for reason in plan.proposal.reasons]
    tasks, cells = len(plan.tables["tasks"]), len(plan.tables["cells"])
    lines.append(f"holds {tasks} task{'s' if tasks != 1 else ''}, {cells} cells; cells {plan.cells_digest[:16]}")
    if plan.left_out:
        lines.append(f"left out: {told_left_out(plan.left_out)}")
    if plan.demonstration:
        lines.append("a demonstration: some captures are stand-ins")
    lines += [f"advisory {row.id} ({row.kind}): {_about(row)}: {row.because}" for row in plan.new_advisories]
    lines += [f"changes {', '.join(sorted(plan.files))} and {REMADE}"]
    lines += [
        f"pushes captures and outputs to the DVC remote `{plan.remote}`,"
        f" commits on {plan.work_tree.branch.removeprefix('refs/heads/')}, tags {plan.version.tag}",
        "",
        *plan.section.rstrip("\n").split("\n"),
    ]
    return lines


def _about(row: Advisory) -> str:
    return f"{row.task} {row.entity}/{row.dimension}" if row.entity or row.dimension else row.task


def plan_json(plan: Plan) -> dict[str, object]:
    """The plan for programs."""
    proposal = plan.proposal
    return {
        "version": str(plan.version),
        "proposed": str(proposal.version),
        "base": str(proposal.base) if proposal.base else None,
        "level": proposal.level.word if proposal.level is not None else None,
        "reasons": [{"level": reason.level.word, "text": reason.text} for reason in proposal.reasons],
        "tasks": [row["task"] for row in plan.tables["tasks"]],
        "left_out": {
            task: {"status": item.status, "reason": item.reason} for task, item in sorted(plan.left_out.items())
        },
        "demonstration": plan.demonstration,
        "cells": plan.cells_digest,
        "corpus": plan.corpus_digest,
        "advisories": [row.texts() for row in plan.new_advisories],
        "changelog": plan.section,
        "files": sorted(plan.files),
        "remote": plan.remote,
    }
