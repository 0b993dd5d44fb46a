"""Floors of quality on labelled pages; they only rise."""

import contextlib
import os
import random
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
GRAFTS = (
    b"",
    b"<table>",
    b"</div>",
    b"<p",
    b'"',
    b"<!--",
    b"<math>",
    b"<template>",
    b"\0",
    b"<td rowspan=9999 colspan=99>",
    b"//[",
)


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


def test_mutated_pages_end_in_a_page_or_a_typed_refusal(corpus):
    noise = random.Random(11)  # noqa: S311 - reproducible noise, not a secret
    for _, page, body in labelled(corpus, 4 * EVERY):
        mutated = bytearray(body)
        for _ in range(noise.randint(1, 40)):
            at, other = noise.randrange(len(mutated)), noise.randrange(len(body))
            piece = noise.choice([body[other : other + 400], *GRAFTS])
            mutated[at : at + noise.choice([0, 0, 1, 300])] = piece
        with contextlib.suppress(ReadError):
            read_page(bytes(mutated), url=page.get("url") or "https://h.example/", content_type="text/html")
