"""What epsilon and delta promise, as a picture."""

import math

import numpy as np
import numpy.typing as npt

from privcause_core.figures.chart import CHANCE, CHANCE_DASH, PRIVATE, PRIVATE_DASH, Axis, Chart, band, framed, line
from privcause_core.pair import FloatArray
from privcause_core.text.words import best_guess, odds_factor

POINTS = 101


def trade_off(epsilon: float, delta: float) -> Chart:
    """Return the attacker's trade-off curve: no attacker's (false alarms, hits) lies above it."""
    alarms = np.linspace(0.0, 1.0, POINTS) ** 2  # dense where the curve is steep
    power = attacker_power(alarms, epsilon, delta)
    traces = [
        band(alarms, alarms, power, "what attackers can reach", PRIVATE),
        line(alarms, power, "best attacker (ε)", PRIVATE, PRIVATE_DASH),
        line([0.0, 1.0], [0.0, 1.0], "blind guess", CHANCE, CHANCE_DASH),
    ]
    axes = (
        Axis("false alarms: says “in” although out (share)", 0.0, 1.0, percent=True),
        Axis("hits: says “in” when in (share)", 0.0, 1.02, percent=True),
    )
    figure = framed(traces, f"The best attacker at ε = {epsilon:g}, δ = {delta:g}", *axes)
    at_five = float(attacker_power(0.05, epsilon, delta))
    alt = (
        f"At ε = {epsilon:g} an attacker who accepts 5 % false alarms detects a person at most {at_five:.0%} of the "
        f"time; the best balanced guess is right {best_guess(epsilon, delta):.1%} of the time."
    )
    return Chart("trade_off", figure, alt, {"false-alarm share": alarms, "largest hit share (ε)": power})


def attacker_power(false_alarms: npt.ArrayLike, epsilon: float, delta: float = 0.0) -> FloatArray:
    """Return the best true-positive rate at each false-positive rate.

    min(1, e^epsilon FPR + delta, 1 - e^-epsilon (1 - delta - FPR)): the trade-off region of (epsilon, delta)-DP
    (Kairouz, Oh and Viswanath, 2015).
    """
    alarms = np.asarray(false_alarms, dtype=np.float64)
    with np.errstate(invalid="ignore"):  # 0 * inf
        steep = np.where(alarms > 0.0, alarms * odds_factor(epsilon), 0.0) + delta
    flat = 1.0 - math.exp(-epsilon) * (1.0 - delta - alarms)
    return np.minimum(1.0, np.minimum(steep, flat))
