"""Ways to damage bytes, each drawn from a seeded generator; a dictionary of tokens makes the damage meaningful."""

from __future__ import annotations

import random
from collections.abc import Sequence

LONGEST = 60_000
"""Bytes of one damaged input: many small inputs find more than few large ones."""
_BYTES = (0x00, 0x0A, 0x0D, 0x20, 0x22, 0x27, 0x2C, 0x3B, 0x3C, 0x3E, 0x7F, 0x80, 0xA0, 0xC3, 0xED, 0xFE, 0xFF)
_ANYWHERE = (b"\x00", b"\xef\xbb\xbf", b"\xff\xfe", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\r\n\r\n", b"9" * 400)


def damaged(seeds: Sequence[bytes], tokens: Sequence[bytes], rng: random.Random) -> bytes:
    """One of the seeds with one to eight damages."""
    data = bytearray(rng.choice(seeds))
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 5, 8))):
        _damage(data, seeds, tokens, rng)
    return bytes(data[:LONGEST])


def _damage(data: bytearray, seeds: Sequence[bytes], tokens: Sequence[bytes], rng: random.Random) -> None:
    at = rng.randrange(len(data) + 1)
    end = min(len(data), at + rng.choice((1, 1, 2, 4, 16, 200)))
    way = rng.randrange(10)
    if way == 0 and at < len(data):
        data[at] ^= 1 << rng.randrange(8)
    elif way == 1 and at < len(data):
        data[at] = rng.choice(_BYTES)
    elif way == 2:
        del data[at:end]
    elif way == 3:
        data[at:at] = data[at:end]
    elif way == 4:
        other = rng.choice(seeds)
        start = rng.randrange(len(other) + 1)
        data[at:end] = other[start : start + rng.choice((4, 40, 400))]
    elif way == 5:
        del data[at:]
    elif way == 6:
        data[at:at] = data[at:end] * rng.choice((2, 20, 200))
    elif way == 7:
        data[at:end] = rng.choice(_ANYWHERE)
    else:
        token = rng.choice(tokens) if tokens else b"0"
        data[at : rng.choice((at, end))] = token * rng.choice((1, 1, 1, 3, 60))
