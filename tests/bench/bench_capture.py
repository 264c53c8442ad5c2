"""2,000 small pages captured from a local server, against a bare httpx loop of the same concurrency.

The bare loop reads the pages and keeps nothing; a capture keeps each as a WARC, flushed to the disk, with the hash
of its text, and writes both tables. Pauses for politeness are set to none. Each side runs in a process of its
own, in turn, the best of three; the time is the wall clock's, since waiting for the disk is part of the work.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.bench.measure import peak_megabytes

PAGES = 2_000
CONCURRENCY = 8
ROUNDS = 3


def bare(url: str, pages: int) -> None:
    """The pages read by a shared httpx client in as many threads."""
    import httpx

    with httpx.Client(limits=httpx.Limits(max_connections=CONCURRENCY)) as client:

        def get(number: int) -> int:
            answer = client.get(f"{url}/{number}")
            answer.raise_for_status()
            return len(answer.content)

        with ThreadPoolExecutor(CONCURRENCY) as pool:
            _timed(lambda: sum(pool.map(get, range(pages))), pages)


def ours(url: str, pages: int) -> None:
    """The pages captured into a new repository."""
    from cellwright.authoring.captures.capture import capture_task
    from cellwright.authoring.captures.command import text_of
    from cellwright.authoring.captures.settings import http_fetcher
    from cellwright.clients.repository import open_repository

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "tasks" / "t").mkdir(parents=True)
        (root / "sources").mkdir()
        lines = [f"s{number},{url}/{number},Report,Maker,2024-01-01,2024-01-01" for number in range(pages)]
        head = "id,url,title,publisher,published,accessed"
        (root / "tasks" / "t" / "sources.csv").write_text("\n".join([head, *lines, ""]))
        settings = {
            "CELLWRIGHT_CONCURRENCY": str(CONCURRENCY),
            "CELLWRIGHT_PER_HOST": str(CONCURRENCY),
            "CELLWRIGHT_PAUSE": "0",
        }
        fetcher = http_fetcher(settings, allow_private=True, ignore_robots=False)
        repository = open_repository(root)

        def capture() -> None:
            summary = capture_task(repository, "t", fetcher=fetcher, text_of=text_of)
            if summary.counts != {"captured": pages}:
                raise SystemExit(f"not all pages were captured: {summary.counts}")

        _timed(capture, pages)


def _timed(work: object, pages: int) -> None:
    begun = time.monotonic()
    work()  # type: ignore[operator]
    print(pages / (time.monotonic() - begun), peak_megabytes())


def _run(side: str, url: str, pages: int) -> tuple[float, float]:
    """Pages a second and peak memory of one run in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.bench_capture", side, url, str(pages)]
    speed, peak = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(speed), float(peak)


def main() -> None:
    """Both sides in turn; then a quarter of the pages, which must take hardly less memory."""
    if len(sys.argv) > 1:
        {"bare": bare, "ours": ours}[sys.argv[1]](sys.argv[2], int(sys.argv[3]))
        return
    command = [sys.executable, "-m", "tests.bench.page_server"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert server.stdin is not None
        url = f"http://127.0.0.1:{server.stdout.readline().strip()}"
        pairs = [(_run("ours", url, PAGES), _run("bare", url, PAGES)) for _ in range(ROUNDS)]
        _, few = _run("ours", url, PAGES // 4)
        server.stdin.close()
    speed = max(pair[0][0] for pair in pairs)
    plain = max(pair[1][0] for pair in pairs)
    print(
        f"{'capture of 2,000 pages / bare httpx':<44} {speed / plain:6.2f} ×   ({speed:.0f} to {plain:.0f} pages/s; "
        f"goal ≥ 0.7 ×; peak {max(pair[0][1] for pair in pairs):.0f} MB, for 500 pages {few:.0f} MB)"
    )


if __name__ == "__main__":
    main()
