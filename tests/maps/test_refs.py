"""Ids and URLs: which place each means, and that anything else is refused with the forms there are."""

import pytest

from maps.refs import Ref, ref_of
from verbena.errors import InvalidInput

PLACE = "ChIJmadeUpPlace00000"
FEATURE = "0x46920bc796210691:0xcd4ebd843be2f763"
CID = str(0xCD4EBD843BE2F763)

IDS = {
    PLACE: Ref("google_place", PLACE),
    f"google:{PLACE}": Ref("google_place", PLACE),
    "google:EiNRdWF5IExhbmU_made-up": Ref("google_place", "EiNRdWF5IExhbmU_made-up"),
    FEATURE: Ref("google_feature", FEATURE),
    f"google_feature:{FEATURE.upper().replace('0X', '0x')}": Ref("google_feature", FEATURE),
    CID: Ref("google_cid", CID),
    f"cid:{CID}": Ref("google_cid", CID),
    f"google_cid:{CID}": Ref("google_cid", CID),
    "osm:node/123": Ref("osm", "node/123"),
    "relation/34914": Ref("osm", "relation/34914"),
    "W123": Ref("osm", "way/123"),
    "  osm:N1  ": Ref("osm", "node/1"),
}
DATA = f"data=!3m1!4b1!4m6!3m5!1s{FEATURE}!8m2!3d60.1!4d24.9!16s%2Fg%2F11b6"
URLS = {
    f"https://www.google.com/maps/place/Lantern+Quay/@60.17,24.94,17z/{DATA}": Ref("google_feature", FEATURE),
    f"https://www.google.com/maps/place/X/{DATA}!19s{PLACE}": Ref("google_place", PLACE),
    f"https://maps.google.com/?cid={CID}": Ref("google_cid", CID),
    f"https://www.google.fi/maps?cid={CID}&hl=fi": Ref("google_cid", CID),
    f"https://maps.google.co.uk/maps?ftid={FEATURE}": Ref("google_feature", FEATURE),
    f"https://www.google.com/maps/place/?q=place_id:{PLACE}": Ref("google_place", PLACE),
    f"https://www.google.com/maps/search/?api=1&query=cafe&query_place_id={PLACE}": Ref("google_place", PLACE),
    "https://www.google.com/maps/place/Caf%C3%A9+Ekberg/@60.16,-24.93,17z": Ref("name", "Café Ekberg", 60.16, -24.93),
    "https://www.google.com/maps/search/?api=1&query=Quay+Cafe": Ref("name", "Quay Cafe"),
    "https://maps.google.com/?q=Quay+Cafe": Ref("name", "Quay Cafe"),
    "https://maps.app.goo.gl/AbC123": Ref("short", "https://maps.app.goo.gl/AbC123"),
    "https://goo.gl/maps/AbC123": Ref("short", "https://goo.gl/maps/AbC123"),
    "https://www.openstreetmap.org/node/123": Ref("osm", "node/123"),
    "https://osm.org/way/8042215#map=19/60.1/24.9": Ref("osm", "way/8042215"),
}


@pytest.mark.parametrize(("said", "expected"), [*IDS.items(), *URLS.items()])
def test_a_form_that_is_known_means_its_place(said, expected):
    assert ref_of(said, "place") == expected


@pytest.mark.parametrize(
    "said",
    [
        "gibberish",
        "",
        "osm:node/",
        "osm:area/1",
        "0x1:xyz",
        "google:short",
        "https://example.com/maps/place/X",
        "https://google.com.evil.example/maps?cid=12345678901",
        "https://notgoogle.com/maps?cid=12345678901",
        "https://user@evil.example/maps.google.com?cid=1",
        "https://www.google.com/search",
        "https://www.openstreetmap.org/user/somebody",
        "ftp://maps.google.com/?cid=12345678901",
        "https://[::1/maps",
        "javascript://maps.google.com/%0a",
    ],
)
def test_anything_else_is_refused_with_the_field_and_the_forms(said):
    with pytest.raises(InvalidInput) as caught:
        ref_of(said, "url")

    (problem,) = caught.value.details["fields"]
    assert problem["field"] == "url"
    assert "osm:node/123" in problem["fix"]


def test_a_feature_id_ends_in_the_cid():
    assert Ref("google_feature", FEATURE).cid == CID
    assert Ref("google_place", PLACE).cid is None


@pytest.mark.parametrize("ref", [*IDS.values()])
def test_a_canonical_id_means_the_same_place_again(ref):
    assert ref_of(ref.canonical, "place_id") == ref
