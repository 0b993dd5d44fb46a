"""What a page says of itself, and what is made of it when it says nonsense."""

import json

import pytest

from web_scrape import dates, metadata, tree

URL = "https://www.port-news.example/notices/41"


def read(head="", body="", url=URL, root="<html>"):
    document, _ = tree.parse(f"<!doctype html>{root}<head>{head}</head><body>{body}</body></html>")
    return metadata.read(document, url)


def ld(*blocks):
    return "".join(f'<script type="application/ld+json">{json.dumps(block)}</script>' for block in blocks)


def meta(**said):
    return "".join(f'<meta property="{name.replace("_", ":", 1)}" content="{value}">' for name, value in said.items())


# ---- titles


@pytest.mark.parametrize(
    ("stated", "heading", "site", "title"),
    [
        ("Pier closed | Port News", "", "Port News", "Pier closed"),
        ("Port News: Pier closed", "", "Port News", "Pier closed"),
        ("Pier closed - Notices - Port News", "Pier closed", "", "Pier closed"),
        ("Pier closed – Port-News.example", "", "", "Pier closed"),
        ("Pier closed · The Port News Blog", "", "", "Pier closed"),
        ("Notices » Pier closed", "Pier closed", "", "Pier closed"),
        ("Piers - north, south: which is open", "", "Port News", "Piers - north, south: which is open"),
        ("Pier closed", "Notices", "", "Pier closed"),
        ("Port News", "Welcome aboard", "Port News", "Port News"),
        ("Home", "Welcome aboard", "", "Welcome aboard"),
        ("Untitled Document", "", "", "Untitled Document"),
        ("Fees | Port News", "Port News", "Port News", "Fees"),
        ("", "Pier closed \ue0c1", "", "Pier closed"),
        ("Grüße aus İzmir | Port News", "", "Port News", "Grüße aus İzmir"),
    ],
)
def test_a_title_is_that_of_the_page_without_the_name_of_its_site(stated, heading, site, title):
    head = f"<title>{stated}</title>" + (meta(og_site_name=site) if site else "")

    assert read(head, f"<h1>{heading}</h1>").title == title


def test_what_is_shared_outranks_the_title_of_the_window():
    assert read("<title>Window | Port News</title>" + meta(og_title="Pier closed")).title == "Pier closed"
    assert (
        read("<title>Window</title>" + ld({"@type": "NewsArticle", "headline": "Pier closed"})).title == "Pier closed"
    )


# ---- authors


@pytest.mark.parametrize(
    ("stated", "author"),
    [
        ("Ann Bell", "Ann Bell"),
        ({"@type": "Person", "name": "Ann Bell"}, "Ann Bell"),
        ([{"name": "Ann Bell"}, "Bo Carr", {"name": "Ann Bell"}], "Ann Bell, Bo Carr"),
        ({"@id": "#ann"}, "Ann Bell"),
        ({"name": ["Ann Bell", "A. B."]}, "Ann Bell"),
        ("By Ann Bell", "Ann Bell"),
        ("Por: Ann Bell | Port News", "Ann Bell"),
        ("Ann Bell, 20.11.2019 10:43", "Ann Bell"),
        ("https://port.example/people/ann", None),
        ("ann@port.example", None),
        ("admin", None),
        ("word " * 30, None),
        ({"name": None}, None),
        ({"@id": "#nobody"}, None),
        (17, None),
    ],
)
def test_an_author_is_a_name_or_nobody(stated, author):
    graph = {"@graph": [{"@type": "Article", "author": stated}, {"@type": "Person", "@id": "#ann", "name": "Ann Bell"}]}

    assert read(ld(graph)).author == author


@pytest.mark.parametrize(
    "body",
    [
        '<p>By <a rel="author" href="/ann">Ann Bell</a></p>',
        '<div itemprop="author" itemscope><span itemprop="name">Ann Bell</span> 3,926 points</div>',
        '<p class="byline">Posted by Ann Bell | 3 May</p>',
        '<aside><p class="byline">Carl Dow</p></aside><p class="post-author">Ann Bell</p>',
        '<div class="comments"><a rel="author">Carl Dow</a></div><span class="author vcard">Ann Bell</span>',
    ],
)
def test_an_author_that_only_readers_are_told_is_found_too(body):
    assert read(body=body).author == "Ann Bell"


def test_an_address_where_a_name_belongs_gives_way_to_the_next_statement():
    said = meta(article_author="https://social.example/ann") + '<meta name="parsely-author" content="Ann Bell">'

    assert read(said).author == "Ann Bell"


# ---- dates


@pytest.mark.parametrize(
    ("stated", "iso"),
    [
        ("2024-03-01T08:30:00+01:00", "2024-03-01T08:30:00+01:00"),
        ("2024-03-01T08:30:00.000Z", "2024-03-01T08:30:00+00:00"),
        ("2024-3-1", "2024-03-01"),
        ("20240301", "2024-03-01"),
        ("20240301T083000Z", "2024-03-01T08:30:00+00:00"),
        ("2024/03/01", "2024-03-01"),
        ("Fri, 01 Mar 2024 08:30:00 +0200", "2024-03-01T08:30:00+02:00"),
        ("March 1st, 2024", "2024-03-01"),
        ("Published on 1 March 2024 at noon", "2024-03-01"),
        ("1. März 2024", "2024-03-01"),
        ("1er mars 2024", "2024-03-01"),
        ("1 de marzo de 2024", "2024-03-01"),
        ("01.03.2024, 08:30", "2024-03-01"),
        ("25/03/2024", "2024-03-25"),
        ("03/25/2024", "2024-03-25"),
        ("03/04/2024", None),
        ("03/03/2024", "2024-03-03"),
        ("1970-01-01T01:00:00+01:00", None),
        ("1969-12-31T19:00:00-05:00", None),
        ("1900-01-01", None),
        ("0001-01-01T00:00:00", None),
        ("9999-12-31", None),
        ("2024-13-45", None),
        ("31 February 2024", None),
        ("1709281800", None),
        ("May the fourth", None),
        ("{{ date }}", None),
        ("", None),
        (None, None),
    ],
)
def test_a_date_is_iso_with_its_zone_or_none(stated, iso):
    assert dates.iso(stated) == iso


