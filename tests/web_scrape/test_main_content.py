from itertools import pairwise

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

from web_scrape import blocks
from web_scrape.extract import to_markdown, to_text
from web_scrape.main_content import chosen, prune

URL = "https://h.example/guides/ferry-timetable"
PROSE = "The ferry timetable for the northern pier changes on the first Monday of every month, and is printed in blue."


def page(main, title="Ferry timetable"):
    nav = "".join(f"<li><a href=/{word}>{word.title()}</a></li>" for word in ("home", "news", "prices", "about"))
    return f"""<!doctype html><html><head><title>{title} - Harbour</title></head><body>
        <header class=site-header><nav class=menu><ul>{nav}</ul></nav></header>
        <main><article class=content>{main}</article></main>
        <aside class=sidebar><h3>Related</h3><ul>{nav}</ul></aside>
        <footer class=site-footer><p>© 2026 Harbour. All rights reserved.</p></footer></body></html>""".encode()


ARTICLE = "<h1>Ferry timetable</h1>" + "".join(f"<p>{PROSE} That is rule {n}.</p>" for n in range(8))


def test_an_article_is_kept_whole_and_what_stands_around_it_is_not():
    content = to_text(page(ARTICLE), URL)

    assert content.count(PROSE) == 8
    assert "Harbour" not in content
    assert "Prices" not in content


@pytest.mark.parametrize("paragraphs", [1, 3, 8, 30])
def test_the_title_above_content_stays_with_it(paragraphs):
    text = "".join(f"<p>{PROSE} {PROSE} That is rule {n}.</p>" for n in range(paragraphs))

    assert to_markdown(page(f"<h1>Harbour</h1>{text}"), URL).startswith("# Harbour\n")


def test_a_title_of_what_goes_goes_with_it():
    assert "Search" not in to_text(page(ARTICLE).replace(b"<main>", b"<div><h1>Search</h1></div><main>"), URL)


def test_the_same_bytes_give_the_same_markdown():
    assert to_markdown(page(ARTICLE), URL) == to_markdown(page(ARTICLE), URL)


@pytest.mark.parametrize("body", ["<p>pong", "Hello, world", "<h1>It works!</h1>", f"<p>{PROSE}</p>"])
def test_a_page_that_says_one_thing_is_kept(body):
    assert to_text(body.encode(), "https://h.example/") == turbohtml.parse(body).root.text.strip()


def test_an_empty_page_is_empty():
    assert to_markdown(b"<body><div id=app></div>", URL) == ""


def pruned(markup, *dropped):
    body = turbohtml.parse(f"<body>{markup}").root.find("body")
    found, boxes, bare = blocks.cut(body)
    prune(found, boxes, bare, [block.text not in dropped for block in found])
    return body.inner_html


def test_a_box_without_a_kept_block_goes_with_all_it_holds():
    assert pruned("<div><p>a</p></div><ul><li>b<li>c</ul>", "b", "c") == "<div><p>a</p></div>"


def test_a_dropped_run_leaves_its_box_to_the_others():
    assert pruned("<div>b <i>b</i><p>a</p></div>", "b b") == "<div><p>a</p></div>"


def test_a_table_that_stays_keeps_its_columns():
    row = "<tr><td>1</td><td>b</td><td>2</td></tr>"

    assert "<td>1</td><td></td><td>2</td>" in pruned(f"<table>{row}</table>", "b")


def test_a_picture_without_words_stays_beside_what_is_kept():
    figure = "<figure><img src=/i.png></figure>"

    assert "<figure>" in pruned(f"<p>a</p>{figure}<p>b</p>", "b")
    assert "<figure>" not in pruned(f"<p>a</p><div><p>b</p>{figure}<p>b</p></div>", "b")


def expected_f1(likely, words, kept):
    right = sum(p * w for p, w, keep in zip(likely, words, kept, strict=True) if keep)
    taken = sum(w for w, keep in zip(words, kept, strict=True) if keep)
    return 2 * right / (taken + sum(p * w for p, w in zip(likely, words, strict=True)))


@given(st.lists(st.tuples(st.integers(20, 99), st.integers(1, 50)), min_size=1, max_size=12))
def test_no_other_number_of_the_likeliest_blocks_promises_more(found):
    likely, words = [p / 100 for p, _ in found], [w for _, w in found]

    kept = chosen(likely, words)

    best = max(expected_f1(likely, words, [p >= limit for p in likely]) for limit in likely)
    assert expected_f1(likely, words, kept) == pytest.approx(best)
    assert all(not keep or other for (_, keep), (_, other) in pairwise(sorted(zip(likely, kept, strict=True))))


def test_a_page_whose_every_block_is_unlikely_has_no_main_content():
    assert chosen([0.05, 0.1, 0.01], [5, 50, 500]) == [False, False, False]
