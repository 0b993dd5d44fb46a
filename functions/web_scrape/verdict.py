"""Whether what answered is the page, or a wall in front of it: challenge, captcha, login, consent, error, shell."""

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from turbohtml import Document, Element

from verbena.errors import (
    Blocked,
    EmptyPage,
    LoginRequired,
    NeedsRendering,
    PageNotFound,
    ReadError,
    UpstreamServerError,
)
from web_scrape import walls

# A wall says little. Ordinary pages carry the same scripts and forms, but beside a text of their own.
_MAX_WALL_CHARS: Final = 1_500
_MAX_CAPTCHA_CHARS: Final = 600
# An interstitial is a small page; a shop's page that bundles a vendor's client code is larger.
_MAX_WALL_MARKUP: Final = 200_000
_MAX_LOGIN_CHARS: Final = 700
_MAX_LOGIN_INPUTS: Final = 5
_MAX_CONSENT_CHARS: Final = 6_000
# A consent wall speaks of little else: at least one such word in every line and a half.
_MIN_CONSENT_TALK: Final = 3
_CHARS_A_CONSENT_WORD: Final = 150
_MAX_BARE_LOGIN_CHARS: Final = 200
_MAX_PAYWALL_CHARS: Final = 700
_MAX_AGE_CHARS: Final = 700
_MAX_ERROR_CHARS: Final = 600
# With menus and a footer around it, and nothing else in its title.
_MAX_BARE_ERROR_CHARS: Final = 3_000
_MAX_SHELL_CHARS: Final = 60
_MAX_ROOT_SHELL_CHARS: Final = 400
_MAX_NOTICE_CHARS: Final = 250
_TITLES_ENOUGH: Final = 2

_CAPTCHA: Final = (
    ".g-recaptcha, .h-captcha, .cf-turnstile, .frc-captcha, .geetest_holder, #captcha, #captcha-form, #recaptcha, "
    '[data-sitekey], iframe[src*="captcha" i], iframe[src*="turnstile" i], form[action*="captcha" i], '
    'img[src*="captcha" i], input[name*="captcha" i]'
)
_APP_ROOTS: Final = (
    "#root, #app, #__next, #__nuxt, #___gatsby, #app-root, #react-root, #q-app, #svelte, #main-app, #application, "
    "#mount, app-root, [ng-app], [data-reactroot], [ng-version]"
)
_CONSENT_FORMS: Final = 'form[class*="consent" i], form[action*="consent" i], form[id*="consent" i]'
_AGE_GATES: Final = '[class*="age-gate" i], [id*="age-gate" i], [class*="agegate" i], [class*="age-verif" i]'
_FIELDS: Final = "input:not([type=hidden], [type=submit], [type=checkbox]), textarea"
_SCRIPTS: Final = "script[src], script:not([type]), script[type=module]"


@dataclass(frozen=True, repr=False)
class Signs:
    """What speaks for a wall, read off a document before anything is removed from it."""

    titles: tuple[str, ...]
    path: str
    markup: str
    captcha: bool
    password: bool
    inputs: int
    accept_button: bool
    consent_form: bool
    age_gate: bool
    empty_root: bool
    scripts: bool
    no_script_notice: bool


def signs(document: Document, html: str, url: str) -> Signs:
    """The signs of a document as it arrived from `url`."""
    headings = document.select("title, h1")[:4]
    if len(headings) < _TITLES_ENOUGH:  # a page without <h1> announces itself one level down
        headings += document.select("h2, [role=heading]")[:2]
    buttons = document.select("button, input[type=submit], a[role=button], [role=button]")[:60]
    roots = document.select(_APP_ROOTS)
    return Signs(
        titles=tuple(_plain(" ".join(h.text.split())[:200]) for h in headings),
        path=urlsplit(url).path,
        markup=html if len(html) <= _MAX_WALL_MARKUP else "",
        captcha=document.select_one(_CAPTCHA) is not None,
        password=document.select_one('input[type="password" i]') is not None,
        inputs=len(document.select(_FIELDS)),
        accept_button=any(walls.ACCEPT.search(_label(button)) for button in buttons),
        consent_form=document.select_one(_CONSENT_FORMS) is not None,
        age_gate=document.select_one(_AGE_GATES) is not None,
        empty_root=any(not _shows_text(root) for root in roots),
        scripts=document.select_one(_SCRIPTS) is not None,
        no_script_notice=any(walls.NO_SCRIPT_NOTICE.search(n.text[:500]) for n in document.select("noscript")[:5]),
    )


def _plain(text: str) -> str:
    """The words of walls are written with a straight apostrophe."""
    return text.replace("\u2019", "'")


def _label(button: Element) -> str:
    return " ".join((button.text or button.attr("value") or "").split())[:60]


def _shows_text(root: Element) -> bool:
    """Whether an application's root already holds words a reader would see."""
    words = "".join(e.text for e in root.iter_elements(("script", "style", "noscript", "template")))
    return _length(root.text) > _length(words)


