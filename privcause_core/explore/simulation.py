"""Simulated private runs: flip rates with intervals from one set of unit draws, rescaled as epsilon moves.

Non-private: every rate here is computed from true scores and seeded noise, which whoever knows the seed can subtract.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from privcause_core.pair import FloatArray
from privcause_core.settings import ReleaseKind
from privcause_core.verdicts.composition import IQR_RELEASES
from privcause_core.verdicts.mechanisms import Verdict
from privcause_core.verdicts.propose_test_release import IqrVerdict
from privcause_core.verdicts.theory import Shares

BAND_FALSE_ALARM = 1e-6


@dataclass(frozen=True, slots=True)
class Interval:
    """A rate with its interval."""

    rate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, eq=False)
class LaplaceDraws:
    """Unit noise of the private margin, fixed by a seed: private margin = true margin + scale * noise.

    ``columns`` has shape (2, draws), the unit noise of s_XY and of s_YX; (1, draws) where only the direction is
    released. ``noise`` of shape (draws,) is that of the margin; ``ordered`` is ``noise`` sorted.
    """

    columns: FloatArray
    noise: FloatArray
    ordered: FloatArray

    @classmethod
    def seeded(cls, seed: int, draws: int, release: ReleaseKind) -> "LaplaceDraws":
        """Draw once; both releases use the same first column of draws."""
        columns = unit_laplace(_stream(seed), 2, draws)
        if release is ReleaseKind.DIRECTION:
            columns = columns[:1]
        noise = columns[0] if release is ReleaseKind.DIRECTION else columns[1] - columns[0]
        return cls(columns, noise, np.sort(noise))

    def flip_rates(self, margin: float, noise_scales: npt.ArrayLike) -> FloatArray:
        """Return the share of draws whose arrow differs from the true one, for each noise scale; 1/2 at margin 0."""
        t = abs(margin) / np.asarray(noise_scales, dtype=np.float64)
        if margin > 0.0:
            beyond = np.searchsorted(self.ordered, -t, side="right")
        elif margin < 0.0:
            beyond = self.ordered.size - np.searchsorted(self.ordered, t, side="right")
        else:
            return np.full(t.shape, 0.5)
        return np.asarray(beyond / self.ordered.size, dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class IqrDraws:
    """Unit noise of the IQR verdict: ``tests`` of shape (draws, 4, 2), ``values`` of shape (draws, 4)."""

    tests: FloatArray
    values: FloatArray

    @classmethod
    def seeded(cls, seed: int, draws: int) -> "IqrDraws":
        """Draw the eight tests and four value draws of every run."""
        noise = unit_laplace(_stream(seed), draws, 4, 3)
        return cls(noise[:, :, :2], noise[:, :, 2])

    def margins(
        self, log_iqrs: npt.ArrayLike, distances: npt.ArrayLike, verdict: IqrVerdict
    ) -> tuple[FloatArray, npt.NDArray[np.int64]]:
        """Run the full algorithm for every draw.

        Returns
        -------
        margins : array of shape (draws,)
            Private margins, NaN where the verdict is refused.
        released : integer array of shape (draws,)
            How many of the four log-IQRs passed a test.
        """
        reported = np.asarray(distances, dtype=np.float64) + self.tests / verdict.epsilon_per_draw
        passed = np.any(reported > verdict.single.threshold, axis=2)
        private = np.asarray(log_iqrs, dtype=np.float64) + verdict.noise_scale * self.values
        with np.errstate(invalid="ignore"):  # -inf - -inf: two zero IQRs, no arrow
            margins = private[:, 2] + private[:, 3] - private[:, 0] - private[:, 1]
        released = passed.sum(axis=1)
        return np.where(released == IQR_RELEASES, margins, np.nan), released


def unit_laplace(rng: np.random.Generator, *shape: int) -> FloatArray:
    """Return standard Laplace draws (density exp(-|z|)/2) of the given shape."""
    return rng.laplace(size=shape)


def simulated_shares(
    verdict: Verdict, margin: float, log_iqrs: Sequence[float], distances: npt.ArrayLike, seed: int, draws: int
) -> Shares:
    """Return the shares of simulated runs; the arrow of the margin counts as right.

    Parameters
    ----------
    verdict : Verdict
    margin : float
        The noise-free s_YX - s_XY.
    log_iqrs : sequence of float
        The four log-IQRs, in the order of ``IqrVerdict.outputs``; empty for a Laplace verdict.
    distances : array of shape (4, 2)
        Their A_1, A_2; empty for a Laplace verdict.
    seed, draws : int
    """
    if not isinstance(verdict, IqrVerdict):
        wrong = float(LaplaceDraws.seeded(seed, draws, verdict.kind).flip_rates(margin, verdict.noise_scale))
        return Shares(1.0 - wrong, wrong)
    margins, released = IqrDraws.seeded(seed, draws).margins(log_iqrs, distances, verdict)
    arrows = ~np.isnan(margins)
    right = float(np.mean(arrows & ((margins > 0.0) == (margin > 0.0))))
    refused, everything = float(np.mean(released == 0)), float(np.mean(arrows))
    return Shares(right, everything - right, 1.0 - everything - refused, refused)


def _stream(seed: int) -> np.random.Generator:
    """Return a stream of its own, so that draws share nothing with the split of the same seed."""
    return np.random.default_rng((seed, 1))


def wilson(rate: float, n: float, confidence: float = 0.95) -> Interval:
    """Return the Wilson score interval of a rate seen in n runs (Wilson, 1927)."""
    z2 = float(ndtri(0.5 + confidence / 2.0)) ** 2
    centre = (rate + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2 * (rate * (1 - rate) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    return Interval(rate, max(0.0, min(rate, centre - half)), min(1.0, max(rate, centre + half)))


def simultaneous_band(draws: int, curves: int = 1, false_alarm: float = BAND_FALSE_ALARM) -> float:
    """Return how far an empirical rate may lie from its exact curve, at every epsilon at once.

    Dvoretzky-Kiefer-Wolfowitz with Massart's constant: P(sup |F_n - F| > e) <= 2 exp(-2 n e^2). The same number
    bounds ``curves`` separate rates together (Hoeffding and a union bound).
    """
    return math.sqrt(math.log(2.0 * curves / false_alarm) / (2.0 * draws))
