"""The development owner, its key and its funded wallet, written through the product's own stores."""

import time
from typing import Any

from local.stack import Stack
from verbena.aws.keys import ApiKey, Keys
from verbena.aws.ledger import LedgerTable
from verbena.aws.table import Table
from verbena.catalog import SCOPES
from verbena.ports import iso

OWNER = "dev"
FUNDS_MICROS = 1_000_000_000


def seed(stack: Stack, secret: str) -> None:
    """Make `secret` a key with every scope and fill its owner's wallet; run again, nothing is doubled."""
    dynamodb = stack.client("dynamodb")
    _keys(dynamodb, stack).put(secret, ApiKey("dev", OWNER, SCOPES, created_at=iso(time.time())))
    ledger = LedgerTable(Table(dynamodb, stack.deployment.outputs["LedgerTable"]))
    ledger.top_up(OWNER, FUNDS_MICROS)


def _keys(dynamodb: Any, stack: Stack) -> Keys:
    return Keys(Table(dynamodb, stack.deployment.outputs["ConfigTable"]))
