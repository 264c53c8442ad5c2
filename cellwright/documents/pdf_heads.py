"""The heads of a table on a PDF's page: which lines name periods, and which column each of them stands over."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from cellwright.documents.dates import MONTH_OF
from cellwright.documents.scales import is_declaration, is_only_scale

_MONTH = "|".join(sorted((name for name in MONTH_OF if name.isascii()), key=len, reverse=True))
_Y = r"(?:FY\s?)?(?:19|20)\d\d(?![\d,.]\d|\d|%)[EA]?"
_ATOM = re.compile(
    rf"(?P<against>{_Y}\s(?:vs?\.?|versus|to|over|/|-|–|compared\sto)\s{_Y}(?:\s?%?\s?change)?)"
    rf"|(?P<full>\b(?:{_MONTH})\b\.?\s?\d{{1,2}}(?:st|nd|rd|th)?,?\s{_Y}|\b\d{{1,2}}\s(?:{_MONTH})\b\.?,?\s{_Y})"
    rf"|(?P<day>\b(?:{_MONTH})\b\.?\s?\d{{1,2}}(?!\d),?)"
    rf"|(?P<year>(?<![\w.,/$-]){_Y}(?!\w))"
    r"|(?P<length>\b(?:(?:three|six|nine|twelve|\d{1,2})[\s-](?:months|weeks)|"
    r"(?:first|second|third|fourth)\squarters?|quarters?|(?:fiscal\s)?years?|full[\s-]year)"
    r"(?:\s(?:periods?\s)?end(?:ed|ing))?)"
    r"|(?P<other>(?:[$%]|percent(?:age)?|dollar|pct\.?)?\s?(?:change|chg\.?|variance|increase|inc\.?)"
    r"(?:\s?/?\s?\(?(?:decrease|dec\.?)\)?)?"
    r"|(?:%|percent(?:age)?)\s(?:of|to)\s(?:net\s|total\s)?(?:sales|revenues?)|(?<!\w)%(?!\w))"
    r"|(?P<note>\bnotes?(?:\sreference)?\b)",
    re.IGNORECASE,
)
_FILL = re.compile(
    r"\b(?:for|the|as|of|at|and|on|in|ended|ending|end|periods?|fiscal|unaudited|audited|restated|"
    r"actual|reported|adjusted|u\.?s\.?)\b|[\s(),.:;*–—-]",
    re.IGNORECASE,
)
_PARENTHESES = re.compile(r"\([^()]{0,120}\)")
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Heads:
    """The columns of a table by their heads, from left to right."""

    columns: tuple[str, ...]
    timed: tuple[bool, ...]
    """Which of them name a period; the others tell a change or a note's number."""
    groups: tuple[str, ...] = ()
    """What stands over equal runs of the timed columns ("Three Months Ended")."""
    stub: tuple[str, ...] = ()
    """The words at the left of the heads, top down."""
    notes: bool = False
    """The first column is one of notes' numbers, which many rows leave blank."""


@dataclass(frozen=True, slots=True)
class _Atoms:
    kinds: tuple[str, ...]
    texts: tuple[str, ...]
    before: str
    """Words before the first atom."""
    rest: str
    """What is left of the line without atoms, scales and filling words."""


# Looked for first, as the patterns of dates over each line of a report take longer than reading it.
_SIGNAL = re.compile(
    r"(?<!\d)(?:19|20)\d\d(?!\d)|[Mm]onth|[Ww]eek|[Qq]uarter|[Yy]ear|[Nn]ote|[Mm]illion|[Tt]housand"
    r"|MILLION|THOUSAND|[Cc]hange|YEAR|MONTH|WEEK"
)
_DAY_ALONE = re.compile(r"\s*[A-Z][a-z]{2,8}\.?\s\d{1,2},?\s*|(?:\s*[A-Z][a-z]{2,8}\.?\s\d{1,2},){2,8}\s*")
_WORDY = re.compile(r"(?:\b[a-z]{2,}\b[^\w]{1,3}){7}")


