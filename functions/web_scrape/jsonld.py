"""The JSON-LD of a page: its nodes, the one that describes the page, and what kind of page that makes it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from turbohtml import Document

from verbena.catalog.web import PageKind

Node = Mapping[str, Any]

_MAX_NODES: Final = 500
_INWARD: Final = ("@graph", "mainEntity", "mainEntityOfPage")
# What may describe a page, the richest first.
_WORKS: Final = (
    "Article", "Posting", "Report", "WebPage", "Product", "Recipe", "Video", "QAPage", "Event", "Course", "Book",
)  # fmt: skip
# By the end of a type's name; the first that fits any node tells.
_KINDS: Final[tuple[tuple[str, PageKind], ...]] = (
    ("TechArticle", "documentation"), ("APIReference", "documentation"), ("DiscussionForumPosting", "forum"),
    ("QAPage", "forum"), ("JobPosting", "job"), ("Recipe", "recipe"), ("Article", "article"),
    ("BlogPosting", "article"), ("Report", "article"), ("Review", "article"), ("ProductGroup", "product"),
    ("Product", "product"), ("Event", "event"), ("VideoObject", "video"), ("ProfilePage", "profile"),
    ("CollectionPage", "listing"), ("SearchResultsPage", "listing"), ("ItemList", "listing"),
    ("OfferCatalog", "listing"),
)  # fmt: skip
_OPEN_GRAPH: Final[Mapping[str, PageKind]] = {
    "article": "article", "product": "product", "og:product": "product", "product.item": "product",
    "product.group": "listing", "profile": "profile", "video": "video", "video.other": "video",
    "video.movie": "video", "video.episode": "video",
}  # fmt: skip


def nodes(document: Document) -> list[Node]:
    """Every node of every block, those inside after those around them; broken blocks say nothing."""
    return list(_nodes(document))


def work(found: Sequence[Node]) -> Node:
    """The node that describes the page itself; an empty one if none does."""
    return next((node for kind in _WORKS for node in found if _is(node, kind)), {})


def kind(found: Sequence[Node], og_type: str | None) -> PageKind | None:
    """What the page declares itself to be; None for what is only a page or a site."""
    declared = next((name for end, name in _KINDS for node in found if _is(node, end)), None)
    return declared or _OPEN_GRAPH.get((og_type or "").lower())


def resolved(value: Any, found: Sequence[Node]) -> Any:
    """What a value refers to by its `@id`, when it says nothing else."""
    if isinstance(value, dict) and "name" not in value and "@id" in value:
        return next((node for node in found if node.get("@id") == value["@id"] and "name" in node), value)
    return value


def _is(node: Node, kind: str) -> bool:
    types = node.get("@type")
    return any(isinstance(t, str) and t.endswith(kind) for t in (types if isinstance(types, list) else [types]))


def _nodes(document: Document) -> Iterator[Node]:
    pending = [value for s in document.select('script[type="application/ld+json" i]') if (value := _parsed(s.text))]
    for _ in range(_MAX_NODES):
        if not pending:
            return
        value = pending.pop(0)
        if isinstance(value, list):
            pending[:0] = value[:_MAX_NODES]
        elif isinstance(value, dict):
            pending += [value[key] for key in _INWARD if key in value]
            yield value


def _parsed(block: str) -> object:
    try:
        return json.loads(block.strip().removeprefix("<!--").removesuffix("-->").rstrip("; \n\r\t"), strict=False)
    except (ValueError, RecursionError):
        return None
