import turbohtml

from web_scrape.blocks import cut


def texts(markup):
    return [block.text for block in blocks_of(markup)[0]]


def blocks_of(markup):
    return cut(turbohtml.parse(f"<body>{markup}").root.find("body"))


def test_a_run_of_text_and_inline_elements_is_one_block():
    assert texts("<p>One <b>two</b>\n <a href=/x>three</a></p>") == ["One two three"]


def test_an_element_that_holds_blocks_ends_the_run_before_it():
    assert texts("before <span>in <p>inner</p> after</span> last") == ["before", "in", "inner", "after", "last"]


def test_comments_and_blanks_and_pictures_are_no_blocks():
    assert texts("<p>shown<!-- not this --></p><p> </p><figure><img src=i></figure>") == ["shown"]


def test_a_break_parts_words_and_not_blocks():
    assert texts("<p>one<br>two</p>") == ["one two"]


def test_linked_characters_links_and_pictures_are_counted():
    (block,), _, _ = blocks_of("<p>ab <a href=/x>cd <b>e</b></a> <i>fg <a href=/y>h</a></i><img src=i></p>")

    assert (block.linked, block.links, block.images) == (5, 2, 1)


def test_a_block_inside_a_link_around_blocks_is_wholly_linked():
    (block,), _, _ = blocks_of("<a href=/x><div>all of it</div></a>")

    assert block.linked == len("all of it")


def test_boxes_know_their_parent_and_the_blocks_inside_them():
    _, boxes, _ = blocks_of("<div><p>a</p><ul><li>b<li>c</ul></div><p>d</p>")

    assert [(box.tag, box.parent, box.start, box.end) for box in boxes] == [
        ("body", -1, 0, 4),
        ("div", 0, 0, 3),
        ("p", 1, 0, 1),
        ("ul", 1, 1, 3),
        ("li", 3, 1, 2),
        ("li", 3, 2, 3),
        ("p", 0, 3, 4),
    ]


def test_boxes_without_text_are_told_apart():
    _, boxes, bare = blocks_of("<p>a</p><figure><div><img src=i></div></figure><p>b</p>")

    assert [box.tag for box in boxes] == ["body", "p", "p"]
    assert [(box.tag, box.start) for box in bare] == [("figure", 1)]
