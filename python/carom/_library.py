"""Handles of the library's objects, views of its memory."""
from __future__ import annotations

import logging
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _errors as errors
from ._carom import ffi, lib
from ._errors import text_of

Array = NDArray[np.float64]
Number = Union[float, int, np.floating[Any], np.integer[Any]]

log = logging.getLogger("carom")


class Handle:
    """An object of the library. `keep` must outlive it, and is no object of the user's; it is freed with the last
    reference to it and to all handles that keep it, which are counted, as the interpreter finalises objects of a cycle
    in any order."""

    __slots__ = ("pointer", "_free", "_users", "keep", "__weakref__")

    def __init__(self, pointer: Any, free: Callable[[Any], Any], *keep: Any) -> None:
        self.pointer, self._free, self._users, self.keep = pointer, free, 1, keep
        for other in keep:
            if isinstance(other, Handle):
                other._users += 1

    def __del__(self) -> None:
        self._leave()

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("what the library holds cannot be copied or pickled: clone() copies a simulation, checkpoint() "
                        "makes bytes of it, save() keeps a run")

    def _leave(self) -> None:
        self._users -= 1
        if self._users == 0:
            self._free(self.pointer)
            for other in self.keep:
                if isinstance(other, Handle):
                    other._leave()


@ffi.def_extern(onerror=errors.keep)  # type: ignore[misc]
def carom_python_log(user: Any, level: int, text: Any) -> None:
    told = level == lib.CAROM_LOG_WARNING and user == ffi.NULL
    log.log(logging.WARNING if told else logging.INFO, "%s", text_of(text))


_QUIET = ffi.new("char *")

# contexts without a log that nobody uses now: making one takes as long as a tenth of an impact
_spare: List[Any] = []
_MOST_SPARE = 16


def _give_back(context: Any) -> None:
    if len(_spare) < _MOST_SPARE:
        _spare.append(context)
    else:
        lib.carom_context_free(context)


def new_context(told: bool = True) -> Handle:
    """A context of its own for each object that a thread may use. Messages go to the logger `carom`; warnings are no
    more than information where they are kept (not `told`)."""
    definition, leave = ffi.NULL, _give_back
    if told or log.isEnabledFor(logging.INFO):
        leave = lib.carom_context_free
        definition = ffi.new("carom_context_def *", lib.carom_default_context_def())
        definition.log, definition.log_user = lib.carom_python_log, ffi.NULL if told else _QUIET
    elif _spare:
        try:
            return Handle(_spare.pop(), leave)
        except IndexError:  # another thread took it
            pass
    out = ffi.new("carom_context **")
    if lib.carom_context_create_for(lib.CAROM_VERSION_NUMBER, definition, out) != 0:
        raise errors.Error(text_of(lib.carom_context_error(ffi.NULL)))
    return Handle(out[0], leave)


class _Block:
    """Memory of the library as NumPy takes it; keeps its owner alive."""

    __slots__ = ("__array_interface__", "owner")

    def __init__(self, pointer: Any, shape: Tuple[int, ...], strides: Optional[Tuple[int, ...]], owner: Any) -> None:
        self.owner = owner
        self.__array_interface__ = {
            "version": 3, "typestr": "<f8", "shape": shape, "strides": strides,
            "data": (int(ffi.cast("uintptr_t", pointer)), True)}


def view(pointer: Any, shape: Union[int, Tuple[int, ...]], owner: Any,
         strides: Optional[Tuple[int, ...]] = None) -> Array:
    """Numbers of the library as an array that cannot be written to, without a copy."""
    shape = (shape,) if isinstance(shape, int) else shape
    if pointer == ffi.NULL or 0 in shape:
        return np.empty(shape)
    return np.asarray(_Block(pointer, shape, strides, owner))


