"""A submission graded against a bundle: one result line a cell, and the means with their denominators.

What the rule cannot decide keeps its bounds (`lower`, `upper`) and has no `score`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from cellwright.clients.bundle_reader import Bundle, Key
from cellwright.harness.diagnosis import nearest_near_miss
from cellwright.harness.submission import Submission
from cellwright.records.bundle import canonical_json
from cellwright.records.decimals import canonical
from cellwright.records.errors import Place
from cellwright.records.scoring import (
    Answer,
    CellScore,
    Evidence,
    Grade,
    Outcome,
    Reference,
    Rule,
    Soundness,
    SubmittedCell,
    Totals,
    Unread,
    as_point,
    build_evidence,
    grade,
    judge_by_rule,
    read_answer,
    reference_of,
    rule_from_json,
    total_scores,
    within_full,
    written,
)

NOTHING = Decimal(0)


@dataclass(frozen=True, slots=True)
class ResultLine:
    """One cell's result (design, section 8). `score` is None where only its bounds are known."""

    task: str
    entity: str
    dimension: str
    cell_digest: str
    outcome: Outcome
    score: Decimal | None
    lower: Decimal | None
    upper: Decimal | None
    read_span: str
    """The words that were read as the answer."""
    read_value: str
    """What was read, in `read_unit`: digits, `low to high`, or `not available`."""
    read_unit: str
    """The cell's unit; the answer's own where that is of another kind."""
    clause: str
    """The line of the scoring table that gave the score, or why nothing could be read."""
    near_miss: str
    """The published near miss that the answer, or an input of its derivation, is."""
    judge_model: str = ""
    judge_prompt: str = ""
    judge_reason: str = ""
    """What decided on the derivation; `by rule: …` where no judge was asked."""

    def data(self) -> dict[str, str | None]:
        """The line as plain data, its numbers as decimal strings; a score that is open is None."""
        found: dict[str, str | None] = {}
        for name in self.__dataclass_fields__:
            value = getattr(self, name)
            found[name] = canonical(value) if isinstance(value, Decimal) else value
        return found


@dataclass(frozen=True)
class ScoreReport:
    """The results of one submission on one bundle."""

    bundle: str
    version: str
    cells_digest: str
    lines: tuple[ResultLine, ...]
    scores: tuple[CellScore, ...]
    totals: Totals


def score_submission(bundle: Bundle, submission: Submission, *, run_failed: Iterable[str] = ()) -> ScoreReport:
    """Every cell of the bundle graded; cells that the submission does not answer count 0.

    `run_failed` names tasks whose run failed: they are in no mean, and are named and counted. Raises
    UnreadableInput where a row of the bundle cannot be read.
    """
    failed = set(run_failed)
    for task in failed:
        bundle.require_task(task)
    grader = _Grader(bundle)
    lines, scores = [], []
    for key in bundle.cells_in_order:
        line = _failed_line(bundle, key) if key[0] in failed else grader.line(key, submission.cells.get(key))
        lines.append(line)
        scores.append(
            CellScore(*key, bundle.cells[key]["family"], line.outcome, line.lower or NOTHING, line.upper or NOTHING)
        )
    return ScoreReport(
        bundle.name, bundle.version, bundle.cells_digest, tuple(lines), tuple(scores), total_scores(scores)
    )


def results_jsonl(report: ScoreReport) -> bytes:
    """The result lines as JSON lines, keys in the design's order, numbers as decimal strings."""
    return lines_jsonl(report.lines)


def lines_jsonl(lines: Iterable[ResultLine]) -> bytes:
    """Result lines as they are written: keys in the design's order, numbers as decimal strings."""
    return "".join(_json_line(line) for line in lines).encode("utf-8")


def _json_line(line: ResultLine) -> str:
    pairs = (f"{canonical_json(key)}:{canonical_json(value)}" for key, value in line.data().items())
    return "{" + ",".join(pairs) + "}\n"


def _failed_line(bundle: Bundle, key: Key) -> ResultLine:
    digest = bundle.cells[key]["digest"]
    return ResultLine(*key, digest, "run_failed", None, None, None, "", "", "", "the run failed", "")


class _Grader:
    """Grades cells of one bundle; what cells of a task share is looked up once."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        tables = bundle.tables
        self.steps: dict[str, dict[tuple[str, str], list[dict[str, str]]]] = defaultdict(lambda: defaultdict(list))
        for row in sorted(tables["steps"], key=lambda row: int(row["position"])):
            self.steps[row["task"]][row["entity"], row["dimension"]].append(row)
        self.facts: dict[str, dict[str, dict[str, str]]] = defaultdict(dict)
        for row in tables["facts"]:
            self.facts[row["task"]][row["fact"]] = row
        self.near_misses: dict[Key, list[dict[str, str]]] = defaultdict(list)
        for row in tables["near_misses"]:
            self.near_misses[row["task"], row["entity"], row["dimension"]].append(row)

    def line(self, key: Key, cell: SubmittedCell | None) -> ResultLine:
        """The result of one cell."""
        row = self.bundle.cells[key]
        read: Answer | Unread = Unread("no_answer", "the submission does not answer this cell")
        if cell is not None:
            read = read_answer(cell.answer, row["unit"])
        if isinstance(read, Unread) or cell is None:
            assert isinstance(read, Unread)
            return ResultLine(
                *key,
                row["digest"],
                read.outcome,
                NOTHING,
                NOTHING,
                NOTHING,
                _flat(read.span),
                "",
                row["unit"],
                read.why,
                "",
            )
        rule = rule_from_json(row["rule"], Place("cells.parquet", None, "rule", "/".join(key)))
        reference = reference_of(row, Place("cells.parquet", record="/".join(key)))
        sound = self._soundness(key, cell, rule, reference, read)
        earned = grade(
            rule,
            reference,
            read,
            None if sound is None else sound.sound,
            False if sound is None else sound.right_inputs,
        )
        near_miss = nearest_near_miss(rule, reference, read, self.near_misses[key])
        return ResultLine(
            *key,
            row["digest"],
            "scored",
            earned.score if earned.decided else None,
            earned.lower,
            earned.upper,
            _flat(read.span),
            written(read),
            read.other_unit or row["unit"],
            earned.clause,
            near_miss or (sound.near_miss if sound is not None else ""),
            judge_reason=_reason(sound, earned, rule),
        )

    def _soundness(
        self, key: Key, cell: SubmittedCell, rule: Rule, reference: Reference, answer: Answer
    ) -> Soundness | None:
        """The rule's word on the derivation; None where no score depends on it."""
        if reference.answer_type != "precise" or answer.type == "not_available" or answer.other_unit:
            return None
        if rule.derivation == "optional" and answer.value is not None and within_full(rule, reference, answer.value):
            return None
        return judge_by_rule(self._evidence(key), cell.derivation, as_point(answer))

    def _evidence(self, key: Key) -> Evidence:
        task = key[0]
        return build_evidence(self.bundle.cells[key], self.steps[task], self.facts[task], self.near_misses[key])


def _reason(sound: Soundness | None, earned: Grade, rule: Rule) -> str:
    if sound is None or (earned.decided and not earned.score):
        return ""
    return f"{'by rule' if earned.decided else 'no judge was asked'}: {_flat(sound.why)}"


def _flat(text: str) -> str:
    """`text` on one line, control characters gone, at most 300 characters."""
    return "".join(char if char.isprintable() else " " for char in text[:300])
