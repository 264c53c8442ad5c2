"""JSON lines of a submission into cells: one object a line (design, section 8).

Numbers keep their digits: they are never made binary floats. A line that is no JSON object naming task, entity
and dimension is told with its number and refuses the file; whatever else is not of the form leaves that one
cell unparsed and says why.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from cellwright.records.decimals import canonical
from cellwright.records.errors import Place, Problem, UnreadableInput
from cellwright.records.scoring.submitted import RawAnswer, ShownStep, SubmittedCell
from cellwright.records.suggest import did_you_mean

MAX_LINE = 1_000_000
"""Characters of one line."""
MAX_LINES = 200_000
MAX_SOURCES = 500
MAX_STEPS = 500

_NAMES = ("task", "entity", "dimension")
_CELL_KEYS = (*_NAMES, "answer", "derivation", "sources")
_ANSWER_KEYS = ("type", "value", "unit", "low", "high", "confidence", "method", "reason")
_STEP_KEYS = ("id", "expr", "value", "unit")
_FORM = (
    '{"task", "entity", "dimension", "answer": {"type", "value", "unit", "low", "high", "confidence", "method", '
    '"reason"}, "derivation", "sources"}'
)


class _Number(str):
    """A JSON number as its digits; strings stay plain text."""


class _Object(dict[str, Any]):
    """A JSON object that knows which of its keys stands twice."""

    twice = ""


class _NotForm(Exception):
    """A line is not of the form; the message says what is."""

    def __init__(self, what: str, *, column: str = "", seen: str = "", expected: str = "", fix: str = "") -> None:
        super().__init__(what)
        self.what, self.column, self.seen, self.expected, self.fix = what, column, seen, expected, fix


def json_cells(text: str, name: str) -> Iterator[SubmittedCell]:
    """The cells of JSON lines, in their order; blank lines are passed over. Raises UnreadableInput at a bad one."""
    for number, line in enumerate(text.split("\n"), 1):
        if number > MAX_LINES:
            raise UnreadableInput(f"the submission has more than {MAX_LINES} lines", Place(name))
        if not line.strip():
            continue
        try:
            yield _cell(_object(line), number)
        except _NotForm as error:
            raise UnreadableInput(
                [Problem(error.what, Place(name, number, error.column), error.seen, error.expected, error.fix)]
            ) from None


def _object(line: str) -> Mapping[str, Any]:
    if len(line) > MAX_LINE:
        raise _NotForm(f"a line of more than {MAX_LINE} characters", seen=f"{len(line)} characters")
    try:
        value = json.loads(
            line, parse_float=_Number, parse_int=_Number, parse_constant=_Number, object_pairs_hook=_pairs
        )
    except RecursionError:
        raise _NotForm("JSON that is nested too deeply", expected=_FORM) from None
    except ValueError as error:
        raise _NotForm(
            "the line is not JSON", seen=line[:60], expected=_FORM, fix=str(error).split(":", 1)[0][:80]
        ) from None
    if not isinstance(value, dict):
        raise _NotForm("the line is no JSON object", seen=line[:60], expected=_FORM)
    return value


def _pairs(pairs: list[tuple[str, Any]]) -> _Object:
    found = _Object()
    for key, value in pairs:
        if key in found and found.twice not in _NAMES:
            found.twice = key
        found[key] = value
    return found


def _check_keys(value: Mapping[str, Any], known: tuple[str, ...]) -> None:
    if isinstance(value, _Object) and value.twice:
        raise _NotForm(f"the key `{value.twice[:80]}` stands twice in one object")
    for key in value:
        if key not in known and not key.startswith("x_"):
            raise _NotForm(
                f"the key `{key[:80]}` is unknown",
                seen=key[:80],
                expected=f"one of {', '.join(known)}",
                fix=did_you_mean(key, known) + "a key of your own begins with x_",
            )


def _cell(value: Mapping[str, Any], line: int) -> SubmittedCell:
    names = []
    if isinstance(value, _Object) and value.twice in _NAMES:
        raise _NotForm(f"the key `{value.twice}` stands twice in one object", column=value.twice)
    for key in _NAMES:
        if not isinstance(value.get(key), str) or isinstance(value[key], _Number) or not value[key].strip():
            raise _NotForm(f"`{key}` is missing", column=key, seen=_shown(value.get(key)), expected=f"the {key}'s id")
        names.append(_plain(value[key]).strip())
    try:
        _check_keys(value, _CELL_KEYS)
        said = (_answer(value.get("answer")), _derivation(value.get("derivation")), _sources(value.get("sources")))
    except _NotForm as error:
        why = Problem(error.what, Place(), error.seen, error.expected, error.fix).sentence()
        return SubmittedCell(names[0], names[1], names[2], RawAnswer(unreadable=why), line=line)
    return SubmittedCell(names[0], names[1], names[2], *said, line)


def _answer(value: Any) -> RawAnswer:
    if value is None or isinstance(value, str | bool):
        return RawAnswer(value=_text(value, "answer"))
    if not isinstance(value, dict):
        raise _NotForm("`answer` is no object", column="answer", seen=_shown(value), expected=_FORM)
    _check_keys(value, _ANSWER_KEYS)
    return RawAnswer(**{key: _text(value.get(key), f"answer.{key}") for key in _ANSWER_KEYS})


def _derivation(value: Any) -> str | tuple[ShownStep, ...]:
    if value is None or isinstance(value, str):
        return _text(value, "derivation")
    if not isinstance(value, list) or len(value) > MAX_STEPS:
        raise _NotForm(
            "`derivation` is neither text nor a list of steps",
            column="derivation",
            seen=_shown(value),
            expected=f"text, or at most {MAX_STEPS} of {{id, expr, value, unit}}",
        )
    if all(isinstance(item, str) for item in value):
        return "\n".join(_text(item, "derivation") for item in value)
    steps = []
    for item in value:
        if not isinstance(item, dict):
            raise _NotForm(
                "a step of `derivation` is no object",
                column="derivation",
                seen=_shown(item),
                expected="{id, expr, value, unit}",
            )
        _check_keys(item, _STEP_KEYS)
        steps.append(ShownStep(**{key: _text(item.get(key), f"derivation.{key}") for key in _STEP_KEYS}))
    return tuple(steps)


def _sources(value: Any) -> tuple[str, ...]:
    items = [] if value is None else [value] if isinstance(value, str) else value
    if not isinstance(items, list) or len(items) > MAX_SOURCES or not all(isinstance(item, str) for item in items):
        raise _NotForm(
            "`sources` is no list of addresses",
            column="sources",
            seen=_shown(value),
            expected=f"a list of at most {MAX_SOURCES} addresses",
        )
    return tuple(_plain(item) for item in items)


def _text(value: Any, key: str) -> str:
    """A field as text: null is nothing, a number its plain digits, true and false yes and no."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, _Number):
        return _digits(value, key)
    if isinstance(value, str):
        return _plain(value)
    raise _NotForm(f"`{key}` is neither text nor a number", column=key, seen=_shown(value))


def _digits(number: _Number, key: str) -> str:
    """The plain digits of a number; of one out of bounds its words where it is none that an answer rests on."""
    try:
        value = Decimal(str(number))
        if not value.is_finite() or len(value.as_tuple().digits) > 100:
            raise ValueError
        canonical(value)
    except (ValueError, InvalidOperation):
        if key not in ("answer", "answer.value", "answer.low", "answer.high"):
            return str(number)[:100]
        raise _NotForm(
            f"`{key}` is a number out of bounds",
            column=key,
            seen=str(number)[:40],
            expected="a finite one of at most 60 digits before or after the point",
        ) from None
    return format(value, "f")


def _plain(text: str) -> str:
    """Text that every file can hold: half of a surrogate pair becomes the replacement character."""
    return text.encode("utf-8", "replace").decode("utf-8") if not text.isascii() else text


def _shown(value: Any) -> str:
    return repr(value)[:60] if not isinstance(value, str) else value[:60]
