"""Bytes to text: which encoding, how it is known, and what looks wrong with the result."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, replace
from typing import Literal

How = Literal["header", "bom", "meta", "detected", "assumed"]


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, the encoding its bytes were read with, and what that encoding is known by."""

    text: str
    encoding: str
    """Python's name of the encoding, e.g. `utf-8`, `cp1252`."""
    how: How
    """`header` (HTTP), `bom`, `meta` (in the document), `detected` (from the bytes), `assumed`."""
    warnings: tuple[str, ...] = ()


def decode(data: bytes, *, charset: str | None = None) -> Decoded:
    """`decode_unchecked`, and a warning where the text looks read with a wrong encoding."""
    decoded = decode_unchecked(data, charset=charset)
    spoilt = _spoilt(decoded.text)
    if not spoilt:
        return decoded
    seen, meant = spoilt[0]
    warning = (
        f"the text looks read with a wrong encoding: {seen!r} where {meant!r} may be meant, "
        f"{len(spoilt)}{' or more' if len(spoilt) == _MOST_SPOILT else ''} times; nothing was repaired"
    )
    return replace(decoded, warnings=(*decoded.warnings, warning))


def decode_unchecked(data: bytes, *, charset: str | None = None) -> Decoded:
    """The text of `data` by the HTTP header's `charset`, a byte order mark, a declaration, or the bytes.

    A byte order mark that contradicts the header wins, with a warning (WHATWG Encoding Standard,
    "decode": a mark is unmistakable, headers are often a server's default). An encoding that is
    declared and does not fit is passed over with a warning; nothing here raises for any bytes.
    """
    warnings: list[str] = []
    for how, label in _declared(data, charset, warnings):
        encoding = known_encoding(label)
        if encoding is None:
            warnings.append(f"the encoding {label[:40]!r} ({_BY[how]}) is not known and was passed over")
            continue
        text = _read(data, encoding, how, warnings)
        if text is not None:
            return Decoded(text.removeprefix("\ufeff"), encoding, how, tuple(warnings))
    encoding, how = _detect(data)
    text = data.decode(encoding, "replace") if encoding != "cp1252" else _cp1252(data)
    if how == "assumed":
        warnings.append(f"no encoding is declared and the bytes are not UTF-8: read as {encoding}")
    return Decoded(text.removeprefix("\ufeff"), encoding, how, tuple(warnings))


def known_encoding(label: str) -> str | None:
    """Python's name for the encoding that `label` declares on the web; None for one that is not known.

    Labels mean what browsers take them to mean (WHATWG Encoding Standard, "names and labels"):
    `iso-8859-1` and `ascii` are cp1252, `gb2312` is gb18030, `shift_jis` is cp932.
    """
    plain = label.strip().strip("'\"").lower()
    if not plain or len(plain) > 40 or not plain.isascii():
        return None
    try:
        name = codecs.lookup(_WEB_NAMES.get(plain, plain)).name
    except (LookupError, ValueError):
        return None
    name = _WIDER.get(name, name)
    return name if name in _ALLOWED or name.startswith("iso8859-") else None


_BY: dict[How, str] = {
    "header": "from the HTTP header",
    "bom": "from the byte order mark",
    "meta": "declared in the document",
    "detected": "found from the bytes",
    "assumed": "assumed",
}
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WEB_NAMES = {
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "x-gbk": "gbk",
    "unicode": "utf-16-le",
    "utf8": "utf-8",
    "x-cp1252": "cp1252",
    "x-mac-roman": "mac-roman",
    "macintosh": "mac-roman",
    "x-euc-jp": "euc_jp",
    "windows-874": "cp874",
    "windows-949": "cp949",
    "ks_c_5601-1987": "cp949",
}
_WIDER = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
    "utf-16": "utf-16-le",
    "utf-32": "utf-32-le",
    "utf-8-sig": "utf-8",
}
_ALLOWED = frozenset(
    {
        "utf-8",
        "utf-16-le",
        "utf-16-be",
        "utf-32-le",
        "utf-32-be",
        "gb18030",
        "cp932",
        "euc_jp",
        "iso2022_jp",
        "cp949",
        "big5hkscs",
        "koi8-r",
        "koi8-u",
        "mac-roman",
        "cp437",
        "cp850",
        "cp852",
        "cp866",
        "cp874",
        *(f"cp{number}" for number in range(1250, 1259)),
    }
)
_HEAD = 4096
_META = re.compile(rb"""<meta[^>]{0,300}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([A-Za-z0-9_:.\-]{1,40})""", re.IGNORECASE)
_XML = re.compile(rb"""^\s{0,99}<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([A-Za-z0-9_:.\-]{1,40})["']""")
_MOJIBAKE = re.compile("[ÂÃ][\u0080-\u00bf]|â[\u0080€][\u0080-\u00bf‘’“”™œž¢¦“”]|ï»¿|Ð[\u00b0-\u00bf]Ñ[\u0080-\u008f]")
_LOST = "\ufffd"


