"""Secrets at rest: an envelope of AES-256-GCM whose data key KMS wraps, bound to whom and what it is for."""

import os
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json, to_json

NONCE_BYTES = 12
"""What NIST SP 800-38D recommends for GCM."""

Context = Mapping[str, str]
Sealed = dict[str, str]


@dataclass(frozen=True, slots=True)
class Vault:
    """Seals and opens under one master key. `client` gives KMS's client; `key` is an id, ARN or alias."""

    client: Callable[[], Any]
    key: str

    def seal(self, context: Context, secrets: Mapping[str, str]) -> Sealed:
        """The secrets as attributes of an item, which only the same context opens."""
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 - 25 ms, paid by who has secrets

        made = self.client().generate_data_key(KeyId=self.key, KeySpec="AES_256", EncryptionContext=dict(context))
        nonce = os.urandom(NONCE_BYTES)
        sealed = AESGCM(made["Plaintext"]).encrypt(nonce, to_json(dict(secrets)), _bound(context))
        parts = {"wrapped": made["CiphertextBlob"], "nonce": nonce, "sealed": sealed}
        return {name: b64encode(part).decode() for name, part in parts.items()}

    def open(self, context: Context, sealed: Mapping[str, str]) -> dict[str, str]:
        """The secrets again. KMS's ClientError or a ValueError if they were sealed for somebody or something else."""
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - as above
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 - as above

        wrapped, nonce, body = (b64decode(sealed[name]) for name in ("wrapped", "nonce", "sealed"))
        key = self.client().decrypt(KeyId=self.key, CiphertextBlob=wrapped, EncryptionContext=dict(context))
        try:
            opened: dict[str, str] = from_json(AESGCM(key["Plaintext"]).decrypt(nonce, body, _bound(context)))
        except InvalidTag as error:
            raise ValueError("the secret was changed, or sealed for something else") from error
        return opened


def _bound(context: Context) -> bytes:
    return to_json(dict(sorted(context.items())))
