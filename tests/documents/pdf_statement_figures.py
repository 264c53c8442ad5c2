"""Figures of public reports as their pages print them: facts by row and period, to find again in the PDFs."""

from __future__ import annotations

import calendar
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from cellwright.documents.wanted import Wanted

PRINTED = """\
# ADOBE_2022_10K 54 6 2022-12-02/12 2021-12-03/12 2020-11-27/12
Total revenue | 17,606 15,785 12,868
Total cost of revenue | 2,165 1,865 1,722
Gross profit | 15,441 13,920 11,146
Research and development | 2,987 2,540 2,188
Sales and marketing | 4,968 4,321 3,591
General and administrative | 1,219 1,085 968
Operating income | 6,098 5,802 4,237
Interest expense | (112) (113) (116)
Other income (expense), net | 41 — 42
Provision for (benefit from) income taxes | 1,252 883 (1,084)
Net income | 4,756 4,822 5,260
Diluted net income per share | 10.10 10.02 10.83
Shares used to compute diluted net income per share | 471 481 485
# ADOBE_2022_10K 57 6 2022-12-02/12 2021-12-03/12 2020-11-27/12
Stock-based compensation | 1,440 1,069 909
Deferred income taxes | 328 183 (1,501)
Trade receivables, net | (198) (430) 106
Net cash provided by operating activities | 7,838 7,230 5,727
Acquisitions, net of cash acquired | (126) (2,682) —
Purchases of property and equipment | (442) (348) (419)
Proceeds from sales of long-term investments and other assets | — — 9
Repurchases of common stock | (6,550) (3,950) (3,050)
Net cash used for financing activities | (6,825) (4,301) (3,488)
Cash paid for interest | 103 100 88
# AMAZON_2017_10K 38 6 2015-12-31/12 2016-12-31/12 2017-12-31/12
Total net sales | 107,006 135,987 177,866
Cost of sales | 71,651 88,265 111,934
Fulfillment | 13,410 17,619 25,249
Technology and content | 12,540 16,085 22,620
Operating income | 2,233 4,186 4,106
Interest expense | (459) (484) (848)
Other income (expense), net | (256) 90 346
Provision for income taxes | (950) (1,425) (769)
Net income | 596 2,371 3,033
Diluted earnings per share | 1.25 4.90 6.15
# AMCOR_2023_10K 50 6 2023-06-30/12 2022-06-30/12 2021-06-30/12
Net sales | 14,694 14,544 12,861
Cost of sales | (11,969) (11,724) (10,129)
Gross profit | 2,725 2,820 2,732
Restructuring, impairment, and other related activities, net | 104 (234) (94)
Operating income | 1,508 1,239 1,321
Interest expense | (290) (159) (153)
Income before income taxes and equity in income of affiliated companies | 1,251 1,115 1,193
Income tax expense | (193) (300) (261)
Equity in income of affiliated companies, net of tax | — — 19
Net income attributable to Amcor plc | 1,048 805 939
Diluted earnings per share | 0.705 0.529 0.602
# AMCOR_2023_10K 52 6 2023-06-30/0 2022-06-30/0
Cash and cash equivalents | 689 775
Trade receivables, net of allowance for credit losses of $21 and $25, respectively | 1,875 1,935
Assets held for sale, net | — 192
Total current assets | 5,308 5,853
Goodwill | 5,366 5,285
Total assets | 17,003 17,426
Trade payables | 2,690 3,073
Total current liabilities | 4,476 5,103
Long-term debt, less current portion | 6,653 6,340
Total liabilities | 12,913 13,285
Retained earnings | 865 534
Total liabilities and shareholders' equity | 17,003 17,426
# BESTBUY_2023_10K 40 6 2023-01-28/12 2022-01-29/12 2021-01-30/12
Revenue | 46,298 51,761 47,262
Cost of sales | 36,386 40,121 36,689
Gross profit | 9,912 11,640 10,573
Selling, general and administrative expenses | 7,970 8,635 7,928
Restructuring charges | 147 (34) 254
Operating income | 1,795 3,039 2,391
Interest expense | (35) (25) (52)
Income tax expense | 370 574 579
Equity in income of affiliates | 1 4 -
Net earnings | 1,419 2,454 1,798
Diluted earnings per share | 6.29 9.84 6.84
# BESTBUY_2023_10K 42 6 2023-01-28/12 2022-01-29/12 2021-01-30/12
Depreciation and amortization | 918 869 839
Receivables | (103) 17 73
Total cash provided by operating activities | 1,824 3,252 4,927
Additions to property and equipment, net of $35, $46 and \
$32, respectively, of non-cash capital expenditures | (930) (737) (713)
Purchases of investments | (46) (233) (620)
Acquisitions, net of cash acquired | - (468) -
Repurchase of common stock | (1,014) (3,502) (312)
Dividends paid | (789) (688) (568)
# BOEING_2022_10K 55 6 2022-12-31/12 2021-12-31/12 2020-12-31/12
Sales of products | 55,893 51,386 47,142
Total revenues | 66,608 62,286 58,158
Cost of products | (53,969) (49,954) (54,568)
Total costs and expenses | (63,106) (59,269) (63,843)
Research and development expense, net | (2,852) (2,249) (2,476)
Loss from operations | (3,547) (2,902) (12,767)
Interest and debt expense | (2,533) (2,682) (2,156)
Income tax (expense)/benefit | (31) 743 2,535
Net loss | (5,053) (4,290) (11,941)
Net loss attributable to Boeing Shareholders | (4,935) (4,202) (11,873)
Diluted loss per share | (8.30) (7.15) (20.88)
# 3M_2018_10K 58 6 2018-12-31/0 2017-12-31/0
Cash and cash equivalents | 2,853 3,053
Total inventories | 4,366 4,034
Total current assets | 13,709 14,277
Property, plant and equipment — net | 8,738 8,866
Goodwill | 10,051 10,513
Total assets | 36,500 37,987
Accounts payable | 2,266 1,945
Total current liabilities | 7,244 7,687
Long-term debt | 13,411 12,096
Total liabilities | 26,652 26,365
Treasury stock | (29,626) (25,887)
Total equity | 9,848 11,622
Total liabilities and equity | 36,500 37,987
# 3M_2018_10K 60 6 2018-12-31/12 2017-12-31/12 2016-12-31/12
Depreciation and amortization | 1,488 1,544 1,474
Deferred income taxes | (57) 107 7
Net cash provided by (used in) operating activities | 6,439 6,240 6,662
Purchases of property, plant and equipment (PP&E) | (1,577) (1,373) (1,420)
Acquisitions, net of cash acquired | 13 (2,023) (16)
Proceeds from sale of businesses, net of cash sold | 846 1,065 142
Net cash provided by (used in) investing activities | 222 (3,086) (1,403)
Repayment of debt (maturities greater than 90 days) | (1,034) (962) (992)
Dividends paid to shareholders | (3,193) (2,803) (2,678)
Net cash provided by (used in) financing activities | (6,701) (2,655) (4,626)
# NETFLIX_2017_10K 42 3 2017-12-31/12 2016-12-31/12 2015-12-31/12
Revenues | 11,692,713 8,830,669 6,779,511
Cost of revenues | 7,659,666 6,029,901 4,591,476
Marketing | 1,278,022 991,078 824,092
Operating income | 838,679 379,793 305,826
Interest expense | (238,204) (150,114) (132,716)
Provision for (benefit from) income taxes | (73,608) 73,829 19,244
Net income | 558,929 186,678 122,641
# NETFLIX_2017_10K 45 3 2017-12-31/0 2016-12-31/0
Cash and cash equivalents | 2,822,795 1,467,576
Short-term investments | — 266,206
Total current assets | 7,669,974 5,720,291
Total assets | 19,012,742 13,586,610
Accounts payable | 359,555 312,842
Total current liabilities | 5,466,312 4,586,657
Long-term debt | 6,499,432 3,364,311
Total liabilities | 15,430,786 10,906,810
Accumulated other comprehensive loss | (20,557) (48,565)
Retained earnings | 1,731,117 1,128,603
Total liabilities and stockholders’ equity | 19,012,742 13,586,610
# ULTABEAUTY_2023Q4_EARNINGS 8 3 2023-01-28/12 2022-01-29/12
Depreciation and amortization | 241,372 268,460
Deferred income taxes | 15,653 (25,666)
Net cash provided by operating activities | 1,481,915 1,059,265
Capital expenditures | (312,126) (172,187)
Repurchase of common shares | (900,033) (1,521,925)
Net cash used in financing activities | (861,014) (1,497,216)
# ULTABEAUTY_2023Q4_EARNINGS 7 3 2023-01-28/0 2022-01-29/0
Cash and cash equivalents | 737,877 431,560
Merchandise inventories, net | 1,603,451 1,499,218
Total current assets | 2,709,304 2,281,183
Total assets | 5,370,411 4,764,379
Deferred revenue | 394,677 353,579
Accrued income taxes | — 12,786
Total liabilities | 3,410,600 3,229,006
Total liabilities and stockholders’ equity | 5,370,411 4,764,379
# ULTABEAUTY_2023Q4_EARNINGS 6 3 2023-01-28/3 2022-01-29/3
Net sales | 3,226,773 2,729,388
Gross profit | 1,212,503 1,027,329
Operating income | 447,618 375,622
Net income | 340,751 289,366
Diluted (per share) | 6.68 5.41
Diluted (shares) | 50,976 53,519
# ULTABEAUTY_2023Q4_EARNINGS 6 3 2023-01-28/12 2022-01-29/12
Net sales | 10,208,580 8,630,889
Gross profit | 4,044,510 3,368,554
Operating income | 1,638,610 1,297,492
Net income | 1,242,408 985,837
Diluted (per share) | 24.01 17.98
Diluted (shares) | 51,738 54,841
# AMCOR_2023Q4_EARNINGS 9 6 2022-06-30/12 2023-06-30/12
Depreciation, amortization, and impairment | 625 586
Net gain on disposal of businesses and investments | — (220)
Changes in operating assets and liabilities, excluding \
effect of acquisitions, divestitures, and currency | (207) (265)
Net cash provided by operating activities | 1,526 1,261
Purchase of property, plant, and equipment and other intangible assets | (527) (526)
Dividends paid | (732) (723)
Share buy-back/cancellations | (601) (432)
# AMCOR_2023Q4_EARNINGS 8 6 2022-06-30/3 2023-06-30/3 2022-06-30/12 2023-06-30/12
Net sales | 3,909 3,673 14,544 14,694
Gross profit | 794 722 2,820 2,725
Operating income | 252 325 1,239 1,508
Net income attributable to Amcor plc | 109 181 805 1,048
Diluted earnings per share attributable to Amcor | 0.073 0.123 0.529 0.705
# BESTBUY_2024Q2_10Q 4 6 2023-07-29/3 2022-07-30/3 2023-07-29/6 2022-07-30/6
Revenue | 9,583 10,329 19,050 20,976
Cost of sales | 7,363 8,042 14,680 16,336
Gross profit | 2,220 2,287 4,370 4,640
Restructuring charges | (7) 34 (16) 35
Operating income | 348 371 659 833
Net earnings | 274 306 518 647
Diluted earnings per share | 1.25 1.35 2.36 2.85
"""
"""A line with `#` names document, page, scale, and the last day and months of each column; 0 months is an instant."""


