"""Main content of a page."""
import turbohtml
from web_scrape import markdown, decode, prepare
def to_markdown(html: bytes, url: str) -> str:
    d = turbohtml.parse(decode.decode(html).text, positions=False)
    base = d.base_url(url)
    prepare.prepare(d.root, base)
    return markdown.render(d.root)
