"""One page, in the request: POST /v2/scrape."""

from verbena.catalog import WEB_SCRAPE
from verbena.doors.access import authenticate, require
from verbena.doors.calling import PAGE_AT_ONCE_S, run_at_once
from verbena.doors.firecrawl.documents import document, is_page
from verbena.doors.firecrawl.options import SCRAPE, clamped
from verbena.doors.foreign import keyed, taken
from verbena.doors.http import HttpAnswer, HttpRequest, json_answer
from verbena.envelope import Answered, ErrorInfo, JsonRow
from verbena.runtime import Runtime


def scrape(request: HttpRequest, here: Runtime) -> HttpAnswer:
    """The document; raises the error of its row when there is no page at all."""
    key = authenticate(request, here)
    require(key, WEB_SCRAPE.namespace)
    wanted, warnings = taken(SCRAPE, request.json_object())
    body = {"urls": [with_scheme(wanted.url)], **wanted.scrape_options(PAGE_AT_ONCE_S)}
    row = _row(run_at_once(WEB_SCRAPE, keyed(body, request), key, request, here))
    if not is_page(row):
        raise ErrorInfo(**row["error"]).raised()
    told = [*warnings, *clamped(wanted, PAGE_AT_ONCE_S)]
    return json_answer({"success": True, "data": document(row, wanted.formats, told)})


def _row(answered: Answered) -> JsonRow:
    if answered.results:
        return answered.results[0]
    raise (answered.error or ErrorInfo(code="internal_error", message="there is no row", retryable=True)).raised()


def with_scheme(url: str) -> str:
    """A URL as a person types it: without a scheme it is http."""
    return url.strip() if "://" in url else f"http://{url.strip()}"
