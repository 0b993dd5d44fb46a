"""Functions of this stack that others wait for."""

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from verbena import settings
from verbena.aws import clients
from verbena.errors import ConnectFailed

# It waits longer than the function called may work, and never asks twice: the second time would be paid for as well.
PATIENT = Config(
    connect_timeout=1,
    read_timeout=settings.READ_TIMEOUT_MAX_S + 15,
    max_pool_connections=50,
    retries={"total_max_attempts": 1},
    tcp_keepalive=True,
    user_agent="verbena",
)


def invoke(name: str, payload: bytes) -> bytes:
    """What a function answers; ConnectFailed if it could not be called, or broke."""
    try:
        answered = clients.client("lambda", PATIENT).invoke(FunctionName=name, Payload=payload)
        body: bytes = answered["Payload"].read()
    except (BotoCoreError, ClientError) as error:
        raise ConnectFailed from error
    if "FunctionError" in answered:
        raise ConnectFailed
    return body
