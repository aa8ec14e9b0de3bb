"""Likelihood: every test row casts a bounded vote for the direction under which it is likelier."""

import math
from collections.abc import Iterable

import numpy as np

from privcause_core.fits import dither, ridge
from privcause_core.fits.anm import columns_of
from privcause_core.fits.densities import fit_density
from privcause_core.fits.halves import MIN_TRAINING_ROWS, Deal, RowNumbers
from privcause_core.fits.location_scale import noise_under
from privcause_core.fits.scaling import training_scaling
from privcause_core.fits.scored import FittedColumns, ScoredPair
from privcause_core.pair import FloatArray, NumberArray, Pair
from privcause_core.scores.base import LaplaceScore, SensitivityOverview, TwoScores, formulas
from privcause_core.scores.ranks import IntArray
from privcause_core.settings import Calibration, NoiseModel, Settings

STEPS = 2**20  # of a vote limit: votes are whole steps, so that their sum is exact
_REGRESSION_STREAM = 2


def votes(columns: FittedColumns, noise_model: NoiseModel) -> FloatArray:
    """Return log p(row | x -> y) - log p(row | y -> x) of every complete test row, in nats, not yet bounded.

    Densities, regressions and noise are fitted on training rows; a row's vote depends on its own values only. The
    noise model ``auto`` takes location-scale noise where left-out training rows prefer it by two standard errors.

    Shape (m,); all 0 with fewer than four training rows. May hold NaN or infinities for values that are none.
    """
    if columns.x.size < MIN_TRAINING_ROWS or not columns.places.size:
        return np.zeros(columns.places.size)
    names = dither.draw_names(columns.x.astype(np.float64), columns.y.astype(np.float64))
    x, x_test = _dithered(columns.x, columns.x_test, columns, names[0])
    y, y_test = _dithered(columns.y, columns.y_test, columns, names[1])
    with np.errstate(all="ignore"):
        return np.asarray(
            _log_likelihood(x, y, x_test, y_test, noise_model, columns.seed)
            - _log_likelihood(y, x, y_test, x_test, noise_model, columns.seed)
        )


def _dithered(
    train: NumberArray, test: NumberArray, columns: FittedColumns, name: int
) -> tuple[FloatArray, FloatArray]:
    """Return a column in scaled units, training and test rows, dithered by its rounding step."""
    scaling = training_scaling(train)
    u, u_test = scaling.apply(train), scaling.apply(test)
    step = dither.rounding_step(u)
    if step == 0.0:
        return u, u_test
    drawn, drawn_test = dither.draws(columns.seed, name, u.size, int(columns.places.max()) + 1)
    return u + step * drawn, u_test + step * drawn_test[columns.places]


def _log_likelihood(
    cause: FloatArray, effect: FloatArray, cause_test: FloatArray, effect_test: FloatArray, model: NoiseModel, seed: int
) -> FloatArray:
    """Return log p(cause) + log p(effect | cause) of the test rows."""
    fitted = ridge.fit(cause, effect, np.random.default_rng((seed, _REGRESSION_STREAM)))
    rng, (marginal, _) = np.random.default_rng((seed, _REGRESSION_STREAM)), fit_density(cause)
    noise = noise_under(model, effect - fitted.predict(cause), cause, rng)
    return marginal.log(cause_test) + noise.log(effect_test - fitted.predict(cause_test), cause_test)


class Likelihood(LaplaceScore):
    """Mean evidence of the test rows against each direction, Laplace release."""

    name = "likelihood"
    title = "Likelihood"
    order = 0
    margin_reach = 0.3
    least_telling_margin = 0.01
    own_noise = NoiseModel.LOCATION_SCALE
    uses = ("vote_limit",)
    counts_incomplete = True
    from_paper = False
    no_joint_release = "one training row can move every density; blocks can vote with it."
    definition = (
        r"$s_{X\to Y}=\frac1m\sum_i\max(-v_i,0)$, $s_{Y\to X}=\frac1m\sum_i\max(v_i,0)$ with the vote of a test row "
        r"$v_i=\operatorname{clip}(\ell_i(X\to Y)-\ell_i(Y\to X),-c,c)$ and "
        r"$\ell_i(X\to Y)=\log p_X(x_i)+\log p_Z(z_i)-\log g(x_i)$, $z=(y-f(x))/g(x)$; $f$, $g$ and both densities "
        r"from training rows; an incomplete row votes 0."
    )
    sensitivity_formula = formulas(r"c/m")
    overview = SensitivityOverview(
        test_global="c/m, exact: a row touches its own vote only",
        test_local="c/m; not needed",
        training_global="none below its range: one row can move every density",
        training_local="not derived; blocks protect every row",
    )

    def takes_scaled(self, settings: Settings) -> bool:  # noqa: ARG002
        """Return False: it fits its own noise to the columns."""
        return False

    def evaluate(self, pair: ScoredPair, settings: Settings) -> TwoScores:
        """Return the mean evidence against either direction, in [0, c] nats, and the margin's standard error."""
        if pair.columns is None:
            return TwoScores(0.0, 0.0)
        return self._counted(_steps(pair.columns, settings), pair.columns.n_test, settings)

    def of_deal(self, pair: Pair, settings: Settings, deal: Deal) -> TwoScores:
        """Return the same of one deal; no other fit is made."""
        columns = columns_of(pair, deal.halves(pair.rows, settings.test_share), settings.seed)
        return self._counted(_steps(columns, settings), columns.n_test, settings)

    def evaluate_parts(self, pair: ScoredPair, settings: Settings, parts: Iterable[RowNumbers]) -> list[TwoScores]:
        """Return the scores of each part of the test rows: each row votes once, whatever parts it is in."""
        cast = _steps(pair.columns, settings) if pair.columns else np.zeros(pair.m, dtype=np.int64)
        return [self._counted(cast[rows], rows.size if pair.columns else 0, settings) for rows in parts]

    def _counted(self, cast: IntArray, m: int, settings: Settings) -> TwoScores:
        if m == 0:
            return TwoScores(0.0, 0.0)
        limit = settings.vote_limit
        against_xy, against_yx = -int(cast[cast < 0].sum()), int(cast[cast > 0].sum())
        mean, unit = (against_yx - against_xy) / m, limit / STEPS
        variance = max(0.0, float(np.square(cast, dtype=np.float64).sum()) / m - mean * mean)
        error = math.sqrt(variance / m * unit * unit + (limit / m) ** 2)  # all votes at a limit are no certainty
        return TwoScores(against_xy / (STEPS * m) * limit, against_yx / (STEPS * m) * limit, error)

    def unit(self, settings: Settings) -> float:
        """Return the vote limit c."""
        return settings.vote_limit

    def sensitivity(self, m: int, calibration: Calibration) -> float:  # noqa: ARG002
        """Return 1/m, in vote limits: a replaced row may turn its own vote from one limit to the other."""
        return 1.0 / m


def _steps(columns: FittedColumns, settings: Settings) -> IntArray:
    return bounded(votes(columns, settings.noise_model), settings.vote_limit)


def bounded(cast: FloatArray, limit: float) -> IntArray:
    """Return votes as whole steps of limit / 2^20 in [-2^20, 2^20]; what is no finite number abstains before that."""
    finite = np.where(np.isfinite(cast), cast, 0.0)
    return np.rint(np.clip(finite, -limit, limit) * (STEPS / limit)).astype(np.int64)


SCORE = Likelihood()
