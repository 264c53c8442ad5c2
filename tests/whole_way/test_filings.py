"""Real filings: 624 figures found blind, none when tempted, and the shipped task on the documents themselves."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from cellwright.records.rows import TASK_TABLES
from cellwright.records.tables import write_table
from tests.whole_way.conftest import TASK, run_program
from tests.whole_way.filings import Figure, blind_fact, figures, filings, write_mirror, write_task


@pytest.fixture(scope="module")
def server(shared_data: Path) -> Iterator[str]:
    """The real documents behind a server on this machine."""
    pages = {f"/{name}.html": page for name, page in filings(shared_data).items()}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = pages.get(self.path)
            self.send_response(200 if page else 404)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(page or b"")))
            self.end_headers()
            self.wfile.write(page or b"")

        def log_message(self, *arguments: object) -> None:
            """Say nothing."""

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=httpd.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{httpd.server_port}"
    httpd.shutdown()
    httpd.server_close()
    thread.join()


@pytest.fixture(scope="module")
def captured(server: str, shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Figure]]:
    """A repository whose task has the 624 figures as blind facts, its 16 sources captured from the server."""
    root = tmp_path_factory.mktemp("filings")
    (root / "sources").mkdir()
    found = list(figures(shared_data))
    write_task(root / "tasks" / "matrix", found, [blind_fact(figure) for figure in found], server)
    run_program("capture", "matrix", "--allow-private", cwd=root)
    return root, found


def located(root: Path, facts: list[dict[str, str]]) -> dict[str, dict[str, object]]:
    """What `locate --format json` says of the facts, by id."""
    (root / "tasks" / "matrix" / "facts.csv").write_bytes(write_table(facts, TASK_TABLES["facts"].columns()))
    code = 1 if any(fact.get("as_written") or fact.get("value") or fact.get("scale") for fact in facts) else 0
    said = json.loads(run_program("locate", "matrix", "--format", "json", cwd=root, code=code))
    return {fact["id"]: fact for fact in said["facts"]}


def printed(figure: Figure) -> Decimal:
    """The value as printed: brackets are a minus, the scale is applied."""
    value = Decimal(figure.displayed.replace(",", "")).scaleb(figure.scale)
    return -value if figure.bracketed else value


def test_blind_all_624_come_back_exact_in_magnitude_scale_and_sign(captured: tuple[Path, list[Figure]]) -> None:
    root, found = captured
    said = located(root, [blind_fact(figure) for figure in found])
    wrong = [
        (figure.id, figure.document, figure.row, figure.period, printed(figure), said[figure.id])
        for figure in found
        if said[figure.id]["status"] != "exact"
        or Decimal(str(said[figure.id]["value_read"])) != printed(figure)
        or said[figure.id]["scale_read"] != figure.scale
    ]
    assert len(found) == 624
    assert sum(figure.bracketed for figure in found) == 66
    assert wrong == []


def full_fact(figure: Figure) -> dict[str, str]:
    """The fact as a careful curator fills it."""
    return {
        **blind_fact(figure),
        "as_written": figure.as_written,
        "value": format(printed(figure), "f"),
        "scale": str(figure.scale),
        "sign": "shown",
    }


def one_digit_changed(figure: Figure) -> dict[str, str]:
    position = max(index for index, char in enumerate(figure.displayed) if char.isdigit())
    digit = str((int(figure.displayed[position]) + 1) % 10)
    return with_figure(figure, figure.displayed[:position] + digit + figure.displayed[position + 1 :])


def with_figure(figure: Figure, displayed: str) -> dict[str, str]:
    value = Decimal(displayed.replace(",", "")).scaleb(figure.scale) * (-1 if figure.bracketed else 1)
    return {
        **full_fact(figure),
        "as_written": f"({displayed})" if figure.bracketed else displayed,
        "value": format(value, "f"),
    }


TEMPTATIONS: dict[str, Callable[[Figure], dict[str, str]]] = {
    "one digit changed": one_digit_changed,
    "the scale times a thousand": lambda figure: {
        **full_fact(figure),
        "scale": str(figure.scale + 3),
        "value": format(printed(figure).scaleb(3), "f"),
    },
    "the scale alone": lambda figure: {**full_fact(figure), "scale": str(figure.scale + 3)},
    "the value's sign against the sign column": lambda figure: {
        **full_fact(figure),
        "value": format(-printed(figure), "f"),
    },
    "the sign column against the value": lambda figure: {**full_fact(figure), "sign": "reversed"},
    "brackets added or taken away": lambda figure: {
        **full_fact(figure),
        "as_written": figure.displayed if figure.bracketed else f"({figure.displayed})",
    },
}


@pytest.mark.parametrize("name", sorted(TEMPTATIONS))
def test_tempted_none_comes_back_exact(captured: tuple[Path, list[Figure]], name: str) -> None:
    root, found = captured
    said = located(root, [TEMPTATIONS[name](figure) for figure in found])
    assert [fact["id"] for fact in said.values() if fact["status"] == "exact"] == []


def another_period(other: Figure, figure: Figure) -> bool:
    """Whether `other` is another figure of the same row, printed the same way."""
    same = ("document", "row", "name", "unit", "bracketed")
    return (
        all(getattr(other, name) == getattr(figure, name) for name in same)
        and other.period != figure.period
        and other.displayed != figure.displayed
    )


def test_tempted_by_another_periods_number_of_the_same_row_none_comes_back_exact(
    captured: tuple[Path, list[Figure]],
) -> None:
    root, found = captured
    facts = []
    for figure in found:
        others = [other for other in found if another_period(other, figure)]
        if others:
            facts.append(with_figure(figure, others[0].displayed))
    assert len(facts) > 500
    assert [fact["id"] for fact in located(root, facts).values() if fact["status"] == "exact"] == []


def test_filled_in_as_they_are_printed_all_come_back_exact(captured: tuple[Path, list[Figure]]) -> None:
    root, found = captured
    (root / "tasks" / "matrix" / "facts.csv").write_bytes(
        write_table([full_fact(figure) for figure in found], TASK_TABLES["facts"].columns())
    )
    said = json.loads(run_program("locate", "matrix", "--format", "json", cwd=root))
    assert said["counts"] == {"exact": 624, "mismatch": 0, "ambiguous": 0, "absent": 0}


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file as text."""
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))


BLANKED = {"facts": ("quote", "prefix", "suffix", "row", "column"), "sources": ("capture",)}


def test_the_shipped_task_passes_on_the_real_documents_without_a_stand_in(workshop: Path, shared_data: Path) -> None:
    folder = workshop / "tasks" / TASK
    for table, columns in BLANKED.items():
        rows = read_rows(folder / f"{table}.csv")
        blank = [{**row, **dict.fromkeys(columns, "")} for row in rows]
        (folder / f"{table}.csv").write_bytes(write_table(blank, TASK_TABLES[table].columns()))
    urls = {row["id"]: row["url"] for row in read_rows(folder / "sources.csv")}
    mirror = write_mirror(workshop / "real", shared_data, urls)
    run_program("capture", TASK, "--mirror", mirror, cwd=workshop)
    run_program("locate", TASK, "--write", cwd=workshop)
    audit = json.loads(run_program("audit", TASK, "--format", "json", cwd=workshop))
    assert audit["tasks"][0]["admitted"] is True
    assert [finding["rule"] for finding in audit["tasks"][0]["findings"]] == []
    assert all(fact["quote"] and fact["row"] for fact in read_rows(folder / "facts.csv"))
    run_program("bundle", "--out", "out", cwd=workshop)
    assert json.loads((workshop / "out" / "bundle.json").read_text())["demonstration"] is False
