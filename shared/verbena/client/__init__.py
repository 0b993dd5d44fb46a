"""The client of a Verbena over HTTP: the catalog's verbs as methods, blocking or on an event loop."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verbena.client.async_results import AsyncJob, AsyncResult
    from verbena.client.asynchronous import AsyncClient
    from verbena.client.blocking import Client
    from verbena.client.results import Job, Result
    from verbena.client.wire import Overdue, Unreachable

__all__ = ["AsyncClient", "AsyncJob", "AsyncResult", "Client", "Job", "Overdue", "Result", "Unreachable"]

_WHERE = {
    "AsyncClient": "asynchronous",
    "AsyncJob": "async_results",
    "AsyncResult": "async_results",
    "Client": "blocking",
    "Job": "results",
    "Overdue": "wire",
    "Result": "results",
    "Unreachable": "wire",
}


def __getattr__(name: str) -> Any:
    """Loaded on first use: httpx costs more to import than a command's help has to spare."""
    if name in _WHERE:
        return getattr(import_module(f"verbena.client.{_WHERE[name]}"), name)
    message = f"module 'verbena.client' has no attribute {name!r}"
    raise AttributeError(message)
