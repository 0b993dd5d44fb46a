"""The real search server alone: what a caller of its JSON can rely on, and what it cannot."""

import httpx
import pytest

from tests.searx.serving import PAGES, missing, running

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())


@pytest.fixture(scope="module")
def searx(tmp_path_factory):
    with running(tmp_path_factory.mktemp("searx")) as base_url, httpx.Client(base_url=base_url, timeout=30) as client:
        yield client


def search(searx, q, **more):
    return searx.get("/search", params={"q": q, "format": "json", **more})


def test_hits_of_every_engine_come_in_one_answer(searx):
    body = search(searx, "otter").json()

    assert body["query"] == "otter"
    assert {hit["engine"] for hit in body["results"]} == {"library", "press"}
    assert {url for _, url, _ in PAGES} < {hit["url"] for hit in body["results"]}
    assert body["unresponsive_engines"] == []


def test_a_hit_is_as_the_predecessor_of_searxng_makes_it(searx):
    hit = search(searx, "!press heron").json()["results"][0]

    assert hit["url"] == "https://press.example.net/heron/5"
    assert hit["score"] == 1.0
    assert {"pretty_url", "parsed_url", "engines", "positions", "category"} <= set(hit)
    assert {"publishedDate", "thumbnail", "img_src"}.isdisjoint(hit)


def test_pages_follow_each_other(searx):
    first, second = (search(searx, "!press heron", pageno=number).json()["results"] for number in (1, 2))

    assert first[0]["url"] != second[0]["url"]
    assert {hit["url"] for hit in first}.isdisjoint(hit["url"] for hit in second)


def test_nothing_found_is_an_empty_list_and_no_engine_that_failed(searx):
    body = search(searx, "!press nothing").json()

    assert (body["results"], body["unresponsive_engines"]) == ([], [])


def test_a_search_whose_only_engine_fails_is_an_empty_answer_that_names_it(searx):
    for _ in range(2):
        reply = search(searx, "!broken otter")

        assert reply.status_code == 200
        assert reply.json()["results"] == []
        assert [engine for engine, _ in reply.json()["unresponsive_engines"]] == ["broken"]


def test_an_engine_that_was_refused_is_not_named_again_so_its_silence_looks_like_nothing_found(searx):
    refused, suspended = (search(searx, "!crowded otter").json() for _ in range(2))

    assert [engine for engine, _ in refused["unresponsive_engines"]] == ["crowded"]
    assert (suspended["results"], suspended["unresponsive_engines"]) == ([], [])


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"q": ""}, "No query"),
        ({"q": "otter", "time_range": "fortnight"}, "fortnight"),
        ({"q": "otter", "pageno": "0"}, "0"),
    ],
)
def test_a_bad_value_is_a_400_in_json(searx, asked, message):
    reply = search(searx, **asked)

    assert reply.status_code == 400
    assert message in reply.json()["error"]


def test_a_format_it_does_not_know_is_a_page(searx):
    reply = searx.get("/search", params={"q": "otter", "format": "yaml"})

    assert reply.status_code == 200
    assert reply.headers["content-type"].startswith("text/html")
