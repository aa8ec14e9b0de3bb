"""Everything below the first screen: folded, and computed when it is opened."""

from collections.abc import Callable

import streamlit as st

from pages.parts.explore import compare_panel, exports, joint_panel, promise_panel, verdict_panel
from pages.shared import panels, present
from pages.shared.show import show
from privcause_core.explore.analysis import Analysis
from privcause_core.explore.outcomes import first_runs
from privcause_core.figures.pair import residuals, scatter
from privcause_core.figures.runs import run_grid, settings_note
from privcause_core.pair import Direction
from privcause_core.protection.choice import coverage


def draw(analysis: Analysis) -> None:
    """Draw the folds."""
    folds: tuple[tuple[str, str, Callable[[Analysis], None]], ...] = (
        ("scores", "Every score, both ways", verdict_panel.score_table),
        ("takes", "What would it take?", verdict_panel.what_it_takes),
        ("every_row", "Protecting every row", joint_panel.both_ways),
        ("promise", "What ε promises", _promise),
        ("residuals", "Residuals: why", _residuals),
        ("compare", "Compare two settings", lambda _: compare_panel.compare()),
        ("twin", "The numbers of this screen", _twin),
        ("along", "Take it along", exports.panel),
    )
    for key, title, fill in folds:
        if present.hides_true() and key != "promise":
            continue
        with st.expander(title, key=f"fold_{key}", on_change="rerun") as fold:
            if fold.open:
                fill(analysis)


def _promise(analysis: Analysis) -> None:
    promise_panel.promise(panels.total_cost(analysis), coverage(analysis.settings))


def _residuals(analysis: Analysis) -> None:
    st.caption("Under the right arrow, what the fit leaves looks the same wherever you look along the cause.")
    for column, direction in zip(st.columns(2), (Direction.X_TO_Y, Direction.Y_TO_X), strict=True):
        with column:
            show(residuals(analysis.measurement, direction))


def _twin(analysis: Analysis) -> None:
    """Show the pictures of the first screen as charts that can be zoomed, and as tables."""
    runs = first_runs(analysis.headline, analysis.settings)
    show(scatter(analysis.measurement))
    show(run_grid(runs, analysis.headline.true.direction))
    st.caption(f"{settings_note(analysis.settings)} Non-private: the noise moves true scores.")
