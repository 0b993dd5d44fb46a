"""What REST serves beside verbs, and that every answer is of the shape it publishes."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from jsonschema import Draft202012Validator

from compat import handler as compat
from tests.doors.conftest import FUNDS
from verbena.catalog import CATALOG
from verbena.doors import mcp_http
from verbena.tools.schema import FORMATS
from verbena.tools.tool import tools_of

JSON = "application/json"
# MCP describes itself, to its own clients.
UNDESCRIBED = {operation.route for operation in mcp_http.OPERATIONS}


@pytest.fixture(scope="module")
def openapi(gateway):
    return gateway.send("GET", "/openapi.json").json


def published(openapi, method, path, status):
    """The schema of an answer, with everything it refers to."""
    responses = openapi["paths"][path][method.lower()]["responses"]
    response = responses.get(str(status)) or (status < 300 and responses.get("2XX")) or responses["default"]
    return {**response["content"][JSON]["schema"], "components": openapi["components"]}


def conforms(openapi, method, path, answer):
    """Nothing; fails with what is not as published."""
    schema = published(openapi, method, path, answer.status)
    errors = [error.message for error in Draft202012Validator(schema).iter_errors(answer.json)]
    assert errors == []


# ---- health, wallet, usage


def test_health_is_shallow_and_may_be_cached(gateway):
    answer = gateway.send("GET", "/health")

    assert (answer.status, answer.json) == (200, {"status": "ok"})
    assert answer.headers["Cache-Control"] == "max-age=5"


def test_the_wallet_says_what_is_available_and_what_is_held(caller):
    caller.scrape(["https://e.invalid"], **{"async": True})

    assert caller.get("/v1/wallet").json == {"available_micros": FUNDS - 1000, "held_micros": 1000}


def test_usage_is_the_sum_of_facts_and_equals_what_the_wallet_lost(caller, site, work):
    caller.scrape([f"{site}/1", f"{site}/2", f"{site}/missing"])
    caller.scrape([f"{site}/job/{n}" for n in range(12)])
    caller.scrape(["javascript:alert(1)"])
    work()

    usage = caller.get("/v1/usage").json

    today = datetime.now(UTC).date().isoformat()
    assert usage == {
        "days": [{"day": today, "verb": "web.scrape", "units": {"web_crawl": 14}, "charge_micros": 14_000}],
        "charge_micros": 14_000,
    }
    assert caller.wallet == (FUNDS - usage["charge_micros"], 0)


@pytest.mark.parametrize(("first", "last", "found"), [(0, 0, 1), (-1, 1, 1), (-40, -1, 0), (1, 2, 0)])
def test_usage_is_of_the_days_asked_for_both_included(caller, site, first, last, found):
    caller.scrape([site])
    today = datetime.now(UTC).date()
    days = [today + timedelta(days=offset) for offset in (first, last)]

    usage = caller.get("/v1/usage?from={}&to={}".format(*days)).json

    assert len(usage["days"]) == found


def test_usage_of_an_owner_without_any_is_empty(caller):
    assert caller.get("/v1/usage").json == {"days": [], "charge_micros": 0}


# ---- the catalog and its description


def test_the_catalog_is_told_with_units_prices_limits_and_schemas(gateway):
    told = gateway.send("GET", "/v1/verbs").json

    assert [verb["name"] for verb in told["verbs"]] == [verb.name for verb in CATALOG]
    scrape = told["verbs"][0]
    assert (scrape["path"], scrape["scope"], scrape["inline_limit"]) == ("/v1/web/scrape", "web", 5)
    assert (scrape["unit"], scrape["price_micros"]) == ("web_crawl", 1000)
    assert {"urls", "format", "async", "idempotency_key"} <= scrape["input_schema"]["properties"].keys()
    assert {"url", "index", "status", "content"} <= scrape["row_schema"]["properties"].keys()
    prices = {unit["unit"]: unit["price_micros"] for unit in told["prices"]}
    assert prices["web_crawl"] == 1000
    assert all(verb["unit"] in prices for verb in told["verbs"])


def test_limits_and_prices_are_told_as_the_operator_set_them(changed, gateway):
    with changed(VERBENA_INLINE_LIMIT_WEB_SCRAPE="9", VERBENA_PRICES='{"web_crawl": 7}'):
        scrape = gateway.send("GET", "/v1/verbs").json["verbs"][0]

    assert (scrape["inline_limit"], scrape["price_micros"]) == (9, 7)


@pytest.mark.parametrize("schema", ["input_schema", "row_schema"])
def test_schemas_of_the_catalog_are_json_schemas(gateway, schema):
    for verb in gateway.send("GET", "/v1/verbs").json["verbs"]:
        Draft202012Validator.check_schema(verb[schema])


@pytest.mark.parametrize("form", FORMATS)
def test_tools_are_told_in_the_form_of_each_vendor(gateway, form):
    told = gateway.send("GET", f"/v1/tools?format={form}").json

    assert told == {"tools": FORMATS[form](tools_of(CATALOG))}


def test_a_vendor_nobody_knows_is_refused_with_those_that_are_known(gateway):
    answer = gateway.send("GET", "/v1/tools?format=abacus")

    assert (answer.status, answer.code) == (422, "invalid_input")
    assert "'openai', 'anthropic', 'gemini' or 'mcp'" in answer.json["error"]["details"]["fields"][0]["problem"]


def test_the_description_is_openapi_with_every_route_and_no_other(gateway, openapi):
    described = {f"{method.upper()} {path}" for path, item in openapi["paths"].items() for method in item}

    assert re.fullmatch(r"3\.1\.\d", openapi["openapi"])
    assert openapi["info"].keys() >= {"title", "version"}
    # What speaks as other services do is described by them.
    own = {route for route, handler in gateway.routes.items() if handler is not compat.handler}
    assert described == own - {"$default"} - UNDESCRIBED


def test_every_schema_of_the_description_is_one(openapi):
    for schema in openapi["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_every_reference_of_the_description_leads_somewhere(openapi):
    references = set(_references(openapi))

    schemas = {f"#/components/schemas/{name}" for name in openapi["components"]["schemas"]}
    assert references <= schemas
    assert len(references) > 20


def _references(node):
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for value in node.values():
            yield from _references(value)
    elif isinstance(node, list):
        for value in node:
            yield from _references(value)


def test_every_operation_of_the_description_is_complete(openapi):
    operations = [(path, operation) for path, item in openapi["paths"].items() for operation in item.values()]

    assert len({operation["operationId"] for _, operation in operations}) == len(operations)
    for path, operation in operations:
        declared = {each["name"] for each in operation.get("parameters", []) if each["in"] == "path"}
        assert declared == set(re.findall(r"{(\w+)}", path))
        assert all(each["required"] for each in operation.get("parameters", []) if each["in"] == "path")
        assert operation["summary"].endswith(".")
        assert "default" in operation["responses"]
        schemes = {name for need in operation.get("security", []) for name in need}
        assert schemes <= openapi["components"]["securitySchemes"].keys()
        for response in operation["responses"].values():
            assert response["description"]
            assert all("schema" in content for content in response["content"].values())


def test_what_needs_a_key_says_so_and_what_is_open_does_not(gateway, openapi):
    for path, item in openapi["paths"].items():
        for method, operation in item.items():
            concrete = path.replace("{job_id}", "0" * 32).replace("{index}", "0")
            refused = gateway.send(method.upper(), concrete).status == 401
            assert bool(operation.get("security")) is refused


def test_answers_are_of_the_shape_that_is_published(gateway, caller, openapi, site, work):
    scrape = "/v1/web/scrape"
    job_path = "/v1/jobs/{job_id}"
    conforms(openapi, "POST", scrape, caller.scrape([f"{site}/1", f"{site}/missing", "ftp://x"], include=["links"]))
    conforms(openapi, "POST", scrape, caller.scrape([site], dry_run=True))
    conforms(openapi, "POST", scrape, caller.scrape([]))
    conforms(openapi, "POST", scrape, gateway.send("POST", scrape))
    conforms(openapi, "POST", "/v1/maps/place", caller.post("/v1/maps/place", {"place_id": "osm:node/1"}))
    pending = caller.scrape([f"{site}/{n}" for n in range(12)])
    conforms(openapi, "POST", scrape, pending)
    work()
    job = pending.json["job_id"]
    conforms(openapi, "GET", job_path, caller.get(f"/v1/jobs/{job}"))
    conforms(openapi, "GET", job_path, caller.get(f"/v1/jobs/{job}?limit=5"))
    conforms(openapi, "GET", job_path, caller.get(f"/v1/jobs/{'0' * 32}"))
    conforms(openapi, "DELETE", job_path, caller.delete(f"/v1/jobs/{job}"))
    conforms(openapi, "POST", f"{job_path}/resume", caller.post(f"/v1/jobs/{job}/resume"))
    conforms(openapi, "GET", f"{job_path}/rows/{{index}}", caller.get(f"/v1/jobs/{job}/rows/3"))
    for path in ("/v1/jobs", "/v1/usage", "/v1/wallet", "/v1/verbs", "/health"):
        conforms(openapi, "GET", path, caller.get(path))


def test_a_body_the_door_takes_is_one_the_description_allows(openapi, caller, site):
    request = openapi["paths"]["/v1/web/scrape"]["post"]["requestBody"]["content"][JSON]["schema"]
    validator = Draft202012Validator({**request, "components": openapi["components"]})
    bodies = {
        "least": {"urls": [site]},
        "options": {"urls": [site], "partial": True, "max_charge_micros": 9000, "include": ["links"], "timeout_s": 2.5},
        "none": {"urls": []},
        "unknown": {"urls": [site], "oops": 1},
        "negative": {"urls": [site], "max_chars": -1},
        "format": {"urls": [site], "format": "pdf"},
    }

    for body in bodies.values():
        assert validator.is_valid(body) is (caller.post("/v1/web/scrape", body).status == 200)
