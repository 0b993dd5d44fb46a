"""The open field cases of maps, played by raw sockets to the executor and its drivers."""

import asyncio
import json
from contextlib import AsyncExitStack
from pathlib import Path

from tests.maps.asking import CIRCLE, ids, walking
from tests.net.serving import LOOPBACK, serving
from verbena import apis, net
from verbena.catalog.maps import MAPS_PLACE, MAPS_REVIEWS, MAPS_SEARCH
from verbena.engine import Engine
from verbena.memory.providers import ProvidersMemory
from verbena.providers import ProviderRow

CASES = {
    case["id"]: case
    for case in map(json.loads, (Path(__file__).parent / "cases/cases-open.jsonl").read_text("utf-8").splitlines())
    if case["area"] == "maps" or case["id"] == "ddb-float"
}


def answer(status, body):
    data = json.dumps(body).encode()
    head = f"HTTP/1.1 {status} Told\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
    return head.encode() + data


def google(reply):
    """A page of the case in the words of the Places API."""
    if reply.get("status") == "INVALID_REQUEST":
        return answer(400, {"error": {"code": 400, "status": "INVALID_ARGUMENT", "message": "page token"}})
    page = {"places": [{"id": name} for name in reply["results"]]}
    return answer(200, page | ({"nextPageToken": reply["next"]} if reply["next"] else {}))


def serpapi(reply):
    pages = {"next": "https://serpapi.example/first", "next_page_token": reply["next"]}
    return answer(200, {"reviews": [{"review_id": name} for name in reply["results"]], "serpapi_pagination": pages})


def played(driver, script, verb, arguments):
    async def play():
        async with AsyncExitStack() as stack:
            served = await stack.enter_async_context(serving(*script))
            client = await stack.enter_async_context(net.Client(LOOPBACK))

            async def send(request, *, is_own):
                return await apis.sent(client, request)

            rows = [ProviderRow(driver, driver, config=json.dumps({"base_url": served.url("")}))]
            engine = Engine(ProvidersMemory(lambda: rows, lambda name: "made-up"), send)
            return await walking(engine, verb, verb.input.model_validate(arguments)), len(served.heads)

    return asyncio.run(play())


def replies(case, written):
    return [written(step["reply"]) for step in CASES[case]["steps"] if "reply" in step]


def test_a_token_that_comes_too_early_ends_nothing_and_costs_nothing():
    case = "maps-token-too-early"
    (call,) = (step["args"] for step in CASES[case]["steps"] if "call" in step)

    walked, requests = played("google_places", replies(case, google), MAPS_SEARCH, call | {"location": CIRCLE})

    assert ids(walked) == ["google:p1", "google:p2", "google:p3"]
    assert (walked.units, walked.error, requests) == (3, None, 3)


def test_the_last_page_again_is_not_asked_for():
    case = "maps-last-page-again"
    expected = CASES[case]["expect"]

    walked, requests = played(
        "serpapi", replies(case, serpapi), MAPS_REVIEWS, {"place": "google:ChIJmadeUpPlace00000", "max_reviews": 100}
    )

    assert ids(walked) == ["r1", "r2"]
    assert walked.units == expected["billed_units"]
    assert requests <= expected["max_requests"]


def test_numbers_are_numbers_however_a_store_keeps_them():
    """That they come back so from a job is in tests/maps/test_jobs.py, and from the table in tests/aws."""
    (stub,) = (step["stub"] for step in CASES["ddb-float"]["steps"] if "stub" in step)
    said = {"id": "p", "rating": stub["rating"], "userRatingCount": stub["review_count"]}
    said["location"] = {"latitude": stub["lat"], "longitude": 18.06}

    walked, _ = played("google_places", [answer(200, said)], MAPS_PLACE, {"place_id": "ChIJmadeUpPlace00000"})

    assert '"rating":4.6,"review_count":240' in walked.rows[0].model_dump_json()
    assert '"lat":59.3293235' in walked.rows[0].model_dump_json()


def test_each_case_has_its_test():
    assert set(CASES) == {"maps-token-too-early", "maps-last-page-again", "ddb-float"}
