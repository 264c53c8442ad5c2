"""The texts of a contribution, as they are typed: formulas, hidden characters, imitated names, markup that runs.

Every field of every table and every scalar of `task.yaml` is looked at, whatever its model says of it: what cannot
be read as a record is told too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from cellwright.records.contribution import CheckFinding, finding
from cellwright.records.names import borrowed_letters, company_key, hidden_characters, mixed_words
from cellwright.records.tables import Table
from cellwright.records.yaml_text import Lines, Path
from cellwright.validators.contributions.formulas import is_formula

IDS = frozenset(("id", "entity", "dimension", "source", "task", "name", "fact", "rule", "profile", "supersedes"))
"""Columns and keys that hold ids. A `name` is one in `facts.csv` alone."""
QUOTED = frozenset(("quote", "prefix", "suffix", "as_written", "row", "column"))
"""Columns that hold what a document says: they may say what it says."""
_ACTIVE = re.compile(
    r"</?(?:script|iframe|object|embed|form|meta|base|link|svg|math|style|template|frame|applet)\b"
    r"|\bon[a-z]{3,20}\s{0,5}=\s{0,5}[\"'a-z(]|\b(?:java|vb)script\s{0,5}:|\bdata\s{0,5}:\s{0,5}text/html",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"</?[a-z][a-z0-9]{0,12}(?:\s[^<>]{0,200})?/?>|<!--", re.IGNORECASE)
_ALIKE_IN_ASCII = (("rn", "m"), ("vv", "w"), ("0", "o"), ("1", "l"), ("i", "l"), ("5", "s"))

SaysSo = Callable[[str, str], bool]
"""Whether the capture of a source (by its id) has a text."""


@dataclass(frozen=True, slots=True)
class Said:
    """A text and where it stands."""

    text: str
    file: str
    line: int
    field: str
    record: str = ""
    source: str = ""
    """Of a quoted text: the source whose capture must have it."""
    in_table: bool = True


def said_in_table(table: Table) -> Iterator[Said]:
    """Every field of a table that says something."""
    for line, row in zip(table.lines, table.rows, strict=True):
        record = row.get("id") or "/".join(filter(None, (row.get("entity", ""), row.get("dimension", ""))))
        for column, text in row.items():
            if text:
                source = row.get("source", "") if table.name == "facts" and column in QUOTED else ""
                yield Said(text, table.file, line, column, record, source)


def said_in_yaml(value: object, lines: Lines, file: str, path: Path = ()) -> Iterator[Said]:
    """Every key and scalar of a YAML file; the reader has bounded how deep it goes."""
    if isinstance(value, dict):
        for key, inner in value.items():
            here = (*path, key)
            yield Said(key, file, lines.get(here, 1), "a key", in_table=False)
            yield from said_in_yaml(inner, lines, file, here)
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            yield from said_in_yaml(inner, lines, file, (*path, position))
    elif isinstance(value, str) and value:
        names = [part for part in path if isinstance(part, str)]
        yield Said(value, file, lines.get(path, 1), names[-1] if names else "", in_table=False)


def text_findings(texts: Iterable[Said], says_so: SaysSo) -> Iterator[CheckFinding]:
    """What is wrong with each text."""
    for said in texts:
        if said.in_table and is_formula(said.text):
            yield _at(
                said,
                "K-FORMULA",
                expected="a number, or text that begins with a letter or digit",
                fix="begin the text with another character; a quote may begin a word earlier",
            )
        if not said.text.isascii() or not said.text.isprintable():
            yield from _letters(said)
        if "<" in said.text or ":" in said.text or "=" in said.text:
            yield from _markup(said, says_so)


def _letters(said: Said) -> Iterator[CheckFinding]:
    if said.field in IDS and (said.field != "name" or said.file.endswith("facts.csv")) and not said.text.isascii():
        odd = borrowed_letters(said.text) or [f"U+{ord(char):04X}" for char in said.text if not char.isascii()]
        yield _at(said, "K-LOOKALIKE", what=f"an id has {', '.join(odd[:5])}", expected="small letters a to z, digits")
    hidden = hidden_characters(said.text)
    if hidden:
        quoted = said.field in QUOTED
        yield _at(
            said,
            "K-HIDDEN-TEXT",
            what=f"the text has the hidden characters {', '.join(hidden[:6])}",
            expected="text that can be seen",
            fix="delete them" if not quoted else "quote a part without them",
            severity="warning" if quoted and not set(hidden) & _TURNS else "error",
        )
    mixed = mixed_words(said.text)
    if mixed and said.field not in QUOTED:
        odd = borrowed_letters(" ".join(mixed))
        yield _at(
            said,
            "K-LOOKALIKE",
            what=f"{', '.join(odd[:5])} stand for Latin letters in `{mixed[0][:40]}`",
            expected="the letters of one script in a word",
            fix="type the word again",
        )


_TURNS = frozenset(f"U+{code:04X}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A)))


def _markup(said: Said, says_so: SaysSo) -> Iterator[CheckFinding]:
    if (active := _ACTIVE.search(said.text)) is not None:
        found = bool(said.source) and says_so(said.source, said.text)
        yield _at(
            said,
            "K-SCRIPT",
            what="the text holds markup that a browser would run"
            + ("; the source's capture says so too, and pages show it as it is written" if found else ""),
            observed=active.group()[:60],
            expected="plain text" if not said.source else "what the source's capture says",
            severity="warning" if found else "error",
        )
    elif (shown := _MARKUP.search(said.text)) is not None:
        yield _at(said, "K-MARKUP", observed=shown.group()[:60], severity="warning")


def imitation_findings(publishers: Iterable[Said], known: Iterable[str]) -> Iterator[CheckFinding]:
    """Publishers that look like a known one and are another: by letters of another script, or `rn` for `m`."""
    names = dict.fromkeys(known)
    keys = {company_key(name): name for name in names}
    drawn = {_drawn(name): name for name in names}
    for said in publishers:
        if said.text in names:
            continue
        key = company_key(said.text)
        odd = borrowed_letters(said.text)
        if odd and key in keys:
            yield _at(
                said,
                "K-LOOKALIKE",
                what=f"the name looks like {keys[key]} and is written with {', '.join(odd[:5])}",
                expected=keys[key],
            )
        elif key not in keys and (like := drawn.get(_drawn(said.text))) is not None:
            yield _at(
                said,
                "K-LOOKALIKE",
                what=f"the name looks like {like} and is another",
                expected=f"{like}, or a name that is not taken for it",
                severity="warning",
            )


def _drawn(name: str) -> str:
    """A name by what its letters look like."""
    text = company_key(name)
    for written, seen in _ALIKE_IN_ASCII:
        text = text.replace(written, seen)
    return text


def _at(said: Said, check: str, *, severity: str = "error", **told: str) -> CheckFinding:
    told.setdefault("observed", said.text)
    return finding(
        check,
        said.file,
        said.line,
        record=said.record,
        field=said.field,
        severity="warning" if severity == "warning" else "error",
        **told,
    )
