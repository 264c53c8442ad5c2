"""Counts of an audit: what was checked and what was not, so that nothing passes in silence."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal

from cellwright.records.decimals import CONTEXT
from cellwright.records.derivations import CellResult, CheckResult
from cellwright.records.findings import CellAgreement
from cellwright.records.folder import TaskFolder
from cellwright.validators.context import AuditContext
from cellwright.validators.pilots import open_book


def counts_of(context: AuditContext, *, answered: bool) -> dict[str, int]:
    """Each count by its name; those of answers only where the task could be replayed.

    `difficulty_checked` is 0 where there are no pilots: difficulty is then not checked, and not met either.
    `best_constant.<dimension>` is the best constant's mean score in percent.
    """
    folder = context.folder
    counts = {
        "sources": len(folder.sources),
        "captures": sum(found.usable for found in context.evidence.values()),
        "facts": len(folder.facts),
        "quotes_found": sum(bool(places) for _, places in context.quoted),
        "difficulty_checked": int(has_pilots(folder)),
        "cells_piloted": len({(pilot.entity, pilot.dimension) for pilot in open_book(folder)}),
    }
    return {**counts, **(_of_answers(context) if answered else {})}


def has_pilots(folder: TaskFolder) -> bool:
    """Whether a trial run with its sources has a score: without one, difficulty cannot be checked."""
    return any(open_book(folder))


def agreement_of(context: AuditContext) -> tuple[CellAgreement, ...]:
    """What the witnesses say of each answered cell, in the task's order."""
    return tuple(
        CellAgreement(
            cell=f"{entity}/{dimension}",
            label=verdict.label,
            inputs=verdict.inputs,
            corroborated=verdict.corroborated,
            difference=verdict.difference,
            says=verdict.says(),
        )
        for (entity, dimension), verdict in context.answers.verdicts.items()
    )


def _of_answers(context: AuditContext) -> dict[str, int]:
    answers = context.answers
    checks = [cell.result for cell in answers.checks]
    labels = Counter(verdict.label for verdict in answers.verdicts.values())
    misses = [*answers.near_misses, *answers.witness_near_misses]
    counts = {
        "cells_replayed": sum(isinstance(result, CellResult) for result in answers.results.values()),
        "cells_consistent": labels["consistent"],
        "cells_divergent": labels["divergent"],
        "cells_single": labels["single"],
        "cells_not_available": sum(spec.answer_type == "not_available" for spec in context.specs.values()),
        "inputs": sum(verdict.inputs for verdict in answers.verdicts.values()),
        "inputs_corroborated": sum(verdict.corroborated for verdict in answers.verdicts.values()),
        "checks_run": sum(isinstance(result, CheckResult) and result.holds is not None for result in checks),
        "checks_skipped": sum(isinstance(result, CheckResult) and result.holds is None for result in checks),
        "near_misses": len(misses),
        "near_misses_indistinguishable": sum(miss.indistinguishable for miss in misses),
        "near_misses_not_worked_out": len(answers.broken_near_misses),
    }
    for dimension, best in answers.best_constants.items():
        counts[f"best_constant.{dimension}"] = int(CONTEXT.multiply(best.mean, Decimal(100)).to_integral_value())
    return counts
