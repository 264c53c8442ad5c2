"""Names of people and of companies compared: what only looks different, and what is spelt another way.

Letters that look alike are those of the Greek and Cyrillic scripts that a reader takes for Latin ones (Unicode
Technical Standard 39 calls them confusable). Hidden characters take no room on the page.
"""

from __future__ import annotations

import re
import unicodedata

from cellwright.records.quantities._locale import listed

_ALIKE = dict(
    zip("АВЕЅІЈКМНОРСТУХаеорсухіјѕԁԛԝӀӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧοѵ", "ABESIJKMHOPCTYXaeopcyxijsdqwIlABEZHIKMNOPTYXov", strict=True)
)
_TURNING = "\u202a-\u202e\u2066-\u2069"
_HIDDEN = re.compile(f"[\u00ad\u180e\u200b\u200e\u200f\u2060-\u2064\ufeff{_TURNING}\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LATIN_JOINED = re.compile("(?<=[A-Za-z0-9 ])[\u200c\u200d]|[\u200c\u200d](?=[A-Za-z0-9 ])|[\u200c\u200d]$")
_WORD = re.compile(r"\w+")
_LEGAL = listed(
    "inc incorporated corp corporation co company ltd limited llc lp plc ag se sa nv bv gmbh kg kgaa spa ab asa oyj"
    " the and holding holdings group"
)


def hidden_characters(text: str) -> list[str]:
    """The code points in `text` that nobody sees: `U+200B`, each once, in order.

    Marks of direction in a text that has letters written from right to left are no fault; joiners are none
    between letters of scripts that need them.
    """
    if text.isascii() and text.isprintable():
        return []
    found = [*_HIDDEN.findall(text), *_LATIN_JOINED.findall(text)]
    if any(unicodedata.bidirectional(char) in ("R", "AL") for char in text):
        found = [char for char in found if char not in "\u200e\u200f"]
    return list(dict.fromkeys(f"U+{ord(char):04X}" for char in found))


def mixed_words(text: str) -> list[str]:
    """The words of `text` in which a letter of another script stands for the Latin one that it looks like."""
    if text.isascii():
        return []
    words = _WORD.findall(text)
    return [word for word in words if any(char in _ALIKE for char in word) and re.search("[A-Za-z]", word)]


def borrowed_letters(text: str) -> list[str]:
    """The letters of another script in `text` that a reader takes for Latin ones: `U+0430`, each once, in order."""
    return list(dict.fromkeys(f"U+{ord(char):04X}" for char in text if char in _ALIKE))


def plain(text: str) -> str:
    """`text` without hidden characters, accents and capitals, with Latin letters for those that look alike."""
    text = _HIDDEN.sub("", text)
    if not text.isascii():
        text = "".join(_ALIKE.get(char, char) for char in text)
        parts = unicodedata.normalize("NFKD", text)
        text = unicodedata.normalize("NFC", "".join(char for char in parts if not unicodedata.combining(char)))
    return " ".join(text.split()).casefold()


def company_key(name: str) -> str:
    """A company's name by which it is told from others: no legal form, no punctuation, no accents.

    A name that is nothing but such words stays as it is.
    """
    joined = re.sub(r"(?<=\b\w)\.(?=\w\b)|(?<=\w)-(?=\w)", "", plain(name))  # S.A., Co-op
    words = _WORD.findall(joined.replace("&", " and "))
    return "".join(word for word in words if word not in _LEGAL) or "".join(words)


def person_keys(text: str) -> frozenset[str]:
    """The people whom a field names: one, or several with commas, slashes or `and`; of an address the part before @."""
    people = re.split(r"[,;/&+]|\band\b", plain(text))
    return frozenset(
        key for person in people if (key := " ".join(_WORD.findall(person.partition("@")[0].replace("_", " "))))
    )
