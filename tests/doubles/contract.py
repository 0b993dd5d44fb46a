"""What a search vendor promises: endpoints with their parameters, its hits, its way of saying no, its failures."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any

from tests.doubles.faults import FAULTS
from tests.doubles.surprises import SURPRISES, Fields


@dataclass(frozen=True)
class Request:
    """One request as it came; header names are looked up in any case, `asked` are its parameters by type."""

    method: str
    path: str
    query: dict[str, list[str]]
    headers: Any
    body: Any = None
    raw: bytes = b""
    asked: dict = field(default_factory=dict)

    def bearer(self):
        scheme, _, token = self.headers.get("Authorization", "").partition(" ")
        return token if scheme == "Bearer" else None


@dataclass(frozen=True)
class Problem:
    """What is wrong with a request: `where` is path, method, query, header or body; `rule` is JSON Schema's word."""

    where: str
    path: tuple
    rule: str
    message: str
    value: Any = None

    @property
    def name(self):
        return ".".join(str(part) for part in self.path)


@dataclass(frozen=True)
class Reply:
    status: int = 200
    body: Any = None
    content_type: str = "application/json"
    headers: dict = field(default_factory=dict)

    def encoded(self):
        if self.body is None or isinstance(self.body, bytes):
            return self.body or b""
        if isinstance(self.body, str):
            return self.body.encode()
        return json.dumps(self.body, ensure_ascii=False).encode()


@dataclass(frozen=True)
class Script:
    """One way to answer a good request.

    `expected_class` is the contract's: transient, quota, auth, config, vendor_param, bad_request, no_results or
    success. A success that is a surprise says in `expected_urls` which hits can be used, in order (ask for ten).
    """

    expected_class: str
    act: Callable
    expected_urls: tuple[str, ...] | None = None


def saying(expected_class, status, body=None, content_type="application/json", **headers):
    """The script of one fixed answer; a header's name is written with underscores."""
    reply = Reply(status, body, content_type, {name.replace("_", "-"): value for name, value in headers.items()})
    return Script(expected_class, lambda exchange: exchange.send(reply))


def succeeding(change):
    """The script of a success with its body changed."""

    def act(exchange):
        exchange.send(Reply(body=change(exchange.success().body)))

    return Script("success", act)


@dataclass(frozen=True)
class Endpoint:
    """`schema` speaks of the query of a GET and of the body of a POST; `rule` is what a schema cannot say."""

    method: str
    path: str
    schema: dict
    example: dict
    answer: Callable | None = None
    rule: Callable[[dict], Problem | None] = lambda asked: None
    repeatable: tuple[str, ...] = ()

    @property
    def where(self):
        return "query" if self.method == "GET" else "body"

    def takes(self, method, path):
        """Whether it is meant; a path may end in a star."""
        return method == self.method and fnmatchcase(path, self.path)


@dataclass(frozen=True)
class Vendor:
    name: str
    origin: str
    key: dict[str, str]
    endpoints: tuple[Endpoint, ...]
    fields: Fields
    wanted: Callable  # request -> the pages it asks for
    hit: Callable  # page, request -> one hit of the answer
    wrap: Callable  # request, hits -> the body of the answer
    empty: Callable  # request -> the reply that says nothing was found
    refuse: Callable  # problem -> the reply that refuses a request
    authorize: Callable  # request -> the reply that refuses its credential, or None
    own: dict[str, Script]
    headers: dict[str, str] = field(default_factory=dict)  # with a right credential
    answer_scripts: dict[str, Script] = field(default_factory=dict)
    html_class: str = "transient"
    content_type: str = "application/json"

    @cached_property
    def scripts(self):
        """Every script of the search endpoint by name."""
        html = {"html_200": Script(self.html_class, FAULTS["html_200"].act)}
        nothing = Script("no_results", lambda exchange: exchange.send(self.empty(exchange.received)))
        return {
            "success": Script("success", lambda exchange: exchange.send(exchange.success())),
            "empty": nothing,
            **FAULTS,
            **html,
            **{name: script for name, script in SURPRISES.items() if script.fits(self.fields)},
            **self.own,
        }

    def success(self, request, endpoint):
        if endpoint.answer:
            return endpoint.answer(request)
        pages = self.wanted(request)
        if not pages:
            return self.empty(request)
        return self.reply(request, [self.hit(page, request) for page in pages])

    def reply(self, request, hits):
        return Reply(body=self.wrap(request, hits), content_type=self.content_type)
