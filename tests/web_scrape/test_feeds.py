# ruff: noqa: E501 - a page and what it becomes are compared on a line each
import json

import pytest

from verbena.errors import EmptyPage
from web_scrape.page import read_page

RSS = """<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>Port news</title><link>https://port.example/</link><description>From the quay</description>
<item><title>Berth 4 &amp;amp; 5 closed</title><link>https://port.example/n/41</link><pubDate>Mon, 06 Sep 2021 00:01:00 GMT</pubDate>
<description><![CDATA[<p>crane &amp; hoist <a href="/work">work</a></p><script>x()</script>]]></description></item>
<item><title>Dues</title><guid isPermaLink="true">https://port.example/n/42</guid><description>&lt;b&gt;five&lt;/b&gt; crowns</description></item>
</channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Tides</title><entry><title type="html">High &lt;i&gt;water&lt;/i&gt;</title>
<link rel="alternate" href="https://port.example/t/1"/><updated>2024-05-01T00:00:00Z</updated>
<content type="html">&lt;ul&gt;&lt;li&gt;06:12&lt;/li&gt;&lt;/ul&gt;</content></entry></feed>"""
SITEMAP = """<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://port.example/a_b</loc><lastmod>2024-01-02</lastmod></url><url><loc>https://port.example/c</loc></url></urlset>"""


def read(text, content_type="application/xml", **options):
    return read_page(text.encode(), url="https://port.example/feed", content_type=content_type, **options)


def test_a_feed_is_its_items_with_titles_links_dates_and_markup_resolved():
    page = read(RSS, "application/rss+xml")

    assert page.title == "Port news"
    assert page.content == (
        "# Port news\n\nFrom the quay\n\n"
        "## [Berth 4 & 5 closed](https://port.example/n/41)\n\nMon, 06 Sep 2021 00:01:00 GMT\n\n"
        "crane & hoist [work](https://port.example/work)\n\n"
        "## [Dues](https://port.example/n/42)\n\n**five** crowns"
    )


def test_an_atom_feed_is_read_in_text_html_clothes_too():
    content = read(ATOM, "text/html").content

    assert "## [High water](https://port.example/t/1)" in content
    assert "- 06:12" in content


def test_a_sitemap_is_its_addresses():
    page = read(SITEMAP, include=frozenset({"links"}))

    assert page.content == "- <https://port.example/a_b> (2024-01-02)\n- <https://port.example/c>"
    assert [link["url"] for link in page.links] == ["https://port.example/a_b", "https://port.example/c"]


def test_a_feed_with_html_entities_and_bare_ampersands_is_repaired():
    broken = RSS.replace("From the quay", "Fish&nbsp;&copy; & chips")

    assert "Fish © & chips" in read(broken, "text/xml").content


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>',
        '<!DOCTYPE rss [<!ENTITY c SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE rss SYSTEM "http://127.0.0.1:1/evil.dtd">',
    ],
)
def test_a_document_cannot_define_or_fetch_entities(doctype):
    hostile = RSS.replace("<rss ", f"{doctype}<rss ").replace("From the quay", "x &c; y")

    content = read(hostile, "application/rss+xml").content

    assert "haha" not in content
    assert "root:" not in content
    assert "Berth 4" in content


def test_other_xml_is_given_as_it_is():
    assert (
        read("<?xml version='1.0'?><a><b_c>1</b_c></a>").content
        == "```xml\n<?xml version='1.0'?><a><b_c>1</b_c></a>\n```"
    )
    assert read("<?xml version='1.0'?><a><b></a>", format="text").content == "<?xml version='1.0'?><a><b></a>"


@pytest.mark.parametrize("content_type", ["application/json", "application/vnd.api+json; charset=utf-8", "text/html"])
def test_json_still_parses_after_its_fence_is_taken_off(content_type):
    value = {"id": "pier_9", "tags": ["a_b", "[c]"], "note": "line\n*not bold*\n```"}

    content = read(json.dumps(value, indent=1), content_type).content
    fence, _, rest = content.partition("\n")

    assert fence.endswith("json")
    assert json.loads(rest.rpartition("\n")[0]) == value
    assert json.loads(read(json.dumps(value), content_type, format="text").content) == value


@pytest.mark.parametrize("content_type", ["text/plain", "text/markdown", "text/csv"])
def test_plain_text_is_given_as_it_came(content_type):
    text = "# a_b\n\n<i>,*x*\n  two"

    assert read(text, content_type).content == text
    assert read(text, content_type, format="html").content == "<pre># a_b\n\n&lt;i&gt;,*x*\n  two</pre>"


