"""What a call and its answers look like."""

import json
import shlex
from typing import Any

from verbena.capability import Capability
from verbena.doors.docs.markup import Markup, element
from verbena.doors.schema import example_of

COMPLETED: dict[str, Any] = {
    "status": "completed",
    "results": [
        {
            "url": "https://example.com",
            "index": 0,
            "status": "success",
            "content": "# Example Domain\n\nThis domain is for use in ...",
        },
        {
            "url": "https://example.com/missing",
            "index": 1,
            "status": "failed",
            "error": {"code": "page_not_found", "message": "Check the URL; ...", "retryable": False},
        },
    ],
    "usage": {"units": {"web_crawl": 1}, "charge_micros": 1000, "vendor_cost_micros": None, "unknown_costs": 0},
}
PENDING: dict[str, Any] = {
    "status": "pending",
    "job_id": "4c1f0b9e7a5d4d0f9a3c2b1e8d7f6a50",
    "progress": {"done": 1240, "total": 2000},
    "usage": {"units": {"web_crawl": 1190}, "charge_micros": 1190000, "vendor_cost_micros": None, "unknown_costs": 0},
}


def curl(verb: Capability, base_url: str) -> Markup:
    """A call to paste."""
    body = json.dumps(example_of(verb), ensure_ascii=False)
    lines = (
        f"curl -s {shlex.quote(base_url + verb.path)}",
        "-H 'Authorization: Bearer YOUR_KEY' -H 'Content-Type: application/json'",
        f"-d {shlex.quote(body)}",
    )
    return block(" \\\n  ".join(lines))


def shown(answer: dict[str, Any]) -> Markup:
    return block(json.dumps(answer, indent=2, ensure_ascii=False))


def block(text: str) -> Markup:
    return element("pre", element("code", text))
