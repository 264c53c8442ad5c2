"""Connections kept between questions: a set for each thread, HTTP/1.1 and 2, guarded, and closed at the end.

One thread asks one question at a time, so that a deadline belongs to a thread and not to a connection, and
nothing a server does on one connection can hold up another thread's fetch.
"""

from __future__ import annotations

import ssl
import threading
import weakref

import httpcore

from cellwright.clients.guard import Deadline, GuardedBackend

KEPT = 4
"""Idle connections that a thread keeps."""
KEPT_SECONDS = 8.0


class Line:
    """The connections of one thread: `deadline` bounds whatever is read or written on them."""

    def __init__(self, ssl_context: ssl.SSLContext, allow_private: bool) -> None:
        self.deadline = Deadline(0)
        self._ssl = ssl_context
        self._backend = GuardedBackend(self.deadline, allow_private)
        self._pool = self._new_pool()

    @property
    def connections(self) -> int:
        """How many connections were begun so far."""
        return self._backend.connections

    def send(self, request: httpcore.Request) -> httpcore.Response:
        """The answer's head; its body is still to be read. Raises what httpcore and the guard raise."""
        return self._pool.handle_request(request)

    def drop(self) -> None:
        """Closes every connection: after an answer that was not read to its end, nothing on them can be trusted."""
        self._pool.close()
        self._pool = self._new_pool()

    def close(self) -> None:
        """Closes every connection for good."""
        self._pool.close()

    def _new_pool(self) -> httpcore.ConnectionPool:
        return httpcore.ConnectionPool(
            ssl_context=self._ssl,
            network_backend=self._backend,
            max_connections=KEPT,
            max_keepalive_connections=KEPT,
            keepalive_expiry=KEPT_SECONDS,
            http2=True,
        )


class Lines:
    """A line for each thread that asks for one; closed with `close`, or when nobody holds them any more."""

    def __init__(self, ssl_context: ssl.SSLContext, allow_private: bool) -> None:
        self._ssl = ssl_context
        self._allow_private = allow_private
        self._own = threading.local()
        self._lock = threading.Lock()
        self._all: list[tuple[threading.Thread, Line]] = []
        self.close = weakref.finalize(self, _close_all, self._all)
        self.close.atexit = False  # The system closes them then, and a thread may still be at work.

    def mine(self) -> Line:
        """The line of the thread that asks; those of threads that have ended are closed."""
        line: Line | None = getattr(self._own, "line", None)
        if line is None:
            line = Line(self._ssl, self._allow_private)
            self._own.line = line
            with self._lock:
                ended = [pair for pair in self._all if not pair[0].is_alive()]
                self._all[:] = [pair for pair in self._all if pair not in ended]
                self._all.append((threading.current_thread(), line))
            _close_all(ended)
        return line


def _close_all(lines: list[tuple[threading.Thread, Line]]) -> None:
    for _, line in lines:
        line.close()
