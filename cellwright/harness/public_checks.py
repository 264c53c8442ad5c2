"""Whether the tables of a public layout fit one another: ids, pairs, and what the summary counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal

from cellwright.harness.public_layout import ExportSettings, Layout, mean_of_cells, percent, status_of, summary_of
from cellwright.harness.public_models import ModelResult, ModelSummary, Pair, ScoreDetail, pair_id
from cellwright.records.decimals import canonical
from cellwright.records.errors import Place, Problem

ROUNDED = Decimal("0.0000005")
"""Half of the sixth decimal: the public benchmark rounds its averages so."""
TABLES = {
    "results": "data/model_results.jsonl",
    "answers": "data/model_answers.jsonl",
    "details": "data/score_details.jsonl",
}
SUMMARY = "data/summary.json"


def layout_problems(layout: Layout) -> Iterator[Problem]:
    """Each thing that does not fit, with the file and line where it stands."""
    yield from _case_problems(layout)
    cases = set(layout.case_ids)
    expected = {(item.model, item.case_id) for item in layout.results}
    for name, rows in (("results", layout.results), ("answers", layout.answers), ("details", layout.details)):
        yield from _pair_problems(TABLES[name], rows, cases, expected)
    yield from _missing_pairs(layout, expected)
    yield from _result_problems(layout)
    yield from _summary_problems(layout)


def _case_problems(layout: Layout) -> Iterator[Problem]:
    """Two of one name, also of names that some disks do not tell apart: an answer's file bears the case's name."""
    seen: dict[str, str] = {}
    for line, case in enumerate(layout.case_ids, 1):
        other = seen.get(case.casefold())
        seen[case.casefold()] = case
        if other is not None:
            what = "the case stands twice" if other == case else "two cases differ by capitals alone"
            yield Problem(what, Place("data/cases.jsonl", line, "case_id"), seen=case)


def _pair_problems(
    file: str, rows: Sequence[Pair], cases: set[str], expected: set[tuple[str, str]]
) -> Iterator[Problem]:
    seen: set[tuple[str, str]] = set()
    for line, row in enumerate(rows, 1):
        key = (row.model, row.case_id)
        if row.id not in (None, pair_id(*key)):
            yield Problem(
                "the id is not the model's and the case's",
                Place(file, line, "id"),
                seen=row.id or "",
                expected=pair_id(*key),
            )
        if key in seen:
            yield Problem("the pair stands twice", Place(file, line, "id"), seen=pair_id(*key))
        if row.case_id not in cases:
            yield Problem("the case is not in data/cases.jsonl", Place(file, line, "case_id"), seen=row.case_id)
        elif key not in expected:
            yield Problem("the pair is not in data/model_results.jsonl", Place(file, line, "id"), seen=pair_id(*key))
        seen.add(key)


def _missing_pairs(layout: Layout, expected: set[tuple[str, str]]) -> Iterator[Problem]:
    """A model that did not run on a case has its lines all the same; one model in two spellings has not."""
    folded: dict[str, str] = {}
    for model in sorted({item.model for item in layout.results}):
        other = folded.setdefault(model.casefold(), model)
        if other != model:
            yield Problem("two models differ by capitals alone", Place(TABLES["results"]), seen=f"{other} and {model}")
        for case in dict.fromkeys(layout.case_ids):
            if (model, case) not in expected:
                yield Problem(
                    "a pair has no line",
                    Place(TABLES["results"]),
                    seen=f"nothing of {pair_id(model, case)}",
                    expected="a line with null where there is no run",
                )
    for name, rows in (("answers", layout.answers), ("details", layout.details)):
        there = {(row.model, row.case_id) for row in rows}
        for key in sorted(expected - there):
            yield Problem("a pair has no line", Place(TABLES[name]), seen=f"nothing of {pair_id(*key)}")


def _result_problems(layout: Layout) -> Iterator[Problem]:
    """A result must be what its cells give, and passed what its percentage says."""
    details = {(item.model, item.case_id): (line, item) for line, item in enumerate(layout.details, 1)}
    for line, result in enumerate(layout.results, 1):
        place = Place(TABLES["results"], line, "overall_pct", pair_id(result.model, result.case_id))
        said, bar = result.overall_pct, result.pass_pct
        if result.passed is not None and (said is None or (bar is not None and result.passed != (said >= bar))):
            yield Problem(
                "`passed` is not what the percentage says",
                Place(TABLES["results"], line, "passed", place.record),
                seen=str(result.passed).lower(),
                expected="null" if said is None else str(bar is not None and said >= bar).lower(),
            )
        found = details.get((result.model, result.case_id))
        if found is not None and found[1].cells is not None:
            yield from _against_cells(result, found[1], found[0], place)
        elif result.status in ("scored", "open", "run_failed") and found is not None:
            yield Problem(f"a run that is {result.status} has no cells", Place(TABLES["details"], found[0], "cells"))


def _against_cells(result: ModelResult, detail: ScoreDetail, line: int, place: Place) -> Iterator[Problem]:
    cells = detail.cells or []
    names = Counter((cell.entity, cell.dimension) for cell in cells)
    twice, times = names.most_common(1)[0] if names else (("", ""), 0)
    if times > 1:
        yield Problem("a cell stands twice", Place(TABLES["details"], line, "cells"), seen="/".join(twice))
        return
    status = status_of(cells)
    if result.status is not None and result.status != status:
        yield Problem("the status is not what the cells say", place, seen=result.status, expected=status)
    mean = percent(mean_of_cells(cells).score) if status == "scored" else None
    if not agrees(result.overall_pct, mean):
        yield Problem(
            "the percentage is not the mean of the cells", place, seen=_shown(result.overall_pct), expected=_shown(mean)
        )


def _summary_problems(layout: Layout) -> Iterator[Problem]:
    said = layout.summary
    models = sorted({item.model for item in layout.results} | set(said.by_model))
    found = summary_of(len(layout.cases), models, layout.results, layout.answers, layout.details, ExportSettings())
    for name in type(said).model_fields:
        if name.startswith("n_") and name != "n_models" and getattr(said, name) != getattr(found, name):
            yield _count(name, getattr(said, name), getattr(found, name))
    there = {item.model for item in layout.results}
    if said.n_models != len(said.by_model):
        yield _count("n_models", said.n_models, len(said.by_model))
    for model in models:
        if model not in said.by_model:
            yield Problem("the summary leaves a model out", Place(SUMMARY, column="by_model"), seen=model)
        elif model not in there and layout.cases:
            yield Problem(
                f"the model has no line in {TABLES['results']}", Place(SUMMARY, column="by_model"), seen=model
            )
        else:
            yield from _model_problems(model, said.by_model[model], found.by_model[model], layout.results)


def _model_problems(
    model: str, said: ModelSummary, found: ModelSummary, results: Sequence[ModelResult]
) -> Iterator[Problem]:
    for name in ("scored", "expected"):
        if getattr(said, name) != getattr(found, name):
            yield _count(f"by_model.{model}.{name}", getattr(said, name), getattr(found, name))
    if not agrees(said.avg_overall_pct, found.avg_overall_pct):
        name = f"by_model.{model}.avg_overall_pct"
        yield _count(name, _shown(said.avg_overall_pct), _shown(found.avg_overall_pct))
    # Lines of elsewhere need not say who passed; then the count cannot be checked.
    mine = [item for item in results if item.model == model and item.overall_pct is not None]
    if all(item.passed is not None for item in mine) and said.pass_count != found.pass_count:
        yield _count(f"by_model.{model}.pass_count", said.pass_count, found.pass_count)


def agrees(said: Decimal | None, found: Decimal | None) -> bool:
    """Whether a percentage is the one that is found, exactly or rounded to six decimals."""
    if said is None or found is None:
        return said is found
    return abs(said - found) <= ROUNDED


def _count(name: str, said: object, found: object) -> Problem:
    return Problem(
        "the summary does not add up",
        Place(SUMMARY, column=name),
        seen=str(said),
        expected=f"{found}, as the tables have",
    )


def _shown(number: Decimal | None) -> str:
    return "null" if number is None else canonical(number)
