"""Whether a page that answered is the page at all, or a wall in front of it: challenge, captcha, login, consent, error."""

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from turbohtml import Document, Element

from web_scrape.outline import length
from verbena.errors import Blocked, LoginRequired, NeedsRendering, PageNotFound, ReadError, UpstreamServerError

# A wall says little. Ordinary pages carry the same scripts and forms, but beside a text of their own.
_MAX_WALL_CHARS: Final = 1_500
_MAX_CAPTCHA_CHARS: Final = 600
# Interstitials measured are 1 to 60 KB; a shop's page that bundles a vendor's client code is larger.
_MAX_WALL_MARKUP: Final = 200_000
_MAX_LOGIN_CHARS: Final = 700
_MAX_LOGIN_INPUTS: Final = 5
_MAX_CONSENT_CHARS: Final = 6_000
# A consent wall speaks of little else: at least one such word in every line and a half.
_MIN_CONSENT_TALK: Final = 3
_CHARS_A_CONSENT_WORD: Final = 150
_MAX_ERROR_CHARS: Final = 600
_MAX_SHELL_CHARS: Final = 60
_MAX_ROOT_SHELL_CHARS: Final = 400

# Left in the markup only by the interstitial itself, not by the sensor scripts that protected pages also carry.
_CHALLENGE_MARKUP = re.compile(
    r"_cf_chl_opt|/chl_page/|challenge-(?:running|form|stage|error-text)\b|cf-(?:browser-verification|im-under-attack|please-wait)"
    r"|sec-if-cpt-container|sec-cpt-if|bm-verify|/_sec/cp_challenge|px-captcha|_pxBlock|captcha-delivery"
    r"|id=[\"']main-iframe[\"'][^>]*_Incapsula_Resource|_Incapsula_Resource\?[^\"']*(?:incident_id|CWUDNSAI)|incapsula incident id"
    r"|AwsWafIntegration\.(?:getToken|checkForceRefresh|forceRefreshToken)|awswaf(?:_|-)?captcha|gokuProps"
    r"|sgcaptcha|ddos-guard|js-challenge|__ddg|KPSDK|ak-challenge|distil_r_captcha|geetest_challenge",
    re.IGNORECASE,
)
_CHALLENGE_WORDS = re.compile(
    r"just a moment|checking (?:your|if the site connection is|the site connection)|verify(?:ing)? (?:that )?you(?:'re| are) (?:a |not a )?"
    r"(?:human|person|real|robot|bot)|are you (?:a )?(?:human|robot)|robot or human|(?:not|you're|aren't|are) a (?:ro)?bot\b|i'?m not a robot"
    r"|attention required|pardon our interruption|security (?:check|challenge|verification)|human verification|bot (?:detection|protection|verification)"
    r"|ddos protection|unusual (?:traffic|activity)|automated (?:access|queries|requests|traffic)|press (?:and|&) hold|access (?:to this page )?(?:has been |is |was )?(?:denied|blocked)"
    r"|request (?:unsuccessful|blocked|could not be satisfied)|you have been blocked|enable (?:javascript and )?cookies (?:and javascript )?to continue|one more step|complete the (?:captcha|security)"
    r"|why (?:have i been|was i) blocked|vérifi(?:er|ez) que vous (?:êtes|n'êtes)|sicherheitsüberprüfung|проверка браузера|вы не робот|人机验证|安全验证|请完成验证",
    re.IGNORECASE,
)
_DENIED = re.compile(r"you don'?t have permission to access|reference (?:#|id|number)|incident id|ray id|request id|event id", re.IGNORECASE)
_CAPTCHA: Final = (
    ".g-recaptcha, .h-captcha, .cf-turnstile, .frc-captcha, .geetest_holder, #captcha, #captcha-form, #recaptcha, [data-sitekey], "
    'iframe[src*="captcha" i], iframe[src*="turnstile" i], form[action*="captcha" i], img[src*="captcha" i], input[name*="captcha" i]'
)
_LOGIN_WORDS = re.compile(
    r"\b(?:sign|log)[\s-]?in(?:to)?\b|\blogin\b|anmelden|einloggen|connexion|se connecter|connectez-vous|identifiez-vous|inicia(?:r)? sesión|acceder"
    r"|accedi|entrar|iniciar sessão|inloggen|logga in|logg inn|log ind|zaloguj|logowanie|přihlás|войти|вход|авторизация|ログイン|サインイン|登录|登入|登錄|로그인"
    r"|\bauthenticat|single sign-on|members only|subscribers only",
    re.IGNORECASE,
)
_LOGIN_PATH = re.compile(r"/(?:log-?in|sign-?in|signon|sso|auth|authenticate|session|accounts?/login|users/sign_in|wp-login)(?:[/.?]|$)", re.IGNORECASE)
_CONSENT_WORDS = re.compile(
    r"before you continue|we (?:value|care about|respect) your privacy|your privacy (?:choices|matters)|cookie (?:consent|preferences|settings)|consent"
    r"|bevor sie (?:fortfahren|zu)|avant d'accéder|avant de continuer|antes de continuar|prima di continuare|voordat je verdergaat",
    re.IGNORECASE,
)
_CONSENT_TALK = re.compile(
    r"cookies?\b|consent|privacy|personal data|partners|datenschutz|einwillig|zustimm|confidentialit|données|privacidad|datos personales|consenso|toestemming",
    re.IGNORECASE,
)
_ACCEPT = re.compile(
    r"^(?:i )?(?:accept|agree|allow|consent|reject)(?: all| to all| and continue| & continue| cookies)*$|^(?:alle )?(?:akzeptieren|ablehnen|zustimmen)|^alle[sn]? (?:akzeptieren|ablehnen)"
    r"|^(?:tout )?(?:accepter|refuser)|^aceptar|^rechazar|^accetta|^rifiuta|^akkoord|^alles accepteren",
    re.IGNORECASE,
)
_NOT_FOUND = re.compile(
    r"^\W*(?:error\W*)?404\b|\b404\W*(?:error|not found|page)|^(?:http )?(?:error )?404$|page (?:was |could )?not (?:be )?found|page (?:you (?:requested|are looking for) )?(?:doesn't|does not|no longer) exists?"
    r"|(?:can't|cannot|couldn't) find (?:that|this|the) page|seite (?:wurde )?nicht gefunden|page (?:introuvable|non trouvée)|página no encontrada|página não encontrada|pagina non trovata"
    r"|pagina niet gevonden|sidan hittades inte|strona nie została znaleziona|страница не найдена|ページが見つかりません|页面不存在|找不到(?:页面|頁面)",
    re.IGNORECASE,
)
_SERVER_ERROR = re.compile(
    r"^\W*(?:error\W*)?(?:500|502|503|504|52\d)\b\W*(?:internal|bad|service|gateway|server|error|web server|connection|origin|$)|^(?:internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out)\W*$"
    r"|^database error$|^error establishing a database connection",
    re.IGNORECASE,
)
_APP_ROOTS: Final = (
    "#root, #app, #__next, #__nuxt, #___gatsby, #app-root, #react-root, #q-app, #svelte, #main-app, #application, #mount, "
    "app-root, [ng-app], [data-reactroot], [ng-version]"
)
_LOADING = re.compile(r"^\W*(?:loading|please wait|lädt|wird geladen|chargement|cargando|caricamento|загрузка|読み込み中|加载中)\b.{0,40}$", re.IGNORECASE)
_NO_SCRIPT_NOTICE = re.compile(r"(?:enable|requires?|need|turn on|activate|without).{0,40}javascript|javascript.{0,40}(?:enabled?|required|disabled|aktivier|erforderlich)", re.IGNORECASE)


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
    empty_root: bool
    scripts: bool
    no_script_notice: bool


