# ruff: noqa: E501 - pages are compared with what becomes of them
"""Walls as the vendors of them build them, and ordinary pages that share their words and parts."""

import pytest

from verbena.errors import Blocked, LoginRequired, NeedsRendering, PageNotFound, ReadError
from verbena.net import Reply
from web_scrape.fetch import verdict
from web_scrape.page import read_page

PROSE = "<p>The ferry leaves the northern pier at noon and comes back with the tide, carrying post and bread.</p>"


def read(html, url="https://site.example/page"):
    return read_page(html.encode(), url=url, content_type="text/html; charset=utf-8")


def page(title, body, head=""):
    return f"<!doctype html><html><head><title>{title}</title>{head}</head><body>{body}</body></html>"


CHALLENGES = {
    "Cloudflare, managed": page(
        "Just a moment...",
        "<noscript><div id=challenge-error-text>Enable JavaScript and cookies to continue</div></noscript>"
        "<script>(function(){window._cf_chl_opt={cvId:'3',cZone:'site.example',cType:'managed'};"
        "a.src='/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1?ray=1'})()</script>",
    ),
    "Cloudflare, in German": page(
        "Nur einen Moment…",
        "<h1>site.example</h1><p>Bestätigen Sie, dass Sie ein Mensch sind. Dies kann einige Sekunden dauern.</p>"
        "<script>window._cf_chl_opt={cType:'interactive'}</script>",
    ),
    "Cloudflare, firewall rule": page(
        "Access denied | site.example used Cloudflare to restrict access",
        "<div id=cf-wrapper><div id=cf-error-details><h1>Error 1020</h1><p>Ray ID: 7d1</p><h2>Access denied</h2>"
        "<p>This website is using a security service to protect itself from online attacks.</p></div></div>",
    ),
    "Cloudflare, slow down": page(
        "Access denied | site.example used Cloudflare to restrict access",
        "<div id=cf-wrapper><div id=cf-error-details><h1>Error 1015</h1><p>Ray ID: 7d1</p>"
        "<h2>You are being rate limited</h2><p>The owner has banned you temporarily.</p></div></div>",
    ),
    "Turnstile alone": page(
        "site.example",
        "<form method=post><div class=cf-turnstile data-sitekey=0x4></div><p>Verify you are human to go on.</p></form>"
        "<script src='https://challenges.cloudflare.com/turnstile/v0/api.js' async></script>",
    ),
    "DataDome, device check": page(
        "site.example",
        "<p id=cmsg>Please enable JS and disable any ad blocker</p><script>var dd={'rt':'i','cid':'A','hsh':'B',"
        "'host':'geo.captcha-delivery.com'}</script><script src='https://ct.captcha-delivery.com/i.js'></script>",
    ),
    "DataDome, frame": page(
        "site.example", "<iframe src='https://geo.captcha-delivery.com/captcha/?initialCid=A&t=fe' title='DataDome'></iframe>"
    ),
    "Akamai, edge": page(
        "Access Denied",
        '<h1>Access Denied</h1>You don\'t have permission to access "http://site.example/page" on this server.'
        "<p>Reference #18.9d1f0117.1700000000.1</p><p>https://errors.edgesuite.net/18.9d1f0117.1700000000.1</p>",
    ),
    "Akamai, behaviour": page(
        "",
        "<div id='sec-if-cpt-container' role=main style='display: none'><div id=sec-bc-text-container></div>"
        "<div id='progress-button' role=button></div><p class ='scf-akamai-protected-by'>Powered and protected by</p></div>"
        "<script src='/a/b?v=1'></script>",
    ),
    "HUMAN": page(
        "Access to this page has been denied",
        "<script>window._pxVid='';window._pxUuid='d';window._pxAppId='PX1';window._pxHostUrl='/1/xhr'</script>"
        "<div class=px-captcha-container></div>",
        "<meta name=description content='px-captcha'>",
    ),
    "HUMAN, own words": page(
        "Robot or human?",
        "<h1>Robot or human?</h1><p>Activate and hold the button to confirm that you're human. Thank You!</p>"
        "<script>window._pxAppId='PX2'</script>",
    ),
    "Imperva, frame": page(
        "", '<iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31&amp;mth=GET"></iframe>',
        "<meta name=ROBOTS content='NOINDEX, NOFOLLOW'>",
    ),
    "Imperva, interruption": page(
        "Pardon Our Interruption",
        "<h1>Pardon Our Interruption</h1><p>As you were browsing something about your browser made us think you might be "
        "a bot. There are a few reasons this might happen:</p><ul><li>You've disabled JavaScript.</li><li>You're a power "
        "user moving through this website with super-human speed.</li><li>You've disabled cookies.</li><li>A third-party "
        "browser plugin is preventing JavaScript from running.</li></ul><p>To regain access, please make sure that cookies "
        "and JavaScript are enabled before reloading the page.</p>",
        "<script>var reeseSkipExpirationCheck=false</script><script src='/abc-def' async></script>",
    ),
    "AWS WAF, token": page(
        "",
        "<div id=challenge-container></div><script>AwsWafIntegration.saveReferrer();"
        "AwsWafIntegration.checkForceRefresh().then(f=>{})</script>",
        "<script>window.awsWafCookieDomainList=[];window.gokuProps={key:'A'}</script>"
        "<script src='https://a1.token.awswaf.com/a1/challenge.js'></script>",
    ),
    "AWS WAF, puzzle": page(
        "Human Verification",
        "<div id=captcha-container></div><script>window.gokuProps={};CaptchaScript.renderCaptcha(c)</script>",
        "<script src='https://a1.captcha.awswaf.com/a1/captcha.js'></script>",
    ),
    "CloudFront": page(
        "ERROR: The request could not be satisfied",
        "<h1>403 ERROR</h1><h2>The request could not be satisfied.</h2><hr>Request blocked. We can't connect to the server "
        "for this app or website at this time.<pre>Generated by cloudfront (CloudFront)\nRequest ID: Xy==</pre>",
    ),
    "Kasada": page("", "<script>window.KPSDK={};KPSDK.now=1</script><script src='/149e/2d20/ips.js?tkrm=1'></script>"),
    "F5": page(
        "Request Rejected",
        "The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 1234567890<br>"
        "<a href='javascript:history.back();'>[Go Back]</a>",
    ),
    "F5, script": page("", "<script>window['bobcmn']='1011'</script><script src='/TSPD/08a?type=7'></script>"),
    "Sucuri": page(
        "Sucuri WebSite Firewall - Access Denied",
        "<h1>Access Denied - Sucuri Website Firewall</h1><p>If you are the site owner, please whitelist your IP.</p>"
        "<table><tr><td>Your IP:</td><td>192.0.2.1</td></tr><tr><td>Block ID:</td><td>BNP005</td></tr></table>",
    ),
    "Sucuri, script": page("You are being redirected...", "<script>var s={},sucuri_cloudproxy_js='';S='dj0i';</script>"),
    "DDoS-Guard": page(
        "DDoS-Guard", "<h1>Checking your browser before accessing site.example</h1><script src=/.well-known/ddos-guard/js></script>"
    ),
    "Wordfence": page(
        "Your access to this site has been limited",
        "<h1>Your access to this service has been limited. (HTTP response code 503)</h1><p>Access from your area has been "
        "temporarily limited for security reasons.</p><p>Generated by Wordfence</p>",
    ),
    "Vercel": page(
        "Vercel Security Checkpoint",
        "<p>We're verifying your browser</p><p>Website owner? Click here to fix</p>"
        "<script src='/.well-known/vercel/security/static/challenge.v2.min.js'></script>",
    ),
    "Anubis": page(
        "Making sure you're not a bot!",
        "<h1>Making sure you're not a bot!</h1><p>Loading...</p><p>You are seeing this because the administrator of this "
        "website has set up Anubis to protect the server against the scourge of AI companies.</p>",
        "<script id=anubis_challenge type=application/json>{}</script>",
    ),
    "SiteGround": page(
        "Robot Challenge Screen", "<p>Checking the site connection security</p>",
        "<meta http-equiv=refresh content='0;/.well-known/sgcaptcha/?r=%2F'>",
    ),
    "Imunify360": page(
        "One moment, please...",
        "<h1>Please wait while your request is being verified...</h1><div id=spinner></div><script>x('wsidchk')</script>",
    ),
    "Radware": page(
        "Radware Bot Manager Captcha",
        "<h3>We apologize for the inconvenience...</h3><p>To ensure we keep this website safe, please can you confirm you "
        "are a human by ticking the box below.</p><div class=h-captcha data-sitekey=k></div>",
        "<script src='https://cdn.perfdrive.com/aperture/aperture.js'></script>",
    ),
    "Alibaba": page("", "<script>var arg1='3DE5';var _0x=['acw_sc__v2']</script><textarea id=renderData>{}</textarea>"),
    "Alibaba, slider": page(
        "", "<div id=nocaptcha></div><script>sufei_punish('/_____tmd_____/punish?x5secdata=a')</script><p>unusual traffic</p>"
    ),
    "Google": page(
        "https://site.example/search?q=x",
        "<form id=captcha-form><script src='https://www.google.com/recaptcha/enterprise.js'></script>"
        "<div id=recaptcha class=g-recaptcha data-sitekey=k></div></form><b>About this page</b><br>Our systems have detected "
        "unusual traffic from your computer network. This page checks to see if it's really you sending the requests.",
    ),
    "Yandex": page(
        "Вы не робот?",
        "<form action=/checkcaptcha><h1>Подтвердите, что запросы отправляли вы, а не робот</h1>"
        "<p>Нам очень жаль, но запросы с вашего устройства похожи на автоматические.</p><div class=smart-captcha></div></form>",
    ),
    "Baidu": page("百度安全验证", "<div class=timeout-title>网络不给力，请稍后重试</div><script src=/mkd.js></script>"),
    "a shop's own": page(
        "Shop",
        "<h4>Click the button below to continue shopping</h4><form action='/errors_page/validateCaptcha'>"
        "<input type=hidden name=t><button>Continue shopping</button></form><p>&copy; 2026</p>",
    ),
    "letters in a picture": page(
        "Robot Check",
        "<h4>Enter the characters you see below</h4><p>Sorry, we just need to make sure you're not a robot.</p>"
        "<form><img src='/captcha/x.jpg'><input name=field-keywords></form>",
    ),
    "a queue": page(
        "Virtual waiting room",
        "<h1>You are now in line</h1><p>Thank you for waiting. When it is your turn, you will have 10 minutes to enter the "
        "website.</p><div id=queue-it_log></div>",
    ),
    "ModSecurity": page(
        "Not Acceptable!",
        "<h1>Not Acceptable!</h1><p>An appropriate representation of the requested resource could not be found on this "
        "server. This error was generated by Mod_Security.</p>",
    ),
}  # fmt: skip

