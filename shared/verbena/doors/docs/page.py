"""The frame of the page: its head, its contents, its sections, and what a browser may load for it."""

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from verbena.capability import Capability
from verbena.doors.docs import sections
from verbena.doors.docs.markup import Markup, element, joined, link
from verbena.doors.docs.sections import Terms, anchor
from verbena.doors.operation import Operation

PETALS = "".join(f'<ellipse cy="-6" rx="3.6" ry="5.2" transform="rotate({angle})"/>' for angle in range(0, 360, 72))
LOGO = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-12 -12 24 24" fill="#8b5cf6">'
    f'{PETALS}<circle r="2.2" fill="#fde68a"/></svg>'
)
ICON = "data:image/svg+xml;base64," + base64.b64encode(LOGO.encode()).decode()


class Section(NamedTuple):
    """A part of the page; `within` are those of its parts that the contents name."""

    title: str
    inside: Markup
    within: Sequence[str] = ()


def page(capabilities: Sequence[Capability], operations: Sequence[Operation], terms: Terms) -> str:
    """The whole page; the same for the same catalog and terms."""
    verbs = joined(*(sections.verb(verb, terms) for verb in capabilities))
    service = joined(*map(sections.operation, operations))
    parts = (
        Section("Start", sections.start(capabilities[0], terms.base_url)),
        Section("Verbs", verbs, [verb.name for verb in capabilities]),
        Section("Options", sections.options()),
        Section("Answers", sections.answers()),
        Section("Service", service, [operation.route for operation in operations]),
        Section("Prices", sections.prices(terms.prices)),
        Section("Errors", sections.errors()),
    )
    contents = element("nav", _brand(), element("ul", *map(_entry, parts)))
    body = element("body", contents, element("main", *map(_section, parts)))
    return f"<!doctype html>\n{element('html', _head(), body, lang='en')}\n"


def _section(part: Section) -> Markup:
    return element("section", element("h2", part.title), part.inside, id=anchor(part.title))


def _entry(part: Section) -> Markup:
    within = [element("li", link(f"#{anchor(name)}", name)) for name in part.within]
    return element("li", link(f"#{anchor(part.title)}", part.title), *([element("ul", *within)] if within else []))


def _brand() -> Markup:
    return element("a", Markup(LOGO), "Verbena", href="#start", class_="brand")


def _head() -> Markup:
    return element(
        "head",
        Markup('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
        element("title", "Verbena API"),
        Markup(f'<link rel="icon" href="{ICON}">'),
        element("style", Markup(_style())),
    )


@cache
def _style() -> str:
    return Path(__file__).with_name("style.css").read_text(encoding="utf-8")


@cache
def policy() -> str:
    """The Content-Security-Policy: this page's own style and icon, nothing from anywhere."""
    digest = base64.b64encode(hashlib.sha256(_style().encode()).digest()).decode()
    own = f"style-src 'sha256-{digest}'; img-src data:"
    return f"default-src 'none'; {own}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
