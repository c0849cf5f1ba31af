"""Results of runs: in memory, or in a file of which columns are read when they are asked for."""
from __future__ import annotations

import os
import shutil
import tempfile
import threading
import weakref
from dataclasses import dataclass
from types import TracebackType
from typing import (TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple,
                    Type, Union)

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import ArrayLike, NDArray

from . import _errors as errors
from ._carom import ffi, lib
from ._library import IMPACTS, LEDGER, RESTS, Array, Handle, log, new_context, unknown, view
from ._errors import UnknownNameError, UsageError, fail, text_of
from ._values import Ledger, Statistics

if TYPE_CHECKING:
    from ._report import Measured, Report
    from ._simulation import Simulation

Path = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class ChannelInfo:
    """What a channel is."""

    name: str
    unit: str
    description: str
    components: Tuple[str, ...]
    """("x", "y"), ...; empty: a scalar."""
    group: int
    """0: at the output interval; 1: at every step while a contact is open; 2: snapshots."""
    type: str
    object: str
    quantity: str

    @property
    def size(self) -> int:
        return len(self.components) or 1


def channel_infos(channels: Any, count: int) -> List[ChannelInfo]:
    infos = []
    for k in range(count):
        c = channels[k]
        components = () if c.components == ffi.NULL else tuple(text_of(c.components[i]) for i in range(c.size))
        infos.append(ChannelInfo(text_of(c.name), text_of(c.unit), text_of(c.description), components, c.group,
                                 text_of(c.type), text_of(c.object), text_of(c.quantity)))
    return infos


def event_table(events: Any, count: int) -> NDArray[np.void]:
    rows = [(events[k].time, text_of(events[k].event), text_of(events[k].kind), text_of(events[k].action),
             events[k].energy, events[k].rate, events[k].peak, events[k].depth) for k in range(count)]
    widths = [max((len(row[place]) for row in rows), default=1) or 1 for place in (1, 2, 3)]
    return np.array(rows, [("time", "<f8"), ("event", f"<U{widths[0]}"), ("kind", f"<U{widths[1]}"),
                           ("action", f"<U{widths[2]}"), ("energy", "<f8"), ("rate", "<f8"), ("peak", "<f8"),
                           ("depth", "<f8")])


class Channel(NDArrayOperatorsMixin):
    """Values of a channel over time. It is used as an array: `force.max()`, `np.sqrt(force)`, `plt.plot(force.time,
    force)`; `.x`, `.y`, ... are the components of a vector. Contacts have the rows of the output interval and those of
    the solver's steps, by time, so that each channel has a `time` of its own."""

    def __init__(self, info: ChannelInfo, name: str, time: Array, values: Array) -> None:
        self.name, self.info = name, info
        self.time, self.values = time, values

    @property
    def unit(self) -> str:
        return self.info.unit

    @property
    def description(self) -> str:
        return self.info.description

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Array:
        return np.asarray(self.values, dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **more: Any) -> Any:
        return getattr(ufunc, method)(*(i.values if isinstance(i, Channel) else i for i in inputs), **more)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self.info.components and self.values.ndim == 2:
            k = self.info.components.index(name)
            return Channel(ChannelInfo(f"{self.name}.{name}", *_rest(self.info)), f"{self.name}.{name}", self.time,
                           self.values[:, k])
        return getattr(self.values, name)

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self.info.components, *dir(np.ndarray)]

    def __getitem__(self, key: Any) -> Any:
        return self.values[key]

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def at(self, time: ArrayLike) -> Any:
        """Values at times [s], by straight lines between the rows."""
        times = np.asarray(time, float)
        if self.values.ndim == 1:
            return np.interp(times, self.time, self.values)
        return np.stack([np.interp(times, self.time, column) for column in self.values.T], -1)

    def between(self, start: float, end: float) -> "Channel":
        """The rows from one time to another [s], views."""
        first, last = int(np.searchsorted(self.time, start)), int(np.searchsorted(self.time, end, "right"))
        return Channel(self.info, self.name, self.time[first:last], self.values[first:last])

    def __repr__(self) -> str:
        unit = f" [{self.unit}]" if self.unit not in ("", "-", "1") else ""
        return f"<carom.Channel {self.name}{unit}: {self.values.shape[0]} rows, {self.description}>"


