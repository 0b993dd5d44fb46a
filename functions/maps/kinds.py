"""What the words of a query mean in OpenStreetMap: a kind of place, and what beside it must be said of one."""

from dataclasses import dataclass
from typing import Final


def _split(lines: str) -> frozenset[str]:
    return frozenset(lines.split())


# Values of the main keys that people ask for by these very words.
VALUES: Final = _split("""
    alcohol antiques apartment aquarium artwork arts_centre atm attraction bakery bank bar beauty bicycle_rental
    biergarten books bus_station butcher cafe camp_site car_rental car_repair car_wash casino charging_station cinema
    clinic clothes community_centre computer confectionery convenience cosmetics courthouse deli dentist
    department_store doctors doityourself dry_cleaning electronics embassy fast_food fire_station fitness_centre
    florist food_court fuel furniture gallery gift golf_course greengrocer guest_house hairdresser hardware hospital
    hostel hotel ice_cream ice_rink information insurance interior_decoration jewelry kindergarten kiosk laundry
    lawyer library mall marina marketplace massage mobile_phone motel museum music_venue nightclub optician outdoor
    park parking perfumery pet pharmacy photo place_of_worship playground police post_office pub restaurant sauna
    school seafood shoes sports sports_centre stadium stationery supermarket swimming_pool tattoo taxi tea theatre
    theme_park ticket toilets townhall toys travel_agency university veterinary viewpoint wine zoo
""")
# Other words for them.
WORDS: Final = {
    "accommodation": ("hotel", "hostel", "guest_house", "motel", "apartment"),
    "barber": ("hairdresser",),
    "bike rental": ("bicycle_rental",),
    "bookshop": ("books",),
    "bookstore": ("books",),
    "burger": ("fast_food", "restaurant"),
    "cash machine": ("atm",),
    "chemist": ("pharmacy", "chemist"),
    "church": ("place_of_worship",),
    "clothing store": ("clothes",),
    "coffee": ("cafe",),
    "coffee shop": ("cafe",),
    "doctor": ("doctors", "clinic"),
    "drugstore": ("pharmacy", "chemist"),
    "ev charger": ("charging_station",),
    "flower shop": ("florist",),
    "gas station": ("fuel",),
    "grocery": ("supermarket", "convenience", "greengrocer"),
    "grocery store": ("supermarket", "convenience", "greengrocer"),
    "gym": ("fitness_centre", "sports_centre"),
    "hair salon": ("hairdresser",),
    "ice cream": ("ice_cream",),
    "jeweller": ("jewelry",),
    "jeweler": ("jewelry",),
    "movie theater": ("cinema",),
    "petrol station": ("fuel",),
    "shopping centre": ("mall",),
    "shopping center": ("mall",),
    "shopping mall": ("mall",),
    "spa": ("spa", "sauna", "massage", "beauty"),
    "swimming pool": ("swimming_pool", "water_park"),
    "theater": ("theatre",),
    "toilet": ("toilets",),
    "vet": ("veterinary",),
}  # fmt: skip


MOST_WORDS: Final = 6
"""More words than that describe no kind of place, and make a question that is too long."""


@dataclass(frozen=True, slots=True)
class Wish:
    """Kinds to look for, as OSM values, none if the words name no kind; `words` must be said of a place as well."""

    values: tuple[str, ...]
    words: tuple[str, ...]


def wish(query: str) -> Wish:
    """`vegan restaurants` are restaurants of which vegan is said; `Ekberg` is whatever is called so."""
    words = tuple(query.casefold().split()[:MOST_WORDS])
    for start in range(len(words)):
        if values := _values(" ".join(words[start:])):
            return Wish(values, words[:start])
    return Wish((), words)


def _values(phrase: str) -> tuple[str, ...]:
    """The kinds a phrase names, in the singular or the plural."""
    for form in _forms(phrase.replace("é", "e").replace("_", " ")):
        if form in WORDS:
            return WORDS[form]
        if (value := form.replace(" ", "_")) in VALUES:
            return (value,)
    return ()


def _forms(phrase: str) -> list[str]:
    singulars = [phrase[:-3] + "y"] if phrase.endswith("ies") else []
    singulars += [phrase.removesuffix(end) for end in ("es", "s") if phrase.endswith(end)]
    return [phrase, *singulars]
