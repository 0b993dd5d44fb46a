"""A PDF as a document, read in a process of its own: a hostile file can cost it its time, memory or life, not ours."""

import html
import json
import re
import subprocess
import sys
from datetime import datetime
from typing import Any, Final

from verbena import settings
from verbena.converters import Document
from verbena.errors import BadResponse, BodyTooLarge, EmptyPage, ReadError, UnsupportedType

MEDIA_TYPE: Final = "application/pdf"
# Nothing of the environment counts for the child: it gets the path of modules as an argument.
_CHILD: Final = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); from verbena.converters.pdfium import main; main()"
)
# How long the child may take beyond its own time, to start and to send what it has.
_GRACE_S: Final = 5.0
_MEGABYTES: Final = settings.PDF_MEMORY_BYTES // 2**20
_DATE = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?|(Z))?")
# What programs write where a title belongs.
_NO_TITLE = re.compile(
    r"(?i)untitled.*|document\d*|slide \d+|.*\.(?:docx?|indd|qxd|pptx?|xlsx?|pdf|tex|dvi|rtf|odt|pages)"
)
_MADE_BY = re.compile(r"Microsoft (?:Word|PowerPoint|Excel) - ")


def to_document(body: bytes) -> Document:
    """The text of a PDF, a paragraph a `<p>` and a rule between pages, with what the file says of itself.

    Reading stops after `settings.PDF_SECONDS`, which makes it truncated. Raises UnsupportedType for a file that
    needs a password, BodyTooLarge for one of too many pages or too slow to read, BadResponse for one that is broken
    or beyond the memory of its process and EmptyPage when its pages hold no text.
    """
    told = _told(body)
    if (failure := told.get("failure")) is not None:
        raise _refusal(failure, told)
    pages = ["".join(f"<p>{html.escape(text, quote=False)}</p>" for text in page) for page in told["text"]]
    if not any(pages):
        raise EmptyPage("The PDF has no text: its pages are images.", pages=told["pages"])
    about = told["about"]
    return Document(
        body="<hr>".join(filter(None, pages)),
        pages=told["pages"],
        title=_title(about["Title"]) or told["heading"],
        author=about["Author"] or None,
        created=_moment(about["CreationDate"]),
        modified=_moment(about["ModDate"]),
        truncated=told["truncated"],
    )


def _told(body: bytes) -> dict[str, Any]:
    limits = (settings.PDF_PAGES, settings.PDF_SECONDS, settings.PDF_MEMORY_BYTES, settings.DECODED_CAP_BYTES)
    command = [sys.executable, "-I", "-S", "-c", _CHILD, json.dumps(sys.path), *map(str, limits)]
    try:
        child = subprocess.run(  # noqa: S603 - this very interpreter and our own module
            command, input=body, capture_output=True, timeout=settings.PDF_SECONDS + _GRACE_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise BodyTooLarge(f"The PDF takes more than {settings.PDF_SECONDS:.0f} s to read.") from None
    if child.returncode:
        raise BadResponse(f"The PDF cannot be read: it is broken, or needs more than {_MEGABYTES} MiB.")
    told: dict[str, Any] = json.loads(child.stdout)
    return told


def _refusal(failure: str, told: dict[str, Any]) -> ReadError:
    if failure == "password":
        return UnsupportedType("The PDF opens with a password only.", media_type=MEDIA_TYPE)
    if failure == "pages":
        return BodyTooLarge(f"The PDF has {told['pages']} pages; at most {settings.PDF_PAGES} are read.")
    return BadResponse("The PDF cannot be opened: it is broken or cut short.")


def _title(stated: str) -> str | None:
    title = _MADE_BY.sub("", " ".join(stated.split()))
    return None if not title or _NO_TITLE.fullmatch(title) else title


def _moment(stated: str) -> str | None:
    """`D:20240301083000+01'00'` as ISO 8601, its zone kept; a date alone when no time is given."""
    match = _DATE.match(stated)
    if match is None:
        return None
    year, month, day, *time = match.groups()[:6]
    date = f"{year}-{month or '01'}-{day or '01'}"
    zone = "+00:00" if match[10] else f"{match[7]}{match[8]}:{match[9] or '00'}" if match[7] else ""
    text = date if time[0] is None else f"{date}T{':'.join(part or '00' for part in time)}{zone}"
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return None
    return text
