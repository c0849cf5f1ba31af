"""Models: read from a file, a text or a dictionary, compiled, constant, shared between threads."""
from __future__ import annotations

import os
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Type, Union

from . import _errors as errors
from ._carom import ffi, lib
from ._library import Handle, Names, new_context, value_text
from ._errors import ModelError, UsageError, fail, text_of
from ._kinds import Kind
from ._text import model_text

if TYPE_CHECKING:
    from ._analysis import Analysis
    from ._derivatives import Derivatives
    from ._run import Run
    from ._simulation import Motion, Progress, Record, Simulation
    from ._state import State

Source = Union[str, Mapping[str, Any]]
Value = Union[float, str, Sequence[Any], Any]


@dataclass(frozen=True)
class Parameter:
    """A parameter of the model, as it is with what was given for it."""

    value: float
    """In SI units."""
    unit: str
    """The SI unit that it was given in; "": none."""


@dataclass(frozen=True)
class Input:
    """A number that a program or a record sets while a run is under way."""

    start: float
    unit: str
    description: str


@dataclass(frozen=True)
class RunInfo:
    """A run of the model file."""

    analysis: str
    until: float
    """End [s]."""
    integrator: str
    tolerance: float
    every: float
    """Output interval [s]; where none is given until/200, which contact sets round to whole steps of fixed length."""
    moves: bool
    """It is a motion, which `Model.run()` runs; others are for `Model.analyse()`."""


