"""DuckDuckGo's Instant Answers: no key and no search of the web, so the last to be asked; it mostly knows nothing."""

from collections.abc import Iterator
from typing import Any

from verbena.catalog.web import DiscoverInput
from verbena.providers import Driver, Found, Setup, VendorRequest, VendorResponse
from web_discover.answered import records
from web_discover.hits import Raw


def _request(query: DiscoverInput, setup: Setup) -> VendorRequest:
    asked = {"q": query.query.strip(), "format": "json", "no_html": 1, "skip_disambig": 1, "no_redirect": 1}
    return VendorRequest.get(f"{setup.base_url}/", asked | {"t": "verbena"})


def _read(response: VendorResponse, _: Setup) -> Found:
    body = response.json
    articles = [
        Raw(body.get("AbstractURL"), body.get("Heading"), body.get("AbstractText"), extras=_source(body, "Abstract")),
        Raw(body.get("DefinitionURL"), body.get("Heading"), body.get("Definition"), extras=_source(body, "Definition")),
    ]
    topics = [*_topics(body.get("Results")), *_topics(body.get("RelatedTopics"))]
    return Found([hit for hit in (*articles, *topics) if hit.url], cost_micros=0)


def _source(body: dict[str, Any], name: str) -> dict[str, Any]:
    return {"source": body.get(f"{name}Source")}


def _topics(entries: object) -> Iterator[Raw]:
    """A list holds topics, and groups of topics."""
    for entry in records(entries):
        yield from _topics(entry.get("Topics"))
        text = entry.get("Text")
        title = text.partition(" - ")[0] if isinstance(text, str) else None
        yield Raw(entry.get("FirstURL"), title, text)


DRIVER = Driver(
    name="duckduckgo",
    verb="web.discover",
    title="DuckDuckGo Instant Answer",
    home="https://api.duckduckgo.com",
    most=30,
    priority=90,
    request=_request,
    read=_read,
    faults={"202": "transient"},  # how it says that it takes us for a robot
    is_last_resort=True,
)