def _declared(data: bytes, charset: str | None, warnings: list[str]) -> list[tuple[How, str]]:
    """What is said about the encoding, in the order in which it is believed."""
    said: list[tuple[How, str]] = [("header", charset)] if charset and charset.strip() else []
    bom = next((name for mark, name in _BOMS if data.startswith(mark)), None)
    if bom:
        if said and (known_encoding(said[0][1]) or "")[:6] != bom[:6]:
            warnings.append(f"the HTTP header says {said[0][1][:40]!r}, the byte order mark {bom}: the mark counts")
        return [("bom", bom), *said]
    head = data[:_HEAD]
    meta = _XML.search(head) or _META.search(head)
    if meta:
        label = meta[1].decode("ascii")
        # A declaration that can be read byte by byte is itself the proof that the text is not UTF-16.
        said.append(("meta", "utf-8" if label.lower().startswith(("utf-16", "utf-32")) else label))
    return said


def _read(data: bytes, encoding: str, how: How, warnings: list[str]) -> str | None:
    """`data` in the declared `encoding`; None where that does not fit. A few bad bytes are told and kept."""
    if encoding == "cp1252":
        return _cp1252(data)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        text = data.decode(encoding, "replace")
    lost = text.count(_LOST)
    if lost * 1000 <= len(text) or lost == 1:  # a cut end, or a stray byte in a long page
        warnings.append(f"{lost} places cannot be read as {encoding} ({_BY[how]})")
        return text
    warnings.append(f"the bytes are not {encoding} ({_BY[how]}): it was passed over")
    return None


def _cp1252(data: bytes) -> str:
    """cp1252 as browsers read it: its five undefined bytes are control characters, so that no byte fails."""
    if data.isascii():
        return data.decode("ascii")  # the same text, forty times as fast
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return codecs.charmap_decode(data, "strict", _CP1252)[0]


_CP1252 = "".join(
    chr(byte) if byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else bytes([byte]).decode("cp1252") for byte in range(256)
)


def _detect(data: bytes) -> tuple[str, How]:
    """The encoding of undeclared bytes: UTF-8 if they are, else what the detector is sure of, else cp1252."""
    try:
        data.decode("utf-8")
        return "utf-8", "detected"
    except UnicodeDecodeError as error:
        if error.end >= len(data) - 3 and error.start > 0:  # only the last character is cut
            return "utf-8", "detected"
    sample = data[:_SAMPLE]
    nulls = (sample[0::2].count(0), sample[1::2].count(0))
    if max(nulls) * 5 > len(sample) // 2 and min(nulls) * 10 < max(nulls):
        return ("utf-16-be" if nulls[0] > nulls[1] else "utf-16-le"), "detected"
    found = _ask_detector(sample)
    if found:
        try:
            data.decode(found)
            return found, "detected"
        except UnicodeDecodeError:
            return "cp1252", "assumed"
    return "cp1252", "assumed"


_SAMPLE = 100_000
# The detector tells scripts apart well and the Latin code pages among each other badly: "1.234,5 Mio. €" in
# cp1252 came back as cp1250 and as mac-iceland. Its word counts only for other scripts.
_OTHER_SCRIPTS = frozenset(
    {
        "gb18030",
        "cp932",
        "euc_jp",
        "iso2022_jp",
        "cp949",
        "big5hkscs",
        "cp1251",
        "koi8-r",
        "cp866",
        "cp1253",
        "cp1255",
        "cp1256",
        "cp874",
        "iso8859-5",
        "iso8859-7",
        "iso8859-8",
    }
)


def _ask_detector(sample: bytes) -> str | None:
    from charset_normalizer import from_bytes

    best = from_bytes(sample).best()
    encoding = known_encoding(best.encoding) if best is not None else None
    return encoding if encoding in _OTHER_SCRIPTS else None


_MOST_SPOILT = 100
_MOST_WORDS = 5_000
_LONGEST_WORD = 40


def _spoilt(text: str) -> list[tuple[str, str]]:
    """The words that were decoded wrongly, as they are and as they were meant, by ftfy; at most `_MOST_SPOILT`.

    ftfy only says what is wrong here: a figure's currency or sign must not change silently.
    """
    if text.isascii():
        return []
    import ftfy
    from ftfy.badness import is_bad

    found: list[tuple[str, str]] = []
    known: dict[str, str] = {}
    for match in _NOT_ASCII.finditer(text):
        before = _LETTERS.search(text, max(0, match.start() - _LONGEST_WORD), match.start())
        word = (before[0] if before else "") + match[0]
        if word not in known and len(known) < _MOST_WORDS:
            known[word] = ftfy.fix_encoding(word) if _MOJIBAKE.search(word) or is_bad(word) else word
        meant = known.get(word, word)
        if meant != word:
            found.append((word, meant))
            if len(found) == _MOST_SPOILT:
                break
    return found


_NOT_ASCII = re.compile(rf"[^\x00-\x7f]{{2,{_LONGEST_WORD}}}")
_LETTERS = re.compile(r"\w+$")
