"""DVC begun in a new repository, by its own library: quiet, and without telling anybody that it is used."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cellwright.records.errors import Place, WorldFailed, clip

REMOTE = "storage"
"""The name of the remote that captures and bundles go to."""
_NOT_IN_GIT = "/config.local\n/tmp\n/cache\n"
"""What DVC keeps in `.dvc` for one machine only."""


def begin_dvc(root: Path, *, config: str, remote: str = "", under: str = "git") -> None:
    """Makes `.dvc` with the settings `config`, and a default remote where one is named.

    `under` says what the folder is under: `git` of its own, `folder` of another git repository, or `nothing`.
    Raises WorldFailed where DVC is not installed or does not do it.
    """
    with _told(root):
        from dvc.config import Config
        from dvc.repo import Repo

        logging.getLogger("dvc").setLevel(logging.ERROR)
        # In a folder of another git repository DVC would stage the name that the folder has while it is made.
        Repo.init(str(root), no_scm=under != "git").close()
        settings_file = root / ".dvc" / "config"
        settings_file.write_text(config + ("    no_scm = True\n" if under == "nothing" else ""), encoding="utf-8")
        (root / ".dvc" / ".gitignore").write_text(_NOT_IN_GIT, encoding="utf-8")
        if remote:
            with Config(dvc_dir=str(root / ".dvc"), validate=False).edit("repo") as settings:
                settings["remote"][REMOTE] = {"url": remote}
                settings["core"]["remote"] = REMOTE
        shutil.rmtree(root / ".dvc" / "tmp", ignore_errors=True)


@contextmanager
def _told(root: Path) -> Iterator[None]:
    """What DVC raises, in a sentence."""
    try:
        from dvc.exceptions import DvcException
        from dvc.scm import SCMError
    except ImportError as error:
        raise WorldFailed(
            "DVC is not installed, so it could not begin",
            seen=str(error),
            fix="install `cellwright[author]`, or say `--no-dvc`",
        ) from None
    try:
        yield
    except (DvcException, SCMError) as error:
        raise WorldFailed(
            "DVC could not begin", Place(str(root)), seen=clip(str(error) or type(error).__name__, 300)
        ) from None
