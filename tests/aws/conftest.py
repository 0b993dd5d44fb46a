"""The template's tables in two emulators: what both take, and answer alike, is likely what DynamoDB does."""

import uuid

import boto3
import pytest
from moto import mock_aws

from local.package import TABLE, read_template, resources
from local.stack import ROOT
from verbena.aws.table import Table
from verbena.aws.transact import TableTransactions

DEFINED = ("AttributeDefinitions", "BillingMode", "GlobalSecondaryIndexes", "KeySchema")


@pytest.fixture(scope="module", params=["moto", "ministack"])
def tables(request):
    """The template's tables by logical id; tests of one file share them, so they use ids of their own."""
    if request.param == "ministack":
        stack = request.getfixturevalue("ministack")
        client = boto3.client("dynamodb", endpoint_url=stack.endpoint)
        yield {name: Table(client, physical) for name, physical in stack.deployment.physical.items() if "Table" in name}
        return
    with mock_aws():
        client = boto3.client("dynamodb")
        template = read_template(ROOT / "template.yaml")
        for name, table in resources(template, TABLE).items():
            client.create_table(TableName=name, **{key: table[key] for key in DEFINED if key in table})
        yield {name: Table(client, name) for name in resources(template, TABLE)}


@pytest.fixture(scope="module")
def commit(tables):
    """Commits some writes, each time as a transaction of its own; the names of those refused."""
    transactions = TableTransactions(tables["LedgerTable"].client)
    return lambda *writes: transactions.commit(writes, uuid.uuid4().hex)


@pytest.fixture
def new_id():
    return uuid.uuid4().hex
