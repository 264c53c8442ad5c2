"""The guarded door to DVC: its own library is called, quiet, and what it refuses is told in a sentence.

DVC's command would report its use and print bars; the library does neither here. Nothing is imported before it
is needed.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cellwright.records.errors import NotSettled, Place, WorldFailed, clip


@contextmanager
def dvc_repository(root: Path, what: str, settings: dict[str, Any] | None = None) -> Iterator[Any]:
    """DVC's repository in `root`, for one piece of work that `what` names: «DVC could not <what>».

    `settings` are laid over its own for this work alone.

    Raises WorldFailed where DVC is not installed or does not do it.
    """
    try:
        from dvc.exceptions import DvcException
        from dvc.repo import Repo
        from dvc.scm import SCMError
    except ImportError as error:
        raise WorldFailed(
            f"DVC is not installed, so it could not {what}", seen=str(error), fix="install `cellwright[author]`"
        ) from None
    logging.getLogger("dvc").setLevel(logging.ERROR)  # Also keeps its progress bars off the terminal.
    try:
        with Repo(str(root), config=settings) as repository:
            yield repository
    except (DvcException, SCMError, OSError) as error:
        raise WorldFailed(
            f"DVC could not {what}",
            Place(str(root)),
            seen=clip(str(error) or type(error).__name__, 300),
            fix="`dvc doctor` and `dvc status` tell more",
        ) from None


def default_remote(root: Path) -> str:
    """The name of the remote that DVC pushes to. Raises NotSettled where none is set."""
    with dvc_repository(root, "read its settings") as repository:
        name = repository.config["core"].get("remote")
    if not name:
        raise NotSettled(
            "DVC has no default remote, so that nobody else could get a release",
            Place(".dvc/config"),
            fix="`dvc remote add --default NAME URL` sets one: a folder, or a bucket such as s3://…",
        )
    return str(name)


def push(root: Path, targets: Sequence[str]) -> int:
    """Sends what the targets (pointer files, outputs of stages; from the root) hold to the default remote.

    Gives how many objects went.
    """
    with dvc_repository(root, "push to the remote") as repository:
        return int(repository.push(targets=_absolute(root, targets)))


def pull(root: Path, targets: Sequence[str]) -> None:
    """Brings what the targets hold from the default remote into the cache and the work tree."""
    with dvc_repository(root, "pull from the remote") as repository:
        repository.pull(targets=_absolute(root, targets))


def _absolute(root: Path, targets: Sequence[str]) -> list[str]:
    """DVC takes a relative target from the folder it was started in."""
    return [str(root.resolve() / target) for target in targets]


def get(repository: str, path: str, revision: str, out: Path) -> None:
    """Puts the output `path` of a repository (a folder or an address) as it was at `revision` into `out`."""
    try:
        from dvc.exceptions import DvcException
        from dvc.repo import Repo
        from dvc.scm import SCMError
    except ImportError as error:
        raise WorldFailed(
            "DVC is not installed, so nothing can be got", seen=str(error), fix="install `cellwright[author]`"
        ) from None
    logging.getLogger("dvc").setLevel(logging.ERROR)
    try:
        Repo.get(repository, path, out=str(out), rev=revision)
    except (DvcException, SCMError, OSError) as error:
        raise WorldFailed(
            f"DVC could not get `{path}` at {revision}",
            Place(repository),
            seen=clip(str(error) or type(error).__name__, 300),
            fix="look whether the tag is there and its remote can be reached",
        ) from None
