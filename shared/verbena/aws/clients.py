"""AWS clients: one per service and process, made on first use, safe to ask for from any thread.

botocore's own, without boto3 around them: its resources and transfers are not used here and cost 20 ms at every
cold start.
"""

import gzip
import threading
from contextlib import suppress
from functools import cache
from typing import Any

from botocore.config import Config
from botocore.loaders import JSONFileLoader, Loader
from botocore.session import Session
from pydantic_core import from_json

# Standard mode retries connection errors and throttling with jitter; conflicts of transactions are ours. These stores
# answer in milliseconds: one that is silent for seconds is given up while the function still has time to say so.
CONFIG = Config(
    connect_timeout=1,
    read_timeout=3,
    max_pool_connections=50,
    retries={"mode": "standard", "total_max_attempts": 3},
    tcp_keepalive=True,
    # An eighth of what a call costs here: AWS judges requests itself, and needs no list of what this process runs on.
    parameter_validation=False,
    user_agent="verbena",
)
SERVICES = ("dynamodb", "kms", "lambda", "s3", "sqs")

_LOCK = threading.Lock()
_CLIENTS: dict[str, Any] = {}


class ModelFiles(JSONFileLoader):  # type: ignore[misc]  # botocore has no types
    """botocore's files read by a faster parser: its own takes 10 ms longer for a client's."""

    def load_file(self, file_path: str) -> Any:
        """What the file holds, None if there is none."""
        for ending, opened in ((".json", open), (".json.gz", gzip.open)):
            with suppress(FileNotFoundError), opened(file_path + ending, "rb") as file:
                return from_json(file.read())
        return None


class Models(Loader):  # type: ignore[misc]  # botocore has no types
    """botocore's models of the services used here: looking for all 400 takes 15 ms."""

    def list_available_services(self, _type_name: str) -> list[str]:
        return list(SERVICES)


def client(service: str, config: Config = CONFIG) -> Any:
    """The client of a service; making one reads its model, which costs tens of milliseconds."""
    with _LOCK:
        if service not in _CLIENTS:
            _CLIENTS[service] = _session().create_client(service, config=config)
        return _CLIENTS[service]


@cache
def _session() -> Session:
    session = Session()
    session.register_component("data_loader", Models(file_loader=ModelFiles()))
    return session
