"""Who may do what: keys, scopes, owners, rates."""

import pytest

SCRAPE = "/v1/web/scrape"
OPEN = ["/health", "/openapi.json", "/v1/verbs"]
WITH_ANY_KEY = ["/v1/wallet", "/v1/usage"]
FOR_JOBS = [
    ("GET", "/v1/jobs"),
    ("GET", f"/v1/jobs/{'0' * 32}"),
    ("GET", f"/v1/jobs/{'0' * 32}/rows/0"),
    ("DELETE", f"/v1/jobs/{'0' * 32}"),
    ("POST", f"/v1/jobs/{'0' * 32}/resume"),
]


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Bearer {key}"},
        {"Authorization": "bearer {key}"},
        {"authorization": "Bearer  {key} "},
        {"X-API-Key": "{key}"},
        {"Authorization": "Basic dTpw", "X-API-Key": "{key}"},
    ],
)
def test_a_key_opens_in_either_header(gateway, caller, headers):
    sent = {name: value.format(key=caller.key) for name, value in headers.items()}

    assert gateway.send("GET", "/v1/wallet", headers=sent).status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": ""},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer nobodys"},
        {"Authorization": "{key}"},
        {"Authorization": "Basic {key}"},
        {"X-API-Key": ""},
        {"X-API-Key": "nobodys"},
        {"Cookie": "key={key}"},
    ],
)
@pytest.mark.parametrize(("method", "target"), [("POST", SCRAPE), ("GET", "/v1/wallet"), *FOR_JOBS])
def test_without_a_known_key_there_is_a_challenge_and_nothing_else(gateway, caller, method, target, headers):
    sent = {name: value.format(key=caller.key) for name, value in headers.items()}

    answer = gateway.send(method, target, '{"urls": []}', sent)

    assert (answer.status, answer.code) == (401, "unauthorized")
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="verbena"'
    assert answer.json.keys() == {"status", "error"}


@pytest.mark.parametrize("target", OPEN)
def test_some_paths_are_open_to_everybody(gateway, target):
    assert gateway.send("GET", target).status == 200


@pytest.mark.parametrize("target", WITH_ANY_KEY)
def test_a_key_without_scopes_sees_its_own_money(new_caller, target):
    assert new_caller(scopes=()).get(target).status == 200


@pytest.mark.parametrize(("method", "target"), FOR_JOBS)
def test_jobs_need_their_scope(new_caller, method, target):
    answer = new_caller(scopes=("web", "maps")).send(method, target)

    assert (answer.status, answer.code) == (403, "forbidden")
    assert answer.json["error"]["details"] == {"scope": "jobs"}


@pytest.mark.parametrize(
    ("target", "scope"), [(SCRAPE, "web"), ("/v1/web/discover", "web"), ("/v1/maps/search", "maps")]
)
def test_a_verb_needs_the_scope_of_its_namespace(new_caller, target, scope):
    others = tuple({"web", "maps", "jobs", "pin"} - {scope})

    answer = new_caller(scopes=others).post(target, {"urls": ["https://e.test"]})

    assert (answer.status, answer.code) == (403, "forbidden")
    assert answer.json["error"]["details"] == {"scope": scope}


def test_a_job_is_there_for_its_owner_alone(caller, new_caller):
    job = caller.scrape(["https://e.invalid"], **{"async": True}).json["job_id"]
    stranger, colleague = new_caller(), new_caller(owner=caller.owner)

    for method, target in [(method, target.replace("0" * 32, job)) for method, target in FOR_JOBS[1:]]:
        answer = stranger.send(method, target)
        assert (answer.status, answer.code) == (404, "not_found")
    assert stranger.get("/v1/jobs").json["jobs"] == []

    assert caller.get(f"/v1/jobs/{job}").json["status"] == "pending"
    assert [each["job_id"] for each in colleague.get("/v1/jobs").json["jobs"]] == [job]
    assert colleague.delete(f"/v1/jobs/{job}").status == 200


def test_resuming_needs_the_scope_of_the_verb_too(caller, new_caller):
    job = caller.scrape(["https://e.invalid"], **{"async": True}).json["job_id"]
    caller.delete(f"/v1/jobs/{job}")

    answer = new_caller(owner=caller.owner, scopes=("jobs",)).post(f"/v1/jobs/{job}/resume")

    assert (answer.status, answer.json["error"]["details"]) == (403, {"scope": "web"})


def test_a_key_over_its_rate_is_told_when_to_come_back(new_caller):
    limited = new_caller(rate_limit="3/h")

    answers = [limited.get("/v1/wallet") for _ in range(5)]

    assert [answer.status for answer in answers] == [200, 200, 200, 429, 429]
    assert answers[-1].code == "too_many_requests"
    assert answers[-1].json["error"]["retryable"] is True
    assert 1100 < int(answers[-1].headers["Retry-After"]) <= 1200


def test_a_call_over_the_rate_is_neither_run_nor_billed(new_caller, site):
    limited = new_caller(rate_limit="1/d")
    limited.get("/v1/wallet")

    assert limited.scrape([site]).status == 429

    unlimited = new_caller(owner=limited.owner)
    assert unlimited.wallet == (1_000_000, 0)


def test_keys_of_one_owner_have_their_own_rates(new_caller):
    one = new_caller(rate_limit="1/h")
    other = new_caller(rate_limit="1/h", owner=one.owner)

    assert [caller.get("/v1/usage").status for caller in (one, other, one)] == [200, 200, 429]


def test_a_key_without_a_rate_has_the_operators(changed, new_caller):
    with changed(VERBENA_RATE_LIMIT="2/h"):
        usual, special = new_caller(), new_caller(rate_limit="9/h")

        statuses = [[caller.get("/v1/usage").status for _ in range(4)] for caller in (usual, special)]

    assert statuses == [[200, 200, 429, 429], [200] * 4]


def test_a_refusal_and_the_log_of_it_never_hold_the_key(gateway, caller, logged, site):
    key = caller.key
    replies = [
        caller.scrape([site], oops=1),
        caller.scrape([site], max_chars=key),
        caller.get("/v1/nowhere"),
        caller.send("POST", SCRAPE, "{" + key),
        caller.scrape([site], idempotency_key=key),
        gateway.send("GET", "/v1/wallet", headers={"Authorization": f"Bearer {key}x"}),
        gateway.send("GET", "/v1/wallet", headers={"X-API-Key": f"{key}x", "Cookie": key}),
    ]

    assert [reply.status for reply in replies] == [422, 422, 404, 400, 200, 401, 401]
    assert not any(key.encode() in reply.body for reply in replies)
    assert "/v1/nowhere" in logged()
    assert key not in logged()


def test_a_door_whose_store_fails_says_so_in_the_envelope_and_logs_why_without_the_key(caller, changed, logged):
    with changed(VERBENA_CONFIG_TABLE="no-such-table"):
        answer = caller.get("/v1/wallet")

    assert (answer.status, answer.code) == (500, "internal_error")
    assert "no-such-table" not in answer.body.decode()
    assert "ResourceNotFoundException" in logged()
    assert answer.headers["X-Request-Id"] in logged()
    assert caller.key not in logged()