def refusal(signs: Signs, shown: str) -> ReadError | None:
    """The error a page earns whose visible text is `shown`; None for a page that is itself."""
    chars = _length(shown)
    if chars > _MAX_CONSENT_CHARS:
        return None
    shown = _plain(shown)
    checks = (_challenge, _login, _paywall, _consent, _age, _error_page, _notice, _shell)
    return next((error for check in checks if (error := check(signs, shown, chars))), None)


def wall(signs: Signs, shown: str) -> ReadError | None:
    """The challenge behind an answer that already failed by its status; None when it is only a failure."""
    return _challenge(signs, _plain(shown), _length(shown))


def nothing(signs: Signs, shown: str) -> ReadError:
    """The error of a page that shows navigation and no content: scripts, if it has any, would bring that."""
    return NeedsRendering(chars=_length(shown)) if signs.scripts else EmptyPage()


def _says(signs: Signs, words: re.Pattern[str]) -> bool:
    return any(words.search(title) for title in signs.titles)


def _challenge(signs: Signs, shown: str, chars: int) -> ReadError | None:
    named = _says(signs, walls.CHALLENGE_WORDS)
    # A page that shows these marks to its readers is about them.
    limit = _MAX_WALL_CHARS if named and not walls.CHALLENGE_MARKUP.search(shown) else _MAX_CAPTCHA_CHARS
    if chars <= limit and walls.CHALLENGE_MARKUP.search(signs.markup):
        return Blocked(reason="captcha" if signs.captcha else "challenge")
    if chars > _MAX_CAPTCHA_CHARS:
        return None
    if signs.captcha and (named or walls.CHALLENGE_WORDS.search(shown)):
        return Blocked(reason="captcha")
    if named and (walls.CHALLENGE_TALK.search(shown) or walls.DENIED.search(shown)):
        return Blocked(reason="challenge")
    return None


def _login(signs: Signs, _shown: str, chars: int) -> ReadError | None:
    if chars > _MAX_LOGIN_CHARS or not 1 <= signs.inputs <= _MAX_LOGIN_INPUTS:
        return None
    named, placed = _says(signs, walls.LOGIN_WORDS), bool(walls.LOGIN_PATH.search(signs.path))
    bare = chars <= _MAX_BARE_LOGIN_CHARS and any(walls.LOGIN_WORDS.match(title) for title in signs.titles)
    asks = (named or placed) if signs.password else (bare or (named and placed))
    return LoginRequired(reason="login") if asks else None


def _paywall(_signs: Signs, shown: str, chars: int) -> ReadError | None:
    asks = chars <= _MAX_PAYWALL_CHARS and walls.PAYWALL.search(shown)
    return LoginRequired(reason="paywall") if asks else None


def _consent(signs: Signs, shown: str, chars: int) -> ReadError | None:
    named = signs.consent_form or _says(signs, walls.CONSENT_WORDS)
    if not signs.accept_button or chars > _MAX_CONSENT_CHARS or not named:
        return None
    talk = len(walls.CONSENT_TALK.findall(shown))
    return Blocked(reason="consent") if talk >= _MIN_CONSENT_TALK and talk * _CHARS_A_CONSENT_WORD >= chars else None


def _age(signs: Signs, shown: str, chars: int) -> ReadError | None:
    asks = chars <= _MAX_AGE_CHARS and (_says(signs, walls.AGE) or (signs.age_gate and walls.AGE.search(shown)))
    return Blocked(reason="age") if asks else None


def _error_page(signs: Signs, _shown: str, chars: int) -> ReadError | None:
    parts = [part for title in signs.titles for part in walls.TITLE_PARTS.split(title)]
    bare = chars <= _MAX_BARE_ERROR_CHARS and any(walls.ONLY_NOT_FOUND.match(part) for part in parts)
    if chars > _MAX_ERROR_CHARS and not bare:
        return None
    if bare or _says(signs, walls.NOT_FOUND):
        return PageNotFound("The page says it does not exist, though the server answered 200.", soft=True)
    if _says(signs, walls.SERVER_ERROR):
        return UpstreamServerError("The page is a server's error, though the status was 200.", soft=True)
    return None


def _notice(_signs: Signs, shown: str, chars: int) -> ReadError | None:
    asks = chars <= _MAX_NOTICE_CHARS and walls.NEEDS_SCRIPTS.search(shown)
    return NeedsRendering(chars=chars) if asks else None


def _shell(signs: Signs, shown: str, chars: int) -> ReadError | None:
    if not signs.scripts or chars > _MAX_ROOT_SHELL_CHARS:
        return None
    waiting = bool(walls.LOADING.match(shown)) or (signs.no_script_notice and chars <= _MAX_SHELL_CHARS)
    if signs.empty_root or waiting or not chars:
        return NeedsRendering(chars=chars)
    return None


def _length(text: str) -> int:
    """Characters of a text as a browser would show it, runs of white space being one."""
    return len(" ".join(text.split()))
