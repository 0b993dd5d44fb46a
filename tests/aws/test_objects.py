"""Bodies in S3: as they were put, and None where there is none."""

import boto3
import pytest

from verbena.aws.objects import Bucket


@pytest.fixture(scope="module")
def bucket(ministack):
    client = boto3.client("s3", endpoint_url=ministack.endpoint)
    return Bucket(lambda: client, ministack.deployment.outputs["ResultsBucket"])


@pytest.mark.parametrize("body", [b"{}", b"", "naïve \U0001f600".encode(), bytes(range(256)) * 20_000])
def test_a_body_comes_back_as_it_was_put(bucket, new_id, body):
    bucket.put(f"jobs/{new_id}/parts/0007.1/a.json", body)

    assert bucket.get(f"jobs/{new_id}/parts/0007.1/a.json") == body


def test_there_is_nothing_where_nothing_was_put(bucket, new_id):
    assert bucket.get(f"calls/{new_id}.json") is None


def test_a_bucket_that_is_not_there_is_not_taken_for_a_missing_body(bucket, new_id):
    elsewhere = Bucket(bucket.connect, f"no-{new_id}")

    with pytest.raises(bucket.connect().exceptions.NoSuchBucket):
        elsewhere.get("calls/x.json")
