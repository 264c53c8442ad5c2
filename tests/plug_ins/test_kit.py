"""The test kit lets a good plug-in pass and names, of each bad one, the one thing that is wrong with it."""

from __future__ import annotations

import re
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from cellwright.authoring import plug_in_kit
from cellwright.authoring.plug_in_kit import check_plug_in, plug_in_faults, small_task
from cellwright.validators import plug_in
from tests.conftest import ROOT
from tests.plug_ins.conftest import built_wheel

HERE = ROOT / "tests" / "plug_ins"
SAYS = {
    "DISK": "it touches the disk (open)",
    "DISK-QUIET": "it touches the disk (",
    "NETWORK": "it touches the network (socket.__new__)",
    "CLOCK": "it touches the clock (time.time)",
    "TODAY": "it touches the clock (date.today)",
    "ENVIRONMENT": "it touches the environment (os.environ)",
    "CHANCE": "it touches chance (random.random)",
    "THREAD": "it touches a thread of its own (threading.start",
    "MEMORY": "two runs on its failing fixture find different things",
    "HASH": "it finds other things under another hash seed",
    "ORDER": "it finds other things in its failing fixture when the tables' rows are shuffled",
    "MUTATES": "it changes `context.folder`",
    "ANSWERS": "it changes `context.answers`",
    "PLACE": "a hit names the file `tasks/small-task/notes.txt`",
    "SILENT": "it finds nothing in its failing fixture",
    "LOUD": "it finds something in its passing fixture: it is long",
    "BREAKS": "it breaks on its failing fixture: KeyError",
    "PAGELESS": "no page pages/C5-X-BAD-PAGELESS.md in the installed package `cellwright_bad_style`",
    "EMPTY-PAGE": "says too little",
    "FIXTURELESS": "no fixture: give one by an entry point of cellwright.fixtures",
}
"""What the kit says of each rule of `bad_style`."""


def installed(site: Path, package: str, points: str, name: str = "bad-style") -> Path:
    """A package as an installer leaves it."""
    shutil.copytree(HERE / "bad_style" / package, site / package, ignore=shutil.ignore_patterns("__pycache__"))
    info = site / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(points)
    return site


POINTS = """\
[cellwright.rules]
bad = cellwright_bad_style.rules:RULES
[cellwright.fixtures]
bad = cellwright_bad_style.fixtures:FIXTURES
"""


