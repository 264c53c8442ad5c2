"""A release verified in this process, and what the checks say."""

from __future__ import annotations

from cellwright.authoring.releases.verifying_releases import verify_release
from cellwright.harness.rescoring import score_faults
from cellwright.records.releases.verification import Check, Verification
from tests.releases.made_release import TAG, Release


def verified(release: Release) -> Verification:
    return verify_release(str(release.root), TAG, score_faults)


def state(found: Verification, name: str) -> str:
    return next(check.state for check in found.checks if check.name == name)


def failed(found: Verification) -> dict[str, str]:
    """What is wrong by the check's name, in words."""
    return {check.name: words(check) for check in found.checks if check.state == "failed"}


def words(check: Check) -> str:
    return "\n".join(remark.sentence() for remark in check.remarks)
