"""Templates to bytes: every page is one file that asks nothing of the network and runs no script.

Each text is made fit to be shown and escaped; a content security policy in the page's head forbids
scripts, frames, forms and everything from elsewhere, should anything ever slip through.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from cellwright.views.safe import fit

if TYPE_CHECKING:
    from jinja2 import Environment


def render(template: str, values: Mapping[str, object]) -> bytes:
    """The page that a template makes of `values`, as UTF-8. The same values give the same bytes."""
    environment = _environment()
    css = _style(environment)
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    return environment.get_template(template).render(css=css, css_digest=digest, **values).encode()


def render_part(template: str, values: Mapping[str, object]) -> str:
    """The piece of a page that a template makes of `values`, escaped; to be put into a page of ours as it is."""
    return _environment().get_template(template).render(**values)


def typographic(text: str) -> str:
    """A number's text with a true minus before its digits; for reading, not for copying into a sheet."""
    return "".join(
        "−" if char == "-" and text[at + 1 : at + 2].isdigit() and not text[:at][-1:].isalnum() else char
        for at, char in enumerate(text)
    )


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("cellwright.views"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["minus"] = typographic
    return environment


def _finalize(value: Any) -> Any:
    """Plain text made fit to be shown; what a template itself made (Markup) and numbers as they are."""
    return fit(value) if type(value) is str else value


def _style(environment: Environment) -> str:
    assert environment.loader is not None
    css, _, _ = environment.loader.get_source(environment, "style.css")
    return css
