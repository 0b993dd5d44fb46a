"""Part messages on SQS: batches within its limits, what it did not accept sent again."""

import json
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError, HTTPClientError
from botocore.exceptions import ConnectionError as NoConnection

from verbena.capability import Capability
from verbena.errors import InternalError, Unavailable
from verbena.jobs import Part

BATCH_MESSAGES = 10
# The limit of SQS is 1 MiB a batch, 256 KiB where an account has not been moved to it.
BATCH_BYTES = 200 * 1024
TRIES = 6
FIRST_WAIT_S = 0.1

Entry = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Queues:
    """The part queue of each function package; `urls` is keyed by package name, `connect` gives the client."""

    connect: Callable[[], Any]
    urls: Mapping[str, str]
    verbs: Mapping[str, Capability]
    sleep: Callable[[float], None] = time.sleep

    def send(self, verb: str, owner: str, parts: Iterable[tuple[Part, int]]) -> None:
        """Send parts in the owner's fair share of the queue; Unavailable if some are never accepted."""
        url = self._url(verb)
        for batch in _batches(_entry(part, delay, owner) for part, delay in parts):
            self._send_all(url, batch)

    def _url(self, verb: str) -> str:
        """Typed, because a job may outlive its verb: the sweeper goes on to the others then."""
        try:
            return self.urls[self.verbs[verb].package]
        except KeyError as missing:
            raise InternalError(f"no queue here takes the parts of {verb}") from missing

    def _send_all(self, url: str, batch: list[Entry]) -> None:
        left = {str(number): entry | {"Id": str(number)} for number, entry in enumerate(batch)}
        for tried in range(TRIES):
            try:
                answer = self.connect().send_message_batch(QueueUrl=url, Entries=list(left.values()))
            except (ClientError, HTTPClientError, NoConnection) as error:  # botocore has tried again already
                raise Unavailable("the queue cannot be reached") from error
            left = {failure["Id"]: left[failure["Id"]] for failure in answer.get("Failed", [])}
            if not left:
                return
            self.sleep(random.uniform(0, FIRST_WAIT_S * 2**tried))  # noqa: S311 - jitter
        message = f"the queue did not accept {len(left)} parts"
        raise Unavailable(message)

    def retry_soon(self, package: str, receipt: str, after_s: int) -> None:
        """Let a message that failed be delivered again before its visibility runs out."""
        self.connect().change_message_visibility(
            QueueUrl=self.urls[package], ReceiptHandle=receipt, VisibilityTimeout=after_s
        )


def _entry(part: Part, delay: int, owner: str) -> Entry:
    """MessageGroupId on a standard queue makes it fair: one owner's batch cannot starve the others.

    ASCII, because SQS refuses some characters that a caller's text may hold (U+FFFF) and JSON can write in others.
    """
    body = json.dumps(part.message(), separators=(",", ":"))
    return {"MessageBody": body, "DelaySeconds": delay, "MessageGroupId": owner}


def _batches(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    batch: list[Entry] = []
    size = 0
    for entry in entries:
        length = len(entry["MessageBody"].encode())
        if batch and (len(batch) == BATCH_MESSAGES or size + length > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(entry)
        size += length
    if batch:
        yield batch
