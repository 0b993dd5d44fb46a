"""SerpApi's maps: prices are signs, hours are words, an error is a success, and the last page lies."""

from tests.doubles.contract import Endpoint, Problem, Reply, Script, saying
from tests.doubles.maps import town
from tests.doubles.maps.vendor import MapVendor
from tests.doubles.words import choice, record, text, whole

KEY = "serpapi-made-up-key-31bc"
SCHEMA = record(
    "engine",
    "api_key",
    engine=choice("google_maps", "google_maps_reviews"),
    api_key=text(),
    type=choice("search", "place"),
    q=text(),
    ll=text(pattern=r"^@-?\d+\.\d+,-?\d+\.\d+,\d+(\.\d+)?[zm]$"),
    start=whole(20, 100),
    hl=text(pattern="^[a-z]{2}(-[A-Za-z]{2,4})?$"),
    gl=text(pattern="^[a-z]{2}$"),
    place_id={"type": ["string", "integer"]},
    data_cid={"type": ["string", "integer"]},
    data_id=text(),
    sort_by=choice("qualityScore", "newestFirst", "ratingHigh", "ratingLow"),
    num=whole(1, 20),
    next_page_token=text(),
)
DAYS = {
    "monday": "8\u202fAM–12\u202fPM, 1–6:30\u202fPM",
    "tuesday": "Closed",
    "wednesday": "Closed",
    "thursday": "Closed",
    "friday": "8\u202fPM–2\u202fAM",
    "saturday": "Closed",
    "sunday": "Closed",
}
STATES = {"permanently_closed": "Permanently closed", "temporarily_closed": "Temporarily closed"}


def rule(asked):
    """What goes with what."""
    if asked["engine"] == "google_maps" and asked.get("type") == "search":
        wrong = None if "q" in asked else "q"
    elif asked["engine"] == "google_maps":
        wrong = None if ("place_id" in asked) != ("data_cid" in asked) else "place_id"
    else:
        wrong = "num" if "num" in asked and "next_page_token" not in asked else None
        wrong = wrong if ("place_id" in asked) != ("data_id" in asked) else "data_id"
    if "start" in asked and "ll" not in asked:
        wrong = "ll"
    return Problem("query", (wrong,), "rule", f"Missing or unsupported `{wrong}` parameter.") if wrong else None


def place(spot, language="en"):
    said = {
        "position": spot.number + 1,
        "title": dict(spot.names).get(language, spot.name),
        "place_id": spot.google if spot.kind != "rental" else None,
        "data_id": spot.feature,
        "data_cid": spot.cid,
        "gps_coordinates": {"latitude": spot.lat, "longitude": spot.lng} if spot.lat is not None else None,
        "rating": spot.rating,
        "reviews": spot.count,
        "price": "$" * spot.level if spot.level else None,
        "type": spot.kind.title(),
        "types": [spot.kind.title()],
        "address": f"{spot.street} {spot.house}, Exampleton" if spot.street else None,
        "open_state": STATES.get(spot.status, "Open ⋅ Closes 6:30\u202fPM"),
        "operating_hours": DAYS if spot.has_hours else None,
        "phone": spot.phone,
        "website": spot.website,
        "thumbnail": "https://example.invalid/thumb.jpg",
    }
    return {name: value for name, value in said.items() if value is not None}


def review(number):
    return {
        "position": number + 1,
        "rating": float(5 - number % 5),
        "date": "a month ago",
        "iso_date": f"2026-{10 - number // 10:02}-{28 - number % 10 * 2:02}T09:00:00Z",
        "source": "Google",
        "review_id": f"ChReview{number:03}",
        "user": {"name": "A. Tester", "link": "https://example.invalid/u/1", "contributor_id": "1"},
        "snippet": "Good soup.",
        "extracted_snippet": {"original": "Hyvää keittoa.", "translated": "Good soup."},
        "likes": 0,
        "response": {"iso_date": "2026-10-29T09:00:00Z", "snippet": "Thank you."},
    }


def body(request, **more):
    metadata = {"id": "ex1", "status": "Success", "created_at": "2026-12-01 10:00:00 UTC"}
    echo = {name: value for name, value in request.asked.items() if name != "api_key"}
    return {"search_metadata": metadata, "search_parameters": echo, **more}


def answer(request):
    asked = request.asked
    if asked["engine"] == "google_maps_reviews":
        return reviews(request)
    return search(request) if asked.get("type") == "search" else single(request)


def single(request):
    asked = request.asked
    spot = town.by("cid", str(asked["data_cid"])) if "data_cid" in asked else town.by("google", asked["place_id"])
    return Reply(body=body(request, place_results=place(spot, asked.get("hl", "en")))) if spot else nothing(request)


def nothing(request):
    return Reply(body=body(request, error="Google hasn't returned any results for this query."))


