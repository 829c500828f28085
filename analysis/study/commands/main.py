# SPDX-License-Identifier: GPL-2.0-only
"""The command `study`. Parses, calls, prints; a user's mistake is one line on standard error and
status 2, an error of ours one line and status 70."""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from itertools import chain

import click

from study.base.errors import Refused, StudyError, why
from study.commands import ask, diagnose, draw, live, maintain, sweeps, teach
from study.commands.mistakes import extra_of, sentence, unforeseen
from study.runs.damage import Damage, damage_told

INTERRUPTED, TERMINATED = 130, 143
UNFORESEEN = 70  # EX_SOFTWARE of sysexits.h
FAMILIES = {
    "Ask": ask.COMMANDS,
    "Diagnose": diagnose.COMMANDS,
    "Live": live.COMMANDS,
    "Sweep": sweeps.COMMANDS,
    "Draw": draw.COMMANDS,
    "Teach": teach.COMMANDS,
    "Publish": maintain.PUBLISH,
}
FOR_MAINTAINERS = {"For the study's maintainers": maintain.MAINTAIN}


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    # Before numpy is imported: its threads take as long to start as the rest of it, for no use
    # here.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with _termination_interrupts() as terminated, damage_told() as damage:
        return _run(arguments, terminated, damage)


def _run(arguments: list[str] | None, terminated: list[int], damage: Damage) -> int:
    try:
        status = study.main(arguments, prog_name="study", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except Refused as error:
        return _fail(damage.after(error.typed(sys.argv[1:] if arguments is None else arguments)))
    except StudyError as error:
        return _fail(damage.after(str(error)))
    except click.ClickException as error:
        return _fail(sentence(error))
    except (click.Abort, KeyboardInterrupt, Interrupted) as error:
        begin = "\n" if sys.stderr.isatty() else ""  # after the terminal's "^C"
        print(f"{begin}{str(error.__cause__ or error) or 'interrupted'}", file=sys.stderr)
        return TERMINATED if terminated else INTERRUPTED
    except OSError as error:  # click itself ends quietly when the reader of a pipe has ended
        return _fail(damage.after(f"{error.filename or 'input or output'}: {why(error)}"))
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and (advice := extra_of(error)):
            return _fail(advice)
        return _fail(damage.after(unforeseen(error)), UNFORESEEN)


@contextlib.contextmanager
def _termination_interrupts() -> Iterator[list[int]]:
    """Make SIGTERM, which a scheduler sends before it kills, end a call like Ctrl-C. Yield the list
    of signals received."""
    seen: list[int] = []

    def interrupt(number: int, _: object) -> None:
        seen.append(number)
        raise KeyboardInterrupt("terminated")

    own = threading.current_thread() is threading.main_thread()
    if not own or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield seen
        return
    signal.signal(signal.SIGTERM, interrupt)
    try:
        yield seen
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _fail(message: str, status: int = 2) -> int:
    print(f"study: {' '.join(message.split())}", file=sys.stderr)
    return status


class Interrupted(BaseException):
    """An interrupt; click would print an empty line for KeyboardInterrupt."""


@contextlib.contextmanager
def _interrupts_told_apart() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt as error:
        raise Interrupted from error


class Families(click.Group):
    """Lists the commands by purpose, each with the first line of its help."""

    @_interrupts_told_apart()
    def make_context(self, *arguments: object, **more: object) -> click.Context:
        return super().make_context(*arguments, **more)

    @_interrupts_told_apart()
    def invoke(self, ctx: click.Context) -> object:
        return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, commands in {**FAMILIES, **FOR_MAINTAINERS}.items():
            with formatter.section(title):
                formatter.write_dl([(each.name, each.short_help) for each in commands])


@click.group(
    cls=Families,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 160},
)
@click.pass_context
def study(ctx: click.Context) -> None:
    """How fast will this transfer go, what holds it back, and what would change that?"""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


for command in chain(*FAMILIES.values(), *FOR_MAINTAINERS.values()):
    command.short_help = command.help.splitlines()[0]
    study.add_command(command)

if __name__ == "__main__":
    sys.exit(main())
