"""What a web page is about, beside its whole text: main text, title, day of publication, publisher.

Quotes are looked for in the whole text of a page (`html.py`), which has every number. The main text is a second
reading, by trafilatura, for what the whole text cannot tell: whether there is an article at all (a challenge page
or a teaser has none), and what to propose for a source's `title`, `published` and `publisher`.
"""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from datetime import date

from cellwright.documents.charset import decode
from cellwright.documents.html import text_of
from cellwright.documents.limits import check_bytes

MAX_PAGE = 3_000_000
"""The largest page, in bytes, that is looked at: no article is longer, and a filing has no main text."""
LAST_DAY = date(2100, 12, 31)
_SHORTEST_LEAD = 40
_LONGEST_FIELD = 300
_OVERLAYS = ["//*[@role='dialog']", "//dialog", "//*[@aria-hidden='true']"]
"""What lies over a page or is hidden from readers is not its text, whatever it holds."""


@dataclass(frozen=True, slots=True)
class MainText:
    """What a page says in the main, and of itself; each field is empty where the page does not tell."""

    text: str = ""
    """The article with its tables and without menus, comments and notes of the site; a paragraph a line."""
    title: str = ""
    published: date | None = None
    publisher: str = ""
    """The site's name as the page gives it: a proposal, since a host publishes for others too."""
    problem: str = ""
    """Why there is no main text, in a sentence."""


def read_main(
    data: bytes, *, charset: str | None = None, url: str = "", not_after: date = LAST_DAY, whole_text: str | None = None
) -> MainText:
    """The main text of an HTML page and what the page says of itself; nothing is fetched.

    `whole_text` is the page's text by `html.text_of`, where it was read already. A page larger than `MAX_PAGE`, or
    one that the library breaks on, gives an empty text and a `problem`. A day later than `not_after` is no day of
    publication. Raises UnreadableInput as `read_html` does.
    """
    check_bytes(data, "HTML")
    if len(data) > MAX_PAGE:
        return MainText(problem=f"the page is larger than {MAX_PAGE} bytes: its main text was not looked for")
    page = decode(data, charset=charset).text
    whole = text_of(data, charset=charset) if whole_text is None else whole_text
    try:
        text, told = _extracted(page, url, not_after)
    except ImportError:
        return MainText(problem="the main text of a page is told by trafilatura: pip install 'cellwright[author]'")
    except Exception as error:  # the library raises whatever a damaged page leads it to
        return MainText(problem=f"the main text of the page cannot be told ({type(error).__name__})")
    publisher = _publisher(told.get("sitename", ""), told.get("title", ""))
    title = _title(told.get("title", ""), publisher)
    lead = told.get("description", "")
    return MainText(
        text=_headed(text, (title, lead if len(lead) >= _SHORTEST_LEAD else ""), whole),
        title=title,
        published=_day(told.get("date", ""), not_after),
        publisher=publisher,
        problem="" if text else "the page has no main text",
    )


def _extracted(page: str, url: str, not_after: date) -> tuple[str, dict[str, str]]:
    """The main text and the page's own words about itself."""
    import trafilatura

    for name in ("trafilatura", "htmldate"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    dates = {"original_date": True, "extensive_search": False, "max_date": not_after.isoformat()}
    text = trafilatura.extract(
        page,
        include_comments=False,
        include_tables=True,
        prune_xpath=_OVERLAYS,
        date_extraction_params=dates,
        output_format="txt",
    )
    found = trafilatura.extract_metadata(page, default_url=url or None, date_config=dates)
    told = found.as_dict() if found is not None else {}
    fields = {name: told.get(name) for name in ("title", "sitename", "date", "description")}
    return text or "", {
        name: " ".join(value.split())[: _LONGEST_FIELD * 10] for name, value in fields.items() if isinstance(value, str)
    }


def _headed(text: str, tops: tuple[str, ...], whole: str) -> str:
    """The text under its headline and lead, where the page shows them and the library left them out.

    Press offices set the first paragraph, which often has the figures, apart from the article; the page names it as
    its description.
    """
    if not text:
        return text
    inside, lines = _squeezed(text), [_squeezed(line) for line in whole.split("\n")]
    missing = [
        top for top in tops if top and _squeezed(top) not in inside and any(_squeezed(top) in line for line in lines)
    ]
    return "\n".join((*missing, text))


def _squeezed(text: str) -> str:
    return re.sub(r"\W+", "", text).casefold()


def _title(title: str, publisher: str) -> str:
    """The title without the site's name at its end."""
    if publisher:
        title = re.sub(rf"\s[|·•–—-]\s{re.escape(publisher)}$", "", title) or title
    return title[:_LONGEST_FIELD]


def _publisher(name: str, title: str) -> str:
    """The site's name; what only repeats the page's title is none."""
    return "" if title and _squeezed(title) in _squeezed(name) else name[:_LONGEST_FIELD]


def _day(text: str, not_after: date) -> date | None:
    try:
        found = date.fromisoformat(text[:10])
    except ValueError:
        return None
    return found if found <= not_after else None
