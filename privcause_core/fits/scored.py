"""What a score sees of a fit: the scored rows of both directions."""

from dataclasses import dataclass, replace

from privcause_core.fits.halves import RowNumbers
from privcause_core.pair import FloatArray, NumberArray


@dataclass(frozen=True, slots=True, eq=False)
class ScoredDirection:
    """Test-half vectors of one direction, (m,) each; everything but the row itself comes from the training half."""

    cause: NumberArray  # in the file's units
    cause_scaled: FloatArray  # (cause - training median) / (training IQR / 1.349)
    residual: FloatArray  # scaled effect minus its prediction from the cause
    residual_scaled: FloatArray  # centred and scaled the same way by the training residuals

    def only(self, rows: RowNumbers) -> "ScoredDirection":
        """Return the same direction with some of the scored rows."""
        cause, residual = self.cause[rows], self.residual[rows]
        return ScoredDirection(cause, self.cause_scaled[rows], residual, self.residual_scaled[rows])


@dataclass(frozen=True, slots=True, eq=False)
class FittedColumns:
    """The columns themselves, in the file's units, for scores that fit more than the two regressions."""

    x: NumberArray  # (n,): training rows in the order in which they were dealt
    y: NumberArray
    x_test: NumberArray  # (m,): complete test rows
    y_test: NumberArray
    places: RowNumbers  # (m,): place of each complete test row among the dealt test rows
    n_test: int  # test rows, complete or not
    seed: int  # of the streams of a fit

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
