"""Words and signs beside a number: scale words, percent and its kin, by language where languages differ."""

from __future__ import annotations

from cellwright.records.quantities._locale import listed

ENGLISH: dict[str, int] = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}

SCALES: dict[str, int] = {
    **ENGLISH,
    **{word + "s": power for word, power in ENGLISH.items()},
    "lakh": 5,
    "lakhs": 5,
    "lac": 5,
    "lacs": 5,
    "crore": 7,
    "crores": 7,
    "lakh crore": 12,
    "lakh crores": 12,
    "lakhs crore": 12,
    "thousand crore": 10,
    "thousand crores": 10,
    "thousand million": 9,
    "ten thousand": 4,
    "hundred thousand": 5,
    "hundred million": 8,
    "hundred billion": 11,
    "k": 3,
    "mn": 6,
    "mln": 6,
    "mio": 6,
    "bn": 9,
    "bln": 9,
    "mrd": 9,
    "mld": 9,
    "tn": 12,
    "trn": 12,
    "tln": 12,
    "tausend": 3,
    "tsd": 3,
    "millionen": 6,
    "milliarde": 9,
    "milliarden": 9,
    "billionen": 12,
    "milliers": 3,
    "milliard": 9,
    "milliards": 9,
    "md": 9,
    "mds": 9,
    "millón": 6,
    "millones": 6,
    "mil millones": 9,
    "billones": 12,
    "milhão": 6,
    "milhões": 6,
    "mil milhões": 9,
    "bilhão": 9,
    "bilhões": 9,
    "biliões": 12,
    "trilhões": 12,
    "migliaia": 3,
    "milione": 6,
    "milioni": 6,
    "miliardo": 9,
    "miliardi": 9,
    "duizend": 3,
    "miljoen": 6,
    "miljard": 9,
    "biljoen": 12,
    "tusen": 3,
    "tusind": 3,
    "millioner": 6,
    "miljon": 6,
    "miljoner": 6,
    "milliarder": 9,
    "miljarder": 9,
    "billioner": 12,
    "biljoner": 12,
    "tuhatta": 3,
    "miljoonaa": 6,
    "milj": 6,
    "miljardia": 9,
    "tysięcy": 3,
    "milionów": 6,
    "miliardów": 9,
    "milionů": 6,
    "miliard": 9,
    "тыс": 3,
    "тысяч": 3,
    "млн": 6,
    "миллионов": 6,
    "млрд": 9,
    "миллиардов": 9,
    "трлн": 12,
    "триллионов": 12,
}
"""Word or phrase, casefolded and without a final point -> power of ten."""

BY_LANGUAGE: dict[str, dict[str, int]] = {
    "es": {"mil": 3, "miles": 3, "mill": 6, "miles de millones": 9},
    "pt": {"mil": 3, "milhares": 3, "mi": 6, "bi": 9},
    "gl": {"mil": 3},
    "ca": {"mil": 3, "milions": 6},
    "cs": {"tis": 3, "mil": 6},
    "sk": {"tis": 3, "mil": 6},
    "pl": {"tys": 3},
    "fr": {"mille": 3},
    "it": {"mila": 3, "mille": 3},
    "da": {"mia": 9, "mill": 6},
    "nb": {"mill": 6},
    "nn": {"mill": 6},
    "no": {"mill": 6},
    "de": {"mia": 9, "bio": 12},
}
"""Words that mean a scale in their own language only."""

TWO_MEANINGS: dict[str, str] = {"mil": "thousand (Spanish, Portuguese) or million (Czech, informal English)"}

LONG_SCALE_LANGUAGES = listed("de fr da nb nn no")
LONG_SCALE_WORDS: dict[str, str] = {
    "billion": "10^9 (English) or 10^12",
    "billions": "10^9 (English) or 10^12",
    "trillion": "10^12 (English) or 10^18",
    "trillions": "10^12 (English) or 10^18",
}
"""English words that those languages spell alike and mean otherwise."""

LETTERS: dict[str, int] = {"m": 6, "M": 6, "mm": 6, "MM": 6, "b": 9, "B": 9, "K": 3, "T": 12, "cr": 7, "Cr": 7}
"""A scale only beside a currency: `5 m` may be metres, `10K` a form, `5 Cr` a credit."""

HEADS: dict[str, int] = {"T": 3, "t": 3, "k": 3, "K": 3, "M": 6, "m": 6, "md": 9, "Md": 9}
"""A scale written before a currency and joined to it: TEUR, tSEK, k€, MEUR, mkr, Md€."""

T_IS_THOUSAND = listed("de da sv nb nn no fi")
"""Where T alone may also be a thousand (TEUR is), so that `5 T` beside a currency has two readings."""

MINUS_WORDS = ("minus", "negative", "moins", "menos", "マイナス", "负", "負")

EAST_ASIAN: dict[str, int] = {
    head + word: power + more
    for word, power in {"万": 4, "萬": 4, "亿": 8, "億": 8, "兆": 12, "만": 4, "억": 8, "조": 12}.items()
    for head, more in {"": 0, "十": 1, "百": 2, "千": 3, "십": 1, "백": 2, "천": 3}.items()
} | {"百": 2, "千": 3, "천": 3, "万亿": 12, "萬億": 12, "万億": 12}

PARTS: dict[str, str] = {
    **dict.fromkeys(
        (
            "%",
            "percent",
            "per cent",
            "pct",
            "prozent",
            "procent",
            "prosent",
            "prosenttia",
            "pour cent",
            "por ciento",
            "por cento",
            "per cento",
            "процентов",
            "процента",
        ),
        "percent",
    ),
    **dict.fromkeys(("‰", "per mille", "per mil", "permille", "promille"), "permille"),
    **dict.fromkeys(
        (
            "‱",
            "bp",
            "bps",
            "basis point",
            "basis points",
            "basispunkt",
            "basispunkte",
            "basispunkten",
            "基点",
            "个基点",
        ),
        "bp",
    ),
    **dict.fromkeys(
        (
            "pp",
            "pps",
            "p.p",
            "ppt",
            "ppts",
            "percentage point",
            "percentage points",
            "percent points",
            "pct pt",
            "pct pts",
            "pct. pt",
            "pct. pts",
            "pct point",
            "pct points",
            "%-pts",
            "%-points",
            "% points",
            "% pts",
            "%pts",
            "%p",
            "%-p",
            "%-punkte",
            "prozentpunkt",
            "prozentpunkte",
            "prozentpunkten",
            "procentenheter",
            "procentpoint",
            "prosentpoeng",
            "百分点",
            "个百分点",
            "百分點",
        ),
        "pp",
    ),
}
"""Word or sign for a part of a whole, casefolded and without a final point -> unit."""
