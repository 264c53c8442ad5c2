"""Each rule of our house with a task in which it finds nothing, and one in which it finds something."""

from cellwright.authoring.plug_in_kit import Fixture, small_task

ASK = "Revenue of the fiscal year as first reported."

FIXTURES = [
    Fixture(
        "C5-X-HOUSE-ASK-LENGTH", passing=small_task(), failing=small_task(("task.yaml", ASK, ASK + " In full." * 30))
    )
]
