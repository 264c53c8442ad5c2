"""A small HTTP/2 server over TLS on the loopback address, on the h2 library."""

from __future__ import annotations

import socketserver
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import h2.config
import h2.connection
import h2.events
import h2.exceptions

Page = tuple[int | str, list[tuple[str, str]], bytes]


class H2Host:
    """Answers by path with (status, headers, body). `asked` holds (connection, path, headers) of each request."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self.pages: dict[str, Page] = {}
        self.asked: list[tuple[int, str, dict[str, str]]] = []
        self.garbage = False
        outer = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                try:
                    with context.wrap_socket(self.request, server_side=True) as secured:
                        outer._talk(secured)
                except (OSError, h2.exceptions.H2Error):
                    return  # The client went away, which some tests are about.

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self._connections = 0
        self.url = f"https://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    def _talk(self, secured: ssl.SSLSocket) -> None:
        self._connections += 1
        mine = self._connections
        talk = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        talk.initiate_connection()
        secured.sendall(talk.data_to_send())
        while data := secured.recv(65536):
            for event in talk.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    headers = {str(name): str(value) for name, value in event.headers or ()}
                    self.asked.append((mine, headers[":path"], headers))
                    if self.garbage:
                        secured.sendall(b"\xff" * 200)
                        return
                    self._answer(talk, event.stream_id or 0, headers[":path"])
            secured.sendall(talk.data_to_send())

    def _answer(self, talk: h2.connection.H2Connection, stream: int, path: str) -> None:
        status, headers, body = self.pages.get(path, (404, [], b""))
        talk.send_headers(stream, [(":status", str(status)), *headers], end_stream=not body)
        size = talk.max_outbound_frame_size
        for begin in range(0, len(body), size):
            talk.send_data(stream, body[begin : begin + size], end_stream=begin + size >= len(body))

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def serving_h2(context: ssl.SSLContext) -> Iterator[H2Host]:
    """A running server; stopped at the end."""
    host = H2Host(context)
    host.start()
    try:
        yield host
    finally:
        host.stop()
