"""What operators do with a deployed stack, from the first key on."""

import json
import re
import socket

import httpx
import pytest

from local.stack import Stack
from verbena.catalog import SCOPES

from .conftest import caller


@pytest.fixture(scope="module")
def fresh():
    """A deploy that nobody has used yet."""
    with Stack(settings={"VERBENA_ALLOW_NETWORKS": "127.0.0.1/32"}) as running:
        yield running


@pytest.fixture
def operator(fresh):
    """Runs `verbena` with AWS credentials for the fresh deploy."""
    return caller(fresh.env)


@pytest.fixture
def made(operator):
    """Makes keys, and gives what is said of them."""

    def make(*words):
        result = operator("keys", "create", *words)
        assert result.exit_code == 0, result.stderr
        return json.loads(result.stdout)

    return make


def get(stack, path, key):
    return httpx.get(stack.base_url + path, headers={"X-API-Key": key})


def test_a_fresh_deploy_gets_its_first_owner_key_and_wallet_once(fresh, operator):
    first = operator("init", "--owner", "acme", "--usd", "2.50")
    second = operator("init")

    made = json.loads(first.stdout)
    assert (made["owner"], made["scopes"], made["deposited_micros"]) == ("acme", list(SCOPES), 2_500_000)
    assert get(fresh, "/v1/wallet", made["key"]).json() == {"available_micros": 2_500_000, "held_micros": 0}
    assert made["base_url"].startswith("http")
    assert second.exit_code == 1
    assert "keys already" in second.stderr
    assert "verbena keys create" in second.stderr


def test_a_key_is_shown_once_and_kept_as_a_hash(fresh, operator, made):
    key = made("--owner", "hashed")["key"]

    listed = operator("keys", "list", "-o", "json").stdout + operator("keys", "list", "-o", "text").stdout
    kept = fresh.client("dynamodb").scan(TableName=fresh.deployment.outputs["ConfigTable"])["Items"]
    assert key.startswith("vb_")
    assert key not in listed
    assert key not in json.dumps(kept)


def test_a_key_does_what_its_scopes_say_and_no_more(fresh, made):
    narrow = made("--owner", "narrow", "--scope", "maps", "--scope", "jobs")["key"]

    assert get(fresh, "/v1/jobs", narrow).status_code == 200
    refused = httpx.post(f"{fresh.base_url}/v1/web/scrape", headers={"X-API-Key": narrow}, json={"urls": ["x"]})
    assert (refused.status_code, refused.json()["error"]["details"]) == (403, {"scope": "web"})


def test_a_key_can_use_every_verb_and_jobs_unless_told_otherwise(made):
    assert made("--owner", "usual")["scopes"] == [scope for scope in SCOPES if scope not in {"pin", "admin"}]


def test_a_key_has_its_own_rate(fresh, made):
    slow = made("--owner", "slow", "--rate", "1/h")["key"]

    assert [get(fresh, "/v1/wallet", slow).status_code for _ in range(2)] == [200, 429]


def test_keys_are_listed_with_whom_they_speak_for(operator, made):
    key = made("--owner", "listed", "--rate", "60/m")

    listed = operator("keys", "list", "-o", "text").stdout

    (line,) = [line for line in listed.splitlines() if key["key_id"] in line]
    assert re.fullmatch(
        rf"{key['key_id']} +listed +web maps jobs +60/m +20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", line.strip()
    )
    assert {told["key_id"]: told for told in json.loads(operator("keys", "list").stdout)}[key["key_id"]] == {
        name: value for name, value in key.items() if name != "key"
    }


def test_a_revoked_key_opens_nothing(fresh, operator, made):
    key = made("--owner", "gone")

    result = operator("keys", "revoke", key["key_id"], "-o", "text")

    assert result.exit_code == 0
    assert f"{key['key_id']} of gone is revoked" in result.stderr
    assert get(fresh, "/v1/wallet", key["key"]).status_code == 401
    assert key["key_id"] not in operator("keys", "list").stdout


