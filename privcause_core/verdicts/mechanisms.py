"""The three private verdicts. Each knows what it costs without data, and releases when given data and noise.

Epsilon and delta of a verdict are totals for one record; what one draw gets is derived (mechanisms.md section 4).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from privcause_core.fits.public_ridge import LARGEST_RESIDUAL_IQR
from privcause_core.noise import NoiseSource
from privcause_core.pair import Direction, FloatArray
from privcause_core.scores import LaplaceScore, Score
from privcause_core.scores.iqr import distances_to_instability, log_iqr
from privcause_core.settings import Calibration, ReleaseKind, Settings
from privcause_core.verdicts.composition import IQR_RELEASES, PrivacyCost, iqr_attribute_cost, iqr_record_cost
from privcause_core.verdicts.theory import noise_scale, stability_threshold


@dataclass(frozen=True, slots=True)
class Released:
    """Private outputs of one verdict, in the order of the mechanism's ``outputs``, and the arrow they give."""

    values: tuple[float, ...]
    margin: float
    direction: Direction


@dataclass(frozen=True, slots=True)
class Refused:
    """No arrow: at least one log-IQR was not released (None); what was released stands. It costs as much."""

    values: tuple[float | None, ...]


def private_direction(margin: float) -> Direction:
    """Return the arrow of a private margin s_YX - s_XY: always an arrow, as post-processing."""
    return Direction.X_TO_Y if margin > 0.0 else Direction.Y_TO_X


@dataclass(frozen=True, slots=True)
class TwoScoreLaplace:
    """s_XY + Lap(D/(epsilon/2)) and s_YX + Lap(D/(epsilon/2)), independent: (epsilon, 0)-DP in all."""

    outputs: ClassVar[tuple[str, ...]] = ("score_xy", "score_yx")
    kind: ClassVar[ReleaseKind] = ReleaseKind.TWO_SCORES
    sensitivity: float
    epsilon: float

    @property
    def epsilon_per_draw(self) -> float:
        """Return the paper's epsilon: half of the total."""
        return self.epsilon / 2.0

    @property
    def noise_scale(self) -> float:
        """Return the Laplace scale of each score."""
        return noise_scale(self.sensitivity, self.epsilon)

    @property
    def cost(self) -> PrivacyCost:
        """Return the total for one record."""
        return PrivacyCost(self.epsilon)

    def release(self, scores: tuple[float, float], noise: NoiseSource) -> Released:
        """Noise (s_XY, s_YX) and compare; never clipped or rounded before the comparison."""
        private_xy, private_yx = noise.add_laplace(np.array(scores), self.sensitivity, self.epsilon_per_draw).tolist()
        margin = private_yx - private_xy
        return Released((private_xy, private_yx), margin, private_direction(margin))


@dataclass(frozen=True, slots=True)
class DirectionLaplace:
    """(s_YX - s_XY) + Lap(2D/epsilon): (epsilon, 0)-DP, one draw, fewer flips than two scores at equal cost."""

    outputs: ClassVar[tuple[str, ...]] = ("margin",)
    kind: ClassVar[ReleaseKind] = ReleaseKind.DIRECTION
    sensitivity: float
    epsilon: float

    @property
    def epsilon_per_draw(self) -> float:
        """Return the whole epsilon: there is one draw."""
        return self.epsilon

    @property
    def noise_scale(self) -> float:
        """Return the Laplace scale of the difference, whose sensitivity is 2 D."""
        return noise_scale(self.sensitivity, self.epsilon)

    @property
    def cost(self) -> PrivacyCost:
        """Return the total for one record."""
        return PrivacyCost(self.epsilon)

    def release(self, scores: tuple[float, float], noise: NoiseSource) -> Released:
        """Noise the difference s_YX - s_XY."""
        difference = np.array([scores[1] - scores[0]])
        (margin,) = noise.add_laplace(difference, 2.0 * self.sensitivity, self.epsilon).tolist()
        return Released((margin,), margin, private_direction(margin))


