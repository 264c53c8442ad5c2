"""What `release verify` found: one check for each thing that a release promises, met, failed or not checked. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pydantic import BaseModel, ConfigDict, computed_field

from cellwright.records.errors import CellwrightError
from cellwright.records.findings import State

CHECKS = {
    "tag": "the tag is a release's, and its trailers state what the release is",
    "pulled": "every file that came from the remote has the hash that the commit names",
    "captures": "every capture is the document that its name, captures.csv and the pins say",
    "manifest": "bundle.json is in its one form, and is the one that the tag names",
    "files": "the folder holds what bundle.json lists, byte for byte, and nothing else",
    "released": "every file is the one that DVC keeps for the tag",
    "sealed": "the sealed archive is the one that bundle.json names",
    "tables": "every table has its columns, rows, order, keys and digest",
    "digests": "the digests of the cells and of the corpus follow from the tables",
    "made again": "prompts, cases, cards and pages follow from the tables, byte for byte",
    "rebuilt": "the bundle built again from the tag's files and captures is this one",
    "read": "the harness reads the bundle",
    "scores": "the stored submissions score what they scored when the release was cut",
}
"""The checks in their order, each with what it proves."""


class Remark(BaseModel):
    """One thing that was seen, and in which file."""

    model_config = ConfigDict(frozen=True)
    file: str
    """The path within the bundle or the repository; empty where it is no file's."""
    what: str
    """What is wrong with it, or what was not checked and why, in a sentence."""

    def sentence(self) -> str:
        """`facts.parquet: the file is missing`."""
        return f"{self.file}: {self.what}" if self.file else self.what


class Check(BaseModel):
    """One check and how it ended."""

    model_config = ConfigDict(frozen=True)
    name: str
    """Its short name."""
    proves: str
    """What it proves where it is met."""
    state: State
    """met, failed or not checked."""
    remarks: tuple[Remark, ...] = ()
    """Where failed, all that is wrong; where not checked, why; where met, what was counted."""


class Verification(BaseModel):
    """All checks of one release or bundle."""

    model_config = ConfigDict(frozen=True)
    tool: str
    """The program that verified, and its version."""
    subject: str
    """The folder or address that was verified."""
    revision: str
    """The tag, empty where none was named."""
    checks: tuple[Check, ...]
    """In the order in which they were made."""

    @computed_field  # type: ignore[prop-decorator]
    @property
    def verified(self) -> bool:
        """Whether nothing failed; what was not checked is told, and fails nothing."""
        return not any(check.state == "failed" for check in self.checks)


def judged(name: str, wrong: Iterable[Remark], counted: str = "") -> Check:
    """The check `name`: failed by anything wrong, else met with what was counted."""
    remarks = tuple(wrong)
    if remarks:
        return Check(name=name, proves=CHECKS[name], state="failed", remarks=remarks)
    return Check(
        name=name, proves=CHECKS[name], state="met", remarks=(Remark(file="", what=counted),) if counted else ()
    )


def unchecked(name: str, why: str, file: str = "") -> Check:
    """The check `name`, not made, and why."""
    return Check(name=name, proves=CHECKS[name], state="not checked", remarks=(Remark(file=file, what=why),))


def remarks_of(error: CellwrightError) -> list[Remark]:
    """An error's problems as remarks, each with its file."""
    return [
        Remark(file=problem.place.file, what=replace(problem, place=replace(problem.place, file="")).sentence())
        for problem in error.problems
    ]