def _rest(info: ChannelInfo) -> Tuple[Any, ...]:
    return info.unit, info.description, (), info.group, info.type, info.object, info.quantity


class Run(Mapping[str, Channel]):
    """Results of a run: a mapping of names of channels to Channel objects, `run["contact.hit.force"]`,
    `run["body.ball.position"].x`; `time` is that of the output interval. `with` closes it."""

    model_name: str
    title: str
    model_text: str
    overrides: Tuple[str, ...]
    """NAME=VALUE of the parameters that were given."""
    _channels: Dict[str, ChannelInfo]

    # ---- what a kind of results has ----

    @property
    def status(self) -> str:
        """"completed", "completed, inaccurate", "interrupted", "failed", "running", "killed"; "part" or
        "part, inaccurate" of a recording that began behind the start or ended before the end of the run."""
        raise NotImplementedError

    @property
    def impacts(self) -> NDArray[np.void]:
        """The impacts, a structured array: `run.impacts["e_got"]`; `carom.columns("impacts")` says what they are."""
        raise NotImplementedError

    @property
    def derivatives(self) -> Dict[str, NDArray[np.void]]:
        """Derivatives of the impacts, of a file of `carom run --derivatives`: `run.derivatives["K"]["v_out"]`, rows as
        those of `impacts`, NAN where there is none. Those of channels are channels, "derivative.K.body.ball.position".
        Model.derivatives() finds them in Python."""
        return {}

    @property
    def rests(self) -> NDArray[np.void]:
        """Contacts that lasted, a structured array."""
        raise NotImplementedError

    @property
    def events(self) -> NDArray[np.void]:
        """Events of the model whose actions were taken, a structured array as that of Simulation.events."""
        raise NotImplementedError

    @property
    def ledger(self) -> Ledger:
        """The energy balance at the end [J]."""
        raise NotImplementedError

    @property
    def warnings(self) -> Tuple[str, ...]:
        raise NotImplementedError

    def _column(self, info: ChannelInfo, component: Optional[int]) -> Tuple[Array, Array]:
        raise NotImplementedError

    def save(self, path: Path) -> "FileRun":
        """Writes the results to a file (HDF5) and returns those of it."""
        raise NotImplementedError

    def _file(self) -> "FileRun":
        """The results as a file, for what the library makes of them."""
        raise NotImplementedError

    def close(self) -> None:
        """Ends the use of the results; arrays that are left stay valid."""

    # ---- what all have ----

    @property
    def channels(self) -> Dict[str, ChannelInfo]:
        """What was recorded, with units and descriptions."""
        return dict(self._channels)

    @property
    def time(self) -> Array:
        """Times of the output interval [s]."""
        for info in self._channels.values():
            if info.group == 0:
                return self._column(info, None if info.size == 1 else 0)[0]
        return np.empty(0)

    def __getitem__(self, name: str) -> Channel:
        info, component = self._find(name)
        rows = self._column(info, component)
        return Channel(info if component is None else ChannelInfo(name, *_rest(info)), name, *rows)

    def _find(self, name: str) -> Tuple[ChannelInfo, Optional[int]]:
        info = self._channels.get(name)
        if info is not None:
            return info, None
        whole, _, part = str(name).rpartition(".")
        info = self._channels.get(whole)
        if info is None or part not in info.components:
            raise UnknownNameError(unknown("channel", name, list(self._channels)))
        return info, info.components.index(part)

    def __iter__(self) -> Iterator[str]:
        return iter(self._channels)

    def __len__(self) -> int:
        return len(self._channels)

    def __bool__(self) -> bool:
        """True, also of a run without channels."""
        return True

    __eq__, __hash__ = object.__eq__, object.__hash__

    def _ipython_key_completions_(self) -> Sequence[str]:
        return [name for info in self._channels.values()
                for name in (info.name, *(f"{info.name}.{c}" for c in info.components))]

    def frame(self, *names: str) -> Any:
        """Channels at the output interval as a pandas frame with the time as index; without names all of them."""
        import pandas
        wanted = names or [n for n, info in self._channels.items() if info.group != 2]
        columns: Dict[str, Array] = {}
        for name in wanted:
            channel = self[name]
            values = channel.values if len(channel) == len(self.time) else channel.at(self.time)
            for k, part in enumerate(channel.info.components if values.ndim == 2 else ("",)):
                columns[f"{name}.{part}" if part else name] = values[:, k] if values.ndim == 2 else values
        return pandas.DataFrame(columns, index=pandas.Index(self.time, name="time"))

    def impacts_frame(self) -> Any:
        """The impacts as a pandas frame."""
        import pandas
        return pandas.DataFrame(self.impacts)

    def plot(self, *names: str, x: Optional[str] = None, impact: Optional[int] = None, ax: Any = None,
             **style: Any) -> Any:
        """Draws channels with matplotlib over the time, or over the channel `x`; without names the forces of the
        contacts,
        else the energies. impact: around that impact alone, from 1. Returns the axes."""
        from ._plot import plot
        return plot(self, names, x, impact, ax, style)

    def report(self, path: Optional[Path] = None, *, title: Optional[str] = None, max_size: float = 0,
               data: Sequence["Measured"] = ()) -> "Report":
        """The report page: motion, plots, impacts, energies in one HTML file, shown by Jupyter. path: where it is kept;
        max_size: largest size [bytes]; data: measured points over the curves."""
        from ._report import report
        return report([self], path, title=title, max_size=max_size, data=data)

    def csv(self, path: Path, *names: str) -> None:
        """Writes channels at the output interval (all, or those named) as CSV with 17 digits."""
        self._file()._csv(path, names)

    def mat(self, path: Path, *names: str) -> None:
        """Writes a MAT-file."""
        with self._file()._text_list(names) as (texts, count):
            self._file()._call(lib.carom_result_write_mat, texts, count, os.fsencode(path))

    def vtk(self, folder: Path) -> None:
        """Writes a time series for ParaView to a new folder."""
        self._file()._call(lib.carom_result_write_vtk, os.fsencode(folder))

    def gltf(self, path: Path, speed: float = 1.0) -> None:
        """Writes the motion as a binary glTF file, at `speed` times the run's time."""
        self._file()._call(lib.carom_result_write_gltf, speed, os.fsencode(path))

    def sample(self, name: str, times: ArrayLike) -> Array:
        """A scalar channel at times [s], by the polynomial through four rows; NAN outside of the rows."""
        return self._file()._sample(name, np.ascontiguousarray(times, float))

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    def __repr__(self) -> str:
        impacts = len(self.impacts)
        return (f"<carom.Run of {self.model_name}, {self.status}: {impacts} impact{'s' if impacts != 1 else ''}, "
                f"{len(self._channels)} channels, residual {self.ledger.residual_fraction:.2g}"
                f"{f', {len(self.warnings)} warnings' if self.warnings else ''}>")

    def _repr_html_(self) -> str:
        from ._report import run_html
        return run_html(self)


