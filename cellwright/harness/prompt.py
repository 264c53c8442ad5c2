"""The prompt of a task as a bundle gives it."""

from __future__ import annotations

from cellwright.clients.bundle_reader import Bundle
from cellwright.records.prompt import task_prompt


def prompt_of(bundle: Bundle, task: str) -> str:
    """The prompt of `task`, in Markdown. Raises UnreadableInput for a task that the bundle has not."""
    return task_prompt(bundle.tables, task, canary=bundle.canary)
