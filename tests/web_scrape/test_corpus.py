"""Floors of quality on labelled pages; they only rise."""

import contextlib
import html as entities
import os
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import web_scrape
from bench.extract import labelled, measure
from bench.mutations import mutated
from verbena.errors import EmptyPage, NeedsRendering, ReadError
from web_scrape import model
from web_scrape.decode import decode
from web_scrape.extract import to_text
from web_scrape.page import read_page

EVERY = 10
FLOORS = {"wcxb": 0.9, "aeb": 0.95}
SNIPPET_FLOOR = 0.92
MIN_HOSTS = 20
EVERY_WORD = 50


@pytest.fixture(scope="module")
def corpus():
    folder = os.environ.get("VERBENA_CORPUS")
    if not folder:
        pytest.skip("VERBENA_CORPUS names no folder of labelled pages")
    return Path(folder)


def test_the_main_content_of_labelled_pages_is_found(corpus):
    scores = measure(to_text, corpus, EVERY)

    for name, floor in FLOORS.items():
        assert scores[name].mean_f1() >= floor, name
    assert scores["trafilatura"].snippet_f1() >= SNIPPET_FLOOR
    assert sum(score.failed for score in scores.values()) == 0


def test_no_ordinary_page_is_taken_for_a_wall(corpus):
    refused = []
    for _, page, body in labelled(corpus, EVERY):
        try:
            read_page(body, url=page.get("url") or "https://h.example/", content_type="text/html")
        except (EmptyPage, NeedsRendering):
            continue  # some labelled pages are shells that a browser had filled
        except ReadError as error:
            refused.append((page["id"], error.code))

    assert refused == []


def test_the_product_knows_no_site(corpus):
    folder = Path(web_scrape.__file__).parent
    files = [*folder.glob("*.py"), folder / "model.json"]
    source = "".join(path.read_text(encoding="utf-8") for path in files)
    hosts = {urlsplit(page.get("url") or "").hostname for _, page, _ in labelled(corpus)} - {None}

    assert [host for host in hosts if host.removeprefix("www.") in source] == []


def test_the_model_knows_no_word_that_few_sites_use(corpus):
    vocabulary = model.shipped().vocabulary
    words = sorted({*vocabulary.near, *vocabulary.far, *vocabulary.text})[::EVERY_WORD]
    missing = dict.fromkeys(words, MIN_HOSTS)
    for _, body in one_page_a_site(corpus):
        text = entities.unescape(decode(body).text).lower()
        for word in [word for word in missing if word in text]:
            missing[word] -= 1
            if not missing[word]:
                del missing[word]

    assert missing == {}


def one_page_a_site(corpus):
    hosts = {}
    for _, page, body in labelled(corpus):
        hosts.setdefault(urlsplit(page.get("url") or "").hostname, body)
    return hosts.items()


def test_mutated_pages_end_in_a_page_or_a_typed_refusal(corpus):
    for url, body in mutated(corpus, runs=50, every=4 * EVERY):
        with contextlib.suppress(ReadError):
            read_page(body, url=url, content_type="text/html")