# ---- in memory ----

_NONE_OF: Dict[str, Any] = {}


class _Texts:
    """Texts of the library as ones of our own, one for each."""

    def __init__(self) -> None:
        self.known: Dict[bytes, Any] = {}

    def copy(self, pointer: Any) -> Any:
        if pointer == ffi.NULL:
            return ffi.NULL
        text = ffi.string(pointer)
        return self.known[text] if text in self.known else self.known.setdefault(text, ffi.new("char[]", text))

    def rows(self, kind: str, pointer: Any, count: int, fields: Sequence[str]) -> Any:
        if not count:
            if kind not in _NONE_OF:
                _NONE_OF[kind] = ffi.new(kind, 0)
            return _NONE_OF[kind]
        out = ffi.new(kind, count)
        ffi.memmove(out, pointer, ffi.sizeof(out))
        for k in range(count):
            for field in fields:
                setattr(out[k], field, self.copy(getattr(out[k], field)))
        return out


class _Part:
    """The part of a run that a recording has: from `begin` [s] on, behind `events` events."""

    def __init__(self, simulation: "Simulation", whole: bool) -> None:
        count = ffi.new("size_t *")
        lib.carom_simulation_fired_events(simulation._pointer, count)
        self.begin, self.events = (0.0, 0) if whole else (simulation.time, int(count[0]))

    def is_part(self, simulation: "Simulation") -> bool:
        ended = lib.carom_simulation_stopped_by(simulation._pointer) != ffi.NULL
        return self.begin > 0 or not (ended or simulation.time >= lib.carom_simulation_until(simulation._pointer))


