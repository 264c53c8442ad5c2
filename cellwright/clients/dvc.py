"""The guarded door to DVC: its own library is called, quiet, and what it refuses is told in a sentence.

DVC's command would report its use and print bars; the library does neither here. Nothing is imported before it
is needed. What a failure means is told in `dvc_told`, who holds a lock in `dvc_locks`, what data a revision needs
in `dvc_objects`, and what nothing needs any more in `dvc_unused`.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cellwright.clients.dvc_locks import locked
from cellwright.clients.dvc_told import Failing, listening, without_secrets
from cellwright.records.errors import NotSettled, Place, WorldFailed


@contextmanager
def dvc_repository(root: Path, what: str, settings: dict[str, Any] | None = None) -> Iterator[Any]:
    """DVC's repository in `root`, for one piece of work that `what` names: «DVC could not <what>».

    `settings` are laid over its own for this work alone.

    Raises WorldFailed where DVC is not installed or does not do it, with what is at fault and how to mend it.
    """
    with _guarded(root, what) as failing:
        from dvc.repo import Repo

        with Repo(str(root), config=settings) as repository:
            failing.settings = repository.config
            yield repository


@contextmanager
def _guarded(root: Path | str, what: str) -> Iterator[Failing]:
    """What DVC and the libraries below it raise, as one WorldFailed; what they would print is kept back."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import dvc.repo  # noqa: F401
        from botocore.exceptions import BotoCoreError, ClientError  # type: ignore[import-untyped]
        from dvc.exceptions import DvcException
        from dvc_objects.errors import ObjectDBError, ObjectFormatError
    except ImportError as error:
        raise WorldFailed(
            f"DVC is not installed, so it could not {what}", seen=str(error), fix="install `cellwright[author]`"
        ) from None
    # Botocore's errors pass through DVC as they are.
    theirs = (DvcException, OSError, BotoCoreError, ClientError, ObjectDBError, ObjectFormatError)
    # Its libraries warn of their own futures, which is nothing that a person here could mend.
    with warnings.catch_warnings(), listening() as heard:
        warnings.simplefilter("ignore")
        failing = Failing(root, what, heard)
        try:
            yield failing
        except theirs as error:
            raise failing.told(error) from None


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

    Gives how many objects went; a push that was interrupted goes on where it was. Raises WorldFailed also where an
    object is neither here nor in the remote: DVC's own push sends the rest and calls that a success. Its push of a
    pointer file and an output together leaves the output out (3.67), so that the objects are named here one by one.
    """
    from cellwright.clients.dvc_objects import cache_store, objects_here, remote_store, require_in_remote, send

    with dvc_repository(root, "push to the remote") as repository, locked(repository):
        objects = objects_here(repository, targets)
        sent = send(objects, cache_store(repository), remote_store(repository))
        require_in_remote(repository, objects)
    return sent


def pull(root: Path, targets: Sequence[str]) -> None:
    """Brings what the targets hold from the default remote into the cache and the work tree.

    Raises WorldFailed, which names the first file, where the remote lacks an object.
    """
    from cellwright.clients.dvc_objects import absent, cache_store, objects_here, remote_store, require_somewhere, send

    with dvc_repository(root, "pull from the remote") as repository, locked(repository):
        objects = objects_here(repository, targets)
        away = absent(cache_store(repository), objects)
        require_somewhere(repository, away)
        send(away, remote_store(repository), cache_store(repository))
        for target in targets:
            repository.checkout(targets=[str(root.resolve() / target)])


def get(repository: str, path: str, revision: str, out: Path) -> None:
    """Puts the output `path` of a repository (a folder or an address) as it was at `revision` into `out`."""
    with _guarded(without_secrets(repository), f"get `{path}` at {revision}"):
        from dvc.repo import Repo

        Repo.get(repository, path, out=str(out), rev=revision)
