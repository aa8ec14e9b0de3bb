"""What every registered score must keep; a new score file is picked up without a change here."""

import math

import numpy as np
import pytest

from privcause_core import scores
from privcause_core.errors import ParameterError
from privcause_core.explore.analysis import analyse
from privcause_core.fits.scored import ScoredDirection
from privcause_core.pair import Pair
from privcause_core.scores import LaplaceScore, Mechanism, all_scores, chosen_scores, get_score
from privcause_core.settings import ALL_SCORES, Calibration, Settings
from privcause_core.verdicts.mechanisms import TwoScoreLaplace, verdict_for

SIZES = (4, 5, 8, 20, 101, 400)
NEIGHBOURS = 80
ROUNDING = 1e-12
LAPLACE = [score for score in all_scores() if isinstance(score, LaplaceScore)]

each_score = pytest.mark.parametrize("score", all_scores(), ids=lambda score: score.name)
each_laplace_score = pytest.mark.parametrize("score", LAPLACE, ids=lambda score: score.name)


def direction_of(x, r):
    """Return a direction whose scaled cause and residual lie in the range that the public clip allows."""
    clipped = [np.clip(values.astype(float), -1e100, 1e100) for values in (x, r)]
    return ScoredDirection(x, clipped[0], clipped[1], clipped[1])


