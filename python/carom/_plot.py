"""Figures of results with matplotlib, if that is installed."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Tuple

from ._carom import ffi, lib
from ._errors import UsageError, text_of

if TYPE_CHECKING:
    from ._run import Channel, Run


def _label(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit not in ("", "-", "1") else name


def _quantity(name: str) -> str:
    """The quantity of a channel as an engineer writes it, "Force F" of contact.hit.force, else its name."""
    text = ffi.new("char[96]")
    return text_of(text) if lib.carom_figure_label(name.encode(), text, 96) else name


def _interesting(run: "Run") -> Sequence[str]:
    """What is drawn where nothing is named."""
    forces = [n for n, c in run.channels.items() if c.type == "contact" and c.quantity == "force"]
    return forces or [n for n, c in run.channels.items() if c.type == "energy" and c.unit == "J"] or list(run)[:3]


def _window(run: "Run", impact: int) -> Tuple[float, float]:
    impacts = run.impacts
    if not 1 <= impact <= len(impacts):
        raise UsageError(f"impact {impact}: the run has {len(impacts)}, counted from 1")
    row = impacts[impact - 1]
    margin = 0.05 * row["duration"]
    return row["onset"] - margin, row["onset"] + row["duration"] + margin


def _draw(ax: Any, channel: "Channel", over: Optional["Channel"], style: Mapping[str, Any]) -> None:
    x = channel.time if over is None else over.at(channel.time) if len(over) != len(channel) else over.values
    if channel.values.ndim == 1:
        ax.plot(x, channel.values, **{"label": channel.name, **style})
        return
    for k, component in enumerate(channel.info.components):
        ax.plot(x, channel.values[:, k], **{"label": f"{channel.name}.{component}", **style})


def plot(run: "Run", names: Sequence[str], x: Optional[str], impact: Optional[int], ax: Any,
         style: Mapping[str, Any]) -> Any:
    if ax is None:
        import matplotlib.pyplot
        ax = matplotlib.pyplot.gca()
    channels = [run[name] for name in names or _interesting(run)]
    over = run[x] if x is not None else None
    if impact is not None:
        window = _window(run, impact)
        channels = [c.between(*window) for c in channels]
        over = over.between(*window) if over is not None else None
    for channel in channels:
        _draw(ax, channel, over, style)
    ax.set_xlabel(_label(_quantity(over.name), over.unit) if over is not None else "time [s]")
    units = {c.unit for c in channels}
    if len(channels) == 1:
        ax.set_ylabel(_label(_quantity(channels[0].name), channels[0].unit))
    elif len(units) == 1:
        quantities = {_quantity(c.name) for c in channels}
        ax.set_ylabel(_label(quantities.pop() if len(quantities) == 1 else channels[0].info.quantity, units.pop()))
    if len(ax.lines) > 1:
        ax.legend()
    return ax
