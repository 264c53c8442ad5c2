"""A folder and a bucket do the same: push, pull, get by tag, open by tag, and say what is wrong in one sentence."""

from __future__ import annotations

import io
import json
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from cellwright.clients import dvc
from cellwright.clients.dvc_objects import missing, objects_of
from cellwright.records.errors import WorldFailed
from tests.data_repository import KEY, S3, SECRET, DataRepository, Remote, capture_of, git

# DVC's own libraries warn of their own futures.
pytestmark = pytest.mark.filterwarnings("ignore")
TARGETS = ["sources/captures/t.dvc", "build/bundle"]


@pytest.fixture
def pushed(repository: DataRepository, remote: Remote) -> DataRepository:
    """The repository with all of its last release in the remote."""
    repository.set_remote(remote.settings)
    git(repository.root, "commit", "-qam", "a remote")
    git(repository.root, "tag", "-f", "-a", "v2.0.0", "-m", "Release 2.0.0")
    dvc.push(repository.root, TARGETS)
    return repository


def test_what_was_pushed_is_pulled_into_an_empty_cache(pushed: DataRepository, remote: Remote) -> None:
    before = {path: path.read_bytes() for path in sorted((pushed.root / "build" / "bundle").iterdir())}
    pushed.empty_cache()
    dvc.pull(pushed.root, TARGETS)
    assert {path: path.read_bytes() for path in sorted((pushed.root / "build" / "bundle").iterdir())} == before
    assert len(list((pushed.root / "sources" / "captures" / "t").iterdir())) == 3
    assert dvc.push(pushed.root, TARGETS) == 0, "all of it is there"


def test_a_release_is_got_elsewhere_by_its_tag(pushed: DataRepository, tmp_path: Path) -> None:
    there = pushed.clone(tmp_path / "elsewhere")
    dvc.get(str(there.root), "build/bundle", "v2.0.0", tmp_path / "got")
    assert json.loads((tmp_path / "got" / "bundle.json").read_text()) == {"version": "2.0.0"}


def test_a_file_of_a_release_is_opened_by_its_tag(pushed: DataRepository, tmp_path: Path) -> None:
    import dvc.api
    import pyarrow.parquet

    there = str(pushed.clone(tmp_path / "elsewhere").root)
    with dvc.api.open("build/bundle/bundle.json", repo=there, rev="v2.0.0", encoding="utf-8") as file:
        assert json.load(file) == {"version": "2.0.0"}
    with dvc.api.open("build/bundle/cells.parquet", repo=there, rev="v2.0.0", mode="rb") as file:
        table = pyarrow.parquet.read_table(io.BytesIO(file.read()))
    assert table.to_pylist() == [{"cell": "a/b", "value": "2.0.0"}]


def test_what_a_release_needs_is_known_and_compared_with_the_remote(pushed: DataRepository, remote: Remote) -> None:
    objects = objects_of(pushed.root, "v2.0.0")
    assert [one.path for one in objects] == [
        "build/bundle",
        "build/bundle/bundle.json",
        "build/bundle/cells.parquet",
        "sources/captures/t",
        *sorted(f"sources/captures/t/{capture_of(version)}.warc.gz" for version in ("1.0.0", "1.1.0", "2.0.0")),
    ]
    assert missing(pushed.root, objects, remote=True) == []
    assert {one.md5 for one in objects} == remote.objects()
    lost = objects[2]
    remote.lose(lost.md5)
    assert missing(pushed.root, objects, remote=True) == [lost]
    assert missing(pushed.root, objects, remote=False) == []


def test_sizes_are_told_where_they_are_known(pushed: DataRepository) -> None:
    sizes = {one.path: one.size for one in objects_of(pushed.root, "v2.0.0")}
    bundle = pushed.root / "build" / "bundle"
    assert sizes["build/bundle/cells.parquet"] == (bundle / "cells.parquet").stat().st_size
    assert sizes["build/bundle"] == sum(path.stat().st_size for path in bundle.iterdir())


def test_an_object_that_the_remote_lacks_is_told_with_file_and_fix(pushed: DataRepository, remote: Remote) -> None:
    lost = next(one for one in objects_of(pushed.root, "") if one.path.endswith(f"{capture_of('2.0.0')}.warc.gz"))
    remote.lose(lost.md5)
    pushed.empty_cache()
    says = (
        rf"^{lost.path}: the remote lacks data that the repository needs; seen 'object {lost.md5} missing';"
        r" `dvc push` in a clone that still has it puts it into the remote; `cellwright capture t` fetches what no"
    )
    with pytest.raises(WorldFailed, match=says):
        dvc.pull(pushed.root, TARGETS)


