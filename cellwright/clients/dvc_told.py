"""What a failure of DVC means: one sentence with what is at fault and how to mend it, and never a credential.

DVC raises some faults, hides the cause of others in its log, and passes the errors of the libraries below it on as
they are. All three are looked through here.
"""

from __future__ import annotations

import errno
import logging
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cellwright.clients.dvc_locks import lock_told
from cellwright.records.errors import Place, WorldFailed, clip

LOGGERS = ("dvc", "dvc_data", "dvc_objects", "scmrepo", "zc.lockfile")
MAX_HEARD = 200
"""Log records that are kept: a pull of thousands of files fails a thousand times alike."""
MAX_CHAIN = 20
_USER = re.compile(r"(?<=://)[^/@\s'\"]{1,300}@")
_SECRET_NAME = re.compile(r"key(?:_id)?$|secret|token|passw|credential|connection_string", re.IGNORECASE)
_WAY = re.compile(r"\x1b\[[0-9;]*m|<?https://(?:error\.)?dvc\.org\S*")
"""Colours, and the pages that DVC points to: the fix is told here."""
_HIDDEN = "…"


@dataclass(frozen=True)
class Kind:
    """A kind of failure: by which errors or codes it is known, what it is, and what to do."""

    errors: frozenset[str]
    what: str
    fix: str


_CODES_REFUSED = (
    "403", "AccessDenied", "AllAccessDisabled", "ExpiredToken", "Forbidden", "InvalidAccessKeyId",
    "InvalidClientTokenId", "InvalidToken", "RequestTimeTooSkewed", "SignatureDoesNotMatch",
    "UnrecognizedClientException",
)  # fmt: skip
_CREDENTIALS = "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment, or `dvc remote modify --local`"
KINDS = (
    Kind(
        frozenset({"NoSuchBucket"}),
        "the bucket does not exist",
        "make the bucket, or mend the address with `dvc remote modify NAME url s3://…`",
    ),
    Kind(
        frozenset({"NoCredentialsError", "PartialCredentialsError", "CredentialRetrievalError", "TokenRetrievalError"}),
        "no credentials for it are set",
        f"set {_CREDENTIALS}",
    ),
    Kind(frozenset({"ProfileNotFound"}), "the profile of credentials is not there", "mend AWS_PROFILE, or unset it"),
    Kind(
        frozenset(_CODES_REFUSED),
        "it refuses the credentials",
        f"look whether they may read and write there; they come from {_CREDENTIALS}",
    ),
    Kind(
        frozenset(
            {
                "EndpointConnectionError", "ConnectTimeoutError", "ReadTimeoutError", "ConnectionClosedError",
                "ClientConnectorError", "ConnectionRefusedError", "ConnectionResetError", "ProxyConnectionError",
                "SSLError",
            }
        ),
        "nothing answers at its address",
        "look whether it is up and `endpointurl` is right, then run it again: it goes on where it was",
    ),
    Kind(
        frozenset({"NoRemoteError"}),
        "no remote is set",
        "`dvc remote add --default NAME URL` sets one: a folder, or a bucket such as s3://…",
    ),
    Kind(frozenset({"RemoteNotFoundError"}), "its default remote is not among its remotes", "`dvc remote list` tells"),
    Kind(frozenset({"ConfigError"}), "its settings cannot be read", "mend `.dvc/config` or `.dvc/config.local`"),
    Kind(
        frozenset({"CloneError", "GitAuthError"}),
        "git cannot read the repository",
        "look whether the address is right and may be read",
    ),
    Kind(
        frozenset({"RevError"}),
        "git knows no such revision there",
        "look whether the tag is there; in a clone, `git fetch --tags` brings it",
    ),
    Kind(
        frozenset({"OutputAlreadyTrackedError"}),
        "git already holds these files, and both cannot",
        "`git rm -r --cached FOLDER` leaves them to DVC; the files stay where they are",
    ),
    Kind(
        frozenset({"YAMLFileCorruptedError", "YAMLSyntaxError", "YAMLValidationError"}),
        "one of its files is broken",
        "mend it; where it holds git's conflict marks, `cellwright merge-captures` keeps both sides' captures",
    ),
)  # fmt: skip