def _ended(part: bool, end: Any) -> str:
    return ("part" if part else "completed") + ("" if end.accuracy.accurate else ", inaccurate")


def _chosen(rows: Any, of: Callable[[Any], bool], first: int = 0) -> Any:
    """The rows behind the first ones that are of a part."""
    places = [k for k in range(min(first, len(rows)), len(rows)) if of(rows[k])]
    if len(places) == len(rows):
        return rows
    out = ffi.new(ffi.getctype(ffi.typeof(rows).item, "[]"), len(places))
    for to, k in enumerate(places):
        out[to] = rows[k]
    return out


class MemoryRun(Run):
    """Results in memory: channels are views of the rows."""

    _rows: Dict[int, Tuple[Array, Array]]
    _places: Dict[Tuple[str, int], int]

    def __init__(self, simulation: "Simulation", blocks: Sequence[Tuple[int, Array, Array]],
                 status: Optional[str] = None, part: Optional["_Part"] = None) -> None:
        end = ffi.new("carom_python_end *")
        simulation._call(lib.carom_python_take_end, end)
        self._model, self._end, self._texts = simulation.model, end, _Texts()
        self._warnings = tuple(text_of(end.warnings[k]) for k in range(end.warning_count))
        if not end.accuracy.accurate:
            self._warnings = (text_of(end.accuracy.text), *self._warnings)
            log.warning("%s", self._warnings[0])
        self._status = status or _ended(part is not None and part.is_part(simulation), end)
        rows = self._texts.rows
        self._impact_rows = rows("carom_impact[]", end.impacts, end.impact_count, ("contact",))
        self._rest_rows = rows("carom_rest[]", end.rests, end.rest_count, ("contact",))
        self._event_rows = rows("carom_fired_event[]", end.events, end.event_count, ("event", "kind", "action"))
        if part is not None and part.begin > 0:
            begin = part.begin
            self._impact_rows = _chosen(self._impact_rows, lambda i: bool(i.onset >= begin))
            self._rest_rows = _chosen(self._rest_rows, lambda r: bool(r.begin + r.duration > begin))
            self._event_rows = _chosen(self._event_rows, lambda e: True, part.events)
        self._impacts: Optional[NDArray[np.void]] = None
        self._saved: Optional[FileRun] = None
        self._list: List[ChannelInfo] = []
        self._channels, self._rows, self._places = {}, {}, {}
        if blocks:
            self._options = f"integrator {simulation.integrator}, formulation {simulation.formulation}"
            self._take_rows(simulation, blocks)

    @property
    def model_name(self) -> str:  # type: ignore[override]
        return self._model.name

    @property
    def title(self) -> str:  # type: ignore[override]
        return self._model.title

    @property
    def model_text(self) -> str:  # type: ignore[override]
        return self._model.text

    @property
    def overrides(self) -> Tuple[str, ...]:  # type: ignore[override]
        return tuple(f"{name}={value}" for name, value in self._model.given.items())

    def _take_rows(self, simulation: "Simulation", blocks: Sequence[Tuple[int, Array, Array]]) -> None:
        count = ffi.new("size_t *")
        all_of = self._list = channel_infos(lib.carom_simulation_channels(simulation._pointer, count), count[0])
        self._channels = {info.name: info for info in all_of if info.group != 2}
        self._channels.update({info.name: info for info in all_of if info.name not in self._channels})
        for group in range(3):
            parts = [(time, data) for g, time, data in blocks if g == group]
            width = sum(info.size for info in all_of if info.group == group)
            if len(parts) == 1:
                self._rows[group] = parts[0]
            else:
                self._rows[group] = (np.concatenate([p[0] for p in parts]) if parts else np.empty(0),
                                     np.concatenate([p[1] for p in parts]) if parts else np.empty((0, width)))
            for array in self._rows[group]:
                array.flags.writeable = False
        places = [0, 0, 0]
        for info in all_of:
            self._places[info.name, info.group] = places[info.group]
            places[info.group] += info.size

    @property
    def status(self) -> str:
        return self._status

    @property
    def impacts(self) -> NDArray[np.void]:
        if self._impacts is None:
            self._impacts = IMPACTS.array(self._impact_rows, len(self._impact_rows))
        return self._impacts

    @property
    def rests(self) -> NDArray[np.void]:
        return RESTS.array(self._rest_rows, len(self._rest_rows))

    @property
    def events(self) -> NDArray[np.void]:
        return event_table(self._event_rows, len(self._event_rows))

    @property
    def ledger(self) -> Ledger:
        return Ledger(**LEDGER.one(self._end.ledger))

    @property
    def statistics(self) -> Statistics:
        """Work of the run."""
        s = self._end.statistics
        return Statistics(s.time, s.steps, s.rhs_evaluations, s.restarts, s.cpu_seconds)

    @property
    def warnings(self) -> Tuple[str, ...]:
        return self._warnings

    def _of_group(self, info: ChannelInfo, group: int, component: Optional[int]) -> Tuple[Array, Array]:
        place, (time, data) = self._places[info.name, group], self._rows[group]
        if component is not None:
            return time, data[:, place + component]
        return time, data[:, place] if info.size == 1 else data[:, place:place + info.size]

    def _column(self, info: ChannelInfo, component: Optional[int]) -> Tuple[Array, Array]:
        first = self._of_group(info, info.group, component)
        if info.group != 1 or (info.name, 0) not in self._places:
            return first
        # as carom_result_column(): rows of the interval and of the steps, by time; one of both at equal times
        rows, steps = self._of_group(info, 0, component), first
        keep = ~np.isin(rows[0], steps[0])
        time = np.concatenate([rows[0][keep], steps[0]])
        order = np.argsort(time, kind="stable")
        return time[order], np.concatenate([rows[1][keep], steps[1]])[order]

    def save(self, path: Path) -> "FileRun":
        definition, keep = ffi.new("carom_writer_def *", lib.carom_default_writer_def()), []  # type: Any, List[Any]

        def text(value: str) -> Any:
            keep.append(ffi.new("char[]", value.encode()))
            return keep[-1]

        channels = ffi.new("carom_channel[]", max(len(self._list), 1))
        for row, info in zip(channels, self._list):
            row.name, row.unit, row.description = text(info.name), text(info.unit), text(info.description)
            row.type, row.object, row.quantity = text(info.type), text(info.object), text(info.quantity)
            row.size, row.group = info.size, info.group
            if info.components:
                keep.append(ffi.new("char *[]", [text(c) for c in info.components]))
                row.components = keep[-1]
        overrides = ffi.new("char *[]", [text(value) for value in self.overrides])
        definition.path, definition.model_name, definition.title = (text(os.fspath(path)), text(self.model_name),
                                                                    text(self.title))
        definition.model_text = text(self.model_text)
        definition.options = text(self._options)
        definition.overrides, definition.override_count = overrides, len(self.overrides)
        definition.channels, definition.channel_count = channels, len(self._list)
        context, writer = new_context(), ffi.new("carom_writer **")

        def check(status: int) -> None:
            if status:
                fail(context.pointer, status)

        check(lib.carom_writer_create(context.pointer, definition, writer))
        try:
            self._write(writer[0], check)
        finally:
            ledger = ffi.addressof(self._end, "ledger")
            status = lib.carom_writer_close(writer[0], ledger, text(self._status))
        check(status)
        return open_run(path)

    def _write(self, writer: Any, check: Callable[[int], None]) -> None:
        sink = lib.carom_writer_sink(writer)
        for group, (time, data) in self._rows.items():
            time, data = np.ascontiguousarray(time), np.ascontiguousarray(data)
            if len(time):
                check(sink.rows(sink.user, group, len(time), ffi.from_buffer("double[]", time),
                                ffi.from_buffer("double[]", data.ravel())))
        for rows, give in ((self._impact_rows, sink.impact), (self._rest_rows, sink.rest),
                           (self._event_rows, sink.event)):
            for k in range(len(rows)):
                check(give(sink.user, ffi.addressof(rows, k)))
        for warning in self._warnings:
            check(lib.carom_writer_warn(writer, warning.encode()))

    def _file(self) -> "FileRun":
        if not self._list:
            raise UsageError("the run was not recorded; leave out record=False")
        if self._saved is None:
            folder = tempfile.mkdtemp(prefix="carom-")
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
            self._saved = self.save(os.path.join(folder, f"{self.model_name}.h5"))
        return self._saved