@pytest.fixture
def bad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The bad plug-in, each of its rules with a page but one, and one page that says nothing."""
    site = installed(tmp_path / "site", "cellwright_bad_style", POINTS)
    pages = site / "cellwright_bad_style" / "pages"
    pages.mkdir()
    text = (site / "cellwright_bad_style" / "rules.py").read_text(encoding="utf-8")
    for name in re.findall(r'@bad\("([A-Z-]+)"\)', text):
        says = "" if name == "EMPTY-PAGE" else "It is wrong in one way, which its name tells, and is mended by hand.\n"
        if name != "PAGELESS":
            (pages / f"C5-X-BAD-{name}.md").write_text(f"# C5-X-BAD-{name}\n\n{says}")
    monkeypatch.syspath_prepend(str(site))
    return site


@pytest.mark.slow
def test_of_each_bad_rule_one_thing_is_told_and_of_the_good_one_nothing(bad: Path) -> None:
    faults = plug_in_faults("bad-style")
    told: dict[str, list[str]] = {}
    for fault in faults:
        rule, _, says = fault.partition(": ")
        told.setdefault(rule.removeprefix("C5-X-BAD-"), []).append(says)
    assert sorted(told) == sorted(SAYS)
    for name, says in SAYS.items():
        assert any(says in fault for fault in told[name]), (name, told[name])
        other = [fault for fault in told[name] if not fault.startswith("it touches the disk") and says not in fault]
        assert other == [], name


def edited(site: Path, old: str, new: str) -> None:
    file = site / "cellwright_bad_style" / "rules.py"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def only(site: Path, name: str) -> None:
    """The plug-in with this one of its rules."""
    edited(site, "RULES = [value", f"RULES = [value for value in [{name}]] or [value")


@pytest.mark.slow
def test_a_rule_that_never_ends_is_ended_and_named(bad: Path) -> None:
    only(bad, "is_good")
    edited(bad, "        words = {str", "        while True: pass\n        words = {str")
    (fault,) = plug_in_faults("bad-style", seconds=25)
    assert fault == "C5-X-BAD-GOOD on its failing fixture: it has not ended after 25 s"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("del registry._RULES['C2-QUOTE-ABSENT']", "it takes the built-in rule C2-QUOTE-ABSENT"),
        (
            "import dataclasses; known = registry._RULES['C2-QUOTE-ABSENT']\n"
            "registry._RULES['C2-QUOTE-ABSENT'] = dataclasses.replace(known, check=registry._nothing)",
            "it changes the built-in rule C2-QUOTE-ABSENT",
        ),
        ("import os; os._exit(0)", "it is loaded: it ended the program"),
    ],
    ids=["takes a rule", "changes a rule", "ends the program"],
)
def test_what_a_plug_in_does_when_it_is_loaded_is_told(line: str, says: str, bad: Path) -> None:
    only(bad, "is_good")
    edited(bad, "import os\n", f"import os\nfrom cellwright.validators import registry\n{line}\n")
    faults = plug_in_faults("bad-style")
    assert any(says in fault for fault in faults), faults


def test_an_id_that_is_out_of_form_is_told(bad: Path) -> None:
    only(bad, "is_good")
    edited(bad, 'f"C5-X-BAD-{name}"', 'f"C5-BAD-{name}"')
    assert any("C5-X-WORDS-IN-CAPITALS" in fault for fault in plug_in_faults("bad-style"))


def test_a_rule_that_compares_tasks_is_refused_since_it_would_never_run(bad: Path) -> None:
    only(bad, "is_good")
    edited(bad, "Condition.SCORABLE, title", 'Condition.SCORABLE, needs="tasks", title')
    assert any("rules that compare tasks are Cellwright's own" in fault for fault in plug_in_faults("bad-style"))


def test_a_name_that_is_not_installed_is_told() -> None:
    assert plug_in_faults("no-such-plug-in") == ("the plug-in `no-such-plug-in` is not installed here",)


def test_a_distribution_that_is_no_plug_in_is_told() -> None:
    (fault,) = plug_in_faults("pytest")
    assert "gives neither rules nor profiles" in fault


def test_a_good_plug_in_installed_from_its_wheel_keeps_the_contract(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(built_wheel(HERE / "house_style", tmp_path / "dist")) as packed:
        packed.extractall(tmp_path / "site")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    check_plug_in("cellwright-house-style")
    assert "cellwright_house_style" not in sys.modules  # it ran in a process of its own
    page = tmp_path / "site" / "cellwright_house_style" / "pages" / "C5-X-HOUSE-ASK-LENGTH.md"
    page.unlink()
    with pytest.raises(AssertionError, match=r"does not keep the contract:\n- C5-X-HOUSE-ASK-LENGTH: no page"):
        check_plug_in("cellwright-house-style")


def test_an_edit_of_the_small_task_that_changes_nothing_is_the_test_s_own_fault() -> None:
    with pytest.raises(ValueError, match=r"stands 0 times in task.yaml"):
        small_task(("task.yaml", "no such words", "x"))


def test_the_contract_s_names_are_those_that_the_docs_promise() -> None:
    text = (ROOT / "docs" / "plug-ins.md").read_text(encoding="utf-8")
    part = text.partition("## The contract\n")[2].partition("\n## ")[0]
    assert f"version {plug_in_kit.CONTRACT} of the contract" in part
    promised = set(re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE))
    assert promised == (set(plug_in.__all__) | set(plug_in_kit.__all__)) - {"PlugIns"}
