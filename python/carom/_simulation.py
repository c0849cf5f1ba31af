"""Simulations: one run of a model, stepped or run to its end."""
from __future__ import annotations

import ctypes
import functools
import os
import weakref
from types import TracebackType
from typing import (TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Mapping, MutableMapping, Optional,
                    Sequence, Tuple, Type, TypeVar, Union, cast, overload)

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _errors as errors
from ._carom import ffi, lib
from ._kinds import torque_of
from ._library import IMPACTS, LEDGER, RESTS, Array, Handle, Names, new_context, view
from ._errors import UnknownNameError, UsageError, fail, pending, text_of
from ._run import ChannelInfo, MemoryRun, Recording, Run, channel_infos, event_table
from ._state import State
from ._values import Accuracy, BodyState, Check, Evaluation, Event, Ledger, OpenContact, ProgressInfo, Statistics

if TYPE_CHECKING:
    from ._model import Model

Record = Tuple[ArrayLike, ArrayLike]
Motion = Callable[[float], Tuple[float, float, float]]
Method = TypeVar("Method", bound=Callable[..., Any])
Controller = TypeVar("Controller", bound=Callable[["Simulation", float], object])
Control = Union[Callable[["Simulation", float], object], int, Any]
Progress = Callable[["ProgressInfo"], object]


class _Hooks:
    """The user's functions of a simulation; it is what the library hands back."""

    __slots__ = ("simulation", "control", "progress", "watchers", "__weakref__")

    def __init__(self, simulation: "Simulation") -> None:
        self.simulation = weakref.ref(simulation)
        self.control: Any = None
        self.progress: Optional[Progress] = None
        self.watchers: List[Any] = []


@ffi.def_extern(error=False, onerror=errors.keep)  # type: ignore[misc]
def carom_python_progress(handle: Any, progress: Any) -> bool:
    hooks = ffi.from_handle(handle) if handle != ffi.NULL else None
    if hooks is not None and hooks.progress is not None:
        info = ProgressInfo(progress.time, progress.until, progress.steps, progress.impacts)
        return hooks.progress(info) is not False
    return True


@ffi.def_extern(error=lib.CAROM_INTERRUPTED, onerror=errors.keep)  # type: ignore[misc]
def carom_python_control(user: Any, sim: Any, time: float) -> int:
    hooks = ffi.from_handle(user)
    hooks.control(hooks.simulation(), time)
    return 0


@ffi.def_extern(error=lib.CAROM_INTERRUPTED, onerror=errors.keep)  # type: ignore[misc]
def carom_python_step(user: Any, sim: Any) -> int:
    watcher = ffi.from_handle(user)
    watcher.step(watcher.simulation())
    return 0


@ffi.def_extern(error=lib.CAROM_INTERRUPTED, onerror=errors.keep)  # type: ignore[misc]
def carom_python_onset(user: Any, sim: Any, contact: Any) -> int:
    watcher = ffi.from_handle(user)
    watcher.onset(watcher.simulation(), _open_contact(contact))
    return 0


@ffi.def_extern(error=lib.CAROM_INTERRUPTED, onerror=errors.keep)  # type: ignore[misc]
def carom_python_release(user: Any, sim: Any, impact: Any) -> int:
    watcher = ffi.from_handle(user)
    watcher.release(watcher.simulation(), IMPACTS.array(impact, 1)[0])
    return 0


@ffi.def_extern(error=lib.CAROM_INTERRUPTED, onerror=errors.keep)  # type: ignore[misc]
def carom_python_event(user: Any, sim: Any, event: Any) -> int:
    watcher = ffi.from_handle(user)
    kind = ("onset", "release", "action")[event.type]
    watcher.event(watcher.simulation(), Event(kind, text_of(event.name), event.time, text_of(event.action)))
    return 0


def _no_motion(kind: Any, value: BaseException, trace: Any) -> None:
    errors.keep(kind, value, trace)
    if trace is not None:
        out = trace.tb_frame.f_locals
        out["value"][0] = out["rate"][0] = out["acceleration"][0] = float("nan")


@ffi.def_extern(onerror=_no_motion)  # type: ignore[misc]
def carom_python_motion(user: Any, time: float, value: Any, rate: Any, acceleration: Any) -> None:
    value[0], rate[0], acceleration[0] = ffi.from_handle(user)(time)


