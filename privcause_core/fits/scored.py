"""What a score sees of a fit: the scored rows of one direction."""

from dataclasses import dataclass

from privcause_core.pair import FloatArray, NumberArray


@dataclass(frozen=True, slots=True, eq=False)
class ScoredDirection:
    """Test-half vectors of one direction; everything but the row itself comes from the training half.

    Attributes
    ----------
    cause : array of shape (m,)
        Values of the supposed cause, in the file's units.
    cause_scaled : array of shape (m,)
        (cause - training median) / (training IQR / 1.349).
    residual : array of shape (m,)
        Scaled effect minus its prediction from the cause.
    residual_scaled : array of shape (m,)
        Residuals centred and scaled the same way by the training residuals.
    """

    cause: NumberArray
    cause_scaled: FloatArray
    residual: FloatArray
    residual_scaled: FloatArray
