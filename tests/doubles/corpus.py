"""The invented web the doubles search: any number of pages on any host that is asked for."""

import datetime as dt
import re
from dataclasses import dataclass

HOSTS = ("housing.example.org", "reviews.example.com", "news.example.net", "library.example")
SIZE = 120
OPERATOR = re.compile(r"(-?)site:([^\s()]+)")


@dataclass(frozen=True)
class Page:
    number: int
    host: str
    title: str
    text: str
    published: dt.datetime | None

    @property
    def url(self):
        return f"https://{self.host}/guides/{self.number}"


def page(query, number, hosts=HOSTS):
    """Every fourth page carries no date."""
    published = dt.datetime(2026, 1, 1, 9, 12, tzinfo=dt.UTC) + dt.timedelta(days=number)
    return Page(
        number,
        hosts[number % len(hosts)],
        title=f"{query}, part {number}",
        text=f"What is known about {query}: chapter {number} measures it one metre from the window.",
        published=None if number % 4 == 3 else published,
    )


def search(query, *, count, start=0, include=(), exclude=()):
    """Up to `count` pages: of the hosts asked for, else of the usual ones, and never of an excluded one."""
    hosts = [host for host in include or HOSTS if not any(within(host, domain) for domain in exclude)]
    if not hosts:
        return []
    return [page(query, number, hosts) for number in range(start, min(start + count, SIZE))]


def within(host, domain):
    return host == domain or host.endswith("." + domain)


def operators(query):
    """The query's words and its `site:` and `-site:` hosts."""
    found = OPERATOR.findall(query)
    words = " ".join(word for word in OPERATOR.sub(" ", query).split() if word not in {"OR", "()", "(", ")"})
    return words, [host for minus, host in found if not minus], [host for minus, host in found if minus]


def search_with_operators(query, *, count, start=0):
    words, include, exclude = operators(query)
    return search(words, count=count, start=start, include=include, exclude=exclude)
