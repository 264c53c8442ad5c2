"""`harness export` and `harness import`: the public DeepWeb-Bench layout, out and in."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cellwright.cli.options import BundleDir, Root, bundle_folder
from cellwright.cli.output import progress, say
from cellwright.cli.seal_commands import KeyFile, key_for

if TYPE_CHECKING:
    from decimal import Decimal

    from cellwright.harness.public_files import ReadLayout


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("export")(export)
    app.command("import")(import_)


def export(
    run: Annotated[
        list[str],
        typer.Option(
            "--run",
            metavar="MODEL=RESULTS[,SUBMISSION]",
            show_default=False,
            help="A model's id, its result lines, and its submission where the answers shall be told; once a model.",
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", show_default=False, help="The folder; the files go below DIR/data.")
    ],
    bundle: BundleDir = None,
    root: Root = None,
    key_file: KeyFile = None,
    dataset_id: Annotated[
        str, typer.Option(metavar="ID", show_default=False, help="The dataset's id; else the bundle's name.")
    ] = "",
    dataset_url: Annotated[
        str, typer.Option(metavar="URL", show_default=False, help="Where the dataset is; else null.")
    ] = "",
    code_url: Annotated[
        str, typer.Option(metavar="URL", show_default=False, help="Where the code is; else null.")
    ] = "",
    exported_at: Annotated[
        str,
        typer.Option(
            metavar="DATE", show_default=False, help="The day or time that the summary tells; no clock does: else null."
        ),
    ] = "",
    pass_at: Annotated[
        str, typer.Option(metavar="PERCENT", help="From which percentage of a case on it counts as passed.")
    ] = "50",
    with_references: Annotated[
        bool, typer.Option("--with-references", help="Tell the references and rules too. They are then public.")
    ] = False,
) -> None:
    """Write runs in the public DeepWeb-Bench layout.

    One case a task, one line for each model and case, null where a model did not run. Without --with-references
    the cases tell no more than their prompts do.

    \b
    Example:
      cellwright harness export --bundle build/bundle --run mine=results.jsonl,answers.jsonl --out public
    """
    from cellwright.clients.bundle_reader import open_bundle
    from cellwright.clients.disk import write_all_atomic
    from cellwright.harness.public_cases import public_cases
    from cellwright.harness.public_files import layout_files
    from cellwright.harness.public_layout import ExportSettings, layout_of
    from cellwright.harness.run_files import load_run

    named = _runs(run)
    settings = ExportSettings(
        dataset_id=_words("--dataset-id", dataset_id),
        dataset_url=_address("--dataset-url", dataset_url),
        code_url=_address("--code-url", code_url),
        exported_at=_moment(exported_at),
        pass_pct=_percentage(pass_at),
    )
    folder = bundle_folder(bundle, root)
    opened = open_bundle(folder, key_for(folder, key_file))
    runs = []
    with progress("export") as tell:
        for number, (model, (results, submission)) in enumerate(named.items()):
            if tell is not None:
                tell(number, len(named), model)
            runs.append(load_run(model, results, submission, opened))
    layout = layout_of(public_cases(opened, references=with_references), runs, settings.named(opened.name))
    write_all_atomic({out / name: data for name, data in layout_files(layout).items()})
    said = layout.summary
    say(f"{out}/data: {said.n_scored} of {said.n_model_case_pairs} pairs of model and case are scored")
    for item in layout.results:
        if item.status in ("open", "run_failed"):
            why = "has cells that no judge decided" if item.status == "open" else "failed"
            say(f"{item.id} {why}: its score is null")


def import_(
    layout: Annotated[
        Path, typer.Argument(metavar="DIR", show_default=False, help="The folder that holds data/summary.json.")
    ],
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", show_default=False, help="Where each model's files are written.")
    ],
    bundle: Annotated[
        Path | None,
        typer.Option(
            "--bundle", metavar="DIR", show_default=False, help="A bundle whose cells the scored ones must be."
        ),
    ] = None,
    root: Annotated[
        Path | None,
        typer.Option(
            "--root", metavar="DIR", show_default=False, help="The repository whose build/bundle is that bundle."
        ),
    ] = None,
    key_file: KeyFile = None,
    answer_key: Annotated[
        str, typer.Option(metavar="KEY", help="The key under which model_answers.jsonl has the answers' text.")
    ] = "answer",
) -> None:
    """Read runs in the public DeepWeb-Bench layout back into results and submissions.

    What is known is checked to the letter, and the summary against the lines; keys that are not known are left
    out and told.

    \b
    Example:
      cellwright harness import public --out imported
    """
    from cellwright.clients.bundle_reader import open_bundle
    from cellwright.harness.public_files import read_layout
    from cellwright.harness.public_import import check_against, import_files, write_import

    read = read_layout(layout, answer_key=answer_key)
    if bundle is not None or root is not None:
        folder = bundle_folder(bundle, root)
        check_against(read.layout, open_bundle(folder, key_for(folder, key_file)))
    write_import(import_files(read), out)
    _tell_import(read, out)


def _tell_import(read: ReadLayout, out: Path) -> None:
    from cellwright.harness.public_models import pair_id
    from cellwright.views.safe import one_line

    said = read.layout.summary
    say(f"{out}: {said.n_models} models, {said.n_cases} cases, {said.n_scored} of {said.n_model_case_pairs} scored")
    for name, keys in read.unknown.items():
        shown = ", ".join(list(keys)[:10]) + (", …" if len(keys) > 10 else "")
        say(one_line(f"{name}: left out, for nobody here knows them: {shown}"))
    scored = {pair_id(item.model, item.case_id) for item in read.layout.results if item.overall_pct is not None}
    if any(item.cells is None and pair_id(item.model, item.case_id) in scored for item in read.layout.details):
        say("some scores come without their cells: they are in overall.jsonl, and in no results.jsonl")


def _runs(given: list[str]) -> dict[str, tuple[Path, Path | None]]:
    """What `--run` names, by model. Raises UnreadableInput."""
    from cellwright.harness.public_models import NAME_PATTERN
    from cellwright.records.errors import UnreadableInput

    found: dict[str, tuple[Path, Path | None]] = {}
    for text in given:
        model, _, files = text.partition("=")
        results, comma, submission = files.partition(",")
        if not re.fullmatch(NAME_PATTERN, model) or not results or "," in submission or (comma and not submission):
            raise UnreadableInput(
                "a run cannot be read",
                seen=text,
                expected="MODEL=RESULTS or MODEL=RESULTS,SUBMISSION, the model of letters, digits and . _ -",
                fix="mend `--run`",
            )
        if model.casefold() in {name.casefold() for name in found}:
            raise UnreadableInput("a model is named twice", seen=model, expected="each once", fix="mend `--run`")
        found[model] = (Path(results), Path(submission) if submission else None)
    return found


def _words(option: str, text: str) -> str | None:
    from cellwright.records.errors import UnreadableInput

    if len(text) > 300 or not text.isprintable():
        raise UnreadableInput(
            "the text cannot be told in the summary",
            seen=text,
            expected="one line of 300 characters at most",
            fix=f"mend `{option}`",
        )
    return text or None


def _address(option: str, text: str) -> str | None:
    from cellwright.records.errors import UnreadableInput
    from cellwright.views.safe import web_address

    if text and not web_address(text):
        raise UnreadableInput(
            "the address cannot be read", seen=text, expected="one that begins with https://", fix=f"mend `{option}`"
        )
    return text or None


def _moment(text: str) -> str | None:
    """A day or a time in ISO form, as it was said."""
    from datetime import datetime

    from cellwright.records.errors import UnreadableInput

    try:
        if text and (len(text) < len("YYYY-MM-DD") or text[4:5] != "-"):
            raise ValueError
        datetime.fromisoformat(text or "2000-01-01")
    except ValueError:
        raise UnreadableInput(
            "the day of the export cannot be read",
            seen=text,
            expected="YYYY-MM-DD, or a day with a time as in 2026-05-07T01:56:46+00:00",
            fix="mend `--exported-at`",
        ) from None
    return text or None


def _percentage(text: str) -> Decimal:
    from cellwright.records.decimals import parse_canonical
    from cellwright.records.errors import UnreadableInput

    try:
        value = parse_canonical(text)
        if not 0 <= value <= 100:
            raise ValueError
    except ValueError:
        raise UnreadableInput(
            "the percentage cannot be read", seen=text, expected="a number from 0 to 100", fix="mend `--pass-at`"
        ) from None
    return value
