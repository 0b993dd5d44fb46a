"""Parse XML as it is met: what its writers got wrong is mended, what it defines is ignored."""

import html as entities
import re
from typing import Final

import turbohtml
from turbohtml import Document, HTMLParseError

_FIRST_ELEMENT = re.compile(r"<[A-Za-z_]")
_SUBSET_END = re.compile(r"\]\s*>")
_CDATA = r"(?P<cdata><!\[CDATA\[.*?(?:\]\]>|\Z))"
_FOREIGN_AMPERSAND = r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});)(?P<name>\w{1,31};)?"
_REPAIRABLE = re.compile(f"{_CDATA}|{_FOREIGN_AMPERSAND}", re.DOTALL)
# Controls, as they are or by number, which XML allows in no form.
_FORBIDDEN = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|&#(?:x0*(?:[0-8bcefBCEF]|1[0-9a-fA-F])|0*(?:[0-8]|1[124-9]|2\d|3[01]));"
)
_PREFIX = re.compile(r"[<\s]([A-Za-z][\w.-]*):[A-Za-z][\w.-]*(?=[\s/>=])")
_DECLARED = re.compile(r"xmlns:([A-Za-z][\w.-]*)\s*=")
_ROOT = re.compile(r"<([A-Za-z_][\w.:-]*)")
# What a feed or a sitemap consists of: one that is cut short is read to the last that is whole.
_ITEM_END = re.compile(r"</(?:\w+:)?(?:item|entry|url|sitemap)\s*>", re.IGNORECASE)
_CHANNEL: Final = re.compile(r"<(/?)channel[\s>]")

_KNOWN: Final = {
    "atom": "http://www.w3.org/2005/Atom",
    "content": "http://purl.org/rss/1.0/modules/content/",
    "dc": "http://purl.org/dc/elements/1.1/",
}


def parse(xml: str) -> tuple[Document, bool] | None:
    """The tree, and whether its end was left out because it is broken; None for what is no XML.

    The DTD is dropped: a document defines no entity, so none can grow or reach out.
    """
    bare = _without_dtd(xml).lstrip()
    if document := _parsed(bare):
        return document, False
    mended = _with_prefixes(_FORBIDDEN.sub("", _REPAIRABLE.sub(_repaired, bare)))
    if document := _parsed(mended):
        return document, False
    document = _parsed(_whole_items(mended))
    return (document, True) if document else None


def _parsed(xml: str) -> Document | None:
    try:
        return turbohtml.parse_xml(xml)
    except HTMLParseError:
        return None


def _without_dtd(xml: str) -> str:
    first = _FIRST_ELEMENT.search(xml)
    start = xml.find("<!DOCTYPE", 0, first.start() if first else len(xml))
    if start < 0:
        return xml
    end, subset = xml.find(">", start), xml.find("[", start)
    if start < subset < end:
        closing = _SUBSET_END.search(xml, subset)
        end = closing.end() - 1 if closing else -1
    return xml[:start] + xml[end + 1 :] if end > 0 else xml


def _repaired(match: re.Match[str]) -> str:
    """HTML's entities and bare ampersands, which feeds use and XML forbids."""
    if match["cdata"]:
        return match["cdata"]
    return entities.escape(entities.unescape(match[0]), quote=False)


def _with_prefixes(xml: str) -> str:
    """Prefixes that are used and nowhere declared, declared at the root."""
    root = _ROOT.search(xml)
    missing = set(_PREFIX.findall(xml)) - set(_DECLARED.findall(xml)) - {"xml", "xmlns"}
    if root is None or not missing:
        return xml
    declared = "".join(f' xmlns:{prefix}="{_KNOWN.get(prefix, prefix)}"' for prefix in sorted(missing))
    return xml[: root.end()] + declared + xml[root.end() :]


def _whole_items(xml: str) -> str:
    """Everything up to the last whole item, and what was open around it closed."""
    root = _ROOT.search(xml)
    ends = [item.end() for item in _ITEM_END.finditer(xml)]
    if root is None or not ends:
        return ""
    kept = xml[: ends[-1]]
    inner = "</channel>" if _CHANNEL.findall(kept)[-1:] == [""] else ""
    return f"{kept}{inner}</{root[1]}>"
