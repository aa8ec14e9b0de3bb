"""What every chart shares: the palette, the frame, and the text twin that goes with the picture.

Plotly traces ignore the page's theme, so each one names its colour. The four role colours keep 3:1 against both
backgrounds, and a role always has a second channel (dash or marker).
"""

import html
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import plotly.graph_objects as go

from privcause_core.pair import FloatArray
from privcause_core.text.names import isolated, visible

Values = Sequence[float] | FloatArray
TRUE, PRIVATE, THEORY, CHANCE = "#0072B2", "#D55E00", "#009E73", "#7A7F87"
PURPLE = "#B0578D"  # a fourth role where one is needed
TRUE_DASH, PRIVATE_DASH, THEORY_DASH, CHANCE_DASH = "solid", "dash", "dot", "dashdot"
GRID = "rgba(122, 127, 135, 0.22)"
PALE = 0.16  # opacity of bands
LINE_ALONG, LINE_UP = 44, 30  # characters of an axis title that fit a phone, along x and up y
SLIDE_LETTER, SLIDE_MARKER = 18, 1.4  # pixels of a label; how much larger a marker is
PLAIN_EXPONENTS = (-4.0, 6.0)  # log axes within it say 0.01 and 1,000; others 10 to a power
TRUE_NOTE = "true — seen by you, not a private release"

CONFIG = {
    "displaylogo": False,
    "showSendToCloud": False,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
    "toImageButtonOptions": {"format": "svg", "scale": 1},
}


@dataclass(frozen=True, slots=True, eq=False)
class Chart:
    """A picture, what it says, and its numbers.

    Attributes
    ----------
    name : str
        File name of its downloads.
    figure : plotly Figure
    alt : str
        The takeaway in a sentence or two, for people who do not see the picture.
    table : mapping of str to sequence
        The same numbers as columns. Headers are ours, never a file's.
    still : bool
        Nothing in it can be zoomed or hovered.
    """

    name: str
    figure: go.Figure
    alt: str
    table: Mapping[str, Sequence[object] | FloatArray]
    still: bool = False

    @property
    def config(self) -> dict[str, object]:
        """Return Plotly's display options: an SVG button, nothing that leaves the machine."""
        still = {"staticPlot": True} if self.still else {}
        return CONFIG | still | {"toImageButtonOptions": {"format": "svg", "scale": 1, "filename": self.name}}

    def for_a_slide(self) -> "Chart":
        """Return the same picture to be seen from afar, with nothing that a mouse moves; the page sizes its letters."""
        figure = go.Figure(self.figure)
        figure.update_layout(title_font_size=None, height=None)
        figure.update_annotations(font_size=SLIDE_LETTER)
        figure.update_shapes(label_font_size=SLIDE_LETTER)
        for trace in figure.select_traces({"type": "scatter"}):
            if isinstance(trace.marker.size, int | float):
                trace.marker.size *= SLIDE_MARKER
        return replace(self, figure=figure, still=True)


@dataclass(frozen=True, slots=True)
class Axis:
    """A fixed axis: title with its unit, and range (of exponents if ``log``); ``bare`` shows neither ticks nor grid.

    Long titles are broken into lines that fit a phone.
    """

    title: str
    low: float
    high: float
    log: bool = False
    percent: bool = False
    bare: bool = False


def framed(
    traces: Sequence[object], title: str, x: Axis, y: Axis, *, height: int = 360, legend: bool = True
) -> go.Figure:
    """Return a figure with fixed axes, room for a title, and a legend along its lower edge.

    The legend is placed by the edge, not by the plot: however many lines it needs, it stays clear of the axis title.
    The layout goes in as one dictionary: Plotly takes ten times as long to update a figure piece by piece.
    """
    layout = {
        "title": {"text": title, "font": {"size": 15}, "x": 0, "xanchor": "left"},
        "height": height,
        "margin": {"l": 10, "r": 10, "t": 50, "b": 10},
        "showlegend": legend,
        "legend": {"orientation": "h", "yref": "container", "yanchor": "bottom", "y": 0, "x": 0, "xanchor": "left"},
        "hovermode": "closest",
        "hoverlabel": {"namelength": -1},
        "xaxis": _axis(x, LINE_ALONG, standoff=8),
        "yaxis": _axis(y, LINE_UP, standoff=16),
    }
    return go.Figure(list(traces), layout)


