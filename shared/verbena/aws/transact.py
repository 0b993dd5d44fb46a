"""Commit several conditional writes at once; the only place that retries a conflict."""

import hashlib
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError, HTTPClientError
from botocore.exceptions import ConnectionError as NoConnection

from verbena.errors import Unavailable
from verbena.ports import Write

TRIES = 12
FIRST_WAIT_S = 0.02
LONGEST_WAIT_S = 0.6
# All the waits of a contended item fit in; the tries of a store that does not answer, seconds each, do not.
GIVE_UP_S = 6.0

# botocore retries none of these inside a transaction; the wallet is the hottest item there is.
TRANSIENT_REASONS = {
    "TransactionConflict",
    "ThrottlingError",
    "ProvisionedThroughputExceeded",
    "RequestLimitExceeded",
}
TRANSIENT_ERRORS = {
    "TransactionInProgressException",
    "TransactionConflictException",
    "ThrottlingException",
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "InternalServerError",
    "ServiceUnavailable",
}


@dataclass(frozen=True, slots=True)
class TableTransactions:
    """TransactWriteItems over one DynamoDB client."""

    client: Any
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic

    def commit(self, writes: Sequence[Write], token: str) -> frozenset[str]:
        """Apply all or nothing; the names of the refused writes. Unavailable when the store stays busy."""
        request = {
            "TransactItems": [write.operation for write in writes],
            "ClientRequestToken": request_token(token),
        }
        started = self.clock()
        for tried in range(TRIES):
            if tried:
                if self.clock() - started > GIVE_UP_S:
                    break
                self.sleep(random.uniform(0, min(LONGEST_WAIT_S, FIRST_WAIT_S * 2**tried)))  # noqa: S311 - jitter
            if (refused := self._tried(request, writes)) is not None:
                return refused
        raise Unavailable

    def _tried(self, request: dict[str, Any], writes: Sequence[Write]) -> frozenset[str] | None:
        """What one try came to; None when it is worth another."""
        try:
            self.client.transact_write_items(**request)
        except (NoConnection, HTTPClientError):
            return None
        except ClientError as error:
            if refused := _refused(error, writes):
                return refused
            if not _is_transient(error):
                raise
            return None
        return frozenset()


def request_token(token: str) -> str:
    """A ClientRequestToken: at most 36 characters, the same for every try of one transaction."""
    return hashlib.sha256(token.encode()).hexdigest()[:36]


def _refused(error: ClientError, writes: Sequence[Write]) -> frozenset[str]:
    reasons = error.response.get("CancellationReasons", [])
    failed = (write.name for write, reason in zip(writes, reasons, strict=False) if _is_refusal(reason))
    return frozenset(failed)


def _is_refusal(reason: dict[str, Any]) -> bool:
    return reason.get("Code") == "ConditionalCheckFailed"


def _is_transient(error: ClientError) -> bool:
    code = error.response.get("Error", {}).get("Code")
    if code != "TransactionCanceledException":
        return code in TRANSIENT_ERRORS
    codes = {reason.get("Code", "None") for reason in error.response.get("CancellationReasons", [])} - {"None"}
    return bool(codes) and codes <= TRANSIENT_REASONS
