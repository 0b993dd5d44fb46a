"""What `sam package` does, for the emulator: code is zipped, and the template names where it will lie."""

import hashlib
import io
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from samtranslator.yaml_helper import yaml_parse

BUCKET = "AWS::S3::Bucket"
KEY = "AWS::KMS::Key"
QUEUE = "AWS::SQS::Queue"
TABLE = "AWS::DynamoDB::Table"
FUNCTION = "AWS::Serverless::Function"
LAYER = "AWS::Serverless::LayerVersion"
# Zip archives know no earlier time; a fixed one makes equal code an equal archive.
EPOCH = (1980, 1, 1, 0, 0, 0)

Template = dict[str, Any]


@dataclass(frozen=True)
class Package:
    """A template whose code addresses are S3 keys, and the archives to put under these keys."""

    template: Template
    archives: Mapping[str, bytes]


def read_template(path: Path) -> Template:
    """The template with its short forms (`!Ref`) written out."""
    template: Template = yaml_parse(path.read_text())
    return template


def package(
    root: Path, *, bucket: str, functions: Path, numbers: Mapping[str, int], settings: Mapping[str, str]
) -> Package:
    """The template of `root` ready for the emulator.

    `functions` is the code root of every function; `numbers` are values of Number parameters. Each value of
    `settings` reaches the functions as an environment variable, in place of the parameter or literal the
    template gives it.
    """
    template = _with_numbers(read_template(root / "template.yaml"), numbers)
    archives: dict[str, bytes] = {}

    def address(archive: bytes) -> dict[str, str]:
        key = f"{hashlib.sha256(archive).hexdigest()}.zip"
        archives[key] = archive
        return {"Bucket": bucket, "Key": key}

    template["Globals"]["Function"]["CodeUri"] = address(archive(functions))
    for layer in resources(template, LAYER).values():
        # The emulator runs functions with this environment's Python, which has every requirement, so a
        # layer needs our own code alone. Under python/: the one place both Lambda and the emulator look.
        layer["ContentUri"] = address(archive(root / layer["ContentUri"], under="python/"))
    _apply(settings, template)
    return Package(template, archives)


def stores_only(template: Template) -> Template:
    """The template's tables, buckets, queues and keys with their outputs: enough for code that runs elsewhere."""
    kept = {name: body for name, body in template["Resources"].items() if body["Type"] in {BUCKET, KEY, QUEUE, TABLE}}
    outputs = {name: body for name, body in template["Outputs"].items() if name in kept}
    left_out = {"Transform", "Globals"}
    rest = {key: value for key, value in template.items() if key not in left_out}
    return {**rest, "Resources": kept, "Outputs": outputs}


def resources(template: Template, kind: str) -> dict[str, dict[str, Any]]:
    """The properties of every resource of one type, by logical id."""
    found = {name: body for name, body in template["Resources"].items() if body["Type"] == kind}
    return {name: body["Properties"] for name, body in found.items()}


def archive(folder: Path, under: str = "") -> bytes:
    """A zip of the folder's files; the same files are always the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as target:
        for path in _files(folder):
            entry = zipfile.ZipInfo(under + path.relative_to(folder).as_posix(), EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            target.writestr(entry, path.read_bytes())
    return buffer.getvalue()


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path


def _with_numbers(node: Any, numbers: Mapping[str, int]) -> Any:
    """MiniStack hands a Number parameter on as text, which its poller cannot compare: write the value in."""
    if isinstance(node, list):
        return [_with_numbers(item, numbers) for item in node]
    if not isinstance(node, dict):
        return node
    if node.keys() == {"Ref"} and node["Ref"] in numbers:
        return numbers[node["Ref"]]
    return {key: _with_numbers(value, numbers) for key, value in node.items()}


def _apply(settings: Mapping[str, str], template: Template) -> None:
    variables = template["Globals"]["Function"]["Environment"]["Variables"]
    for name, value in settings.items():
        if not _names_a_resource(variables.get(name), template):
            variables[name] = value


def _names_a_resource(value: object, template: Template) -> bool:
    return isinstance(value, dict) and value.get("Ref") in template["Resources"]
