"""Connections: an owner's credentials for one external capability each, sealed in the config table."""

import logging
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field

from botocore.exceptions import BotoCoreError, ClientError

from verbena.aws.codec import encoded
from verbena.aws.table import Table
from verbena.aws.table import key as key_of
from verbena.aws.vault import Vault

logger = logging.getLogger(__name__)

PLATFORM = "platform"
"""The owner of what the operator's own rows use."""


@dataclass(frozen=True, slots=True)
class Connections:
    """One per owner and capability. What was opened is remembered until it is written anew, by its version."""

    table: Table
    vault: Vault
    _opened: dict[tuple[str, str, str], Mapping[str, str]] = field(default_factory=dict)

    def put(self, owner: str, capability: str, secrets: Mapping[str, str]) -> None:
        """Store secrets, in place of those that were there."""
        sealed = self.vault.seal(_context(owner, capability), secrets)
        pk, sk = _at(owner, capability)
        item = {"pk": pk, "sk": sk, "version": uuid.uuid4().hex, "names": sorted(secrets), **sealed}
        self.table.client.put_item(TableName=self.table.name, Item=encoded(item))

    def secrets(self, owner: str, capability: str) -> Mapping[str, str]:
        """The secrets, opened; nothing if there is no such connection, or it cannot be opened."""
        item = self.table.get(*_at(owner, capability))
        if item is None:
            return {}
        at = (owner, capability, item["version"])
        if at not in self._opened:
            try:
                self._opened[at] = self.vault.open(_context(owner, capability), item)
            except (BotoCoreError, ClientError, ValueError) as error:
                logger.warning("the connection %s of %s cannot be opened: %s", capability, owner, error)
                return {}
        return self._opened[at]

    def names(self, owner: str, capability: str) -> tuple[str, ...]:
        """Which secrets are stored, unopened."""
        item = self.table.get(*_at(owner, capability))
        return tuple(item["names"]) if item else ()

    def delete(self, owner: str, capability: str) -> None:
        """Forget a connection; nothing happens if there is none."""
        self.table.client.delete_item(TableName=self.table.name, Key=key_of(*_at(owner, capability)))


def _context(owner: str, capability: str) -> dict[str, str]:
    """What KMS and the cipher bind a secret to: another owner's item cannot be opened as one's own."""
    return {"owner": owner, "capability": capability}


def _at(owner: str, capability: str) -> tuple[str, str]:
    return f"connection#{owner}", capability
