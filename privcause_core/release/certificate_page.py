"""A certificate as one self-contained HTML page: no script, nothing fetched, every text escaped."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from privcause_core.names import arrow_text, html_text, isolated
from privcause_core.scores import get_score

_STYLE = """
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 48rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.answer { font-size: 1.3rem; border-left: .4rem solid #D55E00; padding-left: 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid #8886; }
th { font-weight: 600; width: 38%; }
"""
Rows = Iterable[tuple[str, object]]


def certificate_page(certificate: Mapping[str, Any]) -> str:
    """Return the certificate as an HTML document; column and pair names stay text, whatever they hold."""
    pair, public, guarantee = certificate["pair"], certificate["public"], certificate["guarantee"]
    total = f"ε = {guarantee['epsilon']}, δ = {guarantee['delta']}"
    sections = [
        _section("What is promised", [
            ("Total privacy cost", total),
            ("Who is protected", guarantee["protected"]),
            ("Unit of privacy", guarantee["unit"]),
            ("Neighbouring data", guarantee["neighbours"]),
            ("Composition", guarantee["composition"]),
            ("Public by declaration", guarantee["public_facts"]),
        ]),
        *(_release(release, pair) for release in certificate["releases"]),
        _section("What was decided beforehand", [(_words(key), _text(value)) for key, value in _typed(certificate)]),
        _section("Record", [
            ("Pair", isolated(pair["name"])),
            ("X", isolated(pair["x"])),
            ("Y", isolated(pair["y"])),
            ("Complete rows", public["complete_rows"]),
            *((_words(key), number) for key, number in public.items() if key != "complete_rows"),
            ("Time", certificate["time"]),
            ("Entry", certificate["entry"]),
            *((f"Version of {name}", number) for name, number in certificate["software"].items()),
        ]),
    ]  # fmt: skip
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Private release certificate</title><style>{_STYLE}</style></head><body>"
        f"<h1>Private release certificate</h1><p>{html_text(total)} for {html_text(guarantee['unit'])}</p>"
        f"{''.join(sections)}</body></html>\n"
    )


def _answer(outcome: Mapping[str, Any], pair: Mapping[str, str]) -> str:
    if outcome["refused"]:
        return "No arrow released: the stability test refused at least one value. The cost is the same."
    cause, effect = outcome["direction"].split("->")
    return arrow_text(pair[cause], pair[effect])


def _release(release: Mapping[str, Any], pair: Mapping[str, str]) -> str:
    outcome = release["outcome"]
    percent = f"{outcome['confidence_of_intervals']:.0%}"
    rows: list[tuple[str, object]] = [
        (f"Private {_words(name)}", _with_interval(entry, percent)) for name, entry in outcome["values"].items()
    ]
    if not outcome["refused"]:
        confidence = f"{math.floor(1e6 * outcome['confidence_in_direction']) / 1e4:.4f}%"  # never up to certainty
        rows += [
            *_margin(outcome, percent),
            ("Largest confidence at which the margin's interval excludes 0", confidence),
        ]
    rows += [
        ("Mechanism", release["mechanism"]),
        ("Cost", f"ε = {release['cost']['epsilon']}, δ = {release['cost']['delta']}"),
        ("Sensitivity", _sensitivity(release)),
        *((("eta", f"{release['eta']}, {release['eta_formula']}"),) if "eta" in release else ()),
        *((f"Noise on each {d['statistic']}", _noise(d)) for d in release["draws"]),
    ]
    if "threshold" in release:
        column = release["one_column_changed"]
        rows += [
            ("Threshold of the stability test", release["threshold"]),
            ("If only one column of a row changed", f"ε = {column['epsilon']:.6g}, δ = {column['delta']:.3g}"),
        ]
    title = get_score(release["score"]).title
    return f'<h2>{html_text(title)}</h2><p class="answer">{html_text(_answer(outcome, pair))}</p>{_table(rows)}'


def _margin(outcome: Mapping[str, Any], percent: str) -> Rows:
    """Return the margin, unless it is the one value that was released."""
    return [] if "margin" in outcome["values"] else [("Private margin", _with_interval(outcome["margin"], percent))]


def _sensitivity(release: Mapping[str, Any]) -> str:
    proved = release.get("sensitivity_proved")
    return str(release["sensitivity_formula"]) + ("" if proved is None else f" = {proved}")


def _noise(draws: Mapping[str, Any]) -> str:
    return (
        f"Laplace, scale {draws['noise_scale']}, at most {draws['at_most']} draw(s) of ε = {draws['epsilon']} "
        f"(sensitivity {draws['sensitivity']}, roundings included)"
    )


def _with_interval(entry: Mapping[str, Any], percent: str) -> str:
    if entry["value"] is None:
        return "refused"
    if entry["interval"] is None:
        return str(entry["value"])
    low, high = entry["interval"]
    return f"{entry['value']} ({percent} interval {low:.4g} to {high:.4g})"


def _typed(certificate: Mapping[str, Any]) -> Sequence[tuple[str, object]]:
    plan, hidden = certificate["plan"], {"epsilon", "delta", *certificate["not_used"]}
    delta = () if "delta" in certificate["not_used"] else (("delta of each verdict that uses it", plan["delta"]),)
    used = [(key, value) for key, value in plan.items() if key not in hidden]
    return [*used, ("epsilon of each verdict", plan["epsilon"]), *delta]


def _text(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _words(key: str) -> str:
    return key.replace("_", " ")


def _section(title: str, rows: Rows) -> str:
    return f"<h2>{html_text(title)}</h2>{_table(rows)}"


def _table(rows: Rows) -> str:
    cells = (f"<tr><th scope='row'>{html_text(name)}</th><td>{html_text(str(value))}</td></tr>" for name, value in rows)
    return f"<table>{''.join(cells)}</table>"
