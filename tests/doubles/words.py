"""The words a contract is written in: kinds of parameters as JSON Schema, each with a value that is right."""

import datetime as dt
import re

from jsonschema import FormatChecker

FORMATS = FormatChecker(())


def text(*, example="otter", **limits):
    return {"type": "string", "minLength": 1, "examples": [example], **limits}


def choice(*values):
    return {"type": "string" if isinstance(values[0], str) else "integer", "enum": list(values)}


def whole(least=None, most=None, *, example=None):
    limits = {"minimum": least, "maximum": most}
    shown = example if example is not None else least if least is not None else 1
    return {
        "type": "integer",
        "examples": [shown],
        **{key: value for key, value in limits.items() if value is not None},
    }


def number(*, example):
    return {"type": "number", "examples": [example]}


def flag():
    return {"type": "boolean", "examples": [True]}


def texts(*, most=None, example="example.org", **limits):
    of_list = {} if most is None else {"maxItems": most}
    return {"type": "array", "items": text(example=example, **limits), "examples": [[example]], **of_list}


def record(*required, **properties):
    """An object with these properties and no other."""
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def either(*schemas):
    return {"anyOf": list(schemas), "examples": schemas[0].get("examples") or schemas[0].get("enum")}


def free(**example):
    """An object whose inside the contract leaves open."""
    return {"type": "object", "examples": [example]}


def day(example="2026-03-04"):
    return text(example=example, format="day")


@FORMATS.checks("day", raises=ValueError)
def is_day(value):
    """YYYY-MM-DD, a day that exists."""
    return not isinstance(value, str) or dt.date.fromisoformat(value).isoformat() == value


@FORMATS.checks("us-day", raises=ValueError)
def is_us_day(value):
    """MM/DD/YYYY."""
    if not isinstance(value, str):
        return True
    month, day_of_month, year = (int(part) for part in value.split("/"))
    return f"{dt.date(year, month, day_of_month):%m/%d/%Y}" == value


@FORMATS.checks("moment", raises=ValueError)
def is_moment(value):
    """A date and time of ISO 8601, with its zone."""
    return not isinstance(value, str) or ("T" in value and dt.datetime.fromisoformat(value).tzinfo is not None)


@FORMATS.checks("days", raises=ValueError)
def is_days(value):
    """YYYY-MM-DDtoYYYY-MM-DD, the first not after the last."""
    first, last = value.split("to")
    return is_day(first) and is_day(last) and first <= last


@FORMATS.checks("host", raises=ValueError)
def is_host(value):
    """A bare host name with a dot in it: no scheme, port or path."""
    return not isinstance(value, str) or bool(re.fullmatch(r"([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}", value))