@ffi.def_extern(error=lib.CAROM_INTERRUPTED, onerror=errors.keep)  # type: ignore[misc]
def carom_python_rows(user: Any, group: int, rows: int, time: Any, data: Any) -> int:
    recording = ffi.from_handle(user)
    width = recording.widths[group]
    recording.blocks.append((group, np.frombuffer(ffi.buffer(time, 8 * rows)).copy(),
                             np.frombuffer(ffi.buffer(data, 8 * rows * width)).reshape(rows, width).copy()
                             if width else np.empty((rows, 0))))
    return 0


class Recording:
    """What records a simulation while `with` lasts; `run` is it afterwards. whole: with all impacts, rests and events
    of the run so far, not those within alone."""

    def __init__(self, simulation: "Simulation", path: Optional[Path], whole: bool = False) -> None:
        self._simulation, self.path, self._whole = simulation, path, whole
        self._run: Optional[Run] = None
        self.blocks: List[Tuple[int, Array, Array]] = []
        self.widths = [0, 0, 0]
        self._writer: Any = None

    @property
    def run(self) -> Run:
        if self._run is None:
            raise UsageError("the recording has not ended; ask for it behind the `with` block")
        return self._run

    def __enter__(self) -> "Recording":
        simulation = self._simulation
        if simulation._recorded:
            raise UsageError("the simulation is recorded already; within record() go on by step() or run(record=False)")
        self._part = _Part(simulation, self._whole)
        self._begin(simulation)
        simulation._recorded = True
        return self

    def _begin(self, simulation: "Simulation") -> None:
        if self.path is not None:
            self._open_writer(self.path)
            self._passing = ffi.new("carom_python_part *")
            lib.carom_python_take_part(self._passing, lib.carom_writer_sink(self._writer), self._part.begin,
                                       self._part.events)
            simulation._call(lib.carom_simulation_set_sink, ffi.addressof(self._passing, "sink"))
            return
        count = ffi.new("size_t *")
        channels = lib.carom_simulation_channels(simulation._pointer, count)
        for k in range(count[0]):
            self.widths[channels[k].group] += channels[k].size
        self._user = ffi.new_handle(self)
        sink = ffi.new("carom_sink *", lib.carom_default_sink())
        sink.user, sink.rows = self._user, lib.carom_python_rows
        simulation._call(lib.carom_simulation_set_sink, sink)

    def _open_writer(self, path: Path) -> None:
        simulation, model = self._simulation, self._simulation.model
        definition, keep = ffi.new("carom_writer_def *", lib.carom_default_writer_def()), []  # type: Any, List[Any]

        def text(value: str) -> Any:
            keep.append(ffi.new("char[]", value.encode()))
            return keep[-1]

        overrides = [f"{name}={value}" for name, value in model.given.items()]
        definition.path, definition.model_name = text(os.fspath(path)), text(model.name)
        definition.title = text(model.title)
        definition.model_text = text(model.text)
        definition.options = text(f"integrator {simulation.integrator}, formulation {simulation.formulation}"
                                  + "".join(f", set {o}" for o in overrides))
        keep.append(ffi.new("char *[]", [text(o) for o in overrides]))
        definition.overrides, definition.override_count = keep[-1], len(overrides)
        count, out = ffi.new("size_t *"), ffi.new("carom_writer **")
        definition.channels = lib.carom_simulation_channels(simulation._pointer, count)
        definition.channel_count = count[0]
        for group in range(3):
            definition.block_rows[group] = lib.carom_simulation_block_rows(simulation._pointer, group)
        status = lib.carom_writer_create(simulation._context.pointer, definition, out)
        if status:
            fail(simulation._context.pointer, status)
        self._writer = out[0]

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        simulation = self._simulation
        simulation._recorded = False
        stopped = kind is not None and issubclass(kind, (errors.Interrupted, KeyboardInterrupt))
        status = None if kind is None else "interrupted" if stopped else "failed"
        context = simulation._context.pointer
        cut = lib.carom_simulation_set_sink(simulation._pointer, ffi.NULL)
        if self.path is None:
            if cut and kind is None:
                fail(context, cut)
            self._run = MemoryRun(simulation, self.blocks, status, self._part)
            self.blocks = []
            del self._user
            return
        writer, self._writer = self._writer, None
        if status is None and self._part.is_part(simulation):
            end = ffi.new("carom_python_end *")
            simulation._call(lib.carom_python_take_end, end)
            status = _ended(True, end)
        closed = lib.carom_writer_close_run(writer, simulation._pointer, status.encode() if status else ffi.NULL)
        if (cut or closed) and kind is None:
            fail(context, cut or closed)
        self._run = open_run(self.path)


