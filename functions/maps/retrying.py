"""A page in the middle of a walk that failed is asked for again later, at the same provider, before it is an error."""

from typing import Final, TypeVar

from maps.walks import coverage
from verbena.capability import Portion
from verbena.catalog.maps import MapsMeta, ReviewsInput, ReviewsWalk, SearchInput, SearchWalk, Walk
from verbena.errors import AllProvidersFailed, InvalidRequest, ProviderError

TRIES: Final = 3
"""How often one page is asked for; between tries the job waits (settings.BARREN_DELAY_S)."""

PASSING: Final = (AllProvidersFailed, InvalidRequest)
"""A token may be refused because it is not valid yet: the first page was asked in the same words, and was taken."""

W = TypeVar("W", SearchWalk, ReviewsWalk)


def again(query: SearchInput | ReviewsInput, walk: Walk | None, error: ProviderError) -> Portion:
    """The same page as what is left to do; raises the error of a first page, of a last try, and what waiting mends
    not.
    """
    if walk is None or walk.tries + 1 >= TRIES or not isinstance(error, PASSING):
        raise error
    requested = query.max_places if isinstance(query, SearchInput) else query.max_reviews
    later = walk.model_copy(update={"tries": walk.tries + 1})
    return Portion(
        attempts=error.attempts,
        meta=MapsMeta(coverage=coverage(walk, requested, None)),
        rest=query.model_copy(update={"walk": later}),
    )