def _open_contact(c: Any) -> OpenContact:
    return OpenContact(text_of(c.contact), c.onset, c.v_in, c.indentation, c.force, c.peak_force, c.max_indentation,
                       c.mass)


class _Watcher:
    """Functions of observe()."""

    def __init__(self, simulation: "Simulation", functions: Mapping[str, Callable[..., object]]) -> None:
        self.simulation = weakref.ref(simulation)
        self.__dict__.update(functions)


class _Inputs(MutableMapping[str, float]):
    """Inputs of the model by name; setting one acts from the present time on."""

    def __init__(self, simulation: "Simulation") -> None:
        self._simulation = weakref.ref(simulation)
        self._handle, self._guard = simulation._handle, simulation._guard
        self._pointer = self._handle.pointer
        self._names = Names("input", list(simulation.model.inputs))
        self._index = dict(self._names)

    def _owner(self) -> "Simulation":
        simulation = self._simulation()
        if simulation is None or simulation._handle is not self._handle:
            raise UsageError(_CLOSED)
        return simulation

    def __setitem__(self, name: str, value: float) -> None:
        index = self._index.get(name)
        if index is None:
            index = self._names[name]
        status = _set_input(self._guard, self._pointer, index, value)
        if status:
            self._owner()._fail(status)

    def __getitem__(self, name: str) -> float:
        self._names[name]
        return float(self._owner().read(f"input.{name}"))

    def __delitem__(self, name: str) -> None:
        raise UsageError(f"input '{name}' is part of the model; it can be set, not removed")

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class _Parameters:
    """Numbers of the model in this simulation: `gravity.y`, `body.ball.mass`, `contact.hit.restitution`,
    `load.wind.speed`. Setting one acts from the present time on, and stays after reset()."""

    def __init__(self, simulation: "Simulation") -> None:
        self._simulation = simulation

    def __getitem__(self, name: str) -> float:
        out = ffi.new("double *")
        self._simulation._call(lib.carom_simulation_get_parameter, name.encode(), out, kind=UnknownNameError)
        return float(out[0])

    def __setitem__(self, name: str, value: float) -> None:
        self._simulation._call(lib.carom_simulation_set_parameter, name.encode(), value)


_CLOSED = "the simulation is closed"
_BUSY = "the simulation is at work in another thread; give each thread one of its own, by clone()"


def _alone(method: Method) -> Method:
    """A method that reads what moves while the simulation is at work: it is refused while another thread steps it, and
    one that would step waits until it is read."""
    @functools.wraps(method)
    def guarded(self: "Simulation", *arguments: Any) -> Any:
        guard = self._guard
        if not lib.carom_python_look(guard):
            raise UsageError(_BUSY)
        try:
            return method(self, *arguments)
        finally:
            lib.carom_python_leave(guard)

    return cast(Method, guarded)


class _Gone:
    """In place of the handle of a closed simulation."""

    @property
    def pointer(self) -> Any:
        raise UsageError(_CLOSED)


_GONE: Any = _Gone()
_TICK = ffi.addressof(lib, "carom_python_tick")
_step, _advance, _set_input = lib.carom_python_one_step, lib.carom_python_advance, lib.carom_python_set_input


def _is_analysis(model: "Model", run: int, analysis: str) -> str:
    """That a run is an analysis, and how to have it, or the first motion of the model."""
    motions = [k for k, other in enumerate(model.runs) if other.moves]
    instead = (f"run={motions[0]} takes the model's first motion" if motions
               else "the model has no run that is a motion, such as {until: 1}")
    return f"run {run} is the analysis '{analysis}', no motion: model.analyse({run}) computes it; {instead}"


