"""`read_number`: a whole text read as one number."""

from __future__ import annotations

import re
from decimal import Decimal

from cellwright.records.errors import clip
from cellwright.records.quantities._currencies import currency_of
from cellwright.records.quantities._digits import read_digits
from cellwright.records.quantities._east_asian import MIXED, read_mixed
from cellwright.records.quantities._locale import Marks, marks
from cellwright.records.quantities._meaning import LONGEST_WORD, Meaning, meaning
from cellwright.records.quantities._plain import plain
from cellwright.records.quantities._reading import MAX_DIGITS, MAX_SCALE, MAX_TEXT, QuantityError, Reading
from cellwright.records.quantities._words import MINUS_WORDS

_BODY = re.compile(r"(?:(?<![^\W\d_])[.,٫])?[0-9]+(?:[.,'٫٬\u00a0 ][0-9]+)*")
_FAST = re.compile(r"(\$ ?)?(\()?([-−])?((?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[1-9][0-9]*|0)(?:\.([0-9]+))?)(?(2)\))(%)?")
POWER = re.compile(
    r"(?:[eE]([-−+]?[0-9]{1,2})"
    r"|[ \u00a0]?[×x*][ \u00a0]?10(?:(?:\^|\*\*)([-−]?[0-9]{1,2})|([⁻⁰¹²³⁴-⁹]{1,3})))(?![\w^]|[.,]\d)"
)
"""A power of ten as calculators and papers write it: 6.02e11, 6.02×10^11, 6.02 x 10**11, 6.02×10¹¹."""
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_WORDS = re.compile(r"[^\s\u00a0()+△-]+")
_BLANK = " \u00a0\n"


def read_number(text: str, *, locale: str = "en", table_cell: bool = False) -> Reading:
    """The one number that the whole of `text` writes.

    Read are (design, section 4): grouping by comma, point, apostrophe and spaces that do not break, and the
    decimal mark of `locale` (a BCP-47 tag; "" for unknown); any dash before the digits, brackets, △ and ▲ as
    negative; scale words from thousand to trillion and their kin in other languages; percent, per mille,
    basis points, percentage points; a currency before or after (`currency_of` tells which codes symbols get).
    With `table_cell` a dash alone is zero.

    A minus after the digits (`1,234-`) is refused: it may be the beginning of a range. Raises QuantityError
    with one sentence for anything else, and for a text that two readings fit it names both.
    """
    if len(text) > MAX_TEXT:
        raise QuantityError(
            f"a number is written in {MAX_TEXT} characters at most, and this text has {len(text)}", seen=text[:40]
        )
    text = text.strip()
    known = marks(locale)
    if known.decimal == "." and known.group == ",":
        match = _FAST.fullmatch(text)
        if match is not None and len(text) <= MAX_DIGITS:
            dollar, bracket, dash, body, part, percent = match.groups()
            if not ((bracket and dash) or (dollar and percent)):
                unit = "percent" if percent else currency_of("$", known) if dollar else ""
                return Reading(
                    text, Decimal(body.replace(",", "")), bool(bracket or dash), 0, -len(part) if part else 0, unit
                )
    return _Whole(text, known, table_cell).read()


