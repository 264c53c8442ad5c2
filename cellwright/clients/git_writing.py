"""What a release does to a git repository: a commit and a tag made beside the work tree, then shown in one step.

Commits are made from blobs, never by `git commit`: no hook runs, since a hook that changes a file would part the
release from the bundle that was built of it, and nothing of the user's index or work tree is used. The branch and
the tag move in one transaction of git's own. Names go to git behind `--end-of-options` or by its standard input, so
that none is ever taken for an option.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cellwright.clients.disk import MAX_READ, read_bytes, write_all_atomic
from cellwright.clients.git import git_command, git_environment, git_said
from cellwright.records.errors import NotSettled, Place, WorldFailed

WAIT = 600
"""Seconds that git may take for one piece of work; a large repository is checked out in less."""
MAX_TAGS = 10_000
REMADE = "dvc.lock"
"""What DVC writes anew at each run: a person's own is no work that could be lost."""
MAX_TAG = 1_000_000
"""Bytes of one tag's object."""


@dataclass(frozen=True, slots=True)
class WorkTree:
    """A git work tree whose top is `root`, on `branch` (`refs/heads/…`) at the commit `head`."""

    root: Path
    git_dir: Path
    """Where git keeps what belongs to this work tree alone."""
    branch: str
    head: str

    def now(self) -> WorkTree:
        """The same work tree as it is now."""
        return open_work_tree(self.root)

    def changed(self) -> tuple[str, ...]:
        """The files that are not as the last commit has them, and new ones that git does not ignore, sorted."""
        data = _git(self.root, "status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames").stdout
        return tuple(sorted(part[3:].decode("utf-8", "surrogateescape") for part in data.split(b"\0") if part))

    def has_ref(self, name: str) -> bool:
        """Whether there is a reference of this full name."""
        asked = _run(self.root, "rev-parse", "--verify", "--quiet", "--end-of-options", name)
        return asked.returncode == 0

    def object_of(self, name: str) -> str:
        """The object that a reference names; empty where there is none."""
        asked = _run(self.root, "rev-parse", "--verify", "--quiet", "--end-of-options", name)
        return asked.stdout.decode("ascii", "replace").strip() if asked.returncode == 0 else ""

    def export(self, commit: str, folder: Path) -> None:
        """Every file of a commit put into `folder`, which must not be there, as a checkout would put it."""
        folder.mkdir(parents=True)
        index = {"GIT_INDEX_FILE": str(folder.with_name(f"{folder.name}.index"))}
        _git(self.root, "read-tree", commit, env=index)
        _git(self.root, "checkout-index", "--all", "--force", f"--prefix={folder}{os.sep}", env=index)

    def commit(self, parent: str, files: Mapping[str, bytes], message: str, scratch: Path) -> str:
        """A commit on `parent` with the files (path → bytes) put in; nothing points at it yet. Gives its id."""
        index = {"GIT_INDEX_FILE": str(scratch)}
        scratch.unlink(missing_ok=True)
        _git(self.root, "read-tree", parent, env=index)
        modes = {entry.path: entry.mode for entry in self._entries(list(files), env=index)}
        lines = b""
        for path, data in sorted(files.items()):
            blob = _git(self.root, "hash-object", "-w", "--stdin", "--path", path, given=data).stdout.strip()
            lines += b"%s %s\t%s\0" % (modes.get(path, "100644").encode(), blob, _bytes(path))
        _git(self.root, "update-index", "-z", "--add", "--index-info", given=lines, env=index)
        tree = _git(self.root, "write-tree", env=index).stdout.decode("ascii").strip()
        return _git(self.root, "commit-tree", tree, "-p", parent, given=message.encode()).stdout.decode().strip()

    def tag_object(self, commit: str, name: str, message: str) -> str:
        """An annotated tag's object; nothing points at it yet. Gives its id."""
        tagger = _git(self.root, "var", "GIT_COMMITTER_IDENT").stdout.decode("utf-8", "surrogateescape").strip()
        text = f"object {commit}\ntype commit\ntag {name}\ntagger {tagger}\n\n{message}"
        return _git(self.root, "mktag", given=_bytes(text)).stdout.decode("ascii").strip()

    def check_identity(self) -> None:
        """Raises NotSettled where git does not know who cuts the release."""
        asked = _run(self.root, "-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT")
        if asked.returncode:
            raise NotSettled(
                "git does not know who you are, and a release bears the name of who cut it",
                Place(".git/config"),
                fix="`git config user.name NAME` and `git config user.email ADDRESS` say it",
            )

    def publish(self, commit: str, tag: str, tag_object: str, reason: str) -> None:
        """Moves the branch from `head` to `commit` and makes the tag, both or neither.

        Raises WorldFailed where the branch is somewhere else by now, or the tag is there.
        """
        lines = (
            "start",
            f"update {self.branch} {commit} {self.head}",
            f"create refs/tags/{tag} {tag_object}",
            "prepare",
            "commit",
        )
        _git(self.root, "update-ref", "-m", reason, "--stdin", given="".join(f"{line}\n" for line in lines).encode())

    def bring_forward(self, before: str, after: str) -> tuple[str, ...]:
        """Puts what differs between two commits into index and work tree, where they still have what `before` had.

        A file that somebody has changed meanwhile stays as it is; gives their names. May be called again.
        """
        changes = self._changes(before, after)
        entries = {entry.path: entry.blob for entry in self._entries(list(changes))}
        fresh: dict[Path, bytes] = {}
        lines, left = b"", []
        for path, (mode, old, new) in sorted(changes.items()):
            target = self.root / path
            wanted = self._bytes_of(new, path)
            here = read_bytes(target, limit=MAX_READ) if target.is_file() else None
            if here != wanted:
                if here is not None and path != REMADE and (not old or here != self._bytes_of(old, path)):
                    left.append(path)
                    continue
                fresh[target] = wanted
            if path == REMADE or entries.get(path, "") in (old, new):
                lines += b"%s %s\t%s\0" % (mode.encode(), new.encode(), _bytes(path))
        if fresh:
            write_all_atomic(fresh)
        if lines:
            _git(self.root, "update-index", "-z", "--add", "--index-info", given=lines)
        _run(self.root, "update-index", "-q", "--refresh")
        return tuple(left)

    def tags(self, pattern: str = "refs/tags/v*", *, merged: bool = False) -> list[Tag]:
        """The annotated tags of commits, by name; with `merged` those that the present commit comes after."""
        options = ["--merged=HEAD"] if merged else []
        listed = _git(self.root, "for-each-ref", *options, "--format=%(objecttype) %(objectname) %(refname)", pattern)
        lines = [line.split(b" ", 2) for line in listed.stdout.splitlines()[:MAX_TAGS]]
        wanted = [(name, oid) for kind, oid, name in lines if kind == b"tag"]
        return [tag for tag in _read_tags(self.root, wanted) if tag is not None]

    def file_at(self, commit: str, path: str) -> bytes | None:
        """A file as a commit has it, or None."""
        found = _run(self.root, "cat-file", "blob", f"{commit}:{path}")
        return found.stdout if found.returncode == 0 else None

    def _bytes_of(self, blob: str, path: str) -> bytes:
        """A blob as a checkout would write it at the path."""
        return _git(self.root, "cat-file", "--filters", f"--path={path}", blob).stdout

    def _entries(self, paths: Sequence[str], env: Mapping[str, str] | None = None) -> list[_Entry]:
        """What the index says of the paths."""
        given = ["--literal-pathspecs", "ls-files", "-s", "-z", "--", *paths]
        listed = _git(self.root, *given, env=env).stdout if paths else b""
        found = []
        for part in listed.split(b"\0"):
            head, _, path = part.partition(b"\t")
            if path:
                mode, blob, _ = head.decode("ascii").split()
                found.append(_Entry(path.decode("utf-8", "surrogateescape"), mode, blob))
        return found

    def _changes(self, before: str, after: str) -> dict[str, tuple[str, str, str]]:
        """Mode, old blob (empty where there was none) and new blob of each file that `after` changes or adds."""
        data = _git(self.root, "diff-tree", "-r", "-z", "--no-renames", "--no-commit-id", before, after).stdout
        parts = data.split(b"\0")
        found = {}
        for head, path in zip(parts[::2], parts[1::2], strict=False):
            _, mode, old, new, kind = head.decode("ascii").lstrip(":").split()
            if kind != "D":
                found[path.decode("utf-8", "surrogateescape")] = (mode, old.strip("0") and old, new)
        return found


