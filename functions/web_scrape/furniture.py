"""Class names and ids of what stands around the content of a page, and of the talk below it."""

import re
from typing import Final

_AROUND: Final = (
    "nav", "navbar", "navigation", "menus?", "submenu", "side-?bar", "footer", "breadcrumbs?", "share", "sharing",
    "social", "related", "recommend(?:ed|ations?)?", "promo", r"advert\w*", "ads?", "banner", "cookies?",
    "consent", "gdpr", "newsletter", "subscribe", "subscription", "pop-?up", "modal", "overlay", "pagination",
    "pager", "toolbar", "skip", "login", "signin", "signup", "print", "masthead", "top-?bar", "offcanvas",
    "megamenu", "drawer", "toc", "table-of-contents", "byline", "author-bio", "tags?", "tagcloud", r"sponsor\w*",
    "trending", "popular", "more-stories", "read-?more", "sitemap", "site-header", "header-?nav",
    "global-?header", "page-?header", "copyright", "legal", "search-?form", "searchbox", "dropdown", "rail",
    "sticky", "sr-only", "visually-hidden", "screen-reader-text", "no-?print", "alert", "notice", "toast",
    "survey", "feedback", "follow", "related-?posts?", r"recirc\w*", "upsell", "cart", "minicart", "wishlist",
    "(?:post|entry|article)-(?:footer|meta|author|tags)", r"author-?box\w*", "about-author", "view-?more",
    "plugins", "relatedlinks", "read-?also", "see-?also", "metadata", "credits?", "timestamp",
    r"lang(?:uage)?-?(?:switch|select)\w*",
)  # fmt: skip
_TALK: Final = ("comments?", "respond", "replies", "discussion")


def _whole_words(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?:^|[\s_-])(?:{'|'.join(words)})(?:$|[\s_-])", re.IGNORECASE)


AROUND: Final = _whole_words(_AROUND)
TALK: Final = _whole_words(_TALK)
