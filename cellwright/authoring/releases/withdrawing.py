"""`task quarantine` and `release yank`: what is taken back, and why; both write a line, and a person commits it."""

from __future__ import annotations

from dataclasses import dataclass

from cellwright.authoring.releases.files import ADVISORIES, load_advisories, written_advisories
from cellwright.authoring.releases.standing import standing_of
from cellwright.authoring.releases.tags import release_tags
from cellwright.clients.disk import write_atomic
from cellwright.clients.git_writing import open_work_tree
from cellwright.clients.repository import Repository
from cellwright.records.errors import NotSettled, Place, UnreadableInput
from cellwright.records.releases.telling import next_id
from cellwright.records.releases.versions import Version
from cellwright.records.repository_rows import Advisory
from cellwright.records.suggest import did_you_mean
from cellwright.records.yaml_edit import set_yaml_text

MAX_REASON = 1000


@dataclass(frozen=True)
class Written:
    """A file to be changed, what stood there before and what will stand there, in words."""

    file: str
    data: bytes
    before: str
    after: str

    def write(self, repository: Repository) -> None:
        """Puts it on the disk. Raises DiskFailed."""
        write_atomic(repository.path(*self.file.split("/")), self.data)


def quarantine(repository: Repository, task: str, because: str) -> Written:
    """The task's file with `status: quarantined` and the reason, comments and order as they were.

    Raises UnreadableInput for an unknown task or a reason that is none, NotSettled where it says so already.
    """
    reason = checked_reason(because)
    data = repository.task_folder(task).get("task.yaml")
    file = f"tasks/{task}/task.yaml"
    if data is None:
        raise UnreadableInput("the file is missing", Place(file))
    now = standing_of(repository, task)
    if (now.status, now.reason) == ("quarantined", reason):
        raise NotSettled("the task is quarantined already, for this reason", Place(file))
    changed = set_yaml_text(data, ("status",), "quarantined", file)
    changed = set_yaml_text(changed, ("status_reason",), reason, file)
    return Written(file, changed, _said(now.status, now.reason), _said("quarantined", reason))


def yank(repository: Repository, version: Version, because: str) -> Written:
    """The advisories with a line more: the release is yanked. Its tag stays, since others rest on it.

    Raises NotSettled where there is no such release, or it is yanked already.
    """
    reason = checked_reason(because)
    known = [str(tag.version) for tag in release_tags(open_work_tree(repository.root))]
    if str(version) not in known:
        raise NotSettled(
            f"there is no release {version}",
            Place("refs/tags"),
            expected=f"one of {', '.join(known[:20])}" if known else "a release that was cut",
            fix=did_you_mean(str(version), known),
        )
    rows = load_advisories(repository)
    for row in rows:
        if row.kind == "yanked" and Version.parse(row.version) == version:
            raise NotSettled(
                f"{version} is yanked already", Place(ADVISORIES, row.line, record=row.id), seen=row.because
            )
    row = Advisory.model_validate({"id": next_id(rows), "kind": "yanked", "version": str(version), "because": reason})
    return Written(ADVISORIES, written_advisories([*rows, row]), "", f"{row.id}: {version} is yanked: {reason}")


def checked_reason(text: str) -> str:
    """The reason on one line. Raises UnreadableInput for one that is empty, too long or not printable."""
    reason = text.strip()
    if not reason or len(reason) > MAX_REASON or not reason.isprintable():
        raise UnreadableInput(
            "the reason cannot be told to readers",
            seen=reason[:80] or "nothing",
            expected=f"one line of 1 to {MAX_REASON} characters",
            fix="say why with `--because TEXT`",
        )
    return reason


def _said(status: str, reason: str) -> str:
    return f"{status} ({reason})" if reason else status
