"""`verbena completion`: the script that makes a shell complete commands, verbs, fields and choices."""

import click
from click.shell_completion import get_completion_class

from verbena.doors.cli.program import main

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print what makes SHELL complete commands; put it where the shell reads it.

    bash: verbena completion bash >> ~/.bashrc; zsh: the same with ~/.zshrc; fish: into
    ~/.config/fish/completions/verbena.fish.
    """
    known = get_completion_class(shell)
    if known is None:
        message = f"no completion for {shell}"
        raise click.UsageError(message)
    click.echo(known(main, {}, "verbena", "_VERBENA_COMPLETE").source())