def define(model: "Model", run: int, *, until: Union[float, str, None] = None, integrator: Optional[str] = None,
           tolerance: Optional[float] = None, step: Union[float, str, None] = None,
           max_step: Union[float, str, None] = None, every: Union[float, str, None] = None,
           formulation: Optional[str] = None, channels: Union[str, Sequence[str], None] = None,
           inputs: Optional[Mapping[str, Record]] = None, motions: Optional[Mapping[str, Motion]] = None,
           threads: int = 0) -> Tuple[Any, List[Any], List[Any]]:
    """The definition of a simulation, what it refers to, and the handles of motions."""
    definition = ffi.new("carom_simulation_def *", lib.carom_default_simulation_def())
    known = lib.carom_model_get_run(model._pointer, run) if run >= 0 else ffi.NULL
    if known == ffi.NULL:
        raise UsageError(f"run {run}: the model has {len(model.runs)}, counted from 0")
    if not lib.carom_run_moves(known):
        raise UsageError(_is_analysis(model, run, text_of(known.analysis)))
    keep: List[Any] = []

    def text(value: str) -> Any:
        keep.append(ffi.new("char[]", value.encode()))
        return keep[-1]

    definition.run, definition.threads = run, threads
    if (until is not None or step is not None or max_step is not None or every is not None
            or formulation is not None or channels is not None):
        given = {"until": until, "step": step, "max_step": max_step, "output_every": every}
        own = definition.run_def = ffi.new("carom_run_def *", known[0])
        keep.append(own)
        for field, value in given.items():
            if value is not None:
                setattr(own, field, _seconds(field, value))
        if formulation is not None:
            own.formulation = text(formulation)
        if channels is not None:
            channels = [channels] if isinstance(channels, str) else channels
            if not len(channels):
                raise UsageError("channels is empty; name some, leave it out for those of the model, or run with "
                                 "record=False")
            keep.append(ffi.new("char *[]", [text(name) for name in channels]))
            own.channels, own.channel_count = keep[-1], len(channels)
    if integrator is not None:
        definition.integrator = text(integrator)
    if tolerance is not None:
        if tolerance == 0:  # the default of the library
            raise UsageError("tolerance 0: it must be between 1e-13 and 0.1")
        definition.tolerance = tolerance
    if inputs:
        keep.append(_records(inputs, definition, text))
    motion_handles = _motions(motions, definition, text, keep) if motions else []
    return definition, keep, motion_handles


