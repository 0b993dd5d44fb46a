"""Answers have the size a client takes, and nothing of them is out of reach."""

import json

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verbena.tools.size import Size, length, sized
from verbena.tools.text import text_of
from verbena.tools.tool import WHOLE_CHARS

PAGE_CHARS = 8_000
TOKENS_MOST = 25_000
BYTES_A_TOKEN = 2.5
"""Fewer than any tokenizer needs of English, code or Markdown; other scripts have more bytes a letter."""


def tokens(result):
    """What a client may put before its model: the text and the data."""
    return (len(result["content"][0]["text"].encode()) + length(result["structuredContent"])) / BYTES_A_TOKEN


def finished(world, items, **body):
    job_id = world.job(items, **body)
    world.drain()
    return job_id


def pages(box, job_id, **asked):
    """Every page of a job, as its own `next` leads from one to another."""
    cursor = 0
    while cursor is not None:
        result = box.use(box.tool("job_results"), {"job_id": job_id, "cursor": cursor, **asked})
        yield result
        following = result["structuredContent"].get("next")
        cursor = int(following.rpartition("cursor=")[2]) if following else None


def test_every_row_of_two_thousand_pages_is_reached_in_answers_under_25_000_tokens(world, toolbox):
    """D07, A44"""
    job_id = finished(world, [f"ok/{number}" for number in range(2000)], size=PAGE_CHARS)

    results = list(pages(toolbox(), job_id))

    assert max(map(tokens, results)) < TOKENS_MOST
    rows = [row for result in results for row in result["structuredContent"]["results"]]
    assert [row["index"] for row in rows] == list(range(2000))
    assert all(row["content"].startswith("x") for row in rows)


def test_an_answer_that_fits_is_given_whole_without_a_job(use):
    answer = use("test_list", {"items": ["ok/1", "ok/2"], "size": 5_000})

    assert [len(row["content"]) for row in answer["results"]] == [5_000, 5_000]
    assert "job_id" not in answer
    assert "meta" not in answer


def test_an_answer_too_long_is_kept_as_a_job_and_its_rows_share_the_room(use):
    answer = use("test_list", {"items": ["ok/1", "ok/2", "ok/3"], "size": 50_000})

    assert answer["status"] == "completed"
    assert [row["truncated"] for row in answer["results"]] == [True] * 3
    assert all(9_000 < len(row["content"]) < 10_000 for row in answer["results"])
    assert answer["results"][1]["content_ref"] == f"/v1/jobs/{answer['job_id']}/rows/1"
    assert any("job_results" in note and answer["job_id"] in note for note in answer["meta"]["warnings"])


def test_a_row_longer_than_an_answer_is_read_to_its_end_piece_by_piece(use):
    job_id = use("test_list", {"items": ["ok/1"], "size": 100_000})["job_id"]

    whole, skip = "", 0
    while skip is not None:
        (row,) = use("job_results", {"job_id": job_id, "cursor": 0, "limit": 1, "skip_chars": skip})["results"]
        text, _, mark = row["content"].partition("\n[cut after")
        whole += text
        skip = int(mark.split("skip_chars ")[1].split(" ")[0]) if mark else None

    assert whole == "x" * 100_000


def test_a_row_over_the_cap_of_rest_is_read_to_its_end_too(world, use):
    job_id = finished(world, ["ok/1"], size=1_500_000)

    asked = {"job_id": job_id, "limit": 1, "max_chars": 1_000_000}
    (first,) = use("job_results", asked)["results"]
    end = int(first["content"].rpartition("skip_chars ")[2].split(" ")[0])
    (rest,) = use("job_results", asked | {"skip_chars": end})["results"]

    assert end + len(rest["content"]) == 1_500_000


def test_a_caller_may_ask_for_shorter_rows_and_longer_answers(world, use):
    job_id = finished(world, [f"ok/{number}" for number in range(40)], size=PAGE_CHARS)

    short = use("job_results", {"job_id": job_id, "max_chars_per_row": 1_000})
    long = use("job_results", {"job_id": job_id, "max_chars": 400_000})

    assert len(short["results"]) > 20
    assert {len(row["content"]) for row in long["results"]} == {PAGE_CHARS}
    assert len(long["results"]) == 40


def test_the_client_says_how_much_it_takes(toolbox, use):
    answer = use("test_list", {"items": ["ok/1", "ok/2"], "size": 9_000}, toolbox(max_chars=5_000))

    assert length(answer) <= 5_000
    assert "job_id" in answer


def test_rows_that_are_no_items_are_cut_within_their_schema(verbs):
    row = {"page": 1, "text": "word " * 20_000}
    answer = {"status": "completed", "job_id": "0" * 32, "results": [row], "meta": {"warnings": ["as before"]}}

    shown = sized(answer, Size())

    jsonschema.validate(shown, verbs["test_pages"].answer.model_json_schema())
    text, _, mark = shown["results"][0]["text"].partition("\n")
    assert mark.endswith(f"skip_chars {len(text)} reads on]")
    assert shown["meta"]["warnings"][0] == "as before"


def test_what_is_kept_nowhere_says_so():
    answer = {"status": "completed", "results": [{"text": "word " * 20_000}]}

    notes = sized(answer, Size())["meta"]["warnings"]

    assert any("Nothing is kept" in note for note in notes)


TEXTS = st.text(st.characters(codec="utf-8"), max_size=60).map(lambda text: text * 300)
LINKS = st.lists(st.fixed_dictionaries({"url": st.text(max_size=40)}), max_size=200)
ROWS = st.fixed_dictionaries(
    {"index": st.integers(0, 9999), "status": st.just("success"), "content": TEXTS},
    optional={"raw_html": TEXTS, "links": LINKS, "metadata": st.dictionaries(st.text(max_size=9), TEXTS, max_size=5)},
)


@given(st.lists(ROWS, min_size=1, max_size=12), st.integers(4_000, 60_000), st.integers(0, 20_000))
def test_no_answer_is_longer_than_asked_whatever_is_in_it(rows, max_chars, skip):
    envelope = {"status": "completed", "job_id": "0" * 32, "results": rows}

    shown = sized(envelope, Size(max_chars), skip=skip)

    assert length(shown) <= max_chars
    assert len(text_of(shown).encode()) <= max_chars + 1_000
    assert shown["results"]


@pytest.mark.parametrize("letter", ["a", "é", "語", "🦔", '"', "\n"])
def test_dense_scripts_and_escapes_count_as_they_weigh(letter):
    envelope = {"status": "completed", "results": [{"content": letter * 100_000}]}

    shown = sized(envelope, Size())

    assert 0.7 * WHOLE_CHARS < len(json.dumps(shown, ensure_ascii=False).encode()) <= WHOLE_CHARS
