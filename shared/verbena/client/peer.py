"""The routes of a server as conversations: JSON in, JSON or a failure out, each repeated through short failures."""

import random
import time
import uuid
from dataclasses import dataclass, replace
from typing import Any

import httpx

from verbena.client.wire import PASSING, Ask, Json, Overdue, Refused, Talk, Unreachable

# The gateway ends a request after 30 s, with an answer.
ANSWER_WITHIN_S = 40.0
# Tries follow each other at these distances; a server that slows us down says its own.
AGAIN_AFTER_S = (0.5, 1.0, 2.0, 5.0)
# Where nobody has ever answered, the address is more likely wrong than the server starting.
STRANGER_AFTER_S = (0.2, 0.8)
# Who is told to wait longer learns so at once.
LONGEST_WAIT_S = 60.0


@dataclass(slots=True)
class Peer:
    """The server at a base URL, and whether it has ever answered."""

    base_url: str
    has_answered: bool = False

    def call(self, verb: str, body: Json, deadline: float | None = None) -> Talk[Json]:
        """Call a verb under a key, the caller's or a new one: a lost answer can be asked for again, billed once."""
        key = body.get("idempotency_key") or uuid.uuid4().hex
        path = "/v1/" + verb.replace(".", "/")
        return self.json(Ask("POST", path, body={**body, "idempotency_key": key}), deadline)

    def job(self, job_id: str, deadline: float | None = None) -> Talk[Json]:
        return self.read(f"/v1/jobs/{job_id}", deadline=deadline)

    def page(self, job_id: str, cursor: int, limit: int, deadline: float | None = None) -> Talk[Json]:
        return self.read(f"/v1/jobs/{job_id}", {"cursor": cursor, "limit": limit}, deadline)

    def cancel(self, job_id: str) -> Talk[Json]:
        return self.json(Ask("DELETE", f"/v1/jobs/{job_id}"))

    def resume(self, job_id: str) -> Talk[Json]:
        """The new job; the server's own key for it makes a repeat the same job."""
        return self.json(Ask("POST", f"/v1/jobs/{job_id}/resume"))

    def read(self, path: str, query: Json | None = None, deadline: float | None = None) -> Talk[Json]:
        return self.json(Ask("GET", path, query), deadline)

    def row(self, job_id: str, position: int, deadline: float | None = None) -> Talk[Json]:
        """One row whole, in as many ranges as the server cuts it into."""
        ask = Ask("GET", f"/v1/jobs/{job_id}/rows/{position}")
        reply = yield from self._patiently(ask, deadline)
        body = reply.content
        while len(body) < _whole_length(reply):
            rest = replace(ask, headers={"Range": f"bytes={len(body)}-"})
            reply = yield from self._patiently(rest, deadline)
            body += reply.content
        return self._object(httpx.Response(200, content=body))

    def json(self, ask: Ask, deadline: float | None = None) -> Talk[Json]:
        """The object that answers; Refused, Unreachable or Overdue. `deadline` is a reading of `time.monotonic`."""
        return self._object((yield from self._patiently(ask, deadline)))

    def _patiently(self, ask: Ask, deadline: float | None) -> Talk[httpx.Response]:
        tried = 0
        while True:
            try:
                return (yield from self._once(ask, deadline))
            except (Refused, Unreachable) as failure:
                wait = self._wait(failure, tried)
                if wait is None or (deadline is not None and time.monotonic() + wait > deadline):
                    raise
            tried += 1
            yield wait

    def _wait(self, failure: Refused | Unreachable, tried: int) -> float | None:
        """How long to wait before the next try; None when there should be none."""
        is_stranger = isinstance(failure, Unreachable) and failure.is_nobody and not self.has_answered
        waits = STRANGER_AFTER_S if is_stranger else AGAIN_AFTER_S
        if not failure.is_passing or tried >= len(waits):
            return None
        if failure.retry_after_s is not None:
            return failure.retry_after_s if failure.retry_after_s <= LONGEST_WAIT_S else None
        return waits[tried] * random.uniform(0.7, 1.0)  # noqa: S311 - many clients must not return together

    def _once(self, ask: Ask, deadline: float | None) -> Talk[httpx.Response]:
        left = ANSWER_WITHIN_S if deadline is None else min(deadline - time.monotonic(), ANSWER_WITHIN_S)
        if left <= 0:
            raise Overdue(f"{self.base_url} did not answer within the call's timeout")
        try:
            reply = yield replace(ask, within_s=left)
        except httpx.RequestError as error:
            raise self._silence(error, deadline) from error
        refusal = None if reply.is_success else self._refusal(reply)
        self.has_answered = True
        if refusal is not None:
            raise refusal
        return reply

    def _silence(self, error: httpx.RequestError, deadline: float | None) -> Unreachable | Overdue:
        if deadline is not None and time.monotonic() >= deadline:
            return Overdue(f"{self.base_url} did not answer within the call's timeout")
        is_nobody = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
        if isinstance(error, httpx.TimeoutException):
            return Unreachable(f"{self.base_url} did not answer in time", is_nobody=is_nobody)
        return Unreachable(f"no server answers at {self.base_url} ({error})", is_nobody=is_nobody)

    def _refusal(self, reply: httpx.Response) -> Refused | None:
        """None for a call that failed midway: it has an error's status, but rows to show."""
        envelope = self._object(reply)
        if "results" in envelope:
            return None
        if not isinstance(envelope.get("error"), dict):
            raise self._stranger(reply)
        wait = (envelope["error"].get("details") or {}).get("retry_after_s", _retry_after(reply))
        return Refused(
            envelope,
            status=reply.status_code,
            request_id=reply.headers.get("X-Request-Id"),
            retry_after_s=wait,
        )

    def _object(self, reply: httpx.Response) -> Json:
        try:
            value: Any = reply.json()
        except ValueError:
            raise self._stranger(reply) from None
        if not isinstance(value, dict):
            raise self._stranger(reply)
        return value

    def _stranger(self, reply: httpx.Response) -> Unreachable:
        kind = reply.headers.get("Content-Type", "no content type")
        return Unreachable(
            f"what answers at {self.base_url} is no Verbena (HTTP {reply.status_code}, {kind})",
            is_passing=reply.status_code in PASSING,
            retry_after_s=_retry_after(reply),
        )


def _retry_after(reply: httpx.Response) -> float | None:
    """The seconds a server asks for; a date, which RFC 9110 also allows, is left to our own patience."""
    value = reply.headers.get("Retry-After", "")
    return float(value) if value.isascii() and value.isdigit() else None


def _whole_length(reply: httpx.Response) -> int:
    """How long the thing is of which a reply is a range: `bytes 0-9/42` is 42."""
    return int(reply.headers.get("Content-Range", f"/{len(reply.content)}").rpartition("/")[2])
