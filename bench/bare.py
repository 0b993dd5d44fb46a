"""The least a Lambda of this stack can be: Powertools' logger, boto3, one DynamoDB write a call. The yardstick."""

import json
import os
import time
import uuid
from typing import Any

import boto3
from aws_lambda_powertools import Logger

logger = Logger()
dynamodb = boto3.client("dynamodb")


def handler(event: dict[str, Any], _context: Any) -> dict[str, Any]:
    """Writes what was asked, logs a line, answers."""
    item = {"pk": {"S": uuid.uuid4().hex}, "sk": {"S": "bare"}, "body": {"S": event.get("body") or ""}}
    item["at"] = {"N": str(int(time.time()))}
    dynamodb.put_item(TableName=os.environ["VERBENA_CONFIG_TABLE"], Item=item)
    logger.info("request")
    return {"statusCode": 200, "body": json.dumps({"status": "completed"})}
