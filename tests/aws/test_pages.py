"""Kept pages in a table and a bucket, and that the store in memory agrees."""

from dataclasses import replace

import boto3
import pytest
from botocore.config import Config

from verbena.aws.objects import Bucket
from verbena.aws.pages import KeptPages
from verbena.aws.table import Table
from verbena.memory import PageMemory
from verbena.pages import KeptPage

NOON, DAY = 1_800_000_000, 86_400
BODY = "<p>Größe</p>".encode() * 1000


def kept(name, at=NOON, **more):
    told = {"headers": {"ETag": '"a"'}, "redirects": ["https://port.example/old"]} | more
    return KeptPage("https://port.example/", 200, 150, at, at, f"pages/{name}/{at}", **told)


@pytest.fixture(params=["table", "memory"])
def pages(request):
    if request.param == "memory":
        return PageMemory(7 * DAY)
    stack = request.getfixturevalue("ministack")
    dynamodb, s3 = (boto3.client(service, endpoint_url=stack.endpoint) for service in ("dynamodb", "s3"))
    bucket = Bucket(lambda: s3, stack.deployment.outputs["ResultsBucket"])
    return KeptPages(Table(dynamodb, stack.deployment.physical["JobsTable"]), bucket, 7 * DAY)


def test_a_page_comes_back_as_it_was_kept(pages, new_id):
    pages.put(new_id, kept(new_id), BODY)

    found = pages.find(new_id, NOON)
    assert found == kept(new_id)
    assert pages.body(found) == BODY


def test_there_is_nothing_where_nothing_was_kept(pages, new_id):
    assert pages.find(new_id, NOON) is None
    assert pages.body(kept(new_id)) is None


def test_a_page_is_forgotten_when_its_time_is_over_however_late_it_was_confirmed(pages, new_id):
    pages.put(new_id, kept(new_id), BODY)
    renewed = replace(kept(new_id), confirmed_at=NOON + DAY)
    pages.put(new_id, renewed)

    assert pages.find(new_id, NOON + 7 * DAY - 1) == renewed
    assert pages.find(new_id, NOON + 7 * DAY) is None


def test_a_new_reading_leaves_the_body_of_an_older_one_to_those_who_read_it(pages, new_id):
    pages.put(new_id, kept(new_id), BODY)
    older = pages.find(new_id, NOON)
    pages.put(new_id, kept(new_id, NOON + 1), b"<p>new</p>")

    assert pages.body(older) == BODY
    assert pages.body(pages.find(new_id, NOON + 1)) == b"<p>new</p>"


def test_a_store_that_fails_has_no_page_and_says_so_in_the_log(caplog):
    nowhere = Config(connect_timeout=0.2, read_timeout=0.2, retries={"total_max_attempts": 1})
    asked = {"endpoint_url": "http://127.0.0.1:9", "config": nowhere}
    s3 = boto3.client("s3", **asked)
    pages = KeptPages(Table(boto3.client("dynamodb", **asked), "jobs"), Bucket(lambda: s3, "results"), DAY)

    assert pages.find("a", NOON) is None
    assert pages.body(kept("a")) is None
    pages.put("a", kept("a"), BODY)
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        f"the store of pages failed at {name}" for name in ("find", "body", "put")
    ]


@pytest.mark.parametrize("pages", ["table"], indirect=True)
def test_a_body_that_cannot_be_unpacked_is_none(pages, new_id):
    pages.bucket.put(kept(new_id).content, b"no zstd")

    assert pages.body(kept(new_id)) is None
