"""Only public addresses are connected to, and the one that was checked."""

from __future__ import annotations

import socket
import threading

import httpcore
import pytest

from cellwright.clients import guard
from cellwright.clients.guard import AddressRefused, Deadline, GuardedBackend, NameUnknown, refusal, resolve

PRIVATE = [
    "127.0.0.1",
    "127.1.2.3",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "255.255.255.255",
    "224.0.0.1",
    "239.1.1.1",
    "240.0.0.1",
    "198.18.0.1",
    "192.0.2.1",
    "::",
    "::1",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fec0::1",
    "ff02::1",
    "2001:db8::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "2002:7f00:1::",
    "2002:c0a8:101::1",
    "64:ff9b:1::7f00:1",
    "::127.0.0.1",
    "::ffff:0:10.0.0.1",
]


def gives(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> list[str]:
    """Makes every name lead to these addresses; gives the list of names asked."""
    asked: list[str] = []

    def getaddrinfo(host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_that_is_not_public_is_refused(address: str) -> None:
    assert refusal(address, allow_private=False)


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "2606:4700::1111", "64:ff9b::808:808", "::ffff:8.8.8.8"])
def test_a_public_address_is_let_through(address: str) -> None:
    assert refusal(address, allow_private=False) == ""


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.1", "::1", "192.168.1.1"])
def test_private_addresses_may_be_allowed(address: str) -> None:
    assert refusal(address, allow_private=True) == ""


@pytest.mark.parametrize("address", ["224.0.0.1", "ff02::1", "0.0.0.0", "::"])
def test_multicast_and_unspecified_addresses_are_refused_always(address: str) -> None:
    assert refusal(address, allow_private=True)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "2130706433", "0x7f.1", "[::1]"])
def test_every_way_to_write_loopback_is_refused(host: str) -> None:
    with pytest.raises(AddressRefused, match="not a public address"):
        GuardedBackend(Deadline(5), allow_private=False).connect_tcp(host, 9)


def test_one_private_address_among_public_ones_condemns_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    gives(monkeypatch, "8.8.8.8", "10.0.0.1")
    with pytest.raises(AddressRefused, match=r"the name example\.com leads to 10\.0\.0\.1"):
        GuardedBackend(Deadline(5), allow_private=False).connect_tcp("example.com", 80)


def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = gives(monkeypatch, "8.8.8.8")
    reached: list[tuple[str, int]] = []

    def create_connection(address: tuple[str, int], *_: object, **__: object) -> socket.socket:
        reached.append(address)
        raise OSError("no network here")

    monkeypatch.setattr(socket, "create_connection", create_connection)
    with pytest.raises(httpcore.ConnectError):
        GuardedBackend(Deadline(5), allow_private=False).connect_tcp("example.com", 80)
    assert (asked, reached) == (["example.com"], [("8.8.8.8", 80)])


def test_the_next_address_is_tried_where_one_does_not_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        backend = GuardedBackend(Deadline(5), allow_private=True)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(guard, "resolve", lambda *_: ["127.0.0.2", "127.0.0.1"])
            stream = backend.connect_tcp("example.com", port)
        assert stream.get_extra_info("server_addr")[0] == "127.0.0.1"
        stream.close()


def test_a_name_that_does_not_exist_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    with pytest.raises(NameUnknown, match="Name or service not known"):
        resolve("no-such-name.invalid", 80, 10)


def test_a_name_without_an_address_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    gives(monkeypatch)
    with pytest.raises(NameUnknown, match="the name has no address"):
        resolve("example.com", 80, 10)


def test_a_resolver_that_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    release = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: release.wait(10) and [])
    with pytest.raises(httpcore.ConnectTimeout, match="not resolved in time"):
        resolve("example.com", 80, 0.05)
    release.set()


def test_a_deadline_shortens_every_wait_and_ends() -> None:
    now = [0.0]
    deadline = Deadline(10, lambda: now[0])
    assert (deadline.bounded(3), deadline.bounded(30), deadline.bounded(None)) == (3, 10, 10)
    now[0] = 9
    deadline.extend(2)
    assert deadline.remaining() == 3
    now[0] = 12
    with pytest.raises(httpcore.ReadTimeout):
        deadline.bounded(3)
