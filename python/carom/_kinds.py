"""Contact laws, friction laws and forces as functions in Python: decorators that make kinds, which model files name.

    @carom.law("cubic", {"stiffness": carom.Param("N/m^3", "Stiffness.", low=0)})
    def cubic(delta, rate, v0, mass, p):
        return p.stiffness * delta**3

    model = carom.load("m.yaml", kinds=[cubic])     # contacts: {hit: {..., normal: {law: cubic, stiffness: 1e12}}}

The functions are called from the right-hand side, also for trial states: they keep nothing, and give the same result
for
the same arguments. A call takes some microseconds."""
from __future__ import annotations

import math
from collections import namedtuple
from dataclasses import dataclass
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import _errors as errors
from ._carom import ffi, lib
from ._library import Handle
from ._errors import fail, pending

_NAN = math.nan
Vector = Tuple[float, float, float]


@dataclass(frozen=True)
class Param:
    """A parameter of a kind: unit, sentence, default (None: it must be given), range."""

    unit: str = "-"
    description: str = "A parameter."
    default: Optional[float] = None
    low: float = -math.inf
    high: float = math.inf


Params = Mapping[str, Param]


class Kind:
    """A function that a model file names. It can still be called."""

    family = ""

    def __init__(self, name: str, params: Optional[Params], title: str, function: Callable[..., Any]) -> None:
        self.name, self.params, self.function = name, dict(params or {}), function
        text = (function.__doc__ or "").strip().split("\n")[0]
        self.title = title or text or f"The function {function.__name__} in Python."
        self.values = namedtuple("values", [key.replace("-", "_") for key in self.params])  # type: ignore[misc]
        self.size = len(self.params)
        self.__doc__ = function.__doc__
        self.__module__ = function.__module__
        self.__qualname__ = self.__name__ = function.__qualname__

    def __call__(self, *arguments: Any, **more: Any) -> Any:
        return self.function(*arguments, **more)

    def __reduce__(self) -> str:
        """By its name, as functions are pickled."""
        return self.__qualname__

    def __repr__(self) -> str:
        return f"<carom {self.family} {self.name!r}>"

    def read(self, numbers: Any) -> Any:
        return self.values(*numbers[0:self.size]) if self.size else self.values()

    def fill(self, definition: Any) -> None:
        """Functions and flags of the family."""
        raise NotImplementedError

    def register(self, context: Handle) -> Any:
        """Adds it to a context; what is returned must live as long as the models of the context are used."""
        definition = ffi.new(f"carom_{self.family}_kind_def *", getattr(lib, f"carom_default_{self.family}_kind_def")())
        rows = ffi.new("carom_param_row[]", max(self.size, 1))
        texts = [ffi.new("char[]", self.name.encode()), ffi.new("char[]", self.title.encode())]
        definition.kind.name, definition.kind.title = texts
        for row, (key, param) in zip(rows, self.params.items()):
            row.name, row.unit, row.description = more = [ffi.new("char[]", text.encode())
                                                          for text in (key, param.unit, param.description)]
            texts += more
            row.size, row.low, row.high = 1, param.low, param.high
            row.flags = lib.CAROM_PARAM_REQUIRED if param.default is None else 0
            row.default_value = 0 if param.default is None else param.default
        definition.kind.params, definition.kind.param_count = (rows if self.size else ffi.NULL), self.size
        handle = ffi.new_handle(self)
        definition.kind.user = handle
        self.fill(definition)
        status = getattr(lib, f"carom_register_{self.family}")(context.pointer, definition)
        if status:
            fail(context.pointer, status)
        return handle


def _stop(*arguments: Any) -> None:
    errors.keep(*arguments)


# ---- laws ----

class Force(NamedTuple):
    """What a law may return in place of the force alone."""

    force: float
    """F(delta, rate) [N]."""
    d_delta: float = _NAN
    """dF/d delta [N/m]; NAN: taken by differences."""
    d_rate: float = _NAN
    """dF/d rate [N s/m]; NAN: taken by differences."""
    energy: float = _NAN
    """Stored energy [J], the integral of F(delta, 0); NAN: by quadrature, exact for sums of powers with
    whole and half exponents up to 6."""


