"""MiniStack as a child process: the AWS APIs on one loopback port, gone when its parent is."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3

HOST = "127.0.0.1"
REGION = "us-east-1"
# Any words will do; MiniStack files what they make under its default account.
CREDENTIALS = {"aws_access_key_id": "test", "aws_secret_access_key": "test", "region_name": REGION}
START_TIMEOUT_S = 30.0
# A clean end saves the state first (with DATA) and then reaps the functions' processes.
STOP_TIMEOUT_S = 10.0
# What a child may inherit: where programs and trusted certificates are. Not the developer's AWS
# profile, not proxies: functions get exactly the environment the template gives them.
INHERITED = ("PATH", "LANG", "SSL_CERT_FILE", "SSL_CERT_DIR")


class EmulatorFailed(RuntimeError):
    """MiniStack did not come up; the message ends with its last words."""


@dataclass(frozen=True)
class Emulator:
    """A running MiniStack."""

    process: subprocess.Popen[bytes]
    port: int

    @property
    def endpoint(self) -> str:
        return f"http://{HOST}:{self.port}"

    def stop(self) -> None:
        """End it with everything it started; its standard input closing is the signal it waits for."""
        if self.process.stdin:
            self.process.stdin.close()
        try:
            self.process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def start(workdir: Path, data: Path | None = None) -> Emulator:
    """Start MiniStack and wait until it answers; `workdir` takes its temporary files and its log."""
    port = _port(data)
    log = workdir / "ministack.log"
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "local.child"],
            env=environment(port, workdir, data),
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            # Its own process group: a Ctrl-C in the terminal reaches us, and we end it in order.
            start_new_session=True,
        )
    emulator = Emulator(process, port)
    try:
        _wait_until_ready(emulator, log)
    except BaseException:
        emulator.stop()
        raise
    return emulator


def environment(port: int, workdir: Path, data: Path | None) -> dict[str, str]:
    """The whole environment of the child; its functions inherit it too."""
    kept = {name: value for name in INHERITED if (value := os.environ.get(name))}
    return {
        **kept,
        "TMPDIR": str(workdir),
        "BIND_HOST": HOST,
        "GATEWAY_PORT": str(port),
        "MINISTACK_HOST": HOST,
        "MINISTACK_REGION": REGION,
        # Listeners of services Verbena does not use; they would take fixed ports.
        "IOT_MTLS_ENABLED": "0",
        "SFTP_ENABLED": "0",
        "LOG_LEVEL": "WARNING",
        **_persistence(data),
    }


def client(endpoint: str, service: str) -> Any:
    """A boto3 client of the emulator."""
    return boto3.Session(**CREDENTIALS).client(service, endpoint_url=endpoint)


def client_environment(endpoint: str) -> dict[str, str]:
    """What makes boto3, the AWS CLI and the SAM CLI of another process talk to the emulator."""
    return {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_ACCESS_KEY_ID": CREDENTIALS["aws_access_key_id"],
        "AWS_SECRET_ACCESS_KEY": CREDENTIALS["aws_secret_access_key"],
    }


def free_port() -> int:
    """A port nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def _port(data: Path | None) -> int:
    """Queue URLs hold the port, and MiniStack finds a queue by its URL: a data directory keeps its port."""
    if data is None:
        return free_port()
    remembered = data / "port"
    if not remembered.exists():
        remembered.write_text(str(free_port()))
    return int(remembered.read_text())


def _persistence(data: Path | None) -> Mapping[str, str]:
    if data is None:
        return {}
    return {
        "PERSIST_STATE": "1",
        "STATE_DIR": str(data / "state"),
        "S3_PERSIST": "1",
        "S3_DATA_DIR": str(data / "objects"),
    }


def _wait_until_ready(emulator: Emulator, log: Path) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while not _answers(emulator.port):
        if emulator.process.poll() is not None or time.monotonic() > deadline:
            last_words = log.read_text(errors="replace")[-2_000:]
            message = f"MiniStack did not start: {last_words or 'it said nothing'}"
            raise EmulatorFailed(message)
        time.sleep(0.02)


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection(HOST, port, timeout=1)
    try:
        connection.request("GET", "/_ministack/ready")
        return connection.getresponse().status == http.client.OK
    except OSError:
        return False
    finally:
        connection.close()
