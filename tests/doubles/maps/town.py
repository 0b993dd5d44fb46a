"""A made-up town: its places, and what people say of them. Coordinates are in the sea."""

from dataclasses import dataclass, replace

CENTRE = (59.5, 22.5)
SOUTH, WEST, NORTH, EAST = 59.4, 22.3, 59.6, 22.7


@dataclass(frozen=True)
class Spot:
    """A place of the town; None is what nobody knows."""

    number: int
    name: str
    kind: str = "cafe"
    lat: float | None = CENTRE[0]
    lng: float | None = CENTRE[1]
    street: str | None = "Quay Lane"
    house: str | None = "4"
    phone: str | None = None
    website: str | None = None
    rating: float | None = None
    count: int | None = None
    level: int | None = None
    has_hours: bool = False
    status: str = "open"
    names: tuple[tuple[str, str], ...] = ()

    @property
    def google(self):
        return f"ChIJmadeUpPlace{self.number:05}"

    @property
    def feature(self):
        return f"0x{self.number + 1:x}:0x{self.number + 1000:x}"

    @property
    def cid(self):
        return str(self.number + 1000)

    @property
    def node(self):
        return 9_000_000 + self.number


LANTERN = Spot(
    0,
    "Lantern Quay Cafe",
    phone="+358 9 000 000",
    website="https://lantern.example/",
    rating=4.4,
    count=812,
    level=2,
    has_hours=True,
    names=(("fi", "Lyhtylaiturin kahvila"), ("sv", "Lanternans kajkafé")),
)
CAFES = (
    LANTERN,
    *(
        Spot(number, f"Cafe {number}", lat=CENTRE[0] + number * 0.0005, house=str(number), rating=3.0, count=number)
        for number in range(1, 45)
    ),
)
HOTEL = Spot(50, "Rope Hotel", kind="hotel", rating=4.0, count=7, level=3)
RENTAL = Spot(51, "Net Loft Rental", kind="rental")
PLUMBER = Spot(52, "Bilge Plumbers", kind="plumber", lat=None, lng=None, street=None, house=None, phone="+358 9 111")
CLOSED = Spot(53, "Old Bakery", kind="bakery", status="permanently_closed")
PAUSED = Spot(54, "Winter Bakery", kind="bakery", status="temporarily_closed")
MOVED = Spot(55, "Wandering Bakery", kind="bakery", status="moved")
ABROAD = replace(LANTERN, number=60, name="Cafe Abroad", lat=-33.9, lng=151.2)
EVERY = (*CAFES, HOTEL, RENTAL, PLUMBER, CLOSED, PAUSED, MOVED)

REVIEWS = 30


def matching(words):
    """The places whose kind or name is among the words, in the town's order."""
    said = words.casefold()
    return [spot for spot in EVERY if spot.kind in said or spot.name.casefold() in said]


def by(attribute, value):
    return next((spot for spot in EVERY if str(getattr(spot, attribute)) == value), None)
