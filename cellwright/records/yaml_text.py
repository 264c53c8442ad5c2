"""YAML read as text: every scalar stays what was typed, and every value knows its line.

`NO`, `12:30` and `0.1` stay text (design, section 3). Anchors, aliases, tags and merge keys are
refused: a task file is data that people review line by line, and an alias can be a bomb.
"""

from __future__ import annotations

from typing import Any

import yaml

from cellwright.records.conflicts import refuse_conflict
from cellwright.records.errors import Place, UnreadableInput

MAX_BYTES = 2_000_000
MAX_DEPTH = 20

Path = tuple[str | int, ...]
Lines = dict[Path, int]


def read_yaml(data: bytes, file: str) -> tuple[Any, Lines]:
    """The document as dicts, lists and text, and the line (from 1) of each value by its path.

    Raises UnreadableInput for what is not UTF-8 YAML, repeated keys, tags, anchors, undue depth or size.
    """
    if len(data) > MAX_BYTES:
        raise UnreadableInput(
            "the file is too large", Place(file), seen=f"{len(data)} bytes", expected=f"at most {MAX_BYTES}"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableInput(
            "the file is not UTF-8",
            Place(file, data[: error.start].count(b"\n") + 1),
            expected="UTF-8 text",
            fix="save it again as UTF-8",
        ) from None
    if not text.strip():
        raise UnreadableInput("the file is empty", Place(file, 1), expected="a YAML document")
    refuse_conflict(text, file)
    _refuse_bombs(text, file)
    try:
        node = yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise UnreadableInput(
            "the file is not YAML",
            Place(file, mark.line + 1 if mark else None),
            seen=error.problem or "",
            expected="YAML",
            fix="quote text that holds `: `, `#`, a comma, a bracket or a brace",
        ) from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise UnreadableInput("the file is not YAML", Place(file), seen=str(error), expected="YAML") from None
    lines: Lines = {}
    if node is None:
        raise UnreadableInput("the file is empty", Place(file, 1), expected="a YAML document")
    return _plain(node, (), lines, file), lines


_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def _refuse_bombs(text: str, file: str) -> None:
    """Look at the event stream first: composing an alias bomb or deep nesting would already cost."""
    depth = 0
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            line = event.start_mark.line + 1
            anchor = getattr(event, "anchor", None)
            if isinstance(event, yaml.AliasEvent) or anchor:
                raise UnreadableInput(
                    "an anchor or alias stands in the file",
                    Place(file, line),
                    seen=f"&{anchor}",
                    expected="plain values",
                    fix="write the value out",
                )
            if getattr(event, "tag", None):
                raise UnreadableInput(
                    "a tag stands in the file",
                    Place(file, line),
                    seen=str(event.tag),
                    expected="plain values",
                    fix="remove the `!…`",
                )
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > MAX_DEPTH:
                raise UnreadableInput("the file nests too deep", Place(file, line), expected=f"{MAX_DEPTH} levels")
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise UnreadableInput(
            "the file is not YAML",
            Place(file, mark.line + 1 if mark else None),
            seen=error.problem or "",
            expected="YAML",
            fix="quote text that holds `: `, `#`, a comma, a bracket or a brace",
        ) from None
    except yaml.YAMLError as error:
        raise UnreadableInput("the file is not YAML", Place(file), seen=str(error), expected="YAML") from None


def _plain(node: yaml.Node, path: Path, lines: Lines, file: str) -> Any:
    lines[path] = node.start_mark.line + 1
    if isinstance(node, yaml.ScalarNode):
        return node.value
    if isinstance(node, yaml.SequenceNode):
        return [_plain(child, (*path, index), lines, file) for index, child in enumerate(node.value)]
    result: dict[str, Any] = {}
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + 1
        if not isinstance(key_node, yaml.ScalarNode):
            raise UnreadableInput("a key is not text", Place(file, line), expected="`key: value`")
        if key_node.value in result:
            raise UnreadableInput(
                f"the key `{key_node.value}` stands twice",
                Place(file, line),
                seen=f"first on line {lines[(*path, key_node.value)]}",
                fix="remove one of them",
            )
        result[key_node.value] = _plain(value_node, (*path, key_node.value), lines, file)
    return result
