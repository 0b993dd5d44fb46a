"""Text as the words it is found by: without case, accents and the English plural."""

import re
import unicodedata

LETTERS = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "\u0131": "i"})
# Scripts written without spaces are found by the letter.
WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|(?:(?![\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])[^\W_])+")
APOSTROPHES = re.compile("['\u2019\u02bc`\u00b4]")
SHORTEST_PLURAL = 4
# What joins the words of a query and says nothing about a place.
JOINING = frozenset({"a", "an", "and", "at", "in", "near", "nearby", "of", "the", "with"})


def words(text: str) -> list[str]:
    """The words of a text in their order."""
    plain = unicodedata.normalize("NFKD", APOSTROPHES.sub("", text.casefold()))
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter)).translate(LETTERS)
    # Composed again, or the syllables of Hangul would fall apart.
    return [_singular(word) for word in WORD.findall(unicodedata.normalize("NFC", letters))]


def phrase(text: str) -> str:
    return " ".join(words(text))


def asked(query: str) -> list[str]:
    """The words of a query that say something, each once; all of them if none does."""
    found = list(dict.fromkeys(words(query)))
    return [word for word in found if word not in JOINING] or found


def _singular(word: str) -> str:
    if len(word) < SHORTEST_PLURAL or not word.isascii() or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > SHORTEST_PLURAL:
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "xes")):
        return word[:-2]
    return word.removesuffix("s")