@dataclass
class Failing:
    """One piece of work with DVC: where, what it is, what was heard meanwhile, and the settings, once known."""

    root: Path | str
    what: str
    heard: list[BaseException] = field(default_factory=list)
    settings: Mapping[str, Any] = field(default_factory=dict)

    def told(self, error: BaseException) -> WorldFailed:
        """The error as the one that a person is told."""
        held = lock_told(Path(self.root), self.what, error)
        if held is not None:
            return held
        found = [*_chain(error), *(inner for heard in self.heard for inner in _chain(heard))]
        names = {name for inner in found for name in _names(inner)}
        for kind in KINDS:
            if kind.errors & names:
                return WorldFailed(
                    f"DVC could not {self.what}: {kind.what}", self._place(), seen=self._seen(error), fix=kind.fix
                )
        missing = next((inner for inner in found if isinstance(inner, OSError) and _says_missing(inner)), None)
        if missing is not None:
            return WorldFailed(
                f"DVC could not {self.what}: the remote lacks data of it",
                self._place(),
                seen=self._clean(str(missing.filename or missing)),
                fix="`dvc push` from a clone that still has it puts it there",
            )
        return WorldFailed(
            f"DVC could not {self.what}",
            self._place(),
            seen=self._seen(error),
            fix=_fix_of(error) or "`dvc doctor` and `dvc status` tell more",
        )

    def _place(self) -> Place:
        return Place(str(self.root), record=self._remote())

    def _remote(self) -> str:
        """The default remote by its name and address."""
        name = self.settings.get("core", {}).get("remote", "") if self.settings else ""
        remote = self.settings.get("remote", {}).get(name, {}) if name else {}
        if not remote.get("url"):
            return ""
        at = f" at {remote['endpointurl']}" if remote.get("endpointurl") else ""
        return self._clean(f"remote {name}: {remote['url']}{at}")

    def _seen(self, error: BaseException) -> str:
        return self._clean(str(error) or type(error).__name__)

    def _clean(self, text: str) -> str:
        return clip(without_secrets(" ".join(_WAY.sub(" ", text).split()), self.settings), 300)


def without_secrets(text: str, settings: Mapping[str, Any] | None = None) -> str:
    """The text without names and passwords in addresses, and without any credential that is set."""
    text = _USER.sub(f"{_HIDDEN}@", text)
    for secret in sorted(_secrets(os.environ, settings or {}), key=len, reverse=True):
        text = text.replace(secret, _HIDDEN)
    return text


def _secrets(environment: Mapping[str, str], settings: Mapping[str, Any]) -> Iterator[str]:
    remotes = settings.get("remote", {})
    pairs = [*environment.items(), *(pair for remote in remotes.values() for pair in remote.items())]
    for name, value in pairs:
        # Very short values would tear every sentence apart, and are nobody's credential.
        if isinstance(value, str) and len(value) >= 6 and _SECRET_NAME.search(name) and not os.path.exists(value):
            yield value


@contextmanager
def listening() -> Iterator[list[BaseException]]:
    """What DVC's libraries log as errors while the block runs, as the exceptions in it; none of it is printed."""
    heard: list[BaseException] = []

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            cause = record.exc_info[1] if record.exc_info else None
            if cause is not None and len(heard) < MAX_HEARD:
                heard.append(cause)

    ear = Ear()
    # DVC puts handlers of its own on its loggers, which print.
    kept = [(log, log.level, log.propagate, log.handlers[:]) for log in map(logging.getLogger, LOGGERS)]
    try:
        for log, *_ in kept:
            log.handlers, log.propagate = [ear], False
            log.setLevel(logging.ERROR)  # Also keeps DVC's progress bars off the terminal.
        yield heard
    finally:
        for log, level, propagate, handlers in kept:
            log.handlers, log.propagate = handlers, propagate
            log.setLevel(level)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error and what led to it."""
    inner: BaseException | None = error
    for _ in range(MAX_CHAIN):
        if inner is None:
            return
        yield inner
        inner = inner.__cause__ or inner.__context__


def _names(error: BaseException) -> Iterable[str]:
    """The names of the error's classes, and the code that a server gave."""
    response = getattr(error, "response", None)
    code = response.get("Error", {}).get("Code", "") if isinstance(response, dict) else ""
    return {kind.__name__ for kind in type(error).__mro__} | {str(code)}


def _says_missing(error: OSError) -> bool:
    """Whether it is about an object of the remote: by DVC's words, or by a server's that was asked for a key."""
    return "No storage files available" in str(error) or "specified key does not exist" in str(error)


def _fix_of(error: BaseException) -> str:
    number = getattr(error, "errno", None)
    if number in (errno.EACCES, errno.EPERM, errno.EROFS):
        return "permit reading and writing there"
    return "make room" if number == errno.ENOSPC else ""
