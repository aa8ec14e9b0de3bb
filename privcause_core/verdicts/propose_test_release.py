"""The IQR verdict: four log-IQRs, each released only far from instability (Algorithm 4, corrected)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from privcause_core.noise import NoiseSource
from privcause_core.pair import FloatArray
from privcause_core.scores.iqr import LARGEST_PUBLIC_IQR, distances_to_instability, log_iqr
from privcause_core.settings import Calibration
from privcause_core.verdicts.composition import IQR_RELEASES, PrivacyCost, iqr_attribute_cost, iqr_record_cost
from privcause_core.verdicts.outcome import Refused, Released, private_direction
from privcause_core.verdicts.theory import Shares, flip_iqr, iqr_shares, stability_threshold


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
        reach = -LARGEST_PUBLIC_IQR * math.expm1(-self.bin_width)
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

    outputs: ClassVar[tuple[str, ...]] = ("log_iqr_x", "log_iqr_residual_y", "log_iqr_y", "log_iqr_residual_x")
    refuses: ClassVar[bool] = True
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

    def flip(self, t: npt.ArrayLike) -> FloatArray:
        """Return P(wrong order | all four released) at a margin of t noise scales (Theorem 5)."""
        return flip_iqr(t)

    def shares(self, margin: float, distances: npt.ArrayLike) -> Shares:
        """Return the four exact shares, the margin signed by the arrow that counts as right."""
        return iqr_shares(margin, distances, self.epsilon_per_draw, self.delta_per_release, self.bin_width)

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
