"""Deploy a packaged template into the emulator and close the gaps it leaves."""

import json
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

from local.package import FUNCTION, Package, Template, resources

# The boto3 client of a service, by name.
Aws = Callable[[str], Any]

STACK = "verbena"
API = "Api"
CODE_BUCKET = "verbena-code"
TIMEOUT_S = 60.0
SETTLED = ("CREATE_COMPLETE", "UPDATE_COMPLETE")


class DeployFailed(RuntimeError):
    """The emulator refused the template; the message is its reason."""


@dataclass(frozen=True)
class Deployment:
    """A deployed stack: its outputs, and the physical id behind each logical one."""

    outputs: Mapping[str, str]
    physical: Mapping[str, str]


def deploy(aws: Aws, package: Package) -> Deployment:
    """Create the stack, or update the one that a data directory brought back."""
    _upload(aws, package.archives)
    cloudformation = aws("cloudformation")
    _submit(cloudformation, json.dumps(package.template))
    stack = _settle(cloudformation)
    deployment = Deployment(
        outputs={output["OutputKey"]: output["OutputValue"] for output in stack.get("Outputs", [])},
        physical={
            resource["LogicalResourceId"]: resource["PhysicalResourceId"]
            for page in cloudformation.get_paginator("list_stack_resources").paginate(StackName=STACK)
            for resource in page["StackResourceSummaries"]
        },
    )
    _add_routes(aws, package.template, deployment)
    _enable_ttl(aws, package.template, deployment)
    return deployment


def route_keys(template: Template) -> dict[str, list[str]]:
    """The HTTP API route keys of each function, by logical id: `POST /v1/web/scrape` or `$default`."""
    routes = defaultdict(list)
    for name, function in resources(template, FUNCTION).items():
        for event in function.get("Events", {}).values():
            if event["Type"] == "HttpApi":
                routes[name].append(_route_key(event["Properties"]))
    return routes


def _route_key(event: Mapping[str, Any]) -> str:
    return f"{event['Method']} {event['Path']}" if "Path" in event else "$default"


def _upload(aws: Aws, archives: Mapping[str, bytes]) -> None:
    s3 = aws("s3")
    s3.create_bucket(Bucket=CODE_BUCKET)
    for key, archive in archives.items():
        s3.put_object(Bucket=CODE_BUCKET, Key=key, Body=archive)


def _submit(cloudformation: Any, template: str) -> None:
    request: dict[str, Any] = {
        "StackName": STACK,
        "TemplateBody": template,
        "Capabilities": ["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
    }
    if not _exists(cloudformation):
        cloudformation.create_stack(**request)
        return
    try:
        cloudformation.update_stack(**request)
    except ClientError as error:
        # CloudFormation's way to say that a stack is as the template wants it.
        if "No updates are to be performed" not in str(error):
            raise


def _exists(cloudformation: Any) -> bool:
    return any(stack["StackName"] == STACK for stack in cloudformation.describe_stacks()["Stacks"])


def _settle(cloudformation: Any) -> Any:
    deadline = time.monotonic() + TIMEOUT_S
    while (stack := _describe(cloudformation))["StackStatus"].endswith("IN_PROGRESS"):
        if time.monotonic() > deadline:
            break
        time.sleep(0.02)
    if stack["StackStatus"] not in SETTLED:
        reasons = "; ".join(_reasons(cloudformation)) or stack.get("StackStatusReason") or "no reason given"
        message = f"the stack is {stack['StackStatus']}: {reasons}"
        raise DeployFailed(message)
    return stack


def _reasons(cloudformation: Any) -> list[str]:
    """What the emulator says of each resource it could not make."""
    events = cloudformation.describe_stack_events(StackName=STACK)["StackEvents"]
    return [
        f"{event['LogicalResourceId']}: {event.get('ResourceStatusReason', '')}"
        for event in events
        if event["ResourceStatus"].endswith("_FAILED")
    ]


def _describe(cloudformation: Any) -> Any:
    return cloudformation.describe_stacks(StackName=STACK)["Stacks"][0]


def _add_routes(aws: Aws, template: Template, deployment: Deployment) -> None:
    """MiniStack reads no OpenAPI body, which is where SAM writes an HTTP API's routes."""
    if API not in deployment.physical:
        return
    gateway = aws("apigatewayv2")
    api = deployment.physical[API]
    _remove_routes(gateway, api)
    for name, keys in route_keys(template).items():
        integration = gateway.create_integration(
            ApiId=api,
            IntegrationType="AWS_PROXY",
            IntegrationUri=deployment.physical[name],
            PayloadFormatVersion="2.0",
        )
        for key in keys:
            target = f"integrations/{integration['IntegrationId']}"
            gateway.create_route(ApiId=api, RouteKey=key, Target=target)


def _remove_routes(gateway: Any, api: str) -> None:
    """Those a data directory brought back: the template may have others now."""
    for route in gateway.get_routes(ApiId=api)["Items"]:
        gateway.delete_route(ApiId=api, RouteId=route["RouteId"])
    for integration in gateway.get_integrations(ApiId=api)["Items"]:
        gateway.delete_integration(ApiId=api, IntegrationId=integration["IntegrationId"])


def _enable_ttl(aws: Aws, template: Template, deployment: Deployment) -> None:
    """MiniStack's CloudFormation passes over TimeToLiveSpecification; its DynamoDB knows it."""
    dynamodb = aws("dynamodb")
    for name, table in resources(template, "AWS::DynamoDB::Table").items():
        if specification := table.get("TimeToLiveSpecification"):
            dynamodb.update_time_to_live(TableName=deployment.physical[name], TimeToLiveSpecification=specification)
