"""States: all that moves in a simulation, taken, changed by names or as arrays, given back."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterator, MutableMapping, Sequence, Tuple, Union

import numpy as np

from . import _errors as errors
from ._carom import ffi, lib
from ._library import Array, Handle, view
from ._errors import fail, text_of

if TYPE_CHECKING:
    from ._simulation import Simulation


class State(MutableMapping[str, Union[float, Array]]):
    """A state of a simulation, which `Simulation.state()` makes: a mapping of names such as "time",
    "body.ball.position", "joint.crank.coordinate", "input.drive" to numbers and arrays, in the units of `units`.

    Coordinates and rates of joints that are set are wishes: the simulation that is given the state moves the bodies so
    that they are met."""

    def __init__(self, simulation: "Simulation") -> None:
        out = ffi.new("carom_state **")
        self._context = simulation._context
        status = lib.carom_state_create(self._context.pointer, simulation.model._pointer, out)
        if status:
            fail(self._context.pointer, status)
        self._handle = Handle(out[0], lib.carom_state_free, self._context, simulation.model._handle)
        self._pointer = out[0]
        self._sizes: Dict[str, Tuple[int, str]] = {}

    def _fail(self, status: int, name: str) -> None:
        unknown = status == lib.CAROM_ERROR_USAGE and name not in self._parts()
        fail(self._context.pointer, status, kind=errors.UnknownNameError if unknown else None)

    def _array(self, ask: Any) -> Array:
        count = ffi.new("size_t *")
        return view(ask(self._pointer, count), count[0], self._handle)

    @property
    def positions(self) -> Array:
        """Positions, a view: in the plane x, y, angle of each body, in space x, y, z and a quaternion w, x, y, z [m],
        [rad]
        (in the formulation `tree` coordinates of joints). Assign to it to set all of them."""
        return self._array(lib.carom_state_positions)

    @positions.setter
    def positions(self, values: Sequence[float]) -> None:
        self._set_all(lib.carom_state_set_positions, values)

    @property
    def velocities(self) -> Array:
        """Velocities, a view: in the plane vx, vy and the angular velocity, in space three of each [m/s], [rad/s]."""
        return self._array(lib.carom_state_velocities)

    @velocities.setter
    def velocities(self, values: Sequence[float]) -> None:
        self._set_all(lib.carom_state_set_velocities, values)

    def _set_all(self, give: Any, values: Sequence[float]) -> None:
        numbers = np.ascontiguousarray(values, float).ravel()
        status = give(self._pointer, ffi.from_buffer("double[]", numbers), numbers.size)
        if status:
            fail(self._context.pointer, status)

    def _parts(self) -> Dict[str, Tuple[int, str]]:
        if not self._sizes:
            count = ffi.new("size_t *")
            parts = lib.carom_state_parts(self._pointer, count)
            self._sizes = {text_of(parts[k].name): (parts[k].size, text_of(parts[k].unit)) for k in range(count[0])}
        return self._sizes

    @property
    def units(self) -> Dict[str, str]:
        """Units of all parts."""
        return {name: unit for name, (_, unit) in self._parts().items()}

    def __getitem__(self, name: str) -> Union[float, Array]:
        size = self._parts().get(name, (1, ""))[0]
        out = np.empty(size)
        status = lib.carom_state_get(self._pointer, name.encode(), ffi.from_buffer("double[]", out), size)
        if status:
            self._fail(status, name)
        return out if size > 1 else float(out[0])

    def __setitem__(self, name: str, value: Union[float, Sequence[float], Array]) -> None:
        numbers = np.ascontiguousarray(value, float).ravel()
        status = lib.carom_state_set(self._pointer, name.encode(), ffi.from_buffer("double[]", numbers), numbers.size)
        if status:
            self._fail(status, name)

    def __delitem__(self, name: str) -> None:
        raise errors.UsageError(f"'{name}' is part of the state; it can be set, not removed")

    __eq__, __hash__ = object.__eq__, object.__hash__

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts())

    def __len__(self) -> int:
        return len(self._parts())

    def _ipython_key_completions_(self) -> Sequence[str]:
        return list(self)

    def __repr__(self) -> str:
        return f"<carom.State at t = {self['time']:.9g} s>"
