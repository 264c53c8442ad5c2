"""A mirror stands in for the network, and nothing outside its folder is reached through it."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from cellwright.clients.fetched import MAX_BODY, UNKNOWN_TIME
from cellwright.clients.mirror import Mirror
from cellwright.clients.warc import write_capture
from cellwright.records.errors import UnreadableInput

HEAD = "url,file,media_type,status,headers,fetched,via\n"
URL = "https://filings.example/a.html"


def mirror(folder: Path, *lines: str, head: str = HEAD) -> Mirror:
    folder.mkdir(exist_ok=True)
    (folder / "index.csv").write_text(head + "".join(line + "\n" for line in lines), encoding="utf-8")
    return Mirror(folder)


def test_a_file_answers_for_its_address(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(b"<p>1</p>")
    line = f"{URL},a.html,text/html,200,X-Y: z | Content-Language: en,2024-06-30,stand-in"
    fetched = mirror(tmp_path, line).fetch(URL)
    assert fetched is not None
    assert (fetched.status, fetched.http_status, fetched.body, fetched.via) == ("ok", 200, b"<p>1</p>", "stand-in")
    assert fetched.headers == (("Content-Type", "text/html"), ("X-Y", "z"), ("Content-Language", "en"))
    assert (fetched.fetched_at, fetched.request_headers) == ("2024-06-30T00:00:00Z", ())


def test_two_columns_are_enough(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(b"x")
    fetched = mirror(tmp_path, f"{URL},a.html", head="url,file\n").fetch(URL + "#part")
    assert fetched is not None
    assert (fetched.status, fetched.via, fetched.fetched_at) == ("ok", "mirror", UNKNOWN_TIME)


def test_an_address_without_a_line_is_nothing(tmp_path: Path) -> None:
    assert mirror(tmp_path).fetch(URL) is None


def test_a_time_with_a_zone_is_written_in_utc(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x")
    fetched = mirror(tmp_path, f"{URL},a,text/html,,,2024-06-30T01:00:00+02:00,").fetch(URL)
    assert fetched is not None
    assert fetched.fetched_at == "2024-06-29T23:00:00Z"


@pytest.mark.parametrize(
    ("status", "outcome"), [("404", "gone"), ("403", "blocked"), ("429", "rate_limited"), ("500", "unreachable")]
)
def test_a_failure_is_mirrored_without_a_file(tmp_path: Path, status: str, outcome: str) -> None:
    fetched = mirror(tmp_path, f"{URL},,,{status},,,").fetch(URL)
    assert fetched is not None
    assert (fetched.status, fetched.http_status, fetched.body) == (outcome, int(status), b"")


def test_redirects_are_followed_within_the_mirror(tmp_path: Path) -> None:
    (tmp_path / "b.html").write_bytes(b"x")
    fetched = mirror(
        tmp_path,
        f"{URL},,,301,Location: ./b.html#top,,",
        "https://filings.example/b.html,b.html,text/html,,,2024-06-30,",
    ).fetch(URL)
    assert fetched is not None
    assert (fetched.status, fetched.final_url) == ("redirected", "https://filings.example/b.html")
    assert [(hop.url, hop.http_status) for hop in fetched.hops] == [(URL, 301)]


@pytest.mark.parametrize(("location", "says"), [("https://filings.example/c", "no line for"), (URL, "without end")])
def test_a_redirect_that_leads_nowhere_is_unreachable(tmp_path: Path, location: str, says: str) -> None:
    fetched = mirror(tmp_path, f"{URL},,,302,Location: {location},,").fetch(URL)
    assert fetched is not None
    assert fetched.status == "unreachable"
    assert says in fetched.note


@pytest.mark.parametrize(
    ("media_type", "body"), [("text/html", b"<p>1</p>"), ("application/gzip", gzip.compress(b"<p>1</p>", mtime=0))]
)
def test_an_original_kept_as_gzip_is_unpacked(tmp_path: Path, media_type: str, body: bytes) -> None:
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(b"<p>1</p>", mtime=0))
    fetched = mirror(tmp_path, f"{URL},a.html.gz,{media_type},,,,").fetch(URL)
    assert fetched is not None
    assert fetched.body == body


def test_a_content_coding_is_undone(tmp_path: Path) -> None:
    packed = gzip.compress(b"text", mtime=0)
    (tmp_path / "a").write_bytes(packed)
    fetched = mirror(tmp_path, f"{URL},a,text/html,,Content-Encoding: gzip,,").fetch(URL)
    assert fetched is not None
    assert (fetched.body, fetched.payload) == (b"text", packed)


def test_the_same_mirror_gives_the_same_captures(tmp_path: Path) -> None:
    line = f"{URL},a.html,text/html,200,Server: x,2024-06-30,"
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.html").write_bytes(b"<p>1</p>")
    found = [mirror(tmp_path / name, line).fetch(URL) for name in ("one", "two")]
    assert found[0] is not None
    assert found[0] == found[1]
    assert write_capture(found[0]) == write_capture(found[1] or found[0])


@pytest.mark.parametrize(
    "file", ["../secret", "a/../../secret", "/etc/passwd", "..\\secret", "C:\\secret", "C:secret", "a\tb", ""]
)
def test_a_file_that_leads_out_of_the_folder_is_refused(tmp_path: Path, file: str) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    with pytest.raises(UnreadableInput, match=r"m/index\.csv:2 \(`file`\)"):
        mirror(tmp_path / "m", f'{URL},"{file}",text/html,,,,')


def test_a_link_that_leads_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "a").symlink_to(tmp_path / "secret")
    with pytest.raises(UnreadableInput, match="a symbolic link leads out of the mirror"):
        mirror(tmp_path / "m", f"{URL},a,text/html,,,,").fetch(URL)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (f"{URL},a,text/html,99,,,", "this is no HTTP status; seen '99'"),
        (f"{URL},a,text/html,ok,,,", "`status` cannot be read"),
        (f"{URL},,,301,X: y,,", "a redirect leads nowhere"),
        (f"{URL},a,text/html,,no colon,,", "the headers cannot be read"),
        (f'{URL},a,text/html,,"X: a\nY: b",,', "the headers cannot be read"),
        (f"{URL},a,tëxt/html,,,,", "the headers cannot be read"),
        (f"{URL},a,text/html,,,yesterday,", "this is no time; seen 'yesterday'"),
        (f"{URL},a,text/html,,,,guess", "`via` cannot be read"),
        ("ftp://filings.example/a,a,text/html,,,,", "the address cannot be mirrored"),
        ("https://filings.example/a b,a,text/html,,,,", "the address cannot be mirrored"),
        (f"{URL},a,,,,,\n{URL},b,,,,,", "stands twice"),
    ],
)
def test_a_line_at_fault_is_told(tmp_path: Path, line: str, says: str) -> None:
    with pytest.raises(UnreadableInput, match=says):
        mirror(tmp_path, line)


def test_a_folder_without_an_index_is_no_mirror(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput, match=r"index\.csv: the file is missing"):
        Mirror(tmp_path)


def test_a_file_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput, match=r"a\.html: the file is missing"):
        mirror(tmp_path, f"{URL},a.html,text/html,,,,").fetch(URL)


@pytest.mark.parametrize("data", [b"no gzip", gzip.compress(b"text", mtime=0)[:-4], gzip.compress(bytes(MAX_BODY + 1))])
def test_a_file_that_cannot_be_unpacked_is_told(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.gz").write_bytes(data)
    with pytest.raises(UnreadableInput, match="cannot be unpacked"):
        mirror(tmp_path, f"{URL},a.gz,text/html,,,,").fetch(URL)


def test_an_empty_file_is_no_document(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    fetched = mirror(tmp_path, f"{URL},a,text/html,,,,").fetch(URL)
    assert fetched is not None
    assert (fetched.status, fetched.note) == ("wrong_type", "the file is empty")
