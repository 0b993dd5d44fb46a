# ruff: noqa: E501, ISC004 - a page and what it becomes are compared on a line each
import pytest

from verbena.errors import (
    Blocked,
    EmptyPage,
    LoginRequired,
    NeedsRendering,
    PageNotFound,
    UpstreamClientError,
    UpstreamServerError,
)
from web_scrape.page import read_page

PROSE = "<p>The ferry timetable for the northern pier changes on the first Monday of every month, and is printed in blue.</p>"


def read(body, url="https://site.example/page", status=200, title="Harbour"):
    page = body if "<html" in body else f"<html><head><title>{title}</title></head><body>{body}</body></html>"
    return read_page(page.encode(), url=url, content_type="text/html; charset=utf-8", http_status=status)


CHALLENGES = {
    "interstitial": (
        "<html><head><title>Just a moment...</title></head><body><h2>Checking your browser before you proceed</h2>"
        "<script>window._cf_chl_opt={cType:'managed'}</script></body></html>"
    ),
    "attention": (
        "<html><head><title>Attention Required!</title></head><body><h1>Sorry, you have been blocked</h1>"
        "<p>This site is using a security service to protect itself from online attacks.</p><p>Ray ID: 8a1</p></body></html>"
    ),
    "slider": (
        "<html><head><title>site.example</title></head><body><p id=cmsg>Please enable JS and disable any ad blocker</p>"
        "<script>var dd={'rt':'c','cid':'x','host':'geo.captcha-delivery'}</script></body></html>"
    ),
    "sensor": (
        "<html><head><title></title></head><body><div id='sec-if-cpt-container' style='display:none'></div>"
        "<script src='/x/sec-cpt-if.js'></script></body></html>"
    ),
    "press and hold": (
        "<html><head><title>Access to this page has been denied</title></head><body><h1>Before we continue...</h1>"
        "<div id='px-captcha'></div><p>Press &amp; Hold to confirm you are a human (and not a bot).</p></body></html>"
    ),
    "frame": (
        "<html><head></head><body><iframe id='main-iframe' src='/_Incapsula_Resource?SWUDNSAI=31&incident_id=12'>"
        "Request unsuccessful. Incapsula incident ID: 12</iframe></body></html>"
    ),
    "token": (
        "<html><head><title></title></head><body><div id='challenge-container'></div>"
        "<script>AwsWafIntegration.getToken().then(()=>window.location.reload(true))</script></body></html>"
    ),
    "denied": (
        "<html><head><title>Access Denied</title></head><body><h1>Access Denied</h1>"
        "<p>You don't have permission to access this page on this server.</p><p>Reference #18.2f</p></body></html>"
    ),
    "interruption": (
        "<html><head><title>Pardon Our Interruption</title></head><body><h1>Pardon Our Interruption</h1>"
        "<p>As you were browsing something about your browser made us think you were a bot.</p><script>x()</script></body></html>"
    ),
}
CAPTCHAS = {
    "checkbox": (
        "<html><head><title>Are you human?</title></head><body><form><p>Please complete the captcha to go on.</p>"
        "<div class='h-captcha' data-sitekey='k'></div></form></body></html>"
    ),
    "traffic": (
        "<html><head><title>Sorry</title></head><body><p>Our systems have detected unusual traffic from your network.</p>"
        "<form id='captcha-form'><div id='recaptcha' class='g-recaptcha'></div></form></body></html>"
    ),
}


@pytest.mark.parametrize("page", CHALLENGES.values(), ids=CHALLENGES)
def test_a_challenge_answered_200_is_blocked(page):
    with pytest.raises(Blocked) as refused:
        read(page)

    assert refused.value.details["reason"] in {"challenge", "captcha"}
    assert refused.value.retryable


@pytest.mark.parametrize("page", CAPTCHAS.values(), ids=CAPTCHAS)
def test_a_page_that_only_asks_for_a_captcha_is_blocked(page):
    with pytest.raises(Blocked) as refused:
        read(page)

    assert refused.value.details["reason"] == "captcha"


@pytest.mark.parametrize("status", [202, 403, 429, 503])
def test_a_challenge_is_blocked_under_any_status(status):
    with pytest.raises(Blocked):
        read(CHALLENGES["interstitial"], status=status)


@pytest.mark.parametrize(
    ("page", "url"),
    [
        (
            "<h1>Sign in to continue</h1><form><input name=email><input type=password><button>Sign in</button></form>",
            "/login",
        ),
        (
            "<h1>Anmelden</h1><form><input name=u><input type=password></form><a href=/r>Passwort vergessen?</a>",
            "/bericht",
        ),
        ("<h2>ログイン</h2><form><input name=u><input type=PASSWORD></form>", "/report"),
        ("<h1>Sign in</h1><form><input type=email><button>Next</button></form>", "/oauth/signin"),
    ],
)
def test_a_login_form_in_place_of_a_page_is_a_wall_that_no_retry_opens(page, url):
    with pytest.raises(LoginRequired) as refused:
        read(page, url=f"https://site.example{url}")

    assert refused.value.details["reason"] == "login"
    assert not refused.value.retryable


