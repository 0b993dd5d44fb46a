"""Ten vendors, and everything each is known to answer, through the real engine over real sockets."""

import pytest

from tests.doubles import VENDORS, running
from tests.doubles.surprises import PLAIN
from tests.web_discover.searching import hits, searched, tried
from verbena.errors import AllProvidersFailed, InvalidRequest

SCRIPTS = [
    pytest.param(name, script, id=f"{name}-{script}") for name, vendor in VENDORS.items() for script in vendor.scripts
]
# These answer only when they are let go.
SLOW = {"hang", "slow_headers", "slow_body"}
SLOW_S = 0.3


def outcome_of(name, script, **more):
    with running(name) as double:
        double.will(script)
        outcome = searched(double, **({"seconds": SLOW_S} if script in SLOW else {}), **more)
        assert double.refusals == []
        assert len(double.requests) == 1
    return outcome, double.scripts[script]


def kind_of(outcome):
    """The class of an outcome, in the words of the contracts."""
    (attempt,) = outcome.attempts
    assert attempt.ok is (attempt.kind is None)
    if not attempt.ok:
        assert isinstance(outcome, InvalidRequest if attempt.kind == "bad_request" else AllProvidersFailed)
        return attempt.kind
    return "success" if hits(outcome) else "no_results"


@pytest.mark.parametrize(("name", "script"), SCRIPTS)
def test_whatever_a_vendor_answers_is_understood_as_its_contract_means_it(name, script):
    outcome, expected = outcome_of(name, script)

    assert kind_of(outcome) == expected.expected_class
    assert tried(outcome)[0][0] == name
    if expected.expected_urls is not None:
        assert [hit.url for hit in hits(outcome)] == list(expected.expected_urls)


@pytest.mark.parametrize("name", VENDORS)
def test_markup_and_entities_of_titles_and_snippets_become_plain_text(name):
    outcome, _ = outcome_of(name, "markup")

    (hit,) = hits(outcome)
    assert (hit.title, hit.snippet) == (PLAIN, PLAIN)


@pytest.mark.parametrize("name", [name for name, vendor in VENDORS.items() if "unreadable_dates" in vendor.scripts])
def test_a_date_that_cannot_be_read_is_unknown(name):
    outcome, _ = outcome_of(name, "unreadable_dates")

    assert [hit.published_at for hit in hits(outcome)] == [None, None]


@pytest.mark.parametrize("name", VENDORS)
def test_a_hit_without_title_or_snippet_is_still_a_hit(name):
    outcome, _ = outcome_of(name, "missing_fields")

    bare = hits(outcome)[1]
    assert bare.title
    assert isinstance(bare.snippet, str)


@pytest.mark.parametrize("script", ["json_switched_off", "html_200"])
def test_a_searxng_without_json_says_which_setting_to_change(script):
    outcome, _ = outcome_of("searxng", script)

    (attempt,) = outcome.attempts
    assert attempt.kind == "config"
    assert "search.formats" in attempt.message
    assert "settings.yml" in attempt.message


def test_a_searxng_whose_engines_all_failed_names_them():
    outcome, _ = outcome_of("searxng", "every_engine_failed")

    assert "google: too many requests, brave: timeout" in outcome.attempts[0].message


FIRST_HITS = {
    "brave": {"published_at": "2026-01-01T09:12:00", "extras": {"age": "January 1, 2026", "language": "en"}},
    "tavily": {"score": 0.95},
    "perplexity": {"published_at": "2026-01-01", "extras": {"last_updated": "2026-01-01"}},
    "google_cse": {"published_at": "2026-01-01T09:12:00Z"},
    "exa": {"published_at": "2026-01-01T09:12:00Z"},
    "searxng": {
        "published_at": "2026-01-01T09:12:00",
        "score": 2.5,
        "extras": {"engines": ["mojeek"], "category": "general"},
    },
    "linkup": {},
    "baidu": {
        "published_at": "2026-01-01T09:12:00",
        "score": 0.9,
        "extras": {"website": "housing.example.org"},
    },
}


@pytest.mark.parametrize("name", FIRST_HITS)
def test_a_hit_has_all_that_its_vendor_says(name):
    outcome, _ = outcome_of(name, "success")

    said = hits(outcome)[0].model_dump(exclude_defaults=True)
    assert said.pop("snippet").startswith("What is known about otter: ") or name == "google_cse"
    assert said == {
        "url": "https://housing.example.org/guides/0",
        "title": "otter, part 0",
        "provider": name,
        **FIRST_HITS[name],
    }


def test_serpers_dates_for_people_become_days():
    outcome, _ = outcome_of("serper", "success")

    assert [hit.published_at is None for hit in hits(outcome)[:4]] == [False, False, False, True]
    assert hits(outcome)[1].published_at == "2026-01-02"


def test_instant_answers_are_an_article_a_site_and_topics_out_of_their_groups():
    outcome, _ = outcome_of("duckduckgo", "success")

    article, site, *topics = hits(outcome)
    assert (article.title, article.extras) == ("otter", {"source": "Wiki"})
    assert site.title == "Official site"
    assert [topic.title for topic in topics] == [f"otter, part {number}" for number in range(2, 7)]


@pytest.mark.parametrize("name", VENDORS)
def test_hits_stay_in_the_vendors_order_whatever_their_scores(name):
    """C25: scores are of one vendor and order nothing."""
    outcome, _ = outcome_of(name, "success")

    urls = [hit.url for hit in hits(outcome)]
    numbers = [int("".join(filter(str.isdigit, url.rsplit("/", 1)[1]))) for url in urls]
    assert len(numbers) >= 5
    assert numbers == sorted(numbers)