LOGINS = {
    "wall of a network": page(
        "Sign Up | Network",
        "<h1>Join to see what you are missing</h1><form><input name=email><input type=password></form><a>Sign in</a>",
        ) ,
    "single sign-on": page("Sign in to your account", "<form action=/common/login><input type=email name=loginfmt></form>"),
    "portal in Spanish": page("Iniciar sesión", "<form><input name=u><input type=password><button>Entrar</button></form>"),
    "portal in Polish": page("Zaloguj się", "<h1>Zaloguj się</h1><form><input><input type=password></form>"),
    "members": page(
        "The minutes of March",
        "<h1>Members only</h1><p>This content is available to members only. Please log in.</p>"
        "<form><input name=u><input type=password></form>",
    ),
    "paywall": page(
        "Harbour news",
        "<h1>Ferry fares rise</h1><p>Fares for the northern ferry rise in spring.</p><div class=paywall>"
        "<h2>Subscribe to continue reading</h2><p>Already a subscriber? Log in.</p></div>",
    ),
    "paywall in German": page(
        "Hafen",
        "<h1>Die Fähre wird teurer</h1><p>Im Frühjahr steigen die Preise.</p><div>Weiterlesen mit Hafen Plus. Jetzt "
        "abonnieren, um diesen Artikel zu lesen.</div>",
    ),
}  # fmt: skip

