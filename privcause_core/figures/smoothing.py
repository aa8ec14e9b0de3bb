"""The pictures of the lesson on smooth sensitivity: discounted local sensitivities, and privacy losses."""

from collections.abc import Sequence

import numpy as np

from privcause_core.figures.chart import (
    CHANCE,
    CHANCE_DASH,
    PRIVATE,
    PRIVATE_DASH,
    PURPLE,
    THEORY,
    THEORY_DASH,
    TRUE,
    TRUE_DASH,
    Axis,
    Chart,
    framed,
    line,
    marker,
)
from privcause_core.lessons.smoothing_steps import Smoothing
from privcause_core.lessons.two_traps import ScaleRule

DISTANCE_AXIS = Axis("k + 1, k = training rows already replaced (log scale)", 0.0, 4.0, log=True)
SCORE_REACH, LOSS_REACH = (-3.0, 4.0), 2.5
LOSS_STYLES = ((THEORY, THEORY_DASH), (PRIVATE, PRIVATE_DASH), (TRUE, TRUE_DASH))


def smooth_curve(found: Smoothing, title: str) -> Chart:
    """Return local sensitivities over distance, the discounted ones, and the largest of these, S, marked."""
    along, at = found.distance + 1.0, int(np.argmax(found.discounted))
    traces = [
        line(along, found.local, "local sensitivity at k", TRUE, TRUE_DASH),
        line(along, found.discounted, "times exp(-βk)", PURPLE, "dash"),
        marker(along[at], found.smooth, "S, the largest", PRIVATE, "diamond"),
    ]
    figure = framed(traces, f"{title}: what one more training row can do", DISTANCE_AXIS, Axis("sensitivity", 0, 1.05))
    alt = (
        f"{title}: the local sensitivity is {found.local[0]:.3g} at once and grows as rows are replaced; discounted, "
        f"it is largest, S = {found.smooth:.3g}, after {found.distance[at]:.0f} rows."
    )
    columns = {"k": found.distance, "local sensitivity": found.local, "discounted": found.discounted}
    return Chart("smooth_curve", figure, alt, columns)


def loss_curves(rules: Sequence[ScaleRule], epsilon: float) -> Chart:
    """Return the privacy loss of one test record over the published score, for each rule, with the promise marked."""
    published = np.linspace(*SCORE_REACH, 281)
    losses = {rule.name: np.array([rule.loss(float(z)) for z in published]) for rule in rules}
    traces = [
        line(published, losses[rule.name], rule.name, *style) for rule, style in zip(rules, LOSS_STYLES, strict=True)
    ]
    for limit, name in ((epsilon, "promised: between -ε and ε"), (-epsilon, "")):
        traces.append(line(SCORE_REACH, [limit] * 2, name, CHANCE, CHANCE_DASH, showlegend=bool(name)))
    axes = Axis("published score", *SCORE_REACH), Axis("privacy loss", -LOSS_REACH, LOSS_REACH)
    figure = framed(traces, f"Privacy loss of one test row, ε = {epsilon:g}", *axes, height=400)
    worst = max(rules, key=lambda rule: rule.delta)
    alt = (
        f"Privacy loss over the published score at ε = {epsilon:g}: it leaves the promised band with the rule "
        f"“{worst.name}” (actual δ {worst.delta:.2g}) and stays inside with the others."
    )
    return Chart("loss_curves", figure, alt, {"published score": published} | losses)