def test_what_is_no_key_cannot_be_revoked(operator):
    result = operator("keys", "revoke", "key_of_nobody")

    assert result.exit_code == 1
    assert "there is no key 'key_of_nobody'" in result.stderr


def test_a_wallet_is_made_and_filled_and_shown(fresh, operator, made):
    key = made("--owner", "funded")["key"]
    missing = operator("wallet", "show", "--owner", "funded")

    operator("wallet", "top-up", "0.000001", "--owner", "funded")
    filled = json.loads(operator("wallet", "top-up", "25", "--owner", "funded").stdout)

    assert missing.exit_code == 1
    assert "funded has no wallet" in missing.stderr
    funds = {"available_micros": 25_000_001, "held_micros": 0}
    assert filled == {"owner": "funded", **funds, "deposited_micros": 25_000_001}
    assert get(fresh, "/v1/wallet", key).json() == funds
    assert "$25.000001" in operator("wallet", "--owner", "funded", "-o", "text").stdout


def test_the_bill_of_any_owner_is_what_its_own_key_reads_and_what_its_wallet_lost(fresh, operator, made, site):
    key = made("--owner", "billed")["key"]
    operator("wallet", "top-up", "1", "--owner", "billed")
    httpx.post(f"{fresh.base_url}/v1/web/scrape", headers={"X-API-Key": key}, json={"urls": site.pages(2)})

    bill = json.loads(operator("usage", "--owner", "billed", "--from", "2020-01-01").stdout)
    wallet = json.loads(operator("wallet", "--owner", "billed").stdout)

    assert bill == get(fresh, "/v1/usage?from=2020-01-01", key).json()
    assert bill["charge_micros"] == 2000
    assert wallet["deposited_micros"] - wallet["available_micros"] == bill["charge_micros"]


def test_prices_are_those_of_the_server_beside_the_defaults(fresh):
    verbena = caller({"VERBENA_URL": fresh.base_url})

    said = verbena("prices", "-o", "text").stdout
    prices = {price["unit"]: price for price in json.loads(verbena("prices").stdout)}

    assert re.search(r"web_crawl +\$0.001 +\$0.001 +one page read with success", said)
    assert prices["maps_place"]["default_micros"] == 3500


@pytest.mark.parametrize(
    "words",
    [
        ["keys", "create", "--owner", "a/b"],
        ["keys", "create", "--owner", ""],
        ["keys", "create", "--owner", "a", "--scope", "everything"],
        ["keys", "create", "--owner", "a", "--rate", "fast"],
        ["keys", "create"],
        ["wallet", "top-up", "-1", "--owner", "a"],
        ["wallet", "top-up", "0", "--owner", "a"],
        ["wallet", "top-up", "1e3", "--owner", "a"],
        ["wallet", "top-up", "0.0000001", "--owner", "a"],
        ["wallet", "top-up", "9999999999", "--owner", "a"],
        ["usage", "--owner", "a", "--from", "yesterday"],
    ],
    ids=" ".join,
)
def test_what_makes_no_sense_is_a_usage_error(operator, words):
    assert operator(*words).exit_code == 2


def test_a_stack_that_is_not_there_is_named(operator):
    result = operator("keys", "list", "--stack", "elsewhere")

    assert result.exit_code == 1
    assert "there is no stack 'elsewhere'" in result.stderr
    assert "--stack" in result.stderr


def test_an_aws_that_does_not_answer_is_said_with_what_to_check(fresh, operator):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

    result = caller(fresh.env | {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}"})("keys", "list")

    assert result.exit_code == 1
    assert "Check AWS_ENDPOINT_URL" in result.stderr


def test_without_credentials_the_command_says_how_to_give_some(operator, fresh):
    nothing = {"AWS_ACCESS_KEY_ID": None, "AWS_SECRET_ACCESS_KEY": None, "AWS_EC2_METADATA_DISABLED": "true"}
    files = dict.fromkeys(["AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE"], "/dev/null")

    result = caller(fresh.env | nothing | files)("keys", "list")

    assert result.exit_code == 1
    assert "AWS_PROFILE" in result.stderr