CONSENTS = {
    "search engine": page(
        "Before you continue",
        "<h1>Before you continue to Search</h1><p>We use cookies and data to deliver and maintain our services, and to "
        "measure audience engagement. If you choose Accept all, we will also use cookies and data to personalise ads.</p>"
        "<form><button>Reject all</button></form><form><button>Accept all</button></form>",
    ),
    "portal": page(
        "Portal is part of the brands",
        "<h1>Portal is part of the Portal family of brands</h1><h2>We, Portal, care about your privacy</h2><p>When you use "
        "our sites and apps, we use cookies to provide them to you. If you click 'Accept all', we and our 235 partners will "
        "also use cookies and personal data such as precise location to show personalised advertising.</p>"
        "<form class=consent-form><button name=agree>Accept all</button><button name=reject>Reject all</button></form>",
    ),
    "pay or consent": page(
        "Zeitung | Zustimmung erforderlich",
        "<h1>Weiter mit Werbung</h1><p>Besuchen Sie uns wie gewohnt mit Werbung und Tracking. Details zu Werbung und "
        "Tracking in unserer Datenschutzerklärung. Mit Ihrer Einwilligung verarbeiten wir und unsere Partner Cookies.</p>"
        "<button>Akzeptieren und weiter</button><a href=/pur>PUR-Abo</a>",
    ),
    "French": page(
        "Votre vie privée",
        "<h1>Nous respectons votre vie privée</h1><p>Nos partenaires et nous utilisons des cookies et des données "
        "personnelles. Votre consentement est libre ; notre politique de confidentialité le dit.</p>"
        "<button>Continuer sans accepter</button><button>Tout accepter</button>",
    ),
    "age": page(
        "Brewery",
        "<div class=age-gate><h1>Are you of legal drinking age?</h1><p>You must be 18 or older to enter this site.</p>"
        "<button>Yes</button><button>No</button></div>",
    ),
}

