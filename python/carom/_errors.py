"""What the package raises. All are `carom.Error`; the message is that of the library."""
from __future__ import annotations

import pathlib
import threading
from dataclasses import dataclass
from typing import Any, Callable, Dict, Optional, Tuple, Type

from ._carom import ffi, lib


def text_of(pointer: Any) -> str:
    """A text of the library; "" for NULL."""
    text: str = ffi.string(pointer).decode("utf-8", "replace") if pointer != ffi.NULL else ""
    return text


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a model."""

    text: str
    """The whole sentence, with its place: `m.yaml:4:9: body 'bar': ...`."""
    file: str = ""
    """The file, or the name that was given to a text or dictionary."""
    line: int = 0
    """From 1; 0: no place."""
    column: int = 0
    key: str = ""
    """Where in the model: `bodies.bar.mass`, `bodies.bar.at[1]`."""
    object: str = ""
    """What it is about: `body 'bar'`."""
    remedy: str = ""
    """What to do: `did you mean 'mass'?`."""
    excerpt: str = ""
    """The line of the model, with a mark below the column."""


class Error(Exception):
    """What Carom says went wrong. `str()` is its sentence, with place and remedy."""

    def __init__(self, text: str = "", problems: Tuple[Problem, ...] = ()) -> None:
        super().__init__(text, problems)
        self.text = text
        self.problems = problems or (Problem(text, remedy=text.partition("; ")[2]),)
        """All that was found at once, the first one first."""

    def __str__(self) -> str:
        parts = []
        for problem in self.problems:
            parts.append(problem.text + ("\n" + problem.excerpt if problem.excerpt else ""))
        return "\n".join(parts)

    @property
    def file(self) -> str:
        return self.problems[0].file

    @property
    def line(self) -> int:
        return self.problems[0].line

    @property
    def column(self) -> int:
        return self.problems[0].column

    @property
    def key(self) -> str:
        return self.problems[0].key

    @property
    def object(self) -> str:
        return self.problems[0].object

    @property
    def remedy(self) -> str:
        return self.problems[0].remedy


class ModelError(Error, ValueError):
    """The model, or a value in it, is wrong. Has `file`, `line`, `column`, `key`, `object` and `remedy` of the first
    problem, and all of them in `problems`."""


class UsageError(Error, ValueError):
    """An argument of the call is wrong."""


class UnknownNameError(UsageError, KeyError):
    """There is nothing of that name; the message has the nearest one."""


class SolverError(Error, RuntimeError):
    """The solver gave up; what was computed so far is valid."""


class FileError(Error, OSError):
    """A file could not be read or written."""


class Interrupted(Error):
    """The run was asked to stop; what was computed so far is valid."""


_CLASSES: Dict[int, Type[Error]] = {
    1: ModelError,
    2: UsageError,
    3: SolverError,
    4: FileError,
    6: Interrupted,
}


class _Pending(threading.local):
    """What a function of the user's raised while the library was at work in this thread."""

    error: Optional[BaseException] = None


pending = _Pending()


def keep(kind: Any, value: BaseException, trace: Any) -> None:
    """For `onerror` of what the library calls."""
    if pending.error is None:
        pending.error = value


def raise_pending() -> None:
    error = pending.error
    if error is not None:
        pending.error = None
        raise error


def _excerpt(text: str, line: int, column: int) -> str:
    lines = text.splitlines()
    if not 0 < line <= len(lines):
        return ""
    shown, first = lines[line - 1], max(0, column - 60)
    return f"{line:5} | {shown[first:first + 100]}\n      | {' ' * (column - 1 - first)}^"


def _problem(context: Any, error: Any, source: Callable[[str], str]) -> Problem:
    file, line, column = text_of(error.file), int(error.line), int(error.column)
    key, excerpt = "", ""
    text = source(file) if line else ""
    if text:
        out, data = ffi.new("char[256]"), text.encode()
        other = new_context_pointer()
        if lib.carom_document_key_at(other, data, len(data), line, column, out, 256) == 0:
            key = text_of(out)
        lib.carom_context_free(other)
        excerpt = _excerpt(text, line, column)
    return Problem(text_of(error.text), file, line, column, key, text_of(error.object), text_of(error.remedy), excerpt)


def new_context_pointer() -> Any:
    out = ffi.new("carom_context **")
    if lib.carom_context_create_for(lib.CAROM_VERSION_NUMBER, ffi.NULL, out) != 0:
        raise Error(text_of(lib.carom_context_error(ffi.NULL)))
    return out[0]


def file_text(file: str) -> str:
    try:
        return pathlib.Path(file).read_text("utf-8", "replace")
    except (OSError, ValueError):
        return ""


def fail(context: Any, status: int, source: Callable[[str], str] = file_text,
         kind: Optional[Type[Error]] = None) -> None:
    """Raises what a status other than 0 stands for; first what a function of the user's raised."""
    raise_pending()
    if status == 5:
        raise MemoryError("Carom is out of memory")
    found = ffi.new("carom_error[]", lib.CAROM_MOST_ERRORS)
    count = min(lib.carom_context_errors(context, found, lib.CAROM_MOST_ERRORS), lib.CAROM_MOST_ERRORS)
    problems = tuple(_problem(context, found[k], source) for k in range(count))
    text = text_of(lib.carom_context_error(context)) or text_of(lib.carom_status_name(status))
    what = kind if kind is not None else _CLASSES.get(status, Error)
    raise what(text, problems)
