"""A deployed stack as its operator reaches it: with AWS credentials, by the names CloudFormation gave its tables."""

import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from botocore.exceptions import BotoCoreError, ClientError, EndpointConnectionError, NoCredentialsError, NoRegionError
from botocore.session import Session

from verbena.aws.clients import CONFIG
from verbena.aws.connections import Connections
from verbena.aws.keys import Keys
from verbena.aws.ledger import Deposit, LedgerTable
from verbena.aws.providers import Providers
from verbena.aws.slots import Slots
from verbena.aws.table import Table
from verbena.aws.transact import TableTransactions
from verbena.aws.vault import Vault
from verbena.doors.cli.target import Stopped
from verbena.errors import Unavailable
from verbena.ports import iso

FIXES: Mapping[type[Exception], str] = {
    NoRegionError: "Set AWS_REGION to where the stack is.",
    NoCredentialsError: "Set AWS_PROFILE, or what else gives the AWS CLI its credentials.",
    EndpointConnectionError: "Check AWS_ENDPOINT_URL; 'make run' prints that of its stack.",
}
RIGHTS = (
    "It takes cloudformation:DescribeStacks, and reading and writing the stack's ConfigTable and LedgerTable; "
    "secrets of providers take its MasterKey."
)


class Deployment:
    """The stores of a stack that only its operator changes."""

    def __init__(self, stack: str) -> None:
        # Its own session: that of the functions knows no CloudFormation, which costs them nothing then.
        session = Session()
        outputs = _outputs(session, stack)
        dynamodb = session.create_client("dynamodb", config=CONFIG)
        self.base_url = outputs["ApiUrl"]
        self.ledger = LedgerTable(Table(dynamodb, outputs["LedgerTable"]))
        config = Table(dynamodb, outputs["ConfigTable"])
        self.keys = Keys(config)
        vault = Vault(lambda: session.create_client("kms", config=CONFIG), outputs["MasterKey"])
        self.providers = Providers(config, Connections(config, vault), Slots(config))
        self._transactions = TableTransactions(dynamodb)

    def close(self) -> None:
        """Nothing is held open."""

    def deposit(self, owner: str, micros: int, deposit_id: str | None = None) -> None:
        """Add to a wallet, making it if there is none; an id that was added before adds nothing."""
        added = Deposit(deposit_id or uuid.uuid4().hex, micros, now())
        self._transactions.commit(self.ledger.deposit(owner, added), f"{owner}/{added.id}")


def now() -> str:
    return iso(time.time())


@contextmanager
def failures() -> Iterator[None]:
    """What AWS refuses, and what is missing to ask it, as the end of a command with its fix."""
    try:
        yield
    except ClientError as error:
        raise Stopped(f"AWS refuses: {error}", RIGHTS) from error
    except BotoCoreError as error:
        raise Stopped(str(error), FIXES.get(type(error), "Check the AWS credentials, region and endpoint.")) from error
    except Unavailable as error:
        raise Stopped(error.message, error.fix) from error


def _outputs(session: Session, stack: str) -> dict[str, str]:
    """What a stack says it made."""
    cloudformation = session.create_client("cloudformation", config=CONFIG)
    try:
        (described,) = cloudformation.describe_stacks(StackName=stack)["Stacks"]
    except ClientError as error:
        if error.response["Error"]["Code"] != "ValidationError":
            raise
        raise Stopped(
            f"there is no stack {stack!r} here", "Name it with --stack, or make it with 'sam deploy'."
        ) from error
    outputs = {output["OutputKey"]: output["OutputValue"] for output in described.get("Outputs", [])}
    if "ConfigTable" not in outputs:
        raise Stopped(f"the stack {stack!r} is no Verbena", "Name another with --stack.")
    return outputs
