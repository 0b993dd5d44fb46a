import pytest

from verbena.converters.lines import Line, heading, paragraphs, without_furniture


def line(text, left=72.0, right=500.0, top=700.0, size=10.0):
    return Line(text, left, right, top, top - size, size)


def test_a_line_that_left_room_for_the_next_word_ends_its_paragraph():
    lines = [
        line("Fees are due", right=300),
        line("on Monday and are to be paid at the", top=688),
        line("office.", top=676),
    ]

    assert paragraphs(lines) == ["Fees are due", "on Monday and are to be paid at the office."]


def test_a_paragraph_goes_on_at_the_top_of_the_next_column_unless_its_sentence_was_over():
    left = [line("The pier is closed until the", right=280, top=80)]
    right = [line("storm is over.", left=310, right=400, top=780)]

    assert paragraphs(left + right) == ["The pier is closed until the storm is over."]
    assert len(paragraphs([line("The pier is closed.", right=280, top=80), *right])) == 2


def test_what_hangs_under_the_mark_of_an_item_belongs_to_it():
    lines = [line("• Ferries leave from the northern"), line("pier.", left=84, right=110, top=688)]

    assert paragraphs(lines) == ["• Ferries leave from the northern pier."]


def test_a_table_of_contents_keeps_its_lines_and_loses_its_dots():
    lines = [line("1 Pier . . . . . . . . 4"), line("2 Fees.......... 5", top=688)]

    assert paragraphs(lines) == ["1 Pier … 4", "2 Fees … 5"]


@pytest.mark.parametrize(
    ("drawn", "text"),
    [("of\ufb01ce", "office"), ("time\ufffetable", "timetable"), ("a\x02 b\x00", "a b"), ("\x01", None)],
)
def test_signs_that_only_printing_needs_are_gone(drawn, text):
    assert paragraphs([line(drawn)]) == ([text] if text else [])


def test_numbers_of_pages_are_furniture_in_any_numerals():
    pages = [[line(f"Berth {word}."), line(number)] for word, number in zip("abc", ("ii", "iii", "iv"), strict=True)]

    assert [[left.text for left in page] for page in without_furniture(pages)] == [
        ["Berth a."],
        ["Berth b."],
        ["Berth c."],
    ]


def test_a_page_that_is_nothing_else_is_empty_without_its_furniture():
    assert without_furniture([[line("7")], [line("8")], [line("9")], []]) == [[], [], [], []]


def test_the_heading_is_the_largest_writing_over_its_lines():
    body = [line("words", top=700 - 12 * n) for n in range(9)]

    assert heading([line("Notice to", size=20), line("mariners", size=20), *body]) == "Notice to mariners"
    assert heading(body) is None
    assert heading([]) is None
