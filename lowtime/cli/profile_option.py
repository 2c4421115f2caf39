"""``--profile FILE``, on every command."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from lowtime.cli.output_folder import check_named

_OPTION = Annotated[
    Path | None,
    typer.Option(
        "--profile",
        metavar="FILE",
        help="Write where the time went: FILE.txt, FILE.json or FILE.trace.json (Perfetto).",
    ),
]


def with_profile_option(command: Callable[..., None]) -> Callable[..., None]:
    """The command, with one option more; also a command that fails leaves its profile."""

    @wraps(command)
    def run(*args: Any, profile_file: Path | None, **kwargs: Any) -> None:
        if profile_file is None:
            command(*args, **kwargs)
            return
        from lowtime.profiling import profile
        from lowtime.profiling.profile_file import check_profile_path

        check_named(profile_file, "file")
        check_profile_path(profile_file)
        with profile() as recorded:
            try:
                command(*args, **kwargs)
            finally:
                recorded.save(profile_file)

    known = inspect.signature(command, eval_str=True)
    option = inspect.Parameter(
        "profile_file", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_OPTION
    )
    signature = known.replace(parameters=[*known.parameters.values(), option])
    run.__signature__ = signature  # type: ignore[attr-defined]
    run.__annotations__ = {
        parameter.name: parameter.annotation for parameter in signature.parameters.values()
    }
    return run