class Fields:
    """The columns of a table of the library as a NumPy type."""

    def __init__(self, ask: Callable[[Any], Any], struct: str) -> None:
        count = ffi.new("size_t *")
        fields = ask(count)
        self.size: int = ffi.sizeof(struct)
        self.rows = [(text_of(fields[k].name), int(fields[k].type), int(fields[k].offset), text_of(fields[k].unit),
                      text_of(fields[k].description)) for k in range(count[0])]
        self._texts = [(name, offset // 8) for name, kind, offset, _, _ in self.rows if kind == lib.CAROM_FIELD_TEXT]
        self._numbers = np.array([row[2] // 8 for row in self.rows if row[1] != lib.CAROM_FIELD_TEXT])
        self._types: Dict[int, Tuple[Any, NDArray[np.intp]]] = {}
        # runs of numbers beside each other, and the text before each
        self._runs: List[Tuple[bool, slice]] = []
        for _, kind, offset, _, _ in self.rows:
            is_text = kind == lib.CAROM_FIELD_TEXT
            if self._runs and not is_text and not self._runs[-1][0] and self._runs[-1][1].stop == offset:
                self._runs[-1] = False, slice(self._runs[-1][1].start, offset + 8)
            else:
                self._runs.append((is_text, slice(offset, offset + 8)))

    def describe(self) -> Dict[str, Tuple[str, str]]:
        return {name: ("" if unit == "1" else unit, text) for name, _, _, unit, text in self.rows}

    def _type(self, width: int) -> Tuple[Any, NDArray[np.intp]]:
        """The type with texts of so many characters, an even number, and the places of the numbers in units of 8
        bytes."""
        if width not in self._types:
            names = {lib.CAROM_FIELD_TEXT: f"<U{width}", lib.CAROM_FIELD_NUMBER: "<f8"}
            kind = np.dtype([(row[0], names.get(row[1], "<i8")) for row in self.rows])
            places = np.array([kind.fields[row[0]][1] // 8  # type: ignore[index]
                               for row in self.rows if row[1] != lib.CAROM_FIELD_TEXT])
            self._types[width] = kind, places
        return self._types[width]

    def _few(self, pointer: Any, count: int) -> NDArray[np.void]:
        """The array of a few rows, by their bytes: NumPy's ways take longer where a run has filled the caches."""
        data = bytes(ffi.buffer(pointer, count * self.size))
        texts = [text_of(ffi.cast("char **", pointer)[k * self.size // 8 + place]).encode("utf-32-le")
                 for k in range(count) for _, place in self._texts]
        width = max(map(len, texts), default=8) // 4
        width = max(2, width + width % 2)
        parts, text = [], iter(texts)
        for k in range(count):
            row = data[k * self.size:(k + 1) * self.size]
            parts += [next(text).ljust(4 * width, b"\0") if is_text else row[run] for is_text, run in self._runs]
        return np.frombuffer(bytearray(b"".join(parts)), self._type(width)[0])

    def array(self, pointer: Any, count: int) -> NDArray[np.void]:
        """A structured array, a copy of the `count` structs."""
        if not count:
            return np.empty(0, self._type(2)[0])
        if count <= 16:
            return self._few(pointer, count)
        words = np.frombuffer(ffi.buffer(pointer, count * self.size), "<u8").reshape(count, -1)
        texts: Dict[str, Union[str, List[str]]] = {}
        width = 2
        for name, place in self._texts:
            pointers = words[:, place].tolist()
            known = {p: text_of(ffi.cast("char *", p)) for p in set(pointers)}
            texts[name] = [known[p] for p in pointers] if len(known) > 1 else known[pointers[0]]
            width = max(width, *map(len, known.values()))
        kind, places = self._type(width + width % 2)
        out = np.empty(count, kind)
        out.view("<u8").reshape(count, -1)[:, places] = words[:, self._numbers]
        for name, column in texts.items():
            out[name] = column
        return out

    def one(self, struct: Any) -> Dict[str, float]:
        return {name: getattr(struct, name) for name, kind, _, _, _ in self.rows if kind == lib.CAROM_FIELD_NUMBER}


IMPACTS = Fields(lib.carom_impact_fields, "carom_impact")
RESTS = Fields(lib.carom_rest_fields, "carom_rest")
LEDGER = Fields(lib.carom_ledger_fields, "carom_ledger")


def plain(value: Any) -> Any:
    """Numbers of NumPy as those of Python."""
    if isinstance(value, np.generic):
        return value.item()
    return value.tolist() if isinstance(value, np.ndarray) else value


def value_text(value: Any) -> str:
    """A value of a parameter as the model format writes it."""
    value = plain(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(float(value))
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(value_text(item) for item in value) + "]"
    return str(value)


class Names(Mapping[str, int]):
    """Names and their indices, in the order of the file."""

    def __init__(self, what: str, names: Sequence[str]) -> None:
        self.what, self._index = what, {name: k for k, name in enumerate(names)}

    def __getitem__(self, name: str) -> int:
        try:
            return self._index[name]
        except (KeyError, TypeError):
            raise errors.UnknownNameError(unknown(self.what, name, list(self._index))) from None

    def __iter__(self) -> Any:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self._index)


def unknown(what: str, name: Any, names: Sequence[str]) -> str:
    """The sentence on a name that is none, with the nearest one."""
    known = [ffi.new("char[]", item.encode()) for item in names]
    near = lib.carom_nearest_name(str(name).encode(), ffi.new("char *[]", known), len(known)) if known else ffi.NULL
    return f"no {what} {name!r}" + (f"; did you mean '{text_of(near)}'?" if near != ffi.NULL else "")
