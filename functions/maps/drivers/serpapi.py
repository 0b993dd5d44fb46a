"""SerpApi: a reseller of Google Maps, the one source with all reviews. Its paging is the least reliable there is."""

from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from maps.areas import Area, height_m
from maps.asked import Asked, Beside
from maps.places import Said
from maps.prices import level
from maps.reviews import SaidReview
from maps.said import count, inside, known, records, text, texts
from maps.weekdays import of_days
from verbena.catalog.maps import PlaceInput, ReviewsInput, SearchInput
from verbena.catalog.places import Photo, Status
from verbena.providers import (
    Driver,
    Failure,
    Found,
    Json,
    Kind,
    Setup,
    VendorRequest,
    VendorResponse,
    said,
    vendor_codes,
)

KEY: Final = "SERPAPI_API_KEY"
PAGE: Final = 20
MOST: Final = 120
"""It advises to stop at the sixth page of a search: further ones come from elsewhere."""

SORTS: Final = {
    "newest": "newestFirst",
    "relevant": "qualityScore",
    "highest": "ratingHigh",
    "lowest": "ratingLow",
}
STATUSES: Final[dict[str, Status]] = {
    "permanently closed": "permanently_closed",
    "temporarily closed": "temporarily_closed",
}
HIGHEST_M: Final = 15_028_132


def search(asked: Asked[SearchInput], setup: Setup) -> VendorRequest:
    query, area = asked.query, asked.area
    words = query.query if area or query.location == query.query else f"{query.query} in {query.location}"
    return _get(
        setup,
        engine="google_maps",
        type="search",
        q=words,
        ll=asked.more.get("ll") or (_view(area) if area else None),
        start=asked.more.get("start"),
        hl=query.language,
        gl=query.region and query.region.lower(),
    )


def _view(area: Area) -> str:
    """The map that shows an area: its centre, and how many metres are seen from north to south."""
    metres = min(max(round(height_m(area)), 1), HIGHEST_M)
    return f"@{area.lat:.7f},{area.lng:.7f},{metres}m"


def read_search(response: VendorResponse, _: Setup) -> Found | Failure:
    """A search that means one place answers with that place alone."""
    body = response.json
    if failure := _failure(body):
        return failure
    single = body.get("place_results")
    found = records(body.get("local_results")) or ([single] if isinstance(single, dict) else [])
    here, there = _page(body.get("search_parameters")), _page_of(inside(body, "serpapi_pagination", "next"))
    goes_on = there is not None and bool(found) and there["start"] > (here or {"start": 0})["start"]
    # Further pages are of the map that is looked at; without one there are none that are worth something.
    is_lost = goes_on and there is not None and there["ll"] is None
    more = there if goes_on and not is_lost else None
    return Found(_places(found), Beside(capped_by="source_limit" if is_lost else None), more=more)


def _page(parameters: object) -> dict[str, Any] | None:
    """Which page some parameters ask for: `start` is its first place, `ll` the map."""
    start = count(inside(parameters, "start")) or 0
    return {"start": start, "ll": text(inside(parameters, "ll"))}


def _page_of(url: object) -> dict[str, Any] | None:
    """The page a link leads to; a link without a place in the order leads to none."""
    query = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()} if isinstance(url, str) else {}
    return _page(query) if count(query.get("start")) else None


def look_up(asked: Asked[PlaceInput], setup: Setup) -> VendorRequest:
    ref = asked.ref
    by_id = {"place_id": ref.value} if ref and ref.kind == "google_place" else {"data_cid": ref.cid if ref else None}
    region = asked.query.region and asked.query.region.lower()
    return _get(setup, engine="google_maps", hl=asked.query.language, gl=region, **by_id)


def read_place(response: VendorResponse, _: Setup) -> Found | Failure:
    body = response.json
    if failure := _failure(body):
        return failure
    single = body.get("place_results")
    return Found(_places([single] if isinstance(single, dict) else []))


def read_about(asked: Asked[ReviewsInput], setup: Setup) -> VendorRequest:
    """The first page has eight reviews and no say in it; the others as many as are asked for."""
    ref, token = asked.ref, asked.more.get("token")
    name = "place_id" if ref and ref.kind == "google_place" else "data_id"
    return _get(
        setup,
        engine="google_maps_reviews",
        sort_by=SORTS[asked.query.sort],
        hl=asked.query.language,
        next_page_token=token,
        num=PAGE if token else None,
        **{name: ref.value if ref else None},
    )


def read_reviews(response: VendorResponse, _: Setup) -> Found | Failure:
    body = response.json
    if failure := _failure(body):
        return failure
    token = text(inside(body, "serpapi_pagination", "next_page_token"))
    more = {"token": token} if token else None
    return Found([_review(one) for one in records(body.get("reviews"))], more=more)


