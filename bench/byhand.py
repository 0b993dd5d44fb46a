"""The work of a scraping job, written by hand on SQS and DynamoDB and nothing more: the yardstick of jobs.

As a script, `byhand.py queue table` is one consumer: it takes a message of URLs, reads the pages with the product's
own fetch and reader, writes the rows in one batch, counts them and deletes the message. No bill, no order, no limit of
a row's size; a page that fails, or a message that comes twice, is counted wrong.
"""

import asyncio
import json
import sys
import time
import uuid
from collections.abc import Iterator
from typing import Any

import boto3

from verbena.guard import Guard
from verbena.net import Client
from web_scrape.cache import Seen
from web_scrape.fetch import Patience, fetch
from web_scrape.page import read_page
from web_scrape.rows import page_row

PART = 10


def batches(urls: list[str]) -> Iterator[list[str]]:
    """Bodies for send_message_batch: messages of PART URLs, ten at a time."""
    bodies = [json.dumps(urls[first : first + PART]) for first in range(0, len(urls), PART)]
    yield from (bodies[first : first + 10] for first in range(0, len(bodies), 10))


def submit(sqs: Any, queue: str, urls: list[str]) -> None:
    for bodies in batches(urls):
        entries = [{"Id": str(number), "MessageBody": body} for number, body in enumerate(bodies)]
        sqs.send_message_batch(QueueUrl=queue, Entries=entries)


def counter(queue: str) -> dict[str, Any]:
    """The key of the item that counts a queue's pages."""
    return {"pk": {"S": "byhand"}, "sk": {"S": queue}}


async def consume(queue: str, table: str) -> None:
    """Work messages until the process is ended."""
    sqs, dynamodb = boto3.client("sqs"), boto3.client("dynamodb")
    async with Client(Guard.of(["127.0.0.1/32"], [])) as client:
        while True:
            answer = sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=10, WaitTimeSeconds=5)
            for message in answer.get("Messages", []):
                rows = await read(client, json.loads(message["Body"]))
                dynamodb.batch_write_item(RequestItems={table: [{"PutRequest": {"Item": _item(row)}} for row in rows]})
                dynamodb.update_item(
                    TableName=table,
                    Key=counter(queue),
                    UpdateExpression="ADD done :done",
                    ExpressionAttributeValues={":done": {"N": str(len(rows))}},
                )
                sqs.delete_message(QueueUrl=queue, ReceiptHandle=message["ReceiptHandle"])


def _item(row: dict[str, Any]) -> dict[str, Any]:
    return {"pk": {"S": uuid.uuid4().hex}, "sk": {"S": "row"}, "row": {"S": json.dumps(row)}}


async def read(client: Client, urls: list[str]) -> list[dict[str, Any]]:
    """The rows of some pages, all read at once."""

    async def row(index: int, url: str) -> dict[str, Any]:
        reply = await fetch(client, url, patience=Patience(15))
        page = read_page(reply.body, url=reply.url, content_type=reply.headers.get("Content-Type"))
        return page_row(index, url, Seen(url, reply, time.time()), page).model_dump(mode="json", exclude_unset=True)

    return list(await asyncio.gather(*(row(index, url) for index, url in enumerate(urls))))


if __name__ == "__main__":
    asyncio.run(consume(*sys.argv[1:3]))