def signs(document: Document, html: str, url: str) -> Signs:
    """The signs of a document as it arrived from `url`."""
    headings = document.select("title, h1, h2, [role=heading]")[:4]
    buttons = document.select("button, input[type=submit], a[role=button], [role=button]")[:60]
    roots = document.select(_APP_ROOTS)
    return Signs(
        titles=tuple(" ".join(h.text.split())[:200] for h in headings),
        path=urlsplit(url).path,
        markup=html if len(html) <= _MAX_WALL_MARKUP else "",
        captcha=document.select_one(_CAPTCHA) is not None,
        password=document.select_one('input[type="password" i]') is not None,
        inputs=len(document.select('input:not([type=hidden]):not([type=submit]):not([type=checkbox]), textarea')[:50]),
        accept_button=any(_ACCEPT.search(_label(button)) for button in buttons),
        empty_root=any(not _shows_text(root) for root in roots),
        scripts=document.select_one("script[src], script:not([type]), script[type=module]") is not None,
        no_script_notice=any(_NO_SCRIPT_NOTICE.search(n.text[:500]) for n in document.select("noscript")[:5]),
    )


def _label(button: Element) -> str:
    return " ".join((button.text or button.attr("value") or "").split())[:60]


def _shows_text(root: Element) -> bool:
    """Whether an application's root already holds words a reader would see."""
    words = "".join(e.text for e in root.iter_elements(("script", "style", "noscript", "template")))
    return length(root.text) > length(words)


