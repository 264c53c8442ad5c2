"""The key of sealed bundles: found in the environment or a file, made new, and never shown.

A key is an age identity, `AGE-SECRET-KEY-1…` (the age file format, age-encryption.org/v1, X25519 recipients). It is
never an argument: other people of a machine see a program's arguments, and a shell keeps them.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from dataclasses import dataclass, field
from pathlib import Path

from cellwright.clients.disk import read_bytes, sync_folder
from cellwright.records.errors import DiskFailed, Place, UnreadableInput

KEY = "CELLWRIGHT_SEAL_KEY"
"""The setting that holds a key."""
KEY_FILE = "CELLWRIGHT_SEAL_KEY_FILE"
"""The setting that names a file with a key."""
WHERE = f"name the key's file with `--key-file FILE` or the setting {KEY_FILE}, or set {KEY} to the key"
"""How a key is given."""
MAX_KEY_FILE = 64_000
MAX_IDENTITIES = 20

_IDENTITY = re.compile(r"AGE-SECRET-KEY-1[0-9A-Z]{58}", re.IGNORECASE)
_LOOKS_LIKE_ONE = re.compile(r"AGE-SECRET-KEY-", re.IGNORECASE)


@dataclass(frozen=True)
class SealKey:
    """Age identities: the first one seals, each of them opens."""

    identities: tuple[str, ...] = field(repr=False)
    warning: str = ""
    """What is not good about where the key lies."""

    @property
    def secret(self) -> bytes:
        """What keyed digests and salts follow from."""
        return self.identities[0].encode()


def find_key(file: Path | None = None) -> SealKey | None:
    """The key in `file`, else the one that the environment has or names; None where there is none.

    Raises UnreadableInput where it cannot be read, or the environment gives two.
    """
    if file is not None:
        return read_key_file(file, "--key-file")
    text, named = os.environ.get(KEY, "").strip(), os.environ.get(KEY_FILE, "").strip()
    if text and named:
        raise UnreadableInput(f"{KEY} and {KEY_FILE} are both set", fix="unset one of them")
    if text:
        return SealKey(parse_key(text, KEY))
    return read_key_file(Path(named), KEY_FILE) if named else None


def require_key(file: Path | None = None) -> SealKey:
    """`find_key`, for sealing. Raises UnreadableInput where there is no key."""
    key = find_key(file)
    if key is None:
        raise UnreadableInput(
            "a sealed bundle is to be built, and there is no key",
            fix=f"{WHERE}; `cellwright seal-key FILE` makes a key",
        )
    return key


def read_key_file(file: Path, said_by: str) -> SealKey:
    """The key in a file, as `seal-key` and `age-keygen` write it; `said_by` names who named the file in messages."""
    if _LOOKS_LIKE_ONE.search(str(file)):
        raise UnreadableInput(
            f"{said_by} is given a key and not the name of a file",
            fix="write the key into a file that you alone may read; what was typed here, others may have seen",
        )
    data = read_bytes(file, limit=MAX_KEY_FILE)
    return SealKey(parse_key(data.decode("utf-8-sig", errors="replace"), str(file)), _open_to_others(file))


def parse_key(text: str, name: str) -> tuple[str, ...]:
    """The identities in `text`: one a line, between comments. What cannot be read is told and never shown."""
    from pyrage import IdentityError, x25519

    found: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        place = Place(name, number)
        try:
            if not _IDENTITY.fullmatch(line.strip()) or len(found) == MAX_IDENTITIES:
                raise IdentityError
            found.append(str(x25519.Identity.from_str(line.strip())))
        except IdentityError:
            raise UnreadableInput(
                "the line is no key",
                place,
                expected="`AGE-SECRET-KEY-1…`, 74 characters, as `cellwright seal-key` writes it",
                fix="it is not shown here, since it may be a part of one",
            ) from None
    if not found:
        raise UnreadableInput("there is no key", Place(name), expected="a line `AGE-SECRET-KEY-1…`")
    return tuple(found)


def make_key_file(file: Path) -> str:
    """A new key in a new file that its owner alone may read; gives its public part.

    Raises UnreadableInput where the file is there already: a key that is lost opens nothing any more. Raises
    DiskFailed where it cannot be written.
    """
    from pyrage import x25519

    if _LOOKS_LIKE_ONE.search(str(file)):
        raise UnreadableInput("a key is given and not the name of a file", fix="name the file that is to be made")
    identity = x25519.Identity.generate()
    public = str(identity.to_public())
    text = f"# The key of sealed bundles. Keep it secret, and keep a copy.\n# public key: {public}\n{identity}\n"
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise UnreadableInput(
            "the file is there already, and a key is never written over", Place(str(file)), fix="name another file"
        ) from None
    except OSError as error:
        raise _failed(file, error) from None
    try:
        with os.fdopen(descriptor, "wb") as handle:
            handle.write(text.encode())
            handle.flush()
            os.fsync(handle.fileno())
    except OSError as error:
        file.unlink(missing_ok=True)
        raise _failed(file, error) from None
    sync_folder(file.absolute().parent)
    return public


def in_a_git_tree(file: Path) -> bool:
    """Whether a file lies where git would take it along."""
    return any((folder / ".git").exists() for folder in file.absolute().parents)


def _open_to_others(file: Path) -> str:
    if sys.platform == "win32":
        return ""  # Its permissions say nothing there.
    try:
        mode = stat.S_IMODE(file.stat().st_mode)
    except OSError:
        return ""
    if not mode & 0o077:
        return ""
    return f"{file}: others than you may read the key (mode {mode:04o}); `chmod 600` mends it"


def _failed(file: Path, error: OSError) -> DiskFailed:
    return DiskFailed("the key could not be written", Place(str(file)), seen=error.strerror or type(error).__name__)