class _Whole:
    """One text on its way to a reading: what stands before the digits and after them is taken off in turn."""

    def __init__(self, text: str, known: Marks, table_cell: bool) -> None:
        self.text = text
        self.marks = known
        self.table_cell = table_cell
        self.negative = ""
        self.opened = self.closed = False
        self.plus = False
        self.scale = 0
        self.unit = ""
        self.currency = False
        self.weak = ""

    def read(self) -> Reading:
        line = plain(self.text).strip(_BLANK)
        body = _BODY.search(line)
        if body is None:
            return self._without_digits(line)
        mixed = MIXED.search(line)
        if mixed is not None:
            body = mixed
        self._before(line[: body.start()])
        if mixed is None:
            magnitude, place = read_digits(body.group(), self.marks, self.text)
        else:
            magnitude, place = self._steps(mixed.group())
        self._after(self._power(line[body.end() :]))
        self._whole()
        return Reading(self.text, magnitude, bool(self.negative), self.scale, place, self.unit)

    def _steps(self, body: str) -> tuple[Decimal, int]:
        """The digits of a number in steps of ten thousand; its scale is kept."""
        read = read_mixed(body)
        if read is None:
            raise self._error("the steps of ten thousand do not fall from left to right")
        magnitude, place, self.scale = read
        return magnitude, place

    def _power(self, rest: str) -> str:
        """Takes a power of ten off the text after the digits."""
        match = POWER.match(rest)
        if match is None:
            return rest
        power = match.group(match.lastindex or 0).translate(_SUPERSCRIPT).replace("−", "-")
        if not power.lstrip("-+").isdigit() or abs(int(power)) > MAX_SCALE:
            raise self._error(f"a power of ten is at most {MAX_SCALE} either way")
        self.scale = int(power)
        return rest[match.end() :]

    def _without_digits(self, line: str) -> Reading:
        """A lone dash, with a currency, a percent sign or brackets perhaps, or no number at all."""
        first, last = line.find("-"), line.rfind("-")
        run = line[first : last + 1]
        if first < 0 or run.strip("-") or len(run) > 3:
            raise QuantityError("there is no number in this text", seen=self.text or "nothing")
        if not self.table_cell:
            raise QuantityError("a dash alone is a number (zero) only in a table's cell", seen=self.text)
        self._before(line[:first])
        self._after(line[last + 1 :])
        self._whole()
        if self.negative and not self.opened:
            raise self._error("a dash alone cannot have a sign")
        return Reading(self.text, Decimal(0), False, self.scale, 0, self.unit, dash=True)

    def _before(self, rest: str) -> None:
        rest = rest.strip(_BLANK)
        while rest:
            char = rest[0]
            if char in "-△(":
                self._negative(char)
                rest = rest[1:].lstrip(_BLANK)
            elif char == "+" and not self.plus:
                self.plus = True
                rest = rest[1:].lstrip(_BLANK)
            elif minus := next((word for word in MINUS_WORDS if rest.casefold().startswith(word)), ""):
                self._negative(minus)
                rest = rest[len(minus) :].lstrip(_BLANK)
            else:
                rest = self._word(rest, before=True)

    def _after(self, rest: str) -> None:
        glued = rest[:1] not in _BLANK
        rest = rest.strip(_BLANK)
        while rest:
            if rest[0] == ")":
                if not self.opened or self.closed:
                    raise self._error("a bracket is closed that was not opened")
                self.closed = True
                rest = rest[1:]
            elif rest[0] == "-" and glued and not rest.strip("-"):
                raise self._error(
                    "the minus stands after the digits, which may also be the beginning of a range",
                    "write it before them",
                )
            elif rest[0] == "-":
                raise self._error(
                    "a dash stands after the digits: this is a range or several numbers", "write one number alone"
                )
            else:
                rest = self._word(rest, before=False)
            rest = rest.lstrip(_BLANK)

    def _negative(self, sign: str) -> None:
        if self.negative:
            raise self._error(
                f"two signs make this negative (`{self.negative}` and `{sign}`), which may mean"
                " a negative or a positive number",
                "leave one of them out",
            )
        self.negative = sign
        self.opened = sign == "("

    def _word(self, rest: str, *, before: bool) -> str:
        """Takes the longest known word or phrase off `rest`."""
        for length in _ends(rest):
            phrase = rest[:length]
            found = meaning(phrase.replace("\u00a0", " ").replace("\n", " "), self.marks)
            if found is not None:
                self._take(found, phrase, before=before)
                return rest[length:].lstrip(_BLANK)
        match = _WORDS.match(rest)
        word = match.group() if match else rest[0]
        if any(char.isdigit() for char in rest):
            raise self._error("there is more than one number in this text", "write one number alone")
        raise self._error(f"`{clip(word)}` beside the number is not a scale, a unit or a currency")

    def _take(self, found: Meaning, word: str, *, before: bool) -> None:
        if found.refusal:
            raise self._error(found.refusal, "write the scale in full")
        if found.scale:
            if self.scale:
                raise self._error("two scales stand beside the number", "write one")
            self.scale = found.scale
            if found.weak or (before and not found.currency):
                self.weak = word
        if found.currency or found.unit:
            if self.unit or self.currency:
                if found.currency and self.currency and found.unit == self.unit:
                    return  # USD beside $, EUR beside €: said twice
                if found.currency and self.currency and not (self.unit and found.unit):
                    self.unit = self.unit or found.unit  # "$5 CAD" under a locale with its own dollar
                    return
                raise self._error("two units stand beside the number", "write one")
            self.unit, self.currency = found.unit, found.currency
            if before and not found.currency and found.unit != "percent":
                raise self._error(f"the unit `{word}` stands before the number", "write it after")

    def _whole(self) -> None:
        """Checks that hold once everything around the digits is taken off."""
        if self.opened and not self.closed:
            raise self._error("a bracket is opened and not closed")
        if self.plus and self.negative:
            raise self._error("a plus and a sign of a negative number stand together", "leave one of them out")
        if self.weak and not self.currency:
            raise self._error(
                f"`{self.weak}` without a currency may be a scale or a unit", "write million, thousand or the like"
            )
        if self.scale and self.unit in {"percent", "permille", "bp", "pp"}:
            raise self._error(f"a scale and the unit {self.unit} stand together")

    def _error(self, what: str, fix: str = "") -> QuantityError:
        return QuantityError(what, seen=self.text, fix=fix)


def _ends(rest: str) -> list[int]:
    """The places where a word or a phrase of up to three words may end, the longest first."""
    ends: list[int] = []
    words = 1
    for index in range(1, min(len(rest), LONGEST_WORD) + 1):
        char = rest[index] if index < len(rest) else ""
        last = rest[index - 1]
        if last in _BLANK:
            words += 1
            if words > 3:
                break
            continue
        if char and last.isalpha() and char.isalpha() and ord(last) < 0x2E80 and ord(char) < 0x2E80:
            continue
        ends.append(index)
    ends.reverse()
    return ends
