"""What simulations say of themselves, as plain values."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, NamedTuple, Tuple

from ._library import Array


class ProgressInfo(NamedTuple):
    """How far a run is."""

    time: float
    """[s]"""
    until: float
    """[s]"""
    steps: int
    impacts: int


class Ledger(NamedTuple):
    """Energies [J]; `residual_fraction` is what is left over as a share of the energy moved."""

    start: float
    kinetic: float
    potential: float
    elastic: float
    dissipated_contact: float
    cutoff_loss: float
    dissipated_friction: float
    dissipated_other: float
    switch_term: float
    events: float
    work: float
    residual: float
    residual_fraction: float


class Statistics(NamedTuple):
    """Work of a run; `time` is simulated [s], `cpu_seconds` spent."""

    time: float
    steps: int
    rhs_evaluations: int
    restarts: int
    cpu_seconds: float


class Accuracy(NamedTuple):
    """Whether the numbers of a run are those of its model."""

    accurate: bool
    residual: float
    violation: float
    text: str


@dataclass(frozen=True)
class BodyState:
    """Motion of a body: of its centre of mass, in world axes."""

    position: Array
    """[m]"""
    velocity: Array
    """[m/s]"""
    angle: float
    """In planar models, with whole turns [rad]."""
    orientation: Array
    """In space a quaternion w, x, y, z."""
    angular_velocity: Array
    """[rad/s]"""


@dataclass(frozen=True)
class OpenContact:
    """A contact that touches now: onset [s], impact velocity [m/s], indentation [m], force [N], effective mass [kg]."""

    contact: str
    onset: float
    v_in: float
    indentation: float
    force: float
    peak_force: float
    max_indentation: float
    mass: float


@dataclass(frozen=True)
class Event:
    """A contact that touched ("onset") or separated ("release"), or an event of the model ("action")."""

    type: str
    name: str
    time: float
    """[s]"""
    action: str


@dataclass(frozen=True)
class Check:
    """What `carom check` says of a simulation: its structure, and what to expect of its contacts."""

    bodies: int
    joints: int
    coordinates: int
    rows: int
    """Constraint rows."""
    rank: int
    mobility: int
    formulation: str
    redundant: Tuple[str, ...]
    """Rows that others hold already."""
    free: Tuple[str, ...]
    """Motions that are free."""
    stuck: Tuple[str, ...]
    """Coordinates of joints that should move and cannot."""
    assembly_moved: float
    """Largest distance by which the assembly moved a body [m]."""
    contacts: Mapping[str, Mapping[str, Any]]
    """Of each contact: law, stiffness [N/m^n], exponent, gap [m], effective mass [kg], expected_speed [m/s],
    restitution asked, achieved_restitution, peak_force [N], max_indentation [m], duration [s], warnings, ..."""


@dataclass(frozen=True)
class Evaluation:
    """What a state leads to, without integrating. Arrays are copies."""

    time: float
    """[s]"""
    kinetic: float
    """[J]"""
    potential: float
    elastic: float
    position_residual: float
    """Largest violation of a constraint [m or rad]."""
    velocity_residual: float
    accelerations: Array
    """As the velocities of a state, per second."""
    multipliers: Array
    """Of the constraint rows [N or N m]."""
    joints: Mapping[str, Mapping[str, Any]]
    """Of each joint: force [N] and moment [N m] on its second body, coordinate, rate, acceleration."""
    loads: Mapping[str, Mapping[str, Any]]
    """Of each load: force [N] and torque [N m] on both frames, power, dissipation [W], stored energy [J]."""
    contacts: Mapping[str, Mapping[str, Any]]
    """Of each contact: open, gap [m], gap_rate, point, normal, force [N], friction, couple, stored energy."""