def samples(rng, m):
    """Yield cause and residual vectors of shape (m,): smooth, tied, constant, clustered, ordered and wild."""
    x = np.arange(m) / m
    third = np.where(np.arange(m) < max(1, m // 3), -5.0, 5.0)
    spots = rng.uniform(-5, 5, (2, 3))[:, rng.integers(0, 3, m)]
    yield rng.normal(size=m), rng.normal(size=m)
    yield rng.normal(size=m).round(), rng.integers(0, 2, m).astype(float)
    yield np.zeros(m), rng.normal(size=m)
    yield np.zeros(m), np.full(m, 7.0)
    yield spots[0], spots[1]
    yield third, third
    yield 10.0 * x, 10.0 * x
    yield x, -x
    yield 1e300 * rng.standard_cauchy(m), -1e300 * rng.normal(size=m)
    yield 2**60 + rng.integers(0, 9, m), x


def replaced(rng, x, r):
    """Return the vectors with one record replaced: by other records' values, or by ones beyond all of them."""
    k = rng.integers(x.size)
    moved_x, moved_r = x.copy(), r.copy()
    if rng.random() < 0.3:  # one of the ends, where an order changes most
        k = rng.choice([np.argmin(x), np.argmax(x), np.argmin(r), np.argmax(r)])
    moved_x[k] = rng.choice([x[rng.integers(x.size)], x.min() - 1, x.max() + 1, 0])
    moved_r[k] = rng.choice([r[rng.integers(r.size)], r.min() - 1, r.max() + 1, 1e300, -1e300, r[k]])
    return moved_x, moved_r


def largest_change(score, m):
    rng, largest, settings = np.random.default_rng(m), 0.0, Settings()
    for x, r in samples(rng, m):
        before = score.statistic(direction_of(x, r), settings)
        for _ in range(NEIGHBOURS // 10):
            after = score.statistic(direction_of(*replaced(rng, x, r)), settings)
            largest = max(largest, abs(after - before))
    return largest


@each_laplace_score
@pytest.mark.parametrize("m", SIZES)
def test_no_replaced_record_moves_a_score_by_more_than_its_sensitivity(score, m):
    bound = min(score.sensitivity(m, calibration) for calibration in Calibration)
    assert largest_change(score, m) <= bound * (1 + score.rounding_slack) + ROUNDING


@pytest.mark.parametrize("name", ["spearman", "kendall", "hsic", "soft-kendall"])
def test_the_search_would_notice_half_the_sensitivity(name):
    score = get_score(name)
    assert any(largest_change(score, m) > 0.5 * score.sensitivity(m, Calibration.REFINED) for m in SIZES[2:])


@each_laplace_score
def test_sensitivities_are_positive_never_grow_with_m_and_the_published_ones_are_never_smaller(score):
    for calibration in Calibration:
        values = [score.sensitivity(m, calibration) for m in (*range(4, 300), 10**4, 10**6, 10**12)]
        assert min(values) > 0.0
        assert values == sorted(values, reverse=True)
    assert all(
        score.sensitivity(m, Calibration.REFINED) <= score.sensitivity(m, Calibration.PAPER) for m in range(4, 300)
    )


@each_laplace_score
def test_a_score_is_a_finite_number_whatever_the_data(score):
    for m in (4, 5, 33):
        for x, r in samples(np.random.default_rng(m), m):
            value = score.statistic(direction_of(x, r), Settings())
            assert isinstance(value, float)
            assert 0.0 <= value <= 1.0 or math.isclose(value, 1.0)


@each_score
def test_the_order_of_the_rows_does_not_matter(score):
    rng = np.random.default_rng(1)
    for x, r in samples(rng, 60):
        order = rng.permutation(60)
        value = score.statistic(direction_of(x, r), Settings())
        shuffled = score.statistic(direction_of(x[order], r[order]), Settings())
        assert shuffled == pytest.approx(value, rel=1e-9, abs=1e-12)


@each_score
def test_a_score_names_and_explains_itself(score):
    assert type(score).__module__.startswith("privcause_core.scores.")
    assert score.name == score.name.lower() != ALL_SCORES
    assert score.title
    assert "$" in score.definition
    assert all(getattr(score.overview, field) for field in score.overview.__slots__)
    assert isinstance(score, LaplaceScore) == (score.mechanism is Mechanism.LAPLACE)
    if isinstance(score, LaplaceScore):
        assert set(score.sensitivity_formula) == set(Calibration)


def test_names_and_places_in_tables_are_unique():
    assert (
        len({score.name for score in all_scores()}) == len({score.order for score in all_scores()}) == len(all_scores())
    )
    assert [score.order for score in all_scores()] == sorted(score.order for score in all_scores())


def test_a_score_is_chosen_by_name_or_all_at_once():
    assert chosen_scores(ALL_SCORES) == all_scores()
    assert [score.name for score in chosen_scores("hsic")] == ["hsic"]
    with pytest.raises(ParameterError, match=r"Expected score to be one of spearman, kendall, .*, got 'pearson'"):
        get_score("pearson")


NEW_SCORE = """
from privcause_core.scores.base import DirectionStatistic, LaplaceScore, SensitivityOverview


class Gap(DirectionStatistic, LaplaceScore):
    name, title, order, definition = "gap", "Gap", 99, "$0$"
    from_paper, no_joint_release = False, "Expected another score, got gap."
    sensitivity_formula = {}
    overview = SensitivityOverview("a", "b", "c", "d")

    def statistic(self, direction, settings):
        return min(1.0, abs(float(direction.residual[0])))

    def sensitivity(self, m, calibration):
        return 1.0


SCORE = Gap()
"""


@pytest.fixture
def new_score(tmp_path, monkeypatch):
    (tmp_path / "gap.py").write_text(NEW_SCORE)
    monkeypatch.setattr(scores, "__path__", [*scores.__path__, str(tmp_path)])
    all_scores.cache_clear()
    yield get_score("gap")
    all_scores.cache_clear()


def test_a_new_score_is_one_new_file_in_the_package(new_score):
    assert all_scores()[-1] is new_score
    assert verdict_for(new_score, 100, Settings()) == TwoScoreLaplace(1.0, 1.0)
    x = np.random.default_rng(0).normal(size=40)
    analysis = analyse(Pair("p", "x", "y", x, x**3 + x), Settings(score=ALL_SCORES, draws=10))
    assert analysis.of("gap").verdict == TwoScoreLaplace(1.0, 1.0)


def test_a_file_that_is_gone_leaves_no_score_behind():
    assert "gap" not in [score.name for score in all_scores()]
