"""A real plug-in, built and installed beside Cellwright, adds its rule and its profile from the command line."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from cellwright.authoring.plug_ins import load_plug_ins
from cellwright.validators.audit import all_rules
from tests.cli.conftest import captured, here, workshop
from tests.cli.workshop import TASK, Result, Workshop, edit, environment
from tests.conftest import ROOT

__all__ = ["captured", "here", "workshop"]

FOLDER = ROOT / "tests" / "plug_ins" / "house_style"
RULE, NAME = "C5-X-HOUSE-ASK-LENGTH", "cellwright-house-style"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example as a wheel, built without any network."""
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "-n", "-w", "-o", str(out), str(FOLDER)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return next(out.glob("*.whl"))


@pytest.fixture
def site(wheel: Path, tmp_path: Path) -> Path:
    """A folder of installed packages with the example in it."""
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "site")
    return tmp_path / "site"


@pytest.fixture
def installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The example installed for this process; what it imports is forgotten afterwards."""
    monkeypatch.syspath_prepend(str(site))
    yield site
    for name in [name for name in sys.modules if name.startswith("cellwright_house_style")]:
        del sys.modules[name]


def told(done: Result, rule: str) -> list[dict[str, Any]]:
    return [finding for finding in done.json["tasks"][0]["findings"] if finding["rule"] == rule]


def set_threshold(workshop: Workshop, line: str) -> None:
    with (workshop.root / "params.yaml").open("a", encoding="utf-8") as params:
        params.write(f"plug_ins:\n  {NAME}:\n    {line}\n")


def waive_all(workshop: Workshop) -> None:
    head = "rule,entity,dimension,field,reason,by,date,expires\n"
    line = f"{RULE},,,,our asks are long,ben,2025-04-01,\n"
    (workshop.task / "waivers.csv").write_text(head + line, encoding="utf-8")


Audit = Callable[..., Result]


def test_the_example_of_the_docs_is_the_one_that_is_run() -> None:
    text = (ROOT / "docs" / "plug-ins.md").read_text(encoding="utf-8")
    shown = dict(re.findall(r"^`([\w./-]+)`\n\n```\w+\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
    assert sorted(shown) == [
        "cellwright_house_style/fixtures.py",
        f"cellwright_house_style/pages/{RULE}.md",
        "cellwright_house_style/profiles.py",
        "cellwright_house_style/rules.py",
        "pyproject.toml",
    ]
    for name, body in shown.items():
        assert (FOLDER / name).read_text(encoding="utf-8") == body, name


def test_its_rule_is_listed_with_where_it_comes_from_and_run_by_the_audit(site: Path, workshop: Workshop) -> None:
    """The real program, with the wheel's folder on its path as an installer leaves it."""
    env = {"PYTHONPATH": str(site)}
    listed = {item["rule"]: item for item in workshop.run("rules", "--format", "json", env=env).json}
    assert (listed[RULE]["origin"], listed[RULE]["severity"]) == (f"{NAME} 0.1.0", "warning")
    assert listed["C2-QUOTE-ABSENT"]["origin"] == "cellwright"
    set_threshold(workshop, "longest_ask: 20")
    done = workshop.run("audit", TASK, "--format", "json", env=env)
    assert done.code == 0
    assert {item["expected"] for item in told(done, RULE)} == {"at most 20"}
    assert len(told(done, RULE)) == 8


def test_the_table_of_rules_says_who_added_one(installed: Path, here: Audit, tmp_path: Path) -> None:
    assert f"{NAME} 0.1.0" in here("rules", cwd=tmp_path).out


def test_without_it_nothing_of_it_is_there(here: Audit, tmp_path: Path) -> None:
    done = here("rules", cwd=tmp_path)
    assert RULE not in done.out
    assert "added by" not in done.out


def test_its_own_threshold_holds_where_params_says_nothing(installed: Path, here: Audit, workshop: Workshop) -> None:
    assert told(here("audit", TASK, "--format", "json", cwd=workshop.root), RULE) == []


def test_a_waiver_accepts_what_it_finds(installed: Path, here: Audit, workshop: Workshop) -> None:
    set_threshold(workshop, "longest_ask: 20")
    waive_all(workshop)
    done = here("audit", TASK, "--format", "json", cwd=workshop.root)
    assert {item["waived"] for item in told(done, RULE)} == {"our asks are long (ben)"}


def test_a_repository_that_counts_on_it_is_told_when_it_is_not_there(here: Audit, workshop: Workshop) -> None:
    set_threshold(workshop, "longest_ask: 20")
    waive_all(workshop)
    done = here("audit", TASK, "--format", "json", cwd=workshop.root)
    assert done.code == 1
    assert f"the plug-in `{NAME}` is not installed" in told(done, "C1-PLUG-IN-UNUSABLE")[0]["observed"]
    assert len(told(done, "C1-WAIVER-RULE-UNKNOWN")) == 1


def test_a_task_may_have_its_profile(installed: Path, here: Audit, workshop: Workshop) -> None:
    edit(workshop.task / "task.yaml", "profile: deepweb-8x8", "profile: small-6x6")
    done = here("audit", TASK, "--format", "json", cwd=workshop.root)
    assert {item["expected"] for item in told(done, "C1-PROFILE-SHAPE")} == {"6 by the profile small-6x6"}


def test_its_profile_is_unknown_without_it(here: Audit, workshop: Workshop) -> None:
    edit(workshop.task / "task.yaml", "profile: deepweb-8x8", "profile: small-6x6")
    done = here("audit", TASK, cwd=workshop.root)
    assert done.code == 2
    assert "the profile `small-6x6` is not there" in done.err


