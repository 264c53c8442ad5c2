"""The files of a contribution held against its list: each is there, is the one that was listed, and no other is."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from cellwright.records.contribution import MANIFEST, CheckFinding, Manifest, finding
from cellwright.validators.contributions.names import shown_name


def listing_findings(
    manifest: Manifest, sums: Mapping[str, tuple[int, str]], refused: Collection[str]
) -> Iterator[CheckFinding]:
    """`sums` gives size and sha256 of each file but the list itself, by its path; `refused` are names of files that
    are there and were told before."""
    listed = {item.file: item for item in manifest.files}
    for item in manifest.files:
        if item.file not in sums and item.file in refused:
            continue
        if item.file not in sums:
            yield finding("K-UNLISTED", shown_name(item.file), observed="listed, and not there", fix="pack it again")
            continue
        size, sha256 = sums[item.file]
        if sha256 != item.sha256:
            yield finding("K-HASH", item.file, observed=sha256, expected=item.sha256, fix="pack it again")
        elif size != item.bytes:
            yield finding("K-HASH", item.file, observed=f"{size} bytes", expected=f"{item.bytes}", fix="pack it again")
    for name in sums:
        if name not in listed:
            yield finding("K-UNLISTED", shown_name(name), observed="there, and not listed", fix="pack it again")
    if len(listed) != len(manifest.files):
        yield finding("K-UNLISTED", MANIFEST, observed="a file is listed twice", fix="pack it again")
