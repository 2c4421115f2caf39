"""A backend's distribution, written from the templates."""

from __future__ import annotations

import errno
import re
import shutil
import tempfile
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from lowtime.backends.first_party import AUTO, RESERVED
from lowtime.whole_file import under_name

LANGUAGES = ("python", "rust")
TEMPLATE = ".tmpl"  # keeps linters, type checkers and packagers from taking a template for code


def new_backend(folder: Path, language: str, name: str | None = None) -> list[str]:
    """Write a complete distribution; it builds, installs and conforms as it is.

    Args:
        folder: folder to make; it may exist if it is empty.
        language: ``python`` or ``rust``.
        name: name of the backend, ``[a-z][a-z0-9-]*``; None takes the folder's, without a leading
            ``lowtime-``.

    Returns:
        The files written, relative to the folder.

    Raises:
        ValueError: no such language, or a name that is malformed or reserved.
        FileExistsError: the folder exists and is not empty.
    """
    if language not in LANGUAGES:
        raise ValueError(f"language is {language!r}; expected one of {', '.join(LANGUAGES)}")
    folder = Path(folder)
    name = folder.resolve().name.removeprefix("lowtime-") if name is None else name
    _check_name(name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FileExistsError(errno.EEXIST, "exists already; choose another folder", str(folder))
    words = {"name": name, "module": f"lowtime_{name.replace('-', '_')}"}
    words["class"] = "".join(part.capitalize() for part in name.split("-")) + "Backend"
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Complete or not at all: everything is written beside the folder, which then takes its name.
    try:
        beside = tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-")
    except OSError as error:
        raise under_name(error, folder) from error
    with beside as partial:
        written: list[str] = []
        for kind in ("shared", language):
            source = files("lowtime.scaffold").joinpath(kind)
            written += _write(source, Path(partial) / "new", Path(), words)
        if folder.exists():
            folder.rmdir()
        shutil.move(Path(partial) / "new", folder)
    return sorted(written)


def _check_name(name: str) -> None:
    if re.fullmatch("[a-z][a-z0-9]*(-[a-z0-9]+)*", name) is None:
        raise ValueError(
            f"the backend's name would be {name!r}; expected lower-case letters, digits and single"
            " hyphens, starting with a letter"
        )
    if name == AUTO or name in RESERVED:
        raise ValueError(f"the name {name!r} is reserved; choose another")


def _write(source: Traversable, root: Path, below: Path, words: dict[str, str]) -> list[str]:
    """Write a template folder with its words filled in; the files, relative to ``root``."""
    written: list[str] = []
    for entry in source.iterdir():
        target = below / _filled(entry.name.removesuffix(TEMPLATE), words)
        if entry.is_dir():
            written += _write(entry, root, target, words)
        elif entry.name.endswith(TEMPLATE):
            (root / below).mkdir(parents=True, exist_ok=True)
            (root / target).write_text(_filled(entry.read_text("utf-8"), words), "utf-8")
            written.append(target.as_posix())
    return written


def _filled(text: str, words: dict[str, str]) -> str:
    return re.sub(r"@(name|module|class)@", lambda match: words[match[1]], text)
