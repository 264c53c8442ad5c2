"""CSV tables as people leave them: read with every fault told, written back tidy.

Comma, semicolon or tab separated, UTF-8 with or without BOM, or cp1252 (told in a warning); an
optional column may be absent, an unknown one is refused by name unless it begins with `x_`;
written back as UTF-8 with commas, the file's own column order kept (design, section 3).
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from cellwright.records.conflicts import refuse_conflict
from cellwright.records.errors import Place, Problem, UnreadableInput
from cellwright.records.fields import MAX_FIELD
from cellwright.records.repository_rows import ALL_TABLES
from cellwright.records.rows import Fact, Row
from cellwright.records.suggest import did_you_mean

MAX_BYTES = 64_000_000
MAX_ROWS = 200_000
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")

R = TypeVar("R", bound=Row)


@dataclass(frozen=True, slots=True)
class Table:
    """A CSV file as text: `rows[i]` belongs to line `lines[i]`, a mapping of column to text.

    `missing` names required columns that the file lacks; `warnings` tells what was put up with.
    """

    name: str
    file: str
    columns: tuple[str, ...]
    rows: tuple[dict[str, str], ...]
    lines: tuple[int, ...]
    missing: tuple[str, ...] = ()
    warnings: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class Records(Generic[R]):
    """The readable rows of a table as records, and a problem for each field that could not be read."""

    rows: tuple[R, ...] = ()
    problems: tuple[Problem, ...] = ()
    table: Table | None = field(default=None, compare=False)


def read_table(data: bytes, name: str, file: str) -> Table:
    """The table in `data`; `name` is one of `ALL_TABLES`, `file` is for messages.

    Raises UnreadableInput, telling every fault found, for: no bytes, UTF-16, control characters, no
    separator to be told, unknown or repeated columns, a line with more fields than the head.
    """
    model = ALL_TABLES[name]
    text, warnings = _decode(data, file)
    separator = _separator(text, model, file)
    head, body = _split(text, separator, file)
    problems = list(_head_problems(head, model, file))
    rows: list[dict[str, str]] = []
    lines: list[int] = []
    for line, fields in body:
        if not any(cell.strip() for cell in fields):
            continue
        if len(fields) > len(head):
            problems.append(_too_many(file, line, len(fields), len(head), fields, separator))
            continue
        rows.append(dict(zip(head, fields + [""] * (len(head) - len(fields)), strict=True)))
        lines.append(line)
    if problems:
        raise UnreadableInput(problems)
    required = [key for key, info in model.model_fields.items() if info.is_required() and key != "id"]
    if "id" in model.model_fields and name != "facts":
        required.insert(0, "id")
    missing = tuple(key for key in required if key not in head)
    return Table(name, file, tuple(head), tuple(rows), tuple(lines), missing, tuple(warnings))


def records_of(table: Table, model: type[R]) -> Records[R]:
    """Each row of `table` as a `model`, with every fault as a problem; faulty rows are left out.

    Missing columns, fields that cannot be read and repeated keys are told.
    """
    problems = [
        Problem(
            f"the column `{name}` is missing",
            Place(table.file, 1, name),
            fix=f"add it to the head: {model.model_fields[name].description}",
        )
        for name in table.missing
    ]
    rows: list[R] = []
    seen: dict[tuple[str, ...], int] = {}
    for line, raw in zip(table.lines, table.rows, strict=True):
        values: dict[str, object] = {k: v for k, v in raw.items() if not k.startswith("x_")}
        for name in table.missing:
            values.setdefault(name, "")
        if model is Fact and not str(values.get("id", "")).strip():
            values["id"] = fact_id(raw)
        values["line"] = line
        try:
            row = model.model_validate(values)
        except ValidationError as error:
            missing = set(table.missing)
            problems += [
                problem
                for problem in validation_problems(error, table.file, line, _record(raw, model))
                if problem.place.column not in missing
            ]
            continue
        key = tuple(str(getattr(row, name)) for name in model.key)
        if key and key in seen:
            problems.append(
                Problem(
                    f"`{'/'.join(key)}` stands twice",
                    Place(table.file, line, model.key[-1]),
                    seen=f"first on line {seen[key]}",
                    fix="give one of them another name or remove it",
                )
            )
            continue
        seen[key] = line
        rows.append(row)
    return Records(tuple(rows), tuple(problems), table)


def read_records(data: bytes, model: type[R], file: str) -> Records[R]:
    """`records_of(read_table(…))` that raises UnreadableInput when any row has a fault."""
    records = records_of(read_table(data, model.table, file), model)
    if records.problems:
        raise UnreadableInput(records.problems)
    return records


def validation_problems(error: ValidationError, file: str, line: int | None, record: str) -> list[Problem]:
    """Pydantic's faults as problems with a place, in the words of this project."""
    found = []
    for fault in error.errors(include_url=False):
        names = [str(part) for part in fault["loc"] if isinstance(part, str)]
        column = names[0] if names else ""
        seen = fault.get("input")
        what = f"`{column}` cannot be read" if fault["type"] != "missing" else f"`{column}` is missing"
        expected = expectation(fault) if fault["type"] != "missing" else ""
        text = seen if isinstance(seen, str) and seen else "nothing"
        found.append(Problem(what, Place(file, line, column, record), seen=text, expected=expected))
    return found


