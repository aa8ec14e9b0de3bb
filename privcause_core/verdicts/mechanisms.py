"""Which private verdict the settings choose; each knows its cost without data and releases when given data."""

from privcause_core.scores import LaplaceScore, Score
from privcause_core.settings import ReleaseKind, Settings
from privcause_core.verdicts.laplace import DirectionLaplace, LaplaceVerdict, TwoScoreLaplace
from privcause_core.verdicts.propose_test_release import IqrVerdict

Verdict = LaplaceVerdict | IqrVerdict


def verdict_for(score: Score, m: int, settings: Settings) -> Verdict:
    """Return the mechanism that the settings choose for a score of m test rows; needs no data."""
    if not isinstance(score, LaplaceScore):
        return iqr_verdict(settings)
    return laplace_verdict(score.unit(settings) * score.sensitivity(m, settings.calibration), settings)


def laplace_verdict(sensitivity: float, settings: Settings) -> LaplaceVerdict:
    """Return the Laplace mechanism that the settings choose for two scores of that sensitivity."""
    kind = DirectionLaplace if settings.release is ReleaseKind.DIRECTION else TwoScoreLaplace
    return kind(sensitivity, settings.epsilon)


def iqr_verdict(settings: Settings, residual_shift: float = 0.0) -> IqrVerdict:
    """Return the IQR mechanism; one training record moves a residual by at most ``residual_shift``, if protected."""
    return IqrVerdict(settings.epsilon, settings.delta, settings.bin_width, settings.calibration, residual_shift)
