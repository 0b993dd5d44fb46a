"""Words are found whatever their case, accents and English number."""

import pytest

from maps.extract.kinds import KEY_NAMES, NAMES, phrases
from maps.extract.words import asked, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Café", "CAFE"),
        ("cafés", "cafe"),
        ("bakeries", "Bakery"),
        ("churches", "church"),
        ("McDonald\u2019s", "mcdonalds"),
        ("Straße", "STRASSE"),
        ("Ørsted", "Orsted"),
        ("B&B", "b b"),
        ("東京", "東 京"),
    ],
)
def test_two_spellings_are_the_same_words(one, other):
    assert words(one) == words(other)


@pytest.mark.parametrize("word", ["glass", "bus", "tennis", "gas", "서울"])
def test_what_only_looks_like_a_plural_stays(word):
    assert words(word) == [word]


def test_what_joins_words_is_not_asked_for_unless_it_is_all_there_is():
    assert asked("the cafe near the park") == ["cafe", "park"]
    assert asked("The The") == ["the"]


@pytest.mark.parametrize("label", [*NAMES, *(f"{key}=*" for key in KEY_NAMES)])
def test_every_kind_is_called_something(label):
    assert phrases(label)
