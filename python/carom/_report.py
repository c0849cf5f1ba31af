"""Report pages, and what Jupyter shows of results."""
from __future__ import annotations

import html
import os
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Sequence

import numpy as np
from numpy.typing import ArrayLike

from ._carom import ffi, lib
from ._library import IMPACTS, Handle, new_context
from ._errors import UsageError, fail

if TYPE_CHECKING:
    from ._run import Path, Run


class Report:
    """A report page. Jupyter shows it; `html` is its text, `save()` writes it to a file."""

    def __init__(self, text: str, path: Optional[str]) -> None:
        self.html, self.path = text, path

    def save(self, path: "Path") -> None:
        pathlib.Path(path).write_text(self.html, "utf-8")

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.html)}" style="width: 100%; height: 720px; border: 0" '
                'title="Report of Carom"></iframe>')

    def __repr__(self) -> str:
        return f"<carom.Report of {len(self.html)} characters{', ' + self.path if self.path else ''}>"


class Measured(NamedTuple):
    """Measured points that a report shows: values `y` of `unit` at the times `x` [s] of the run, or with over="m" at the
    indentations `x` [m] in the loops of its contacts; all in SI. error: half the length of the error bars."""

    label: str
    x: ArrayLike
    y: ArrayLike
    unit: str
    error: Optional[ArrayLike] = None
    over: str = "s"


def _check_unit(own: Measured) -> None:
    context, factor = new_context(told=False), ffi.new("double *")
    unit = own.unit.replace("\N{MICRO SIGN}", "u").replace("\N{GREEK SMALL LETTER MU}", "u").replace(" ", "*")
    if unit not in ("", "-") and lib.carom_law_number(context.pointer, b"unit", unit.encode(), factor):
        raise UsageError(f"measured data '{own.label}': '{own.unit}' is no unit; see `carom explain expressions`")


def _points(data: Sequence[Measured], keep: List[Any]) -> Any:
    """The points as the library takes them; what they refer to goes to `keep`."""
    sets = ffi.new("carom_report_points[]", max(1, len(data)))
    for k, own in enumerate(data):
        columns = [np.ascontiguousarray(values, float).ravel() for values in (own.x, own.y, own.error) if values is not None]
        if own.over not in ("s", "m") or len({len(values) for values in columns}) != 1 or not len(columns[0]):
            raise UsageError(f"measured data '{own.label}': x, y and error have one length, over 's' or 'm'")
        _check_unit(own)
        texts = [ffi.new("char[]", text.encode()) for text in (own.label, own.unit, own.over)]
        buffers = [ffi.from_buffer("double[]", values) for values in columns]
        keep += [*texts, *columns, *buffers]
        sets[k].label, sets[k].unit, sets[k].count = texts[0], texts[1], len(columns[0])
        sets[k].t, sets[k].v = buffers[0], buffers[1]
        sets[k].error = buffers[2] if len(buffers) > 2 else ffi.NULL
        sets[k].over = texts[2] if own.over == "m" else ffi.NULL
    return sets


def report(runs: Sequence["Run"], path: Optional["Path"] = None, *, labels: Optional[Sequence[str]] = None,
           title: Optional[str] = None, max_size: float = 0, data: Sequence[Measured] = ()) -> Report:
    """The report page of one or several runs, which `labels` tell apart. path: where it is kept; max_size: largest size
    [bytes]; data: measured points over the curves."""
    definition = ffi.new("carom_report_def *", lib.carom_default_report_def())
    context, opened, keep = new_context(), [], []  # type: Handle, List[Handle], List[Any]
    for run in runs:
        out = ffi.new("carom_result **")
        if lib.carom_result_open(context.pointer, os.fsencode(run._file().path), out):
            fail(context.pointer, lib.CAROM_ERROR_IO)
        opened.append(Handle(out[0], lib.carom_result_close, context))
    results = ffi.new("carom_result *[]", [handle.pointer for handle in opened])
    definition.results, definition.count, definition.max_size = results, len(opened), int(max_size)
    if labels is not None:
        if len(labels) != len(opened):
            raise UsageError(f"{len(opened)} runs and {len(labels)} labels; give one for each")
        keep += [ffi.new("char[]", text.encode()) for text in labels]
        keep.append(ffi.new("char *[]", keep[:]))
        definition.labels = keep[-1]
    if title:
        keep.append(ffi.new("char[]", title.encode()))
        definition.title = keep[-1]
    points = _points(data, keep)
    definition.points, definition.point_sets = points, len(data)
    with tempfile.TemporaryDirectory(prefix="carom-") as folder:
        target = os.fspath(path) if path is not None else os.path.join(folder, "report.html")
        status = lib.carom_report_write(context.pointer, definition, os.fsencode(target))
        if status:
            fail(context.pointer, status)
        return Report(pathlib.Path(target).read_text("utf-8"), os.fspath(path) if path is not None else None)


# columns of the table that Jupyter shows, with the factor and name of their unit
_SHOWN = (("contact", 0, ""), ("onset", 1e3, "ms"), ("duration", 1e6, "us"), ("v_in", 1, "m/s"), ("v_out", 1, "m/s"),
          ("e_asked", 1, ""), ("e_got", 1, ""), ("peak_force", 1e-3, "kN"), ("max_indentation", 1e6, "um"),
          ("energy_lost", 1, "J"))


def run_html(run: "Run") -> str:
    """The impacts, as `carom run` prints them."""
    impacts: Any = run.impacts
    heads = {name: text for name, (_, text) in IMPACTS.describe().items()}
    lines = [f"<p><b>{html.escape(run.title or run.model_name)}</b>: {html.escape(run.status)}, {len(impacts)} "
             f"impact{'s' if len(impacts) != 1 else ''}, "
             f"residual {run.ledger.residual_fraction:.1e} of the energy's peak</p>"]
    if len(impacts):
        lines.append("<table><tr><th></th>" + "".join(
            f'<th title="{html.escape(heads[name])}">{name}{f" [{unit}]" if unit else ""}</th>'
            for name, _, unit in _SHOWN)
            + "</tr>")
        for k, row in enumerate(impacts[:20]):
            cells = [html.escape(str(row[name])) if not factor else
                     "" if np.isnan(row[name]) else f"{factor * row[name]:.6g}" for name, factor, _ in _SHOWN]
            lines.append(f"<tr><td>{k + 1}</td>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
        lines.append("</table>")
        if len(impacts) > 20:
            lines.append(f"<p>and {len(impacts) - 20} more</p>")
    lines += [f"<p>warning: {html.escape(text)}</p>" for text in run.warnings]
    return "\n".join(lines)
