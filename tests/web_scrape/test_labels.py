"""The labels that the reader's model learns from."""

import importlib.util
from pathlib import Path

import pytest

ALIGN = Path(__file__).parents[2] / "tools" / "train_reader" / "align.py"


@pytest.fixture(scope="module")
def align():
    spec = importlib.util.spec_from_file_location("align", ALIGN)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_block_is_labelled_with_the_share_of_its_words_that_are_expected(align):
    found = align.shares(
        ["Home News", "The pier opens on Monday", "at nine, and closes early"], "The pier opens on Monday at nine"
    )

    assert found == pytest.approx([0, 1, 2 / 5])


def test_words_that_are_expected_elsewhere_and_one_by_one_do_not_count(align):
    assert align.shares(["the cat and the dog"], "the bird saw and then the")[0] == 0


def test_a_block_that_stands_twice_is_expected_once(align):
    assert sorted(align.shares(["The pier opens", "The pier opens"], "The pier opens")) == [0, 1]


def test_blocks_and_texts_without_words_are_no_fault(align):
    assert align.shares(["…", ""], "") == [0, 0]
    assert align.shares([], "words") == []