# Gauss's rule of 7 points over the square root of the indentation: exact for powers of whole and half exponents up to
# 6.
_GAUSS = ((0.0006475011465280885, 0.0032948801242805585), (0.01670153200441367, 0.03614756045984527),
          (0.08825499603543702, 0.11343308792871468), (0.25, 0.20897959183673448),
          (0.49410014741283415, 0.2683969625764036), (0.7582327176038082, 0.24355783102943132),
          (0.9497554134892865, 0.1261900860445901))


class Law(Kind):
    family = "normal"

    def __init__(self, *arguments: Any, uses_mass: bool, kinked: bool, ignores_v0: bool) -> None:
        super().__init__(*arguments)
        if self.size > lib.CAROM_LAW_CONSTANTS:
            raise errors.UsageError(f"law {self.name!r}: {self.size} parameters; there may be "
                                    f"{lib.CAROM_LAW_CONSTANTS}")
        self.uses_mass, self.kinked, self.ignores_v0 = uses_mass, kinked, ignores_v0

    def fill(self, definition: Any) -> None:
        definition.uses_mass, definition.kinked, definition.ignores_v0 = self.uses_mass, self.kinked, self.ignores_v0
        definition.prepare, definition.force = lib.carom_python_prepare, lib.carom_python_normal

    def evaluate(self, delta: float, rate: float, v0: float, mass: float, p: Any) -> Force:
        """The force with what the function leaves to differences and quadrature."""
        function = self.function
        result = function(delta, rate, v0, mass, p)
        given = result if isinstance(result, Force) else Force(float(result))
        force, d_delta, d_rate, energy = given

        def at(x: float, y: float) -> float:
            value = function(x, y, v0, mass, p)
            return value.force if isinstance(value, Force) else float(value)

        if d_delta != d_delta:
            h = 1e-6 * delta + 1e-12
            low = max(delta - h, 0.0)
            d_delta = (at(delta + h, rate) - at(low, rate)) / (delta + h - low)
        if d_rate != d_rate:
            h = 1e-6 * (abs(rate) + abs(v0)) + 1e-9
            d_rate = (at(delta, rate + h) - at(delta, rate - h)) / (2 * h)
        if energy != energy:
            energy = delta * sum(w * at(x * delta, 0.0) for x, w in _GAUSS)
        return Force(force, d_delta, d_rate, energy)


@ffi.def_extern(error=ffi.NULL, onerror=_stop)  # type: ignore[misc]
def carom_python_prepare(user: Any, p: Any, geometry: Any, c: Any) -> Any:
    for k in range(ffi.from_handle(user).size):
        c[k] = p[k]
    return ffi.NULL


def _no_force(kind: Any, value: BaseException, trace: Any) -> None:
    errors.keep(kind, value, trace)
    if trace is not None:
        out = trace.tb_frame.f_locals.get("out")
        if out is not None:
            _spoil(out)


def _spoil(out: Any) -> None:
    """Ends the step: no number."""
    if ffi.typeof(out) is _NORMAL:
        out.force = _NAN
    else:
        out.force_j.x = out.force_i.x = _NAN


_NORMAL = ffi.typeof("carom_normal_force *")


@ffi.def_extern(onerror=_no_force)  # type: ignore[misc]
def carom_python_normal(user: Any, c: Any, given: Any, out: Any) -> None:
    law = ffi.from_handle(user)
    if pending.error is not None:
        out.force = _NAN
        return
    out.force, out.d_delta, out.d_rate, out.energy = law.evaluate(given.delta, given.rate, given.v0, given.mass,
                                                                  law.read(c))


def law(name: str, params: Optional[Params] = None, *, title: str = "", uses_mass: bool = False, kinked: bool = False,
        ignores_v0: bool = False) -> Callable[[Callable[..., Any]], Law]:
    """A contact law: `f(delta, rate, v0, mass, p)` returns the normal force [N], or a carom.Force with derivatives.

    delta: indentation [m]; rate: of it [m/s], positive in compression; v0: impact velocity [m/s]; mass: effective mass
    [kg]; p: the parameters. The force at rate 0 is the elastic one, the rest is dissipated. uses_mass: it needs a
    finite
    mass; kinked: its form changes with the sign of the rate; ignores_v0: it is the same whatever v0. Model files name
    it
    in `normal: {law: NAME}`."""
    return lambda function: Law(name, params, title, function, uses_mass=uses_mass, kinked=kinked,
                                ignores_v0=ignores_v0)


