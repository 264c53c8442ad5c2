"""Pages that stand before a document: told by what they lack, not by what they say alone.

The rule, in words. A page is a **challenge** (it wants proof that a person reads) where it carries the marks of
one, has less text than a document has, and shows none of the figures that the task reads from it. It is
**paywalled** where it says of itself that it is not free or asks to subscribe or to sign in, and its running text
is a teaser's. A page on which one of the task's figures stands is the document, whatever else is on it; a short
page without such marks is a short page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

GateKind = Literal["challenge", "paywalled"]

SHORT_OF_MARKED = 1_500
"""Characters of visible text below which a page with a challenge's own code is no document."""
SHORT_OF_WORDED = 800
"""The same where only its words tell."""
SHORT_OF_BARE = 300
"""The same where a page has a script, none of the figures, and no words that are known."""
TEASER = 1_500
"""Characters of running text below which a page that is not free is a teaser."""
TEASER_WITHOUT_FIGURES = 4_000
"""The same where the task names figures and none of them is there."""
_PROSE_LINE = 80
_SCANNED = 300_000
_FOR_PHRASES = 400
"""Characters at the beginning of the text in which a challenge says what it wants."""

# Names from the challenges' own code, as it stands in their pages; none of them is put into ordinary pages.
_CODE = re.compile(
    rb"_cf_chl_opt|cf[-_]chl[-_]|/cdn-cgi/challenge-platform/h/|captcha-delivery\.com|px-captcha|geo\.captcha-delivery"
    rb"|/_Incapsula_Resource\?[^\"']{0,200}incident|_sec/cp_challenge|sec-if-cpt-container|AwsWafIntegration"
    rb"|gokuProps|sucuri_cloudproxy|anubis_challenge|/\.within\.website/x/cmd/anubis|ddos-guard/js-challenge"
    rb"|/recaptcha/challengepage|g-recaptcha-sorry|aws-waf-token",
    re.IGNORECASE,
)
_WORDS = re.compile(
    r"just a moment|checking your browser|verify(?:ing)? (?:that )?you are (?:a )?human|are you a (?:robot|human)"
    r"|not a (?:robot|bot)|unusual (?:traffic|activity) from your|complete the (?:captcha|security check)"
    r"|security (?:check|verification)|ddos protection|pardon our interruption|attention required"
    r"|enable (?:javascript|cookies|js)|javascript (?:is|must be|has been) (?:disabled|required|enabled)"
    r"|access to this page has been denied|human verification|bot (?:verification|detection)|one more step"
    r"|please wait while (?:we|your)|request unsuccessful|access denied|you have been blocked|request blocked"
    r"|browser (?:wird|werden) (?:über)?prüft|kein roboter|javascript (?:aktivieren|zu aktivieren)"
    r"|vérifi(?:er|ez|cation) (?:que vous|de votre)|pas un robot|activer javascript"
    r"|no (?:eres|soy) un robot|verifica(?:ndo|r) (?:que|si) (?:eres|es)|habilit[ae]r? javascript"
    r"|ロボットではありません|ブラウザ.{0,6}確認|请(?:完成|进行)?.{0,4}验证|人机验证|安全验证",
    re.IGNORECASE,
)
_TITLE = re.compile(rb"<title[^>]{0,200}>([^<]{0,300})", re.IGNORECASE)
_NOSCRIPT = re.compile(rb"<noscript[^>]{0,200}>(.{0,600})", re.IGNORECASE | re.DOTALL)
_NOT_FREE = re.compile(
    rb"[\"']?isAccessibleForFree[\"']?\s{0,9}[:=]\s{0,9}[\"']?(?:https?://schema\.org/)?false"
    rb"|itemprop=[\"']isAccessibleForFree[\"'][^>]{0,60}content=[\"']false"
    rb"|article:content_tier[\"'][^>]{0,40}content=[\"'](?:locked|paid|premium)",
    re.IGNORECASE,
)
_ASKS_TO_PAY = re.compile(
    r"subscribe (?:now |today )?(?:to|for) (?:continue|keep|read|unlock|full|get|access)|to continue reading"
    r"|already a (?:subscriber|member)|subscribers? only|for subscribers|(?:start|begin) your (?:free )?trial"
    r"|this (?:article|content|page|story|report) is (?:for|available to|reserved for|exclusive)"
    r"|(?:purchase|buy) (?:this|access|the full)|unlock this|create an? (?:free )?account to"
    r"|register to (?:read|continue)"
    r"|weiterlesen mit|(?:nur )?für abonnent|jetzt abonnieren|réservé aux abonnés|pour lire la suite|abonnez-vous"
    r"|solo para suscriptores|suscríbete para|riservato agli abbonati|有料会員|会員限定|この記事は会員|付费阅读|订阅后",
    re.IGNORECASE,
)
_ASKS_TO_SIGN_IN = re.compile(
    r"\b(?:sign|log) ?in\b|\blogin\b|anmelden|einloggen|se connecter|connexion|iniciar sesión|ログイン|登录",
    re.IGNORECASE,
)
_PASSWORD = re.compile(rb"<input[^>]{0,400}type\s{0,4}=\s{0,4}[\"']?password", re.IGNORECASE)