def expectation(fault: Mapping[str, Any]) -> str:
    """What pydantic expected in place of what it found, in the words of this project."""
    match fault["type"]:
        case "string_too_long":
            return f"at most {fault['ctx']['max_length']} characters"
        case "string_too_short":
            return f"at least {fault['ctx']['min_length']} characters"
        case "string_pattern_mismatch":
            return f"text of the form `{fault['ctx']['pattern']}`"
        case "list_type" | "tuple_type":
            return "a list"
        case "dict_type" | "model_type":
            return "`key: value` pairs"
        case "string_type":
            return "text"
        case _:
            message = str(fault["msg"]).removeprefix("Value error, ").removeprefix("Input should be ")
            return message[:1].lower() + message[1:] if message[1:2].islower() else message


def fact_id(row: Mapping[str, str]) -> str:
    """The id of a fact that has none: `entity.name.period`, and the source where it is not primary."""
    parts = [row.get("entity", ""), row.get("name", ""), row.get("period", "")]
    if row.get("rank", "").strip() not in ("", "primary"):
        parts.append(row.get("source", ""))
    slugs = [re.sub(r"[^a-z0-9_.]+", "_", part.strip().lower()).strip("_.") for part in parts]
    slugs[0] = slugs[0] or "all"
    return ".".join(slug for slug in slugs if slug)


def write_table(rows: Iterable[Mapping[str, str]], columns: Sequence[str]) -> bytes:
    """The CSV file of `rows`: UTF-8, commas, `\\n`, fields in the order of `columns`; same rows, same bytes."""
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, extrasaction="ignore", lineterminator="\n", restval="")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode("utf-8")


def updated_table(table: Table, changes: Mapping[int, Mapping[str, str]]) -> bytes:
    """The table with fields changed, `changes` by line number; columns a change needs are added in their place."""
    needed = {name for change in changes.values() for name in change}
    columns = list(table.columns)
    for position, name in enumerate(ALL_TABLES[table.name].columns()):
        if name in needed and name not in columns:
            order = ALL_TABLES[table.name].columns()
            after = [columns.index(other) for other in order[:position] if other in columns]
            columns.insert(max(after) + 1 if after else 0, name)
    rows = [{**row, **changes.get(line, {})} for line, row in zip(table.lines, table.rows, strict=True)]
    return write_table(rows, columns)


def _decode(data: bytes, file: str) -> tuple[str, list[Problem]]:
    if not data.removeprefix(b"\xef\xbb\xbf").strip():
        raise UnreadableInput(
            "the file is empty",
            Place(file, 1),
            expected="a head line with the columns",
            fix="`cellwright new` writes one to start from",
        )
    if len(data) > MAX_BYTES:
        raise UnreadableInput(
            "the file is too large", Place(file), seen=f"{len(data)} bytes", expected=f"at most {MAX_BYTES}"
        )
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\x00" in data[:2000]:
        raise UnreadableInput(
            "the file is UTF-16 or binary",
            Place(file),
            seen=f"the bytes {data[:4].hex(' ')}",
            expected="UTF-8 text",
            fix="save it again as «CSV UTF-8»",
        )
    try:
        text, warnings = data.decode("utf-8-sig"), []
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        try:
            text = data.decode("cp1252")
        except UnicodeDecodeError:
            raise UnreadableInput(
                "the file is neither UTF-8 nor cp1252",
                Place(file, line),
                seen=f"the bytes {data[error.start : error.start + 4].hex(' ')}",
                expected="UTF-8 text",
                fix="save it again as «CSV UTF-8»",
            ) from None
        warnings = [
            Problem(
                "the file was read as cp1252, since it is not UTF-8",
                Place(file, line),
                seen=f"the byte {data[error.start]:02x}",
                fix="save it again as «CSV UTF-8»",
            )
        ]
    control = _CONTROL.search(text)
    if control:
        line = text.count("\n", 0, control.start()) + 1
        raise UnreadableInput(
            "a control character stands in the file",
            Place(file, line),
            seen=f"U+{ord(control.group()):04X}",
            expected="text",
            fix="delete the character",
        )
    refuse_conflict(text, file)
    return text, warnings


