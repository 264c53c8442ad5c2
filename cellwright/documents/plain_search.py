"""Places of plain words in a long text, found by substring search: patterns over a whole filing are slow."""

from __future__ import annotations

from collections.abc import Iterator


def places_of(text: str, words: tuple[str, ...], at_most: int) -> Iterator[int]:
    """Where each of `words` begins in `text`, word by word, `at_most` places of each."""
    for word in words:
        at, count = text.find(word), 0
        while at >= 0 and count < at_most:
            yield at
            at, count = text.find(word, at + len(word)), count + 1
