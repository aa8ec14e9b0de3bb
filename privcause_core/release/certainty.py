"""How sure a private result is, from private values and the known noise alone; and how sure a plan would be."""

import math
from dataclasses import dataclass

from scipy.optimize import brentq

from privcause_core.release.quote import Terms
from privcause_core.verdicts.mechanisms import Verdict
from privcause_core.verdicts.outcome import Released
from privcause_core.verdicts.propose_test_release import IqrVerdict
from privcause_core.verdicts.theory import margin_in_scales


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval for a non-private value of the scored rows (not of the population they came from)."""

    low: float
    high: float


def wrong_sign_probability(verdict: Verdict, margin_in_noise_scales: float) -> float:
    """Return P(noise of the margin exceeds a threshold of t noise scales on one side), t >= 0."""
    return 0.0 if math.isinf(margin_in_noise_scales) else float(verdict.flip(margin_in_noise_scales))


def certainty_for(terms: Terms, assumed_margin: float) -> float:
    """Return P(private arrow = true arrow) if the true margin were that large; for IQR, given a release."""
    return 1.0 - wrong_sign_probability(terms.verdict, abs(assumed_margin) / terms.noise_scale)


def value_interval(terms: Terms, value: float | None, confidence: float) -> Interval | None:
    """Return the interval of one released score or log-IQR; None where nothing, or "IQR is zero", was released.

    One Laplace draw of scale b is within b log(1/(1 - confidence)) with that probability.
    """
    if value is None or math.isinf(value):
        return None
    return _around(value, -terms.noise_scale * math.log1p(-confidence))


def margin_interval(terms: Terms, outcome: Released, confidence: float) -> Interval | None:
    """Return the interval of the private margin, from the exact law of its noise; None for an infinite margin.

    One Laplace draw for direction only, the difference of two for two scores, the sum of four for IQR.
    """
    if math.isinf(outcome.margin):
        return None
    return _around(outcome.margin, terms.noise_scale * _two_sided_quantile(terms.verdict, confidence))


def confidence_in_arrow(terms: Terms, outcome: Released) -> float:
    """Return the largest confidence at which the margin's interval excludes 0."""
    return 1.0 - 2.0 * wrong_sign_probability(terms.verdict, abs(outcome.margin) / terms.noise_scale)


def confidence_text(confidence: float) -> str:
    """Return a confidence as a percentage that never rounds up to certainty."""
    if confidence > 0.999999:
        return "more than 99.9999 %"
    return f"{math.floor(1e6 * confidence) / 1e4:.6g} %"


def _around(centre: float, reach: float) -> Interval:
    return Interval(centre - reach, centre + reach)


def _two_sided_quantile(verdict: Verdict, confidence: float) -> float:
    tail = (1.0 - confidence) / 2.0
    if isinstance(verdict, IqrVerdict):
        return float(brentq(lambda t: wrong_sign_probability(verdict, t) - tail, 0.0, 1000.0))
    return margin_in_scales(tail, verdict.kind)