def _separator(text: str, model: type[Row], file: str) -> str:
    head = text.lstrip("\r\n").splitlines()[0]
    counts = {mark: head.count(mark) for mark in ",;\t"}
    best = max(counts, key=lambda mark: counts[mark])
    if counts[best]:
        return best
    if head.strip().strip('"') in model.columns():
        return ","
    raise UnreadableInput(
        "the head line has no separator",
        Place(file, 1),
        seen=head,
        expected="columns separated by comma, semicolon or tab",
    )


def _split(text: str, separator: str, file: str) -> tuple[list[str], list[tuple[int, list[str]]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    body: list[tuple[int, list[str]]] = []
    head: list[str] = []
    width, start = 0, 1
    try:
        for fields in reader:
            if not head and any(fields):
                head = [name.strip() for name in fields]
                width = len(head)
                while head and not head[-1]:
                    head.pop()
            elif head:
                body.append((start, fields if _is_split(fields, width, separator) else _trimmed(fields, len(head))))
            start = reader.line_num + 1
            if len(body) > MAX_ROWS:
                raise UnreadableInput("the file has too many lines", Place(file, start), expected=f"at most {MAX_ROWS}")
            if any(len(cell) > MAX_FIELD for cell in fields):
                raise UnreadableInput(
                    "a field is too long", Place(file, start - 1), expected=f"at most {MAX_FIELD} characters"
                )
    except csv.Error as error:
        raise UnreadableInput(
            "the line is not CSV",
            Place(file, reader.line_num),
            seen=str(error),
            expected="a quoted field to be closed, and quotes inside it doubled",
        ) from None
    return head, body


def _trimmed(fields: list[str], width: int) -> list[str]:
    """The fields without empty ones beyond the head: spreadsheets leave such behind."""
    return fields[:width] + [field for field in fields[width:] if field.strip()]


def _is_split(fields: Sequence[str], width: int, separator: str) -> bool:
    """Whether a line is wider than the head because a number such as 1,234 fell apart at the separator."""
    return len(fields) > width and separator == "," and bool(_split_number(fields))


def _split_number(fields: Sequence[str]) -> str:
    """The first two neighbours that look like one number with a grouping comma, joined again."""
    for left, right in pairwise(fields):
        if re.fullmatch(r"[-(]?[0-9]{1,3}", left.strip()) and re.fullmatch(r"[0-9]{3}\)?", right.strip()):
            return f"{left.strip()},{right.strip()}"
    return ""


def _head_problems(head: Sequence[str], model: type[Row], file: str) -> Iterable[Problem]:
    known = set(model.columns())
    for position, name in enumerate(head):
        if name in head[:position]:
            yield Problem(f"the column `{name}` stands twice", Place(file, 1, name), fix="remove one of them")
        elif name not in known and not name.startswith("x_"):
            hint = did_you_mean(name, known)
            yield Problem(
                f"the column `{name}` is unknown",
                Place(file, 1, name),
                seen=name,
                expected=f"one of {', '.join(model.columns())}",
                fix=f"{hint}or begin its name with `x_` to keep a column of your own",
            )


def _too_many(file: str, line: int, seen: int, head: int, fields: Sequence[str], separator: str) -> Problem:
    example = (separator == "," and _split_number(fields)) or f"1{separator}234"
    return Problem(
        "the line has more fields than the head",
        Place(file, line),
        seen=f"{seen} fields: {separator.join(fields[:6])}",
        expected=f"{head} fields",
        fix=f'put a field that holds `{separator}` in double quotes, as in "{example}"',
    )


def _record(raw: Mapping[str, str], model: type[Row]) -> str:
    return "/".join(raw[name] for name in model.key if raw.get(name))
