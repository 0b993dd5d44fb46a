"""The development owner, its key and its funded wallet, written through the product's own stores."""

import secrets
from typing import Any

from local.stack import Stack
from verbena.aws.keys import ApiKey, Keys
from verbena.aws.ledger import LedgerTable
from verbena.aws.table import Table

OWNER = "dev"
SCOPES = ("web", "maps", "documents", "jobs", "pin", "admin")
FUNDS_MICROS = 1_000_000_000


def seed(stack: Stack, secret: str) -> None:
    """Make `secret` a key with every scope and fill its owner's wallet; run again, nothing is doubled."""
    dynamodb = stack.client("dynamodb")
    _keys(dynamodb, stack).put(secret, ApiKey(key_id="dev", owner=OWNER, scopes=SCOPES))
    ledger = LedgerTable(Table(dynamodb, stack.deployment.outputs["LedgerTable"]))
    ledger.top_up(OWNER, FUNDS_MICROS)


def new_key() -> str:
    return f"vb_{secrets.token_urlsafe(24)}"


def _keys(dynamodb: Any, stack: Stack) -> Keys:
    return Keys(Table(dynamodb, stack.deployment.outputs["ConfigTable"]))
