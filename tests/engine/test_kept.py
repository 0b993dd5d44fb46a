"""Answers that a vendor wants kept: the same question is answered by what was said, while it is good."""

import asyncio
import time
from dataclasses import replace

from tests.engine.vendors import Market, market, ok, says, vendor
from verbena.engine import Engine
from verbena.kept import Kept
from verbena.memory import PageMemory
from verbena.providers import VendorRequest
from verbena.rates import Rate
from verbena.selection import Ask

KEEP_S = 60.0


def keeping(asked, setup):
    return replace(VendorRequest.get(f"{setup.base_url}/find", {"q": asked}), keep_s=KEEP_S)


def plain(asked, setup):
    return VendorRequest.get(f"{setup.base_url}/find", {"q": asked})


def served(world: Market, pages, *queries):
    """What each query finds, one after the other."""

    async def serve():
        engine = Engine(world.book, world.send, kept=Kept(pages))
        found = []
        for query in queries:
            ask = Ask("test.find", world.drivers, query, 10, time.monotonic() + 10, 6.0)
            found.append((await engine.serve(ask)).found.items)
        return found

    return asyncio.run(serve())


def test_a_question_asked_again_is_not_sent():
    world = market([vendor("one", request=keeping)], one=[ok("a"), ok("b")])

    assert served(world, PageMemory(3600), "pier", "pier") == [["a"], ["a"]]
    assert len(world.sent) == 1


def test_another_question_is_sent():
    world = market([vendor("one", request=keeping)], one=[ok("a"), ok("b")])

    assert served(world, PageMemory(3600), "pier", "quay") == [["a"], ["b"]]


def test_what_no_driver_wants_kept_is_not():
    pages = PageMemory(3600)
    world = market([vendor("one", request=plain)], one=[ok("a"), ok("b")])

    assert served(world, pages, "pier", "pier") == [["a"], ["b"]]
    assert pages.pages == {}


def test_an_answer_that_is_too_old_is_asked_for_again():
    pages = PageMemory(3600)
    world = market([vendor("one", request=keeping)], one=[ok("a"), ok("b")])
    served(world, pages, "pier")

    pages.pages.update({key: replace(page, fetched_at=page.fetched_at - 61) for key, page in pages.pages.items()})

    assert served(world, pages, "pier") == [["b"]]


def test_a_failure_is_not_kept():
    pages = PageMemory(3600)
    world = market([vendor("one", request=keeping), vendor("two")], one=[says(503), ok("a")], two=ok("x"))

    assert served(world, pages, "pier", "pier") == [["x"], ["a"]]


def test_an_answer_that_is_there_takes_no_turn_of_the_rate():
    world = market([vendor("one", request=keeping, rate=Rate(1, 3600))], one=ok("a"))

    assert served(world, PageMemory(3600), "pier", "pier", "pier") == [["a"]] * 3


def test_a_store_that_lost_the_body_is_no_answer():
    pages = PageMemory(3600)
    world = market([vendor("one", request=keeping)], one=[ok("a"), ok("b")])
    served(world, pages, "pier")
    pages.bodies.clear()

    assert served(world, pages, "pier") == [["b"]]
