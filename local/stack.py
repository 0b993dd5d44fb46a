"""The whole product on one machine, as one context manager: emulator, template, front and sweeper."""

import fcntl
import json
import shutil
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Self

from local import emulator, front
from local.deploy import API, CODE_BUCKET, Deployment, deploy
from local.package import Package, package, read_template, stores_only

ROOT = Path(__file__).resolve().parent.parent
# Two to four cores run everything here; more workers would only wait for each other.
WORKER_CONCURRENCY = 4
# As the template's schedule.
SWEEP_EVERY_S = 60.0
# Lambda hands on the template's ApplicationLogLevel; here the emulator's own LOG_LEVEL would be inherited.
LOGGING = {"POWERTOOLS_LOG_LEVEL": "INFO"}
NOTHING: Mapping[str, str] = MappingProxyType({})


class DataInUse(RuntimeError):
    """Another running stack keeps its data in the same directory."""


class Stack:
    """Start it with `with Stack() as stack:`, or `start()` and `stop()`.

    `functions` is the code root of the functions; None deploys tables, bucket and queues alone.
    `listener` is where the API is served, a free port unless given. `data` keeps everything over restarts.
    """

    def __init__(
        self,
        *,
        functions: Path | None = ROOT / "functions",
        listener: socket.socket | None = None,
        data: Path | None = None,
        settings: Mapping[str, str] = NOTHING,
    ) -> None:
        self._functions = functions
        self._listener = listener
        self._data = data
        self._settings = settings
        self._running = ExitStack()
        self.endpoint = ""
        self.base_url = ""
        self.deployment = Deployment(NOTHING, NOTHING)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> Self:
        """Return when the API answers; what was started until a failure is stopped."""
        with ExitStack() as starting:
            self._start_emulator(starting)
            self._deploy()
            if self._functions:
                self._serve(starting)
                starting.enter_context(_ticking(self.sweep))
            self._running = starting.pop_all()
        return self

    def stop(self) -> None:
        """End every process and remove every temporary file; the data directory stays."""
        self._running.close()

    @property
    def env(self) -> dict[str, str]:
        """What makes boto3 of another process talk to the emulator."""
        return emulator.client_environment(self.endpoint)

    def client(self, service: str) -> Any:
        """A boto3 client of the emulator."""
        return emulator.client(self.endpoint, service)

    def sweep(self) -> Any:
        """One tick of the template's schedule, which the emulator does not fire itself: the sweeper's answer."""
        answer = self.client("lambda").invoke(FunctionName=self.deployment.physical["Sweeper"], Payload=b"{}")
        return json.load(answer["Payload"])

    def _start_emulator(self, starting: ExitStack) -> None:
        if self._data:
            starting.enter_context(_claimed(self._data))
        workdir = Path(tempfile.mkdtemp(prefix="verbena-"))
        starting.callback(shutil.rmtree, workdir, ignore_errors=True)
        server = emulator.start(workdir, self._data)
        starting.callback(server.stop)
        self.endpoint = server.endpoint

    def _deploy(self) -> None:
        if self._functions:
            packaged = package(
                ROOT,
                bucket=CODE_BUCKET,
                functions=self._functions,
                numbers={"WorkerConcurrency": WORKER_CONCURRENCY},
                settings={**LOGGING, **self._settings},
            )
        else:
            packaged = Package(stores_only(read_template(ROOT / "template.yaml")), archives={})
        self.deployment = deploy(self.client, packaged)

    def _serve(self, starting: ExitStack) -> None:
        listener = self._listener or front.listen(0)
        upstream = f"{self.endpoint}/_aws/execute-api/{self.deployment.physical[API]}/$default"
        starting.enter_context(front.serving(listener, upstream))
        self.base_url = f"http://{front.HOST}:{listener.getsockname()[1]}"


@contextmanager
def _claimed(data: Path) -> Iterator[None]:
    """Two stacks writing one directory would overwrite each other's state when they end."""
    data.mkdir(parents=True, exist_ok=True)
    with (data / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            message = f"{data} is in use by another stack"
            raise DataInUse(message) from error
        yield


@contextmanager
def _ticking(tick: Callable[[], object], every_s: float = SWEEP_EVERY_S) -> Iterator[None]:
    """Call `tick` in a thread until the block ends."""
    ended = threading.Event()

    def run() -> None:
        while not ended.wait(every_s):
            tick()

    thread = threading.Thread(target=run, name="sweeper", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
