"""Made-up vendors for the engine: what each answers is scripted, who was asked is remembered."""

import asyncio
import time
from dataclasses import dataclass, field
from datetime import date

from verbena.engine import Engine
from verbena.errors import ProviderLoadFailed, VerbenaError
from verbena.memory.providers import ProvidersMemory
from verbena.providers import Driver, Found, ProviderRow, VendorRequest, VendorResponse
from verbena.selection import Ask

VERB = "test.find"


def request(asked, setup):
    return VendorRequest.get(f"{setup.base_url}/find", {"q": asked, "n": setup.limit, "key": setup.secrets.get("KEY")})


def read(response, _setup):
    return Found(response.json["items"], cost_micros=response.json.get("cost"))


def vendor(name, **more):
    return Driver(
        **{"name": name, "verb": VERB, "title": name.title(), "home": f"https://{name}.test", "request": request}
        | {"read": read}
        | more
    )


def ok(*items, **more):
    return 200, {"items": list(items), **more}


def says(status, code=None, message=None, **headers):
    return status, {"error": {"code": code, "message": message}}, headers


HANG = "hang"


@dataclass
class Market:
    """Vendors and the answers they give, in turn; the last one again and again."""

    answers: dict[str, list]
    drivers: list[Driver]
    rows: list[ProviderRow]
    environment: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    sent: list[VendorRequest] = field(default_factory=list)
    own: list[bool] = field(default_factory=list)
    is_down: bool = False

    def __post_init__(self):
        self.book = ProvidersMemory(self._rows, environment=self.environment.get)

    def _rows(self):
        if self.is_down:
            raise ProviderLoadFailed
        return self.rows

    async def send(self, request, *, is_own):
        name = request.url.split("//")[1].split(".")[0]
        self.asked.append(name)
        self.sent.append(request)
        self.own.append(is_own)
        script = self.answers[name]
        answer = script.pop(0) if len(script) > 1 else script[0]
        if answer == HANG:
            await asyncio.Event().wait()
        if isinstance(answer, VerbenaError):
            raise answer
        status, body, *headers = answer
        content = body if isinstance(body, bytes) else VendorRequest.post("", body).body
        return VendorResponse(status, headers[0] if headers else {}, content)

    async def serving(self, **wanted):
        ask = {"verb": VERB, "drivers": self.drivers, "input": "pier", "limit": 10, "attempt_s": 6.0}
        seconds = wanted.pop("seconds", 12.0)
        return await Engine(self.book, self.send).serve(Ask(**ask | {"deadline": time.monotonic() + seconds} | wanted))

    def serve(self, **wanted):
        return asyncio.run(self.serving(**wanted))


def market(drivers=None, rows=None, environment=None, **answers):
    """Vendors by name, each with what it answers; rows in the order given, unless said otherwise."""
    drivers = drivers or [vendor(name) for name in answers]
    rows = rows if rows is not None else [ProviderRow(name, name, priority=10 * n) for n, name in enumerate(answers, 1)]
    scripts = {name: answer if isinstance(answer, list) else [answer] for name, answer in answers.items()}
    return Market(scripts, drivers, rows, environment or {})


def tried(served):
    return [(attempt.provider, attempt.ok, attempt.kind) for attempt in served.attempts]


TODAY = date(2026, 12, 1)
