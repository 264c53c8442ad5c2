"""The addresses of a contribution: public, plain, and of the host that they seem to be of. Nothing is asked."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from urllib.parse import urlsplit

from cellwright.records.contribution import CheckFinding, finding
from cellwright.records.names import borrowed_letters, mixed_words, plain
from cellwright.validators.contributions.texts import Said

MAX_ADDRESS = 4_000
_LOCAL = ("localhost", "local", "internal", "intranet", "lan", "home", "corp", "home.arpa", "onion", "test", "invalid")
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+", re.IGNORECASE)


def address_findings(addresses: Iterable[Said], domains: Iterable[str]) -> Iterator[CheckFinding]:
    """What is wrong with each address; `domains` are those of known publishers."""
    known = {plain(domain): domain for domain in domains if domain}
    for said in addresses:
        if fault := address_fault(said.text):
            yield finding(
                "K-ADDRESS",
                said.file,
                said.line,
                record=said.record,
                field=said.field,
                what=fault,
                observed=said.text,
                expected="the public address of a document, with http:// or https://",
            )
        else:
            yield from _host_findings(said, known)


def address_fault(url: str) -> str:
    """Why an address does not lead to a public document, in words; nothing where it may."""
    if len(url) > MAX_ADDRESS or not url.isprintable() or any(char.isspace() for char in url) or "\\" in url:
        return "the address has blanks, backslashes or control characters, or is too long"
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").rstrip(".")
        _ = parts.port
    except ValueError:
        return "the address cannot be read"
    if parts.scheme not in ("http", "https"):
        return "the address is not one of the web"
    if "@" in parts.netloc:
        return "the address holds a user name or password, which hides the host"
    if not host:
        return "the address names no host"
    return _host_fault(host)


def _host_fault(host: str) -> str:
    try:
        ip = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        last = host.rpartition(".")[2]
        if _NUMBER.fullmatch(last):
            return "the host is a number that programs read in different ways"
        if "." not in host or any(host == name or host.endswith(f".{name}") for name in _LOCAL):
            return "the host is one of a private network"
        return ""
    inner = getattr(ip, "ipv4_mapped", None) or ip
    return "" if inner.is_global and not inner.is_multicast else "the host is an address of a private network"


def _host_findings(said: Said, known: dict[str, str]) -> Iterator[CheckFinding]:
    host = (urlsplit(said.text).hostname or "").rstrip(".").removeprefix("www.")
    written = _written_out(host)
    if written == host and host.isascii():
        return
    seen = ", ".join(borrowed_letters(written)[:5])
    looks = _known_at(plain(written), known)
    # Letters of one script alone may still spell a known name: `аррӏе` has no Latin letter.
    deceives = bool(looks) or bool(mixed_words(written.replace(".", " ").replace("-", " ")))
    yield finding(
        "K-HOST",
        said.file,
        said.line,
        record=said.record,
        field=said.field,
        what=f"the host is written as `{written[:80]}`"
        + (f" and looks like {looks}" if looks else f", with {seen}" if seen and deceives else ""),
        observed=host[:200],
        expected="the host of the publisher",
        severity="error" if deceives else "warning",
    )


def _known_at(host: str, known: dict[str, str]) -> str:
    """The known domain that a host lies in."""
    parts = host.split(".")
    return next((known[name] for at in range(len(parts) - 1) if (name := ".".join(parts[at:])) in known), "")


def _written_out(host: str) -> str:
    """The host with the letters that `xn--…` stands for (RFC 3492)."""
    labels = []
    for label in host.split("."):
        if label.lower().startswith("xn--"):
            with suppress(UnicodeError, ValueError):  # What stands for nothing is shown as it is.
                label = label[4:].encode("ascii").decode("punycode")
        labels.append(label)
    return ".".join(labels)
