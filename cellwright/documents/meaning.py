"""What a table's figure means: its period, kind, scale and currency, told from the words around it alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property

from cellwright.documents import scales
from cellwright.documents.dates import mentions_in
from cellwright.documents.declared import scale_of
from cellwright.documents.figures import Figure
from cellwright.documents.fiscal import FiscalYears
from cellwright.documents.heads import Row, heads_above, sections_above, stubs_above
from cellwright.documents.kinds import FigureKind, kind_of, says_unit, tells_shares
from cellwright.documents.labels import words as words_of
from cellwright.documents.model import Table
from cellwright.documents.opening_days import opening_shifted
from cellwright.documents.quotes import CURRENCY_SIGNS
from cellwright.documents.scales import Scales
from cellwright.documents.spans import Span, is_period, part_end, read_span
from cellwright.documents.statements import rank_of, titles_of


@dataclass(frozen=True, slots=True)
class Meaning:
    """What stands around a figure says that it is."""

    end: date | None
    start: date | None
    year: int | None
    """The year a head names where its last day cannot be told."""
    months: int | None
    instant: bool | None
    compares: bool
    kind: FigureKind
    scale: int
    scale_told: bool
    """Something in the document tells the scale; else it is 0 because nothing does."""
    currency: str
    heads: tuple[str, ...]
    sections: tuple[str, ...]
    scale_by: str = ""
    """What gives the scale to the whole table or column, where neither the row nor a unit beside it does."""


def _nothing_before() -> Around | None:
    return None


@dataclass(frozen=True, slots=True)
class _RowTold:
    """What a row tells of each of its figures alike."""

    sections: tuple[str, ...]
    words: list[str]
    """Its cells of words beside the label, and its year."""
    path: tuple[str, ...]
    own: list[Span]
    """The periods that its own cells name."""
    named: list[Span]
    """What its label says of time, then what its sections do."""
    stubs: list[Span]
    siblings: Span | None
    of_shares: bool
    """A stub above it gives a scale to numbers of shares alone."""


@dataclass(frozen=True)
class Around:
    """A table with what stands around it, read once for all of its figures."""

    table: Table
    years: FiscalYears
    default: Scales = field(default_factory=Scales)
    """What the document says of all its tables ("in millions, unless otherwise indicated")."""
    locale: str = "en"
    before_it: Callable[[], Around | None] = field(default=_nothing_before, repr=False, compare=False)
    """Gives the table before it: "the following tables show … (in millions)" is said once for several."""

    @cached_property
    def previous(self) -> Around | None:
        """The table before it; None for the first, and for the first of a PDF's page."""
        return self.before_it()

    @cached_property
    def columns_tell(self) -> bool:
        """Whether the lowest heads of some columns say that they hold numbers of shares or amounts per share."""
        last = next((row for row in reversed(self.table.parts[: self.table.head_rows]) if _names_columns(row)), None)
        return last is not None and any(tells_shares(cell.text) for cell in last.cells if cell.column > 0)

    @cached_property
    def titles(self) -> list[str]:
        """The lines that may be its title, nearest first."""
        return titles_of(self.table)

    @cached_property
    def subject(self) -> str:
        """The nearest title line that says what the table is about, not its scale or period."""
        return next(
            (title for title in self.titles if not scales.is_only_scale(title) and not is_period(title, self.locale)),
            "",
        )

    @cached_property
    def rank(self) -> int:
        """How much its figures are believed, see `statements`."""
        return rank_of(self.table)

    @cached_property
    def title_spans(self) -> list[Span]:
        """What its title lines say of time."""
        return [
            read_span(title, self.locale) for title in self.titles[:5] if len(title) <= 160 and not title.endswith(".")
        ]

    @cached_property
    def own_beside(self) -> dict[tuple[str, frozenset[str]], bool]:
        """Whether a label, or a head, is one of these names of an entity; kept for the next figure."""
        return {}

    @cached_property
    def title_words(self) -> frozenset[str]:
        """The words of the nearest lines that may be its title."""
        return words_of(" ".join(self.titles[:4]))

    def spoken(self, number: int, heads: tuple[str, ...]) -> frozenset[str]:
        """The words close to a figure of row `number` under these heads: label, heads, sections and subject."""
        found = self._spoken.get((number, heads))
        if found is None:
            label, path = self.table.parts[number].label, self.table.row_path(number)
            found = self._spoken[number, heads] = words_of(" ".join((label, *heads, *path, self.subject)))
        return found

    @cached_property
    def _spoken(self) -> dict[tuple[int, tuple[str, ...]], frozenset[str]]:
        return {}

    @cached_property
    def _rows(self) -> dict[int, _RowTold]:
        return {}

    def _row_told(self, number: int) -> _RowTold:
        """What holds for every figure of row `number`; told once."""
        found = self._rows.get(number)
        if found is None:
            row = self.table.parts[number]
            sections = tuple(sections_above(self.table, number)[:6])
            words = [cell.text for cell in row.words if cell.text != row.label]
            if row.when:
                words.append(row.when)
            own = [read_span(word, self.locale) for word in words if is_period(word, self.locale)]
            both = self._from_two_columns(number)
            if both is not None:
                own.insert(0, both)
            stubs = stubs_above(self.table, number)
            found = self._rows[number] = _RowTold(
                sections,
                words,
                self.table.row_path(number),
                own,
                [self._named(row.label)]
                + [read_span(section, self.locale) for section in sections if is_period(section, self.locale)],
                [read_span(stub, self.locale) for stub in stubs],
                self._siblings(number),
                any(scales.is_of_shares_alone(stub) for stub in stubs[:4]),
            )
        return found

    @cached_property
    def _meanings(self) -> dict[tuple[int, int], Meaning]:
        return {}

    def meaning(self, number: int, figure: Figure) -> Meaning:
        """What the figure of row `number` means; told once and kept, as facts of one row follow each other."""
        found = self._meanings.get((number, figure.column))
        if found is None:
            found = self._meanings[number, figure.column] = self._told_meaning(number, figure)
        return found

    def _told_meaning(self, number: int, figure: Figure) -> Meaning:
        row = self.table.parts[number]
        groups = heads_above(self.table, number, figure.first, figure.last)
        heads = tuple(text for group in reversed(groups) for text in group)
        of_row = self._row_told(number)
        sections, words = of_row.sections, of_row.words
        span = opening_shifted(self._period(number, groups, of_row), row.label, self.years)
        kind = kind_of(figure, words, row.label, groups, of_row.path, columns_tell=self.columns_tell)
        if kind == "money" and of_row.of_shares:
            kind = "shares"
        if kind == "money" and not says_unit(row.label, heads) and self._heads_percent(number, figure):
            kind = "percent"
        scale, told, by = scale_of(self, number, kind, words, row.label, groups, sections)
        return Meaning(
            span.end,
            span.start,
            span.year,
            span.months,
            span.instant,
            span.compares,
            kind,
            scale,
            told,
            self._currency(figure, words, heads),
            heads,
            sections,
            by,
        )

    def _period(self, number: int, groups: list[list[str]], of_row: _RowTold) -> Span:
        """What the heads, the row and the titles say of time together; the nearest word counts first."""
        joined = [read_span(" ".join(group), self.locale) for group in groups]
        own, siblings = of_row.own, of_row.siblings
        near = [*own, *joined, *of_row.named]
        base = next((span for span in near if span.dated), None) or self._between(number)
        if base is None:
            dated = [span for span in self.title_spans[:4] if span.end]
            base = dated[0] if len({span.end for span in dated}) == 1 else Span()
        rest = [*near, *of_row.stubs, *([siblings] if siblings else []), *self.title_spans]
        if base.end is not None and any(base is span for span in own):
            rest = []  # the row tells its whole period itself
        return self._resolved(base, rest, compares=any(span.compares for span in joined[:1]))

    def _resolved(self, base: Span, rest: list[Span], *, compares: bool) -> Span:
        months = base.months or next(
            (span.months for span in rest if span.months and (span.instant is False or span not in self.title_spans)),
            None,
        )
        instant = base.instant
        if instant is None:
            instant = next((span.instant for span in rest if span.instant is not None), None)
        end = base.end
        if end is None and base.year is not None:
            day = base.month_day or next((found for span in rest if (found := _day_in(span, base.year))), None)
            end = self._year_end(base, day)
            part = base.part or next((span.part for span in rest if span.part), None)
            if part and day is None and months in (3, 6):
                end = self._part_end(base, end, part, months)
        return replace(base, end=end, months=months, instant=instant, compares=compares)

    def _part_end(self, base: Span, year_end: date | None, part: int, months: int) -> date | None:
        """The last day of a quarter or half: of the year that the document tells, else of the calendar's."""
        if year_end is None and not base.fiscal and not self.years.ends:
            year_end = date(base.year or 0, 12, 31)
        return part_end(year_end, part, months) if year_end is not None else None

    def _year_end(self, base: Span, day: tuple[int, int] | None) -> date | None:
        """The last day of the year that a head names; one in January or February needs words that bind the two."""
        year = base.year or 0
        titled = self._title_day(year)
        early = (titled.month if titled else day[0] if day else 1) <= 2
        if base.month_day is None and early and self._early_days and not any(end.month > 2 for end in self.years.ends):
            return self.years.labelled.get(year) or self._early_end(year)
        return titled or self.years.end_of(year, month_day=day, fiscal=base.fiscal)

    @cached_property
    def _early_days(self) -> dict[int, date]:
        """The full dates in January and February that the titles name, by their year."""
        return {
            m.year: m.date
            for title in self.titles
            if len(title) <= 240
            for m in mentions_in(title, self.locale)
            if m.year and m.day is not None and m.date and m.date.month <= 2
        }

    def _early_end(self, year: int) -> date | None:
        """The day that a title gives a bare head: the latest day is the latest head's, a year apart at most."""
        heads = [
            span.year
            for row in self.table.parts
            if row.kind == "head"
            for cell in row.cells
            if is_period(cell.text, self.locale) and (span := read_span(cell.text, self.locale)).year
        ]
        if not heads or not self._early_days:
            return None
        shift = max(self._early_days) - max(heads)
        return self._early_days.get(year + shift) if shift in (0, 1) else None

    @cached_property
    def _day_columns(self) -> tuple[frozenset[int], frozenset[int]]:
        """The columns of records' first days, and of their last days, by their heads ("start", "end")."""
        heads = [cell for row in self.table.parts if row.kind == "head" for cell in row.cells]
        return (
            frozenset(cell.column for cell in heads if _FIRST_DAY.search(cell.text)),
            frozenset(cell.column for cell in heads if _LAST_DAY.search(cell.text)),
        )

    def _from_two_columns(self, number: int) -> Span | None:
        """The period of a record that has its first and its last day in columns of their own."""
        firsts, lasts = self._day_columns
        if not lasts:
            return None
        days = {
            cell.column: span.end
            for cell in self.table.parts[number].cells
            if cell.column in firsts | lasts and (span := read_span(cell.text, self.locale)).end
        }
        last = next((day for column, day in days.items() if column in lasts), None)
        first = next((day for column, day in days.items() if column in firsts), None)
        return Span(last, first, instant=first is None) if last is not None else None

    def _named(self, label: str) -> Span:
        """What a row's label says of time: "Balance at December 31, 2021", "2023"; not "notes due 2026"."""
        span = read_span(label, self.locale)
        if is_period(label, self.locale):
            return span
        if span.end is None or _TERM.search(label) or all(m.day is None for m in mentions_in(label, self.locale)):
            return replace(span, end=None, start=None, year=None)
        return span

    def _between(self, number: int) -> Span | None:
        """The period from one dated balance to the next, for a row of changes between them."""
        below = next((row for row in range(number + 1, self.table.rows) if row in self._balances), None)
        above = next((row for row in range(number - 1, -1, -1) if row in self._balances), None)
        if below is None or above is None:
            return None
        first, last = self._balances[above], self._balances[below]
        days = (last - first).days
        if days <= 0:
            return None
        return Span(last, months=max(1, round(days / 30.44)), instant=False)

    @cached_property
    def _balances(self) -> dict[int, date]:
        """The rows that tell a balance at a day, of a table whose columns tell no time."""
        return {
            row: span.end
            for row, part in enumerate(self.table.parts)
            if part.kind == "body"
            and (span := self._named(part.label)).end
            and any(m.day for m in mentions_in(part.label, self.locale))
        }

    def _title_day(self, year: int) -> date | None:
        """The one full date of `year` that the titles name: "for the years ended September 28, 2024, …"."""
        days = {
            m.date
            for title in self.titles
            if len(title) <= 240
            for m in mentions_in(title, self.locale)
            if m.year == year and m.day is not None and m.date
        }
        return days.pop() if len(days) == 1 else None

    def _heads_percent(self, number: int, figure: Figure) -> bool:
        """Whether the first figure of the column is printed with a percent sign, which the others then leave out.

        A figure of four digits and more in groups is no percentage: rates stand above amounts in many tables.
        """
        if "," in figure.text:
            return False
        for row in self.table.parts[:number]:
            for other in row.figures if row.kind == "body" else ():
                if other.column <= figure.last and other.last >= figure.column:
                    return "%" in other.text and not any(sign in figure.text for sign in CURRENCY_SIGNS)
        return False

    def _siblings(self, number: int) -> Span | None:
        """Month and day of a full date beside bare years in one head row: "December 31, 2023 | 2022"."""
        for at in range(number - 1, -1, -1):
            row = self.table.parts[at]
            if row.kind == "head":
                days = {
                    (span.end.month, span.end.day)
                    for cell in row.cells
                    if (span := read_span(cell.text, self.locale)).end
                }
                if len(days) == 1:
                    return Span(month_day=days.pop())
        return None

    def _currency(self, figure: Figure, words: list[str], heads: tuple[str, ...]) -> str:
        texts = (*(word for word in words if scales.is_unit(word)), figure.text, *reversed(heads), *self.titles)
        return next((code for text in texts if (code := scales.currency_in(text))), self.default.currency)


def _names_columns(row: Row) -> bool:
    """Whether a row of heads names several columns, and not only a scale or a period."""
    named = [cell for cell in row.cells if cell.column > 0 and not scales.is_declaration(cell.text)]
    return row.kind == "head" and len(named) > 1 and not all(is_period(cell.text) for cell in named)


def _day_in(span: Span, year: int) -> tuple[int, int] | None:
    """The month and day that a span adds to a year named elsewhere."""
    if span.month_day:
        return span.month_day
    return (span.end.month, span.end.day) if span.end and span.end.year != year else None


_TERM = re.compile(
    r"\b(?:due|matur\w+|expir\w+|payable|until|through|thereafter|dated|acquired|issued|notes?|loans?)\b", re.IGNORECASE
)
_FIRST_DAY = re.compile(r"^\W*(?:(?:period|date)[\s_]?)?(?:start|from|begin)(?:[\s_]?date)?\W*$", re.IGNORECASE)
_LAST_DAY = re.compile(r"^\W*(?:(?:period|date)[\s_]?)?(?:end|to|instant)(?:[\s_]?date)?\W*$", re.IGNORECASE)
