"""Remotes in a folder and over S3, and a repository with releases."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import here  # noqa: F401
from tests.conftest import missing
from tests.data_repository import S3, DataRepository, Remote, make_repository, set_credentials


@pytest.fixture(scope="session")
def s3_running() -> Iterator[str]:
    """The address of a server that speaks S3 over real HTTP on the loopback address."""
    try:
        from moto.server import ThreadedMotoServer
    except ImportError:
        missing("moto is not installed")
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        yield "http://{}:{}".format(*server.get_host_and_port())
    finally:
        server.stop()


@pytest.fixture
def s3_server(s3_running: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> S3:
    """The server, empty, and credentials for it in the environment."""
    import boto3

    set_credentials(monkeypatch.setenv, tmp_path / "no-settings")
    monkeypatch.delenv("AWS_PROFILE", raising=False)
    client = boto3.client("s3", endpoint_url=s3_running)
    for bucket in client.list_buckets()["Buckets"]:
        for item in client.list_objects_v2(Bucket=bucket["Name"]).get("Contents", ()):
            client.delete_object(Bucket=bucket["Name"], Key=item["Key"])
        client.delete_bucket(Bucket=bucket["Name"])
    return S3(s3_running, client)


@pytest.fixture
def folder_remote(tmp_path: Path) -> Remote:
    """A folder as the remote."""
    return Remote("folder", {"url": str(tmp_path / "store")}, tmp_path / "store")


@pytest.fixture(params=["folder", pytest.param("s3", marks=pytest.mark.slow)])
def remote(request: pytest.FixtureRequest) -> Remote:
    """Every kind of remote in turn: what holds for one holds for the other. A share over S3 is run in
    `test_a_bucket_does_what_a_folder_does`."""
    if request.param == "folder":
        found: Remote = request.getfixturevalue("folder_remote")
        return found
    server: S3 = request.getfixturevalue("s3_server")
    return server.remote("bucket")


@pytest.fixture(scope="session")
def master(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the releases 1.0.0, 1.1.0 and 2.0.0, pushed nowhere; not to be changed."""
    made = make_repository(tmp_path_factory.mktemp("master") / "repository")
    for version in ("1.0.0", "1.1.0", "2.0.0"):
        made.release(version)
    return made.root


@pytest.fixture
def repository(master: Path, tmp_path: Path) -> DataRepository:
    """A repository with three releases that the test may spoil."""
    return DataRepository(shutil.copytree(master, tmp_path / "repository", symlinks=True))
