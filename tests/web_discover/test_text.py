"""Titles and snippets as plain text."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web_discover.text import SNIPPET_CHARS, plain, snippet


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("plain words", "plain words"),
        ("<b>Quiet</b> <strong>units</strong> <em>and</em> <mark>more</mark>", "Quiet units and more"),
        ('<span class="hit">one</span>two', "onetwo"),
        ("first<br>second<br/>third<p>fourth</p>", "first second third fourth"),
        ("R&amp;D at 5 &lt; 6&nbsp;dB", "R&D at 5 < 6 dB"),
        ("the neighbour&#39;s &#x27;window&#x27;", "the neighbour's 'window'"),
        ("&lt;b&gt; is a tag", "<b> is a tag"),
        ("AT&T, R&D, a & b", "AT&T, R&D, a & b"),
        ("a vector<int> of List<String> and Map<K, V>", "a vector<int> of List<String> and Map<K, V>"),
        ("a < b", "a < b"),
        ("if a<b && c>d", "if a<b && c>d"),
        ("I <3 otters", "I <3 otters"),
        ("cut in the middle of <b", "cut in the middle of <b"),
        ("what <script> does &amp; <b>why</b>", "what <script> does & why"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("seen <!-- not seen --> seen", "seen seen"),
        ("\x04two\x05  lines\r\n\tand\x00 a\x7f tab\x85", "two lines and a tab"),
        ("soft\u00adhyphen zero\u200bwidth \ufeffmark", "softhyphen zerowidth mark"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
        ("  \n ", ""),
        ("", ""),
        (None, ""),
        (5, ""),
        ({"text": "x"}, ""),
    ],
)
def test_markup_becomes_the_text_a_reader_sees(markup, text):
    assert plain(markup) == text


def test_a_long_snippet_is_cut_between_words():
    cut = snippet("otters are quiet " * 200)

    assert len(cut) <= SNIPPET_CHARS
    assert cut.endswith((" otters …", " are …", " quiet …"))


def test_a_snippet_of_one_endless_word_is_cut_in_it():
    assert snippet("x" * 5000) == "x" * (SNIPPET_CHARS - 2) + " …"


def test_a_snippet_of_pieces_is_their_text():
    assert snippet(["one <b>piece</b>", None, "", "another"]) == "one piece … another"
    assert snippet([]) == ""


@given(st.text(alphabet=string.printable + "<>&;/\x00\u200b\u00e4", max_size=200))
def test_any_text_becomes_one_line_without_control_characters(markup):
    text = plain(markup)

    assert text == " ".join(text.split())
    assert all(character.isprintable() for character in text)
