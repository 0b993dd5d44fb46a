"""boto3 clients: one per service and process, made on first use, safe to ask for from any thread."""

import threading
from typing import Any

import boto3
from botocore.config import Config

# Standard mode retries connection errors and throttling with jitter; conflicts of transactions are ours.
CONFIG = Config(
    connect_timeout=3,
    read_timeout=10,
    max_pool_connections=50,
    retries={"mode": "standard", "max_attempts": 4},
    tcp_keepalive=True,
)

_LOCK = threading.Lock()
_CLIENTS: dict[str, Any] = {}


def client(service: str) -> Any:
    """The client of a service; making one reads its model, which costs tens of milliseconds."""
    with _LOCK:
        if service not in _CLIENTS:
            _CLIENTS[service] = boto3.client(service, config=CONFIG)
        return _CLIENTS[service]
