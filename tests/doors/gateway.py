"""A gateway of the tests' own: requests become HTTP API events for the handlers that the template names."""

import base64
import importlib
import json
import uuid
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import parse_qsl

from local.deploy import route_keys
from local.package import FUNCTION, read_template, resources
from local.stack import ROOT

HOST = "verbena.test"


@dataclass(frozen=True)
class Context:
    """What a handler reads of its Lambda context."""

    aws_request_id: str = field(default_factory=lambda: str(uuid.uuid4()))


@dataclass(frozen=True)
class Reply:
    """An answer as the caller sees it."""

    status: int
    headers: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        """The error's code, None without an error."""
        return self.json.get("error", {}).get("code")


def handlers():
    """The handler of each route key, as the template says."""
    template = read_template(ROOT / "template.yaml")
    functions = resources(template, FUNCTION)
    return {key: _loaded(functions[name]["Handler"]) for name, keys in route_keys(template).items() for key in keys}


def _loaded(path):
    module, _, attribute = path.rpartition(".")
    return getattr(importlib.import_module(module), attribute)


def matched(keys, method, path):
    """The route key API Gateway would choose, and its path parameters."""
    for key in keys:
        verb, _, pattern = key.partition(" ")
        if verb == "ANY" and path.startswith(prefix := pattern.partition("{proxy+}")[0]):
            return key, {"proxy": path.removeprefix(prefix)}
        pairs = list(zip(pattern.split("/"), path.split("/"), strict=False))
        if verb != method or len(pattern.split("/")) != len(path.split("/")):
            continue
        if all(want == got or (want.startswith("{") and got) for want, got in pairs):
            return key, {want.strip("{}"): got for want, got in pairs if want.startswith("{")}
    return "$default", {}


@dataclass
class Gateway:
    """Sends requests to the handlers in this process."""

    routes: dict = field(default_factory=handlers)

    def send(self, method, target, body=None, headers=None, *, is_base64=False):
        path, _, query = target.partition("?")
        key, parameters = matched(self.routes, method, path)
        event = {
            "version": "2.0",
            "routeKey": key,
            "rawPath": path,
            "rawQueryString": query,
            "headers": {"host": HOST, "x-forwarded-proto": "https"}
            | {k.lower(): v for k, v in (headers or {}).items()},
            "requestContext": {"http": {"method": method, "path": path}, "requestId": uuid.uuid4().hex},
            "isBase64Encoded": is_base64,
        }
        optional = {"queryStringParameters": dict(parse_qsl(query)), "pathParameters": parameters, "body": body}
        answer = self.routes[key](event | {name: value for name, value in optional.items() if value}, Context())
        encoded = answer["body"]
        text = base64.b64decode(encoded) if answer["isBase64Encoded"] else encoded.encode()
        return Reply(HTTPStatus(answer["statusCode"]).value, answer["headers"], text)


@dataclass
class Caller:
    """Somebody with a key."""

    gateway: Gateway
    key: str
    owner: str

    def send(self, method, target, body=None, **headers):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.gateway.send(method, target, body, {"Authorization": f"Bearer {self.key}"} | named)

    def get(self, target, **headers):
        return self.send("GET", target, **headers)

    def delete(self, target):
        return self.send("DELETE", target)

    def post(self, target, value=None, **headers):
        return self.send("POST", target, None if value is None else json.dumps(value), **headers)

    def scrape(self, urls, **options):
        return self.post("/v1/web/scrape", {"urls": urls, **options})

    @property
    def wallet(self):
        """Available and held micro-USD, as the API says."""
        told = self.get("/v1/wallet").json
        return told["available_micros"], told["held_micros"]
