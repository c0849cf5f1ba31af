"""Derivatives of a run by parameters and by the start."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from . import _errors as errors
from ._carom import ffi, lib
from ._errors import UnknownNameError, UsageError, fail, text_of
from ._library import IMPACTS, Array, Handle, unknown

if TYPE_CHECKING:
    from ._model import Model


@dataclass(frozen=True)
class Derivative:
    """What derivatives were taken by."""

    value: float
    unit: str
    """"": not known."""
    influences: bool
    """Something in the run depends on it."""
    one_sided: bool
    """It is at the bound of its range: errors are of the order of `step`."""
    step: float
    defined_until: float
    """[s]; from then on there is none, and a warning says why."""
    end: float
    """Of the time at which the run ends [s per unit], which an event that stops it or a parameter in `until` moves."""


class Derivatives(Mapping[str, Dict[str, Array]]):
    """Derivatives of a run, made by `Model.derivatives()`: a mapping of names of channels to arrays by parameter,
    `d["body.ball.position"]["K"]`, a row a time in `time`, NAN where there is none, along the moving end where no times
    are given or an event has stopped the run; `impacts["K"]["v_out"]` are those
    of the impacts; `run_values` and `run_impacts` have the run itself."""

    time: Array
    """[s]"""
    parameters: Dict[str, Derivative]
    run_values: Dict[str, Array]
    impacts: Dict[str, NDArray[np.void]]
    run_impacts: NDArray[np.void]
    warnings: Tuple[str, ...]

    def __init__(self) -> None:
        self._by_channel: Dict[str, Dict[str, Array]] = {}

    def __getitem__(self, channel: str) -> Dict[str, Array]:
        if channel not in self._by_channel:
            raise UnknownNameError(unknown("channel with derivatives", channel, list(self._by_channel)))
        return self._by_channel[channel]

    def __iter__(self) -> Any:
        return iter(self._by_channel)

    def __len__(self) -> int:
        return len(self._by_channel)

    def __repr__(self) -> str:
        return (f"<carom.Derivatives by {', '.join(self.parameters)}: {len(self.run_impacts)} impacts, "
                f"{len(self)} channels at {len(self.time)} times>")


def derive(model: "Model", by: Sequence[str], channels: Sequence[str], times: Any, run: int,
           options: Mapping[str, Any]) -> Derivatives:
    """Runs a model with derivatives."""
    from ._simulation import define
    if isinstance(by, str) or isinstance(channels, str):
        raise UsageError("names of parameters and channels are lists, such as ['K', 'e']")
    own = model.with_parameters()  # a context and a document for this thread
    definition, keep, motions = define(own, run, **options)
    what = ffi.new("carom_sensitivity_def *", lib.carom_default_sensitivity_def())
    names = [ffi.new("char[]", name.encode()) for name in by]
    listed = ffi.new("char *[]", names)
    what.parameters, what.parameter_count, what.simulation = listed, len(names), definition
    out = ffi.new("carom_sensitivity **")
    context = own._context

    def check(status: int) -> None:
        if status:
            fail(context.pointer, status, lambda file: own.text if file == own._name else "")
        errors.raise_pending()

    check(lib.carom_sensitivity_create(context.pointer, own._document.pointer, what, out))
    handle = Handle(out[0], lib.carom_sensitivity_free, context)
    found = _sample(handle.pointer, [text_of(name) for name in names], channels, times, check)
    del handle, keep, motions
    return found


def _sample(pointer: Any, by: List[str], channels: Sequence[str], times: Any, check: Any) -> Derivatives:
    sim = lib.carom_sensitivity_simulation(pointer)
    until = lib.carom_simulation_until(sim)
    found = Derivatives()
    found.time = np.atleast_1d(np.asarray(until if times is None else times, float))
    for before, time in zip(found.time, found.time[1:]):
        if not time >= before:
            raise UsageError(f"times ascend, and {time:.9g} s stands behind {before:.9g} s")
    refs = ffi.new("carom_channel_ref[]", max(len(channels), 1))
    for k, name in enumerate(channels):
        check(lib.carom_simulation_find_channel(sim, name.encode(), refs + k))
    sizes = [refs[k].size for k in range(len(channels))]
    rows = [np.full((len(found.time), len(by), size), np.nan) for size in sizes]
    values = [np.full((len(found.time), size), np.nan) for size in sizes]
    for row, time in enumerate(found.time):
        if lib.carom_simulation_stopped_by(sim) == ffi.NULL:
            check(lib.carom_simulation_advance(sim, time))
        check(lib.carom_simulation_evaluate(sim))
        for k in range(len(channels)):
            data, now = np.empty(len(by) * sizes[k]), np.empty(sizes[k])
            check(lib.carom_simulation_read(sim, refs + k, ffi.from_buffer("double[]", now)))
            moving = times is None or lib.carom_simulation_time(sim) < time
            read = lib.carom_sensitivity_final if moving else lib.carom_sensitivity_read
            check(read(pointer, refs + k, ffi.from_buffer("double[]", data)))
            rows[k][row], values[k][row] = data.reshape(len(by), sizes[k]), now
    check(lib.carom_simulation_run(sim))
    for k, name in enumerate(channels):
        scalar = sizes[k] == 1
        found._by_channel[name] = {p: rows[k][:, i, 0] if scalar else rows[k][:, i] for i, p in enumerate(by)}
    found.run_values = {name: values[k][:, 0] if sizes[k] == 1 else values[k] for k, name in enumerate(channels)}
    count = ffi.new("size_t *")
    found.run_impacts = IMPACTS.array(lib.carom_simulation_impacts(sim, count), count[0])
    found.impacts = {}
    for i, p in enumerate(by):
        impacts = ffi.new("carom_impact[]", max(count[0], 1))
        for k in range(count[0]):
            check(lib.carom_sensitivity_impact(pointer, k, i, impacts + k))
        found.impacts[p] = IMPACTS.array(impacts, count[0])
    told = lib.carom_simulation_warnings(sim, count)
    found.warnings = tuple(text_of(told[k]) for k in range(count[0]))
    infos = lib.carom_sensitivity_parameters(pointer, count)
    found.parameters = {
        p: Derivative(infos[i].value, text_of(infos[i].unit), infos[i].influences, infos[i].one_sided, infos[i].step,
                      min(infos[i].lost, until), infos[i].end) for i, p in enumerate(by)}
    return found
