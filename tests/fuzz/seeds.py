"""Seeds and tokens: small valid inputs of each kind, and the words that make damage to them meaningful."""

from __future__ import annotations

import gzip
import json

from cellwright.clients.fetched import Fetched
from cellwright.clients.warc import write_capture
from cellwright.records.plain_archive import archive_of
from tests.documents.small_files import pdf_of, xlsx_of

LOCALES = ("", "en", "de", "fr", "ja", "hi-IN", "de-CH", "es", "zh", "xx-broken")


def _words(text: str) -> tuple[str, ...]:
    """The tokens of a list that is written with `¦` between them; a backslash escapes as in Python."""
    return tuple(
        token.encode("latin-1", "backslashreplace").decode("unicode_escape")
        for line in text.strip().split("\n")
        for token in line.split(" ¦ ")
    )


def _tokens(text: str) -> tuple[bytes, ...]:
    return tuple(word.encode("utf-8", "surrogatepass") for word in _words(text))


HTML = (
    b"<!doctype html><html><head><meta charset='utf-8'><title>Annual report</title></head><body>"
    b"<p>(in millions, except per share data)</p><table><tr><th rowspan=2>Item</th><th colspan=2>Year ended December "
    b"31,</th></tr><tr><th>2023</th><th>2022</th></tr><tr><td>Revenue</td><td>$</td><td>1,234</td><td>(987)</td></tr>"
    b"</table><script>var a=1;</script><!-- note --><p>Revenue of &pound;3.5&nbsp;billion &#8212; up 12%.</p></body>",
    b"<html><body><ix:header><ix:hidden><ix:nonFraction contextRef='c1' unitRef='usd' decimals='-6' scale='6' "
    b"name='us-gaap:Revenues' sign='-'>1,234</ix:nonFraction></ix:hidden></ix:header><div style='display:none'>7</div>"
    b"<table><tr><td><ix:nonFraction contextRef='c1' scale='3' format='ixt:num-dot-decimal'>56</ix:nonFraction></td>"
    b"</tr></table></body></html>",
    "<html lang='ja'><table><tr><td>売上高</td><td>1,234百万円</td><td>△56</td></tr></table></html>".encode(),
    b"<table><tr><td>a<table><tr><td>b</td></tr></table></td></tr></table><pre>1\t2\n3</pre><sup>1</sup>",
)
HTML_TOKENS = _tokens(r"""
<table> ¦ <tr> ¦ <td> ¦ </td> ¦ </table> ¦ <td colspan=1000> ¦ <td rowspan=65534> ¦ <td colspan=-1>
<th colspan='9999999999999999999'> ¦ <div> ¦ <span style='display:none'> ¦ <!-- ¦ --> ¦ <![CDATA[
<!DOCTYPE a [<!ENTITY x 'y'>]> ¦ &x; ¦ &#0; ¦ &#x110000; ¦ &#xD800; ¦ <meta charset=utf-7>
<meta charset=utf-16> ¦ <?xml version='1.0' encoding='ebcdic'?> ¦ <svg> ¦ <math> ¦ <template> ¦ <noscript>
<textarea> ¦ <plaintext> ¦ <base href='x'> ¦ <ix:nonFraction scale='99999'> ¦ （１２３） ¦ １,２３４ ¦ △ ¦ &shy;
\u202e ¦ (1,234) ¦ 1.234,5
""")
CSV = (
    b'Country,Year,GDP (USD)\nFrance,2022,2775316590000\n"Korea, Rep.",2022,1673916470000\n',
    b"Land;Jahr;Wert\nDE;2023;1.234,5\nFR;2023;-\n",
    b"a\tb\n1\t2\n\n3\t4\n",
)
CSV_TOKENS = _tokens(r"""
" ¦ "" ¦ , ¦ ; ¦ \t ¦ \r ¦ \n ¦ =1+1 ¦ @x ¦ - ¦ 1e999 ¦ NaN ¦ 2023-13-45 ¦ ''
""")
JSON = (
    json.dumps({"facts": {"Revenues": {"units": {"USD": [{"end": "2023-12-31", "val": 12345, "fy": 2023}]}}}}).encode(),
    b'[{"country": "FR", "year": 2022, "value": 1.5e3}, {"country": "DE", "year": 2022, "value": null}]',
)
JSON_TOKENS = _tokens(r"""
[ ¦ { ¦ ] ¦ } ¦ " ¦ \\u0000 ¦ \\ud800 ¦ 1e99999 ¦ -0 ¦ NaN ¦ Infinity ¦ : ¦ [[[[
""")
PDF = (
    pdf_of([[(60, 700, "Consolidated Statements (in millions)"), (60, 680, "Revenue 1,234 (987)")]]),
    pdf_of([[(60, 700, "one")], [(60, 700, "two 2.5 %")]], rotate=90),
)
PDF_TOKENS = _tokens(r"""
endobj ¦ stream ¦ endstream ¦ /Length 99999999 ¦ /Kids [1 0 R] ¦ /Parent 1 0 R ¦ /Count -1 ¦ Tj ¦ <</ ¦ >>
xref ¦ trailer ¦ startxref ¦ %%EOF ¦ /Encrypt 1 0 R ¦ /Filter /FlateDecode ¦ BT ¦ ET ¦ /Rotate 45
/MediaBox [0 0 1e9 1e9] ¦ 0 0 0 0 0 0 Tm ¦ obj ¦ R
""")
XLSX = (
    xlsx_of({"Sheet1": {"A1": "Item", "B1": 2023, "A2": "Revenue", "B2": 1234.5}, "Notes": {"A1": "in thousands"}}),
    xlsx_of({"Grids": {"A1": "x", "F14": 0.125}, "Seen": {"A1": "y"}}, hidden=["Grids"]),
)
XML_TOKENS = _tokens(r"""
<c r='XFD1048576' t='n'><v>1</v></c> ¦ <c r='A0'> ¦ <c r='ZZZZ1'><v>1</v></c> ¦ <f>1/0</f> ¦ t='s' ¦ t='e'
<v>#REF!</v> ¦ <v>999999999</v> ¦ <mergeCell ref='A1:XFD1048576'/> ¦ <!DOCTYPE a [<!ENTITY x 'y'>]> ¦ &x;
s='99999' ¦ <row r='-1'> ¦ <v>1e400</v> ¦ </sheetData> ¦ numFmtId='14' ¦ <v>-1</v> ¦ state='hidden'
""")


