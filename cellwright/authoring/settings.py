"""What a repository sets for itself: thresholds and the bundle's name in `params.yaml`, profiles in `profiles/`."""

from __future__ import annotations

import re
from decimal import Decimal
from importlib.resources import files
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cellwright.clients.disk import read_bytes
from cellwright.clients.repository import Repository
from cellwright.records.errors import Place, UnreadableInput
from cellwright.records.fields import SOURCE_ID_PATTERN, decimal_field
from cellwright.records.tables import validation_problems
from cellwright.records.yaml_text import read_yaml
from cellwright.validators.profiles import Profile, read_profile
from cellwright.validators.thresholds import Thresholds, read_thresholds

PARAMS = "params.yaml"
PLUG_INS = "plug_ins"
"""The key of `params.yaml` under which the thresholds of plug-ins stand."""


class BundleSettings(BaseModel):
    """The section `bundle:` of `params.yaml`."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
    name: str = Field(default="cellwright-benchmark", pattern=r"^[a-z][a-z0-9-]{0,60}$")
    """The benchmark's name."""
    version: str = Field(default="0.1.0", pattern=r"^\d{1,6}\.\d{1,6}\.\d{1,6}(-rc\d{1,4})?$")
    """The version to be built."""
    canary: str = Field(default="", max_length=200)
    """A unique text that tells whether the bundle got into training data."""
    sealed: bool = False
    """Whether the references are encrypted; needs a key (guidelines/sealing.md)."""
    url: str = Field(default="", max_length=300, pattern=r"^(https?://[A-Za-z0-9][A-Za-z0-9._~:/?#@!$'()*+,;=%-]*)?$")
    """Where the benchmark is published: an address for its card and its citation."""


def load_thresholds(repository: Repository) -> Thresholds:
    """The thresholds of `params.yaml`, or the defaults where it is not there."""
    data = repository.file(PARAMS)
    return read_thresholds(data, PARAMS) if data is not None else Thresholds()


def load_bundle_settings(repository: Repository) -> BundleSettings:
    """The section `bundle:` of `params.yaml`, or the defaults."""
    data = repository.file(PARAMS)
    if data is None:
        return BundleSettings()
    raw, lines = read_yaml(data, PARAMS)
    section = raw.get("bundle", {}) if isinstance(raw, dict) else None
    line = lines.get(("bundle",), 1)
    if not isinstance(section, dict):
        raise UnreadableInput(
            "the bundle's settings cannot be read",
            Place(PARAMS, line, "bundle"),
            expected="`name:`, `version:`, `canary:` and `sealed:` below `bundle:`",
        )
    try:
        return BundleSettings.model_validate(section)
    except ValidationError as error:
        raise UnreadableInput(validation_problems(error, PARAMS, line, "bundle")) from None


def load_plug_in_settings(repository: Repository) -> dict[str, dict[str, Decimal]]:
    """The section `plug_ins:` of `params.yaml`: thresholds by plug-in and name. Raises UnreadableInput."""
    path = repository.path(PARAMS)
    if not path.exists():
        return {}
    raw, lines = read_yaml(read_bytes(path, name=PARAMS), PARAMS)
    section = raw.get(PLUG_INS, {}) if isinstance(raw, dict) else None
    found: dict[str, dict[str, Decimal]] = {}
    for name, values in section.items() if isinstance(section, dict) else [("", None)]:
        if not isinstance(values, dict):
            raise UnreadableInput(
                "the thresholds of plug-ins cannot be read",
                Place(PARAMS, lines.get((PLUG_INS, name), lines.get((PLUG_INS,), 1)), PLUG_INS),
                expected=f"below `{PLUG_INS}:` each plug-in's name with one `key: number` line for each threshold",
            )
        for key, value in values.items():
            try:
                number = decimal_field(value) if isinstance(value, str) else None
            except ValueError:
                number = None
            if not isinstance(number, Decimal):
                raise UnreadableInput(
                    f"the threshold `{key}` of `{name}` cannot be read",
                    Place(PARAMS, lines.get((PLUG_INS, name, key)), key),
                    seen=str(value)[:80],
                    expected="a plain number",
                )
            found.setdefault(name, {})[key] = number
        found.setdefault(name, {})
    return found


def load_profile(repository: Repository, name: str) -> Profile:
    """The profile `name`: `profiles/<name>.yaml` of the repository, else the one that comes with Cellwright, else the
    one that a plug-in brings. Raises UnreadableInput where there is none, or it contradicts itself."""
    own = repository.file("profiles", f"{name}.yaml") if re.fullmatch(SOURCE_ID_PATTERN, name) else None
    if own is not None:
        return read_profile(own, f"profiles/{name}.yaml", name=name)
    packaged = files("cellwright.validators").joinpath("profiles")
    known = {item.name.removesuffix(".yaml") for item in packaged.iterdir() if item.name.endswith(".yaml")}
    if name in known:
        return read_profile(packaged.joinpath(f"{name}.yaml").read_bytes(), f"{name}.yaml", name=name)
    from cellwright.authoring.plug_ins import plug_in_profile, plug_in_profiles  # brings all rules with it

    brought = plug_in_profile(name)
    if brought is not None:
        return brought
    known |= {item.name.removesuffix(".yaml") for item in _profile_files(repository)} | set(plug_in_profiles())
    raise UnreadableInput(
        f"the profile `{name}` is not there",
        Place("task.yaml", None, "profile"),
        seen=name,
        expected=f"one of {', '.join(sorted(known))}",
        fix=f"or put it into profiles/{name}.yaml",
    )


def _profile_files(repository: Repository) -> list[Path]:
    return sorted(repository.path("profiles").glob("*.yaml"))
