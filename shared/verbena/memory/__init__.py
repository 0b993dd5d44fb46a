"""The stores in one process: `verbena call --local` runs on them, and they are the model the tests explore."""

import asyncio
import uuid
from collections.abc import Callable

from verbena.capability import Services
from verbena.memory.items import Memory
from verbena.memory.jobs import JobsMemory
from verbena.memory.ledger import LedgerMemory
from verbena.memory.objects import ObjectMemory
from verbena.memory.pages import PageMemory
from verbena.memory.providers import ProvidersMemory
from verbena.memory.queue import QueueMemory
from verbena.ports import Backend, InThread


def backend(
    queue: QueueMemory,
    memory: Memory | None = None,
    *,
    new_id: Callable[[], str] = lambda: uuid.uuid4().hex,
    io: InThread = asyncio.to_thread,
    services: Services | None = None,
) -> Backend:
    """Stores of one process. Without wallets a call needs billing off, or `LedgerMemory(memory).top_up` first."""
    kept = memory or Memory()
    return Backend(
        transactions=kept,
        ledger=LedgerMemory(kept),
        jobs=JobsMemory(kept),
        objects=ObjectMemory(),
        queue=queue,
        now=kept.now,
        new_id=new_id,
        io=io,
        services=services or Services(),
    )


__all__ = [
    "JobsMemory",
    "LedgerMemory",
    "Memory",
    "ObjectMemory",
    "PageMemory",
    "ProvidersMemory",
    "QueueMemory",
    "backend",
]
