"""What a process loads before it works, which is most of what a cold start costs."""

import json
import os
import subprocess
import sys

import pytest

LOADED = "import json, sys; json.dump(sorted(sys.modules), sys.stdout)"
AWS = {"boto3", "botocore", "aws_lambda_powertools"}
PAGES = {"aiohttp", "httpx", "turbohtml", "web_scrape.executor", "web_scrape.extract", "verbena.net"}
RARE = {"protego", "playwright", "turbohtml", "verbena.aws.functions"}


def loaded(module):
    """Every module that a fresh process has after importing one."""
    code = f"import {module}; {LOADED}"
    ran = subprocess.run([sys.executable, "-c", code], env=os.environ, capture_output=True, check=True)
    return set(json.loads(ran.stdout))


def test_the_catalog_loads_neither_aws_nor_an_engine():
    assert not loaded("verbena.catalog") & (AWS | PAGES)


@pytest.mark.parametrize("function", ["web_scrape", "web_discover", "maps", "jobs", "compat", "mcp_door"])
def test_a_handler_loads_no_engine_before_its_first_call(function):
    assert not loaded(f"{function}.handler") & PAGES


@pytest.mark.parametrize("function", ["web_scrape", "web_discover", "maps", "jobs", "compat", "mcp_door"])
def test_a_handler_loads_botocore_without_boto3_around_it(function):
    modules = loaded(f"{function}.handler")

    assert "botocore" in modules
    assert not modules & {"boto3", "s3transfer"}


def test_the_executor_loads_what_it_may_need_when_it_needs_it():
    assert not loaded("web_scrape.executor") & RARE


@pytest.mark.parametrize("module", ["calls", "schema", "size", "text", "tool"])
def test_tools_of_chat_models_need_nothing_of_a_server(module):
    assert not loaded(f"verbena.tools.{module}") & (AWS | PAGES | {"verbena.calls", "cryptography", "ada_url"})


def test_the_protocols_own_package_is_in_no_function():
    """It would cost more than all that the door imports."""
    assert not loaded("mcp_door.handler") & {"mcp", "mcp_types", "httpx2", "starlette"}