def test_a_release_that_the_remote_lacks_is_told_elsewhere(
    pushed: DataRepository, remote: Remote, tmp_path: Path
) -> None:
    lost = next(one for one in objects_of(pushed.root, "") if one.path.endswith("cells.parquet"))
    remote.lose(lost.md5)
    there = pushed.clone(tmp_path / "elsewhere")
    with pytest.raises(WorldFailed, match=r"get `build/bundle` at v2\.0\.0: the remote lacks data of it; seen 'build"):
        dvc.get(str(there.root), "build/bundle", "v2.0.0", tmp_path / "got")


def test_a_push_of_what_is_not_here_either_is_no_success(
    repository: DataRepository, remote: Remote, capfd: pytest.CaptureFixture[str]
) -> None:
    """DVC itself sends the rest, prints a warning, and gives the number sent."""
    repository.set_remote(remote.settings)
    lost = next(one for one in objects_of(repository.root, "") if one.path.endswith("cells.parquet"))
    (repository.cache() / lost.md5[:2] / lost.md5[2:]).unlink()
    with pytest.raises(WorldFailed, match=rf"^{lost.path}: the remote does not have all of the data.*`dvc repro`"):
        dvc.push(repository.root, TARGETS)
    assert capfd.readouterr() == ("", "")


def test_a_bucket_does_what_a_folder_does(repository: DataRepository, s3_server: S3, tmp_path: Path) -> None:
    remote = s3_server.remote("bucket")
    repository.set_remote(remote.settings)
    git(repository.root, "commit", "-qam", "a remote")
    git(repository.root, "tag", "v2.0.1")
    objects = objects_of(repository.root, "v2.0.1")
    assert dvc.push(repository.root, TARGETS) == len(objects)
    assert remote.objects() == {one.md5 for one in objects}
    assert missing(repository.root, objects, remote=True) == []
    repository.empty_cache()
    dvc.pull(repository.root, TARGETS)
    assert missing(repository.root, objects, remote=False) == []
    dvc.get(str(repository.root), "build/bundle", "v2.0.1", tmp_path / "got")
    assert json.loads((tmp_path / "got" / "bundle.json").read_text()) == {"version": "2.0.0"}


# -- what is wrong with a remote


def refused_port() -> int:
    """A port of this machine at which nothing listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
    return port


Act = Callable[[DataRepository], object]
ACTS: dict[str, Act] = {
    "push": lambda repository: dvc.push(repository.root, TARGETS),
    "pull": lambda repository: dvc.pull(repository.root, TARGETS),
    "ask": lambda repository: missing(repository.root, objects_of(repository.root, ""), remote=True),
}


def told(repository: DataRepository, act: str) -> str:
    """The one sentence of the failure; its exit code is that of the world's, and no credential is in it."""
    if act == "pull":
        repository.empty_cache()
    with pytest.raises(WorldFailed) as failed:
        ACTS["push" if act == "push" else act](repository)
    assert failed.value.exit_code == 3
    sentence = str(failed.value)
    assert "\n" not in sentence
    assert KEY not in sentence
    assert SECRET not in sentence
    return sentence


@pytest.mark.parametrize("act", ["push", "pull"])
def test_a_bucket_that_is_not_there_is_told(repository: DataRepository, s3_server: S3, act: str) -> None:
    repository.set_remote({"url": "s3://no-such-bucket/store", "endpointurl": s3_server.url})
    sentence = told(repository, act)
    assert ": the bucket does not exist; " in sentence
    assert f"remote store: s3://no-such-bucket/store at {s3_server.url}" in sentence


@pytest.mark.parametrize("act", ["push", "pull"])
def test_credentials_that_are_refused_are_told(repository: DataRepository, s3_server: S3, act: str) -> None:
    repository.set_remote(s3_server.remote("bucket").settings)
    with s3_server.asking_for_credentials():
        sentence = told(repository, act)
    assert ": it refuses the credentials; " in sentence
    assert "AWS_SECRET_ACCESS_KEY in the environment, or `dvc remote modify --local`" in sentence