def _review(one: dict[str, Any]) -> SaidReview:
    """A translation, where there is one, is what `snippet` shows."""
    original = inside(one, "extracted_snippet", "original")
    reply = one.get("response")
    return SaidReview(
        review_id=one.get("review_id"),
        rating=one.get("rating"),
        text=original or one.get("snippet"),
        translation=inside(one, "extracted_snippet", "translated"),
        published_at=one.get("iso_date"),
        relative_time=one.get("date"),
        likes=one.get("likes"),
        author={
            "name": inside(one, "user", "name"),
            "url": inside(one, "user", "link"),
            "photo": inside(one, "user", "thumbnail"),
        },
        images=texts(one["images"]) if "images" in one else None,
        reply=inside(reply, "extracted_snippet", "original") or inside(reply, "snippet"),
        reply_at=inside(reply, "iso_date"),
        source=one.get("source"),
    )


def _places(found: Iterable[dict[str, Any]]) -> list[Said]:
    """What has an id of any kind; a rental may have no place id."""
    return [place for one in found if (place := _place(one))]


def _place(one: dict[str, Any]) -> Said | None:
    place_id, feature, cid = (text(one.get(name)) for name in ("place_id", "data_id", "data_cid"))
    by_kind = {"google": place_id, "google_feature": feature and feature.lower(), "google_cid": cid}
    canonical = next((f"{kind}:{value}" for kind, value in by_kind.items() if value), None)
    if canonical is None:
        return None
    types = texts(one.get("types")) or texts([one.get("type")]) or texts(one.get("type"))
    return Said(
        place_id=canonical,
        ids=known(
            {"google_place_id": place_id, "feature_id": feature, "cid": cid, "kgmid": text(one.get("provider_id"))}
        ),
        name=one.get("title"),
        categories=types or None,
        address=one.get("address"),
        lat=inside(one, "gps_coordinates", "latitude"),
        lng=inside(one, "gps_coordinates", "longitude"),
        phone=one.get("phone"),
        website=one.get("website"),
        rating=one.get("rating"),
        review_count=one.get("reviews"),
        rating_histogram=_histogram(one.get("rating_summary")),
        price_level=level(one.get("price")),
        price_text=one.get("price"),
        hours=of_days(_days(one)),
        status=_status(one),
        attributes=known({"service_options": one.get("service_options")}) or None,
        photos=[Photo(url=url, attribution=None)] if (url := text(one.get("thumbnail"))) else None,
        maps_url=f"https://maps.google.com/?cid={cid}" if cid else _maps_url(place_id),
        extras={"description": one.get("description")},
    )


def _maps_url(place_id: str | None) -> str | None:
    return f"https://www.google.com/maps/place/?q=place_id:{place_id}" if place_id else None


def _days(one: dict[str, Any]) -> dict[str, object]:
    """The hours of each day, as one object or a list of small ones."""
    days = one.get("operating_hours") or one.get("hours")
    if isinstance(days, dict):
        return days
    return {day: words for entry in records(days) for day, words in entry.items()}


def _status(one: dict[str, Any]) -> Status | None:
    """Only closing for good or for a while is told; being closed at this hour is something else."""
    state = (text(one.get("open_state")) or "").casefold()
    return next((status for words, status in STATUSES.items() if words in state), None)


def _histogram(said: object) -> dict[str, int] | None:
    counts = ((count(one.get("stars")), count(one.get("amount"))) for one in records(said))
    return {str(stars): amount for stars, amount in counts if stars is not None and amount is not None} or None


def _failure(body: Json) -> Failure | None:
    """An error comes as a success too, and so does finding nothing."""
    words = text(inside(body, "error"))
    status = inside(body, "search_metadata", "status")
    if words is None and status in {None, "Success"}:
        return None
    if words is not None and "any results" in words:
        return Failure("no_results", words)
    return Failure("transient", words or f"its search ended as {status}")


def _get(setup: Setup, **asked: object) -> VendorRequest:
    return VendorRequest.get(f"{setup.base_url}/search.json", {**asked, "api_key": setup.secrets[KEY]})


def _codes(body: Json) -> Iterable[str]:
    """A used-up plan and one call too many in an hour have the same status."""
    if "run out of searches" in (said(body) or ""):
        yield "out_of_searches"
    yield from vendor_codes(body)


VENDOR: Final[dict[str, Any]] = {
    "title": "SerpApi",
    "home": "https://serpapi.com",
    "needs": (KEY,),
    "priority": 20,
    "codes": _codes,
}
FAULTS: Final[dict[str, Kind]] = {"out_of_searches": "quota"}

DRIVERS: Final = (
    Driver(
        name="serpapi",
        **VENDOR,
        verb="maps.search",
        can=frozenset({"min_rating", "price_levels", "language", "region"}),
        most=MOST,
        request=search,
        read=read_search,
        faults=FAULTS,
    ),
    Driver(
        name="serpapi",
        **VENDOR,
        verb="maps.place",
        can=frozenset({"google_place_id", "google_feature_id", "google_cid_id", "language", "region"}),
        request=look_up,
        read=read_place,
        faults=FAULTS,
    ),
    Driver(
        name="serpapi",
        **VENDOR,
        verb="maps.reviews",
        can=frozenset(
            {"google_place_id", "google_feature_id", "language", "since", *(f"sort_{sort}" for sort in SORTS)}
        ),
        request=read_about,
        read=read_reviews,
        faults=FAULTS,
    ),
)
