"""The key of sealed bundles: where it is found, how it is made, and that it is never shown."""

from __future__ import annotations

import stat
import traceback
from pathlib import Path

import pytest
from pyrage import x25519

from cellwright.clients.seal_key import (
    KEY,
    KEY_FILE,
    SealKey,
    find_key,
    in_a_git_tree,
    make_key_file,
    parse_key,
    require_key,
)
from cellwright.records.errors import DiskFailed, Problem, UnreadableInput

IDENTITY = str(x25519.Identity.generate())
OTHER = str(x25519.Identity.generate())


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key in the environment."""
    monkeypatch.delenv(KEY, raising=False)
    monkeypatch.delenv(KEY_FILE, raising=False)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A key file as it should be."""
    made = tmp_path / "a.key"
    made.write_text(f"# public key: age1…\n\n{IDENTITY}\n", encoding="utf-8")
    made.chmod(0o600)
    return made


def test_there_is_no_key_where_none_is_given() -> None:
    assert find_key() is None
    with pytest.raises(
        UnreadableInput, match=r"there is no key; .*--key-file FILE.*CELLWRIGHT_SEAL_KEY_FILE.*seal-key"
    ):
        require_key()


def test_a_key_comes_from_the_setting_or_from_a_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_key(file) == SealKey((IDENTITY,))
    monkeypatch.setenv(KEY, f" {IDENTITY}\n")
    assert find_key() == SealKey((IDENTITY,))
    monkeypatch.delenv(KEY)
    monkeypatch.setenv(KEY_FILE, str(file))
    assert require_key() == SealKey((IDENTITY,))


def test_the_option_goes_before_the_settings(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, OTHER)
    found = find_key(file)
    assert found is not None
    assert found.identities == (IDENTITY,)


def test_two_settings_at_once_are_no_guess(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, IDENTITY)
    monkeypatch.setenv(KEY_FILE, str(file))
    with pytest.raises(UnreadableInput, match="are both set; unset one of them"):
        find_key()


def test_the_first_identity_of_a_file_seals_and_all_open(file: Path) -> None:
    file.write_text(f"{IDENTITY}\r\n# the old one\r\n{OTHER}\r\n", encoding="utf-8-sig")
    found = require_key(file)
    assert found.identities == (IDENTITY, OTHER)
    assert found.secret == IDENTITY.encode()


def test_a_key_in_small_letters_is_the_same_key() -> None:
    assert parse_key(IDENTITY.lower(), "key") == (IDENTITY,)


NO_KEYS = {
    "nothing after the mark": "AGE-SECRET-KEY-1",
    "one character short": IDENTITY[:-1],
    "one character long": IDENTITY + "Q",
    "a slip of the hand": IDENTITY[:-1] + ("Q" if IDENTITY[-1] != "Q" else "P"),
    "another kind": IDENTITY.replace("KEY-1", "KEY-PQ-1"),
    "the public part": "age1fpkvlz3pdresn3t43t40p2h73xsjtme5nulx4zesn6c2v3wk747sqe79y6",
    "a key of another program": "-----BEGIN OPENSSH PRIVATE KEY-----",
    "two in a line": f"{IDENTITY} {IDENTITY}",
    "no text": "\0" * 70,
    "too many": f"{IDENTITY}\n" * 21,
}


@pytest.mark.parametrize("name", NO_KEYS)
def test_what_is_no_key_is_told_by_its_line_and_not_shown(name: str) -> None:
    text = NO_KEYS[name]
    with pytest.raises(UnreadableInput, match=r"a\.key:\d+: the line is no key; expected `AGE-SECRET-KEY-1…`") as error:
        parse_key(f"{text}\n", "a.key")
    told = "".join(traceback.format_exception(error.value))
    assert text.strip()[20:] not in told or not text.strip()[20:]


def test_a_file_without_a_key_is_told(file: Path) -> None:
    file.write_text("# nothing\n", encoding="utf-8")
    with pytest.raises(UnreadableInput, match="there is no key; expected a line"):
        find_key(file)


def test_a_missing_a_large_and_a_foreign_file_are_told(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput, match="the file is missing"):
        find_key(tmp_path / "none.key")
    with pytest.raises(UnreadableInput, match="this is a folder"):
        find_key(tmp_path)
    (tmp_path / "large").write_bytes(b"#" * 70_000)
    with pytest.raises(UnreadableInput, match="the file is too large"):
        find_key(tmp_path / "large")


def test_a_key_where_a_file_is_asked_for_is_told_and_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_FILE, IDENTITY)
    for call in (find_key, lambda: find_key(Path(IDENTITY)), lambda: make_key_file(Path(f"./{IDENTITY}"))):
        with pytest.raises(UnreadableInput, match=r"given a key and not the name of a file|a key is given") as error:
            call()
        assert IDENTITY[16:] not in "".join(traceback.format_exception(error.value))


def test_no_message_shows_a_key_wherever_it_was_typed() -> None:
    told = Problem(f"no task `{IDENTITY}`", seen=f"x{IDENTITY.lower()}", fix=IDENTITY).sentence()
    assert IDENTITY[16:24] not in told.upper()
    assert told.count("AGE-SECRET-KEY-…") == 3


def test_a_key_is_not_in_the_words_for_it() -> None:
    assert IDENTITY[16:24] not in repr(SealKey((IDENTITY,)))
    assert IDENTITY[16:24] not in f"{SealKey((IDENTITY,))}"


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660])
def test_a_key_that_others_may_read_is_warned_of(mode: int, file: Path) -> None:
    file.chmod(mode)
    assert find_key(file) == SealKey(
        (IDENTITY,), f"{file}: others than you may read the key (mode {mode:04o}); `chmod 600` mends it"
    )


@pytest.mark.parametrize("mode", [0o600, 0o400])
def test_a_key_that_its_owner_alone_may_read_is_not_warned_of(mode: int, file: Path) -> None:
    file.chmod(mode)
    found = find_key(file)
    assert found is not None
    assert found.warning == ""


def test_a_new_key_is_its_owner_s_alone_and_can_be_used(tmp_path: Path) -> None:
    public = make_key_file(tmp_path / "new.key")
    found = require_key(tmp_path / "new.key")
    assert stat.S_IMODE((tmp_path / "new.key").stat().st_mode) == 0o600
    assert found.warning == ""
    assert str(x25519.Identity.from_str(found.identities[0]).to_public()) == public


def test_two_new_keys_are_two(tmp_path: Path) -> None:
    assert make_key_file(tmp_path / "one") != make_key_file(tmp_path / "two")


def test_a_key_is_never_written_over_nor_through_a_link(file: Path, tmp_path: Path) -> None:
    before = file.read_bytes()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    for taken in (file, tmp_path / "link"):
        with pytest.raises(UnreadableInput, match="the file is there already, and a key is never written over"):
            make_key_file(taken)
    assert file.read_bytes() == before
    assert not (tmp_path / "elsewhere").exists()


def test_a_key_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(DiskFailed, match="the key could not be written"):
        make_key_file(tmp_path / "no folder" / "a.key")


def test_a_file_in_a_git_tree_is_seen(tmp_path: Path) -> None:
    (tmp_path / "mine" / ".git").mkdir(parents=True)
    (tmp_path / "mine" / "keys").mkdir()
    assert in_a_git_tree(tmp_path / "mine" / "keys" / "a.key")
    assert not in_a_git_tree(tmp_path / "a.key")
