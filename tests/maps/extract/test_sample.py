"""The data that comes with the product."""

from pathlib import Path

from maps import extract
from maps.extract.index import opened
from maps.extract.where import locate

FOLDER = Path(extract.__file__).parent
SAMPLE = FOLDER / "helsinki.sqlite"


def test_the_sample_says_whose_it_is_and_from_when():
    with opened(SAMPLE) as index:
        about = index.about

    assert about.attribution == "© OpenStreetMap contributors"
    assert about.licence == "ODbL-1.0"
    assert about.date == "2019-04-21"


def test_the_notice_beside_the_sample_says_the_same():
    notice = (FOLDER / "NOTICE.md").read_text()
    with opened(SAMPLE) as index:
        about = index.about

    assert about.attribution in notice
    assert "Open Database License 1.0" in notice
    assert about.date in notice
    assert f"{about.places:,} places" in notice
    assert f"{about.areas} areas" in notice


def test_the_sample_is_small_enough_for_every_function():
    assert SAMPLE.stat().st_size < 600_000


def test_every_place_of_the_sample_can_be_read_and_found():
    with opened(SAMPLE) as index:
        found = {
            match.place
            for query in ("cafe", "restaurant", "shop", "office", "hotel", "gym", "pharmacy", "museum")
            for match in index.find(query, locate(index, "Helsinki").area)
        }
        elements = [index.element(place) for place in found]

    assert len(found) > 1_000
    assert all(element.timezone == "Europe/Helsinki" for element in elements)