class Simulation:
    """A simulation, made by `Model.simulation()`.

    One thread at a time uses it (another one is refused); different ones run at the same time, the interpreter's lock
    is
    released while the library is at work. `with` closes it. Reading: `sim["joint.pin.reaction"]` is the value of a
    channel
    now, `positions` and `velocities` are views that follow it."""

    model: "Model"
    _handle: Handle
    _guard: Any

    def __init__(self, model: "Model", run: int, *, until: Union[float, str, None], integrator: Optional[str],
                 tolerance: Optional[float], step: Union[float, str, None], max_step: Union[float, str, None],
                 every: Union[float, str, None], formulation: Optional[str], channels: Union[str, Sequence[str], None],
                 inputs: Optional[Mapping[str, Record]],
                 motions: Optional[Mapping[str, Motion]], threads: int) -> None:
        definition, keep, motion_handles = define(
            model, run, until=until, integrator=integrator, tolerance=tolerance, step=step, max_step=max_step,
            every=every, formulation=formulation, channels=channels, inputs=inputs, motions=motions, threads=threads)
        context, out = new_context(told=False), ffi.new("carom_simulation **")
        clock = ffi.new("carom_python_clock *")
        definition.progress, definition.progress_user = _TICK, clock
        status = lib.carom_simulation_create(context.pointer, model._pointer, definition, out)
        if status:
            fail(context.pointer, status, lambda file: model.text if file == model._name else "")
        self._take(model, context, out[0], clock, motion_handles)
        errors.raise_pending()

    def _take(self, model: "Model", context: Handle, pointer: Any, clock: Any, motions: List[Any]) -> None:
        self.model = model
        self._context, self._clock = context, clock
        self._known: Optional[_Hooks] = None
        self._recorded = False
        # functions of the user's are called while a method of this object runs, so that it keeps them: a handle, which
        # views have, must not, as the collector does not see what an array refers to
        self._motions = motions
        self._handle = Handle(pointer, lib.carom_simulation_free, context, model._handle, clock)
        self._guard = ffi.new("carom_python_guard *")
        self._views: Dict[str, Array] = {}
        self._channels: Dict[str, Any] = {}
        self._inputs: Optional[_Inputs] = None

    @property
    def _hooks(self) -> _Hooks:
        """The user's functions, made when there is one."""
        if self._known is None:
            self._known = _Hooks(self)
            self._user = ffi.new_handle(self._known)
            self._clock.hooks = self._user
        return self._known

    # ---- the rules ----

    @property
    def _pointer(self) -> Any:
        return self._handle.pointer

    def _fail(self, status: int, kind: Optional[type] = None) -> None:
        if status == lib.CAROM_PYTHON_BUSY:
            raise UsageError(_BUSY)
        fail(self._context.pointer, status, lambda file: self.model.text if file == self.model._name else "", kind)

    def _call(self, function: Any, *arguments: Any, kind: Optional[type] = None) -> None:
        """A function of the library that returns a status; one thread at a time."""
        handle, guard = self._handle, self._guard  # they live as long as the library is at work
        if not lib.carom_python_enter(guard):
            raise UsageError(_BUSY)
        try:
            status = function(handle.pointer, *arguments)
            if status or pending.error is not None:
                self._fail(status, kind if status == lib.CAROM_ERROR_USAGE else None)
        finally:
            lib.carom_python_leave(guard)

    def close(self) -> None:
        """Ends the use of the simulation, and frees it with the last view of it."""
        if self._handle is _GONE:
            return
        if not lib.carom_python_enter(self._guard):
            raise UsageError(_BUSY)
        lib.carom_python_leave(self._guard)
        self._handle, self._views, self._channels, self._inputs = _GONE, {}, {}, None

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    # ---- running ----

    def step(self, time: Optional[float] = None) -> None:
        """Advances to `time` [s] exactly, processing impacts and events on the way; without one by a step of the
        integrator. An event that stops the run ends it before that time; then `stopped_by` is its name, and going
        on is refused. Raises SolverError."""
        handle = self._handle  # lives as long as the library is at work
        status = _advance(self._guard, handle.pointer, time) if time is not None else _step(self._guard, handle.pointer)
        if status == lib.CAROM_PYTHON_PAST:
            raise UsageError(f"time {time:.9g} s is past, the simulation is at {self.time:.9g} s; reset() and "
                             "set_state() go back")
        if status:
            self._fail(status)

    def run(self, path: Union[str, "os.PathLike[str]", None] = None, *, progress: Optional[Progress] = None,
            record: bool = True) -> Run:
        """Runs to the end. The results are in memory, or in the file `path` (HDF5), of which they are read when they
        are asked for; without `record` there are impacts, events and energies alone. Channels begin at the present
        time; impacts, rests and events are those since the start. progress: called some times a second with a
        ProgressInfo; returning False stops the run. Raises SolverError; Ctrl-C stops, too."""
        if progress is not None:
            self._hooks.progress = progress
        try:
            if not record:
                if path is not None:
                    raise UsageError("record is False, so there is nothing to write to a file; leave out one of both")
                self._call(lib.carom_simulation_run)
                return MemoryRun(self, [])
            with Recording(self, path, whole=True) as recording:
                self._call(lib.carom_simulation_run)
            return recording.run
        finally:
            if progress is not None:
                self._hooks.progress = None

    def record(self, path: Union[str, "os.PathLike[str]", None] = None) -> Recording:
        """`with sim.record() as recording:` records what the simulation does within, in memory or in a file;
        `recording.run` is it afterwards: its impacts are those that began within, its ledger that of the run so far,
        and its status "part" where it is not the whole run."""
        return Recording(self, path)

    def _go_back(self, what: str) -> None:
        if self._recorded:
            raise UsageError(f"{what} goes back in time, and the simulation is recorded; end the `with sim.record()` "
                             "block first, and begin another one behind it")

    def reset(self) -> None:
        """Back to time 0. Not within record(): a recording is of one run."""
        self._go_back("reset()")
        self._call(lib.carom_simulation_reset)

    def clone(self) -> "Simulation":
        """A copy with the same state and parameters, for another thread if need be; without functions of the user's,
        but
        for motions."""
        copy = type(self).__new__(type(self))
        context, clock = new_context(told=False), ffi.new("carom_python_clock *")
        out = ffi.new("carom_simulation **")
        self._call(lib.carom_simulation_clone, context.pointer, out)
        copy._take(self.model, context, out[0], clock, self._motions)
        copy._call(lib.carom_simulation_set_progress, _TICK, clock)
        return copy

    __copy__ = clone

    # ---- what is now ----

    @property
    @_alone
    def time(self) -> float:
        """[s]"""
        return float(lib.carom_simulation_time(self._pointer))

    @property
    def until(self) -> float:
        """End of the run [s]."""
        return float(lib.carom_simulation_until(self._pointer))

    @property
    def positions(self) -> Array:
        """The present positions: a view that follows the simulation and cannot be written to. In the plane x, y and
        angle
        of each body, in space x, y, z and a quaternion w, x, y, z [m], [rad]; in the formulation `tree` coordinates of
        joints."""
        return self._live_view("positions", lib.carom_simulation_positions)

    @property
    def velocities(self) -> Array:
        """The present velocities, likewise: vx, vy and the angular velocity, in space three of each [m/s], [rad/s]."""
        return self._live_view("velocities", lib.carom_simulation_velocities)

    def _live_view(self, name: str, ask: Any) -> Array:
        known = self._views.get(name)
        if known is None:
            count = ffi.new("size_t *")
            known = self._views[name] = view(ask(self._pointer, count), count[0], self._handle)
        return known

    def read(self, name: str) -> Any:
        """Value of a channel now, a number or an array: "body.ball.position", "joint.pin.reaction.x",
        "contact.hit.force"; `channels` names those that are recorded."""
        known = self._channels.get(name)
        if known is None:
            ref = ffi.new("carom_channel_ref *")
            self._call(lib.carom_simulation_find_channel, name.encode(), ref, kind=UnknownNameError)
            known = self._channels[name] = ref, ffi.new("double[4]"), ref.size
        ref, out, size = known
        self._call(lib.carom_simulation_read, ref, out)
        return out[0] if size == 1 else np.array(ffi.unpack(out, size))

    __getitem__ = read

    def _ipython_key_completions_(self) -> Sequence[str]:
        return list(self.channels)

    @property
    @_alone
    def channels(self) -> Dict[str, ChannelInfo]:
        """What the run records, with units and descriptions."""
        count = ffi.new("size_t *")
        channels = lib.carom_simulation_channels(self._pointer, count)
        if channels == ffi.NULL:
            self._fail(lib.carom_context_last_error(self._context.pointer).status)
        return {c.name: c for c in channel_infos(channels, count[0])}

    @property
    def inputs(self) -> MutableMapping[str, float]:
        """Inputs of the model: `sim.inputs["drive"] = 2.5` acts from now on, in the input's unit."""
        if self._inputs is None:
            self._inputs = _Inputs(self)
        return self._inputs

    @property
    def parameters(self) -> _Parameters:
        """Numbers of the model in this simulation: `sim.parameters["contact.hit.restitution"] = 0.7`."""
        return _Parameters(self)

    def body(self, name: str) -> BodyState:
        """Motion of a body."""
        out = ffi.new("carom_body_state *")
        self._call(lib.carom_simulation_body, self.model.bodies[name], out)
        return BodyState(np.array(list(out.position)), np.array(list(out.velocity)), out.angle,
                         np.array(list(out.orientation)), np.array(list(out.angular_velocity)))

    @property
    @_alone
    def impacts(self) -> NDArray[np.void]:
        """Impacts that have ended, a structured array (docs/results.md)."""
        count = ffi.new("size_t *")
        return IMPACTS.array(lib.carom_simulation_impacts(self._pointer, count), count[0])

    @property
    @_alone
    def rests(self) -> NDArray[np.void]:
        """Contacts that lasted, a structured array."""
        count, out = ffi.new("size_t *"), ffi.new("carom_rest **")
        self._call(lib.carom_simulation_rests, out, count)
        return RESTS.array(out[0], count[0])

    @property
    @_alone
    def events(self) -> NDArray[np.void]:
        """Events of the model whose actions were taken, limits that were met or left: a structured array of time [s],
        event, kind, action, energy [J], rate, peak."""
        count = ffi.new("size_t *")
        return event_table(lib.carom_simulation_fired_events(self._pointer, count), count[0])

    @property
    @_alone
    def open_contacts(self) -> Tuple[OpenContact, ...]:
        """Contacts that touch now."""
        count = lib.carom_simulation_open_contacts(self._pointer, ffi.NULL, 0)
        out = ffi.new("carom_open_contact[]", count)
        lib.carom_simulation_open_contacts(self._pointer, out, count)
        return tuple(_open_contact(out[k]) for k in range(count))

    @property
    @_alone
    def ledger(self) -> Ledger:
        """The energy balance [J]."""
        return Ledger(**LEDGER.one(lib.carom_simulation_ledger(self._pointer)))

    @property
    @_alone
    def statistics(self) -> Statistics:
        s = lib.carom_simulation_statistics(self._pointer)
        return Statistics(s.time, s.steps, s.rhs_evaluations, s.restarts, s.cpu_seconds)

    @property
    @_alone
    def accuracy(self) -> Accuracy:
        """Whether the numbers of the run so far are those of its model, and what is wrong if not."""
        out = ffi.new("carom_accuracy *")
        self._call(lib.carom_simulation_accuracy, out)
        return Accuracy(out.accurate, out.residual, out.violation, text_of(out.text))

    @property
    @_alone
    def warnings(self) -> Tuple[str, ...]:
        count = ffi.new("size_t *")
        texts = lib.carom_simulation_warnings(self._pointer, count)
        return tuple(text_of(texts[k]) for k in range(count[0]))

    @_alone
    def check(self) -> Check:
        """Structure, and what to expect of the contacts, as `carom check` says it; a copy runs until they touch."""
        out = ffi.new("carom_check *")
        self._call(lib.carom_simulation_check, out)

        def texts(name: str) -> Tuple[str, ...]:
            return tuple(text_of(getattr(out, name)[k]) for k in range(getattr(out, f"{name}_count")))

        contacts = [out.contacts[k] for k in range(out.contact_count)]
        return Check(out.bodies, out.joints, out.coordinates, out.rows, out.rank, out.mobility,
                     text_of(out.formulation), texts("redundant"), texts("free"), texts("stuck"), out.assembly_moved,
                     {text_of(contact.contact): _contact_check(contact) for contact in contacts})

    @property
    def integrator(self) -> str:
        return text_of(lib.carom_simulation_integrator(self._pointer))

    @property
    def formulation(self) -> str:
        return text_of(lib.carom_simulation_formulation(self._pointer))

    @property
    @_alone
    def stopped_by(self) -> Optional[str]:
        """The event of the model that has ended the run."""
        return text_of(lib.carom_simulation_stopped_by(self._pointer)) or None

    # ---- states ----

    def state(self) -> State:
        """A copy of the present state."""
        out = State(self)
        self._call(lib.carom_simulation_get_state, out._pointer)
        return out

    def set_state(self, state: State) -> None:
        """Goes to a state. One that was not changed is resumed there; a changed one is assembled and begins a run: open
        contacts, impacts and the energy balance begin there."""
        if not isinstance(state, State):
            raise UsageError(f"{state!r} is no state; sim.state() makes one")
        if state["time"] < self.time:
            self._go_back("set_state()")
        self._call(lib.carom_simulation_set_state, state._pointer, ffi.NULL, ffi.NULL)

    def assemble(self, state: State) -> float:
        """Moves the bodies of a state onto the constraints and to the joint coordinates that were set in it; returns
        the
        largest distance by which one was moved [m]."""
        out = ffi.new("carom_assembly *")
        self._call(lib.carom_simulation_assemble, state._pointer, ffi.NULL, out)
        return float(out.moved)

    @_alone
    def evaluate(self, state: Optional[State] = None) -> Evaluation:
        """Accelerations, reactions, forces and energies at a state (None: the present one), without integrating."""
        at = self._evaluate(state)
        model = self.model

        def parts(names: Mapping[str, int], structs: Any, fields: Sequence[str]) -> Dict[str, Dict[str, Any]]:
            return {name: {f: _number(getattr(structs[k], f)) for f in fields} for name, k in names.items()}

        return Evaluation(
            at.time, at.kinetic, at.potential, at.elastic, at.position_residual, at.velocity_residual,
            view(at.accelerations, at.velocity_count, self._handle).copy(),
            view(at.multipliers, at.row_count, self._handle).copy(),
            parts(model.joints, at.joints,
                  ("force", "moment", "force_body", "moment_body", "coordinate", "rate", "acceleration")),
            parts(model.loads, at.loads, ("force", "torque", "power", "dissipation", "stored")),
            parts(model.contacts, at.contacts,
                  ("open", "gap", "gap_rate", "point", "normal", "force", "friction", "couple", "stored"))
            if at.contact_count == len(model.contacts) else {})

    def _evaluate(self, state: Optional[State]) -> Any:
        at = ffi.new("carom_evaluated *")
        self._call(lib.carom_simulation_evaluate_at, state._pointer if state is not None else ffi.NULL, at)
        return at

    def _matrix(self, ask: Any, state: Optional[State], rows: int, columns: int) -> Array:
        out = np.empty((rows, columns))
        at = state._pointer if state is not None else ffi.NULL
        self._call(ask, at, ffi.from_buffer("double[]", out.ravel()), out.size)
        return out

    @_alone
    def mass_matrix(self, state: Optional[State] = None) -> Array:
        """M of M a = forces + J^T multipliers, over the velocities of a state."""
        n = self._evaluate(state).velocity_count
        return self._matrix(lib.carom_simulation_mass_matrix, state, n, n)

    @_alone
    def jacobian(self, state: Optional[State] = None) -> Array:
        """J of the constraint rows, likewise."""
        at = self._evaluate(state)
        return self._matrix(lib.carom_simulation_jacobian, state, at.row_count, at.velocity_count)

    def checkpoint(self) -> bytes:
        """The run so far as bytes, for resume() of a simulation of the same model and run, also in another process."""
        out, size = ffi.new("unsigned char **"), ffi.new("size_t *")
        self._call(lib.carom_simulation_checkpoint, out, size)
        try:
            return bytes(ffi.buffer(out[0], size[0]))
        finally:
            lib.carom_bytes_free(self._context.pointer, out[0], size[0])

    def resume(self, checkpoint: bytes) -> None:
        """Continues where a checkpoint was made."""
        self._call(lib.carom_simulation_resume, ffi.from_buffer("unsigned char[]", checkpoint), len(checkpoint))

    # ---- acting ----

    def apply_force(self, body: str, force: Sequence[float], point: Optional[Sequence[float]] = None, *,
                    turns: bool = False) -> None:
        """Applies a force [N] from now on, in world axes or (`turns`) in those of the body; `point` is in body axes
        from
        the centre of mass [m]. In the plane two numbers each."""
        at = _vector(point) if point is not None else ffi.NULL
        self._call(lib.carom_simulation_apply_force, self.model.bodies[body], _vector(force), at, int(turns))

    def apply_torque(self, body: str, torque: Union[float, Sequence[float]], *, turns: bool = False) -> None:
        """Applies a torque [N m] from now on, in the plane one number."""
        self._call(lib.carom_simulation_apply_torque, self.model.bodies[body], _vector(torque_of(torque)), int(turns))

    def clear_forces(self) -> None:
        """Takes all applied forces away."""
        self._call(lib.carom_simulation_clear_forces)

    @overload
    def control(self, period: float) -> Callable[[Controller], Controller]: ...

    @overload
    def control(self, period: float, function: Control) -> None: ...

    def control(self, period: float, function: Optional[Control] = None) -> Any:
        """Calls `function(sim, time)` at the start and every `period` [s]; it reads the simulation, sets inputs and
        applies
        forces, which hold until the next sample. None takes the controller away; without a function it is a decorator:

            @sim.control(1e-3)
            def hold(sim, time): ...

        A function in C is given by its address: of ctypes, cffi or `numba.cfunc(...).address`."""
        if function is None:
            def decorate(given: Controller) -> Controller:
                self.control(period, given)
                return given

            return decorate
        definition = ffi.new("carom_control *", lib.carom_default_control())
        hooks = self._hooks
        definition.period, definition.user = period, self._user
        address = _address(function)
        definition.function = (lib.carom_python_control if address is None else
                               ffi.cast("carom_status (*)(void *, carom_simulation *, double)", address))
        self._call(lib.carom_simulation_set_control, definition)
        hooks.control = function  # kept alive where it is one in C
        return None

    def clear_control(self) -> None:
        """Takes the controller away."""
        self._call(lib.carom_simulation_set_control, ffi.NULL)
        if self._known is not None:
            self._known.control = None

    def observe(self, *, step: Optional[Callable[["Simulation"], object]] = None,
                onset: Optional[Callable[["Simulation", OpenContact], object]] = None,
                release: Optional[Callable[["Simulation", np.void], object]] = None,
                event: Optional[Callable[["Simulation", Event], object]] = None) -> None:
        """Calls functions at accepted steps, when a contact touches or separates, and at all that is located. They read
        the simulation and do not change it; what they raise ends the run."""
        given = {"step": step, "onset": onset, "release": release, "event": event}
        functions: Dict[str, Any] = {name: f for name, f in given.items() if f is not None}
        for name, function in functions.items():
            if not callable(function):
                raise UsageError(f"{name}: {function!r} is no function")
        watcher = _Watcher(self, functions)
        handle = ffi.new_handle(watcher)
        definition = ffi.new("carom_observer *", lib.carom_default_observer())
        definition.user = handle
        for name in functions:
            setattr(definition, name, getattr(lib, f"carom_python_{name}"))
        self._call(lib.carom_simulation_observe, definition)
        self._hooks.watchers.append(handle)

    def __repr__(self) -> str:
        if self._handle is _GONE:
            return "<carom.Simulation, closed>"
        try:
            now = f"at t = {self.time:.9g} s of {self.until:.9g} s"
        except UsageError:
            now = "at work in another thread"
        return f"<carom.Simulation of {self.model.name} {now}>"