def refusal(signs: Signs, shown: str) -> ReadError | None:
    """The error a page earns whose visible text is `shown`; None for a page that is itself."""
    chars = length(shown)
    if chars > _MAX_CONSENT_CHARS:
        return None
    checks = (_challenge, _login, _consent, _error_page, _shell)
    return next((error for check in checks if (error := check(signs, shown, chars))), None)


def wall(signs: Signs, shown: str) -> ReadError | None:
    """The challenge behind an answer that already failed by its status; None when it is only a failure."""
    return _challenge(signs, shown, length(shown))


def _says(signs: Signs, words: re.Pattern[str], shown: str = "") -> bool:
    return any(words.search(title) for title in signs.titles) or bool(shown and words.search(shown))


def _challenge(signs: Signs, shown: str, chars: int) -> ReadError | None:
    named = _says(signs, _CHALLENGE_WORDS)
    if (chars <= _MAX_CAPTCHA_CHARS or (named and chars <= _MAX_WALL_CHARS)) and _CHALLENGE_MARKUP.search(signs.markup):
        return Blocked(reason="captcha" if signs.captcha else "challenge")
    if chars > _MAX_CAPTCHA_CHARS:
        return None
    if signs.captcha and (named or _CHALLENGE_WORDS.search(shown)):
        return Blocked(reason="captcha")
    if named and (signs.scripts or _DENIED.search(shown)):
        return Blocked(reason="challenge")
    return None


def _login(signs: Signs, shown: str, chars: int) -> ReadError | None:
    if chars > _MAX_LOGIN_CHARS or not 1 <= signs.inputs <= _MAX_LOGIN_INPUTS:
        return None
    named = _says(signs, _LOGIN_WORDS) or bool(_LOGIN_PATH.search(signs.path))
    if named and (signs.password or _LOGIN_PATH.search(signs.path)):
        return LoginRequired(reason="login")
    return None


def _consent(signs: Signs, shown: str, chars: int) -> ReadError | None:
    if not signs.accept_button or chars > _MAX_CONSENT_CHARS or not _says(signs, _CONSENT_WORDS):
        return None
    talk = len(_CONSENT_TALK.findall(shown))
    return Blocked(reason="consent") if talk >= _MIN_CONSENT_TALK and talk * _CHARS_A_CONSENT_WORD >= chars else None


def _error_page(signs: Signs, shown: str, chars: int) -> ReadError | None:
    if chars > _MAX_ERROR_CHARS:
        return None
    if _says(signs, _NOT_FOUND):
        return PageNotFound("The page says it does not exist, though the server answered 200.", soft=True)
    if _says(signs, _SERVER_ERROR):
        return UpstreamServerError("The page is a server's error, though the status was 200.", soft=True)
    return None


def _shell(signs: Signs, shown: str, chars: int) -> ReadError | None:
    if not signs.scripts or chars > _MAX_ROOT_SHELL_CHARS:
        return None
    waiting = bool(_LOADING.match(shown)) or (signs.no_script_notice and chars <= _MAX_SHELL_CHARS)
    if signs.empty_root or waiting or not chars:
        return NeedsRendering(chars=chars)
    return None


