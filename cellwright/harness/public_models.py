"""The records of the public DeepWeb-Bench layout: one task is a case, one model's run on it a pair.

    data/cases.jsonl           one line a case: what is asked
    data/model_results.jsonl   one line a pair: how the run scored, in percent
    data/model_answers.jsonl   one line a pair: the answer's text
    data/score_details.jsonl   one line a pair: the score of each cell
    data/summary.json          counts and averages

Every pair has its line in each of the three: where a model did not run on a case, what it would hold is null. The
names of the files and the keys of the summary are those of the public benchmark; what a line holds beyond
`id`, `model`, `case_id` and `overall_pct` is ours, and a reader passes over what it does not know.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from cellwright.records.scoring.aggregate import Outcome

NAME_PATTERN = r"^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,118}[A-Za-z0-9_-])?$"
"""A model's or a case's id: it stands in `model::case` and names a folder."""
SEPARATOR = "::"
MAX_TEXT = 4_000_000
"""Characters of one answer."""
MAX_WORDS = 2_000
"""Characters of any other text of a line."""
MAX_CELLS = 10_000

Status = Literal["scored", "open", "run_failed", "missing"]
"""`scored`: every cell is; `open`: a cell has bounds only, so that there are bounds and no score; `run_failed`: the
run did not end; `missing`: there is no run."""


def pair_id(model: str, case: str) -> str:
    """The id of a model's run on a case: `model::case`."""
    return f"{model}{SEPARATOR}{case}"


def _number(value: Any) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise ValueError("a JSON number, not text")
    return Decimal(value)


Number = Annotated[Decimal, BeforeValidator(_number)]
Percent = Annotated[Number, Field(ge=0, le=100)]
Share = Annotated[Number, Field(ge=0, le=1)]
Name = Annotated[str, Field(pattern=NAME_PATTERN)]
Words = Annotated[str, Field(max_length=MAX_WORDS)]
Count = Annotated[int, Field(ge=0, le=10**12)]


class Record(BaseModel):
    """What all records share: values of the very type, keys that are not known passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True, use_attribute_docstrings=True)


class Pair(Record):
    """A line about one model's run on one case."""

    id: Annotated[str, Field(max_length=300)] | None = None
    """`model::case`; a line of elsewhere may leave it out, for `model` and `case_id` say it."""
    model: Name
    """The model's id."""
    case_id: Name
    """The case's id: the task's."""


class ModelResult(Pair):
    """A line of `model_results.jsonl`."""

    status: Status | None = None
    """How the run stands; where a line of elsewhere does not say it, `overall_pct` does."""
    overall_pct: Percent | None
    """The mean of the case's cells, 0 to 100; null where there is no run or no score."""
    lower_pct: Percent | None = None
    """The least it can be where cells are undecided; else the same."""
    upper_pct: Percent | None = None
    """The most it can be where cells are undecided; else the same."""
    passed: bool | None = None
    """Whether `overall_pct` is `pass_pct` or more; null where there is no score."""
    pass_pct: Percent | None = None
    """The percentage from which a case counts as passed."""


class ModelAnswer(Pair):
    """A line of `model_answers.jsonl`."""

    answer: Annotated[str, Field(max_length=MAX_TEXT)] | None
    """The answer's text: a submission's JSON lines about this case, or the Markdown that the model wrote."""


class ScoredCell(Record):
    """One cell of a case, as `harness score` tells it."""

    entity: Words
    dimension: Words
    cell_digest: Words
    outcome: Outcome
    score: Share | None
    """0 to 1; null where only the bounds are known, or the run failed."""
    lower: Share | None
    upper: Share | None
    read_span: Words
    read_value: Words
    read_unit: Words
    clause: Words
    near_miss: Words
    judge_model: Words
    judge_prompt: Words
    judge_reason: Words

    @model_validator(mode="after")
    def _bounds(self) -> ScoredCell:
        """A score is its own bounds; without one there are bounds, but for a run that failed."""
        numbers = (self.score, self.lower, self.upper)
        if self.outcome == "run_failed":
            if numbers != (None, None, None):
                raise ValueError("no score and no bounds, for the run failed")
        elif self.lower is None or self.upper is None or self.lower > self.upper:
            raise ValueError("`lower` and `upper`, the one no more than the other")
        elif self.score is not None and (self.score != self.lower or self.score != self.upper):
            raise ValueError("`lower` and `upper` that are the score where there is one")
        return self


class ScoreDetail(Pair):
    """A line of `score_details.jsonl`."""

    cells: Annotated[list[ScoredCell], Field(max_length=MAX_CELLS)] | None = None
    """The case's cells in the order of its matrix; null where there is no run."""


class CaseName(Record):
    """What is read of a line of `cases.jsonl`: the bundle has the rest."""

    case_id: Name


class ModelSummary(Record):
    """One model in `summary.json`."""

    scored: Count
    """Cases with a score."""
    expected: Count
    """Cases there are."""
    avg_overall_pct: Percent | None
    """The mean over the scored cases; null where there is none."""
    pass_count: Count
    """Cases passed."""


class Summary(Record):
    """`summary.json`."""

    dataset_id: Words | None
    dataset_url: Words | None
    code_url: Words | None
    exported_at: Words | None
    """When it was exported, where somebody said it."""
    n_cases: Count
    n_models: Count
    n_model_case_pairs: Count
    n_scored: Count
    n_model_answer_records: Count
    n_model_answers_with_text: Count
    n_score_detail_records: Count
    by_model: Annotated[dict[Name, ModelSummary], Field(max_length=10_000)]
