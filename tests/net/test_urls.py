"""What makes two URLs one page, and what of a URL may be shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verbena.errors import InvalidUrl
from verbena.urls import host, joined, masked, normalise


@pytest.mark.parametrize(
    ("given_url", "identity"),
    [
        ("HTTP://Example.COM", "http://example.com/"),
        ("https://example.com:443/a/../b", "https://example.com/b"),
        ("https://example.com/a?b=c#part", "https://example.com/a?b=c"),
        ("  https://example.com/\n", "https://example.com/"),
        ("https://münchen.example/straße?ü=1", "https://xn--mnchen-3ya.example/stra%C3%9Fe?%C3%BC=1"),
        ("http:\\\\example.com\\a", "http://example.com/a"),
        ("https://example.com/a%2Fb?sig=a%2Fb%3D", "https://example.com/a%2Fb?sig=a%2Fb%3D"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://2130706433/", "http://127.0.0.1/"),
        ("http://0177.0.0.01/", "http://127.0.0.1/"),
        ("http://127.1/", "http://127.0.0.1/"),
        ("http://[0:0::1]/", "http://[::1]/"),
        ("http://\uff11\uff12\uff17.\uff10.\uff10.\uff11/", "http://127.0.0.1/"),
    ],
)
def test_spellings_of_one_page_have_one_identity(given_url, identity):
    assert normalise(given_url) == identity


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.com",
        "/path",
        "//example.com/",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "ftp://example.com/",
        "data:text/html,hello",
        "http://",
        "http://exa mple.com/",
        "http://example.com:99999/",
        "http://[::1/",
        "http://user@example.com/",
        "http://:secret@example.com/",
        "http://\ud800.example/",
        "http://example.com/" + "a" * 2048,
    ],
)
def test_what_is_no_plain_web_url_is_refused(url):
    with pytest.raises(InvalidUrl):
        normalise(url)


def test_a_url_of_2048_characters_is_the_longest_that_is_read():
    longest = "http://example.com/" + "a" * (2048 - len("http://example.com/"))

    assert normalise(longest) == longest
    with pytest.raises(InvalidUrl):
        normalise(longest + "a")


@given(st.text(max_size=60).map(lambda text: f"https://example.com/{text}"))
def test_an_identity_is_its_own_identity(url):
    try:
        once = normalise(url)
    except InvalidUrl:
        return

    assert normalise(once) == once
    assert once.isascii()
    assert "#" not in once


@pytest.mark.parametrize(
    ("reference", "target"),
    [
        ("next.html", "https://example.com/a/next.html"),
        ("/top?x#y", "https://example.com/top?x"),
        ("//other.example/z", "https://other.example/z"),
        ("?page=2", "https://example.com/a/b?page=2"),
        ("http:\\\\other.example", "http://other.example/"),
        ("", "https://example.com/a/b"),
    ],
)
def test_a_reference_is_seen_from_its_page(reference, target):
    assert joined("https://example.com/a/b", reference) == target


@pytest.mark.parametrize("reference", ["file:///etc/passwd", "javascript:1", "https://u:p@example.com/", "http://[bad"])
def test_a_reference_that_leaves_the_web_is_refused(reference):
    with pytest.raises(InvalidUrl):
        joined("https://example.com/", reference)


@pytest.mark.parametrize(
    "url",
    [
        "http://user:pw-91@example.com/a",
        "HTTPS://user:pw-91@example.com:99999/",
        "http:/\\user:pw-91@example.com/",
        "http:user:pw-91@example.com/",
        "//user:pw-91@example.com/",
        "user:pw-91@example.com",
        "ftp://user:pw-91@example.com/",
        "http://user:x/pw-91@example.com",
        "http://a@b:pw-91@example.com/",
        "ht\ntp://us\ter:pw-91@example.com/",
        "http://user:pw-91@exa mple.com/",
        "http://user:pw-91@",
    ],
)
def test_a_password_is_never_shown(url):
    assert "pw-91" not in masked(url)


@given(
    st.sampled_from(["http://", "https:", "//", "", "ws:///", "http:\\\\"]),
    st.text(st.characters(blacklist_characters="/\\?#"), max_size=8),
    st.sampled_from(["@example.com/", "@[::1]/", "@x:99999999", "@", "@@h/"]),
)
def test_no_spelling_of_a_url_shows_its_password(scheme, user, rest):
    assert "pw-91" not in masked(f"{scheme}{user}:pw-91{rest}")


@pytest.mark.parametrize("url", ["http://example.com/@me", "https://example.com/?mail=a@b.c", "no url at all", ""])
def test_what_holds_no_password_is_shown_as_it_was_given(url):
    assert masked(url) == url


def test_the_host_of_a_page_includes_its_port():
    assert host("http://example.com:8080/a/b") == "example.com:8080"
    assert host("http://[::1]/") == "[::1]"
