"""What installed plug-ins add: rules and profiles, found by their entry points (docs/plug-ins.md).

Discovery looks at what is installed here, so it is no part of the pure rooms: it hands rules in. Whatever a plug-in
does while it is loaded ends as one sentence that names its distribution; the rest is loaded all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from cellwright.records.errors import CellwrightError, Place, Problem, clip
from cellwright.records.suggest import did_you_mean
from cellwright.validators.plug_in import PlugIns, accept, refused
from cellwright.validators.profiles import Profile, read_profile
from cellwright.validators.registry import Rule, all_rules

RULES, PROFILES = "cellwright.rules", "cellwright.profiles"
"""The groups of entry points."""
Settings = Mapping[str, Mapping[str, Decimal]]
"""Thresholds by distribution and name, as `params.yaml` sets them."""


@dataclass(frozen=True)
class _Loaded:
    """What one entry point names, or why it cannot be had."""

    origin: str
    """The distribution and its version."""
    name: str
    value: object = None
    problem: Problem | None = None


def load_plug_ins(settings: Settings | None = None) -> PlugIns:
    """The rules of all plug-ins with their thresholds set, ordered by id, and what keeps others out."""
    loaded = list(_load(RULES))
    problems = [item.problem for item in loaded if item.problem is not None]
    found = [(item.origin, item.name, item.value) for item in loaded if item.problem is None]
    rules, refusals = accept(found, [info.id for info in all_rules()])
    profiles = list(_load(PROFILES))  # once: each time opens every distribution that is installed
    origins = {item.origin for item in (*loaded, *profiles)}
    set_rules, unset = _set(rules, settings or {}, origins)
    problems += [*refusals, *unset, *_profile_problems(profiles)]
    return PlugIns(tuple(sorted(set_rules, key=lambda known: known.info.id)), tuple(problems))


def plug_in_profiles() -> dict[str, Profile]:
    """The profiles that plug-ins bring, by name; those that cannot be read are left out."""
    return {name: found for name, found in _profiles(_load(PROFILES)) if isinstance(found, Profile)}


def plug_in_profile(name: str) -> Profile | None:
    """The profile of that name that a plug-in brings. Raises UnreadableInput where it cannot be read."""
    for known, found in _profiles(_load(PROFILES)):
        if known == name:
            if isinstance(found, CellwrightError):
                raise found
            return found
    return None


def _profile_problems(loaded: Iterable[_Loaded]) -> Iterator[Problem]:
    for _, found in _profiles(loaded):
        if isinstance(found, CellwrightError):
            yield from found.problems


def _profiles(loaded: Iterable[_Loaded]) -> Iterator[tuple[str, Profile | CellwrightError]]:
    """Each entry point of the group with its profile, or why it is none; the first of a name counts."""
    seen: dict[str, str] = {}
    for item in loaded:
        file = f"profile `{item.name}` of {item.origin}"
        problem = item.problem
        if problem is None and item.name in seen:
            problem = refused(item.origin, item.name, item.name, f"a profile that {seen[item.name]} does not bring")
        elif problem is None and not isinstance(item.value, str | bytes):
            kind = type(item.value).__name__
            problem = refused(item.origin, item.name, f"a value of type {kind}", "the profile's YAML as text")
        if problem is not None:
            yield item.name, CellwrightError([problem])
            continue
        seen[item.name] = item.origin
        yield item.name, _profile(item, file)


def _profile(item: _Loaded, file: str) -> Profile | CellwrightError:
    data = item.value.encode("utf-8", "replace") if isinstance(item.value, str) else item.value
    assert isinstance(data, bytes)
    try:
        return read_profile(data, file, name=item.name)
    except CellwrightError as error:
        return error


def _load(group: str) -> Iterator[_Loaded]:
    """Every entry point of a group, loaded, in the order of distribution and name."""
    points = sorted(entry_points(group=group), key=lambda point: (_origin(point), point.name, point.value))
    for point in dict.fromkeys(points):
        yield _loaded(point)


def _loaded(point: EntryPoint) -> _Loaded:
    origin = _origin(point)
    try:
        return _Loaded(origin, point.name, point.load())
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # importing runs a stranger's code: it may raise, or ask to stop, as it likes
        said = clip(f"{type(error).__name__}: {_words(error)}", 200)
        problem = refused(origin, point.name, said, f"`{clip(point.value)}` that can be imported")
        return _Loaded(origin, point.name, problem=problem)


def _words(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return "it cannot say why"


def _origin(point: EntryPoint) -> str:
    """The distribution that has an entry point, as `name version`."""
    dist: Any = point.dist
    try:
        return f"{dist.name} {dist.version}"
    except Exception:  # a distribution without readable metadata is told by its entry point
        return point.module


def _set(rules: tuple[Rule, ...], settings: Settings, origins: set[str]) -> tuple[list[Rule], list[Problem]]:
    """The rules with the thresholds that `params.yaml` sets; what it sets that nobody asks for is a problem."""
    problems = []
    known: dict[str, set[str]] = {_name(origin): set() for origin in origins}
    for item in rules:
        known.setdefault(_name(item.info.origin), set()).update(item.thresholds)
    for name, values in settings.items():
        own = known.get(_normal(name))
        place = Place("params.yaml", None, name, "plug_ins")
        if own is None:
            what = f"the plug-in `{clip(name)}` is not installed"
            problems.append(Problem(what, place, fix="install it, or take it out of params.yaml"))
            continue
        for key in sorted(set(values) - own):
            expected = f"one of {', '.join(sorted(own))}" if own else "nothing: it has no thresholds"
            problems.append(
                Problem(
                    f"the plug-in `{clip(name)}` has no threshold `{clip(key)}`",
                    place,
                    expected=expected,
                    fix=did_you_mean(key, own),
                )
            )
    given = {_normal(name): values for name, values in settings.items()}
    return [_with(item, given.get(_name(item.info.origin), {})) for item in rules], problems


def _with(item: Rule, values: Mapping[str, Decimal]) -> Rule:
    own = {key: values.get(key, default) for key, default in item.thresholds.items()}
    return replace(item, thresholds=own)


def _name(origin: str) -> str:
    return _normal(origin.rpartition(" ")[0] or origin)


def _normal(name: str) -> str:
    """A distribution's name as the package index compares it."""
    return name.replace("_", "-").replace(".", "-").lower()
