"""maps.place and maps.reviews: the place that an id or a link means, read at a source that knows it by that id."""

from functools import partial
from typing import Final

from maps import places
from maps import reviews as review_rows
from maps.areas import circle
from maps.asked import Asked
from maps.features import of_place, of_reviews
from maps.links import followed
from maps.refs import Ref, ref_of
from maps.retrying import again
from maps.serving import Desk, beside, origin, portion
from maps.walks import Turn, Verdict, continued, coverage, walked
from verbena.capability import Portion
from verbena.catalog.maps import (
    MAPS_PLACE,
    MAPS_REVIEWS,
    PlaceInput,
    ReviewsInput,
    ReviewsWalk,
    SearchInput,
    pages_at_most,
)
from verbena.catalog.places import Candidate, MapsMeta, Review, Walk
from verbena.errors import ProviderError

CANDIDATES: Final = 5
NEARBY_M: Final = 2000.0
"""How far from where a link's map looked its place may be."""


async def place(query: PlaceInput, desk: Desk, search: Desk) -> Portion:
    """One row and one unit, or no row: nothing is known by the id, or a name alone has candidates."""
    ref = await followed(ref_of(*query.said), desk.engine.send)
    if ref.kind == "name":
        return await _candidates(ref, query.language, query.provider, search)
    served = await desk.served(Asked(query, ref), of_place(query, ref), 1, query.provider)
    rows = [places.place(said, origin(served), None, query.language) for said in served.found.items[:1]]
    unknown = None if rows else [f"not_found: {served.row.name} knows no such place"]
    return portion(served, rows, {MAPS_PLACE.unit: 1} if rows else {}, MapsMeta(warnings=unknown))


async def reviews(query: ReviewsInput, desk: Desk, search: Desk) -> Portion:
    """The first page of reviews, or the next one of a walk; billed if it has one that is new and wanted."""
    walk = query.walk if isinstance(query, ReviewsWalk) else None
    ref = await followed(ref_of(query.place, "place"), desk.engine.send)
    if ref.kind == "name":
        return await _candidates(ref, query.language, query.provider, search)
    asked = Asked(query, ref, more=walk.more if walk else {})
    left = query.max_reviews - walk.returned if walk else query.max_reviews
    try:
        served = await desk.served(asked, of_reviews(query, ref), left, walk.provider if walk else query.provider)
    except ProviderError as error:
        return again(query, walk, error)
    walk = walk or Walk(provider=served.row.name, limit=served.limit, more={})
    rows = review_rows.reviews(served.found.items, ref.canonical, origin(served), personal_data=query.personal_data)
    more = None if _is_past(rows, query.since) else served.found.more
    turn = Turn([(row.review_id, row) for row in rows], more, beside(served).capped_by)
    found = walked(turn, walk, partial(verdict, since=query.since))
    is_spent = found.goes_on and found.walk.pages >= pages_at_most(query)
    rest = None
    if found.goes_on and not is_spent:
        rest = ReviewsWalk.model_validate(continued(query, found.walk) | {"place": ref.canonical})
    told = coverage(found.walk, query.max_reviews, "quoted_pages" if is_spent else found.capped_by)
    units = {MAPS_REVIEWS.unit: 1} if found.rows else {}
    return portion(served, found.rows, units, MapsMeta(coverage=told), rest)


def verdict(row: Review, since: str | None) -> Verdict | None:
    """A review of an unknown day is not known to be new enough."""
    is_wanted = since is None or (row.published_at is not None and row.published_at[:10] >= since)
    return None if is_wanted else "dropped_by_filter"


def _is_past(rows: list[Review], since: str | None) -> bool:
    """Whether a page of newest reviews has come to those before a day."""
    return since is not None and any(row.published_at is not None and row.published_at[:10] < since for row in rows)


async def _candidates(ref: Ref, language: str | None, pin: str | None, desk: Desk) -> Portion:
    """The places a name may mean, where the link's map looked; none of them is taken for the one that is meant."""
    near = None if ref.lat is None or ref.lng is None else circle(ref.lat, ref.lng, NEARBY_M)
    where = ref.value if near is None else {"lat": near.lat, "lng": near.lng, "radius_m": NEARBY_M}
    query = SearchInput.model_validate(
        {"query": ref.value, "location": where, "max_places": CANDIDATES, "detail": "basic", "language": language}
    )
    served = await desk.served(Asked(query, area=near), frozenset({"language"} if language else ()), CANDIDATES, pin)
    rows = [places.place(said, origin(served), near, language) for said in served.found.items[:CANDIDATES]]
    told = [Candidate(place_id=row.place_id, name=row.name, address=row.address) for row in rows]
    warning = "ambiguous: the link has a name and no id; call again with the place_id of the candidate that is meant"
    return portion(served, (), {}, MapsMeta(candidates=told, warnings=[warning]))
