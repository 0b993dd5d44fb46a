"""`python -m local.build`: deploys what `sam build` made with `sam deploy`, into an emulator of its own."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from local import emulator
from local.deploy import CODE_BUCKET
from local.stack import ROOT

# The emulator's entry of samconfig.toml: no questions, and the bucket below.
COMMAND = (str(ROOT / ".venv-sam" / "bin" / "sam"), "deploy", "--config-env", "emulator")


def main() -> int:
    """The exit code of `sam deploy`."""
    with tempfile.TemporaryDirectory(prefix="verbena-") as workdir:
        server = emulator.start(Path(workdir))
        try:
            access = emulator.client_environment(server.endpoint)
            emulator.client(server.endpoint, "s3").create_bucket(Bucket=CODE_BUCKET)
            environment = {**os.environ, **access}
            return subprocess.run(COMMAND, cwd=ROOT, env=environment, check=False).returncode  # noqa: S603 - our own
        finally:
            server.stop()


if __name__ == "__main__":
    sys.exit(main())
