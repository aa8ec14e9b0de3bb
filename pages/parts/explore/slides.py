"""The slides of the loaded pair: one picture or one sentence a screen."""

from collections.abc import Callable

import streamlit as st

from pages.parts.explore import first_screen, hero_panel
from pages.shared import present
from pages.shared.wording import chip
from privcause_core.explore.analysis import Analysis
from privcause_core.figures.hero_scene import leftovers
from privcause_core.pair import Direction

TITLES = {
    "pair": "One cause, one effect: which is which?",
    "residuals": "Under the right arrow, what is left looks the same everywhere",
    "bells": "Noise blurs both scores until they may change places",
    "flips": "A hundred private runs on the same rows",
    "theorem": "How often noise leaves the arrow as it is",
    "takes": "What would it take?",
    "verdict": "The verdict",
}


def draw(analysis: Analysis) -> None:
    """Draw the slide that the presentation shows."""
    name = present.slide()
    fill: dict[str, Callable[[Analysis], None]] = {"question": _question, "takes": _takes}
    with st.container(key=f"slide_{name}"):
        if name in fill:
            fill[name](analysis)
        else:
            one_bell = name == "bells" and len(analysis.headline.verdict.outputs) != 2
            st.title("Noise blurs the margin until it may cross zero" if one_bell else TITLES[name])
            _picture(analysis, name)


def _question(analysis: Analysis) -> None:
    pair = analysis.measurement.pair
    x, y = chip(pair.x_name), chip(pair.y_name)
    st.title(f"Does {x} drive {y}, or does {y} drive {x}?")
    st.markdown("And does the answer survive when nobody's row may show?")


def _picture(analysis: Analysis, name: str) -> None:
    if present.hides_true() and name not in present.TELLS_NOTHING_TRUE:
        present.shows_true(TITLES[name])
        return
    more = {"leftovers": leftovers(analysis.measurement)} if name == "residuals" else {}
    hero_panel.draw(first_screen.scene(analysis, layout=name, **more))


def _takes(analysis: Analysis) -> None:
    st.title(TITLES["takes"])
    if not present.shows_true("What it takes, computed from the noise-free margin"):
        return
    one = analysis.headline
    if one.true.direction is Direction.UNDECIDED:
        st.markdown("No ε helps: the noise-free scores themselves do not decide.")
        return
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        for certainty, epsilon in one.least_epsilon:
            value = "none" if epsilon is None else f"ε ≥ {epsilon:.3g}"
            st.metric(f"of 100 runs, {100 * certainty:.0f} agree", value, width="content")
    st.markdown(
        f"With {analysis.measurement.fit.n_test:,} scored rows, from the noise-free margin: for you, not to publish."
    )
