"""Verbena: typed verbs that acquire data from the web and return it."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verbena.client import AsyncClient, Client

__all__ = ["AsyncClient", "Client"]


def __getattr__(name: str) -> Any:
    """The clients load on first use: a function must not pay for them."""
    if name in __all__:
        from verbena import client  # noqa: PLC0415 - see above

        return getattr(client, name)
    message = f"module 'verbena' has no attribute {name!r}"
    raise AttributeError(message)