def test_a_date_that_is_none_gives_way_to_the_next_statement():
    head = ld({"@type": "Article", "datePublished": "1970-01-01"}) + meta(article_published_time="2024-03-01")

    assert read(head).published_at == "2024-03-01"


def test_dates_beside_the_heading_are_found_and_told_apart():
    body = (
        "<nav><time datetime='2020-01-01'>then</time></nav><article><header><h1>Pier</h1>"
        "<p>Updated <time datetime='2024-03-02T08:00:00Z'>yesterday</time></p>"
        "<p>Posted on <time>1 March 2024</time></p></header>"
        "<p>Text</p></article><article><time datetime='2021-01-01'></time></article>"
    )

    about = read(body=body)

    assert (about.published_at, about.modified_at) == ("2024-03-01", "2024-03-02T08:00:00+00:00")


def test_a_date_far_from_the_heading_is_of_something_else():
    body = (
        "<div><div><div><div><h1>Pier</h1></div></div></div></div><ul><li><time datetime='2020-01-01'></time></li></ul>"
    )

    assert read(body=body).published_at is None


@pytest.mark.parametrize(
    ("path", "iso"), [("/2024/03/01/pier", "2024-03-01"), ("/2024/13/01/pier", None), ("/42/2024", None)]
)
def test_the_address_of_a_page_is_the_last_to_tell_its_day(path, iso):
    assert read(url=f"https://port.example{path}").published_at == iso
    assert (
        read(meta(article_published_time="2023-02-02"), url=f"https://port.example{path}").published_at == "2023-02-02"
    )


# ---- the rest


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (ld({"@type": "BlogPosting"}), "article"),
        (ld({"@type": ["Thing", "Product"]}), "product"),
        (ld({"@type": "WebPage"}, [{"@type": "https://schema.org/Recipe"}]), "recipe"),
        (ld({"@graph": [{"@type": "WebPage", "mainEntity": {"@type": "DiscussionForumPosting"}}]}), "forum"),
        (ld({"@type": "CollectionPage"}), "listing"),
        (ld({"@type": "TechArticle"}), "documentation"),
        (meta(og_type="Article"), "article"),
        (meta(og_type="og:product"), "product"),
        (meta(og_type="website"), None),
        (ld({"@type": "Organization"}, {"@type": None}, {"@type": {}}), None),
        ("", None),
    ],
)
def test_a_page_is_of_the_kind_it_declares_or_of_none(head, kind):
    assert read(head).kind == kind


@pytest.mark.parametrize(
    ("root", "head", "language"),
    [
        ('<html lang="pt-BR">', "", "pt-BR"),
        ('<html lang="en_US">', "", "en-US"),
        ('<html lang="">', '<meta http-equiv="content-language" content="de">', "de"),
        ('<html lang="{{lang}}">', meta(og_locale="fr_FR"), "fr-FR"),
        ("<html>", ld({"@type": "Article", "inLanguage": "es"}), "es"),
        ("<html>", ld({"@type": "Article", "inLanguage": {"name": "es"}}), None),
    ],
)
def test_a_language_is_a_tag_that_is_one(root, head, language):
    assert read(head, root=root).language == language


@pytest.mark.parametrize(
    ("head", "image"),
    [
        (meta(og_image="/pier.jpg"), "https://www.port-news.example/pier.jpg"),
        (
            '<base href="https://cdn.example/x/"><meta name="twitter:image" content="pier.jpg">',
            "https://cdn.example/x/pier.jpg",
        ),
        (ld({"@type": "Article", "image": {"url": "https://cdn.example/a.jpg"}}), "https://cdn.example/a.jpg"),
        (ld({"@type": "Article", "image": ["/a.jpg", "/b.jpg"]}), "https://www.port-news.example/a.jpg"),
        (meta(og_image="data:image/png;base64,AAAA"), None),
        (meta(og_image="javascript:alert(1)"), None),
    ],
)
def test_a_picture_has_an_address_on_the_web(head, image):
    assert read(head).image == image


def test_the_site_is_named_by_itself_or_by_its_publisher():
    publisher = {"@graph": [{"@type": "Article", "publisher": {"@id": "#p"}}, {"@id": "#p", "name": "Port News"}]}

    assert read(meta(og_site_name="The Port")).site_name == "The Port"
    assert read(ld(publisher)).site_name == "Port News"
    assert read(ld({"@type": "WebSite", "name": "Port News"})).site_name == "Port News"


@pytest.mark.parametrize("block", ["<!-- {} -->", "{};", '[[["x"]]]', '{"@graph": null}', '{"@graph": {"@graph": 1}}'])
def test_json_ld_of_any_shape_does_no_harm(block):
    about = read(f'<script type="application/ld+json">{block}</script><title>Pier</title>')

    assert about.title == "Pier"


def test_json_ld_inside_a_comment_is_read():
    head = '<script type="application/ld+json"><!--\n{"@type": "Article", "author": "Ann Bell"}\n--></script>'

    assert read(head).author == "Ann Bell"