def may_be_head(line: str) -> bool:
    """Whether the line may speak of periods or a scale: cheap, before it is read closely."""
    if len(line) > _LONGEST or not (_SIGNAL.search(line) or _DAY_ALONE.fullmatch(line)):
        return False
    return not _WORDY.search(line)


def _atoms(line: str) -> _Atoms:
    matches = list(_ATOM.finditer(line))
    kinds = tuple(match.lastgroup or "" for match in matches)
    rest, at = [], 0
    for match in matches:
        rest.append(line[at : match.start()])
        at = match.end()
    rest.append(line[at:])
    left = " ".join(rest)
    for part in _PARENTHESES.findall(left):
        left = left.replace(part, " ")
    if is_declaration(left):
        left = ""
    first = next((m for m in matches if m.lastgroup in ("full", "year", "day", "against")), None)
    return _Atoms(
        kinds,
        tuple(" ".join(match[0].split()) for match in matches),
        " ".join(line[: first.start()].split()) if first else " ".join(line.split()),
        _FILL.sub("", left),
    )


def head_at(lines: Sequence[str], start: int) -> tuple[Heads | None, int]:
    """The heads that begin on line `start`, and the line behind them; None where the line begins none."""
    end = start
    region: list[_Atoms] = []
    while end < len(lines) and end - start < 14 and may_be_head(lines[end]):
        atoms = _atoms(lines[end])
        if not _is_head_line(lines[end], atoms):
            break
        region.append(atoms)
        end += 1
    while region:
        heads = _understood(region)
        if heads is not None:
            return heads, end
        region.pop()
        end -= 1
    return None, start + 1


def ends_table(line: str) -> bool:
    """Whether a line that heads no table can still not stand in one: periods side by side, or a scale alone."""
    atoms = _atoms(line)
    timed = [match for match in _ATOM.finditer(line) if match.lastgroup in ("full", "year", "day", "length")]
    beside = any(
        not line[one.end() : other.start()].strip()
        for one, other in pairwise(timed)
        if "length" not in (one.lastgroup, other.lastgroup)
    )
    return beside or (len(timed) >= 2 and not atoms.rest) or is_only_scale(line)


def _is_head_line(line: str, atoms: _Atoms) -> bool:
    if not atoms.kinds:
        return is_declaration(line) and len(line) <= 120 and not line.rstrip().endswith(".")
    if not atoms.rest:
        return True
    dated = [kind for kind in atoms.kinds if kind in ("full", "year")]
    return len(dated) >= 2 and _closes_with_columns(line)


def _closes_with_columns(line: str) -> bool:
    """Whether the line ends with periods that stand beside each other, parted by blanks alone."""
    matches = [match for match in _ATOM.finditer(line) if match.lastgroup != "length"]
    end, count = len(line.rstrip()), 0
    for match in reversed(matches):
        if line[match.end() : end].strip():
            break
        count += match.lastgroup in ("full", "year")
        end = match.start()
    return count >= 2


def _understood(region: list[_Atoms]) -> Heads | None:
    """The columns that the head lines name together; None where they cannot be told."""
    for at in range(len(region) - 1, -1, -1):
        columns = _columns_in(region, at)
        if columns is not None:
            kinds, texts, stub = columns
            if at != len(region) - 1 and any(set(atoms.kinds) - {"other"} for atoms in region[at + 1 :]):
                return None
            return _grouped(kinds, texts, stub, region[:at])
    return _joined(region)


