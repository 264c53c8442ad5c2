"""A small server on the loopback address that answers byte for byte what a test tells it to."""

from __future__ import annotations

import socket
import socketserver
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Answer = bytes | Callable[[socket.socket], None]


def answer(status: str, body: bytes = b"", *headers: str, length: int | None = None) -> bytes:
    """An HTTP/1.1 answer with its Content-Length, or with the one given."""
    lines = [f"HTTP/1.1 {status}", *headers, f"Content-Length: {len(body) if length is None else length}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


class Server:
    """Answers by path. `asked` holds each request's head; an answer that is a list is used up one by one."""

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        self.routes: dict[str, Answer | list[Answer]] = {}
        self.asked: list[str] = []
        outer = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                try:
                    if context:
                        self.request = context.wrap_socket(self.request, server_side=True)
                    with self.request:
                        outer._handle(self.request)
                except OSError:
                    return  # The client went away, which many tests are about.

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self.port: int = self._server.server_address[1]
        self.url = f"{'https' if context else 'http'}://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    def _handle(self, connection: socket.socket) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            part = connection.recv(65536)
            if not part:
                return
            head += part
        self.asked.append(head.decode("latin-1"))
        path = self.asked[-1].split(" ")[1]
        found = self.routes.get(path, answer("404 Not Found", b"nothing here"))
        if isinstance(found, list):
            found = found.pop(0) if len(found) > 1 else found[0]
        if callable(found):
            found(connection)
        else:
            connection.sendall(found)
        connection.shutdown(socket.SHUT_WR)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def serving(context: ssl.SSLContext | None = None) -> Iterator[Server]:
    """A running server; stopped at the end."""
    server = Server(context)
    server.start()
    try:
        yield server
    finally:
        server.stop()