@dataclass(frozen=True)
class Printed:
    """One figure of a page."""

    document: str
    page: int
    row: str
    unit: str
    end: date
    months: int
    text: str
    scale: int

    @property
    def value(self) -> Decimal:
        """The figure with its printed sign and scale."""
        digits = self.text.strip("()").replace(",", "")
        number = Decimal(0) if digits in "—-" else Decimal(digits)
        return (-number if self.text.startswith("(") else number).scaleb(self.scale)

    def wanted(self, **fields: object) -> Wanted:
        """The fact with what identifies it, and `fields`."""
        known = {
            "id": "f",
            "entity": "e",
            "name": "n",
            "row": self.row,
            "unit": self.unit,
            "period_end": self.end,
            "period_start": first_day(self.end, self.months),
            **fields,
        }
        return Wanted(**known)  # type: ignore[arg-type]


def first_day(end: date, months: int) -> date | None:
    """The first day of a period of so many months; None for an instant."""
    if not months:
        return None
    year, month = divmod(end.year * 12 + end.month - 1 - months, 12)
    day = min(end.day, calendar.monthrange(year, month + 1)[1])
    return date(year, month + 1, day) + timedelta(days=1)


def printed() -> Iterator[Printed]:
    """Every figure of `PRINTED`."""
    document, page, scale, columns = "", 0, 0, [""]
    for line in PRINTED.splitlines():
        if line.startswith("#"):
            _, document, shown, power, *columns = line.split()
            page, scale = int(shown), int(power)
            continue
        row, _, figures = line.partition(" | ")
        of_shares = row.startswith("Shares") or "(shares)" in row
        unit = "share" if of_shares else "USD/share" if "per share" in row else "USD"
        label = row.replace(" (per share)", "").replace(" (shares)", "")
        for column, text in zip(columns, figures.split(), strict=True):
            end, _, months = column.partition("/")
            yield Printed(
                document,
                page,
                label,
                unit,
                date.fromisoformat(end),
                int(months),
                text,
                0 if unit == "USD/share" else scale,
            )
