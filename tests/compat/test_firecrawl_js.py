"""@mendable/firecrawl-js as npm installs it, with another base URL."""

import json
import shutil
import subprocess
import uuid
from pathlib import Path

import pytest

HERE = Path(__file__).parent / "npm"


@pytest.fixture(scope="module")
def told(service):
    """What the client got for a scrape, a batch, a search and two calls that are refused."""
    node = shutil.which("node")
    if node is None or not (HERE / "node_modules/ready").exists():
        pytest.skip("the JavaScript client is not installed: `make extras` does it where node and npm are")
    command = [node, "firecrawl.mjs", service.url, service.key, service.site, uuid.uuid4().hex]
    ran = subprocess.run(command, cwd=HERE, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def test_a_page_is_scraped(told, site):
    page = told["page"]

    assert page["markdown"].startswith("# Harbour")
    assert "<h1>Harbour</h1>" in page["html"]
    assert page["links"] == [f"{site}/fares"]
    assert (page["metadata"]["sourceURL"], page["metadata"]["statusCode"]) == (f"{site}/article", 200)


def test_a_batch_of_thirteen_has_twelve_documents_and_one_error(told):
    batch = told["batch"]
    (error,) = told["errors"]

    assert (batch["status"], batch["completed"], batch["total"], batch["creditsUsed"]) == ("completed", 13, 13, 12)
    assert len(batch["data"]) == 12
    assert all(page["markdown"].startswith("# Harbour") for page in batch["data"])
    assert "/missing?" in error["url"]
    assert error["code"] == "SCRAPE_SITE_ERROR"


def test_a_batch_started_again_with_its_key_is_the_same_batch(told):
    assert told["started"]["id"] == told["again"]["id"]
    assert told["started"]["url"].endswith(f"/v2/batch/scrape/{told['started']['id']}")


def test_a_search_has_hits_under_web(told):
    assert len(told["web"]) == 2
    assert all(hit["url"] and hit["title"] and hit["description"] for hit in told["web"])


def test_a_refusal_is_an_error_of_the_client_with_words_to_act_on(told):
    refused, missing = told["refused"], told["missing"]

    assert (refused["isSdkError"], refused["status"], refused["code"]) == (True, 400, "BAD_REQUEST")
    assert "'summary' is not served" in refused["message"]
    assert (missing["isSdkError"], missing["status"], missing["code"]) == (True, 404, "not_found")
    assert "POST /v2/crawl is not served" in missing["message"]
