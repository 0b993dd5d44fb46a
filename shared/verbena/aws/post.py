"""Messages to queues that are not this product's own: replies, and what was refused with the reason beside it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Post:
    """`connect` gives SQS's client; what AWS refuses is its own error."""

    connect: Callable[[], Any]
    _urls: dict[str, str] = field(default_factory=dict)

    def send(self, queue: str, body: str, attributes: Mapping[str, str]) -> None:
        """Send to a queue by its URL or ARN."""
        typed = {name: {"DataType": "String", "StringValue": value} for name, value in attributes.items()}
        self.connect().send_message(QueueUrl=self._url(queue), MessageBody=body, MessageAttributes=typed)

    def delay(self, queue: str, receipt: str, seconds: int) -> None:
        """Let a message that was received be delivered again after so long."""
        self.connect().change_message_visibility(
            QueueUrl=self._url(queue), ReceiptHandle=receipt, VisibilityTimeout=seconds
        )

    def _url(self, queue: str) -> str:
        if not queue.startswith("arn:"):
            return queue
        if queue not in self._urls:
            *_, account, name = queue.split(":")
            found = self.connect().get_queue_url(QueueName=name, QueueOwnerAWSAccountId=account)
            self._urls[queue] = found["QueueUrl"]
        return self._urls[queue]
