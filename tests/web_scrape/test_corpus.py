"""Floors of quality on labelled pages; they only rise."""

import os
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import web_scrape
from bench.extract import labelled, measure
from verbena.errors import EmptyPage, NeedsRendering, ReadError
from web_scrape.extract import to_text
from web_scrape.page import read_page

EVERY = 10
FLOORS = {"wcxb": 0.85, "aeb": 0.93}
SNIPPET_FLOOR = 0.87


@pytest.fixture(scope="module")
def corpus():
    folder = os.environ.get("VERBENA_CORPUS")
    if not folder:
        pytest.skip("VERBENA_CORPUS names no folder of labelled pages")
    return Path(folder)


def test_the_main_content_of_labelled_pages_is_found(corpus):
    scores = measure(to_text, corpus, EVERY)

    for name, floor in FLOORS.items():
        assert sum(scores[name].f1) / len(scores[name].f1) >= floor, name
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
    source = "".join(path.read_text(encoding="utf-8") for path in Path(web_scrape.__file__).parent.glob("*.py"))
    hosts = {urlsplit(page.get("url") or "").hostname for _, page, _ in labelled(corpus)} - {None}

    assert [host for host in hosts if host.removeprefix("www.") in source] == []
