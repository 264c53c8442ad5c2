"""What became of facts, told on the command line, and the moving of pins that follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cellwright.cli.options import Format
from cellwright.cli.output import agreed, console, say, write_json

if TYPE_CHECKING:
    from cellwright.authoring.captures.drifting import TaskDrift
    from cellwright.clients.repository import Repository


def print_task_drift(drift: TaskDrift) -> None:
    """The facts that are not the same, and how many have each status."""
    from cellwright.views.terminal_drift import DriftLine, print_drift

    out = console()
    print_drift(
        out,
        [
            DriftLine(item.fact.id, item.drift.status, item.fact.source, item.drift.old, item.drift.new, item.drift.why)
            for item in drift.facts
        ],
    )
    counts = ", ".join(f"{count} {status}" for status, count in drift.counts.items() if count) or "no facts"
    kept = f"; {drift.kept} superseded, kept as they were read" if drift.kept else ""
    out.print(f"{drift.task}: {counts}{kept}", soft_wrap=True)


def accept_pins(
    repository: Repository, tasks: list[str] | None, sources: list[str], *, dry_run: bool, yes: bool, format_: Format
) -> int:
    """Tell what becomes of the facts, ask, and move the pins; gives the exit code."""
    from cellwright.authoring.captures.accepting import ALL, Acceptance, carry_out, plan_acceptance
    from cellwright.authoring.captures.command import task_of
    from cellwright.authoring.captures.drifting import drift_json
    from cellwright.authoring.loading import chosen_tasks

    if ALL in sources:
        by_task = {task: [ALL] for task in chosen_tasks(repository, tasks)}
    else:
        by_task = {}
        for source in sources:
            by_task.setdefault(task_of(repository, tasks, source.partition("@")[0]), []).append(source)
    plans: list[Acceptance] = [plan_acceptance(repository, task, names) for task, names in by_task.items()]
    moving = [(plan, step) for plan in plans for step in plan.moving]
    if format_ is Format.JSON:
        shown = [
            {
                "task": plan.task,
                "pins": [{"source": step.source, "old": step.before, "new": step.after} for step in plan.steps],
                "drift": drift_json(plan.drift),
            }
            for plan in plans
        ]
        write_json({"tasks": shown, "moved": not dry_run and bool(moving)})
    else:
        for plan in plans:
            if plan.drift.facts:
                print_task_drift(plan.drift)
    for plan in plans:
        for step in plan.steps:
            say(f"{plan.task}/{step.source}: {step.before[:12] or 'no pin'} → {step.after[:12]}")
    if dry_run:
        return 0 if all(plan.drift.holds for plan in plans) else 1
    if moving and not agreed(f"move {len(moving)} pin{'s' if moving[1:] else ''}?", yes=yes):
        say("nothing was moved")
        return 1
    for plan in plans:
        carry_out(repository, plan)
        for line in _what_is_left(plan.task, plan.drift):
            say(line)
    return 0


def _what_is_left(task: str, drift: TaskDrift) -> list[str]:
    """What a person has to do for the facts after the pins have moved."""
    lines = []
    if moved := drift.of("moved"):
        lines.append(
            f"{_facts(len(moved))} moved: `cellwright locate {task} --write --renew` renews quote, row, column and page"
        )
    if again := drift.of("changed", "orphaned", "unreachable"):
        names = ", ".join(item.fact.id for item in again[:3]) + (", …" if again[3:] else "")
        lines.append(
            f"{_facts(len(again))} must be read again, {names}: look at the page, mend `as_written` or rank the fact"
            f" superseded, then `cellwright locate {task} --write --renew`"
        )
    return lines


def _facts(count: int) -> str:
    return f"{count} fact{'s' if count != 1 else ''}"
