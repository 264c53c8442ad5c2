"""Licences by their SPDX id: the name that dataset hubs know them by, and the address of their text.

A task may name any licence; what is not in this list is told in its own words and never guessed.
"""

from __future__ import annotations

from collections.abc import Iterable

KNOWN = {
    "Apache-2.0": "apache-2.0",
    "BSD-2-Clause": "bsd-2-clause",
    "BSD-3-Clause": "bsd-3-clause",
    "CC-BY-2.0": "cc-by-2.0",
    "CC-BY-2.5": "cc-by-2.5",
    "CC-BY-3.0": "cc-by-3.0",
    "CC-BY-4.0": "cc-by-4.0",
    "CC-BY-SA-3.0": "cc-by-sa-3.0",
    "CC-BY-SA-4.0": "cc-by-sa-4.0",
    "CC-BY-NC-3.0": "cc-by-nc-3.0",
    "CC-BY-NC-4.0": "cc-by-nc-4.0",
    "CC-BY-NC-SA-4.0": "cc-by-nc-sa-4.0",
    "CC-BY-NC-ND-4.0": "cc-by-nc-nd-4.0",
    "CC-BY-ND-4.0": "cc-by-nd-4.0",
    "CC0-1.0": "cc0-1.0",
    "CDLA-Permissive-1.0": "cdla-permissive-1.0",
    "CDLA-Permissive-2.0": "cdla-permissive-2.0",
    "CDLA-Sharing-1.0": "cdla-sharing-1.0",
    "MIT": "mit",
    "ODbL-1.0": "odbl",
    "ODC-By-1.0": "odc-by",
    "PDDL-1.0": "pddl",
    "Unlicense": "unlicense",
}
"""SPDX id → the id in the front matter of a card on the Hugging Face hub."""

_BY_FOLDED = {name.casefold(): name for name in KNOWN}


def spdx_id(licence: str) -> str:
    """The SPDX id that `licence` is, whatever its case; empty where it is none that is known."""
    return _BY_FOLDED.get(licence.strip().casefold(), "")


def hub_licences(licences: Iterable[str]) -> list[str]:
    """What the hub calls these licences, sorted; `other` alone where one is unknown, none where there is none."""
    given = {licence.strip() for licence in licences} - {""}
    if any(not spdx_id(licence) for licence in given):
        return ["other"]
    return sorted({KNOWN[spdx_id(licence)] for licence in given})


def licence_address(licence: str) -> str:
    """Where the licence's text stands; empty where it is not known."""
    name = spdx_id(licence)
    return f"https://spdx.org/licenses/{name}.html" if name else ""
