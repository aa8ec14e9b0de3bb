"""The first screen in numbers and files: pair, arrow, epsilon, bells and runs, drawn in the browser as SVG.

:func:`scene` says what to draw; ``hero.html``, ``hero.css``, ``draw.js`` and ``hero.js`` draw it, in the app and in
reports alike. Everything that epsilon moves is computed in the browser from the scene.
"""

from pathlib import Path

from privcause_core.figures.hero.scene import STEPS, scene

FOLDER = Path(__file__).parent


def markup() -> str:
    """Return the static HTML."""
    return _read("hero.html")


def styles() -> str:
    """Return the CSS."""
    return _read("hero.css")


def script() -> str:
    """Return the JavaScript, which defines ``mount(component)``; not yet a module with exports."""
    return _read("draw.js") + _read("hero.js")


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


__all__ = ["STEPS", "markup", "scene", "script", "styles"]