# ---- in a file ----

class FileRun(Run):
    """Results in a file; columns are read when they are asked for, and are views of what was read."""

    def __init__(self, path: Path) -> None:
        self.path = os.fspath(path)
        self._context = new_context()
        out = ffi.new("carom_result **")
        status = lib.carom_result_open(self._context.pointer, os.fsencode(path), out)
        if status:
            fail(self._context.pointer, status)
        self._handle = Handle(out[0], lib.carom_result_close, self._context)
        self._lock = threading.RLock()
        count = ffi.new("size_t *")
        infos = channel_infos(lib.carom_result_channels(self._pointer, count), count[0])
        self._channels = {info.name: info for info in infos if info.group != 2}
        self._channels.update({info.name: info for info in infos if info.name not in self._channels})
        self.model_name = text_of(lib.carom_result_model_name(self._pointer))
        self.title = text_of(lib.carom_result_title(self._pointer))
        self.model_text = text_of(lib.carom_result_model_text(self._pointer))
        overrides = lib.carom_result_overrides(self._pointer, count)
        self.overrides = tuple(text_of(overrides[k]) for k in range(count[0]))

    @property
    def _pointer(self) -> Any:
        if self._handle is None:
            raise UsageError(f"{self.path}: the results are closed")
        return self._handle.pointer

    def _call(self, function: Any, *arguments: Any) -> None:
        with self._lock:
            status = function(self._pointer, *arguments)
            if status:
                fail(self._context.pointer, status)

    @property
    def status(self) -> str:
        return text_of(lib.carom_result_status(self._pointer))

    @property
    def impacts(self) -> NDArray[np.void]:
        count = ffi.new("size_t *")
        return IMPACTS.array(lib.carom_result_impacts(self._pointer, count), count[0])

    @property
    def derivatives(self) -> Dict[str, NDArray[np.void]]:
        count, rows = ffi.new("size_t *"), ffi.new("size_t *")
        out = ffi.new("carom_result_derivative **")
        lib.carom_result_impacts(self._pointer, rows)
        self._call(lib.carom_result_derivatives, out, count)
        return {text_of(out[0][k].parameter): IMPACTS.array(out[0][k].impacts, rows[0]) for k in range(count[0])}

    @property
    def rests(self) -> NDArray[np.void]:
        count = ffi.new("size_t *")
        return RESTS.array(lib.carom_result_rests(self._pointer, count), count[0])

    @property
    def events(self) -> NDArray[np.void]:
        count = ffi.new("size_t *")
        return event_table(lib.carom_result_events(self._pointer, count), count[0])

    @property
    def ledger(self) -> Ledger:
        out = ffi.new("carom_ledger *")
        lib.carom_result_ledger(self._pointer, out)
        return Ledger(**LEDGER.one(out))

    @property
    def warnings(self) -> Tuple[str, ...]:
        count = ffi.new("size_t *")
        texts = lib.carom_result_warnings(self._pointer, count)
        return tuple(text_of(texts[k]) for k in range(count[0]))

    def _one(self, name: str) -> Tuple[Array, Array]:
        rows, time, values = ffi.new("size_t *"), ffi.new("double **"), ffi.new("double **")
        self._call(lib.carom_result_column, name.encode(), rows, time, values, ffi.new("char **"))
        return view(time[0], rows[0], self._handle), view(values[0], rows[0], self._handle)

    def _column(self, info: ChannelInfo, component: Optional[int]) -> Tuple[Array, Array]:
        if component is not None or info.size == 1:
            return self._one(info.name if component is None else f"{info.name}.{info.components[component]}")
        columns = [self._one(f"{info.name}.{c}") for c in info.components]
        return columns[0][0], np.stack([values for _, values in columns], -1)

    def _csv(self, path: Path, names: Sequence[str]) -> None:
        parts: List[bytes] = []
        user = ffi.new_handle(parts)
        with self._text_list(names) as (texts, count):
            self._call(lib.carom_result_csv, 0, texts, count, lib.carom_python_write, user)
        try:
            if os.path.exists(path) and os.path.samefile(path, self.path):
                raise errors.UsageError(f"{os.fspath(path)}: is the result itself; give the CSV file another name")
            with open(path, "wb") as stream:
                stream.writelines(parts)
        except OSError as reason:
            raise errors.FileError(f"{os.fspath(path)}: {reason.strerror or reason}") from reason

    def _text_list(self, names: Sequence[str]) -> "_TextList":
        return _TextList(names)

    def _sample(self, name: str, times: Array) -> Array:
        values, coarse = ffi.new("double **"), ffi.new("size_t *")
        self._call(lib.carom_result_sample, name.encode(), times.size, ffi.from_buffer("double[]", times.ravel()),
                   values, ffi.new("char **"), coarse)
        return view(values[0], times.shape, self._handle)

    def save(self, path: Path) -> "FileRun":
        shutil.copyfile(self.path, path)
        return open_run(path)

    def _file(self) -> "FileRun":
        return self

    def close(self) -> None:
        with self._lock:
            self._handle = None  # type: ignore[assignment]


class _TextList:
    """Names as the library takes them."""

    def __init__(self, names: Sequence[str]) -> None:
        self._texts = [ffi.new("char[]", name.encode()) for name in names]
        self._list = ffi.new("char *[]", self._texts)

    def __enter__(self) -> Tuple[Any, int]:
        return self._list, len(self._texts)

    def __exit__(self, *ignored: Any) -> None:
        pass


@ffi.def_extern(onerror=errors.keep)  # type: ignore[misc]
def carom_python_write(user: Any, text: Any, length: int) -> None:
    ffi.from_handle(user).append(bytes(ffi.buffer(text, length)))


def open_run(path: Path) -> FileRun:
    """Opens a result file (HDF5), also one that is still being written, with the rows so far."""
    return FileRun(path)
