# SPDX-License-Identifier: GPL-2.0-only
"""A command's arguments with a system before `--then`, and a change of it behind."""

import click

from study.commands.usage import THEN, SystemCommand, changed_by


class BeforeAndAfterCommand(SystemCommand):
    """A command on a system and a change of it. With `--then` the system has the options before it,
    and the change is what stands behind it."""

    def __init__(self, *names: object, **settings: object) -> None:
        super().__init__(*names, **settings)
        about = "Options before it belong to SYSTEM, options after it are the change."
        self.params.append(click.Option([THEN], is_flag=True, expose_value=False, help=about))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if THEN not in args:
            return super().parse_args(ctx, args)
        if args.count(THEN) > 1:
            raise click.UsageError(f"{THEN} may stand once", ctx)
        place = args.index(THEN)
        own, change = args[:place], args[place + 1 :]
        before = self.make_context(ctx.info_name, own, parent=ctx.parent)
        ctx.obj, others = changed_by(before.obj, before.params)
        # What is no parameter may stand on both sides: the last is taken.
        flags = {each.name: each.opts[0] for each in self.params}
        kept = [word for name, text in others.items() for word in (flags[name], text)]
        return super().parse_args(ctx, [self._system_in(own) or "", *kept, *change])