MISSING = {
    "headline": page("Site", "<h1>404</h1><p>We looked everywhere.</p><a href=/>Back to the start</a>"),
    "polite": page("Site", "<h1>Oops! That page can’t be found.</h1><p>It looks like nothing was found here.</p>"),
    "gone": page("Site", "<h1>This page isn't available</h1><p>The link may be broken, or the page was removed.</p>"),
    "product": page("Shop", "<h1>Sorry, this product is no longer available</h1><a href=/>See others</a>"),
    "Spanish": page("404", "<h1>La página que buscas no existe</h1>"),
    "menus around it": page(
        "Page not found - Harbour",
        f"<nav>{'<a href=/x>One of the many sections of this site</a> ' * 40}</nav><h1>Page not found</h1>",
    ),
    "Japanese": page("お探しのページは見つかりません", "<p>お探しのページは見つかりませんでした。</p>"),
}

SHELLS = {
    "React": page("App", "<noscript>You need to enable JavaScript to run this app.</noscript><div id=root></div>"
                  "<script defer src=/static/js/main.js></script>"),
    "Vue": page("App", "<noscript><strong>We're sorry but app doesn't work properly without JavaScript enabled.</strong>"
                "</noscript><div id=app></div><script src=/js/app.js></script>"),
    "Angular": page("App", "<app-root></app-root><script src=main.js type=module></script>"),
    "Nuxt": page("App", "<div id=__nuxt></div><script>window.__NUXT__={}</script>"),
    "skeleton": page("App", "<div id=root><div class=skeleton></div><div class=skeleton></div></div><script src=/a.js></script>"),
    "spinner": page("App", "<div class=loader>Loading…</div><script src=/a.js></script>"),
    "notice": page("App", "<p>This site requires JavaScript.</p>"),
    "notice in a box": page("App", "<h1>JavaScript is not available.</h1><p>We've detected that JavaScript is disabled in "
                            "this browser. Please enable JavaScript to continue.</p>"),
    "Flutter": page("App", "<script src=flutter_bootstrap.js async></script>"),
}  # fmt: skip


