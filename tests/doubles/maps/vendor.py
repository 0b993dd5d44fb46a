"""What a source of places promises: endpoints with their answers, its way of saying no, its failures."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from tests.doubles.contract import Endpoint, Script
from tests.doubles.faults import FAULTS


@dataclass(frozen=True)
class MapVendor:
    """Scripts of the first endpoint are `own`, those of the others `answer_scripts`; every vendor has the faults."""

    name: str
    key: dict[str, str]
    endpoints: tuple[Endpoint, ...]
    refuse: Callable
    own: dict[str, Script]
    authorize: Callable = lambda request: None
    answer_scripts: dict[str, Script] = field(default_factory=dict)

    @cached_property
    def scripts(self):
        return {"success": Script("success", lambda exchange: exchange.send(exchange.success())), **FAULTS, **self.own}

    def success(self, request, endpoint):
        return endpoint.answer(request)
