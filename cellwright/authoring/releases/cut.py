"""`release cut`: the release is made beside the work tree and shown in one step; a kill leaves before or after.

    copy      the commit's files in a folder of git's own, with DVC's cache shared and the captures in their place
    build     version, changelog, advisories and corrections written, the pipeline run, the bundle read and checked
    rescore   the stored reference submissions graded against it
    push      captures and outputs sent to the DVC remote, and each of them asked for again there
    commit    commit and tag made as objects that nothing points at
    publish   the branch and the tag moved in one transaction of git
    follow    the work tree brought forward

Source of the order: nobody can see a release whose data is not on the remote.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from cellwright import __version__
from cellwright.authoring.bundles.bundle import MANIFEST, corpus_digest
from cellwright.authoring.releases.journal import Journal, clear, write_journal
from cellwright.authoring.releases.plan import BUNDLE, Plan
from cellwright.clients.bundle_reader import open_bundle
from cellwright.clients.disk import read_bytes, write_atomic
from cellwright.clients.dvc_copy import check_out_captures, is_up_to_date, push_copy, run_stages, settle_copy
from cellwright.clients.git_writing import REMADE, WorkTree
from cellwright.clients.repository import Repository
from cellwright.records.errors import NotSettled, Place, UnreadableInput
from cellwright.records.releases.tags import ReleaseMark, release_title, tag_message

Rescore = Callable[[Path, Path], Mapping[str, bytes]]
"""Grades the stored submissions: given the bundle's folder and the copy of the repository, gives files by path."""
Tell = Callable[[str], None]
"""Told what is being done."""


@dataclass(frozen=True)
class Cut:
    """A release that was cut."""

    commit: str
    mark: ReleaseMark
    sent: int
    """Objects that the remote did not have yet."""
    left: tuple[str, ...]
    """Files that somebody changed meanwhile: they stayed as they were."""


def cut_release(
    repository: Repository, plan: Plan, folder: Path, *, rescore: Rescore | None = None, tell: Tell | None = None
) -> Cut:
    """Carries the plan out, working in `folder`; to be called under the lock.

    Raises NotSettled where the pipeline says no or somebody commits meanwhile, WorldFailed where git, DVC or the
    remote fails: the repository is then as it was, and the next cut begins anew.
    """
    try:
        return _carried_out(repository, plan, folder, rescore, tell or _quiet)
    finally:
        if not plan.work_tree.has_ref(f"refs/tags/{plan.version.tag}"):
            clear(plan.work_tree)


def _carried_out(repository: Repository, plan: Plan, folder: Path, rescore: Rescore | None, say: Tell) -> Cut:
    tree, copy = plan.work_tree, folder / f"cut-{secrets.token_hex(8)}" / "tree"
    say("copying what is committed")
    tree.export(tree.head, copy)
    settle_copy(repository.root, copy)
    check_out_captures(copy)
    for name, data in plan.files.items():
        write_atomic(copy / name, data)
    say("auditing and building")
    run_stages(copy, ["bundle"], anew=True)
    if not is_up_to_date(copy):
        run_stages(copy, [], anew=False)
    mark = _checked(plan, copy)
    say("grading the reference submissions")
    graded = rescore(copy / BUNDLE, copy) if rescore else {}
    say(f"pushing to `{plan.remote}`")
    sent = push_copy(repository.root, copy)
    files = {**plan.files, **graded, REMADE: read_bytes(copy / REMADE, name=REMADE)}
    title, message = release_title(plan.version), tag_message(plan.version, mark)
    commit = tree.commit(tree.head, files, f"{title}\n\n{plan.proposal.said()}\n", copy.with_name("commit.index"))
    tag_object = tree.tag_object(commit, plan.version.tag, message)
    _check_still(tree)
    say("publishing")
    write_journal(tree, Journal(str(plan.version), tree.branch, tree.head, commit, tag_object))
    tree.publish(commit, plan.version.tag, tag_object, title)
    left = tree.bring_forward(tree.head, commit)
    clear(tree)
    return Cut(commit, mark, sent, left)


def _quiet(_: str) -> None:
    pass


def _checked(plan: Plan, copy: Path) -> ReleaseMark:
    """What the tag tells of the bundle. Raises NotSettled where the bundle built is not the one planned."""
    folder = copy / BUNDLE
    try:
        bundle = open_bundle(folder)
    except UnreadableInput as error:
        raise NotSettled(error.problems) from None
    for what, planned, built in (
        ("version", str(plan.version), bundle.version),
        ("cells", plan.cells_digest, bundle.cells_digest),
        ("captures", plan.corpus_digest, corpus_digest(bundle.tables, plan.secret)),
    ):
        if planned != built:
            raise NotSettled(
                f"the {what} of the bundle that the pipeline built are not those that were audited",
                Place(BUNDLE),
                seen=built,
                expected=planned,
                fix="`dvc status` tells whether your captures are those of their pointers; commit what it tells",
            )
    manifest = read_bytes(folder / MANIFEST, name=MANIFEST)
    return ReleaseMark(
        bundle=hashlib.sha256(manifest).hexdigest(),
        cells=bundle.cells_digest,
        corpus=plan.corpus_digest,
        tool=f"cellwright {__version__}",
        tasks=len(bundle.tasks),
        demonstration=bundle.demonstration,
    )


def _check_still(tree: WorkTree) -> None:
    """Raises NotSettled where the repository is not as it was when the cut began."""
    now = tree.now()
    if (now.branch, now.head) != (tree.branch, tree.head) or [name for name in now.changed() if name != REMADE]:
        raise NotSettled(
            "the repository was changed while the release was made",
            Place(str(tree.root)),
            fix="commit the change, and cut again: nothing was released",
        )
