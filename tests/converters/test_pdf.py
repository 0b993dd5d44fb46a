import random

import pytest

from tests.converters.pdfs import LOCKED, column, pdf, written
from verbena import settings
from verbena.converters.pdf import to_document
from verbena.errors import BadResponse, BodyTooLarge, EmptyPage, ReadError, UnsupportedType

SENTENCE = [
    "The ferry timetable for the northern pier changes on the first Monday of every",
    "month, and is printed in blue. Whoever needs it earlier finds it at the harbour",
    "office.",
]
NOTICE = pdf([column(SENTENCE)])


def test_lines_are_joined_into_a_paragraph():
    assert to_document(NOTICE).body == f"<p>{' '.join(SENTENCE)}</p>"


def test_a_gap_an_indent_an_item_and_another_size_begin_a_paragraph():
    page = [
        (72, 780, 18, "Pier notice"),
        *column(SENTENCE, top=750),
        *column(SENTENCE, top=690),
        (86, 648, 11, "An indented line begins what is new, even right below a line that is full to the"),
        (72, 634, 11, "very edge."),
        (72, 606, 11, "1. first"),
        (72, 592, 11, "2. second"),
    ]

    body = to_document(pdf([page])).body

    whole = " ".join(SENTENCE)
    assert body == (
        f"<p>Pier notice</p><p>{whole}</p><p>{whole}</p>"
        "<p>An indented line begins what is new, even right below a line that is full to the very edge.</p>"
        "<p>1. first</p><p>2. second</p>"
    )


def test_a_word_hyphenated_at_the_end_of_a_line_is_whole_again():
    lines = ["The ferry timetable for the northern pier changes on the first Monday of ev-", "ery month."]

    assert "Monday of every month." in to_document(pdf([column(lines)])).body


def test_pages_are_kept_apart_and_counted():
    document = to_document(pdf([column(["One."]), [], column(["Three."])]))

    assert document.body == "<p>One.</p><hr><p>Three.</p>"
    assert document.pages == 3


def test_running_titles_and_page_numbers_are_left_out():
    pages = [
        [(72, 800, 9, f"Port of Example - {n}"), (72, 700, 11, f"Berth {word}."), (300, 30, 9, f"Page {n}")]
        for n, word in enumerate(["one", "two", "three"], 1)
    ]

    assert to_document(pdf(pages)).body == "<p>Berth one.</p><hr><p>Berth two.</p><hr><p>Berth three.</p>"


def test_what_looks_like_markup_is_text():
    assert to_document(pdf([column(["a <b> & c"])])).body == "<p>a &lt;b&gt; &amp; c</p>"


def test_a_file_says_its_title_author_and_dates():
    about = (
        "/Title(Tides of 2024)/Author(Ann Bell)/CreationDate(D:20240301083000+01'00')/ModDate(D:20240302)"
        "/Producer(none)"
    )

    document = to_document(pdf([column(SENTENCE)], about))

    assert (document.title, document.author) == ("Tides of 2024", "Ann Bell")
    assert (document.created, document.modified) == ("2024-03-01T08:30:00+01:00", "2024-03-02")


@pytest.mark.parametrize("said", ["", "/Title(untitled)", "/Title(Microsoft Word - notice_v2.docx)", "/Title(a.indd)"])
def test_a_title_that_is_none_gives_way_to_the_largest_writing(said):
    page = [(72, 780, 20, "Pier notice"), *column(SENTENCE, top=740)]

    assert to_document(pdf([page], said)).title == "Pier notice"
    assert to_document(pdf([column(SENTENCE)], said)).title is None


@pytest.mark.parametrize(
    ("stated", "iso"),
    [
        ("D:20240301083000Z", "2024-03-01T08:30:00+00:00"),
        ("D:20240301083000-05'30", "2024-03-01T08:30:00-05:30"),
        ("D:2024030108", "2024-03-01T08:00:00"),
        ("D:202403", "2024-03-01"),
        ("D:20241399", None),
        ("1 March 2024", None),
        ("", None),
    ],
)
def test_a_date_keeps_the_zone_it_has(stated, iso):
    assert to_document(pdf([column(SENTENCE)], f"/CreationDate({stated})")).created == iso


def test_a_file_that_needs_a_password_is_of_a_kind_that_cannot_be_read():
    with pytest.raises(UnsupportedType, match="password"):
        to_document(pdf([column(SENTENCE)], encrypt=LOCKED))


def test_pages_without_text_are_an_empty_page():
    with pytest.raises(EmptyPage, match="images"):
        to_document(pdf([[], []]))


@pytest.mark.parametrize("body", [b"%PDF-1.4\n", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\nnothing more", NOTICE[:300]])
def test_what_cannot_be_opened_is_a_bad_response(body):
    with pytest.raises(BadResponse, match="cut short"):
        to_document(body)


def test_a_file_of_a_hundred_thousand_pages_is_too_large():
    kids = "4 0 R " * 100_000
    objects = ["<</Type/Catalog/Pages 2 0 R>>", f"<</Type/Pages/Kids[{kids}]/Count 100000>>", "<<>>"]
    page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>"

    with pytest.raises(BodyTooLarge, match=f"100000 pages; at most {settings.PDF_PAGES}"):
        to_document(written([*objects, page], "/Root 1 0 R"))


@pytest.mark.parametrize("seed", range(15))
def test_a_mutation_ends_in_a_document_or_a_typed_error(seed):
    chance = random.Random(seed)  # noqa: S311 - reproducible faults, not a secret
    body = bytearray(NOTICE)
    for _ in range(chance.randrange(1, 40)):
        body[chance.randrange(9, len(body))] = chance.randrange(256)

    try:
        ended = to_document(bytes(body)).body
    except ReadError as error:
        ended = error.code

    assert ended.startswith("<p>") or ended in {"bad_response", "empty_page", "unsupported_type"}