@pytest.mark.parametrize("html", CHALLENGES.values(), ids=CHALLENGES)
def test_a_challenge_is_blocked_whoever_made_it(html):
    with pytest.raises(Blocked) as refused:
        read(html)

    assert refused.value.details["reason"] in {"challenge", "captcha"}
    assert refused.value.retryable


@pytest.mark.parametrize("html", LOGINS.values(), ids=LOGINS)
def test_what_lies_behind_an_account_is_said_to(html):
    with pytest.raises(LoginRequired) as refused:
        read(html)

    assert refused.value.details["reason"] in {"login", "paywall"}


@pytest.mark.parametrize("html", CONSENTS.values(), ids=CONSENTS)
def test_a_question_in_place_of_the_page_is_blocked(html):
    with pytest.raises(Blocked) as refused:
        read(html)

    assert refused.value.details["reason"] in {"consent", "age"}


@pytest.mark.parametrize("html", MISSING.values(), ids=MISSING)
def test_an_error_page_that_says_200_does_not_exist(html):
    with pytest.raises(PageNotFound):
        read(html)


@pytest.mark.parametrize("html", SHELLS.values(), ids=SHELLS)
def test_an_empty_shell_needs_rendering(html):
    with pytest.raises(NeedsRendering):
        read(html)


@pytest.mark.parametrize(
    "headers",
    [
        {"cf-mitigated": "challenge"},
        {"x-amzn-waf-action": "captcha"},
        {"x-vercel-mitigated": "challenge"},
        {"x-cachewall-action": "challenge"},
    ],
)
@pytest.mark.parametrize("status", [200, 403, 405, 429, 503])
def test_a_guard_that_names_its_challenge_is_believed_whatever_the_status(headers, status):
    assert verdict(Reply("https://site.example/", status, headers, b"<p>x</p>", 8)).code == "blocked"