# ---- friction ----

class Friction(Kind):
    family = "friction"

    def __init__(self, *arguments: Any, cone: Union[str, float]) -> None:
        super().__init__(*arguments)
        if self.size > lib.CAROM_FRICTION_CONSTANTS:
            raise errors.UsageError(f"friction {self.name!r}: {self.size} parameters; there may be "
                                    f"{lib.CAROM_FRICTION_CONSTANTS}")
        if isinstance(cone, str) and cone not in self.params:
            raise errors.UsageError(f"friction {self.name!r}: cone is {cone!r}; give a number or the name of a "
                                    "parameter")
        self.cone = cone

    def fill(self, definition: Any) -> None:
        definition.prepare, definition.map = lib.carom_python_prepare, lib.carom_python_friction
        definition.cone = lib.carom_python_cone


@ffi.def_extern(error=_NAN, onerror=_stop)  # type: ignore[misc]
def carom_python_friction(user: Any, c: Any, speed: float, normal: float) -> float:
    friction = ffi.from_handle(user)
    return _NAN if pending.error is not None else friction.function(speed, normal, friction.read(c))  # type: ignore


@ffi.def_extern(error=_NAN, onerror=_stop)  # type: ignore[misc]
def carom_python_cone(user: Any, c: Any) -> float:
    friction = ffi.from_handle(user)
    cone = friction.cone
    return getattr(friction.read(c), cone) if isinstance(cone, str) else cone  # type: ignore[no-any-return]


def friction(name: str, params: Optional[Params] = None, *, cone: Union[str, float],
             title: str = "") -> Callable[[Callable[..., Any]], Friction]:
    """A friction law: `f(speed, normal, p)` returns the magnitude of the force [N] at a slip speed [m/s] under a normal
    force [N]; 0 at rest. cone: the greatest ratio of both, a number or the name of the parameter that is it. Model
    files
    name it in `friction: {law: NAME}`."""
    return lambda function: Friction(name, params, title, function, cone=cone)


# ---- forces ----

class Frame:
    """A frame on a body as a force sees it, in world axes."""

    __slots__ = ("_frame",)

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    @property
    def position(self) -> Vector:
        """[m]"""
        p = self._frame.p
        return p.x, p.y, p.z

    @property
    def velocity(self) -> Vector:
        """[m/s]"""
        v = self._frame.v
        return v.x, v.y, v.z

    @property
    def angular_velocity(self) -> Vector:
        """[rad/s]"""
        w = self._frame.w
        return w.x, w.y, w.z

    @property
    def angle(self) -> float:
        """Of the x axis, in planar models [rad]."""
        return float(self._frame.angle)

    @property
    def axes(self) -> Tuple[Vector, Vector, Vector]:
        """Rotation matrix by rows; its columns are the axes of the frame."""
        m = self._frame.axes.m
        return tuple(tuple(row) for row in m)  # type: ignore[return-value]


class Load(Kind):
    family = "load"

    def __init__(self, *arguments: Any, on: str, dissipates: bool) -> None:
        super().__init__(*arguments)
        if on not in ("frame", "between", "joint"):
            raise errors.UsageError(f"force {self.name!r}: on is {on!r}; it must be 'frame', 'between' or 'joint'")
        self.on, self.dissipates = on, dissipates

    def fill(self, definition: Any) -> None:
        definition.frame_count, definition.on_joint = (2 if self.on == "between" else 1), self.on == "joint"
        definition.apply = lib.carom_python_load


def _pair(result: Any) -> Tuple[Sequence[float], Sequence[float]]:
    """Force and torque of what a function returned: a force, or a pair of force and torque."""
    if len(result) == 2 and not isinstance(result[0], (int, float)) and hasattr(result[0], "__len__"):
        return _numbers(result[0]), torque_of(result[1])
    return _numbers(result), (0.0, 0.0, 0.0)


def _numbers(force: Sequence[float]) -> Sequence[float]:
    if len(force) not in (2, 3):
        raise errors.UsageError(f"a force has 2 numbers in the plane and 3 in space, not {len(force)}")
    return force


def torque_of(torque: Any) -> Sequence[float]:
    """A torque as three numbers: also one number about z, of any type that is one."""
    if not hasattr(torque, "__len__") or getattr(torque, "ndim", 1) == 0:
        return 0.0, 0.0, float(torque)
    if len(torque) != 3:
        raise errors.UsageError(f"a torque is one number about z in the plane and has 3 in space, not {len(torque)}")
    return tuple(torque)


