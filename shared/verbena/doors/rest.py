"""Every door over HTTP: routes from the catalog, one broad `except`, one log line a request."""

import difflib
import gc
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aws_lambda_powertools import Logger

from verbena import runtime
from verbena.capability import Capability
from verbena.doors import calling
from verbena.doors.access import authenticate, caller_of, require
from verbena.doors.http import HttpAnswer, HttpRequest, envelope_answer
from verbena.envelope import failed
from verbena.errors import InternalError, MethodNotAllowed, NotFound, VerbenaError
from verbena.runtime import Runtime

if TYPE_CHECKING:  # the models of queries would cost the cold start of every verb 4 ms
    from verbena.doors.operation import Operation

Event = Mapping[str, Any]
Handler = Callable[[Event, Any], dict[str, Any]]
Serve = Callable[[HttpRequest, Runtime], HttpAnswer]
Refuse = Callable[[VerbenaError, HttpRequest], HttpAnswer]

logger = Logger(service="verbena")


def _enveloped(error: VerbenaError, request: HttpRequest) -> HttpAnswer:
    return envelope_answer(failed(error), request.base_url)


@dataclass(frozen=True, slots=True)
class Door:
    """Routes, and the words in which they tell a failure."""

    routes: Mapping[str, Serve]
    refuse: Refuse = _enveloped


def verb_handler(*capabilities: Capability, operations: "Sequence[Operation]" = ()) -> Handler:
    """The Lambda entry that serves some verbs under their paths, and what else is served where they are."""
    verbs = {f"POST {capability.path}": _call(capability) for capability in capabilities}
    return doors_handler(Door(verbs | _served(operations)))


def service_handler(operations: "Sequence[Operation]") -> Handler:
    """The Lambda entry of everything that is no verb, and of every path that is nothing."""
    routes = _served(operations)
    return doors_handler(Door(routes), otherwise=_nowhere(list(routes)))


def _served(operations: "Sequence[Operation]") -> dict[str, Serve]:
    return {operation.route: operation.serve for operation in operations}


def _call(capability: Capability) -> Serve:
    def serve(request: HttpRequest, here: Runtime) -> HttpAnswer:
        key = authenticate(request, here)
        require(key, capability.namespace)
        body = request.json_object()
        if "idempotency-key" in request.headers:
            body["idempotency_key"] = request.headers["idempotency-key"]
        return envelope_answer(calling.run(here, capability, body, caller_of(key, request)), request.base_url)

    return serve


def _nowhere(known: Sequence[str]) -> Serve:
    """What no route matched: a known path with the wrong method, or nothing at all."""

    def serve(request: HttpRequest, here: Runtime) -> HttpAnswer:
        routes = [*known, *(f"POST {capability.path}" for capability in here.verbs.values())]
        allowed = sorted(method for method, path in map(str.split, routes) if _matches(path, request.path))
        if allowed and request.method not in allowed:
            raise MethodNotAllowed(f"{request.path} does not take {request.method}", allowed=allowed)
        near = difflib.get_close_matches(request.path, [route.split(" ")[1] for route in routes], n=1)
        hint = f"did you mean {near[0]}?" if near else "GET /v1/verbs lists the verbs, GET /openapi.json the whole API"
        raise NotFound(f"nothing is at {request.path}; {hint}")

    return serve


def _misrouted(request: HttpRequest, _here: Runtime) -> HttpAnswer:
    """The template sent a function a route that it does not serve."""
    raise NotFound(f"nothing is at {request.path}")


def _matches(pattern: str, path: str) -> bool:
    wanted, given = pattern.split("/"), path.rstrip("/").split("/")
    return len(wanted) == len(given) and all(
        want == got or (want.startswith("{") and got != "") for want, got in zip(wanted, given, strict=True)
    )


def doors_handler(*doors: Door, otherwise: Serve = _misrouted) -> Handler:
    """The Lambda entry of some doors; `otherwise` serves what is none of their routes."""
    # What modules made stays for good: walking it at every collection takes 27 ms of a cold start that reads a page.
    gc.freeze()
    routes = {route: (serve, door.refuse) for door in doors for route, serve in door.routes.items()}

    def handler(event: Event, context: Any) -> dict[str, Any]:
        started = time.perf_counter()
        request = HttpRequest.of(event)
        invocation = getattr(context, "aws_request_id", None)
        logger.append_keys(request_id=request.request_id, invocation=invocation, job_id=None)
        answer = _answer(*routes.get(request.route, (otherwise, _enveloped)), request)
        took = round((time.perf_counter() - started) * 1000, 1)
        logger.info("request", method=request.method, path=request.path, status=answer.status, ms=took)
        return answer.event(request.request_id)

    return handler


def _answer(serve: Serve, refuse: Refuse, request: HttpRequest) -> HttpAnswer:
    try:
        return serve(request, runtime.current())
    except VerbenaError as error:
        return refuse(error, request)
    except Exception:
        logger.exception("request failed")
        return refuse(InternalError(request_id=request.request_id), request)
