"""The program: its subcommands, and how an error becomes one line and an exit code."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from lowtime.cli.profile_option import with_profile_option
from lowtime.cli.termination import ended_by_sigterm
from lowtime.errors import BackendFault, LowtimeError

# Name -> module, whose `command` is run; imported only when it is asked for.
SUBCOMMANDS = {
    "pipeline": "lowtime.cli.pipeline",
    "plan": "lowtime.cli.plan",
    "report": "lowtime.cli.report",
    "backends": "lowtime.cli.backends",
    "max-flow": "lowtime.cli.max_flow",
    "conformance": "lowtime.cli.conformance",
    "new-backend": "lowtime.cli.new_backend",
}

USER_ERROR = 2
BACKEND_FAULT = 1


class _Subcommands(TyperGroup):
    def list_commands(self, ctx: Any) -> list[str]:
        return list(SUBCOMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in SUBCOMMANDS:
            return None
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        command = import_module(SUBCOMMANDS[cmd_name]).command
        single.command(cmd_name)(with_profile_option(command))
        return typer.main.get_command(single)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        # click cuts every summary to one line; a summary that ends in "..." says too little.
        rows = []
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            rows.append((name, command.get_short_help_str(limit=1000)))
        with formatter.section("Commands"):
            formatter.write_dl(rows)


# Plain click messages: rich boxes break lines at the terminal's width, also inside file names.
_program = typer.Typer(
    cls=_Subcommands,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from lowtime import __version__

        typer.echo(f"lowtime {__version__}")
        raise typer.Exit


@_program.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """The complete time-cost frontier of a DAG of operations; its plans; its max-flow backends."""


def main() -> int:
    """Run the command line.

    Returns:
        The exit code: 0; 2 for a user's error; 1 for a fault of a backend; 143 after SIGTERM.
    """
    usual = warnings.formatwarning
    warnings.formatwarning = _warning_line
    try:
        with ended_by_sigterm():
            _program(prog_name="lowtime")
    except SystemExit as end:  # how typer ends; a user's error is 2 there, too
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BackendFault as error:
        return _fail(error.message, BACKEND_FAULT)
    except LowtimeError as error:
        return _fail(error.message, USER_ERROR)
    except BrokenPipeError:  # the reader of a pipe (`| head`) has seen enough
        sys.stderr.close()  # no complaint about flushing stdout at exit
        return 0
    except MemoryError as error:
        why = f": {error}" if str(error) else ""
        return _fail(f"not enough memory{why}; make the problem smaller", USER_ERROR)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _fail(f"{where}{error.strerror or error}", USER_ERROR)
    finally:
        warnings.formatwarning = usual
    return 0


def _warning_line(message: Warning | str, *_: object, **__: object) -> str:
    """A warning in one line like an error; which line of our source gave it helps no user."""
    return f"lowtime: warning: {' '.join(str(message).split())}\n"


def _fail(message: str, code: int) -> int:
    print(f"lowtime: {' '.join(message.split())}", file=sys.stderr)
    return code
