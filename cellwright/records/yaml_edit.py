"""One value of a YAML file set, and every other character left as it was: comments, order and quotes stay."""

from __future__ import annotations

import json
from typing import Any

import yaml

from cellwright.records.errors import Place, UnreadableInput
from cellwright.records.yaml_text import read_yaml


def set_yaml_text(data: bytes, path: tuple[str, ...], value: str, file: str) -> bytes:
    """The file with the text at `path` (keys from the top) being `value`.

    A key that is not there is put at the end of its mapping. Raises UnreadableInput where the file cannot be read,
    or where the value cannot be set without touching something else.
    """
    before, _ = read_yaml(data, file)
    mark = "\ufeff" if data.startswith(b"\xef\xbb\xbf") else ""
    text = data.decode("utf-8-sig")
    newline = "\r\n" if "\r\n" in text else "\n"
    changed = _changed(text, path, _written(value), newline)
    result = (mark + changed).encode("utf-8")
    try:
        holds = read_yaml(result, file)[0] == _with(before, path, value)
    except UnreadableInput:
        holds = False
    if not holds:
        raise UnreadableInput(
            f"`{'.'.join(path)}` cannot be set without touching what stands around it",
            Place(file, column=path[-1]),
            expected="`key: value` on a line of its own",
            fix=f"write `{path[-1]}: {_written(value)}` by hand",
        )
    return result


def _changed(text: str, path: tuple[str, ...], written: str, newline: str) -> str:
    """The text with the value put in; unchanged where there is no place for it."""
    lines = text.splitlines(keepends=True)
    node = yaml.compose(text, Loader=yaml.BaseLoader)
    for depth, key in enumerate(path):
        if not isinstance(node, yaml.MappingNode):
            return text
        found = next((pair for pair in node.value if pair[0].value == key), None)
        if found is None:
            return text if depth + 1 < len(path) or node.flow_style else _added(lines, node, key, written, newline)
        node = found[1]
    if not isinstance(node, yaml.ScalarNode):
        return text
    start, end = _offset(lines, node.start_mark), _offset(lines, node.end_mark)
    old = text[start:end]
    # A folded text ends behind its line's end, an empty value directly behind the colon.
    kept = old[len(old.rstrip()) :] if old.strip() else ""
    space = " " if not old.strip() and text[start - 1 : start] == ":" else ""
    return text[:start] + space + written + kept + text[end:]


def _added(lines: list[str], node: yaml.MappingNode, key: str, written: str, newline: str) -> str:
    """The text with a new line behind the mapping's last value."""
    indent = " " * (node.value[0][0].start_mark.column if node.value else 0)
    end = node.value[-1][1].end_mark if node.value else node.end_mark
    at = end.line if end.column == 0 and node.value else end.line + 1
    while at > 0 and at <= len(lines) and not lines[at - 1].strip():
        at -= 1
    head = lines[:at]
    if head and not head[-1].endswith(("\n", "\r")):
        head[-1] += newline
    return "".join([*head, f"{indent}{key}: {written}{newline}", *lines[at:]])


def _offset(lines: list[str], mark: Any) -> int:
    return sum(len(line) for line in lines[: mark.line]) + int(mark.column)


def _written(value: str) -> str:
    """The value as YAML: bare where that is plainly the same text, else in double quotes."""
    plain = value and all(char.isascii() and (char.isalnum() or char in "._-") for char in value)
    return value if plain and not value.startswith("-") else json.dumps(value, ensure_ascii=False)


def _with(before: Any, path: tuple[str, ...], value: str) -> Any:
    if not path:
        return value
    rest = before.get(path[0], {}) if isinstance(before, dict) else {}
    return {**(before if isinstance(before, dict) else {}), path[0]: _with(rest, path[1:], value)}
