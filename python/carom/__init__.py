"""Carom: multibody systems whose bodies hit, roll, slide and rest on each other through compliant contact.

    import carom

    model = carom.load("slider_crank.yaml", K=5e9)
    run = model.run()
    print(run.impacts["e_got"])
    run.plot("contact.hit.force", impact=1)

`docs/python.md` is a tutorial. All numbers are in SI units."""
from __future__ import annotations

from typing import Dict, Tuple

from ._carom import lib as _lib
from ._library import IMPACTS as _IMPACTS, LEDGER as _LEDGER, RESTS as _RESTS
from ._analysis import Analysis, Matrix
from ._derivatives import Derivative, Derivatives
from ._errors import (Error, FileError, Interrupted, ModelError, Problem, SolverError, UnknownNameError, UsageError,
                     text_of as _text_of)
from ._kinds import Force, Frame, Kind, Param, explain, force, friction, kinds, law
from ._laws import Impact, LawForce, NormalForce, impact
from ._model import Input, Model, Parameter, RunInfo, load
from ._report import Measured, Report, report
from ._run import Channel, ChannelInfo, Recording, Run, open_run as open
from ._simulation import Simulation
from ._state import State
from ._values import Accuracy, BodyState, Check, Evaluation, Event, Ledger, OpenContact, ProgressInfo, Statistics

__version__ = _text_of(_lib.carom_version())


def columns(table: str = "impacts") -> Dict[str, Tuple[str, str]]:
    """Unit and description of the columns of "impacts" and "rests", and of the terms of the "ledger"."""
    tables = {"impacts": _IMPACTS, "rests": _RESTS, "ledger": _LEDGER}
    if table not in tables:
        raise UnknownNameError(f"no table {table!r}; there are {', '.join(tables)}")
    return tables[table].describe()


__all__ = [
    "Accuracy", "Analysis", "BodyState", "Channel", "ChannelInfo", "Check", "Derivative", "Derivatives", "Error",
    "Evaluation", "Event", "FileError", "Force", "Frame", "Impact", "Input", "Interrupted", "Kind", "LawForce", "Ledger", "Matrix", "Measured",
    "Model", "ModelError", "NormalForce", "OpenContact", "Param", "Parameter", "Problem", "ProgressInfo", "Recording",
    "Report", "Run", "RunInfo", "Simulation", "SolverError", "State", "Statistics", "UnknownNameError", "UsageError",
    "columns", "explain", "force", "friction", "impact", "kinds", "law", "load", "open", "report"]

for _name in __all__:
    globals()[_name].__module__ = __name__    # what messages and pickles call them
