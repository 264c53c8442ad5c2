"""Currencies: the ISO 4217 codes, and the symbols and words that stand for them in print."""

from __future__ import annotations

from cellwright.records.quantities._locale import Marks, listed

CURRENCIES = listed("""
AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF
CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD
GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP
LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB
PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB
TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XAG XAU XBA XBB
XBC XBD XCD XCG XDR XOF XPD XPF XPT XSU XUA YER ZAR ZMW ZWG
ANG HRK SLL ZWL
""")
"""All codes of ISO 4217 but the two that name no currency (XTS, XXX); the last line was withdrawn lately,
and reports of earlier years still use it."""

COMMON_WORDS = frozenset({"ALL", "TOP", "CUP", "PEN", "MOP", "Fr"})
"""Codes that are also words: in running text they are not taken for a currency."""

SYMBOLS: dict[str, str] = {
    "€": "EUR",
    "£": "GBP",
    "₹": "INR",
    "₩": "KRW",
    "₽": "RUB",
    "₺": "TRY",
    "₴": "UAH",
    "₫": "VND",
    "฿": "THB",
    "₪": "ILS",
    "₦": "NGN",
    "₱": "PHP",
    "₸": "KZT",
    "₾": "GEL",
    "₼": "AZN",
    "₡": "CRC",
    "₲": "PYG",
    "₵": "GHS",
    "₭": "LAK",
    "₮": "MNT",
    "៛": "KHR",
    "US$": "USD",
    "USD$": "USD",
    "U.S.$": "USD",
    "C$": "CAD",
    "CA$": "CAD",
    "CAD$": "CAD",
    "Can$": "CAD",
    "CDN$": "CAD",
    "A$": "AUD",
    "AU$": "AUD",
    "AUD$": "AUD",
    "NZ$": "NZD",
    "HK$": "HKD",
    "S$": "SGD",
    "SG$": "SGD",
    "NT$": "TWD",
    "R$": "BRL",
    "MX$": "MXN",
    "Mex$": "MXN",
    "AR$": "ARS",
    "CN¥": "CNY",
    "RMB¥": "CNY",
    "JP¥": "JPY",
    "RMB": "CNY",
    "CNH": "CNY",
    "Rs": "?",
    "kr": "?",
    "$": "?",
    "¥": "?",
    "元": "?",
    "人民币": "CNY",
    "人民幣": "CNY",
    "美元": "USD",
    "港元": "HKD",
    "港币": "HKD",
    "欧元": "EUR",
    "歐元": "EUR",
    "日元": "JPY",
    "英镑": "GBP",
    "新台币": "TWD",
    "新台幣": "TWD",
    "韩元": "KRW",
    "円": "JPY",
    "圓": "?",
    "ドル": "USD",
    "米ドル": "USD",
    "ユーロ": "EUR",
    "ポンド": "GBP",
    "원": "KRW",
    "달러": "USD",
    "유로": "EUR",
    "Kč": "CZK",
    "zł": "PLN",
    "Ft": "HUF",
    "лв": "BGN",
    "руб": "RUB",
    "рублей": "RUB",
    "Rp": "IDR",
    "RM": "MYR",
    "SFr": "CHF",
    "Fr": "?",
    "kr.": "?",
    "NTD": "TWD",
    "euro": "EUR",
    "euros": "EUR",
    "Euro": "EUR",
    "Euros": "EUR",
    "yen": "JPY",
    "renminbi": "CNY",
    "yuan": "CNY",
    "dollars": "?",
    "US dollars": "USD",
    "U.S. dollars": "USD",
    "rupees": "?",
    "kronor": "SEK",
    "kroner": "?",
    "DKr": "DKK",
    "SKr": "SEK",
    "NKr": "NOK",
}
"""Symbol or word -> code; "?" where the locale tells (see `currency_of`)."""

_OWN_DOLLAR = listed("CA AU NZ SG HK TW MX AR CL CO BS BB BZ BM BN KY FJ GY JM LR NA SB SR TT")
_KRONA = {"da": "DKK", "fo": "DKK", "kl": "DKK", "sv": "SEK", "nb": "NOK", "nn": "NOK", "no": "NOK", "is": "ISK"}
_RUPEE = {"IN": "INR", "PK": "PKR", "LK": "LKR", "NP": "NPR", "MU": "MUR", "SC": "SCR"}


def currency_of(symbol: str, marks: Marks) -> str:
    """The code a symbol stands for under a locale, "" where it stands for several.

    A plain `$` is USD unless the locale's region has a dollar or peso of its own; `¥` is JPY under ja or
    in Japan and CNY under zh or in China; `元` is CNY under zh but not in Taiwan or Hong Kong; `kr` goes by
    the language; `Rs` by the region; `Fr` is CHF in Switzerland. Elsewhere the unit stays empty: the number
    is read, and nobody guesses the currency.
    """
    code = SYMBOLS.get(symbol, symbol)
    if code != "?":
        return code
    if symbol in {"$", "dollars"}:
        return "" if marks.region in _OWN_DOLLAR else "USD"
    if symbol in {"¥", "元", "圓"}:
        return _yuan_or_yen(symbol, marks)
    if symbol in {"kr", "kr.", "kroner"}:
        return _KRONA.get(marks.language, "")
    if symbol in {"Rs", "rupees"}:
        return "INR" if marks.language == "hi" else _RUPEE.get(marks.region, "")
    return "CHF" if marks.region in {"CH", "LI"} else ""


def _yuan_or_yen(symbol: str, marks: Marks) -> str:
    if symbol == "¥" and (marks.language == "ja" or marks.region == "JP"):
        return "JPY"
    if marks.region in {"TW", "HK", "MO"}:
        return {"TW": "TWD", "HK": "HKD", "MO": "MOP"}[marks.region] if symbol != "¥" else ""
    return "CNY" if marks.language == "zh" or marks.region == "CN" else ""