def test_a_body_of_white_space_is_empty():
    with pytest.raises(EmptyPage):
        read(" \n", "application/json")


# ---- as feeds and sitemaps are met


def item(inner, root='<rss version="2.0">', end="</rss>"):
    return f"{root}<channel><title>Port</title>{inner}</channel>{end}"


@pytest.mark.parametrize(
    "feed",
    [
        # RSS 1.0
        (
            '<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"'
            ' xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="/"><title>Port</title></channel><item rdf:about="/1">'
            "<title>Dues</title><link>https://port.example/1</link><dc:date>2024-01-02</dc:date><dc:creator>Ann</dc:creator></item></rdf:RDF>"
        ),
        # a prefix on every name, and a base of its own
        (
            '<a:feed xmlns:a="http://www.w3.org/2005/Atom" xml:base="https://port.example/"><a:title>Port</a:title><a:entry>'
            '<a:title>Dues</a:title><a:link href="1"/><a:updated>2024-01-02</a:updated><a:author><a:name>Ann</a:name></a:author></a:entry></a:feed>'
        ),
        # prefixes that nothing declares
        item(
            "<item><title>Dues</title><link>https://port.example/1</link><dc:date>2024-01-02</dc:date><dc:creator>Ann</dc:creator>"
            '<media:content url="/x.jpg"/></item>'
        ),
        # white space and a mark before the declaration, a comment and a style after it
        "\ufeff\n <?xml version='1.0'?><!-- made --><?xml-stylesheet href='a.xsl'?>"
        + item(
            "<item><title>Dues</title><link>https://port.example/1</link><pubDate>2024-01-02</pubDate>"
            '<dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/">Ann</dc:creator></item>'
        ),
        # CDATA everywhere, an address from the channel's on, and controls that XML forbids
        item(
            "<link>https://port.example/</link><item><title><![CDATA[Dues]]>\x0b</title><link><![CDATA[1]]></link>"
            "<pubDate>2024-01-02&#x1F;</pubDate><author>Ann</author></item>"
        ),
        # cut short in its second item
        item(
            "<item><title>Dues</title><link>https://port.example/1</link><pubDate>2024-01-02</pubDate><author>Ann</author></item>"
        ).replace("</channel></rss>", "<item><title>Berth <b"),
    ],
)
@pytest.mark.parametrize("content_type", ["application/xml", "text/html", "text/plain", None])
def test_a_feed_is_its_items_however_it_is_written_and_declared(feed, content_type):
    content = read_page(feed.encode(), url="https://port.example/feed", content_type=content_type).content

    assert content == "# Port\n\n## [Dues](https://port.example/1)\n\n2024-01-02, Ann"


def test_a_feed_that_is_cut_short_says_so():
    whole = item("<item><title>Dues</title></item>")

    assert read(whole).truncated is False
    assert read(whole.removesuffix("</channel></rss>")).truncated is True


@pytest.mark.parametrize(
    "feed",
    [
        item("<language>en-GB</language><item><title>Dues</title></item>"),
        ATOM.replace("<feed ", '<feed xml:lang="en-GB" '),
    ],
)
def test_a_feed_says_its_language(feed):
    assert read(feed).language == "en-GB"


@pytest.mark.parametrize(
    "sitemap",
    [
        '<sm:urlset xmlns:sm="http://www.sitemaps.org/schemas/sitemap/0.9"><sm:url><sm:loc>https://port.example/a?b=1&amp;c=2</sm:loc></sm:url></sm:urlset>',
        "<urlset><url><loc>https://port.example/a?b=1&c=2</loc></url></urlset>",
        "<urlset><url><loc>\n<![CDATA[https://port.example/a?b=1&c=2]]>\n</loc></url></urlset>",
        (
            '<urlset xmlns:image="i" xmlns:xhtml="x"><url><loc>https://port.example/a?b=1&amp;c=2</loc>'
            '<xhtml:link rel="alternate" href="https://port.example/de"/><image:image><image:loc>https://port.example/i.jpg</image:loc></image:image></url></urlset>'
        ),
        "<sitemapindex><sitemap><loc>https://port.example/a?b=1&amp;c=2</loc></sitemap><sitemap><loc>https://po",
    ],
)
def test_a_sitemap_is_its_addresses_however_it_is_written(sitemap):
    assert read(sitemap).content == "- <https://port.example/a?b=1&c=2>"


def test_a_large_sitemap_is_read_whole():
    entries = "".join(f"<url><loc>https://port.example/{number}</loc></url>" for number in range(50_000))

    content = read(f"<urlset>{entries}</urlset>").content

    assert content.count("\n") == 49_999