class Gate(NamedTuple):
    """What stands before the document, and in a clause how it was told."""

    kind: GateKind
    told_by: str


# A regular expression of so many words is slow on every page; a stem that each of its matches holds is found at once.
_CODE_STEMS = tuple(
    b"cf_chl cf-chl challenge captcha incapsula _sec/cp sec-if-cpt awswaf gokuprops sucuri_ anubis aws-waf".split()
)
_WORD_STEMS = (
    *(
        "moment",
        "checking",
        "verif",
        "vérif",
        "human",
        "robot",
        "ロボット",
        "ブラウザ",
        "验证",
        "bot",
        "unusual",
        "captcha",
    ),
    *("security", "ddos", "interruption", "attention", "javascript", "cookies", "denied", "wait", "unsuccessful"),
    *("blocked", "browser", "enable", "habilit", "one more step"),
)
_PAY_STEMS = (
    *("subscri", "trial", "unlock", "purchase", "buy", "account", "weiterlesen", "abonn", "abbonat", "suscrip"),
    *("suscríb", "会員", "付费", "订阅", "continue reading", "already a member", "register to", "lire la suite"),
    *("this article is", "this content is", "this page is", "this story is", "this report is"),
)
_NOT_FREE_STEMS = (b"isaccessibleforfree", b"content_tier")


def challenge_sign(page: bytes) -> str:
    """What in a refusal's page asks for proof of a person, "" where nothing does: its code, or its title's words."""
    if code := _code(page[:_SCANNED]):
        return code
    title = _title(page)
    return "" if re.search(r"access denied|blocked", title, re.IGNORECASE) else _first(_WORDS, _WORD_STEMS, title)


def gate_of(page: bytes, text: str, figures: Sequence[str] = ()) -> Gate | None:
    """What stands before the document in an HTML page, None where the page is the document.

    `text` is the page's visible text, a line a block. `figures` are the numbers that the task reads from the
    page, as they are printed; those of fewer than three digits prove nothing and are passed over.
    """
    telling = [figure for figure in map(_digits, figures) if len(figure) >= 3]
    if telling:
        shown = _digits(text)
        if any(figure in shown for figure in telling):
            return None
    return _challenge(page[:_SCANNED], text, len(telling)) or _paywall(page, text, len(telling))


def _challenge(head: bytes, text: str, figures: int) -> Gate | None:
    size = len(text)
    if size >= SHORT_OF_MARKED:
        return None
    if code := _code(head):
        return Gate("challenge", f"it carries a challenge's code (`{code}`)")
    if size < SHORT_OF_WORDED and (words := _first(_WORDS, _WORD_STEMS, f"{_title(head)}\n{text[:_FOR_PHRASES]}")):
        return Gate("challenge", f"it says “{words}” and has {size} characters of text")
    if size >= SHORT_OF_BARE or b"<script" not in head.lower():
        return None
    if words := _first(_WORDS, _WORD_STEMS, _noscript(head)):
        return Gate("challenge", f"it says “{words}” and has {size} characters of text")
    if figures:
        return Gate("challenge", f"it has {size} characters of text, a script, and none of the task's figures")
    return None


def _paywall(page: bytes, text: str, figures: int) -> Gate | None:
    prose = sum(len(line) for line in text.splitlines() if len(line) >= _PROSE_LINE)
    if prose >= (TEASER_WITHOUT_FIGURES if figures else TEASER):
        return None
    if _holds(_NOT_FREE_STEMS, page.lower()) and _NOT_FREE.search(page):
        return Gate("paywalled", f"it says that it is not free, and has {prose} characters of running text")
    if len(text) < 2 * TEASER_WITHOUT_FIGURES and (words := _first(_ASKS_TO_PAY, _PAY_STEMS, text)):
        return Gate("paywalled", f"it says “{words}”, and has {prose} characters of running text")
    if len(text) < SHORT_OF_WORDED and _PASSWORD.search(page) and (words := _first(_ASKS_TO_SIGN_IN, (), text)):
        return Gate("paywalled", f"it asks to sign in (“{words}”), and has {len(text)} characters of text")
    return None


def _title(page: bytes) -> str:
    found = _TITLE.search(page[:_SCANNED])
    return found[1].decode("utf-8", "replace") if found else ""


def _noscript(page: bytes) -> str:
    return "\n".join(part.decode("utf-8", "replace") for part in _NOSCRIPT.findall(page)[:3])


def _code(page: bytes) -> str:
    """The piece of a challenge's own code in a page, "" where there is none."""
    found = _CODE.search(page) if _holds(_CODE_STEMS, page.lower()) else None
    return found[0].decode("latin-1") if found else ""


def _first(pattern: re.Pattern[str], stems: tuple[str, ...], text: str) -> str:
    """The first words that fit, "" where none do; a text that holds none of the `stems` is not looked through."""
    if stems:
        lowered = text.lower()
        if not any(stem in lowered for stem in stems):
            return ""
    found = pattern.search(text)
    return " ".join(found[0].split()) if found else ""


def _holds(stems: tuple[bytes, ...], page: bytes) -> bool:
    return any(stem in page for stem in stems)


def _digits(text: str) -> str:
    """Text with everything but digits and line ends taken off: figures are compared without their grouping."""
    return re.sub(r"[^\d\n]+", "", text)
