"""The words and marks of walls: challenges, logins, consents, error pages and empty shells, in the web's languages."""

import re
from typing import Final


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


# Left in the markup only by the interstitial itself, not by the sensor scripts that protected pages also carry.
CHALLENGE_MARKUP: Final = _any_of(
    "_cf_chl_opt", "/chl_page/", r"challenge-(?:running|form|stage|error-text)\b",
    "cf-(?:browser-verification|im-under-attack|please-wait)", "sec-if-cpt-container", "sec-cpt-if", "bm-verify",
    "/_sec/cp_challenge", "px-captcha", "_pxBlock", "captcha-delivery",
    "id=.main-iframe.[^>]*_Incapsula_Resource", r"_Incapsula_Resource\?[^>]*(?:incident_id|CWUDNSAI)",
    "incapsula incident id", r"AwsWafIntegration\.(?:getToken|checkForceRefresh|forceRefreshToken)",
    "awswaf(?:_|-)?captcha", "gokuProps", "sgcaptcha", "ddos-guard", "js-challenge", "__ddg", "KPSDK",
    "ak-challenge", "distil_r_captcha", "geetest_challenge",
)  # fmt: skip
CHALLENGE_WORDS: Final = _any_of(
    "just a moment", "checking (?:your|if the site connection is|the site connection)",
    "verify(?:ing)? (?:that )?you(?:'re| are) (?:a |not a )?(?:human|person|real|robot|bot)",
    "are you (?:a )?(?:human|robot)", "robot or human", r"(?:not|you're|aren't|are) a (?:ro)?bot\b",
    "i'?m not a robot", "attention required", "pardon our interruption",
    "security (?:check|challenge|verification)", "human verification",
    "bot (?:detection|protection|verification)", "ddos protection", "unusual (?:traffic|activity)",
    "automated (?:access|queries|requests|traffic)", "press (?:and|&) hold",
    "access (?:to this page )?(?:has been |is |was )?(?:denied|blocked)",
    "request (?:unsuccessful|blocked|could not be satisfied)", "you have been blocked",
    "enable (?:javascript and )?cookies (?:and javascript )?to continue", "one more step",
    "complete the (?:captcha|security)", "why (?:have i been|was i) blocked",
    "vérifi(?:er|ez) que vous (?:êtes|n'êtes)", "sicherheitsüberprüfung", "проверка браузера", "вы не робот",
    "人机验证", "安全验证", "请完成验证",
)  # fmt: skip
# What a challenge speaks of besides its title; "Just a moment" alone may head a poem.
CHALLENGE_TALK: Final = _any_of(
    "javascript", "cookies", "browser", r"ro?bots?\b", "human", "security", "blocked", "captcha", "automated",
    "automatis", "浏览器", "验证", "безопасност",
)  # fmt: skip
DENIED: Final = _any_of(
    "you don'?t have permission to access", "reference (?:#|id|number)", "incident id", "ray id", "request id",
    "event id",
)  # fmt: skip
LOGIN_WORDS: Final = _any_of(
    r"\b(?:sign|log)[\s-]?in(?:to)?\b", r"\blogin\b", "anmelden", "einloggen", "connexion", "se connecter",
    "connectez-vous", "identifiez-vous", "inicia(?:r)? sesión", "acceder", "accedi", "entrar", "iniciar sessão",
    "inloggen", "logga in", "logg inn", "log ind", "zaloguj", "logowanie", "přihlás", "войти", "вход",
    "авторизация", "ログイン", "サインイン", "登录", "登入", "登錄", "로그인",
    r"\bauthenticat", "single sign-on", "members only",
    "subscribers only",
)  # fmt: skip
LOGIN_PATH: Final = _any_of(
    "/(?:log-?in|sign-?in|signon|sso|auth|authenticate|session|accounts?/login|users/sign_in|wp-login)(?:[/.?]|$)",
)  # fmt: skip
CONSENT_WORDS: Final = _any_of(
    "before you continue", "we (?:value|care about|respect) your privacy", "your privacy (?:choices|matters)",
    "cookie (?:consent|preferences|settings)", "consent", "bevor sie (?:fortfahren|zu)", "avant d'accéder",
    "avant de continuer", "antes de continuar", "prima di continuare", "voordat je verdergaat",
)  # fmt: skip
CONSENT_TALK: Final = _any_of(
    r"cookies?\b", "consent", "privacy", "personal data", "partners", "datenschutz", "einwillig", "zustimm",
    "confidentialit", "données", "privacidad", "datos personales", "consenso", "toestemming",
)  # fmt: skip
ACCEPT: Final = _any_of(
    "^(?:i )?(?:accept|agree|allow|consent|reject)(?: all| to all| and continue| & continue| cookies)*$",
    "^(?:alle )?(?:akzeptieren|ablehnen|zustimmen)", "^alle[sn]? (?:akzeptieren|ablehnen)",
    "^(?:tout )?(?:accepter|refuser)", "^aceptar", "^rechazar", "^accetta", "^rifiuta", "^akkoord",
    "^alles accepteren",
)  # fmt: skip
NOT_FOUND: Final = _any_of(
    r"^\W*(?:error\W*)?404\b", r"\b404\W*(?:error|not found|page)", "^(?:http )?(?:error )?404$",
    "page (?:was |could )?not (?:be )?found",
    "page (?:you (?:requested|are looking for) )?(?:doesn't|does not|no longer) exists?",
    "(?:can't|cannot|couldn't) find (?:that|this|the) page", "seite (?:wurde )?nicht gefunden",
    "page (?:introuvable|non trouvée)", "página no encontrada", "página não encontrada", "pagina non trovata",
    "pagina niet gevonden", "sidan hittades inte", "strona nie została znaleziona", "страница не найдена",
    "ページが見つかりません", "页面不存在", "找不到(?:页面|頁面)",
)  # fmt: skip
SERVER_ERROR: Final = _any_of(
    r"^\W*(?:error\W*)?(?:500|502|503|504|52\d)\b\W*(?:internal|bad|service|gateway|(?:web )?server|error|$)",
    r"^(?:internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out)\W*$",
    "^database error$", "^error establishing a database connection",
)  # fmt: skip
LOADING: Final = _any_of(
    r"^\W*(?:loading|please wait|lädt|wird geladen|chargement|cargando|caricamento)\b.{0,40}$",
    r"^\W*(?:загрузка|読み込み中|加载中)\b.{0,40}$",
)  # fmt: skip
NO_SCRIPT_NOTICE: Final = _any_of(
    "(?:enable|requires?|need|turn on|activate|without).{0,40}javascript",
    "javascript.{0,40}(?:enabled?|required|disabled|aktivier|erforderlich)",
)  # fmt: skip
# All that such a page has to say, in the place of what was asked for.
NEEDS_SCRIPTS: Final = _any_of(
    r"(?:please|must|need to|have to) (?:enable|turn on|activate|allow) (?:javascript|js\b|scripts)",
    "javascript (?:is|seems|appears) (?:to be )?(?:currently )?(?:disabled|required|turned off)",
    "javascript is not (?:enabled|available)",
    "(?:requires|needs) javascript", "javascript (?:must|needs to|has to) be (?:enabled|turned on)",
    "(?:bitte )?(?:aktivieren sie|schalten sie) (?:bitte )?javascript", "javascript (?:ist deaktiviert|muss aktiviert)",
    "(?:veuillez )?activer javascript", "javascript est (?:désactivé|requis)", "(?:habilit|activ)(?:e|a|ar) javascript",
    "(?:abilita|attiva)(?:re)? javascript", "включите javascript", "javascript を有効", "启用 ?javascript",
)  # fmt: skip
