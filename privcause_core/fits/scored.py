"""What a score sees of a fit: the scored rows of both directions."""

from dataclasses import dataclass, replace

from privcause_core.fits.halves import RowNumbers
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

    def only(self, rows: RowNumbers) -> "ScoredDirection":
        """Return the same direction with some of the scored rows."""
        return ScoredDirection(
            self.cause[rows], self.cause_scaled[rows], self.residual[rows], self.residual_scaled[rows]
        )


@dataclass(frozen=True, slots=True, eq=False)
class FittedColumns:
    """The columns themselves, for scores that fit more than the two regressions.

    Attributes
    ----------
    x, y : arrays of shape (n,)
        Training rows in the file's units, in the order in which they were dealt.
    x_test, y_test : arrays of shape (m,)
        Complete test rows.
    places : integer array of shape (m,)
        Place of each complete test row among the dealt test rows.
    n_test : int
        Test rows, complete or not.
    seed : int
        Of the streams of a fit.
    """

    x: NumberArray
    y: NumberArray
    x_test: NumberArray
    y_test: NumberArray
    places: RowNumbers
    n_test: int
    seed: int

    def only(self, rows: RowNumbers) -> "FittedColumns":
        """Return the same training rows with some of the complete test rows."""
        kept = {name: getattr(self, name)[rows] for name in ("x_test", "y_test", "places")}
        return replace(self, **kept, n_test=int(rows.size))


@dataclass(frozen=True, slots=True, eq=False)
class ScoredPair:
    """Both directions of one fit on the same test rows: (x, residual of y) and (y, residual of x).

    ``columns`` is None where training rows may not be looked at again, as under public ranges.
    """

    x_to_y: ScoredDirection
    y_to_x: ScoredDirection
    columns: FittedColumns | None = None

    @property
    def m(self) -> int:
        """Return the number of scored rows."""
        return int(self.x_to_y.cause.size)

    @property
    def iqr_columns(self) -> tuple[FloatArray, ...]:
        """Return the four columns of the IQR verdict, in the order of ``IqrVerdict.outputs``."""
        forward, backward = self.x_to_y, self.y_to_x
        return forward.cause_scaled, forward.residual, backward.cause_scaled, backward.residual

    def only(self, rows: RowNumbers) -> "ScoredPair":
        """Return the same fit with some of the scored rows."""
        columns = self.columns.only(rows) if self.columns else None
        return ScoredPair(self.x_to_y.only(rows), self.y_to_x.only(rows), columns)
