"""The routes of Firecrawl's API that are served, and the answer to all others of it."""

from typing import Final

from verbena.doors.firecrawl import batch
from verbena.doors.firecrawl.documents import refuse
from verbena.doors.firecrawl.scrape import scrape
from verbena.doors.firecrawl.search import search
from verbena.doors.http import HttpAnswer, HttpRequest
from verbena.doors.rest import Door, Serve
from verbena.errors import NotFound
from verbena.runtime import Runtime

SERVED: Final[dict[str, Serve]] = {
    "POST /v2/scrape": scrape,
    "POST /v2/search": search,
    f"POST {batch.PATH}": batch.start,
    f"GET {batch.PATH}/{{id}}": batch.status,
    f"GET {batch.PATH}/{{id}}/errors": batch.errors,
    f"DELETE {batch.PATH}/{{id}}": batch.cancel,
}


def _nowhere(request: HttpRequest, _here: Runtime) -> HttpAnswer:
    raise NotFound(f"{request.method} {request.path} is not served here; served: {', '.join(SERVED)}")


DOOR: Final = Door({**SERVED, "ANY /v2/{proxy+}": _nowhere}, refuse)
