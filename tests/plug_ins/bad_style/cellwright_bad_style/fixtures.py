"""A fixture for each rule but the one that has none."""

from cellwright.authoring.plug_in_kit import Fixture, small_task
from cellwright_bad_style.rules import RULES

PASSING = small_task()
FAILING = small_task(("task.yaml", "question: How did", "question: A failing task. How did"))

FIXTURES = [Fixture(rule.info.id, PASSING, FAILING) for rule in RULES if rule.info.id != "C5-X-BAD-FIXTURELESS"]