def test_a_bundle_is_audited_by_it_too(installed: Path, here: Audit, workshop: Workshop) -> None:
    rules = installed / "cellwright_house_style" / "rules.py"
    edit(rules, '"warning"', '"error"')
    edit(rules, "(200)", "(20)")
    done = here("bundle", "--out", workshop.root / "out", cwd=workshop.root)
    assert done.code == 1
    assert "is not admitted" in done.err


FAULTS = [
    ("from decimal", "import nothing_like_it\nfrom decimal", "nothing_like_it"),
    ("from decimal", "raise SystemExit(0)\nfrom decimal", "SystemExit"),
    ("from decimal", "raise BaseException('no')\nfrom decimal", "BaseException: no"),
    ("RULES = [asks_are_short]", "", "has no attribute 'RULES'"),
    ("RULES = [asks_are_short]", "RULES = 5", "type int"),
    ("RULES = [asks_are_short]", "RULES = None", "nothing"),
    ("RULES = [asks_are_short]", "RULES = [asks_are_short, asks_are_short]", "has not taken"),
    ("RULES = [asks_are_short]", "RULES = [asks_are_short] * 600", "at most 500"),
    ("RULES = [asks_are_short]", "RULES = [asks_are_short, len]", "made by `plug_in_rule`"),
    ("C5-X-HOUSE-ASK-LENGTH", "C2-QUOTE-ABSENT", "C5-X-WORDS-IN-CAPITALS"),
    ("C5-X-HOUSE-ASK-LENGTH", "C2-X-HOUSE", "C5-X-WORDS-IN-CAPITALS"),
    ("C5-X-HOUSE-ASK-LENGTH", "C5-X-house", "C5-X-WORDS-IN-CAPITALS"),
    ('severity="warning"', 'severity="fatal"', "severity"),
    ('title="An ask is short."', 'title=""', "a title"),
    ("Decimal(200)", "200", "a Decimal for the threshold"),
    ("Decimal(200)", "Decimal('NaN')", "a Decimal for the threshold"),
]


@pytest.mark.parametrize(("old", "new", "says"), FAULTS, ids=[f"{new[-30:]!r}" for _, new, _ in FAULTS])
def test_a_plug_in_that_cannot_be_used_is_told_in_one_sentence(old: str, new: str, says: str, installed: Path) -> None:
    edit(installed / "cellwright_house_style" / "rules.py", old, new)
    problems = load_plug_ins().problems
    assert len(problems) == 1
    assert problems[0].place.record == f"{NAME} 0.1.0"
    assert says in problems[0].sentence()


def test_the_built_in_rules_run_beside_a_plug_in_that_cannot_be_used(
    installed: Path, here: Audit, workshop: Workshop
) -> None:
    edit(installed / "cellwright_house_style" / "rules.py", "from decimal", "import nothing_like_it\nfrom decimal")
    done = here("audit", TASK, "--format", "json", cwd=workshop.root)
    assert (done.code, len(told(done, "C1-PLUG-IN-UNUSABLE"))) == (1, 1)
    assert len(told(done, "C2-CAPTURE-STAND-IN")) == 11
    listed = here("rules", cwd=workshop.root)
    assert listed.code == 0
    assert f"warning: {NAME} 0.1.0" in listed.err
    assert "C2-QUOTE-ABSENT" in listed.out


def test_two_plug_ins_of_one_id_give_it_to_the_first(installed: Path) -> None:
    other = installed / "other-1.0.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
    (other / "entry_points.txt").write_text("[cellwright.rules]\nmine = cellwright_house_style.rules:RULES\n")
    found = load_plug_ins()
    assert [known.info.origin for known in found.rules] == [f"{NAME} 0.1.0"]
    assert [(item.place.record, item.expected) for item in found.problems] == [
        ("other 1.0", f"an id that {NAME} 0.1.0 has not taken")
    ]


def test_a_threshold_that_it_does_not_have_is_told_with_the_one_that_was_meant(installed: Path) -> None:
    problems = load_plug_ins({NAME: {"longest_asks": Decimal(20)}}).problems
    assert [item.fix.strip() for item in problems] == ["did you mean `longest_ask`?"]


@pytest.mark.parametrize("section", ["plug_ins: 5\n", "plug_ins:\n  a: 5\n", "plug_ins:\n  a:\n    b: many\n"])
def test_thresholds_of_plug_ins_that_cannot_be_read_are_refused(section: str, here: Audit, workshop: Workshop) -> None:
    with (workshop.root / "params.yaml").open("a", encoding="utf-8") as params:
        params.write(section)
    done = here("audit", TASK, cwd=workshop.root)
    assert done.code == 2
    assert len(done.sentences) == 1
    assert "params.yaml" in done.sentences[0]


@pytest.mark.parametrize(
    ("old", "new"),
    [("entities: 6\n", "entities: 9-6\n"), ("id: small-6x6", "id: other-6x6"), ('SMALL = """', 'SMALL = 5\nX = """')],
)
def test_a_profile_that_cannot_be_read_is_told_with_its_plug_in(old: str, new: str, installed: Path) -> None:
    edit(installed / "cellwright_house_style" / "profiles.py", old, new)
    problems = load_plug_ins().problems
    assert len(problems) == 1
    assert NAME in problems[0].sentence()


def test_no_rule_of_the_package_has_an_id_that_is_kept_for_plug_ins() -> None:
    assert [info.id for info in all_rules() if "-X-" in info.id] == []
