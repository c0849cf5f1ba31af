"""Contact laws outside of a model: their force, and the free direct impact with them."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Mapping, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _errors as errors
from ._carom import ffi, lib
from ._library import Array, Handle, new_context, plain, view
from ._errors import fail, text_of

Value = Union[float, str, Any]


def _definition(context: Any, out: Any, law: Optional[str], parts: Mapping[str, Optional[str]],
                minimum_speed: Optional[float], params: Mapping[str, Value]) -> List[Any]:
    """Fills a carom_law_def; returns what must live until it is used."""
    keep: List[Any] = []

    def text(value: Optional[str]) -> Any:
        if value is None:
            return ffi.NULL
        keep.append(ffi.new("char[]", value.encode()))
        return keep[-1]

    out.law = text(law)
    for name, value in parts.items():
        setattr(out, name, text(value))
    if minimum_speed is not None:
        out.minimum_speed = minimum_speed
    items = ffi.new("carom_param[]", max(len(params), 1))
    for item, (key, given) in zip(items, params.items()):
        given = plain(given)
        item.name = text(key)
        if isinstance(given, (int, float)):
            item.value = lib.carom_value_number(float(given))
            continue
        as_text: str = ", ".join(str(x) for x in given) if isinstance(given, (list, tuple)) else str(given)
        found = ffi.new("carom_value *")
        status = lib.carom_law_value(context, key.encode(), text(as_text), found)
        if status:
            fail(context, status, kind=errors.ModelError)
        item.value = found[0]
    out.params.items, out.params.count = items, len(params)
    keep.append(items)
    return keep


@dataclass(frozen=True)
class LawForce:
    """Force of a law at given points; numbers, or arrays as the arguments."""

    force: Any
    """[N], before the release policy."""
    elastic: Any
    """[N]"""
    damping: Any
    """[N]"""
    d_delta: Any
    """dF/d delta [N/m]"""
    d_rate: Any
    """dF/d rate [N s/m]"""
    energy: Any
    """Stored [J]."""


class NormalForce:
    """A normal force by its name or its parts: `carom.NormalForce("flores", stiffness=5.5e9, restitution=0.7)`.

    Parameters are those of `normal` in a model file, numbers in SI units or texts such as "5*GPa"; `carom.explain()`
    lists
    them. Threads may share it. Raises ModelError."""

    def __init__(self, law: Optional[str] = None, /, *, elastic: Optional[str] = None, damping: Optional[str] = None,
                 velocity: Optional[str] = None, release: Optional[str] = None, minimum_speed: Optional[float] = None,
                 **params: Value) -> None:
        self._context = new_context()
        definition, out = ffi.new("carom_law_def *", lib.carom_default_law_def()), ffi.new("carom_law **")
        keep = _definition(self._context.pointer, definition, law,
                           {"elastic": elastic, "damping": damping, "velocity": velocity, "release": release},
                           minimum_speed, params)
        status = lib.carom_law_compile(self._context.pointer, definition, out)
        del keep
        if status:
            fail(self._context.pointer, status)
        self._handle = Handle(out[0], lib.carom_law_free, self._context)
        info = lib.carom_law_get_info(out[0])
        self.name: str = text_of(info.law)
        self.elastic: str = text_of(info.elastic)
        self.damping: str = text_of(info.damping)
        self.stiffness: float = info.stiffness
        """[N/m^n]; NAN: no power law."""
        self.exponent: float = info.exponent
        self.restitution: float = info.restitution
        """Asked; NAN: it takes none."""
        self.factor: float = info.factor
        """A of Fd = Fe A rate/v0 at 1 m/s; NAN: another form."""
        self.limit: float = info.limit
        """Indentation up to which it holds [m]."""

    def force(self, delta: ArrayLike, rate: ArrayLike = 0.0, *, speed: ArrayLike = 1.0, mass: ArrayLike = 1.0,
              start: ArrayLike = 0.0) -> LawForce:
        """At indentations [m] and rates [m/s], for an impact at `speed` [m/s] of an effective mass [kg]; start: the
        largest
        indentation reached before, of laws with history [m]."""
        arrays = np.broadcast_arrays(*(np.asarray(a, float) for a in (delta, rate, speed, mass, start)))
        flat = [a.ravel() for a in arrays]
        out = np.empty((6, flat[0].size))
        given, found, text = ffi.new("carom_law_input *"), ffi.new("carom_law_output *"), ffi.new("char[256]")
        for k, (given.delta, given.rate, given.speed, given.mass, getattr_from) in enumerate(zip(*flat)):
            setattr(given, "from", getattr_from)
            if lib.carom_law_force(self._handle.pointer, given, found):
                lib.carom_law_accepts(self._handle.pointer, given, text, 256)
                raise errors.UsageError(text_of(text))
            out[:, k] = found.force, found.elastic, found.damping, found.d_delta, found.d_rate, found.energy
        shape = arrays[0].shape
        return LawForce(*(row.reshape(shape) if shape else float(row[0]) for row in out))

    def __repr__(self) -> str:
        return f"<carom.NormalForce {self.name or self.elastic + ' + ' + self.damping}>"


@dataclass(frozen=True)
class Impact:
    """A free direct impact."""

    v_in: float
    """Speed of approach [m/s]."""
    v_out: float
    """Speed of separation [m/s]."""
    e_asked: float
    e_got: float
    peak_force: float
    """[N]"""
    max_indentation: float
    """[m]"""
    duration: float
    """From the onset to the end of the force [s]."""
    energy_lost: float
    """[J]"""
    factor: float
    """A of Fd = Fe A rate/v0; NAN: another form."""
    method: str
    """"exact" or "integrated"."""
    note: str
    """A sentence on an impact that does not release."""
    time: Array
    """The motion, `points` of it: [s]; empty without."""
    delta: Array
    """[m]"""
    rate: Array
    """[m/s]"""
    force: Array
    """[N]"""


def impact(law: Optional[str] = None, /, *, mass: float, speed: float, points: int = 0, elastic: Optional[str] = None,
           damping: Optional[str] = None, velocity: Optional[str] = None, release: Optional[str] = None,
           minimum_speed: Optional[float] = None, tolerance: Optional[float] = None, integrate: bool = False,
           **params: Value) -> Impact:
    """The impact of a body of effective `mass` [kg] at `speed` [m/s] by a law, alone: in closed form where there is
    one.
    points: of the motion to give, at least 3. Other arguments are those of NormalForce."""
    context = new_context()
    definition = ffi.new("carom_impact_def *", lib.carom_default_impact_def())
    keep = _definition(context.pointer, definition.law, law,
                       {"elastic": elastic, "damping": damping, "velocity": velocity, "release": release},
                       minimum_speed, params)
    definition.mass, definition.speed, definition.loop, definition.integrate = mass, speed, points, integrate
    if tolerance is not None:
        definition.tolerance = tolerance
    out = ffi.new("carom_impact_solution *")
    status = lib.carom_impact_solve(context.pointer, definition, out)
    del keep
    owner = Handle(out, lambda s: lib.carom_impact_solution_free(context.pointer, s), context)
    if status:
        fail(context.pointer, status)

    def motion(name: str) -> Array:
        return view(getattr(out, name), out.loop, owner)

    return Impact(out.v_in, out.v_out, out.e_asked, out.e_got, out.peak_force, out.max_indentation, out.duration,
                  out.energy_lost, out.factor, text_of(out.method), text_of(out.note), motion("time"), motion("delta"),
                  motion("rate"), motion("force"))
