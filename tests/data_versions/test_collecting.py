"""`release gc` drops what nothing needs, and never what a tag, a branch or the work tree needs."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path

import pytest

from cellwright.clients import dvc
from cellwright.clients.dvc_objects import objects_of
from tests.cli.terminal import on_a_terminal
from tests.cli.workshop import Result, Workshop
from tests.data_repository import DataRepository, Remote, git

# DVC's own libraries warn of their own futures.
pytestmark = pytest.mark.filterwarnings("ignore")
TAGS = ("v1.0.0", "v1.1.0", "v2.0.0")
Here = Callable[..., Result]


def needed(repository: DataRepository, *revisions: str) -> set[str]:
    """The objects that the revisions need."""
    return {one.md5 for revision in revisions for one in objects_of(repository.root, revision)}


def abandon(repository: DataRepository) -> set[str]:
    """A bundle built and thrown away: its objects are in the cache, and nothing needs them."""
    before = repository.cached()
    lock = (repository.root / "dvc.lock").read_text()
    repository.build("draft")
    (repository.root / "dvc.lock").write_text(lock)
    git(repository.root, "checkout", "-q", "tasks")
    shutil.rmtree(repository.root / "build")
    return repository.cached() - before


@pytest.fixture
def changed(repository: DataRepository) -> DataRepository:
    """Three tags, a work tree that none of them is, and data that nothing needs."""
    abandon(repository)
    repository.write_capture("3", "a capture not yet committed")
    repository.track()
    return repository


def test_dvc_s_own_gc_of_the_workspace_would_have_dropped_a_tag_s_data(changed: DataRepository) -> None:
    """So the danger is real."""
    from dvc.repo import Repo

    wanted = needed(changed, "v1.0.0")
    assert wanted <= changed.cached()
    with chdir(changed.root), Repo(str(changed.root)) as repository:
        repository.gc(workspace=True)
    bundle = {one.md5 for one in objects_of(changed.root, "")}
    assert bundle <= changed.cached()
    assert len(wanted - changed.cached()) == 4, "its bundle, and the list of its captures"


def test_what_a_tag_needs_is_kept_and_the_rest_goes(changed: DataRepository, here: Here) -> None:
    wanted = needed(changed, *TAGS, "")
    assert changed.cached() > wanted
    done = here("release", "gc", "--yes", cwd=changed.root)
    assert (done.code, done.err) == (0, "")
    assert changed.cached() == wanted
    lines = done.out.splitlines()
    assert lines[0].startswith("cache: 3 objects dropped, ")
    assert lines[1:] == [
        "v1.0.0: 5 objects kept",
        "v1.1.0: 6 objects kept",
        "v2.0.0: 7 objects kept",
        "git has no remote here, so only this repository's own tags are known",
    ]
    assert here("release", "gc", "--yes", cwd=changed.root).out.startswith("cache: 0 objects unused, 0 bytes; ")


def test_a_dry_run_tells_and_drops_nothing(changed: DataRepository, here: Here) -> None:
    before = changed.cached()
    unused = before - needed(changed, *TAGS, "")
    done = here("release", "gc", "--dry-run", "--format", "json", cwd=changed.root)
    assert done.code == 0
    place = done.json["places"][0]
    size = sum((changed.cache() / md5[:2] / md5[2:]).stat().st_size for md5 in unused)
    assert place == {"place": "cache", "objects": len(before), "unused": len(unused), "bytes": size}
    assert [row["tag"] for row in done.json["releases"]] == list(TAGS)
    assert done.json["dropped"] is False
    assert changed.cached() == before


def test_in_a_pipe_nothing_is_dropped_without_yes(changed: DataRepository, here: Here) -> None:
    before = changed.cached()
    done = here("release", "gc", cwd=changed.root)
    assert done.code == 2
    assert done.sentences == [
        "nobody can be asked here whether data may be dropped; expected `--yes`, or `--dry-run` to see what would go"
    ]
    assert changed.cached() == before


@pytest.mark.parametrize(("types", "code", "gone"), [(b"n\n", 1, False), (b"y\n", 0, True)])
def test_on_a_terminal_a_person_is_asked(changed: DataRepository, types: bytes, code: int, gone: bool) -> None:
    before = changed.cached()
    told, seen = on_a_terminal(Workshop(changed.root), types, "release", "gc")
    assert told == code, seen
    assert "drop it from the cache? [y/N]" in seen
    assert "cache: 3 objects unused" in seen
    assert (changed.cached() < before) is gone


# -- what points at data


def test_a_branch_keeps_its_data_and_so_does_one_of_a_remote(repository: DataRepository, here: Here) -> None:
    for name, ref in (("8", "refs/heads/side"), ("9", "refs/remotes/origin/theirs")):
        repository.write_capture(name, f"a capture of {ref}")
        repository.track()
        git(repository.root, "commit", "-qam", ref)
        git(repository.root, "update-ref", ref, "HEAD")
        git(repository.root, "reset", "-q", "--hard", "HEAD~1")
        (repository.root / "sources" / "captures" / "t" / f"{name * 64}.warc.gz").unlink()
    git(repository.root, "update-ref", "-d", "ORIG_HEAD")
    abandoned = abandon(repository)
    before = repository.cached()
    assert here("release", "gc", "--yes", cwd=repository.root).code == 0
    assert abandoned
    assert repository.cached() == before - abandoned
    assert needed(repository, "side", "origin/theirs") <= repository.cached()


def test_a_merge_under_way_and_another_work_tree_keep_theirs(repository: DataRepository, here: Here) -> None:
    git(repository.root, "worktree", "add", "-q", "--detach", str(repository.root.parent / "beside"))
    beside = DataRepository(repository.root.parent / "beside")
    shutil.copytree(repository.root / "sources" / "captures" / "t", beside.root / "sources" / "captures" / "t")
    beside.write_capture("7", "a capture made beside")
    (beside.root / ".dvc" / "config.local").write_text(f"[cache]\n    dir = {repository.root / '.dvc' / 'cache'}\n")
    beside.track()
    git(beside.root, "commit", "-qam", "beside")
    commit = git(beside.root, "rev-parse", "HEAD").strip()
    assert here("release", "gc", "--yes", cwd=repository.root).code == 0
    assert needed(repository, commit) <= repository.cached()


def test_a_tag_that_was_never_pushed_is_kept_and_one_that_is_not_here_stops_it(
    changed: DataRepository, tmp_path: Path, here: Here
) -> None:
    bare = tmp_path / "bare.git"
    git(changed.root, "init", "-q", "--bare", str(bare))
    git(changed.root, "remote", "add", "origin", str(bare))
    git(changed.root, "push", "-q", "origin", "main", "v1.0.0", "v1.1.0")
    done = here("release", "gc", "--yes", cwd=changed.root)
    assert done.code == 0
    assert "git has no remote" not in done.out
    assert needed(changed, *TAGS, "") <= changed.cached(), "v2.0.0 too, which only this repository has"
    git(changed.root, "tag", "-d", "v1.1.0")
    before = changed.cached()
    done = here("release", "gc", "--yes", cwd=changed.root)
    assert done.code == 1
    assert "the remote `origin` has tags that are not here" in done.sentences[0]
    assert "seen 'v1.1.0'" in done.sentences[0]
    assert "`git fetch --tags origin` brings them; " in done.sentences[0]
    assert changed.cached() == before
    git(changed.root, "fetch", "-q", "--tags", "origin")
    assert here("release", "gc", "--yes", cwd=changed.root).code == 0


def test_a_tag_that_was_moved_elsewhere_stops_it(changed: DataRepository, tmp_path: Path, here: Here) -> None:
    bare = tmp_path / "bare.git"
    git(changed.root, "init", "-q", "--bare", str(bare))
    git(changed.root, "remote", "add", "origin", str(bare))
    git(changed.root, "push", "-q", "origin", "main", "v2.0.0")
    git(changed.root, "tag", "-f", "-a", "v2.0.0", "-m", "again", "HEAD~1")
    done = here("release", "gc", "--yes", cwd=changed.root)
    assert done.code == 1
    assert "with `--force` also one that was moved" in done.sentences[0]


def test_a_remote_of_git_that_does_not_answer_stops_it(changed: DataRepository, tmp_path: Path, here: Here) -> None:
    git(changed.root, "remote", "add", "origin", str(tmp_path / "nowhere.git"))
    done = here("release", "gc", "--yes", cwd=changed.root)
    assert done.code == 3
    assert "git could not ask the remote `origin` for its tags" in done.sentences[0]


def test_in_a_shallow_clone_it_is_refused(changed: DataRepository, tmp_path: Path, here: Here) -> None:
    git(changed.root, "clone", "-q", "--depth", "1", f"file://{changed.root}", str(tmp_path / "shallow"))
    done = here("release", "gc", "--yes", cwd=tmp_path / "shallow")
    assert done.code == 1
    assert done.sentences == [
        ".git: this is a shallow clone, which lacks tags and what they need; `git fetch --unshallow --tags` makes it"
        " whole"
    ]


def test_without_git_it_is_refused(changed: DataRepository, here: Here) -> None:
    shutil.rmtree(changed.root / ".git")
    done = here("release", "gc", "--yes", cwd=changed.root)
    assert (done.code, len(done.sentences)) == (1, 1)
    assert "the repository is not under git" in done.sentences[0]


def test_without_dvc_there_is_nothing_to_drop(changed: DataRepository, here: Here) -> None:
    shutil.rmtree(changed.root / ".dvc")
    done = here("release", "gc", "--yes", cwd=changed.root)
    assert (done.code, len(done.sentences)) == (1, 1)
    assert "the repository is not under DVC" in done.sentences[0]


def test_a_cache_that_others_use_too_is_left_alone(changed: DataRepository, tmp_path: Path, here: Here) -> None:
    shutil.move(changed.root / ".dvc" / "cache", tmp_path / "shared")
    (changed.root / ".dvc" / "config.local").write_text(f"[cache]\n    dir = {tmp_path / 'shared'}\n")
    done = here("release", "gc", "--yes", cwd=changed.root)
    assert done.code == 1
    assert "the cache lies outside of this repository" in done.sentences[0]


def test_a_revision_that_cannot_be_read_stops_it(changed: DataRepository, here: Here) -> None:
    """What a broken pointer needs is not known, so nothing may go."""
    (changed.root / "sources" / "captures" / "t.dvc").write_text("<<<<<<< HEAD\nouts: []\n=======\nouts: {}\n")
    before = changed.cached()
    done = here("release", "gc", "--yes", cwd=changed.root)
    assert (done.code, len(done.sentences)) == (3, 1)
    assert "merge-captures" in done.sentences[0]
    assert changed.cached() == before


def test_a_pointer_that_dvc_passes_over_stops_it(changed: DataRepository, here: Here) -> None:
    """DVC reads this pattern as if it meant the pointers too, and would take their data for unused."""
    with (changed.root / ".gitignore").open("a") as ignored:
        ignored.write("sources/captures/*/\n")
    before = changed.cached()
    done = here("release", "gc", "--yes", cwd=changed.root)
    assert (done.code, len(done.sentences)) == (3, 1)
    assert done.sentences[0].startswith("sources/captures/t.dvc: DVC passes over the pointer, since it takes it for")
    assert changed.cached() == before


# -- with a remote


@pytest.fixture
def shared(changed: DataRepository, remote: Remote) -> DataRepository:
    """The repository with all of its cache in the remote, the data that nothing needs included."""
    from dvc.repo import Repo

    changed.set_remote(remote.settings)
    with chdir(changed.root), Repo(str(changed.root)) as repository:
        repository.push(all_tags=True)
        store = repository.cloud.get_remote_odb()
        for md5 in sorted(changed.cached()):
            store.add(str(changed.cache() / md5[:2] / md5[2:]), repository.cache.local.fs, md5)
    assert remote.objects() == changed.cached()
    return changed


def test_the_remote_is_left_alone_unless_it_is_named(shared: DataRepository, remote: Remote, here: Here) -> None:
    before = remote.objects()
    assert here("release", "gc", "--yes", cwd=shared.root).code == 0
    assert remote.objects() == before


def test_what_a_tag_needs_is_kept_in_the_remote_and_the_rest_goes(
    shared: DataRepository, remote: Remote, here: Here
) -> None:
    wanted = needed(shared, *TAGS, "")
    done = here("release", "gc", "--remote", "--yes", cwd=shared.root)
    assert done.code == 0, done.err
    assert done.out.splitlines()[1].startswith("remote store: 3 objects dropped, ")
    assert remote.objects() == wanted == shared.cached()
    shared.empty_cache()
    dvc.pull(shared.root, ["sources/captures/t.dvc", "build/bundle"])


def test_what_only_the_remote_has_is_read_there_and_kept(shared: DataRepository, remote: Remote, here: Here) -> None:
    wanted = needed(shared, *TAGS, "")
    shutil.rmtree(shared.cache())
    done = here("release", "gc", "--remote", "--yes", cwd=shared.root)
    assert done.code == 0, done.err
    assert "v1.0.0: 5 objects kept, 5 of them not in this cache" in done.out
    assert remote.objects() == wanted


def test_a_list_that_is_nowhere_stops_it(shared: DataRepository, remote: Remote, here: Here) -> None:
    """Without the list of a folder, its files would look unused."""
    listed = next(one.md5 for one in objects_of(shared.root, "v1.0.0") if one.path == "build/bundle")
    remote.lose(listed)
    path = shared.cache() / listed[:2] / listed[2:]
    path.unlink()
    before = (remote.objects(), shared.cached())
    done = here("release", "gc", "--remote", "--yes", cwd=shared.root)
    assert done.code == 3
    assert (
        f"build/bundle: the list of what lies in the folder is neither here nor in the remote; seen 'object {listed}"
        in done.sentences[0]
    )
    assert (remote.objects(), shared.cached()) == before


def test_a_branch_of_a_colleague_that_is_not_here_stops_only_the_remote_s_tidying(
    shared: DataRepository, tmp_path: Path, here: Here
) -> None:
    bare = tmp_path / "bare.git"
    git(shared.root, "init", "-q", "--bare", str(bare))
    git(shared.root, "remote", "add", "origin", str(bare))
    git(shared.root, "push", "-q", "origin", "main", "--tags")
    git(shared.root, "clone", "-q", str(bare), str(tmp_path / "ben"))
    ben = DataRepository(tmp_path / "ben")
    git(ben.root, "-c", "user.name=Ben", "-c", "user.email=b@example.org", "commit", "-q", "--allow-empty", "-m", "his")
    git(ben.root, "push", "-q", "origin", "HEAD:refs/heads/ben")
    done = here("release", "gc", "--remote", "--yes", cwd=shared.root)
    assert done.code == 1
    assert "the remote `origin` has tags or branches that are not here" in done.sentences[0]
    assert "seen 'ben'" in done.sentences[0]
    assert here("release", "gc", "--yes", cwd=shared.root).code == 0


def test_an_object_of_a_release_that_goes_all_the_same_is_told(
    changed: DataRepository, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fake removal that takes one more than it was asked for: the look afterwards is not for show."""
    from cellwright.clients import dvc_unused

    victim = next(one.md5 for one in objects_of(changed.root, "v1.0.0") if one.path.endswith("bundle.json"))
    real = dvc_unused._remove
    monkeypatch.setattr(dvc_unused, "_remove", lambda store, names: real(store, [*names, victim]))
    done = here("release", "gc", "--yes", cwd=changed.root)
    assert done.code == 3
    assert "data of the release v1.0.0 is gone from the cache" in done.sentences[0]
