"""Scoring: rules, the pure `grade`, the soundness of a derivation, and means with their denominators.

Design, section 8. The core is `grade(rule, reference, answer, sound)`; `read_answer` makes an `Answer` of an
answer's words, `judge_by_rule` says whether a shown derivation is sound as far as a rule can tell.
"""

from __future__ import annotations

from cellwright.records.scoring.aggregate import (
    OUTCOMES,
    CellScore,
    Mean,
    Outcome,
    Totals,
    mean_of_means,
    mean_of_scores,
    shared_tasks,
    total_scores,
)
from cellwright.records.scoring.answer import Answer, Reference, answer_of, reference_of
from cellwright.records.scoring.cell_unit import HUNDREDTHS, PLAIN, WHOLE, read_unit, unit_factor
from cellwright.records.scoring.evidence import Evidence, build_evidence
from cellwright.records.scoring.grade import Grade, as_point, grade, overlaps, right_sign, within_full
from cellwright.records.scoring.reading import Unread, read_answer, says_something, written
from cellwright.records.scoring.rule import (
    Rule,
    Tolerance,
    default_order,
    is_bare_fact,
    parse_rule,
    rule_from_json,
    rule_json,
    rule_problems,
)
from cellwright.records.scoring.soundness import Soundness, judge_by_rule
from cellwright.records.scoring.submitted import RawAnswer, ShownStep, SubmittedCell

__all__ = [
    "HUNDREDTHS",
    "OUTCOMES",
    "PLAIN",
    "WHOLE",
    "Answer",
    "CellScore",
    "Evidence",
    "Grade",
    "Mean",
    "Outcome",
    "RawAnswer",
    "Reference",
    "Rule",
    "ShownStep",
    "Soundness",
    "SubmittedCell",
    "Tolerance",
    "Totals",
    "Unread",
    "answer_of",
    "as_point",
    "build_evidence",
    "default_order",
    "grade",
    "is_bare_fact",
    "judge_by_rule",
    "mean_of_means",
    "mean_of_scores",
    "overlaps",
    "parse_rule",
    "read_answer",
    "read_unit",
    "reference_of",
    "right_sign",
    "rule_from_json",
    "rule_json",
    "rule_problems",
    "says_something",
    "shared_tasks",
    "total_scores",
    "unit_factor",
    "within_full",
    "written",
]
