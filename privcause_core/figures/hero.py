"""The first screen in numbers and files: pair, arrow, epsilon, bells and runs, drawn in the browser as SVG.

:func:`scene` says what to draw; ``hero.html``, ``hero.css``, ``draw.js`` and ``hero.js`` draw it, in the app and in
reports alike. Everything that epsilon moves is computed in the browser from the scene.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from privcause_core.explore.analysis import Analysis
from privcause_core.figures.hero_scene import STEPS, hidden_scene, scene

FOLDER = Path(__file__).parent / "hero_files"
LONGEST_PART = 24


def markup() -> str:
    """Return the static HTML."""
    return _read("hero.html")


def styles() -> str:
    """Return the CSS."""
    return _read("hero.css")


def script() -> str:
    """Return the JavaScript, which defines ``mount(component)``; not yet a module with exports."""
    return _read("draw.js") + _read("hero.js")


def picture_markup() -> str:
    """Return the buttons that save the first screen as one picture, and the undrawn screen it is made from."""
    return _read("picture.html") + _read("hero.html")


def picture_styles() -> str:
    """Return their CSS."""
    return _read("picture.css")


def picture_script() -> str:
    """Return the JavaScript, which defines ``mountPicture(component)``."""
    return script() + _read("picture.js")


def file_name(analysis: Analysis) -> str:
    """Return a file name that says pair, score and epsilon, in plain letters."""
    pair, settings = analysis.measurement.pair, analysis.settings
    parts = [pair.x_name[:LONGEST_PART], pair.y_name[:LONGEST_PART], settings.score, f"epsilon-{settings.epsilon:g}"]
    plain = (re.sub(r"[^a-z0-9.]+", "-", part.lower()).strip("-.") or "column" for part in parts)
    return "-".join(("privcause", *plain))


def embedded(drawn: Mapping[str, object]) -> str:
    """Return HTML that draws a scene in a page of its own, with its slider, without any request."""
    data = json.dumps(drawn, allow_nan=False).replace("<", "\\u003c")
    return (
        '<div id="hero"><template shadowrootmode="open">'
        f"<style>{styles()}</style>{markup()}</template></div>"
        f'<script type="application/json" id="scene">{data}</script>'
        f"<script>(() => {{ {script()}\n"
        'mount({ parentElement: document.getElementById("hero").shadowRoot, setTriggerValue() {}, '
        'data: JSON.parse(document.getElementById("scene").textContent) }); })();</script>'
    )


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


__all__ = [
    "STEPS",
    "embedded",
    "file_name",
    "hidden_scene",
    "markup",
    "picture_markup",
    "picture_script",
    "picture_styles",
    "scene",
    "script",
    "styles",
]
