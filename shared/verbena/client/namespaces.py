"""The namespaces as attributes of a client; `namespaces.pyi`, written by `make generate`, says what they hold."""

from collections.abc import Sequence

from verbena.capability import Capability
from verbena.client import verbs


class Verbs:
    """One attribute a namespace."""

    def __init__(self, catalog: Sequence[Capability], start: verbs.Start) -> None:
        for name, namespace in verbs.namespaces(catalog, start):
            setattr(self, name, namespace)


class AsyncVerbs(Verbs):
    """The same, whose methods are awaited."""