def test_missing_credentials_are_told(
    repository: DataRepository, s3_server: S3, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.set_remote(s3_server.remote("bucket").settings)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    assert ": no credentials for it are set; " in told(repository, "push")


def test_credentials_are_taken_from_the_local_settings(
    repository: DataRepository, s3_server: S3, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.set_remote(s3_server.remote("bucket").settings)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    (repository.root / ".dvc" / "config.local").write_text(
        f"['remote \"store\"']\n    access_key_id = {KEY}\n    secret_access_key = {SECRET}\n"
    )
    assert dvc.push(repository.root, TARGETS) == 7
    assert "config.local" not in git(repository.root, "status", "--porcelain")


def test_a_profile_that_is_not_there_is_told(
    repository: DataRepository, s3_server: S3, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.set_remote(s3_server.remote("bucket").settings)
    monkeypatch.setenv("AWS_PROFILE", "nobody")
    assert ": the profile of credentials is not there; " in told(repository, "push")


@pytest.mark.parametrize("act", ["push", pytest.param("pull", marks=pytest.mark.slow)])
def test_a_refused_connection_is_told(repository: DataRepository, s3_server: S3, act: str) -> None:
    repository.set_remote({"url": "s3://bucket/store", "endpointurl": f"http://127.0.0.1:{refused_port()}"})
    assert ": nothing answers at its address; " in told(repository, act)


def test_a_password_in_an_address_is_not_shown(repository: DataRepository, s3_server: S3) -> None:
    address = f"http://ana:{SECRET}@127.0.0.1:{refused_port()}"
    repository.set_remote({"url": "s3://bucket/store", "endpointurl": address})
    assert "at http://…@127.0.0.1:" in told(repository, "push")


def test_a_credential_that_a_server_repeats_is_not_shown(s3_server: S3) -> None:
    from cellwright.clients.dvc_told import without_secrets

    settings = {"remote": {"store": {"password": "open-sesame", "url": "s3://bucket"}}}
    said = f"denied for {KEY} and open-sesame at s3://bucket"
    assert without_secrets(said, settings) == "denied for … and … at s3://bucket"


@pytest.mark.parametrize("act", ["pull", "ask"])
def test_a_folder_that_is_not_there_is_told_and_not_taken_for_empty(
    repository: DataRepository, folder_remote: Remote, act: str
) -> None:
    """As with a disk that is not mounted."""
    repository.set_remote(folder_remote.settings)
    assert told(repository, act).startswith(f"{folder_remote.folder}: the remote's folder is not there; mount its disk")


def test_a_folder_that_cannot_be_made_is_told(repository: DataRepository) -> None:
    (repository.root.parent / "taken").write_text("a file")
    repository.set_remote({"url": str(repository.root.parent / "taken" / "store")})
    assert "DVC could not push to the remote" in told(repository, "push")


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ("[core]\n    remote = other\n", "its default remote is not among its remotes"),
        ("[core]\n    analytics = false\n", "no remote is set"),
        ("[core]\n    remote = a\n['remote \"a\"']\n    url = x\n    bogus = 1\n", "its settings cannot be read"),
    ],
)
def test_settings_at_fault_are_told(repository: DataRepository, settings: str, says: str) -> None:
    (repository.root / ".dvc" / "config").write_text(settings)
    assert f"DVC could not push to the remote: {says}; " in told(repository, "push")


def test_captures_that_git_holds_already_are_told(repository: DataRepository) -> None:
    from cellwright.authoring.captures.tracking import track_captures

    git(repository.root, "rm", "-q", "--cached", "sources/captures/t.dvc")
    (repository.root / "sources" / "captures" / "t.dvc").unlink()
    git(repository.root, "add", "-f", "sources/captures/t")
    with pytest.raises(WorldFailed, match=r"git already holds these files.*`git rm -r --cached FOLDER` leaves them"):
        track_captures(repository.root, "t")


def test_an_unknown_tag_is_told(repository: DataRepository, tmp_path: Path) -> None:
    with pytest.raises(WorldFailed, match="git knows no such revision there"):
        dvc.get(str(repository.root), "build/bundle", "v9.0.0", tmp_path / "got")
    with pytest.raises(WorldFailed, match="git knows no such revision there"):
        objects_of(repository.root, "v9.0.0")