@dataclass(frozen=True, slots=True)
class ProposeTestRelease:
    """Release a log-IQR only if the data are far from every set on which it would differ much (Algorithm 4, corrected).

    epsilon and delta are per draw; one release is (2 epsilon, delta)-DP as long as which test passed stays hidden.
    ``shift`` is the most that one training record moves a value: 0 while only test rows are protected.
    """

    epsilon: float
    delta: float
    bin_width: float
    shift: float = 0.0

    @property
    def threshold(self) -> float:
        """Return 1 + log(1/delta)/epsilon."""
        return stability_threshold(self.epsilon, self.delta)

    def largest_distance(self, m: int) -> int:
        """Return a bound on A_j over every sample of m values, from public facts.

        ceil(m/4): so many replaced records move a quartile anywhere. Where training records move values too, they are
        residuals of a public range, so an IQR v is at most 16 scaled units, and the bin's lower end at least
        v exp(-width): floor(16 (1 - exp(-width)) / (2 shift)) + 1 training records leave the bin.
        """
        anywhere = -(-m // 4)
        if self.shift == 0.0:
            return anywhere
        reach = -LARGEST_RESIDUAL_IQR * math.expm1(-self.bin_width)
        return min(anywhere, math.floor(reach / (2.0 * self.shift)) + 1)

    def release(self, values: FloatArray, noise: NoiseSource) -> float | None:
        """Return the noisy log-IQR (-inf stands for "IQR is zero"), or None for a refusal."""
        value, distances = log_iqr(values), distances_to_instability(values, self.bin_width, self.shift)
        return self.release_measured(value, distances, noise)

    def release_measured(self, log_value: float, distances: tuple[int, int], noise: NoiseSource) -> float | None:
        """Release from a log-IQR and its A_1, A_2; both tests and the value draw independently."""
        tests = noise.add_laplace(np.array(distances, dtype=np.float64), 1.0, self.epsilon)
        if not (tests > self.threshold).any():
            return None
        if math.isinf(log_value):
            return log_value
        return float(noise.add_laplace(np.array([log_value]), self.bin_width, self.epsilon)[0])


@dataclass(frozen=True, slots=True)
class IqrVerdict:
    """Four propose-test-releases: log IQR of x, of y's residual, of y and of x's residual.

    ``residual_shift`` is the most that one training record moves a residual: 0 while only test rows are protected.
    """

    outputs: ClassVar[tuple[str, ...]] = (
        "log_iqr_x",
        "log_iqr_residual_y",
        "log_iqr_y",
        "log_iqr_residual_x",
    )
    epsilon: float
    delta: float
    bin_width: float
    calibration: Calibration
    residual_shift: float = 0.0

    @property
    def epsilon_per_draw(self) -> float:
        """Return total/8, or total/12 by the paper's count of three epsilons a release."""
        return self.epsilon / iqr_record_cost(1.0, 0.0, self.calibration).epsilon

    @property
    def delta_per_release(self) -> float:
        """Return total delta / 4."""
        return self.delta / IQR_RELEASES

    @property
    def noise_scale(self) -> float:
        """Return the Laplace scale of each released log-IQR."""
        return self.bin_width / self.epsilon_per_draw

    @property
    def cost(self) -> PrivacyCost:
        """Return the total for one record, as typed."""
        return PrivacyCost(self.epsilon, self.delta)

    @property
    def attribute_cost(self) -> PrivacyCost:
        """Return the guarantee when only x, or only y, of one record changes."""
        return iqr_attribute_cost(self.epsilon_per_draw, self.delta_per_release, self.calibration)

    @property
    def single(self) -> ProposeTestRelease:
        """Return the mechanism of a release of log IQR(x) or log IQR(y)."""
        return ProposeTestRelease(self.epsilon_per_draw, self.delta_per_release, self.bin_width)

    @property
    def parts(self) -> tuple[ProposeTestRelease, ...]:
        """Return the four mechanisms, in the order of ``outputs``: only residuals feel a training record."""
        plain, residual = self.single, replace(self.single, shift=self.residual_shift)
        return plain, residual, plain, residual

    def distances(self, columns: Sequence[FloatArray]) -> tuple[tuple[int, int], ...]:
        """Return A_1, A_2 of the four columns, in the order of ``outputs`` (non-private)."""
        pairs = zip(columns, self.parts, strict=True)
        return tuple(distances_to_instability(values, part.bin_width, part.shift) for values, part in pairs)

    def release(self, columns: Sequence[FloatArray], noise: NoiseSource) -> Released | Refused:
        """Release the four columns' log-IQRs, in the order of ``outputs``."""
        pairs = zip(columns, self.parts, strict=True)
        return iqr_outcome(tuple(part.release(values, noise) for values, part in pairs))


def iqr_outcome(values: tuple[float | None, ...]) -> Released | Refused:
    """Turn four releases into an arrow, or a refusal if one is missing or two zero IQRs cannot be compared."""
    released = [value for value in values if value is not None]
    if len(released) < IQR_RELEASES:
        return Refused(values)
    score_xy, score_yx = released[0] + released[1], released[2] + released[3]
    if math.isinf(score_xy) and math.isinf(score_yx):
        return Refused(values)
    margin = score_yx - score_xy
    return Released(tuple(released), margin, private_direction(margin))


Verdict = TwoScoreLaplace | DirectionLaplace | IqrVerdict


def verdict_for(score: Score, m: int, settings: Settings) -> Verdict:
    """Return the mechanism that the settings choose for a score of m test rows; needs no data."""
    if not isinstance(score, LaplaceScore):
        return iqr_verdict(settings)
    return laplace_verdict(score.sensitivity(m, settings.calibration), settings)


def laplace_verdict(sensitivity: float, settings: Settings) -> TwoScoreLaplace | DirectionLaplace:
    """Return the Laplace mechanism that the settings choose for two scores of that sensitivity."""
    kind = DirectionLaplace if settings.release is ReleaseKind.DIRECTION else TwoScoreLaplace
    return kind(sensitivity, settings.epsilon)


def iqr_verdict(settings: Settings, residual_shift: float = 0.0) -> IqrVerdict:
    """Return the IQR mechanism; one training record moves a residual by at most ``residual_shift``, if protected."""
    return IqrVerdict(settings.epsilon, settings.delta, settings.bin_width, settings.calibration, residual_shift)
