"""The guarded connection: only public addresses, the address that was checked, and no longer than the deadline.

A name is resolved once, each address it gives is judged, and the connection goes to one of these: a name
that gives another address a moment later changes nothing. Host header and TLS name stay the name's own.
"""

from __future__ import annotations

import ipaddress
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import httpcore

_HOLDS_IPV4 = tuple(
    ipaddress.IPv6Network(network)
    for network in ("64:ff9b::/96", "64:ff9b:1::/48", "::/96", "::ffff:0:0:0/96")  # NAT64, compatible, translated.
)


class AddressRefused(Exception):
    """The name leads to an address that is not public."""


class NameUnknown(Exception):
    """The name could not be resolved."""


class Deadline:
    """The moment at which a fetch gives up, in the seconds of `monotonic`."""

    def __init__(self, seconds: float, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._end = monotonic() + seconds

    def remaining(self) -> float:
        """Seconds left, never below 0."""
        return max(0.0, self._end - self._monotonic())

    def restart(self, seconds: float) -> None:
        """Begins anew, for the next fetch on the same connections."""
        self._end = self._monotonic() + seconds

    @contextmanager
    def set_aside(self, seconds: float) -> Iterator[None]:
        """Another fetch of at most `seconds` in between; what it takes is not counted afterwards."""
        left = self._end - self._monotonic()
        self.restart(seconds)
        try:
            yield
        finally:
            self.restart(left)

    def extend(self, seconds: float) -> None:
        """Puts the end off, for time that was not the server's."""
        self._end += seconds

    def bounded(self, seconds: float | None) -> float:
        """The shorter of `seconds` and what is left. Raises httpcore.ReadTimeout where nothing is left."""
        left = self.remaining()
        if left <= 0:
            raise httpcore.ReadTimeout("the time for the whole fetch is up")
        return left if seconds is None else min(left, seconds)


def refusal(address: str, allow_private: bool) -> str:
    """Why an IP address is not connected to, "" where it may be: private, loopback, link-local, multicast, reserved.

    IPv4 addresses inside IPv6 ones (mapped, compatible, translated, 6to4, Teredo, NAT64) are judged too. With
    `allow_private` only multicast and the unspecified address are refused.
    """
    for ip in _readings(address):
        if ip.is_multicast or ip.is_unspecified:
            return f"{address} is a multicast or unspecified address"
        if not allow_private and (not ip.is_global or getattr(ip, "is_site_local", False)):
            return f"{address} is not a public address"
    return ""


def _readings(address: str) -> list[ipaddress.IPv4Address | ipaddress.IPv6Address]:
    ip = ipaddress.ip_address(address)
    found: list[ipaddress.IPv4Address | ipaddress.IPv6Address] = [ip]
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return [ip.ipv4_mapped]
        inner = [ip.sixtofour, *(ip.teredo or ())]
        if any(ip in network for network in _HOLDS_IPV4):
            inner.append(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF))
        found += [reading for reading in inner if reading is not None]
    return found


def resolve(host: str, port: int, timeout: float) -> list[str]:
    """The IP addresses of a name, in the system's order. Raises NameUnknown, and httpcore.ConnectTimeout when late.

    The system's resolver takes no time limit, so it runs in a thread that is left behind when it is late.
    """
    found: list[str] = []
    fault: list[str] = []

    def ask() -> None:
        try:
            for *_, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
                if str(address[0]) not in found:
                    found.append(str(address[0]))
        except (OSError, UnicodeError) as error:
            fault.append(str(getattr(error, "strerror", None) or error))

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(timeout)
    if thread.is_alive():
        raise httpcore.ConnectTimeout("the name was not resolved in time")
    if not found:
        raise NameUnknown(fault[0] if fault else "the name has no address")
    return found


class GuardedBackend(httpcore.NetworkBackend):
    """Connects httpcore to checked addresses only, every read and write bounded by the deadline.

    `connections` counts those that were made, so that a question on a connection kept from before can be told.
    """

    def __init__(self, deadline: Deadline, allow_private: bool) -> None:
        self._deadline = deadline
        self._allow_private = allow_private
        self._plain = httpcore.SyncBackend()
        self.connections = 0

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """A connection to the first checked address that answers. Raises AddressRefused, NameUnknown, httpcore's."""
        self.connections += 1
        addresses = resolve(host.strip("[]"), port, self._deadline.bounded(timeout))
        for address in addresses:
            # One refused address condemns the name: a mixed answer is how a rebinding attack begins.
            if reason := refusal(address, self._allow_private):
                raise AddressRefused(f"the name {host} leads to {reason}" if address != host else reason)
        for address in addresses[:-1]:
            try:
                return self._connect(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return self._connect(addresses[-1], port, timeout, local_address, socket_options)

    def _connect(
        self,
        address: str,
        port: int,
        timeout: float | None,
        local_address: str | None,
        socket_options: Iterable[Any] | None,
    ) -> httpcore.NetworkStream:
        stream = self._plain.connect_tcp(address, port, self._deadline.bounded(timeout), local_address, socket_options)
        return _DeadlineStream(stream, self._deadline)


class _DeadlineStream(httpcore.NetworkStream):
    """A connection that gives up at the deadline, however slowly the other side drips."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._deadline.bounded(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._deadline.bounded(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        secured = self._stream.start_tls(ssl_context, server_hostname, self._deadline.bounded(timeout))
        return _DeadlineStream(secured, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
