"""What a development stack starts with: an owner, its key and wallet, and the usual providers."""

import time
from typing import Any

from local.stack import Stack
from verbena.aws.connections import Connections
from verbena.aws.keys import ApiKey, Keys
from verbena.aws.ledger import LedgerTable
from verbena.aws.providers import Providers
from verbena.aws.slots import Slots
from verbena.aws.table import Table
from verbena.aws.vault import Vault
from verbena.catalog import SCOPES, VERBS
from verbena.doors import providers
from verbena.ports import iso

OWNER = "dev"
FUNDS_MICROS = 1_000_000_000


def seed(stack: Stack, secret: str) -> None:
    """Make `secret` a key with every scope and fill its owner's wallet; run again, nothing is doubled."""
    dynamodb = stack.client("dynamodb")
    _keys(dynamodb, stack).put(secret, ApiKey("dev", OWNER, SCOPES, created_at=iso(time.time())))
    ledger = LedgerTable(Table(dynamodb, stack.deployment.outputs["LedgerTable"]))
    ledger.top_up(OWNER, FUNDS_MICROS)
    config = Table(dynamodb, stack.deployment.outputs["ConfigTable"])
    vault = Vault(lambda: stack.client("kms"), stack.deployment.outputs["MasterKey"])
    providers.seed(Providers(config, Connections(config, vault), Slots(config)), providers.every_driver(VERBS))


def _keys(dynamodb: Any, stack: Stack) -> Keys:
    return Keys(Table(dynamodb, stack.deployment.outputs["ConfigTable"]))