def search(request, spots=None):
    asked = request.asked
    found = town.matching(asked["q"]) if spots is None else spots
    start = asked.get("start", 0)
    shown = found[start : start + 20]
    if not shown:
        return nothing(request)
    if len(found) == 1:
        return Reply(body=body(request, place_results=place(found[0])))
    told = body(request, local_results=[place(spot, asked.get("hl", "en")) for spot in shown])
    if start + 20 < len(found):
        told["serpapi_pagination"] = {"next": link(start + 20, asked.get("ll"))}
    return Reply(body=told)


def link(start, ll):
    return f"https://serpapi.com/search.json?engine=google_maps&start={start}" + (f"&ll={ll}" if ll else "")


def page_of(asked):
    """First and last number of a page: eight on the first, then as many as asked for."""
    start = int(asked["next_page_token"].removeprefix("CAES")) if "next_page_token" in asked else 0
    return start, min(start + (asked.get("num", 10) if start else 8), town.REVIEWS)


def reviews(request):
    start, end = page_of(request.asked)
    told = body(request, place_info={"title": "x"}, reviews=[review(number) for number in range(start, end)])
    if end < town.REVIEWS:
        told["serpapi_pagination"] = {"next": "https://serpapi.com/x", "next_page_token": f"CAES{end}"}
    return Reply(body=told)


PRICES = ("$", "$$", "€€€", "££££", "$10–20", "Free", "", None, 7)
ODD_HOURS = (
    dict.fromkeys(DAYS, "Open 24 hours"),
    dict.fromkeys(DAYS, "09:00–17:00"),
    {"monday": "8 AM–6 PM"},
    dict.fromkeys(DAYS, "Hours might differ"),
    {},
    "8 AM–6 PM",
)


def scripted(change, expected="success"):
    return Script(expected, lambda exchange: exchange.send(change(exchange.received)))


def last_page_again(request):
    """The last page has a block of pages whose token is empty, and whose link leads to the first one."""
    reply = reviews(request)
    block = {"next": "https://serpapi.com/first", "next_page_token": ""}
    return Reply(body={"serpapi_pagination": block} | reply.body)


def overlapping(request):
    """The second page repeats the first, and misses what should be there."""
    reply = reviews(request)
    if "next_page_token" in request.asked:
        reply.body["reviews"] = [review(number) for number in range(8)]
    return reply


def error(words, status="Error"):
    return {"search_metadata": {"id": "ex1", "status": status}, "error": words}


def thin_pages(request):
    """One review a page."""
    start = int(request.asked.get("next_page_token", "CAES0").removeprefix("CAES"))
    told = body(request, reviews=[review(start)])
    return Reply(body=told | {"serpapi_pagination": {"next_page_token": f"CAES{start + 1}"}})


def authorize(request):
    return None if request.query.get("api_key") == [KEY] else Reply(401, {"error": "Invalid API key."})


VENDOR = MapVendor(
    name="serpapi",
    key={"SERPAPI_API_KEY": KEY},
    endpoints=(Endpoint("GET", "/search.json", SCHEMA, {}, answer, rule),),
    refuse=lambda problem: Reply(400, {"error": problem.message}),
    authorize=authorize,
    own={
        "empty": scripted(nothing, "no_results"),
        "no_key_at_all": scripted(lambda request: Reply(body=body(request)), "no_results"),
        "search_ended_in_error": saying("transient", 200, error("We couldn't get valid results.")),
        "processing": saying("transient", 200, {"search_metadata": {"status": "Processing"}}),
        "bad_key": saying("auth", 401, {"error": "Invalid API key. Your API key should be here."}),
        "used_up": saying("quota", 429, {"error": "Your account has run out of searches."}),
        "rate_limited": saying("transient", 429, {"error": "You are exceeding the hourly throughput."}),
        "bad_value": saying("bad_request", 400, {"error": "Unsupported `br` interface language - hl parameter."}),
        "last_page_again": scripted(last_page_again),
        "overlapping": scripted(overlapping),
        "thin_pages": scripted(thin_pages),
        "first_again": scripted(lambda request: Reply(body=search(request).body | {
            "serpapi_pagination": {"next": link(0, "@59.5,22.5,14z")}})),
        "prices": scripted(lambda request: Reply(body=body(request, local_results=[
            place(town.CAFES[number]) | {"price": price} for number, price in enumerate(PRICES)]))),
        "odd_hours": scripted(lambda request: Reply(body=body(request, local_results=[
            place(town.CAFES[number]) | {"operating_hours": hours} for number, hours in enumerate(ODD_HOURS)]))),
        "abroad_later": scripted(lambda request: search(request, [*town.CAFES[:20], *[town.ABROAD] * 5])),
    },
)  # fmt: skip
