"""A small server of small pages in a process of its own: HTTP/1.1, connections kept open.

`/asked` tells how many pages were asked for so far.
"""

from __future__ import annotations

import asyncio
import sys

FILLER = " ".join(f"The plant in district {number} reported its output on time." for number in range(36))


def page(number: int) -> bytes:
    """A page of some 2 kB: a heading, running text, a table row with a figure of its own."""
    return (
        f"<!DOCTYPE html><html><head><title>Report {number}</title></head><body><h1>Report {number}</h1>"
        f"<p>{FILLER}</p><table><tr><th>Output</th><td>{number * 7919 + 1000:,}</td></tr></table></body></html>"
    ).encode()


_asked = [0]


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            path = head.split(b" ", 2)[1]
            if path == b"/robots.txt":
                writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                continue
            _asked[0] += path != b"/asked"
            body = b"%d" % _asked[0] if path == b"/asked" else page(int(path[1:]))
            writer.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n" % len(body)
                + body
            )
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def main() -> None:
    """Serve on a free port, which is told on the standard output, until the standard input ends."""
    server = await asyncio.start_server(_serve, "127.0.0.1", 0, backlog=256)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(main())
