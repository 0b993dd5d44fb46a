"""`python -m local`: what `make run` starts. Ends with Ctrl-C or SIGTERM, leaving nothing behind."""

import os
import shlex
import signal
import sys
import time
from types import FrameType
from typing import NoReturn

from local import front, logs, seed
from local.deploy import DeployFailed
from local.emulator import EmulatorFailed
from local.options import BadOption, Options, from_environment
from local.stack import DataInUse, Stack
from verbena.aws.keys import new_secret

ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
GREETING = """\
Verbena is ready ({seconds:.1f} s).

  Base URL   {base_url}
  API key    {key}
  Reference  {base_url}/docs

  curl -s {base_url}/v1/web/scrape -H {header} -H 'Content-Type: application/json' \\
    -d '{{"urls": ["https://example.com"]}}'

As its operator (verbena keys, wallet top-up):

  export {operator}

Ctrl-C ends it. {kept}
"""


def main() -> int:
    started = time.monotonic()
    for ending in ENDINGS:
        signal.signal(ending, _end)
    try:
        serve(from_environment(os.environ), started)
    except front.PortTaken as error:
        return _failed(f"{error.strerror}. Choose another: PORT=3001 make run")
    except (BadOption, DataInUse, DeployFailed, EmulatorFailed) as error:
        return _failed(str(error))
    except KeyboardInterrupt:
        return 0


def serve(options: Options, started: float) -> NoReturn:
    """Serve until a signal ends it, by a KeyboardInterrupt."""
    # Taken first: a port in use is said at once, and nobody takes it while the rest starts.
    listener = front.listen(options.port)
    with Stack(listener=listener, data=options.data, settings=options.settings) as stack:
        key = options.dev_key or new_secret()
        seed.seed(stack, key)
        print(_greeting(stack, key, options, time.monotonic() - started), flush=True)
        with logs.following(stack.client("logs"), stack.deployment.physical["FunctionLogs"], _show):
            while True:
                signal.pause()


def _show(line: str) -> None:
    print(line, flush=True)


def _greeting(stack: Stack, key: str, options: Options, seconds: float) -> str:
    kept = f"{options.data} keeps its data." if options.data else "Nothing is kept; DATA=dir make run would."
    return GREETING.format(
        seconds=seconds,
        base_url=stack.base_url,
        key=key,
        header=shlex.quote(f"Authorization: Bearer {key}"),
        operator=shlex.join(f"{name}={value}" for name, value in stack.env.items()),
        kept=kept,
    )


def _end(_signal: int, _frame: FrameType | None) -> NoReturn:
    """Once: a second Ctrl-C must not interrupt the cleaning up."""
    for ending in ENDINGS:
        signal.signal(ending, signal.SIG_IGN)
    raise KeyboardInterrupt


def _failed(message: str) -> int:
    print(f"verbena: {message}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
