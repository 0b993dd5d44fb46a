import pytest

from verbena.converters.delimited import to_document


def body(text, separator=None):
    return to_document(text, separator).body


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_found(separator):
    text = "\n".join(separator.join(row) for row in (["pier", "fee"], ["north", "5"], ["south", "7"]))

    assert body(text) == (
        "<table><thead><tr><th>pier</th><th>fee</th></tr></thead>"
        "<tbody><tr><td>north</td><td>5</td></tr><tr><td>south</td><td>7</td></tr></tbody></table>"
    )


def test_commas_inside_numbers_do_not_outweigh_the_semicolons_between():
    assert body("pier;fee;tax\nnorth;1,50;0,30\n").count("<th>") == 3


def test_a_quoted_value_keeps_its_separators_quotes_and_lines():
    assert '<td>five, or "six"<br>crowns</td>' in body('pier,fee\nnorth,"five, or ""six""\ncrowns"\n')


def test_rows_of_other_lengths_are_filled_up():
    assert body("a,b,c\n1,2,3\n4,5,6\n7,8,9\nend\n").endswith("<tr><td>end</td><td></td><td></td></tr></tbody></table>")


def test_what_looks_like_markup_is_text():
    assert "<td>&lt;b&gt; &amp; c</td>" in body("a,b\n<b> & c,2\n")


@pytest.mark.parametrize("text", ["", "\n\n", "one\ntwo\nthree", "A sentence, with one.\nNone here.\nAnd, two, here"])
def test_what_is_no_table_is_none(text):
    assert to_document(text) is None


def test_a_quote_without_an_end_is_no_table():
    assert to_document('a,b\n1,2\n3,"' + "x" * 200_000) is None


def test_a_huge_table_is_cut_between_rows_and_says_so():
    document = to_document("a,b,c,d\n" * 100_000)

    assert document.truncated is True
    assert document.body.count("<tr>") == 25_000


def test_a_very_wide_table_is_cut_and_says_so():
    document = to_document("\n".join([",".join("x" * 900)] * 3))

    assert document.truncated is True
    assert document.body.count("<th>") == 500