def _contact_check(contact: Any) -> Dict[str, Any]:
    found: Dict[str, Any] = {}
    for name, field in ffi.typeof("carom_contact_check").fields:
        value = getattr(contact, name)
        if field.type.kind == "primitive":
            found[name] = value
        elif name != "warnings":
            found[name] = text_of(value)
    found["warnings"] = tuple(text_of(contact.warnings[k].text) for k in range(contact.warning_count))
    return found


def _vector(values: Sequence[float]) -> Any:
    if len(values) not in (2, 3):
        raise UsageError(f"a vector has 2 numbers in the plane and 3 in space, not {len(values)}")
    return ffi.new("double[3]", [float(x) for x in values])


def _seconds(name: str, value: Union[float, str]) -> float:
    """A time: seconds, or a text such as "5*ms"."""
    if not isinstance(value, str):
        return value
    context, out = new_context(), ffi.new("double *")
    status = lib.carom_law_quantity(context.pointer, name.encode(), value.encode(), b"s", out)
    if status:
        fail(context.pointer, status, kind=UsageError)
    return float(out[0])


def _number(value: Any) -> Any:
    """Arrays of the library as those of NumPy."""
    if isinstance(value, (bool, float)):
        return value
    return np.array([[float(x) for x in row] if hasattr(row, "__len__") else float(row) for row in value])


