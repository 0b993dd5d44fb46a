"""Verbs as methods, made from the catalog: one mechanism for all of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from verbena.capability import CallOptions, Capability
from verbena.client.wire import Json
from verbena.validation import minimal

Start = Callable[[Capability, Json, bool, float | None], Any]
"""Begins a call: the verb, the body, whether to wait, and the timeout."""

OWN_WORDS = ("wait", "timeout")
"""Keywords of the client itself, which no verb may have as a field."""


def subject(capability: Capability) -> str:
    """The field that may be given without its name: the list of items, else the first required, else the first."""
    fields = capability.input.model_fields
    required = [name for name, info in fields.items() if info.is_required()]
    return capability.mode.items or (required or list(fields))[0]


class Verb:
    """A verb that can be called."""

    def __init__(self, capability: Capability, start: Start) -> None:
        self.capability = capability
        self._start = start
        self.__doc__ = capability.summary

    def __call__(self, *given: Any, wait: bool = True, timeout: float | None = None, **said: Any) -> Any:
        """Input fields and call options are keywords; InvalidInput says which is wrong before anything is sent."""
        body = minimal(self.capability, {**self._named(given, said), **_aliased(said)})
        return self._start(self.capability, body if wait else {**body, "async": True}, wait, timeout)

    def __repr__(self) -> str:
        return f"<verb {self.capability.name}: {self.capability.summary}>"

    def _named(self, given: Sequence[Any], said: Mapping[str, Any]) -> Json:
        name = subject(self.capability)
        if len(given) > 1 or (given and name in said):
            message = f"{self.capability.name} takes one value without a name, {name}; name the others"
            raise TypeError(message)
        return {name: given[0]} if given else {}


class Namespace:
    """The verbs of one namespace."""

    def __init__(self, name: str, verbs: Mapping[str, Verb]) -> None:
        self._name = name
        self._verbs = verbs

    def __getattr__(self, name: str) -> Verb:
        if name in self._verbs:
            return self._verbs[name]
        message = f"{self._name} has no verb {name!r}; it has {', '.join(self._verbs)}"
        raise AttributeError(message, name=name, obj=self)

    def __dir__(self) -> list[str]:
        return list(self._verbs)


def namespaces(catalog: Sequence[Capability], start: Start) -> Iterator[tuple[str, Namespace]]:
    """Every namespace of a catalog, with its name."""
    for name in dict.fromkeys(capability.namespace for capability in catalog):
        own = [capability for capability in catalog if capability.namespace == name]
        yield name, Namespace(name, {verb.name.partition(".")[2]: Verb(verb, start) for verb in own})


def _aliased(said: Mapping[str, Any]) -> Json:
    """Keywords as the wire calls them: `async_` is `async`."""
    aliases = {name: info.alias or name for name, info in CallOptions.model_fields.items()}
    return {aliases.get(name, name): value for name, value in said.items()}