ORDINARY = {
    "contact form with a captcha": page(
        "Contact us",
        f"<h1>Contact us</h1>{PROSE}<form><label>Name</label><input name=n><label>Mail</label><input name=m>"
        "<textarea name=t></textarea><div class=g-recaptcha data-sitekey=k></div><button>Send</button></form>"
        "<script src='https://www.google.com/recaptcha/api.js'></script>",
    ),
    "newsletter with Turnstile": page(
        "Harbour", f"<h1>Harbour</h1>{PROSE * 3}<form><input name=mail><div class=cf-turnstile data-sitekey=k></div></form>"
        "<script src='https://challenges.cloudflare.com/turnstile/v0/api.js'></script>",
    ),
    "short page with an invisible captcha": page(
        "Opening hours", "<h1>Opening hours</h1><p>Monday to Friday, nine to five.</p>"
        "<div class=grecaptcha-badge></div><script src='https://www.google.com/recaptcha/api.js?render=k'></script>",
    ),
    "comments with hCaptcha": page(
        "Tides", f"<article><h1>Tides</h1>{PROSE * 2}</article><form id=commentform><textarea></textarea>"
        "<div class=h-captcha data-sitekey=k></div></form>",
    ),
    "article about captchas": page(
        "How captchas work", f"<h1>How captchas work</h1><p>A page asks you to verify you are human.</p>{PROSE * 8}"
    ),
    "article about a vendor": page(
        "Bypassing nothing: what Cloudflare's 'Just a moment...' page does",
        f"<h1>What 'Just a moment...' does</h1>{PROSE * 8}<pre>window._cf_chl_opt = {{}}</pre>",
    ),
    "sensor of Akamai": page("Shop", f"<h1>Boots</h1>{PROSE * 2}<script src='/akam/13/5f6b'></script>"),
    "sensor of DataDome": page(
        "Shop", f"<h1>Boots</h1>{PROSE * 7}<script src='https://js.datadome.co/tags.js'></script>"
    ),
    "sensor of HUMAN": page(
        "Shop", f"<h1>Boots</h1>{PROSE * 2}<script>window._pxAppId='PX1'</script><script src='/1/init.js'></script>"
    ),
    "sensor of Imperva": page("Shop", f"<h1>Boots</h1>{PROSE * 2}<script src='/_Incapsula_Resource?SWJIYLWA=719d'></script>"),
    "sensor of AWS WAF": page(
        "Shop", f"<h1>Boots</h1>{PROSE * 2}<script src='https://a1.token.awswaf.com/a1/challenge.js' defer></script>"
    ),
    "sensor of F5": page("Shop", f"<h1>Boots</h1>{PROSE * 2}<script src='/TSPD/08a?type=9'></script>"),
    "beacon of Cloudflare": page(
        "Harbour", f"<h1>Harbour</h1>{PROSE}<script>(function(){{var a='/cdn-cgi/challenge-platform/scripts/jsd/main.js'}})()</script>"
    ),
    "story that is denied": page("Access denied", f"<h1>Access denied: a novel</h1>{PROSE * 6}"),
    "security documentation": page(
        "Security verification", f"<h1>Security verification</h1><p>How our browser checks certificates.</p>{PROSE * 6}"
    ),
    "login in the header": page(
        "Harbour", f"<header><form><input name=u><input type=password><button>Log in</button></form></header>"
        f"<main><h1>Harbour</h1>{PROSE * 8}</main>",
    ),
    "help on logging in": page("How to sign in", f"<h1>How to sign in</h1>{PROSE * 4}"),
    "offer below an article": page(
        "Harbour", f"<h1>Harbour</h1>{PROSE * 20}<aside><h2>Subscribe to continue reading tomorrow's edition</h2></aside>"
    ),
    "consent banner": page(
        "Harbour", f"<h1>Harbour</h1>{PROSE * 3}<div id=onetrust-banner-sdk><h2>We value your privacy</h2><p>We use cookies."
        "</p><button>Accept all</button></div>",
    ),
    "privacy policy": page(
        "Privacy policy", "<h1>Privacy policy</h1>" + "<p>We use cookies with your consent; partners get no personal data.</p>" * 30
        + "<button>Accept all</button>",
    ),
    "brewery": page("Brewery", f"<h1>Our beer</h1><p>You must be 18 or older to buy it.</p>{PROSE * 3}"),
    "number 404": page("Peugeot 404", f"<h1>The Peugeot 404</h1>{PROSE * 4}"),
    "out of stock": page("Boots", f"<h1>Boots</h1>{PROSE * 4}<p>This product is no longer available.</p>"),
    "article about scripts": page("JavaScript is disabled", f"<h1>When JavaScript is disabled</h1>{PROSE * 4}"),
    "short note on scripts": page("Changelog", "<h1>Changelog</h1><p>2.0: the menu works without JavaScript now.</p>"),
    "application with its text": page(
        "App", f"<div id=root><h1>Harbour</h1>{PROSE * 3}</div><noscript>You need to enable JavaScript to run this app."
        "</noscript><script src=/a.js></script>",
    ),
    "a few words": page("Hi", "<p>Hello, world.</p>"),
    "a queue of ships": page("You are now in line", f"<h1>You are now in line</h1>{PROSE * 6}"),
    "support": page("Your support ID", f"<h1>Where is my support ID?</h1>{PROSE * 5}"),
}  # fmt: skip


@pytest.mark.parametrize("html", ORDINARY.values(), ids=ORDINARY)
def test_an_ordinary_page_that_shares_words_and_parts_with_walls_is_read(html):
    try:
        content = read(html).content
    except ReadError as error:
        pytest.fail(f"{error.code}: {error.details}")

    assert content
