# SPDX-License-Identifier: GPL-2.0-only
"""A simulated device for real programs: `study live`."""

import json
from pathlib import Path

import click

from study.base.errors import StudyError
from study.commands.usage import FORMAT, SYSTEM, SystemCommand, file_option, of_a_system
from study.system.system import System


@click.command(cls=SystemCommand, common=("--pcap", "--tap", "--format"))
@SYSTEM
@click.argument("command", nargs=-1, metavar="[-- COMMAND ...]")
@of_a_system
@FORMAT
@file_option("--pcap", "Write there what passed the kernel's interface.")
@click.option(
    "--tap",
    metavar="NAME",
    help="Use this TAP interface, for another machine or a bridge, and no namespace.",
)
@click.pass_context
def live(
    ctx: click.Context,
    unchanged: System,
    chosen: System,
    command: tuple[str, ...],
    style: str,
    pcap: Path | None,
    tap: str | None,
) -> int:
    """Let real programs print to a simulated device, in real time.

    Runs SYSTEM's device behind its link in a network namespace of its own, prints its address, and
    runs COMMAND there (a shell, if none is given): its jobs go through this machine's own TCP. Then
    each job is compared with a simulated job of the same size and the host profile linux-6. Ends
    with COMMAND's status."""
    from study.live.live_run import live as run_live
    from study.live.session import shell

    if chosen.host != unchanged.host:
        raise StudyError("--host has no effect live: this machine's kernel is the host")
    if not command and tap is None:
        command = tuple(shell())
    found = run_live(chosen, command, tap, pcap, lambda line: click.echo(line, err=True))
    click.echo(json.dumps(found.record()) if style == "json" else str(found))
    return found.status


COMMANDS = (live,)
