"""What the elements of HTML are to a reader: blocks, or no text at all."""

from typing import Final

BLOCKS: Final = frozenset({
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "dir",
    "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6",
    "header", "hgroup", "hr", "html", "legend", "li", "listing", "main", "menu", "nav", "ol", "optgroup",
    "option", "p", "plaintext", "pre", "search", "section", "summary", "table", "tbody", "td", "tfoot", "th",
    "thead", "tr", "ul", "xmp",
})  # fmt: skip
HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
LISTS: Final = frozenset({"ul", "ol", "menu", "dir"})
# Never text of the page: code, styles, things only a browser can show, and the controls of forms.
UNREAD: Final = frozenset({
    "script", "style", "template", "head", "title", "meta", "link", "base", "svg", "canvas", "iframe", "object",
    "embed", "applet", "audio", "video", "map", "area", "button", "input", "select", "textarea", "datalist",
    "progress", "meter", "frame", "frameset", "noframes", "noembed", "rp", "dialog",
})  # fmt: skip