def line(x: Values, y: Values, name: str, color: str, dash: str, **options: object) -> go.Scatter:
    """Return a curve of one role."""
    style = {"color": color, "dash": dash, "width": 2.5}
    return go.Scatter(x=x, y=y, name=name, mode="lines", line=style, **options)


def band(x: Values, low: Values, high: Values, name: str, color: str) -> go.Scatter:
    """Return a shaded band between two curves."""
    return go.Scatter(
        x=[*x, *reversed(list(x))], y=[*high, *reversed(list(low))], name=name, fill="toself",
        fillcolor=translucent(color, PALE), line={"color": translucent(color, 0.0), "width": 0}, hoverinfo="skip",
    )  # fmt: skip


def marker(x: float, y: float, name: str, color: str, symbol: str, **options: object) -> go.Scatter:
    """Return one marked point."""
    style = {"color": color, "symbol": symbol, "size": 13, "line": {"color": "#FFFFFF", "width": 1.5}}
    return go.Scatter(x=[x], y=[y], name=name, mode="markers", marker=style, cliponaxis=False, **options)


def upright(figure: go.Figure, x: float, color: str, dash: str, text: str = "") -> None:
    """Add a vertical line at ``x``, in data units, with a note above it."""
    style = {"color": color, "dash": dash, "width": 2}
    label = {"text": text, "textposition": "end", "textangle": 0, "xanchor": "center", "yanchor": "bottom"}
    label |= {"font": {"size": 12}}
    figure.add_shape(type="line", x0=x, x1=x, y0=0, y1=1, yref="paper", line=style, label=label if text else {})


def edge_notes(figure: go.Figure, before: int, beyond: int, what: str, *, along: bool = True) -> None:
    """Say at the edges of an axis how many dots lie beyond it: left and right, or below and above."""
    arrows = "◂▸" if along else "▾▴"
    for number, end in ((before, 0), (beyond, 1)):
        if number:
            text = f"{arrows[end]} {number:,} {what}{'s' if number > 1 else ''} beyond"
            place = {"x": end if along else 1, "xanchor": "left" if along and not end else "right"}
            place |= {"y": 1 if along else end, "yanchor": "top" if end or along else "bottom"}
            figure.add_annotation(text=text, xref="paper", yref="paper", showarrow=False, font={"size": 12}, **place)


def plotly_text(name: str, most: int = 60) -> str:
    """Return an isolated name as Plotly text: no markup, no maths, shortened beyond ``most``."""
    flat = visible(name)
    short = flat if len(flat) <= most else flat[: most - 1] + "…"
    return html.escape(isolated(short), quote=False).replace("$", "&#36;")


def translucent(color: str, opacity: float) -> str:
    """Return a #RRGGBB colour with an opacity in [0, 1]."""
    red, green, blue = (int(color[k : k + 2], 16) for k in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity:g})"


def percent(share: float) -> str:
    """Return a share as people say it: 97 %, 0.4 %, more than 99.9 % (never 100 % of something random)."""
    hundredths = 100.0 * share
    if hundredths < 0.1:
        return "less than 0.1 %"
    if hundredths > 99.9:
        return "more than 99.9 %"
    return f"{hundredths:.1f} %" if not 1.0 <= hundredths <= 99.0 else f"{hundredths:.0f} %"


def short_percent(share: float) -> str:
    """Return a share for a table cell, kept on one line: 97 %, 0.4 %, under 0.1 %, over 99.9 %."""
    return percent(share).replace("less than", "under").replace("more than", "over").replace(" ", "\u00a0")


def _axis(axis: Axis, line_length: int, standoff: int) -> dict[str, object]:
    lines = textwrap.wrap(axis.title, line_length, break_long_words=False, break_on_hyphens=False)
    options: dict[str, object] = {
        "title": {"text": "<br>".join(lines), "standoff": standoff},
        "range": [axis.low, axis.high],
        "autorange": False,
        "gridcolor": GRID,
        "zeroline": False,
        "automargin": True,
        "fixedrange": False,
    }
    if axis.log:
        plain = PLAIN_EXPONENTS[0] <= axis.low and axis.high <= PLAIN_EXPONENTS[1]
        options |= {"type": "log", "dtick": 1, "exponentformat": "none" if plain else "power"}
        options |= {"separatethousands": plain}
    if axis.percent:
        options |= {"tickformat": ".0%"}
    if axis.bare:
        options |= {"showticklabels": False, "showgrid": False, "fixedrange": True}
    return options