def _capture() -> bytes:
    page = Fetched(
        url="https://a.example/x",
        final_url="https://a.example/x",
        status="ok",
        http_status=200,
        headers=(("Content-Type", "text/html; charset=utf-8"),),
        body=HTML[0],
        payload=HTML[0],
        fetched_at="2024-01-02T03:04:05Z",
        request_headers=(("Accept", "*/*"),),
    )
    return gzip.decompress(write_capture(page))


WARC = (_capture(),)
WARC_TOKENS = _tokens(r"""
WARC/1.0\r\n ¦ WARC-Type: response\r\n ¦ Content-Length: 99999999999\r\n ¦ Content-Length: -1\r\n ¦ \r\n\r\n
Transfer-Encoding: chunked\r\n ¦ ffffffff\r\n ¦ 0\r\n\r\n ¦ HTTP/1.1 200 OK\r\n ¦ Content-Encoding: gzip\r\n
WARC-Block-Digest: sha1:AAAA\r\n ¦ WARC-Target-URI: file:///etc/passwd\r\n ¦ WARC-Date: 9999-99-99\r\n
""")
TASK = (
    b"""schema: 1
id: beer
title: Breweries
domain: consumer
question: Which brewery earns most?
profile: deepweb-8x8
as_of: 2024-06-30
entities:
  - {id: alfa, name: Alfa Brewing, currency: EUR}
periods:
  FY2023: {default: 2023-01-01/2023-12-31}
dimensions:
  - id: margin
    name: Margin
    ask: Gross margin.
    family: derivation
    unit: percent
    period: FY2023
    answer_type: precise
    steps: [{id: answer, expr: (revenue - cost) / revenue}]
    scoring: {full: 0.1 pp}
""",
)
TASK_TOKENS = _tokens(r"""
{ ¦ } ¦ [ ¦ ] ¦ :  ¦ -  ¦ &a  ¦ *a ¦ !!python/object:os.system  ¦ |\n ¦ \t ¦ ?  ¦ <<: *a ¦ %YAML 9 ¦ ---\n
'
""")
PIECES = _words(r"""
1 ¦ 12 ¦ 123 ¦ 1234 ¦ 0 ¦ 00 ¦ 999 ¦ , ¦ . ¦ ' ¦   ¦ \xa0 ¦ \u2009 ¦ \u202f ¦ - ¦ – ¦ — ¦ − ¦ ( ¦ ) ¦ △ ¦ ▲
% ¦ ‰ ¦ $ ¦ € ¦ £ ¦ ¥ ¦ US$ ¦ USD ¦ EUR ¦ million ¦ bn ¦ Mio. ¦ Mrd ¦ lakh ¦ crore ¦ 万 ¦ 億 ¦ 百万円 ¦ bps ¦ pp
percentage points ¦ e ¦ E+ ¦ ×10 ¦ ½ ¦ ٣ ¦ １２ ¦ Ⅳ ¦ ² ¦ ٫ ¦ \u200f ¦ \x00 ¦ + ¦ ± ¦ ~ ¦ c. ¦ ≈ ¦ to ¦ / ¦ :
2023 ¦ FY ¦ Q1 ¦ st ¦ x ¦ per ¦ share
""")
"""Of what written numbers are made."""
EXPRESSION = _words(r"""
revenue ¦ x ¦ capex.* ¦ all.x ¦ others.x ¦ publishers.x ¦ cells.margin ¦ cells.margin.answer ¦ all.cells.margin ¦ [-1]
['FY2021'] ¦ ( ¦ ) ¦ , ¦ + ¦ - ¦ * ¦ / ¦ ** ¦ < ¦ <= ¦ == ¦ != ¦ 0 ¦ 1 ¦ 2 ¦ 3 ¦ 0.5 ¦ 9999999999 ¦ sum( ¦ mean( ¦ cagr(
rank( ¦ if( ¦ to( ¦ EUR ¦ average ¦ descending ¦ available( ¦ share( ¦ count( ¦ .
__class__ ¦ lambda ¦ " ¦ ' ¦ \x00 ¦ é ¦ # ¦ ;
""")
"""Of what expressions are made."""
ANSWERS = (
    b'{"task": "t", "entity": "a", "dimension": "d", "answer": {"type": "precise", "value": "1.5", "unit": "percent"}, '
    b'"derivation": [{"id": "s", "expr": "1 + 2", "value": "3", "unit": "EUR"}], "sources": ["https://a.example"]}',
    b'{"task": "t", "entity": "a", "dimension": "d", "answer": {"type": "range", "low": 1, "high": 2, "method": "m"}}',
)
MHTML = (
    b"Snapshot-Content-Location: https://a.example/x\r\nDate: Fri, 1 Mar 2024 10:00:00 +0100\r\n"
    b'MIME-Version: 1.0\r\nContent-Type: multipart/related; type="text/html"; boundary="----B----"\r\n\r\n'
    b"------B----\r\nContent-Type: text/css\r\nContent-Location: cid:css@x\r\n\r\np{}\r\n------B----\r\n"
    b"Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n"
    b"Content-Location: https://a.example/x\r\n\r\n<p>Umsatz =3D 1.234 =E2=82=AC</p>\r\n------B------\r\n",
)
MHTML_TOKENS = _tokens(r"""
Content-Transfer-Encoding: base64\r\n ¦ Content-Type: multipart/mixed; boundary="\r\n ¦ ------B----\r\n ¦ ------B------
charset=utf-7 ¦ charset="no such" ¦ =ZZ ¦ =\r\n ¦ \r\n\r\n ¦ =?utf-8?B?AA?= ¦ boundary=" ¦ "
""")
ZIP_TOKENS = _tokens(r"""
PK\x01\x02 ¦ PK\x03\x04 ¦ PK\x05\x06 ¦ PK\x06\x06 ¦ \x00\x00\x00\x00 ¦ \xff\xff ¦ ../ ¦ / ¦ \\ ¦ \x00
task/task.yaml ¦ .git/config
""")

PLAIN_ARCHIVES = (
    archive_of({}),
    archive_of({"bundle.json": b"{}"}),
    archive_of({"bundle.json": b"{}" * 300, "prompts/a-task.md": b"# A task\n", "z": b""}),
    archive_of({f"{'folder' * 20}/{'name' * 20}": b"x" * 513}),
)
PLAIN_ARCHIVE_TOKENS = (
    *(b"../", b"/etc/passwd", b"\0" * 512, b"ustar\x0000", b"ustar  \0", b"2", b"L", b"x", b"S", b"77777777777"),
    *(b"0000644\0", b" " * 8, b"\x80" + b"\0" * 11, b"\0" * 1024),
)