@pytest.mark.parametrize(
    "page",
    [
        "<h1>Before you continue</h1><p>We and our 812 partners use cookies and personal data to deliver services.</p>"
        "<p>Your privacy choices apply to this site. See our privacy policy.</p><form><button>Reject all</button><button>Accept all</button></form>",
        "<h1>Bevor Sie fortfahren</h1><p>Wir und unsere Partner verwenden Cookies. Ihre Einwilligung gilt hier. Datenschutz.</p>"
        "<button>Alle akzeptieren</button>",
    ],
)
def test_a_consent_wall_is_blocked(page):
    with pytest.raises(Blocked) as refused:
        read(page)

    assert refused.value.details["reason"] == "consent"


@pytest.mark.parametrize(
    "title",
    ["404 Not Found", "Page not found - Site", "Error 404", "Seite nicht gefunden", "Page introuvable", "页面不存在"],
)
def test_an_error_page_answered_200_does_not_exist(title):
    with pytest.raises(PageNotFound) as refused:
        read(f"<h1>{title}</h1><p>The link may be broken.</p><a href=/>Home</a>", title=title)

    assert refused.value.details["soft"] is True


@pytest.mark.parametrize(
    "title", ["502 Bad Gateway", "503 Service Temporarily Unavailable", "Error establishing a database connection"]
)
def test_a_server_error_answered_200_is_the_servers_error(title):
    with pytest.raises(UpstreamServerError):
        read(f"<h1>{title}</h1><hr><p>nginx</p>", title=title)


@pytest.mark.parametrize(
    ("status", "error"), [(404, UpstreamClientError), (401, UpstreamClientError), (522, UpstreamServerError)]
)
def test_a_failed_status_is_no_page_however_long_its_text(status, error):
    with pytest.raises(error):
        read(PROSE * 40, status=status)


@pytest.mark.parametrize(
    "page",
    [
        "<div id=app></div><script src=/main.js></script>",
        "<div id=root></div><noscript>You need to enable JavaScript to run this app.</noscript><script src=/main.js></script>",
        "<div id=__next><div class=spinner></div></div><script src=/main.js></script>",
        "<app-root>Loading...</app-root><script type=module src=/main.js></script>",
        "<header>Dock</header><div id=root><style>a{}</style></div><footer>2026 Dock</footer><script>boot()</script>",
    ],
)
def test_an_application_without_text_needs_rendering(page):
    with pytest.raises(NeedsRendering):
        read(page)


@pytest.mark.parametrize(
    "body", [b"", b"   \n ", b"\xef\xbb\xbf", b"<html><body></body></html>", b"<p hidden>x</p>", b"<img src=data:,x>"]
)
def test_a_page_without_a_word_is_empty(body):
    with pytest.raises(EmptyPage):
        read_page(body, url="https://site.example/", content_type="text/html")


@pytest.mark.parametrize(
    "page",
    [
        f"<h1>Contact</h1>{PROSE}<form><textarea></textarea><div class=g-recaptcha data-sitekey=k></div></form>",
        f"<h1>How to log in</h1>{PROSE * 10}<form><input type=password></form>",
        f"<nav><form><input name=u><input type=password>Login</form></nav><h1>News</h1>{PROSE * 8}",
        f"<h1>What is a 404 error?</h1>{PROSE * 8}",
        f"<h1>Just a moment in time</h1>{PROSE}<script src='/a.js'></script>",
        f"<h1>Overview</h1>{PROSE}<form action=/search><input name=q></form>",
        f"<h1>Prices</h1>{PROSE}<div class=modal><h2>Log in</h2><input name=u><input type=password></div>",
        f"<h1>Harbour</h1>{PROSE}<script src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'></script>",
        f"<h1>Harbour</h1>{PROSE * 3}<script src='/_Incapsula_Resource?SWJIYLWA=719d'></script>",
        f"<h1>Cookie consent explained</h1>{PROSE * 9}<button>Accept all</button>",
        f"<h1>Harbour</h1>{PROSE * 9}<div role=dialog><h2>We value your privacy</h2>cookies<button>Accept all</button></div>",
        f"<h1>Captcha and I'm not a robot: a history</h1>{PROSE * 12}",
        "<h1>Hello</h1>",
        f"<div id=app>{PROSE}</div><noscript>Please enable JavaScript.</noscript><script src=/main.js></script>",
        f"<div id=app></div><main>{PROSE * 8}</main><script src=/main.js></script>",
    ],
)  # fmt: skip
def test_an_ordinary_page_with_the_signs_of_a_wall_is_a_page(page):
    assert read(page).content
