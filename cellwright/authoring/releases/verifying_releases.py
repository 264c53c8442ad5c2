"""A release verified from its repository: a fresh clone of the tag, what DVC keeps for it, a rebuild, scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cellwright import __version__
from cellwright.authoring.auditing import Progress
from cellwright.authoring.releases.rebuilding import rebuilt, rebuilt_pinned
from cellwright.authoring.releases.verifying import verify_folder
from cellwright.authoring.releases.verifying_evidence import capture_faults, kept_bundle, pull
from cellwright.clients.clone import Clone, clone_tag, temporary_folder
from cellwright.clients.seal_key import SealKey
from cellwright.records.errors import CellwrightError, UnreadableInput
from cellwright.records.releases.tag_trailers import Stated, stated_by
from cellwright.records.releases.verification import Check, Remark, Verification, judged, remarks_of, unchecked
from cellwright.records.releases.versions import Version
from cellwright.views.finding_view import count_words

ScoreFaults = Callable[[Path, Path], tuple[int, Sequence[tuple[str, str]]]]
"""From a repository's root and a bundle's folder: how many submissions are stored, and what moved (file, sentence)."""
TOOL = f"cellwright {__version__}"


@dataclass(frozen=True)
class _Tagged:
    """A tag's tree, what its trailers state (None where they cannot be read), and the check of it."""

    clone: Clone
    version: str
    stated: Stated | None
    check: Check


@contextmanager
def _tagged(repository: str, revision: str) -> Iterator[tuple[_Tagged, Path, Path | None]]:
    """The tag in a temporary folder, and the repository's own folder where it lies on this machine."""
    version = str(Version.parse(revision))
    source = Path(repository).resolve() if Path(repository).is_dir() else None
    with temporary_folder() as folder:
        clone = clone_tag(repository, revision, folder)
        stated, wrong = None, []
        if not clone.name:
            wrong.append(Remark(file="", what=f"the tag v{version} is a plain one, without a message"))
        elif clone.name != f"v{version}":
            wrong.append(Remark(file="", what=f"what the tag v{version} leads to is the tag {clone.name}"))
        if clone.name:
            try:
                stated = stated_by(clone.message, f"v{version}")
            except UnreadableInput as error:
                wrong += [Remark(file="", what=problem.sentence()) for problem in error.problems]
        check = judged("tag", wrong, f"commit {clone.commit[:12]}, built by {stated.tool if stated else ''}")
        yield _Tagged(clone, version, stated, check), folder, source


def verify_release(
    repository: str,
    revision: str,
    score_faults: ScoreFaults,
    *,
    pinned: bool = False,
    key: SealKey | None = None,
    progress: Progress | None = None,
) -> Verification:
    """Every check of the release `revision` of a repository (a folder or an address), from nothing but its tag.

    Raises UnreadableInput where there is no such repository or tag, or it is no release; WorldFailed where git,
    DVC's remote, or with `pinned` the index of libraries does not do its share.
    """
    tell = _Steps(progress)
    tell("cloning the tag")
    with _tagged(repository, revision) as (tagged, folder, source):
        tell("pulling captures and bundle")
        pulled = pull(tagged.clone, folder, source)
        checks = [tagged.check, judged("pulled", pulled.wrong, f"{pulled.count} files")]
        tell("reading captures")
        checks.append(judged("captures", capture_faults(pulled.repository)))
        tell("checking the bundle")
        checks += verify_folder(pulled.bundle, stated=tagged.stated, version=tagged.version, kept=pulled.kept, key=key)
        tell("building the bundle again")
        if pinned:
            checks.append(rebuilt_pinned(pulled.repository, pulled.bundle, folder))
        else:
            tool = tagged.stated.tool if tagged.stated else TOOL
            checks.append(rebuilt(pulled.repository, pulled.bundle, folder, tool))
        tell("scoring stored submissions")
        checks.append(_score_check(pulled.repository.root, pulled.bundle, score_faults))
    return Verification(tool=TOOL, subject=repository, revision=f"v{tagged.version}", checks=tuple(checks))


def verify_bundle(
    bundle: Path, repository: str = "", revision: str = "", *, key: SealKey | None = None
) -> Verification:
    """Every check of a bundle's folder; with a repository and a tag also against what the tag states and DVC keeps.

    Raises as `verify_release`, but that a remote which cannot be reached is a check not made.
    """
    if not revision:
        checks = verify_folder(bundle, key=key)
        return Verification(tool=TOOL, subject=str(bundle), revision="", checks=tuple(checks))
    with _tagged(repository, revision) as (tagged, folder, source):
        kept = kept_bundle(tagged.clone, folder, source)
        checks = verify_folder(bundle, stated=tagged.stated, version=tagged.version, kept=kept, key=key)
    return Verification(tool=TOOL, subject=str(bundle), revision=f"v{tagged.version}", checks=(tagged.check, *checks))


def _score_check(root: Path, bundle: Path, score_faults: ScoreFaults) -> Check:
    try:
        count, faults = score_faults(root, bundle)
    except CellwrightError as error:
        return unchecked("scores", remarks_of(error)[0].sentence())
    if not count:
        return unchecked("scores", "the repository has no stored submissions", "releases/submissions")
    return judged("scores", [Remark(file=file, what=what) for file, what in faults], count_words(count, "submission"))


class _Steps:
    """Tells the steps of a verification in their order."""

    COUNT = 6

    def __init__(self, progress: Progress | None) -> None:
        self.progress, self.done = progress, 0

    def __call__(self, what: str) -> None:
        if self.progress:
            self.progress(self.done, self.COUNT, what)
        self.done += 1
