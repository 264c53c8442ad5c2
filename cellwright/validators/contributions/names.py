"""The names of a contribution's files: only known ones, none that deceives, leads out or falls on another."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from cellwright.records.contribution import CAPTURES, MANIFEST, MAX_NAME, REGISTRY, CheckFinding, finding
from cellwright.records.fields import SOURCE_ID_PATTERN
from cellwright.records.rows import TASK_TABLES

_KNOWN = re.compile(
    rf"{re.escape(MANIFEST)}|{re.escape(CAPTURES)}|{re.escape(REGISTRY)}|profiles/{SOURCE_ID_PATTERN}\.yaml"
    rf"|task/(?:task\.yaml|(?:{'|'.join(sorted(TASK_TABLES))})\.csv)|captures/[0-9a-f]{{64}}\.warc\.gz"
)
_MAX_PARTS = 2
_RESERVED = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?", re.IGNORECASE)
_RUN = re.compile(
    r"(?:^|/)(?:\.git|\.github|\.gitattributes|\.gitmodules|\.gitlab-ci\.yml|\.dvc|dvc\.yaml|dvc\.lock|conftest\.py"
    r"|sitecustomize\.py|pyproject\.toml|setup\.(?:py|cfg)|pytest\.ini|tox\.ini|makefile|\.pre-commit-config\.yaml"
    r"|\.vscode|\.envrc|\.python-version|params\.yaml)(?:/|$)|\.(?:py|pyc|pyi|pth|so|sh|bash|bat|cmd|ps1|exe|dll|js|dvc)$",
    re.IGNORECASE,
)
_EXPECTED = "contribution.json, captures.csv, registry.csv, task/…, captures/<sha256>.warc.gz or profiles/….yaml"


def is_known(name: str) -> bool:
    """Whether a contribution may have a file of this name."""
    return len(name) <= MAX_NAME and _KNOWN.fullmatch(name) is not None


def name_findings(names: Sequence[str]) -> list[CheckFinding]:
    """What is wrong with the names of the files, each as often as it is written in the container."""
    found: list[CheckFinding] = []
    for name in dict.fromkeys(names):
        if is_known(name):
            continue
        shown = shown_name(name)
        own = [*_paths(name, shown), *_letters(name, shown)]
        if _RUN.search(name):
            told = "a file of this name can make git, DVC, Python or an editor run a command"
            own.append(finding("K-UNKNOWN-FILE", shown, what=told, expected=_EXPECTED, fix="leave it out"))
        elif not own:
            own.append(finding("K-UNKNOWN-FILE", shown, expected=_EXPECTED, fix="leave it out"))
        found += own
    return [*found, *_twice(names)]


def shown_name(name: str) -> str:
    """A name made fit for a message: what is not plain is written as its code point, and it is cut."""
    short = name[: MAX_NAME * 2]
    shown = "".join(char if char.isascii() and char.isprintable() else f"<U+{ord(char):04X}>" for char in short)
    return shown if len(shown) <= MAX_NAME else f"{shown[: MAX_NAME - 1]}…"


def _paths(name: str, shown: str) -> Iterator[CheckFinding]:
    parts = name.replace("\\", "/").split("/")
    if name.startswith(("/", "\\")):
        yield finding("K-PATH", shown, observed="an absolute path", expected="a path inside the contribution")
    elif re.match(r"[A-Za-z]:", name):
        yield finding("K-PATH", shown, observed="a drive", expected="a path inside the contribution")
    if ".." in parts:
        yield finding("K-PATH", shown, observed="`..`", expected="a path inside the contribution")
    elif "." in parts or "" in parts[1:-1] or name == "":
        yield finding("K-PATH", shown, observed="an empty part or `.`", expected="a plain path")
    if "\\" in name:
        yield finding("K-PATH", shown, observed="a backslash", expected="`/` between the parts")
    if len(parts) > _MAX_PARTS + 6:
        yield finding("K-PATH", shown, observed=f"{len(parts)} parts", expected=f"at most {_MAX_PARTS}")
    if len(name) > MAX_NAME:
        yield finding("K-NAME", shown, observed=f"{len(name)} characters", expected=f"at most {MAX_NAME}")


def _letters(name: str, shown: str) -> Iterator[CheckFinding]:
    odd = list(dict.fromkeys(f"U+{ord(char):04X}" for char in name if not (char.isascii() and char.isprintable())))
    if odd:
        told = ", ".join(odd[:6])
        yield finding("K-NAME", shown, observed=f"the characters {told}", expected="plain ASCII letters, digits, - _ .")
    for part in name.replace("\\", "/").split("/"):
        if _RESERVED.fullmatch(part):
            yield finding(
                "K-NAME", shown, observed=f"`{part[:20]}`, a device's name on Windows", expected="another name"
            )
            return
        if part != part.rstrip(". ") and part not in (".", ".."):
            yield finding("K-NAME", shown, observed="a part that ends in a dot or blank", expected="another name")
            return


def _twice(names: Iterable[str]) -> Iterator[CheckFinding]:
    counted = Counter(names)
    for name, count in counted.items():
        if count > 1:
            yield finding("K-TWICE", shown_name(name), observed=f"{count} times", expected="once")
    folded: dict[str, str] = {}
    for name in counted:
        key = unicodedata.normalize("NFKC", name).casefold()
        other = folded.setdefault(key, name)
        if other != name:
            yield finding("K-TWICE", shown_name(name), observed=f"beside {shown_name(other)}", expected="one of them")
