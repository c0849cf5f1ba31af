"""Analyses: what a run that is no motion finds of a model, as numbers, tables and matrices."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _errors as errors
from ._carom import ffi, lib
from ._library import Array, Handle, new_context, view
from ._errors import fail, text_of

if TYPE_CHECKING:
    from ._model import Model
    from ._state import State


class Matrix(np.ndarray):  # type: ignore[type-arg]
    """A matrix with the names of its rows and columns."""

    row_names: Tuple[str, ...] = ()
    column_names: Tuple[str, ...] = ()


class Analysis(Mapping[str, float]):
    """What an analysis found: a mapping of names to numbers, with `units`; `tables` are structured arrays, `matrices`
    arrays."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        count = ffi.new("size_t *")
        quantities = lib.carom_analysis_quantities(handle.pointer, count)
        values = lib.carom_analysis_values(handle.pointer)
        self._values = {text_of(quantities[k].name): float(values[k]) for k in range(count[0])}
        self.units: Dict[str, str] = {text_of(quantities[k].name): text_of(quantities[k].unit) for k in range(count[0])}
        self.descriptions: Dict[str, str] = {text_of(quantities[k].name): text_of(quantities[k].description)
                                             for k in range(count[0])}

    @property
    def name(self) -> str:
        return text_of(lib.carom_analysis_name(self._handle.pointer))

    def __getitem__(self, name: str) -> float:
        if name not in self._values:
            from ._library import unknown
            raise errors.UnknownNameError(unknown("number", name, list(self._values)))
        return self._values[name]

    __eq__, __hash__ = object.__eq__, object.__hash__

    def __iter__(self) -> Any:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    @property
    def tables(self) -> Dict[str, NDArray[np.void]]:
        count = ffi.new("size_t *")
        tables = lib.carom_analysis_tables(self._handle.pointer, count)
        return {text_of(tables[k].name): _table(tables[k]) for k in range(count[0])}

    @property
    def matrices(self) -> Dict[str, Matrix]:
        """By names; views, with `row_names` and `column_names`."""
        count, out = ffi.new("size_t *"), {}
        matrices = lib.carom_analysis_matrices(self._handle.pointer, count)
        for k in range(count[0]):
            m = matrices[k]
            matrix = view(m.values, (m.rows, m.columns), self._handle, (8, 8 * m.rows)).view(Matrix)
            matrix.row_names = tuple(text_of(m.row_names[i]) for i in range(m.rows))
            matrix.column_names = tuple(text_of(m.column_names[i]) for i in range(m.columns))
            out[text_of(m.name)] = matrix
        return out

    def __repr__(self) -> str:
        return f"<carom.Analysis {self.name}: " + ", ".join(f"{k} {v:.6g}" for k, v in self._values.items()) + ">"


def _table(t: Any) -> NDArray[np.void]:
    columns = [text_of(t.columns[c].name) for c in range(t.column_count)]
    is_text = [text_of(t.columns[c].unit) == "" for c in range(t.column_count)]
    rows: List[Tuple[Union[str, float], ...]] = [
        tuple(text_of(cell.text) if is_text[c] else cell.number
              for c, cell in ((c, t.cells[r * t.column_count + c]) for c in range(t.column_count)))
        for r in range(t.row_count)]
    widths = [max((len(str(row[c])) for row in rows), default=1) or 1 for c in range(t.column_count)]
    types = [(name, f"<U{width}" if text else "<f8") for name, text, width in zip(columns, is_text, widths)]
    return np.array(rows, types)


def analyse(model: "Model", run: Union[int, str], state: Optional["State"], options: Mapping[str, Any]) -> Analysis:
    definition = ffi.new("carom_analysis_def *", lib.carom_default_analysis_def())
    number = run if isinstance(run, int) else 0
    known = lib.carom_model_get_run(model._pointer, number) if number >= 0 else ffi.NULL
    if known == ffi.NULL:
        raise errors.UsageError(f"run {run}: the model has {len(model.runs)}, counted from 0")
    own, keep = ffi.new("carom_run_def *", known[0]), []
    fields = {"every": "output_every"}
    if isinstance(run, str):
        options = {"analysis": run, **options}
    for name, value in options.items():
        field = fields.get(name, name)
        if field not in _FIELDS:
            from ._library import unknown
            raise errors.UsageError(unknown("option", name, list(_FIELDS)))
        if isinstance(value, str):
            keep.append(ffi.new("char[]", value.encode()))
            value = keep[-1]
        setattr(own, field, value)
    definition.run_def = own
    if state is not None:
        definition.state = state._pointer
    context, out = new_context(), ffi.new("carom_analysis **")
    status = lib.carom_analysis_run(context.pointer, model._pointer, definition, out)
    if status:
        fail(context.pointer, status, lambda file: model.text if file == model._name else "")
    return Analysis(Handle(out[0], lib.carom_analysis_free, context, model._handle))


_FIELDS = {name for name, field in ffi.typeof("carom_run_def").fields
           if field.type.kind == "primitive" or ffi.getctype(field.type) in ("char *", "char const *")}
