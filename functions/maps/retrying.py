"""A page in the middle of a walk that failed is asked for again later, at the same provider, before it is an error."""

from typing import Final

from maps.walks import coverage
from verbena import settings
from verbena.capability import Portion
from verbena.catalog.maps import ReviewsInput, SearchInput
from verbena.catalog.places import MapsMeta, Walk
from verbena.errors import AllProvidersFailed, InvalidRequest, ProviderError

PASSING: Final = (AllProvidersFailed, InvalidRequest)
"""A token may be refused because it is not valid yet: the first page was asked in the same words, and was taken."""


def again(query: SearchInput | ReviewsInput, walk: Walk | None, error: ProviderError) -> Portion:
    """The same page as what is left to do, after the delay of parts without rows.

    Raises the error of a first page, one that waiting does not mend, and the last before the job would end in silence.
    """
    if walk is None or walk.barren + 1 >= settings.BARREN_LIMIT or not isinstance(error, PASSING):
        raise error
    requested = query.max_places if isinstance(query, SearchInput) else query.max_reviews
    later = walk.model_copy(update={"barren": walk.barren + 1})
    return Portion(
        attempts=error.attempts,
        meta=MapsMeta(coverage=coverage(walk, requested, None)),
        rest=query.model_copy(update={"walk": later}),
    )
