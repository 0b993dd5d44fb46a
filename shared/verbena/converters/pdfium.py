"""The process that opens one PDF: bytes on standard input, its text as JSON on standard output.

Nothing else imports PDFium, which is C++, keeps global state and is not safe for threads.
"""

import ctypes
import json
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pypdfium2
from pypdfium2 import raw

from verbena.converters.lines import Line, heading, paragraphs, without_furniture

ABOUT = ("Title", "Author", "CreationDate", "ModDate")


def main() -> None:
    """Arguments: the path of modules, the most pages, seconds, bytes of memory and characters."""
    pages, seconds, memory, characters = sys.argv[2:]
    limit = int(memory)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    told = read(sys.stdin.buffer.read(), pages=int(pages), seconds=float(seconds), characters=int(characters))
    json.dump(told, sys.stdout)


def read(body: bytes, *, pages: int, seconds: float, characters: int) -> dict[str, Any]:
    """What a file holds: `text` is a list of paragraphs a page; or `failure`: password, pages or broken."""
    deadline = time.monotonic() + seconds
    try:
        file = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        locked = error.err_code in {raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY}
        return {"failure": "password" if locked else "broken"}
    if len(file) > pages:
        return {"failure": "pages", "pages": len(file)}
    read_pages: list[list[Line]] = []
    unread = len(file)
    for number in range(len(file)):
        if time.monotonic() > deadline or characters < 0:
            break
        with suppress(pypdfium2.PdfiumError):  # a page that is broken or too large for the memory there is
            read_pages.append(list(_lines(file[number])))
            characters -= sum(len(line.text) for line in read_pages[-1])
            unread -= 1
    if unread == len(file):
        return {"failure": "broken"}
    return {
        "pages": len(file),
        "about": {key: file.get_metadata_value(key) for key in ABOUT},
        "heading": heading(read_pages[0]),
        "text": [paragraphs(lines) for lines in without_furniture(read_pages)],
        "truncated": unread > 0,
    }


def _lines(page: pypdfium2.PdfPage) -> Iterator[Line]:
    """The lines of a page, in the order the file draws them."""
    text_page = page.get_textpage()
    box = raw.FS_RECTF()
    start = 0
    for text in text_page.get_text_range().split("\r\n"):
        first, last = start + len(text) - len(text.lstrip()), start + len(text.rstrip()) - 1
        start += len(text) + 2
        if last >= first and raw.FPDFText_GetLooseCharBox(text_page, first, ctypes.byref(box)):
            left, top, height = box.left, box.top, box.top - box.bottom
            raw.FPDFText_GetLooseCharBox(text_page, last, ctypes.byref(box))
            height = max(1.0, height, box.top - box.bottom)
            yield Line(text.strip(), left, box.right, top, box.bottom, height)
    text_page.close()
    page.close()
