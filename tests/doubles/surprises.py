"""Hits as vendors really send them: fields missing or null, addresses nobody can visit, markup, doubles."""

from collections.abc import Callable
from dataclasses import dataclass

GOOD = "https://housing.example.org/guides/good"
OTHER = "https://reviews.example.com/guides/other"
MARKED_UP = "Quiet <strong>units</strong> &amp; the neighbour&#x27;s window"
PLAIN = "Quiet units & the neighbour's window"


@dataclass(frozen=True)
class Fields:
    """How one vendor names what a hit has; a name is None where it has no such field."""

    url: str = "url"
    title: str | None = "title"
    snippet: str = "snippet"
    date: str | None = None
    snippet_of: Callable = str

    def hit(self, url, title="A title", snippet="A snippet."):
        hit = {self.url: url, self.snippet: self.snippet_of(snippet)}
        return hit | ({self.title: title} if self.title else {})


@dataclass(frozen=True)
class Surprise:
    """A script that answers with these hits, whatever was asked."""

    hits: Callable
    expected_urls: tuple[str, ...]
    needs_date: bool = False
    expected_class: str = "success"

    def fits(self, fields):
        return fields.date is not None or not self.needs_date

    def act(self, exchange):
        exchange.send(exchange.vendor.reply(exchange.received, self.hits(exchange.vendor.fields)))


def null_fields(fields):
    good = fields.hit(GOOD)
    nulls = dict.fromkeys(good) | ({fields.date: None} if fields.date else {})
    return [good, {**nulls, fields.url: OTHER}, {**good, fields.url: None}, nulls]


def missing_fields(fields):
    good = fields.hit(GOOD)
    return [good, {fields.url: OTHER}, {name: value for name, value in good.items() if name != fields.url}, {}]


def unusable_urls(fields):
    urls = [
        "",
        "javascript:alert(1)",
        "ftp://files.example.org/a",
        "/guides/relative",
        "mailto:a@example.org",
        "http://",
    ]
    return [fields.hit(url) for url in [*urls, GOOD]]


def duplicates(fields):
    twins = ["?utm_source=x&utm_medium=y", "?gclid=1", "#part-two"]
    return [fields.hit(GOOD), *(fields.hit(GOOD + twin) for twin in twins), fields.hit(OTHER)]


def markup(fields):
    return [fields.hit(GOOD, MARKED_UP, MARKED_UP)]


def unreadable_dates(fields):
    return [fields.hit(GOOD) | {fields.date: "some time last spring"}, fields.hit(OTHER) | {fields.date: ""}]


SURPRISES = {
    "null_fields": Surprise(null_fields, (GOOD, OTHER)),
    "missing_fields": Surprise(missing_fields, (GOOD, OTHER)),
    "unusable_urls": Surprise(unusable_urls, (GOOD,)),
    "duplicates": Surprise(duplicates, (GOOD, OTHER)),
    "markup": Surprise(markup, (GOOD,)),
    "unreadable_dates": Surprise(unreadable_dates, (GOOD, OTHER), needs_date=True),
}
