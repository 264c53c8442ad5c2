"""A host on the loopback address that behaves as badly as hosts do, each path in a way of its own; real sockets."""

from __future__ import annotations

import gzip
import socket
import ssl
import subprocess
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.loopback import Server, answer

HTML = "Content-Type: text/html; charset=utf-8"
SENTENCE = "The plant in the northern district reported that its output for the year had risen again. "
DOCUMENT = f"<!DOCTYPE html><html><body><h1>Report</h1><p>{SENTENCE * 30}</p></body></html>".encode()
CHALLENGE = (
    b"<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><div>Checking your browser before you "
    b"go on.</div><script>window._cf_chl_opt={cvId:'3'};</script></body></html>"
)
WORDED_CHALLENGE = (
    b"<html><head><title>Please wait</title></head><body><h1>Verifying you are human</h1>"
    b"<p>This may take a few seconds.</p></body></html>"
)
TEASER = (
    b'<!DOCTYPE html><html><head><script type="application/ld+json">{"@type":"NewsArticle",'
    b'"isAccessibleForFree":"False"}</script></head><body><h1>Profits</h1><p>'
    + SENTENCE.encode() * 3
    + b"</p></body></html>"
)
ASKS_TO_SUBSCRIBE = (
    f"<html><body><h1>Profits</h1><p>{SENTENCE * 2}</p><p>Subscribe to continue reading.</p></body></html>".encode()
)
SIGN_IN = b"<html><body><h1>Sign in</h1><form><input name=u><input type=password name=p></form></body></html>"
SHORT = b"<html><body><h1>Output</h1><p>Output in 2023: 12,345 tonnes.</p></body></html>"
PDF = b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n"
ETAG = '"v1"'

Play = bytes | Callable[[str, socket.socket], bytes]


def _to_browsers_only(head: str, _: socket.socket) -> bytes:
    return answer("200 OK", DOCUMENT, HTML) if "User-Agent: Mozilla" in head else answer("403 Forbidden", b"no", HTML)


def _drip(_: str, connection: socket.socket) -> bytes:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n")
    for _number in range(200):
        connection.sendall(b"x")
        time.sleep(0.05)
    return b""


def _confirm(head: str, _: socket.socket) -> bytes:
    if f"If-None-Match: {ETAG}" in head:
        return answer("304 Not Modified", b"", f"ETag: {ETAG}")
    return answer("200 OK", DOCUMENT, HTML, f"ETag: {ETAG}", "Last-Modified: Sun, 30 Jun 2024 12:00:00 GMT")


def _coded(coding: str, body: bytes) -> bytes:
    return answer("200 OK", body, HTML, f"Content-Encoding: {coding}")


CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
PLAYS: dict[str, Play] = {
    "/ok": answer("200 OK", DOCUMENT, HTML),
    "/short": answer("200 OK", SHORT, HTML),
    "/moved": answer("301 Moved Permanently", b"moved", "Location: /moved/again"),
    "/moved/again": answer("307 Temporary Redirect", b"", "Location: /ok"),
    "/deflate": _coded("deflate", zlib.compress(DOCUMENT)),
    "/raw-deflate": _coded("deflate", zlib.compress(DOCUMENT)[2:-4]),
    "/gzip": _coded("gzip", gzip.compress(DOCUMENT, mtime=0)),
    "/chunked": CHUNKED + b"%x\r\n" % len(DOCUMENT) + DOCUMENT + b"\r\n0\r\n\r\n",
    "/too-little-stated": answer("200 OK", DOCUMENT + b"more", HTML, length=len(DOCUMENT)),
    "/confirms": _confirm,
    "/gone": answer("404 Not Found", b"nothing here", HTML),
    "/gone-for-good": answer("410 Gone", b"", HTML),
    "/browsers-only": _to_browsers_only,
    "/unauthorized": answer("401 Unauthorized", b"", HTML),
    "/to-a-file": answer("302 Found", b"", "Location: file:///etc/passwd"),
    "/challenge": answer("200 OK", CHALLENGE, HTML),
    "/worded-challenge": answer("200 OK", WORDED_CHALLENGE, HTML),
    "/challenge-403": answer("403 Forbidden", CHALLENGE, HTML),
    "/challenge-by-header": answer("403 Forbidden", b"", HTML, "cf-mitigated: challenge"),
    "/teaser": answer("200 OK", TEASER, HTML),
    "/subscribe": answer("200 OK", ASKS_TO_SUBSCRIBE, HTML),
    "/sign-in": answer("200 OK", SIGN_IN, HTML),
    "/pay": answer("402 Payment Required", b"", HTML),
    "/later": answer("429 Too Many Requests", b"", "Retry-After: 3600"),
    "/later-by-date": answer("503 Service Unavailable", b"", "Retry-After: Fri, 31 Dec 2100 23:59:59 GMT"),
    "/large": answer("200 OK", b"x", HTML, length=60_000_000),
    "/bomb": _coded("gzip", gzip.compress(b"\0" * 60_000_000, mtime=0)),
    "/login.pdf": answer("200 OK", SIGN_IN, HTML),
    "/report.pdf": answer("200 OK", PDF, "Content-Type: application/pdf"),
    "/image": answer("200 OK", b"\x89PNG\r\n\x1a\n", "Content-Type: image/png"),
    "/br": _coded("br", b"\x0b\x02\x80text\x03"),
    "/nothing": answer("200 OK", b"", HTML),
    "/drip": _drip,
    "/circle": answer("302 Found", b"", "Location: /circle/again"),
    "/circle/again": answer("302 Found", b"", "Location: /circle"),
    "/too-much-stated": answer("200 OK", b"half", HTML, length=4_000),
    "/broken-chunks": CHUNKED + b"5\r\nabc\r\nzz\r\n",
    "/cut-chunks": CHUNKED + b"ff\r\nabc",
    "/garbage": b"no http at all\r\n\r\n",
    "/fails": answer("500 Internal Server Error", b"", HTML),
}


class PlayingHost(Server):
    """Plays by path. `robots` is the answer to /robots.txt; `asked` holds each request's head."""

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        super().__init__(context)
        self.robots: Play = answer("404 Not Found")
        self.more: dict[str, Play] = {}

    def paths(self) -> list[str]:
        """What was asked for, in order."""
        return [head.split(" ")[1] for head in self.asked]

    def _handle(self, connection: socket.socket) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            part = connection.recv(65536)
            if not part:
                return
            head += part
        text = head.decode("latin-1")
        self.asked.append(text)
        path = text.split(" ")[1].partition("?")[0]
        play = self.robots if path == "/robots.txt" else self.more.get(path, PLAYS.get(path, PLAYS["/gone"]))
        connection.sendall(play(text, connection) if callable(play) else play)
        connection.shutdown(socket.SHUT_WR)


@contextmanager
def playing(context: ssl.SSLContext | None = None) -> Iterator[PlayingHost]:
    """A running host; stopped at the end."""
    host = PlayingHost(context)
    host.start()
    try:
        yield host
    finally:
        host.stop()


@dataclass(frozen=True)
class Certificate:
    """A certificate that signs itself, and its key."""

    cert: Path
    key: Path

    def context(self, *protocols: str) -> ssl.SSLContext:
        """What a server shows it with."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.cert, self.key)
        if protocols:
            context.set_alpn_protocols(list(protocols))
        return context


def certificate(folder: Path, name: str, days: int = 2) -> Certificate:
    """A new certificate for `name` (`IP:127.0.0.1`, `DNS:example`); with `days` below 0 it has expired already."""
    made = Certificate(folder / "cert.pem", folder / "key.pem")
    folder.mkdir(parents=True, exist_ok=True)
    request, extension = folder / "request.pem", folder / "extension.cnf"
    extension.write_text(f"subjectAltName={name}\n")
    new = ["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=test"]
    sign = ["x509", "-req", "-in", request, "-signkey", made.key, "-days", str(days), "-extfile", extension]
    for arguments in ([*new, "-keyout", made.key, "-out", request], [*sign, "-out", made.cert]):
        subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)
    return made