def _set(out: Any, vector: Sequence[float], sign: float) -> None:
    out.x, out.y = sign * vector[0], sign * vector[1]
    out.z = sign * vector[2] if len(vector) > 2 else 0.0


def _power(frame: Any, force: Any, torque: Any) -> float:
    v, w = frame.v, frame.w
    return float(force.x * v.x + force.y * v.y + force.z * v.z + torque.x * w.x + torque.y * w.y + torque.z * w.z)


@ffi.def_extern(onerror=_no_force)  # type: ignore[misc]
def carom_python_load(user: Any, given: Any, out: Any) -> None:
    load = ffi.from_handle(user)
    if pending.error is not None:
        _spoil(out)
        return
    p = load.read(given.p)
    if load.on == "joint":
        effort = float(load.function(given.time, given.coordinate.phi, given.coordinate_rate, p))
        lib.carom_load_effort(given, effort, out)
        power = effort * given.coordinate_rate
    elif load.on == "frame":
        force, torque = _pair(load.function(given.time, Frame(given.i), p))
        _set(out.force_i, force, 1.0)
        _set(out.torque_i, torque, 1.0)
        power = _power(given.i, out.force_i, out.torque_i)
    else:
        force, torque = _pair(load.function(given.time, Frame(given.i), Frame(given.j), p))
        _set(out.force_j, force, 1.0)
        _set(out.torque_j, torque, 1.0)
        _set(out.force_i, force, -1.0)
        arm = [getattr(given.j.p, x) - getattr(given.i.p, x) for x in "xyz"]
        f = out.force_j
        moment = (arm[1] * f.z - arm[2] * f.y, arm[2] * f.x - arm[0] * f.z, arm[0] * f.y - arm[1] * f.x)
        out.torque_i.x, out.torque_i.y, out.torque_i.z = (-out.torque_j.x - moment[0], -out.torque_j.y - moment[1],
                                                          -out.torque_j.z - moment[2])
        power = _power(given.j, out.force_j, out.torque_j) + _power(given.i, out.force_i, out.torque_i)
    if load.dissipates:
        out.dissipation = -power
    else:
        out.work_power = power


def force(name: str, params: Optional[Params] = None, *, on: str = "frame", dissipates: bool = False,
          title: str = "") -> Callable[[Callable[..., Any]], Load]:
    """A force, a load of model files (`loads: {gale: {type: NAME, on: body}}`).

    on "frame": `f(t, frame, p)` returns the force on a frame [N], or a pair of force and torque [N m], in world axes,
    two or three numbers each (in the plane a torque may be one); frame has position, velocity, axes, ...;
    on "between": `f(t, i, j, p)` returns those on the second of two frames, the opposite acts on the first;
    on "joint": `f(t, coordinate, rate, p)` returns the effort along the coordinate of a joint [N] or [N m].
    Its power counts as work of an outside source in the ledger, or with `dissipates` as dissipation."""
    return lambda function: Load(name, params, title, function, on=on, dissipates=dissipates)


def kinds(family: str) -> Tuple[str, ...]:
    """Names of what the library has of a family: "law", "elastic", "damping", "friction", "joint", "shape", "load",
    "integrator", "analysis", ..."""
    from ._library import new_context
    context, count = new_context(), ffi.new("size_t *")
    names = lib.carom_explain_names(context.pointer, family.encode(), count)
    if names == ffi.NULL:
        known = ffi.new("size_t *")
        families = lib.carom_explain_families(known)
        from ._library import unknown
        raise errors.UnknownNameError(unknown("family", family, [errors.text_of(families[k]) for k in range(known[0])]))
    return tuple(errors.text_of(names[k]) for k in range(count[0]))


def explain(name: str) -> str:
    """The page on a kind or topic: formula, parameters with units, source, range of validity."""
    from ._library import new_context
    context, out = new_context(), ffi.new("char **")
    status = lib.carom_explain(context.pointer, name.encode(), out)
    if status:
        fail(context.pointer, status, kind=errors.UnknownNameError)
    text = errors.text_of(out[0])
    lib.carom_text_free(context.pointer, out[0])
    return text
