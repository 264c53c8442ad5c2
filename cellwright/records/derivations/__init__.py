"""Derivations: a safe arithmetic language over a task's facts, evaluated with a trace and an interval.

Design, sections 3 to 5. `parse` and `format_expression` are the language, `static_problems` tells what is wrong
with a task's derivations before any number is looked at, `Evaluator` works out cells, near misses and checks.

What the names mean, where an entity's cell is evaluated for its dimension's period:

- `x`: a step before this one, an assumption, or the primary fact of the entity, else of the task (`*`), whose
  dates are those of the period for this entity. `x[-1]` is the label one year earlier, `x['FY2021']` another one.
- `capex.*`: every primary fact whose name is `capex.` and exactly one more part; there must be one.
- `all.x`, `others.x`: the entities' own facts, each for its own dates; or a step of this dimension in their cells.
- `publishers.x`: the primary fact and its witnesses for the same dates.
- `cells.d`: the answer of the same entity in dimension `d`, a percentage as hundredths; of a range one end,
  `cells.d.low`; `cells.d.step` any step. A not-available cell has none.

What the functions give: `sum mean median min max count` of any numbers and lists (the median of an even count is
the mean of the middle two); `abs(x)`; `share(x, list)`: x over the list's sum; `cagr(first, last, years)`:
(last / first) ** (1 / years) - 1; `rank(x, list, descending)`: 1 + how many are larger, so that equals share
the better rank; `if(c, a, b)`: a where c is not 0, and what is not taken need not be there; `available(x)`: 1
or 0 as the fact or cell is there or not; `available(list)`: the list without the entities whose cell in this
dimension is not available, counted in the notes; `to(x, EUR, average)`: by the primary fact `fx.usd_eur.average`
in EUR/USD, or over `fx.eur_usd.average` in USD/EUR, of the entity or the task, for the dates of x's period.
Comparisons give 1 or 0. 0 fits any unit.
"""

from __future__ import annotations

from cellwright.records.derivations._evaluate import Evaluator
from cellwright.records.derivations._missteps import Misstep, answer_key
from cellwright.records.derivations._parse import parse
from cellwright.records.derivations._reading import value_and_half
from cellwright.records.derivations._results import CellResult, CheckResult, Evaluated, StepResult, cell_json
from cellwright.records.derivations._static import static_problems
from cellwright.records.derivations._tree import Tree, format_expression
from cellwright.records.derivations._values import MissingFact

__all__ = [
    "CellResult",
    "CheckResult",
    "Evaluated",
    "Evaluator",
    "MissingFact",
    "Misstep",
    "StepResult",
    "Tree",
    "answer_key",
    "cell_json",
    "format_expression",
    "parse",
    "static_problems",
    "value_and_half",
]
