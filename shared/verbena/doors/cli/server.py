"""One Verbena over HTTP, as commands see it: the client's way to a server, in JSON."""

from verbena.client.lines import Line
from verbena.client.wire import Json


class Server:
    """What a key can do there. Failures are the client's: Refused and Unreachable."""

    keeps_jobs = True

    def __init__(self, base_url: str, key: str | None = None) -> None:
        self._line = Line(base_url, key)
        self._peer = self._line.peer

    def close(self) -> None:
        self._line.close()

    def call(self, verb: str, body: Json) -> Json:
        return self._line.converse(self._peer.call(verb, body))

    def job(self, job_id: str) -> Json:
        return self._line.converse(self._peer.job(job_id))

    def page(self, job_id: str, cursor: int, limit: int) -> Json:
        return self._line.converse(self._peer.page(job_id, cursor, limit))

    def row(self, job_id: str, position: int) -> Json:
        return self._line.converse(self._peer.row(job_id, position))

    def cancel(self, job_id: str) -> Json:
        return self._line.converse(self._peer.cancel(job_id))

    def resume(self, job_id: str) -> Json:
        return self._line.converse(self._peer.resume(job_id))

    def read(self, path: str, query: Json | None = None) -> Json:
        return self._line.converse(self._peer.read(path, query))
