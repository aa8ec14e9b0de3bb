"""Simulated flip rates beside the exact curve over a grid of epsilons, with an alarm if they part. Non-private."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from privcause_core.explore.analysis import ScoreMeasurement
from privcause_core.explore.simulation import Interval, LaplaceDraws, simulated_shares, simultaneous_band, wilson
from privcause_core.fits.anm import AnmFit
from privcause_core.pair import Direction, FloatArray
from privcause_core.protection.choice import coverage
from privcause_core.settings import Settings
from privcause_core.verdicts.propose_test_release import IqrVerdict
from privcause_core.verdicts.theory import Shares

SHARES = ("right", "wrong", "partly_refused", "refused")


@dataclass(frozen=True, slots=True, eq=False)
class RateCurve:
    """Flip rates of one score over epsilon.

    Attributes
    ----------
    epsilons, exact : arrays of shape (k,)
        Total epsilons and the exact flip rate at each.
    seen : tuple of Interval
        The simulated rate at each, with its Wilson 95 % interval.
    band, gap : float
        How far simulation and theory may part anywhere (false-alarm rate 1e-6), and how far they do.
    shares : tuple of Shares
        The exact shares at each epsilon; IQR only.
    """

    epsilons: FloatArray
    exact: FloatArray
    seen: tuple[Interval, ...]
    band: float
    gap: float
    shares: tuple[Shares, ...] = ()

    @property
    def alarm(self) -> bool:
        """Return whether theory and simulation disagree beyond chance."""
        return self.gap > self.band


def rate_curve(true: ScoreMeasurement, fit: AnmFit, settings: Settings, epsilons: Sequence[float]) -> RateCurve | None:
    """Return the curve, from one set of draws for all epsilons; None while the true verdict is undecided."""
    if true.direction is Direction.UNDECIDED:
        return None
    grid = np.asarray(epsilons, dtype=np.float64)
    first = coverage(settings).verdict(true.score, fit.n_train, fit.n_test)
    if isinstance(first, IqrVerdict):
        return _iqr_curve(true, settings, grid, [replace(first, epsilon=float(epsilon)) for epsilon in grid])
    scales = np.array([replace(first, epsilon=float(epsilon)).noise_scale for epsilon in grid])
    draws = LaplaceDraws.seeded(settings.draw_seed, settings.draws, first.kind)
    exact, seen = first.flip(true.margin / scales), draws.flip_rates(true.margin, scales)
    return RateCurve(
        grid,
        exact,
        tuple(wilson(rate, settings.draws) for rate in seen.tolist()),
        simultaneous_band(settings.draws),
        float(np.abs(exact - seen).max()),
    )


def _iqr_curve(
    true: ScoreMeasurement, settings: Settings, grid: FloatArray, verdicts: Sequence[IqrVerdict]
) -> RateCurve:
    exact = tuple(verdict.shares(abs(true.margin), true.distances) for verdict in verdicts)
    drawn = (true.margin, true.log_iqrs, true.distances, settings.draw_seed, settings.draws)
    seen = tuple(simulated_shares(verdict, *drawn) for verdict in verdicts)
    return RateCurve(
        grid,
        np.array([one.wrong for one in exact]),
        tuple(wilson(one.wrong, settings.draws) for one in seen),
        simultaneous_band(settings.draws, curves=len(SHARES) * grid.size),
        max(abs(getattr(a, name) - getattr(b, name)) for a, b in zip(exact, seen, strict=True) for name in SHARES),
        exact,
    )
