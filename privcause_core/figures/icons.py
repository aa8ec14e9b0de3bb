"""Icon arrays of 100, as inline SVG. Only numbers and our own words go in."""

from html import escape

from privcause_core.figures.chart import CHANCE, PRIVATE

PER_LINE = 20
STEP = 12


def icon_svg(filled: int, label: str, color: str = PRIVATE) -> str:
    """Return 100 icons, the first ``filled`` of them solid; ``label`` says the same to screen readers."""
    dots = "".join(_dot(k, color if k < filled else None) for k in range(100))
    box = f"0 0 {PER_LINE * STEP} {100 // PER_LINE * STEP}"
    spoken = f'role="img" aria-label="{escape(label)}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="100%" {spoken} style="max-width:26rem">'
    return f"{head}{dots}</svg>"


def _dot(k: int, color: str | None) -> str:
    x, y = k % PER_LINE * STEP + STEP / 2, k // PER_LINE * STEP + STEP / 2
    paint = f'fill="{color}"' if color else f'fill="none" stroke="{CHANCE}" stroke-width="1.2"'
    return f'<circle cx="{x:g}" cy="{y:g}" r="{4.4 if color else 3.6}" {paint}/>'