def _address(function: Any) -> Optional[int]:
    """Of a function in C; None: it is one in Python."""
    if isinstance(function, int):
        return function
    if hasattr(function, "argtypes"):
        return ctypes.cast(function, ctypes.c_void_p).value
    if isinstance(function, ffi.CData):
        return int(ffi.cast("uintptr_t", function))
    if not callable(function):
        raise UsageError(f"{function!r} is no function")
    return None


def _records(inputs: Mapping[str, Record], definition: Any, text: Any) -> Any:
    """Records of inputs in the definition; returns what must live until it is used."""
    rows, keep = ffi.new("carom_spline_def[]", max(len(inputs), 1)), []
    for row, (name, record) in zip(rows, inputs.items()):
        if not hasattr(record, "__len__") or len(record) != 2:
            raise UsageError(f"input '{name}' is given as times and values, such as ([0, 1], [0, 5]), not {record!r}; "
                             f"a number that holds is set by `simulation.inputs['{name}'] = ...`")
        times, values = record
        x, y = np.ascontiguousarray(times, float), np.ascontiguousarray(values, float)
        if x.ndim != 1 or x.shape != y.shape:
            raise UsageError(f"input '{name}': {x.shape} times and {y.shape} values; give as many of both")
        keep += [x, y]
        row.name, row.count = text(name), x.size
        row.x, row.y = ffi.from_buffer("double[]", x), ffi.from_buffer("double[]", y)
    definition.inputs, definition.input_count = rows, len(inputs)
    return rows, keep


def _motions(motions: Mapping[str, Motion], definition: Any, text: Any, keep: List[Any]) -> List[Any]:
    rows = ffi.new("carom_motion_def[]", max(len(motions), 1))
    handles = []
    for row, (joint, function) in zip(rows, motions.items()):
        handles.append(ffi.new_handle(function))
        row.joint, row.at, row.user = text(joint), lib.carom_python_motion, handles[-1]
    definition.motions, definition.motion_count = rows, len(motions)
    keep.append(rows)
    return handles
