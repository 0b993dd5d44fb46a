"""One Verbena over HTTP: requests out, JSON or a typed failure back."""

import time
from importlib.metadata import version
from typing import Any

import httpx

from verbena.doors.cli.target import Json, Refused, Unreachable

CONNECT_WITHIN_S = 5.0
# The gateway ends a request after 30 s, with an answer.
ANSWER_WITHIN_S = 40.0
# Reads are tried again at these distances; a server that slows us down says its own.
READ_AGAIN_AFTER_S = (0.5, 1.0, 2.0, 5.0)
FIX = "Start a server with 'make run', name another with --url or VERBENA_URL, or call with --local."


class Server:
    """What a key can do there. Reads are repeated through short failures; what changes something never is."""

    keeps_jobs = True

    def __init__(self, base_url: str, key: str | None = None) -> None:
        headers = {"User-Agent": f"verbena/{version('verbena')}", "Accept": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        self._http = httpx.Client(
            base_url=base_url,
            headers=headers,
            timeout=httpx.Timeout(ANSWER_WITHIN_S, connect=CONNECT_WITHIN_S),
        )
        self._where = base_url
        self._has_answered = False

    def close(self) -> None:
        self._http.close()

    def call(self, verb: str, body: Json) -> Json:
        return self.send("POST", "/v1/" + verb.replace(".", "/"), body)

    def job(self, job_id: str) -> Json:
        return self.read(f"/v1/jobs/{job_id}")

    def page(self, job_id: str, cursor: int, limit: int) -> Json:
        return self.read(f"/v1/jobs/{job_id}", {"cursor": cursor, "limit": limit})

    def row(self, job_id: str, position: int) -> Json:
        """One row whole, in as many ranges as the server cuts it into."""
        path = f"/v1/jobs/{job_id}/rows/{position}"
        reply = self._patiently("GET", path)
        body = reply.content
        while len(body) < _whole_length(reply):
            reply = self._patiently("GET", path, headers={"Range": f"bytes={len(body)}-"})
            body += reply.content
        return self._json(httpx.Response(200, content=body))

    def cancel(self, job_id: str) -> Json:
        return self.send("DELETE", f"/v1/jobs/{job_id}")

    def resume(self, job_id: str) -> Json:
        return self.send("POST", f"/v1/jobs/{job_id}/resume")

    def read(self, path: str, query: Json | None = None) -> Json:
        return self._json(self._patiently("GET", path, params=query))

    def send(self, method: str, path: str, body: Json | None = None) -> Json:
        return self._json(self._exchange(method, path, json=body))

    def _patiently(self, method: str, path: str, **parts: Any) -> httpx.Response:
        """Repeat a read while a repeat may help. A server that has never answered is not waited for."""
        for wait in READ_AGAIN_AFTER_S:
            try:
                return self._exchange(method, path, **parts)
            except Unreachable:
                if not self._has_answered:
                    raise
            except Refused as refused:
                if not refused.error["retryable"]:
                    raise
                wait = float((refused.error.get("details") or {}).get("retry_after_s", wait))  # noqa: PLW2901 - the server knows better
            time.sleep(wait)
        return self._exchange(method, path, **parts)

    def _exchange(self, method: str, path: str, **parts: Any) -> httpx.Response:
        try:
            reply = self._http.request(method, path, **parts)
        except httpx.TimeoutException as error:
            raise Unreachable(f"{self._where} did not answer in time", FIX) from error
        except httpx.TransportError as error:
            raise Unreachable(f"no server answers at {self._where} ({error})", FIX) from error
        refusal = None if reply.is_success else self._refusal(reply)
        self._has_answered = True
        if refusal is not None:
            raise refusal
        return reply

    def _refusal(self, reply: httpx.Response) -> Refused | None:
        """None for a call that failed midway: it has an error's status, but rows to show."""
        envelope = self._json(reply)
        if "results" in envelope:
            return None
        if not isinstance(envelope.get("error"), dict):
            raise self._stranger(reply)
        return Refused(envelope, reply.headers.get("X-Request-Id"))

    def _json(self, reply: httpx.Response) -> Json:
        try:
            value = reply.json()
        except ValueError:
            raise self._stranger(reply) from None
        if not isinstance(value, dict):
            raise self._stranger(reply)
        return value

    def _stranger(self, reply: httpx.Response) -> Unreachable:
        kind = reply.headers.get("Content-Type", "no content type")
        return Unreachable(f"what answers at {self._where} is no Verbena (HTTP {reply.status_code}, {kind})", FIX)


def _whole_length(reply: httpx.Response) -> int:
    """How long the thing is of which a reply is a range: `bytes 0-9/42` is 42."""
    return int(reply.headers.get("Content-Range", f"/{len(reply.content)}").rpartition("/")[2])
