"""The pages in a real browser: they render, and the console stays silent."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from cellwright.views.audit_page import audit_page
from cellwright.views.evidence_page import evidence_page
from tests.conftest import missing
from tests.views import sample

pytestmark = pytest.mark.browser
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--enable-logging=stderr",
    "--v=0",
    "--virtual-time-budget=2000",
)


def opened(page: bytes, folder: Path, *options: str) -> tuple[str, list[str]]:
    """The page's document after the browser has read it, and what the console said."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        missing("no Chromium on this machine: install the package `chromium`")
        raise AssertionError
    file = folder / "page.html"
    file.write_bytes(page)
    ran = subprocess.run(
        [browser, *FLAGS, f"--user-data-dir={folder / 'profile'}", *options, file.as_uri()],
        capture_output=True,
        timeout=120,
        check=True,
    )
    said = [line for line in ran.stderr.decode("utf-8", "replace").splitlines() if "CONSOLE" in line]
    return ran.stdout.decode("utf-8", "replace"), said


def test_a_style_that_the_policy_refuses_is_told_by_the_console(tmp_path: Path) -> None:
    broken = evidence_page(sample.tables(), None, name="n", version="1").replace(b"--paper:", b"--Paper:", 1)
    assert opened(broken, tmp_path, "--dump-dom")[1]


@pytest.mark.parametrize("scheme", ["0", "1"], ids=["dark", "light"])
def test_the_evidence_page_renders_and_its_console_is_silent(scheme: str, tmp_path: Path) -> None:
    page = evidence_page(sample.tables(), sample.audit(), name="n", version="1")
    document, said = opened(page, tmp_path, "--dump-dom", f"--blink-settings=preferredColorScheme={scheme}")
    assert said == []
    assert document.count('<section class="cell"') == 64


def test_a_script_that_slipped_into_the_page_would_not_run(tmp_path: Path) -> None:
    page = evidence_page(sample.tables(), None, name="n", version="1")
    planted = page.replace(b"</main>", b"<script>document.title = 'it ran'</script></main>")
    document, said = opened(planted, tmp_path, "--dump-dom")
    assert "<title>it ran</title>" not in document
    assert said


def test_the_audit_page_renders_and_its_console_is_silent(tmp_path: Path) -> None:
    document, said = opened(audit_page(sample.audit()), tmp_path, "--dump-dom")
    assert said == []
    assert "C5-CLAIM-WRONG" in document


@pytest.mark.slow
def test_the_evidence_page_can_be_printed(tmp_path: Path) -> None:
    page = evidence_page(sample.tables(), sample.audit(), name="n", version="1")
    printed = tmp_path / "page.pdf"
    opened(page, tmp_path, f"--print-to-pdf={printed}")
    assert printed.read_bytes().startswith(b"%PDF")
