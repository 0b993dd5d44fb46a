"""The results bucket: inputs, rows and answers, written once and removed by its lifecycle rule."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Bucket:
    """One S3 bucket; `connect` gives the client, which an inline call seldom needs."""

    connect: Callable[[], Any]
    name: str
    content_type: str = "application/json"

    def put(self, key: str, body: bytes) -> None:
        self.connect().put_object(Bucket=self.name, Key=key, Body=body, ContentType=self.content_type)

    def get(self, key: str) -> bytes | None:
        """The body, or None if there is no such object."""
        client = self.connect()
        try:
            answer = client.get_object(Bucket=self.name, Key=key)
        except client.exceptions.NoSuchKey:
            return None
        body: bytes = answer["Body"].read()
        return body
