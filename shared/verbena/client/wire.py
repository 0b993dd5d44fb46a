"""What a conversation with a server is made of: what is asked, how it fails, and when to look again. No I/O."""

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from verbena.errors import InProgress

if TYPE_CHECKING:  # who only asks for help need not load it
    import httpx

Json = dict[str, Any]
T = TypeVar("T")

# What passes with time: too many requests, and gateways without their server (RFC 9110, RFC 6585).
PASSING = frozenset({429, 502, 503, 504})
# Short jobs end between two looks; long ones need not be asked more often than a person looks.
FIRST_LOOK_S = 0.1
LONGEST_LOOK_S = 1.0
SLOWING = 1.3
# How many rows one read asks for; answers are bounded in bytes by the server.
PAGE = 100


@dataclass(frozen=True, slots=True)
class Ask:
    """One request, and how many seconds its answer may take."""

    method: str
    path: str
    query: Mapping[str, Any] | None = None
    body: Json | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    within_s: float = 0.0


Talk = Generator[Ask | float, "httpx.Response", T]
"""A conversation: it yields what to ask, and gets the response or the httpx error; or a pause in seconds."""


class Refused(Exception):
    """The answer is an error and nothing else. `answer` is the envelope, `error` what is in it."""

    def __init__(
        self, answer: Json, *, status: int = 0, request_id: str | None = None, retry_after_s: float | None = None
    ) -> None:
        self.answer = answer
        self.error: Json = answer["error"]
        self.request_id = request_id
        self.status = status
        self.retry_after_s = retry_after_s
        super().__init__(self.error.get("message"))

    @property
    def is_passing(self) -> bool:
        """Whether the very same request may succeed in a moment; one with a key that still runs will."""
        if self.error.get("code") == InProgress.code:
            return True
        return self.status in PASSING and bool(self.error.get("retryable"))


class Unreachable(ConnectionError):
    """Nobody answers there, or somebody else. `is_passing` says whether another try may help."""

    def __init__(
        self, message: str, *, is_passing: bool = True, is_nobody: bool = False, retry_after_s: float | None = None
    ) -> None:
        self.is_passing = is_passing
        self.is_nobody = is_nobody
        self.retry_after_s = retry_after_s
        super().__init__(message)


class Overdue(TimeoutError):
    """The call took longer than its `timeout`. `job_id` is the job that goes on, if it is one."""

    def __init__(self, message: str, job_id: str | None = None) -> None:
        self.job_id = job_id
        super().__init__(message)


def looks() -> Iterator[float]:
    """The pauses between looks at a job, in seconds."""
    pause = FIRST_LOOK_S
    while True:
        yield pause
        pause = min(pause * SLOWING, LONGEST_LOOK_S)


def checked_url(value: str) -> str:
    """A base URL without its last slash; ValueError for what is none."""
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        message = f"{value!r} is no base URL, such as http://127.0.0.1:3000"
        raise ValueError(message)
    return value.rstrip("/")


def checked_key(value: str | None) -> str | None:
    """A key as a header can carry it, None for an empty one; the ValueError never repeats it."""
    key = (value or "").strip()
    if not key.isascii() or not key.isprintable():
        message = "a key has only printable ASCII characters"
        raise ValueError(message)
    return key or None