def _columns_in(region: list[_Atoms], at: int) -> tuple[list[str], list[str], list[str]] | None:
    """Kinds and texts of the columns that line `at` of the region names, with the days of the line above."""
    atoms = region[at]
    items = [(kind, text) for kind, text in zip(atoms.kinds, atoms.texts, strict=True) if kind != "length"]
    dated = [kind for kind, _ in items if kind in ("full", "year")]
    if len(dated) < 2:
        return None
    stub = [atoms.before] if atoms.before else []
    # "For the years ended June 30, 2023 2022 2021": the day belongs to each of the years.
    first = next((n for n, (kind, _) in enumerate(items) if kind in ("full", "year", "day")), 0)
    if items[first][0] == "full" and all(kind != "full" for kind, _ in items[first + 1 :]):
        text = items[first][1]
        day, year = text[:-4].strip(), text[-4:]
        stub = [f"{atoms.before} {day}".strip()]
        items[first] = ("year", year)
    elif items[first][0] == "day":
        days = [text for kind, text in items if kind == "day"]
        if len(days) != 1:
            return None
        stub = [f"{atoms.before} {days[0]}".strip()]
        items = [item for item in items if item[0] != "day"]
    if any(kind == "day" for kind, _ in items):
        return None
    kinds, texts = [kind for kind, _ in items], [text for _, text in items]
    above = region[at - 1] if at else None
    if above is not None and above.kinds.count("day") == len(dated) and "year" in kinds and "full" not in kinds:
        each = iter([text for kind, text in zip(above.kinds, above.texts, strict=True) if kind == "day"])
        texts = [f"{next(each)} {text}" if kind == "year" else text for kind, text in items]
    return kinds, texts, stub


def _joined(region: list[_Atoms]) -> Heads | None:
    """Heads that are broken over lines, one beside the other: "December 2," / "2022" / "December 3," / "2021"."""
    start = next((n for n, atoms in enumerate(region) if set(atoms.kinds) & {"day", "full", "year"}), len(region))
    tail = region[start:]
    if len(tail) < 2 or any(len(atoms.kinds) > 2 for atoms in tail):
        return None
    whole = _atoms(" ".join(text for atoms in tail for text in atoms.texts))
    items = [(kind, text) for kind, text in zip(whole.kinds, whole.texts, strict=True)]
    if sum(kind in ("full", "year") for kind, _ in items) < 2 or any(kind in ("day", "length") for kind, _ in items):
        return None
    return _grouped([kind for kind, _ in items], [text for _, text in items], [], region[:start])


def _grouped(kinds: list[str], texts: list[str], stub: list[str], above: list[_Atoms]) -> Heads | None:
    """The columns with the words over them; None where one period would head two columns."""
    timed = tuple(kind in ("full", "year") for kind in kinds)
    periods = [text for text, time in zip(texts, timed, strict=True) if time]
    groups = _groups_in(above, len(periods))
    if groups is None:
        return None
    size = len(periods) // len(groups) if groups else len(periods)
    runs = [periods[at : at + size] for at in range(0, len(periods), size)]
    if any(len(set(run)) != len(run) for run in runs) or (len(runs) > 1 and not all(timed)):
        return None
    lines = [*(atoms.before for atoms in above if atoms.before and not (groups and "length" in atoms.kinds)), *stub]
    notes = any("note" in atoms.kinds for atoms in above) or (bool(kinds) and kinds[0] == "note")
    if kinds and kinds[0] == "note":
        texts, timed = texts[1:], timed[1:]
    days = [
        " ".join(atoms.texts)
        for atoms in above
        if atoms.kinds and atoms.kinds.count("day") < 2 and not (groups and atoms.kinds.count("length") > 1)
    ]
    return Heads(tuple(texts), timed, groups, tuple(dict.fromkeys([*days, *lines])), notes)


_GROUP = re.compile(
    rf"(?:(?:three|six|nine|twelve|\d{{1,2}})[\s-](?:months|weeks)|(?:first|second|third|fourth)\squarters?|quarters?|"
    rf"(?:fiscal\s)?years?)(?:\s(?:periods?\s)?end(?:ed|ing))?(?:\s(?:{_MONTH})\b\.?\s?\d{{1,2}},?)?",
    re.IGNORECASE,
)


def _groups_in(above: list[_Atoms], count: int) -> tuple[str, ...] | None:
    """The two or more lengths on one line above, each over an equal share of `count` columns; None where they
    cannot share them."""
    for atoms in reversed(above):
        lengths = atoms.kinds.count("length")
        if lengths < 2:
            continue
        found = _GROUP.findall(" ".join(atoms.texts))
        return tuple(found) if count % lengths == 0 and len(found) == lengths else None
    return ()
