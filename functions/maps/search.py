"""maps.search: one page of places, sifted, and the search that goes on from there."""

from functools import partial

from maps.areas import Area, area_of
from maps.asked import Asked
from maps.features import of_search
from maps.places import place
from maps.retrying import again
from maps.serving import Desk, beside, origin, portion
from maps.walks import Page, Turn, Verdict, continued, coverage, walked
from verbena.capability import Portion
from verbena.catalog.maps import MAPS_SEARCH, SearchInput, SearchWalk
from verbena.catalog.places import MapsMeta, Place, Walk
from verbena.engine import Served
from verbena.errors import ProviderError


async def page(query: SearchInput, desk: Desk) -> Portion:
    """The first page of a search, or the next one of a walk: at the provider that began it, and no other."""
    walk = query.walk if isinstance(query, SearchWalk) else None
    asked = Asked(query, area=area_of(query.location), more=walk.more if walk else {})
    left = query.max_places - walk.returned if walk else query.max_places
    try:
        served = await desk.served(asked, of_search(query), left, walk.provider if walk else query.provider)
    except ProviderError as error:
        return again(query, walk, error)
    walk = walk or Walk(provider=served.row.name, limit=served.limit, more={})
    found = _sifted(query, served, walk, beside(served).area or asked.area)
    rest = SearchWalk.model_validate(continued(query, found.walk)) if found.goes_on else None
    told = coverage(found.walk, query.max_places, found.capped_by)
    units = {MAPS_SEARCH.unit: len(found.rows)}
    return portion(served, found.rows, units, MapsMeta(coverage=told), rest)


def _sifted(query: SearchInput, served: Served, walk: Walk, area: Area | None) -> Page[Place]:
    told, source = beside(served), origin(served)
    rows = [place(said, source, area, query.language) for said in served.found.items]
    if told.is_unranked:
        rows.sort(key=_near)
    turn = Turn([(row.place_id, row) for row in rows], served.found.more, told.capped_by)
    return walked(turn, walk, partial(verdict, query=query, area=area))


def verdict(row: Place, query: SearchInput, area: Area | None) -> Verdict | None:
    """Why a place is not what was asked for; what is not known is no yes."""
    if query.strict_area and area is not None and not is_inside(row, area):
        return "dropped_out_of_area"
    if query.min_rating is not None and (row.rating is None or row.rating < query.min_rating):
        return "dropped_by_filter"
    if query.price_levels and row.price_level not in query.price_levels:
        return "dropped_by_filter"
    return None


def is_inside(row: Place, area: Area) -> bool:
    return row.lat is not None and row.lng is not None and area.holds(row.lat, row.lng)


def _near(row: Place) -> tuple[float, str]:
    return (float("inf") if row.distance_m is None else row.distance_m, row.place_id)
