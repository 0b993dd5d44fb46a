"""The catalog's verbs as typed methods, for editors and type checkers: the text of `client/namespaces.pyi`."""

import json
import textwrap
from collections.abc import Iterable, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from verbena.capability import CallOptions, Capability
from verbena.client.verbs import subject

HEAD = '''"""Written by `make generate` from the catalog: what a client's namespaces hold."""

from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, Literal, overload

from verbena.capability import Capability
{models}
from verbena.client.async_results import AsyncJob, AsyncResult
from verbena.client.results import Job, Result
from verbena.client.verbs import Start
'''
WAITS = ("True] = True", "False]")
BLOCKING = ("Result[{of}]", "Job[{of}]")
AWAITED = ("AsyncResult[{of}]", "Coroutine[Any, Any, AsyncJob[{of}]]")


def stub(catalog: Sequence[Capability]) -> str:
    """The whole file."""
    parts = [HEAD.format(models=_imports(catalog))]
    spaces = list(dict.fromkeys(capability.namespace for capability in catalog))
    for prefix, answers in (("", BLOCKING), ("Async", AWAITED)):
        for space in spaces:
            parts.append(f'class {prefix}{space.title()}:\n    """The verbs of `{space}`."""\n')
            parts += [_method(verb, answers) for verb in catalog if verb.namespace == space]
        attributes = "\n".join(f"    {space}: {prefix}{space.title()}" for space in spaces)
        parts.append(f'class {prefix}Verbs:\n    """One attribute a namespace."""\n\n{attributes}\n\n{INIT}')
    return "\n".join(parts)


INIT = "    def __init__(self, catalog: Sequence[Capability], start: Start) -> None: ...\n"


def _imports(catalog: Iterable[Capability]) -> str:
    wanted = {model for verb in catalog for model in (verb.row, verb.meta, *_models(verb.input))}
    modules: dict[str, list[str]] = {}
    for model in wanted:
        modules.setdefault(model.__module__, []).append(model.__name__)
    return "\n".join(f"from {module} import {', '.join(sorted(modules[module]))}" for module in sorted(modules))


def _models(annotation: Any) -> set[type[BaseModel]]:
    """The models that an input's fields take."""
    fields = annotation.model_fields.values() if _is_model(annotation) else ()
    inner = [info.annotation for info in fields] or get_args(annotation)
    found = {kind for kind in inner if _is_model(kind)}
    return found.union(*(_models(kind) for kind in inner if not _is_model(kind)))


def _method(verb: Capability, answers: tuple[str, str]) -> str:
    first = subject(verb)
    fields = verb.input.model_fields
    named = {name: info for name, info in fields.items() if name != first} | CallOptions.model_fields
    needed = [_parameter(name, info) for name, info in named.items() if info.is_required()]
    free = [_parameter(name, info) for name, info in named.items() if not info.is_required()]
    texts = (_docstring(verb, {first: fields[first], **named}), " ...")
    of = f"{verb.row.__name__}, {verb.meta.__name__}"
    overloads = []
    for waits, answer, text in zip(WAITS, answers, texts, strict=True):
        lines = ["self", _parameter(first, fields[first]), "*", *needed, *free]
        lines += [f"wait: Literal[{waits}", "timeout: float | None = None"]
        listed = "".join(f"        {line},\n" for line in lines)
        name = verb.name.partition(".")[2]
        overloads.append(f"    @overload\n    def {name}(\n{listed}    ) -> {answer.format(of=of)}:{text}\n")
    return "".join(overloads)


def _parameter(name: str, info: FieldInfo) -> str:
    default = "" if info.is_required() else f" = {_default(info)}"
    return f"{name}: {_spelled(info.annotation)}{default}"


def _default(info: FieldInfo) -> str:
    """As it is written; what is made for each call is only said to be there."""
    if info.default_factory is not None:
        return "..."
    return json.dumps(info.default) if isinstance(info.default, str) else repr(info.default)


def _spelled(kind: Any) -> str:
    """A type as a caller may give it: any sequence for a list, a mapping for a model."""
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _spelled(inside[0])
    if origin is Literal:
        return f"Literal[{', '.join(json.dumps(choice) for choice in inside)}]"
    if origin in {Union, UnionType}:
        return " | ".join(dict.fromkeys(part for one in inside for part in _spelled(one).split(" | ")))
    if origin is list:
        return f"Sequence[{_spelled(inside[0])}]"
    if kind is NoneType:
        return "None"
    return f"{kind.__name__} | Mapping[str, Any]" if _is_model(kind) else str(kind.__name__)


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _docstring(verb: Capability, fields: dict[str, FieldInfo]) -> str:
    said = [f"{name}: {info.description}" for name, info in fields.items() if info.description]
    said += ["wait: False gives the job's handle at once.", "timeout: Seconds the whole call may take."]
    lines = [line for text in said for line in textwrap.wrap(text, 100, subsequent_indent="    ")]
    body = "".join(f"            {line}\n" for line in lines)
    return f'\n        """{verb.summary}\n\n        Args:\n{body}        """'
