"""Answers of vendors that ask their users to keep what they were told: repeated questions get the answer there was."""

import asyncio
import hashlib
import time
import uuid
from dataclasses import dataclass, field

from verbena.pages import KeptPage, NoPages, Pages
from verbena.providers import VendorRequest, VendorResponse


@dataclass(frozen=True, slots=True)
class Kept:
    """Answers by request, for the whole application: only a driver says which, with `VendorRequest.keep_s`."""

    pages: Pages = field(default_factory=NoPages)

    async def find(self, request: VendorRequest) -> VendorResponse | None:
        """The answer to the same request, unless it is older than the request allows."""
        if request.keep_s is None:
            return None
        return await asyncio.to_thread(self._found, request, request.keep_s)

    async def keep(self, request: VendorRequest, response: VendorResponse) -> None:
        """Keep an answer that was understood."""
        if request.keep_s is not None:
            await asyncio.to_thread(self._put, request, response)

    def _found(self, request: VendorRequest, keep_s: float) -> VendorResponse | None:
        now = time.time()
        page = self.pages.find(_key(request), now)
        if page is None or now - page.fetched_at > keep_s:
            return None
        body = self.pages.body(page)
        return None if body is None else VendorResponse(page.status, page.headers, body)

    def _put(self, request: VendorRequest, response: VendorResponse) -> None:
        now = int(time.time())
        headers = {"Content-Type": response.headers.get("Content-Type", "")}
        content = f"pages/{uuid.uuid4().hex}"
        page = KeptPage(request.url, response.status, len(response.body), now, now, content, headers)
        self.pages.put(_key(request), page, response.body)


def _key(request: VendorRequest) -> str:
    asked = "\n".join([request.method, request.url, request.headers.get("Accept-Language", "")])
    return "vendor#" + hashlib.sha256(asked.encode() + (request.body or b"")).hexdigest()
