"""`release gc`: what nothing needs any more is dropped, and what a tag needs never is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cellwright.clients.dvc_locks import require_git_unlocked
from cellwright.clients.dvc_objects import missing
from cellwright.clients.dvc_unused import Plan, drop_unused, unused_data
from cellwright.clients.git_refs import read_refs, require_known
from cellwright.records.errors import NotSettled, Place


@dataclass(frozen=True, slots=True)
class Collected:
    """What came of it: the plan, or what was dropped of it, and the remotes of git that were asked for their tags.

    `absent`: how many objects of each release are not in the cache, as they were before: `dvc fetch` brings them.
    """

    plan: Plan
    dropped: bool
    asked: tuple[str, ...]
    absent: dict[str, int]


def collect(root: Path, *, remote: bool, dry_run: bool, agrees: Callable[[Collected], bool]) -> Collected:
    """Finds what neither the work tree nor any branch nor tag needs, asks, and drops it; with `dry_run` only finds.

    Raises NotSettled where what is needed cannot be known: no git, a shallow clone, tags of git's remote that are not
    here (with `remote` also branches), a shared cache; WorldFailed where git or DVC is at work or fails.
    """
    if not (root / ".dvc").is_dir():
        raise NotSettled(
            "the repository is not under DVC, so that there is no data to drop",
            Place(str(root)),
            fix="`dvc init` begins it",
        )
    require_git_unlocked(root)
    refs = read_refs(root)
    asked = require_known(root, branches=remote)
    plan = unused_data(root, refs, remote=remote)
    absent = {name: len(missing(root, objects, remote=False)) for name, objects in plan.releases.items()}
    found = Collected(plan, False, asked, absent)
    if dry_run or not any(place.unused for place in plan.places) or not agrees(found):
        return found
    return Collected(drop_unused(root, read_refs(root), plan), True, asked, absent)


def told(found: Collected) -> Iterator[str]:
    """What a person reads of it."""
    done = "dropped" if found.dropped else "unused"
    for place in found.plan.places:
        kept = place.held - len(place.unused)
        yield f"{place.place}: {counted(len(place.unused))} {done}, {size_words(place.size)}; {kept} needed"
    for name, objects in found.plan.releases.items():
        away = found.absent.get(name, 0)
        yield f"{name}: {counted(len(objects))} kept" + (f", {away} of them not in this cache" if away else "")
    if not found.plan.releases:
        yield "no release is tagged here"
    if not found.asked:
        yield "git has no remote here, so only this repository's own tags are known"


def collected_json(found: Collected) -> dict[str, object]:
    """The shape of `release gc --format json`."""
    return {
        "dropped": found.dropped,
        "places": [
            {"place": place.place, "objects": place.held, "unused": len(place.unused), "bytes": place.size}
            for place in found.plan.places
        ],
        "releases": [
            {"tag": name, "objects": len(objects), "not_in_cache": found.absent.get(name, 0)}
            for name, objects in found.plan.releases.items()
        ],
        "git_remotes": list(found.asked),
    }


def counted(number: int) -> str:
    """«1 object», «12 objects»."""
    return f"{number} object{'' if number == 1 else 's'}"


def size_words(size: int) -> str:
    """Bytes for people, rounded down: «512 bytes», «3.4 MB»."""
    for unit, step in (("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)):
        if size >= step:
            return f"{size // step}.{size % step * 10 // step} {unit}"
    return f"{size} byte{'' if size == 1 else 's'}"
