"""Bytes to text: header, byte order mark, declaration, detection, and what looks wrong."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cellwright.documents.charset import decode, known_encoding

MUELLER = "Müller; 1.234,5 €"


@pytest.mark.parametrize(
    ("data", "charset", "encoding", "how"),
    [
        (MUELLER.encode(), "utf-8", "utf-8", "header"),
        (MUELLER.encode("cp1252"), "iso-8859-1", "cp1252", "header"),
        (MUELLER.encode("utf-8-sig"), None, "utf-8", "bom"),
        (MUELLER.encode("utf-8-sig"), "utf8", "utf-8", "bom"),
        (MUELLER.encode("utf-16"), None, "utf-16-le", "bom"),
        (codecs.BOM_UTF16_BE + MUELLER.encode("utf-16-be"), "utf-16", "utf-16-be", "bom"),
        (b'<meta charset="windows-1252">' + MUELLER.encode("cp1252"), None, "cp1252", "meta"),
        (
            b'<meta http-equiv="Content-Type" content="text/html; charset=cp1252">' + MUELLER.encode("cp1252"),
            None,
            "cp1252",
            "meta",
        ),
        (b'<?xml version="1.0" encoding="utf-8"?>' + MUELLER.encode(), None, "utf-8", "meta"),
        (MUELLER.encode(), None, "utf-8", "detected"),
        (MUELLER.encode("cp1252"), None, "cp1252", "assumed"),
        (f"{MUELLER} und mehr".encode("utf-16-le"), None, "utf-16-le", "detected"),
        (f"{MUELLER} und mehr".encode("utf-16-be"), None, "utf-16-be", "detected"),
    ],
)
def test_the_encoding_and_what_it_is_known_by_are_recorded(
    data: bytes, charset: str | None, encoding: str, how: str
) -> None:
    decoded = decode(data, charset=charset)
    assert (decoded.encoding, decoded.how) == (encoding, how)
    assert MUELLER in decoded.text
    assert not decoded.text.startswith("\ufeff")


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("売上高は百万円です。営業利益の増加", "cp932"),
        ("Выручка компании составила сто миллионов рублей", "cp1251"),
        ("公司总收入增加百分之五,汽车业务毛利率下降", "gb18030"),
    ],
)
def test_other_scripts_are_told_from_the_bytes(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)).text == text


def test_a_byte_order_mark_wins_over_a_header_that_contradicts_it() -> None:
    decoded = decode(MUELLER.encode("utf-8-sig"), charset="latin-1")
    assert decoded.text == MUELLER
    assert any("the mark counts" in warning for warning in decoded.warnings)


def test_a_declared_encoding_that_does_not_fit_is_passed_over_with_a_warning() -> None:
    decoded = decode(("ä" * 20).encode("cp1252"), charset="utf-8")
    assert decoded.text == "ä" * 20
    assert any("not utf-8 (from the HTTP header)" in warning for warning in decoded.warnings)


def test_a_stray_byte_in_a_declared_encoding_is_told_and_kept() -> None:
    decoded = decode(("ä" * 2000).encode() + b"\xff", charset="utf-8")
    assert (decoded.encoding, decoded.text.count("\ufffd")) == ("utf-8", 1)
    assert any("1 places cannot be read" in warning for warning in decoded.warnings)


@pytest.mark.parametrize("label", ["utf-7", "idna", "hex", "unicode_escape", "no-such", "rot13", "\u0130so", "x" * 99])
def test_an_encoding_that_the_web_does_not_know_is_passed_over(label: str) -> None:
    assert known_encoding(label) is None
    assert decode(b"plain", charset=label).text == "plain"
    assert any("not known" in warning for warning in decode(b"plain", charset=label).warnings)


@pytest.mark.parametrize(
    ("label", "encoding"),
    [
        ("ISO-8859-1", "cp1252"),
        ("ascii", "cp1252"),
        ("GB2312", "gb18030"),
        ("Shift_JIS", "cp932"),
        (" 'UTF8' ", "utf-8"),
        ("x-sjis", "cp932"),
        ("iso-8859-2", "iso8859-2"),
        ("KOI8-R", "koi8-r"),
    ],
)
def test_a_label_means_what_browsers_take_it_to_mean(label: str, encoding: str) -> None:
    assert known_encoding(label) == encoding


@pytest.mark.parametrize("broken", ["MÃ¼ller", "itâ€™s", "5Â\u00a0000", "ï»¿Land"])
def test_a_text_read_with_a_wrong_encoding_gets_a_warning(broken: str) -> None:
    assert any("wrong encoding" in warning for warning in decode(broken.encode()).warnings)


@pytest.mark.parametrize("sound", ["Müller's naïve CAFÉ À la carte", "SÃO PAULO", "Ângelo", "5 € – ‘x’", "Ð"])
def test_a_sound_text_gets_none(sound: str) -> None:
    assert decode(sound.encode()).warnings == ()


@given(st.binary(max_size=200), st.sampled_from([None, "utf-8", "utf-16", "gb2312", "latin-1", "iso-2022-jp", "?"]))
def test_any_bytes_are_read(data: bytes, charset: str | None) -> None:
    assert isinstance(decode(data, charset=charset).text, str)


@given(st.text(max_size=60).filter(lambda text: not text.startswith("\ufeff")))
def test_what_was_written_as_utf_8_is_read_back(text: str) -> None:
    assert decode(text.encode("utf-8", "replace"), charset="utf-8").text == text.encode("utf-8", "replace").decode()
