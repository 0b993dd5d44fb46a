"""Each double takes what its contract allows and refuses everything else."""

import httpx
import pytest

from tests.doubles import VENDORS, made, running

ENDPOINTS = [
    pytest.param(name, endpoint, id=f"{name}-{endpoint.path}")
    for name, vendor in VENDORS.items()
    for endpoint in vendor.endpoints
]
PARAMETERS = [
    pytest.param(name, endpoint, path, schema, id=f"{name}-{endpoint.path}-{'.'.join(map(str, path))}")
    for name, vendor in VENDORS.items()
    for endpoint in vendor.endpoints
    for path, schema in made.parameters(endpoint.schema)
]
WRONG = [
    pytest.param(*case.values[:3], value, id=f"{case.id}-{rule}")
    for case in PARAMETERS
    for rule, value in made.wrong(case.values[3])
]


@pytest.fixture(scope="module")
def doubles():
    with contextlib.ExitStack() as stack:
        yield {name: stack.enter_context(running(name)) for name in VENDORS}


def in_query(value):
    if isinstance(value, list):
        return [in_query(one) for one in value]
    return str(value).lower() if isinstance(value, bool) else str(value)


def ask(double, endpoint, asked, **headers):
    """The reply to a request with these parameters and a right credential, and the problem the double saw."""
    double.refusals.clear()
    sent = {"json": asked}
    if endpoint.where == "query":
        sent = {"params": {name: in_query(value) for name, value in asked.items()}}
    credential = double.vendor.credential(double.key)
    sent["params"] = {**sent.get("params", {}), **credential.get("params", {})}
    headers = {**credential.get("headers", {}), **headers}
    reply = httpx.request(endpoint.method, double.base_url + endpoint.path, headers=headers, timeout=30, **sent)
    return reply, (double.refusals or [None])[0]
