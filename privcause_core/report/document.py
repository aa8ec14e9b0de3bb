"""The HTML frame of a report: what kind it is on every page, sections, tables, charts with their text twin."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from importlib import resources

import plotly.graph_objects as go
from plotly.io import to_html
from plotly.offline import get_plotlyjs

from privcause_core.figures.chart import Chart
from privcause_core.text.names import html_text

_CSS = resources.files(__package__) / "report.css"
_NOTHING_FETCHED = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
    "form-action 'none'; base-uri 'none'"
)
_MOST_ROWS = 60  # of a chart's numbers


class Kind(StrEnum):
    """Who may read a report."""

    TEACHING = "teaching"
    PUBLIC = "public"


BANNERS = {
    Kind.TEACHING: "Teaching report. Holds true (non-private) values: seen by you, not a private release. "
    "Do not publish.",
    Kind.PUBLIC: "Public report. Holds private outputs and public facts only.",
}
BADGES = {Kind.TEACHING: "true values", Kind.PUBLIC: "ε private or public"}


@dataclass(frozen=True, slots=True)
class Section:
    """One section: a heading and ready-made HTML blocks."""

    title: str
    blocks: Sequence[str]


def document(kind: Kind, title: str, sections: Iterable[Section], *, charts: bool = True) -> str:
    """Return a report as one HTML page.

    The repeated table head carries the banner onto every printed page; the content policy forbids every request.
    ``charts`` says whether plotly.js comes along.
    """
    banner, body = html_text(BANNERS[kind]), "".join(_section(kind, section) for section in sections)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_NOTHING_FETCHED}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_CSS.read_text(encoding='utf-8')}</style>"
        f"{f'<script>{get_plotlyjs()}</script>' if charts else ''}</head>"
        f'<body class="{kind}"><table class="sheet" role="presentation">'
        f'<thead><tr><td><p class="kind">{banner}</p></td></tr></thead>'
        f"<tbody><tr><td><main><h1>{html_text(title)}</h1>{body}</main></td></tr></tbody></table></body></html>\n"
    )


def paragraph(text: str, css: str = "") -> str:
    """Return an escaped paragraph."""
    return f'<p class="{css}">{html_text(text)}</p>' if css else f"<p>{html_text(text)}</p>"


def bullets(lines: Iterable[str]) -> str:
    """Return an escaped list."""
    return f"<ul>{''.join(f'<li>{html_text(line)}</li>' for line in lines)}</ul>"


def code(text: str) -> str:
    """Return an escaped block of text to copy."""
    return f'<pre tabindex="0">{escape(text)}</pre>'


def facts(rows: Iterable[tuple[str, object]]) -> str:
    """Return a table of names and values."""
    body = "".join(f'<tr><th scope="row">{html_text(k)}</th><td>{html_text(str(v))}</td></tr>' for k, v in rows)
    return f'<table class="facts">{body}</table>'


def columns(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table with a header row."""
    head = "".join(f'<th scope="col">{html_text(name)}</th>' for name in header)
    body = "".join(f"<tr>{''.join(f'<td>{html_text(str(v))}</td>' for v in row)}</tr>" for row in rows)
    return f'<div class="wide"><table class="facts columns"><tr>{head}</tr>{body}</table></div>'


def chart(one: Chart) -> str:
    """Return a chart with its takeaway and, folded, its numbers."""
    figure = go.Figure(one.figure).update_layout(template="plotly_white", font={"family": "system-ui, sans-serif"})
    picture = to_html(
        figure, full_html=False, include_plotlyjs=False, config=one.config | {"responsive": True}, div_id=one.name
    )
    numbers = [list(values)[:_MOST_ROWS] for values in one.table.values()]
    table = columns(list(one.table), [[_short(v) for v in row] for row in zip(*numbers, strict=True)])
    return (
        f'<figure role="group" aria-label="{escape(one.alt)}">{picture}<figcaption>{html_text(one.alt)}</figcaption>'
        f"</figure><details><summary>The numbers of this chart</summary>{table}</details>"
    )


def figure(picture: str, caption: str) -> str:
    """Return a ready-made picture (HTML) with an escaped caption."""
    return f"<figure>{picture}<figcaption>{html_text(caption)}</figcaption></figure>"


def side_by_side(blocks: Iterable[str]) -> str:
    """Return blocks in one row, as wide as each other."""
    return f'<div class="beside">{"".join(blocks)}</div>'


def _section(kind: Kind, section: Section) -> str:
    heading = f"<h2>{html_text(section.title)} <small>{html_text(BADGES[kind])}</small></h2>"
    return f"<section>{heading}{''.join(section.blocks)}</section>"


def _short(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