@dataclass(frozen=True, slots=True)
class Tag:
    """An annotated tag of a commit."""

    name: str
    object_id: str
    commit: str
    seconds: int
    """When it was made, in seconds since 1970."""
    message: str


@dataclass(frozen=True, slots=True)
class _Entry:
    path: str
    mode: str
    blob: str


def open_work_tree(root: Path) -> WorkTree:
    """The git work tree whose top is `root`.

    Raises NotSettled where it is under no git, is not the top, has no commit, or is on no branch; WorldFailed where
    git is not installed or fails.
    """
    place = Place(str(root))
    top = _run(root, "rev-parse", "--show-cdup")
    if top.returncode:
        raise NotSettled(
            "the repository is not under git, and a release is a tag of git",
            place,
            seen="" if "not a git repository" in git_said(top) else git_said(top),
            fix="`git init` and commit",
        )
    if top.stdout.strip():
        raise NotSettled("a release is cut from the top of its git repository", place, seen=top.stdout.decode().strip())
    git_dir = _git(root, "rev-parse", "--absolute-git-dir").stdout.decode("utf-8", "surrogateescape").strip("\n")
    head = _run(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    if head.returncode:
        raise NotSettled("the repository has no commit yet", place, fix="commit your tasks, then cut")
    branch = _run(root, "symbolic-ref", "--quiet", "HEAD")
    if branch.returncode:
        raise NotSettled(
            "HEAD is on no branch, so that a release's commit would be lost", place, fix="`git switch main` or another"
        )
    return WorkTree(root, Path(git_dir), branch.stdout.decode().strip(), head.stdout.decode("ascii").strip())


def _read_tags(root: Path, wanted: Sequence[tuple[bytes, bytes]]) -> list[Tag | None]:
    asked = b"".join(oid + b"\n" for _, oid in wanted)
    data = _git(root, "cat-file", "--batch", given=asked).stdout if wanted else b""
    found: list[Tag | None] = []
    for name, oid in wanted:
        head, _, data = data.partition(b"\n")
        parts = head.split()
        if len(parts) != 3 or parts[0] != oid:
            return found
        size = int(parts[2])
        found.append(_tag(name, oid, data[: min(size, MAX_TAG)]))
        data = data[size + 1 :]
    return found


def _tag(ref: bytes, oid: bytes, data: bytes) -> Tag | None:
    head, _, message = data.decode("utf-8", "replace").partition("\n\n")
    fields = dict(line.split(" ", 1) for line in head.splitlines() if " " in line)
    stamp = fields.get("tagger", "").rsplit(" ", 2)
    if fields.get("type") != "commit" or len(stamp) != 3 or not stamp[1].isdigit():
        return None
    name = ref.decode("utf-8", "replace").removeprefix("refs/tags/")
    return Tag(name, oid.decode("ascii"), fields.get("object", ""), int(stamp[1]), message)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _git(
    root: Path, *arguments: str, given: bytes = b"", env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """What git says; raises WorldFailed, with its complaint, where it refuses."""
    done = _run(root, *arguments, given=given, env=env)
    if done.returncode:
        word = next((part for part in arguments if not part.startswith("-")), "")
        raise WorldFailed(
            f"git could not do `{word}`",
            Place(str(root)),
            seen=git_said(done),
            fix="where it names a `.lock` that a killed run left, remove that once no git is running",
        )
    return done


def _run(
    root: Path, *arguments: str, given: bytes = b"", env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            git_command(root, arguments),
            input=given,
            capture_output=True,
            env={**git_environment(), **(env or {})},
            timeout=WAIT,
            check=False,
        )
    except FileNotFoundError:
        raise WorldFailed("git is not installed, and a release is a tag of git", fix="install git") from None
    except subprocess.TimeoutExpired:
        raise WorldFailed(f"git gave no answer in {WAIT} seconds", Place(str(root))) from None
    except OSError as error:
        raise WorldFailed("git cannot be run", Place(str(root)), seen=error.strerror or str(error)) from None