class Model:
    """A compiled model.

    `source` is a text in the model format (YAML or JSON) or the same as a dictionary; `load()` reads a file. Parameters
    of the model are given by keyword: numbers in SI units, or texts such as `"5*GPa"`. A model does not change; it
    may be
    pickled, and used by many threads at a time. Raises ModelError."""

    def __init__(self, source: Source, /, *, name: str = "model", kinds: Union[Kind, Iterable[Kind]] = (),
                 parameters: Optional[Mapping[str, Value]] = None, **more: Value) -> None:
        text = model_text(source, name) if isinstance(source, Mapping) else source
        if not isinstance(text, str):
            raise ModelError(f"a model is a text or a dictionary, not a {type(source).__name__}; carom.load() reads a "
                             "file")
        self._make(text, name, _tuple(kinds), {**(parameters or {}), **more})

    def _make(self, text: Optional[str], name: str, kinds: Tuple[Kind, ...], given: Mapping[str, Value]) -> None:
        """Reads and compiles a text, or the file `name`."""
        self._name, self._kinds = name, kinds
        self._given = {key: value_text(value) for key, value in given.items()}
        self._context, self._registered = new_context(), []  # type: Handle, List[Any]
        context = self._context.pointer
        for kind in kinds:
            if not isinstance(kind, Kind):
                raise UsageError(f"{kind!r} is no kind; make one with carom.law(), carom.force(), carom.friction()")
            self._registered.append(kind.register(self._context))
        document, model = ffi.new("carom_document **"), ffi.new("carom_model **")
        texts = [ffi.new("char[]", f"{key}={value}".encode()) for key, value in self._given.items()]
        overrides = ffi.new("char *[]", texts), len(texts)
        if text is None:
            status = lib.carom_document_read(context, os.fsencode(name), *overrides, document)
        else:
            data = text.encode("utf-8", "surrogateescape")
            status = lib.carom_document_parse(context, os.fsencode(name), data, len(data), *overrides, document)
        if status:
            self._fail(status, text)
        self._document = Handle(document[0], lib.carom_document_free, self._context)
        status = lib.carom_model_compile(context, lib.carom_document_spec(document[0]), model)
        if status:
            self._fail(status, text)
        self._handle = Handle(model[0], lib.carom_model_free, self._context)
        errors.raise_pending()
        self._parts: Dict[str, Names] = {}

    def _fail(self, status: int, text: Optional[str]) -> None:
        """Names of parameters are part of the model."""
        fail(self._context.pointer, status,
             lambda file: text if text is not None and file == self._name else errors.file_text(file),
             ModelError if status == lib.CAROM_ERROR_USAGE else None)

    @property
    def _pointer(self) -> Any:
        return self._handle.pointer

    @property
    def _spec(self) -> Any:
        return lib.carom_document_spec(self._document.pointer)

    # ---- what it is ----

    @property
    def name(self) -> str:
        """Short name, of which result files are made."""
        return text_of(self._info.name)

    @property
    def title(self) -> str:
        return text_of(self._info.title)

    @property
    def text(self) -> str:
        """The model as a text, with what it includes."""
        return text_of(self._spec.text)

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return int(self._info.dimension)

    @property
    def gravity(self) -> Tuple[float, float, float]:
        """[m/s^2]"""
        x, y, z = self._info.gravity
        return x, y, z

    @property
    def length(self) -> float:
        """What lengths of the model compare with [m]."""
        return float(self._info.length)

    @property
    def _info(self) -> Any:
        return lib.carom_model_get_info(self._pointer)

    def _names(self, what: str, count: int, ask: Any) -> Names:
        if what not in self._parts:
            self._parts[what] = Names(what, [ask(k) for k in range(count)])
        return self._parts[what]

    def _listed(self, what: str, count: int) -> Names:
        info, get = ffi.new(f"carom_{what}_info *"), getattr(lib, f"carom_model_get_{what}")

        def ask(k: int) -> str:
            get(self._pointer, k, info)
            return text_of(info.name)

        return self._names(what, count, ask)

    @property
    def bodies(self) -> Names:
        """Names of the bodies, without the ground, with their numbers from 0."""
        return self._names("body", self._info.bodies, lambda k: text_of(lib.carom_model_body_name(self._pointer, k)))

    @property
    def joints(self) -> Names:
        return self._listed("joint", self._info.joints)

    @property
    def loads(self) -> Names:
        return self._listed("load", self._info.loads)

    @property
    def shapes(self) -> Names:
        return self._listed("shape", self._info.shapes)

    @property
    def contacts(self) -> Names:
        """Names of the contacts; contact sets are none here."""
        return self._listed("contact", self._info.contacts)

    @property
    def parameters(self) -> Dict[str, Parameter]:
        """Parameters that are numbers, with the values that they have here."""
        spec = self._spec
        return {text_of(p.name): Parameter(p.value, text_of(p.unit))
                for p in (spec.parameters[k] for k in range(spec.parameter_count))}

    @property
    def given(self) -> Dict[str, str]:
        """What was given for parameters, as texts."""
        return dict(self._given)

    @property
    def inputs(self) -> Dict[str, Input]:
        spec = self._spec
        return {text_of(i.name): Input(i.start, text_of(i.unit), text_of(i.description))
                for i in (spec.inputs[k] for k in range(spec.input_count))}

    @property
    def runs(self) -> Tuple[RunInfo, ...]:
        runs = [lib.carom_model_get_run(self._pointer, k) for k in range(self._info.runs)]
        return tuple(RunInfo(text_of(r.analysis) or "dynamics", r.until, text_of(r.integrator) or "auto", r.tolerance,
                             r.output_every or r.until / 200, lib.carom_run_moves(r)) for r in runs)

    def with_parameters(self, parameters: Optional[Mapping[str, Value]] = None, **more: Value) -> "Model":
        """The model with other values of parameters, everything that is made of them included."""
        return _rebuild(type(self), self.text, self._name, self._kinds,
                        {**self._given, **(parameters or {}), **more})

    # ---- what it does ----

    def simulation(self, run: int = 0, *, until: Union[float, str, None] = None, integrator: Optional[str] = None,
                   tolerance: Optional[float] = None, step: Union[float, str, None] = None,
                   max_step: Union[float, str, None] = None, every: Union[float, str, None] = None,
                   formulation: Optional[str] = None, channels: Union[str, Sequence[str], None] = None,
                   inputs: Optional[Mapping[str, "Record"]] = None,
                   motions: Optional[Mapping[str, "Motion"]] = None, threads: int = 0) -> "Simulation":
        """A simulation of the model at its start, of run number `run`, with what is given in place of the run's.

        until: end [s], as other times a number or a text such as "5*ms"; tolerance: relative; step, max_step: of the
        integrator [s]; every: output interval [s]; channels: names or prefixes to record; inputs: records, pairs of
        times [s] and values; motions: functions of prescribed joint coordinates by joint,
        t -> (value, rate, acceleration) in m or rad; threads: of models with many contacts, 0: all cores where it
        pays. The methods of this class that take these options pass them on."""
        from ._simulation import Simulation
        return Simulation(self, run, until=until, integrator=integrator, tolerance=tolerance, step=step,
                          max_step=max_step, every=every, formulation=formulation, channels=channels, inputs=inputs,
                          motions=motions, threads=threads)

    def run(self, path: Union[str, "os.PathLike[str]", None] = None, *, run: int = 0,
            progress: Optional["Progress"] = None, **options: Any) -> "Run":
        """Runs to the end; the results are in memory, or in the file `path` (HDF5). `options` are those of
        simulation()."""
        with self.simulation(run, **options) as simulation:
            return simulation.run(path, progress=progress)

    def analyse(self, run: Union[int, str] = 0, *, state: Optional["State"] = None, **options: Any) -> "Analysis":
        """Computes an analysis: that of run number `run`, or one of `carom.kinds("analysis")` by its name, such as
        "assembly", "equilibrium", "modes". `state`: where it begins."""
        from ._analysis import analyse
        return analyse(self, run, state, options)

    def derivatives(self, by: Sequence[str], *, channels: Sequence[str] = (), times: Any = None, run: int = 0,
                    **options: Any) -> "Derivatives":
        """Runs to the end, with the derivatives of the impacts, and of channels at ascending times [s] (none given: the
        end), by parameters of the file, numbers such as "body.ball.mass", or of the start such as
        "body.ball.velocity.y". `options` are those of simulation()."""
        from ._derivatives import derive
        return derive(self, by, channels, times, run, options)

    # ---- as an object ----

    def close(self) -> None:
        """Nothing is left to do: what the library holds goes with the last reference to it."""

    def __enter__(self) -> "Model":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    def __reduce__(self) -> Tuple[Any, ...]:
        return _rebuild, (type(self), self.text, self._name, self._kinds, self._given)

    def __repr__(self) -> str:
        info = self._info
        given = "".join(f", {key}={value}" for key, value in self._given.items())
        return (f"<carom.Model {self.name}{given}: {info.bodies} bodies, {info.joints} joints, "
                f"{info.contacts} contacts, {info.loads} loads>")


def _rebuild(kind: Type[Model], text: Optional[str], name: str, kinds: Tuple[Kind, ...],
             given: Mapping[str, Value]) -> Model:
    model = kind.__new__(kind)
    model._make(text, name, kinds, given)
    return model


def _tuple(kinds: Union[Kind, Iterable[Kind]]) -> Tuple[Kind, ...]:
    return (kinds,) if isinstance(kinds, Kind) else tuple(kinds)


def load(path: Union[str, "os.PathLike[str]"], /, *, kinds: Union[Kind, Iterable[Kind]] = (),
         parameters: Optional[Mapping[str, Value]] = None, **more: Value) -> Model:
    """Reads and compiles a model file (YAML or JSON): `carom.load("m.yaml", K=5e9)`.

    Parameters are given by keyword, or in `parameters` if their names are those of other arguments. Raises ModelError,
    FileError."""
    return _rebuild(Model, None, os.fspath(path), _tuple(kinds), {**(parameters or {}), **more})
