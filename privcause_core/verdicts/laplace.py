"""The two Laplace verdicts: both scores noised, or their difference.

Epsilon of a verdict is its total for one record; what one draw gets is derived (mechanisms.md section 4).
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from privcause_core.noise import NoiseSource
from privcause_core.pair import FloatArray
from privcause_core.settings import ReleaseKind
from privcause_core.verdicts.composition import PrivacyCost
from privcause_core.verdicts.outcome import Released, private_direction
from privcause_core.verdicts.theory import Shares, correct, flip_direction, flip_two_scores, noise_scale


@dataclass(frozen=True, slots=True)
class LaplaceVerdict(ABC):
    """What both Laplace verdicts have in common: (epsilon, 0)-DP, never refused, an arrow for every run."""

    outputs: ClassVar[tuple[str, ...]]
    kind: ClassVar[ReleaseKind]
    refuses: ClassVar[bool] = False
    sensitivity: float
    epsilon: float

    @property
    def epsilon_per_draw(self) -> float:
        """Return what one draw gets: half of the total, the paper's epsilon, of two scores; all of it of one margin."""
        return self.epsilon / len(self.outputs)

    @property
    def noise_scale(self) -> float:
        """Return the Laplace scale of each released value."""
        return noise_scale(self.sensitivity, self.epsilon)

    @property
    def cost(self) -> PrivacyCost:
        """Return the total for one record."""
        return PrivacyCost(self.epsilon)

    def flip(self, t: npt.ArrayLike) -> FloatArray:
        """Return P(flip) at a margin of t noise scales (Theorem 3)."""
        return flip_direction(t) if self.kind is ReleaseKind.DIRECTION else flip_two_scores(t)

    def distances(self, columns: Sequence[FloatArray]) -> tuple[tuple[int, int], ...]:  # noqa: ARG002
        """Return no distances: nothing is tested."""
        return ()

    def shares(self, margin: float, distances: npt.ArrayLike = ()) -> Shares:  # noqa: ARG002
        """Return the exact shares of right and wrong arrows, the margin signed by the arrow that counts as right."""
        right = float(correct(self.flip, margin / self.noise_scale))
        return Shares(right, 1.0 - right)

    @abstractmethod
    def release(self, scores: tuple[float, float], noise: NoiseSource) -> Released:
        """Noise (s_XY, s_YX) and compare."""


class TwoScoreLaplace(LaplaceVerdict):
    """s_XY + Lap(D/(epsilon/2)) and s_YX + Lap(D/(epsilon/2)), independent: (epsilon, 0)-DP in all."""

    __slots__ = ()

    outputs = ("score_xy", "score_yx")
    kind = ReleaseKind.TWO_SCORES

    def release(self, scores: tuple[float, float], noise: NoiseSource) -> Released:
        """Noise (s_XY, s_YX) and compare; never clipped or rounded before the comparison."""
        private_xy, private_yx = noise.add_laplace(np.array(scores), self.sensitivity, self.epsilon_per_draw).tolist()
        margin = private_yx - private_xy
        return Released((private_xy, private_yx), margin, private_direction(margin))


class DirectionLaplace(LaplaceVerdict):
    """(s_YX - s_XY) + Lap(2D/epsilon): (epsilon, 0)-DP, one draw, fewer flips than two scores at equal cost."""

    __slots__ = ()

    outputs = ("margin",)
    kind = ReleaseKind.DIRECTION

    def release(self, scores: tuple[float, float], noise: NoiseSource) -> Released:
        """Noise the difference s_YX - s_XY."""
        difference = np.array([scores[1] - scores[0]])
        (margin,) = noise.add_laplace(difference, 2.0 * self.sensitivity, self.epsilon_per_draw).tolist()
        return Released((margin,), margin, private_direction(margin))
