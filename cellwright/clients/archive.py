"""A source's document taken out of a WARC or ARC file that others wrote: one answer for one address.

Redirects are followed inside the file, and a `revisit` record gets its payload from the record that it refers
to. Every digest in the file is verified while it is read. Two passes: the first looks at what is there, the
second takes the payloads that are needed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time

from cellwright.clients.coding import CodingError, TooLarge, undo_codings
from cellwright.clients.fetched import MAX_BODY, Fetched, Headers, Hop, header, is_redirect, status_of
from cellwright.clients.same_pages import address_key
from cellwright.clients.warc import Answer, answers, unpacked
from cellwright.records.errors import NotSettled, Place, UnreadableInput

MAX_ARCHIVE = 200_000_000
"""Bytes of an archive with its gzip undone."""
MAX_HOPS = 10
MAX_ANSWERS = 500
"""Answers of one address that are looked at, the nearest first."""
_KINDS = frozenset({"response", "resource", "revisit"})
_TRANSFER = frozenset({"transfer-encoding", "content-length"})


@dataclass(frozen=True, slots=True)
class Taken:
    """The answer that was taken, and sentences about what there was to choose from."""

    fetched: Fetched
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Seen:
    """A record without its payload: `number` is its place among the records of the file."""

    number: int
    answer: Answer
    key: str
    moment: float


@dataclass(frozen=True, slots=True)
class _Way:
    """The redirects from the address asked for, and the record they lead to."""

    hops: tuple[_Seen, ...]
    last: _Seen

    @property
    def date(self) -> str:
        """When the first address was asked."""
        return (self.hops[0] if self.hops else self.last).answer.date


def from_archive(data: bytes, url: str, *, near: date | None = None, file: str = "") -> Taken:
    """The answer for `url` in a WARC or ARC file, packed or not; of several the one nearest to the day `near`.

    Without a day the newest is taken. The time of the fetch and the headers are those of the archive. Raises
    UnreadableInput for a file that is broken, too large, or whose digests do not fit, NotSettled where it has
    no document for the address.
    """
    plain, packed = unpacked(data, file, MAX_ARCHIVE, f"at most {MAX_ARCHIVE} bytes: cut it down to what is cited")
    if not packed and not plain[:12].startswith((b"WARC/", b"filedesc:")):
        raise UnreadableInput("the file is no WARC", Place(file), expected="a WARC or ARC file, packed or not")
    seen = [
        _Seen(number, replace(answer, payload=b""), address_key(answer.url), _moment(answer.date))
        for number, answer in enumerate(answers(plain, packed, file, _KINDS))
    ]
    mine = [
        one for one in seen if address_key(url) in (one.key, address_key(one.answer.asked) if one.answer.asked else "")
    ]
    mine = sorted(mine, key=lambda one: (_distance(one.answer.date, near), one.number))[:MAX_ANSWERS]
    by_key: dict[str, list[_Seen]] = {}
    for one in sorted(seen, key=lambda one: (one.moment, one.number)):
        by_key.setdefault(one.key, []).append(one)
    ways = [_way(by_key, one) for one in mine]
    good = [way for way in ways if _is_document(_meant(seen, way.last))]
    if not good:
        raise NotSettled(
            "the archive has no document for the address", Place(file), seen=_refusal(seen, mine, ways), expected=url
        )
    best = min(good, key=lambda way: (_distance(way.date, near), way.date, way.last.number))
    meant = _meant(seen, best.last)
    assert meant is not None
    payload = _payload(answers(plain, packed, file, _KINDS), meant)
    return Taken(_fetched(url, best, meant, payload, file), tuple(_notes(url, good, best, meant, near)))


def _way(by_key: dict[str, list[_Seen]], first: _Seen) -> _Way:
    """Where the redirects of the archive lead from a record; a chain that is broken or too long ends in a redirect."""
    hops: list[_Seen] = []
    at = first
    while at.answer.http_status and is_redirect(at.answer.http_status, at.answer.headers) and len(hops) < MAX_HOPS:
        passed = {at.number, *(hop.number for hop in hops)}
        further = [
            one for one in _around(by_key.get(address_key(at.answer.leads_to), []), at) if one.number not in passed
        ]
        if not further:
            break
        hops.append(at)
        moment = at.moment
        at = min(further, key=lambda one: (abs(one.moment - moment), one.number))
    return _Way(tuple(hops), at)


def _around(answers_of_one: list[_Seen], at: _Seen) -> list[_Seen]:
    """The answers of an address, in the order of time, that are near a moment: more than a way can have passed."""
    middle = bisect_left(answers_of_one, at.moment, key=lambda one: one.moment)
    return answers_of_one[max(0, middle - MAX_HOPS - 2) : middle + MAX_HOPS + 2]


def _meant(seen: list[_Seen], one: _Seen) -> _Seen | None:
    """The record that holds the payload: itself, or the one that a revisit refers to; None where it is not here."""
    if one.answer.kind != "revisit":
        return one
    record, url, moment = one.answer.refers_to
    kept = [other for other in seen if other.answer.kind != "revisit" and not _differ(one.answer, other.answer)]
    for fits in (
        [other for other in kept if record and other.answer.record == record],
        [other for other in kept if url and other.answer.url == url and other.answer.date == _date(moment)],
        [other for other in kept if one.answer.digest and other.answer.digest == one.answer.digest],
    ):
        if fits:
            return fits[0]
    return None


def _differ(one: Answer, other: Answer) -> bool:
    """Whether two records state digests of one kind for their payloads, and these are not the same."""
    mine, _, first = one.digest.lower().partition(":")
    yours, _, second = other.digest.lower().partition(":")
    return bool(first and second) and mine == yours and first != second


def _is_document(meant: _Seen | None) -> bool:
    if meant is None:
        return False
    status = meant.answer.http_status
    return status is None or status_of(status, meant.answer.headers, 0) == "ok"


def _refusal(seen: list[_Seen], mine: list[_Seen], ways: list[_Way]) -> str:
    """What the archive has instead."""
    if not mine:
        known = sorted({one.answer.url for one in seen})
        return f"{len(known)} other addresses, such as {known[0]}" if known else "no answer at all"
    if any(_meant(seen, way.last) is None for way in ways):
        return "a record that refers to another one, which is not in the file"
    way = ways[-1]
    return f"the answer {way.last.answer.http_status} of {way.last.answer.date} from {way.last.answer.url}"


def _distance(moment: str, near: date | None) -> float:
    if near is None:
        return -_moment(moment)
    return abs(_moment(moment) - datetime.combine(near, time(12), UTC).timestamp())


def _moment(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def _date(text: str) -> str:
    from cellwright.clients.fetched import utc_time

    try:
        return utc_time(text)
    except ValueError:
        return ""


def _payload(records: Iterable[Answer], meant: _Seen) -> bytes:
    payload = b""
    for number, answer in enumerate(records):  # to the end: the digests of the whole file are verified
        if number == meant.number:
            payload = answer.payload
    return payload


def _fetched(url: str, way: _Way, meant: _Seen, payload: bytes, file: str) -> Fetched:
    headers: Headers = tuple(pair for pair in meant.answer.headers if pair[0].lower() not in _TRANSFER)
    try:
        body = undo_codings(payload, header(headers, "content-encoding"), MAX_BODY)
    except CodingError as error:
        raise UnreadableInput("the document in the WARC cannot be unpacked", Place(file), seen=str(error)) from None
    except TooLarge:
        raise UnreadableInput(
            "the document in the WARC is too large", Place(file), expected=f"at most {MAX_BODY} bytes"
        ) from None
    if not body:
        raise NotSettled("the document in the WARC is empty", Place(file), seen=way.last.answer.url)
    hops = tuple(Hop(hop.answer.url, hop.answer.http_status or 302, hop.answer.headers) for hop in way.hops)
    return Fetched(
        url,
        way.last.answer.url,
        "redirected" if hops else "ok",
        meant.answer.http_status,
        headers,
        body,
        payload,
        way.date,
        hops,
        via="warc",
    )


def _notes(url: str, good: list[_Way], best: _Way, meant: _Seen, near: date | None) -> Iterator[str]:
    if len(good) > 1:
        dates = sorted(way.date for way in good)
        why = f"nearest to {near}, when it was accessed" if near else "the newest, as the source has no `accessed`"
        yield f"the archive has {len(good)} answers, {dates[0]} to {dates[-1]}; taken is that of {best.date}, {why}"
    first = (best.hops[0] if best.hops else best.last).answer
    if url.partition("#")[0] not in (first.url, first.asked.partition("#")[0]):
        yield f"the archive has the address as {first.url}"
    if meant.number != best.last.number:
        yield f"the payload is that of the earlier record of {meant.answer.date}, which was found unchanged"
