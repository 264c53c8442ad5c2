"""Which marks a locale writes in its numbers: the decimal mark, the grouping mark, its own currency."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from cellwright.records.quantities._reading import QuantityError


def listed(text: str) -> frozenset[str]:
    """The words of `text` as a set."""
    return frozenset(text.split())


POINT_LANGUAGES = listed("en ja zh ko th he hi bn ta te mr gu kn ml pa ur my km ms fil tl sw cy ga mt si ne am")
COMMA_LANGUAGES = listed(
    "de fr da es it pt nl sv nb nn no fi pl ru cs sk sl hr sr bs hu ro bg uk be el tr id vi lt lv et is "
    "fo kl ca gl eu af kk az hy ka mk sq lb fy oc br ast rm"
)
# Where the region writes otherwise than the language does.
POINT_REGIONS = frozenset(
    {
        "de-CH",
        "de-LI",
        "it-CH",
        "rm-CH",
        "es-MX",
        "es-US",
        "es-PR",
        "es-419",
        "es-GT",
        "es-HN",
        "es-NI",
        "es-PA",
        "es-PE",
        "es-SV",
        "es-DO",
    }
)
UNSETTLED_REGIONS = frozenset({"en-ZA", "fr-CH"})
"""Both decimal marks are in use there: such a locale settles nothing, like an unknown one."""

SWISS = frozenset({"de-CH", "de-LI", "it-CH", "rm-CH"})
SPACED_LANGUAGES = listed("fr sv nb nn no fi pl ru cs sk hu bg uk be lt lv et kk hy ka")
"""They group by a space, so that even a plain one between groups is read as grouping."""
INDIAN = frozenset({"en-IN", "hi", "hi-IN", "bn-IN", "ta-IN", "te-IN", "mr-IN", "gu-IN"})

NO_BREAK = "\u00a0"
NARROW = "\u202f"


@dataclass(frozen=True, slots=True)
class Marks:
    """How a locale writes numbers."""

    locale: str
    language: str
    region: str
    decimal: str
    """"." or ",", or "" where the locale does not settle it."""
    group: str
    """The mark written between groups, "" for none."""
    plain_space: bool
    """A plain space between groups of three is grouping."""
    indian: bool
    """Groups are written as in 12,34,567."""


@lru_cache(maxsize=256)
def marks(locale: str) -> Marks:
    """The marks of a BCP-47 locale; by its language where the region is no exception.

    A locale that is empty, or whose language is not known here, settles nothing.
    Raises QuantityError for a text that is no locale.
    """
    if len(locale) > 35 or not all(part.isalnum() and part.isascii() for part in _parts(locale)):
        raise QuantityError("this is no locale", seen=locale, expected="a BCP-47 tag such as en or de-CH")
    parts = _parts(locale)
    language = parts[0].lower() if parts else ""
    region = next((part.upper() for part in parts[1:] if len(part) == 2 or part.isdigit()), "")
    tag = f"{language}-{region}" if region else language
    decimal = _decimal(language, tag)
    return Marks(
        locale=locale,
        language=language,
        region=region,
        decimal=decimal,
        group=_group(language, tag, decimal),
        plain_space=language in SPACED_LANGUAGES or tag in {"pt-PT", "es-ES", "es-CR", "de-AT"},
        indian=tag in INDIAN,
    )


def _parts(locale: str) -> list[str]:
    return locale.replace("_", "-").split("-") if locale else []


def _decimal(language: str, tag: str) -> str:
    if tag in UNSETTLED_REGIONS:
        return ""
    if tag in POINT_REGIONS or language in POINT_LANGUAGES:
        return "."
    return "," if language in COMMA_LANGUAGES else ""


def _group(language: str, tag: str, decimal: str) -> str:
    if not decimal:
        return ""
    if tag in SWISS:
        return "’"
    if decimal == ".":
        return ","
    if language == "fr":
        return NARROW
    return NO_BREAK if language in SPACED_LANGUAGES else "."
