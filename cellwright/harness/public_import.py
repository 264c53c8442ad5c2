"""A public layout back into our files: for each model its results, its submission and its percentages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from cellwright.clients.bundle_reader import Bundle
from cellwright.clients.disk import read_bytes
from cellwright.clients.folders import check_place, replace_folder
from cellwright.harness.exact_json import read_json, write_json
from cellwright.harness.public_files import MAX_FILE, ReadLayout
from cellwright.harness.public_layout import Layout, Run, runs_of
from cellwright.harness.run_files import results_jsonl_of, split_answers
from cellwright.records.errors import Place, Problem, UnreadableInput

MARK = "layout.json"
"""What an imported folder is known by: the layout's own words, and the files that were written."""
MAX_PROBLEMS = 50


def import_files(read: ReadLayout) -> dict[str, bytes]:
    """Each file of the imported folder by its path.

    Below `runs/MODEL/`: `results.jsonl` for models whose cells are told, `submission.jsonl` for answers in JSON
    lines, `answers/CASE.md` for answers in any other words, `overall.jsonl` with a percentage a case.
    """
    layout = read.layout
    files: dict[str, bytes] = {}
    for run in runs_of(layout):
        files.update({f"runs/{run.model}/{name}": data for name, data in _run_files(run, layout).items()})
    said = layout.summary
    bars = {item.pass_pct for item in layout.results if item.pass_pct is not None}
    mark = {
        "dataset_id": said.dataset_id,
        "dataset_url": said.dataset_url,
        "code_url": said.code_url,
        "exported_at": said.exported_at,
        "pass_pct": bars.pop() if len(bars) == 1 else None,
        "cases": layout.case_ids,
        "models": sorted(said.by_model),
        "left_out": read.unknown,
        "files": sorted(files),
    }
    return {**files, MARK: f"{write_json(mark, indent=1)}\n".encode()}


def _run_files(run: Run, layout: Layout) -> dict[str, bytes]:
    submission, texts = split_answers(run.answers)
    overall = [
        {"case_id": item.case_id, "overall_pct": item.overall_pct, "passed": item.passed}
        for item in layout.results
        if item.model == run.model
    ]
    files = {"overall.jsonl": "".join(f"{write_json(row)}\n" for row in overall).encode()}
    if run.cells or not any(row["overall_pct"] is not None for row in overall):
        files["results.jsonl"] = results_jsonl_of(run)
    if submission:
        files["submission.jsonl"] = submission.encode()
    return {**files, **{f"answers/{case}.md": text.encode() for case, text in texts.items()}}


def check_against(layout: Layout, bundle: Bundle) -> None:
    """Raises UnreadableInput, naming each, for cells that are not the bundle's or of another version of it."""
    problems: list[Problem] = []
    for line, detail in enumerate(layout.details, 1):
        for cell in detail.cells or ():
            key = detail.case_id, cell.entity, cell.dimension
            row = bundle.cells.get(key)
            if row is None or row["digest"] != cell.cell_digest:
                what = (
                    "the cell is not in the bundle" if row is None else "the cell is of another version of the bundle"
                )
                problems.append(Problem(what, Place("data/score_details.jsonl", line, "cells", "/".join(key))))
        if len(problems) >= MAX_PROBLEMS:
            break
    if problems:
        raise UnreadableInput(problems[:MAX_PROBLEMS])


def write_import(files: Mapping[str, bytes], out: Path) -> None:
    """Puts the files into the folder `out`, whole or not at all; an earlier import there is replaced.

    Raises UnreadableInput where `out` holds anything but an earlier import.
    """
    check_place(out, mark=MARK)
    if (out / MARK).is_file():
        others = sorted(_there(out) - _listed(out) - {MARK})
        if others:
            raise UnreadableInput(
                "the folder holds more than an import",
                Place(str(out)),
                seen=", ".join(others[:5]),
                fix="move these files away, or name another folder",
            )
    replace_folder(out, files, mark=MARK)


def _there(out: Path) -> set[str]:
    return {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_symlink() or not path.is_dir()}


def _listed(out: Path) -> set[str]:
    try:
        said = read_json(read_bytes(out / MARK, limit=MAX_FILE, name=MARK).decode("utf-8"))
    except ValueError:
        return set()
    files = said.get("files") if isinstance(said, dict) else None
    return {item for item in files if isinstance(item, str)} if isinstance(files, list) else set()
