"""The call path as modules: as it stands, or with one line of its source changed."""

import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

# In the order in which they import each other.
MODULES = (
    "ports",
    "memory.items",
    "memory.ledger",
    "memory.jobs",
    "execution",
    "closing",
    "parts",
    "request",
    "reading",
    "calls",
)


@dataclass(frozen=True)
class CallPath:
    """What a simulation runs."""

    ports: ModuleType
    items: ModuleType
    ledger: ModuleType
    jobs: ModuleType
    closing: ModuleType
    calls: ModuleType


@dataclass(frozen=True)
class Change:
    """A text of a module, and what stands there instead."""

    module: str
    old: str
    new: str

    def applied(self, name, source):
        if name != self.module:
            return source
        assert source.count(self.old) == 1, f"{self.old!r} is not once in {name}"
        return source.replace(self.old, self.new)


def loaded(*changes):
    """The call path, compiled afresh with some changes of its source; what the program imported stays as it is."""
    names = [f"verbena.{name}" for name in MODULES]
    standing = {name: importlib.import_module(name) for name in names}
    try:
        for name in names:
            sys.modules[name] = _compiled(name, changes)
        modules = {name.rpartition(".")[2]: sys.modules[name] for name in names}
        return CallPath(**{field: modules[field] for field in CallPath.__dataclass_fields__})
    finally:
        sys.modules.update(standing)


def _compiled(name, changes):
    spec = importlib.util.spec_from_file_location(name, sys.modules[name].__file__)
    module = importlib.util.module_from_spec(spec)
    source = Path(spec.origin).read_text(encoding="utf-8")
    for change in changes:
        source = change.applied(name.removeprefix("verbena."), source)
    sys.modules[name] = module
    exec(compile(source, spec.origin, "exec"), module.__dict__)  # noqa: S102 - the project's own source
    return module


STANDING = loaded()
