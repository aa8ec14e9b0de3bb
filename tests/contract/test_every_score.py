"""What every registered score must keep; a new score file is picked up without a change here."""

import math

import numpy as np
import pytest

from privcause_core import scores
from privcause_core.errors import ParameterError
from privcause_core.explore.analysis import analyse
from privcause_core.pair import Pair
from privcause_core.scores import LaplaceScore, all_scores, chosen_scores, get_score
from privcause_core.settings import ALL_SCORES, Calibration, Settings
from privcause_core.verdicts.laplace import TwoScoreLaplace
from privcause_core.verdicts.mechanisms import verdict_for
from tests.contract import adversaries, proofs

SIZES = (4, 5, 8, 20, 101, 400)
ROUNDING = 1e-12
LAPLACE = [score for score in all_scores() if isinstance(score, LaplaceScore)]

each_score = pytest.mark.parametrize("score", all_scores(), ids=lambda score: score.name)
each_laplace_score = pytest.mark.parametrize("score", LAPLACE, ids=lambda score: score.name)


def largest_change(score, neighbours, settings=None):
    """Return how far the neighbours move either direction's score, or their margin by half as much."""
    largest, settings, known = 0.0, settings or Settings(), (None, None)
    for before, after in neighbours:
        known = known if known[0] is before else (before, score.evaluate(before, settings))
        there, here = score.evaluate(after, settings), known[1]
        largest = max(largest, abs(there.xy - here.xy), abs(there.yx - here.yx), abs(there.margin - here.margin) / 2.0)
    return largest


def stays_within(score, m, neighbours):
    bound = score.unit(Settings()) * min(score.sensitivity(m, calibration) for calibration in Calibration)
    return largest_change(score, neighbours) <= bound * (1 + score.rounding_slack) + ROUNDING


def training_excess(score, m, shift=0.02):
    """Return how far moved residuals move a score, as a share of its training bound."""
    settings, rng = Settings(bandwidth=1.0, soft_width=1.0), np.random.default_rng(m)
    moves = adversaries.moved_residuals(rng, m, shift)
    largest = max(abs(score.statistic(a, settings) - score.statistic(b, settings)) for a, b in moves)
    return largest / score.training_sensitivity(m, shift, settings)


@each_laplace_score
@pytest.mark.parametrize("m", SIZES)
def test_no_replaced_record_moves_a_score_by_more_than_its_sensitivity(score, m):
    assert stays_within(score, m, adversaries.vector_neighbours(np.random.default_rng(m), m))


@each_laplace_score
@pytest.mark.parametrize("m", [20, 101])
def test_no_replaced_record_of_a_fitted_table_moves_a_score_by_more_than_its_sensitivity(score, m):
    assert stays_within(score, m, adversaries.table_neighbours(np.random.default_rng(m), m))


@each_laplace_score
def test_no_moved_residuals_move_a_score_by_more_than_its_training_bound(score):
    if score.no_joint_release:
        with pytest.raises(ParameterError, match="Expected a score with a bound"):
            score.training_sensitivity(100, 0.1, Settings())
    else:
        assert max(training_excess(score, m) for m in (5, 40, 200)) <= 1.0 + 1e-9


@pytest.mark.parametrize("name", ["spearman", "kendall", "hsic", "soft-kendall"])
def test_the_search_would_notice_half_the_sensitivity(name):
    score = get_score(name)
    rng = np.random.default_rng(0)
    assert any(
        largest_change(score, adversaries.vector_neighbours(rng, m)) > 0.5 * score.sensitivity(m, Calibration.REFINED)
        for m in SIZES[2:]
    )


def test_the_search_notices_a_bandwidth_from_the_test_rows():
    class MedianBandwidth(type(get_score("hsic"))):
        def statistic(self, direction, settings):
            x = direction.cause_scaled
            gaps = np.abs(np.subtract.outer(x, x))[np.triu_indices(x.size, 1)]
            return super().statistic(direction, settings.with_(bandwidth=float(np.clip(np.median(gaps), 0.05, 20.0))))

    assert not stays_within(MedianBandwidth(), 101, adversaries.vector_neighbours(np.random.default_rng(0), 101))


@pytest.mark.parametrize("name", ["hsic", "soft-kendall"])
def test_the_search_notices_a_halved_training_bound(name):
    class Halved(type(get_score(name))):
        def training_sensitivity(self, m, shift, settings):
            return super().training_sensitivity(m, shift, settings) / 2.0

    assert training_excess(Halved(), 200) > 1.0


@each_laplace_score
@pytest.mark.parametrize("m", [30, 300, 10_000])
def test_a_declared_bound_is_not_below_what_its_proof_gives(score, m):
    proved = proofs.PROVED.get(score.name, lambda m: 0.0)(m)
    assert score.sensitivity(m, Calibration.REFINED) >= min(proved, score.largest(m)) * (1.0 - 1e-12)


def test_a_bound_that_no_known_neighbours_exceed_but_no_proof_gives_is_noticed():
    """The best known neighbours move HSIC by 32/(27 m): 1.9/m would pass every search, and is not proved."""

    class Unproved(type(get_score("hsic"))):
        def sensitivity(self, m, calibration):
            return 1.9 / m

    assert Unproved().sensitivity(300, Calibration.REFINED) < proofs.PROVED["hsic"](300)


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
        for x, r in adversaries.samples(np.random.default_rng(m), m):
            found = score.evaluate(adversaries.scored(x, r), Settings())
            for value in (found.xy, found.yx):
                assert isinstance(value, float)
                most = score.unit(Settings()) * score.largest(m)
                assert 0.0 <= value <= most or math.isclose(value, most)


@each_score
def test_the_order_of_the_rows_does_not_matter(score):
    rng = np.random.default_rng(1)
    for x, r in adversaries.samples(rng, 60):
        whole = adversaries.scored(x, r)
        found, shuffled = (score.evaluate(one, Settings()) for one in (whole, whole.only(rng.permutation(60))))
        assert (shuffled.xy, shuffled.yx) == pytest.approx((found.xy, found.yx), rel=1e-9, abs=1e-12)


@each_score
def test_a_score_names_and_explains_itself(score):
    assert type(score).__module__.startswith("privcause_core.scores.")
    assert score.name == score.name.lower() != ALL_SCORES
    assert score.title
    assert "$" in score.definition
    assert all(getattr(score.overview, field) for field in score.overview.__slots__)
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
    with pytest.raises(ParameterError, match=r"Expected score to be one of likelihood, spearman, .*, got 'pearson'"):
        get_score("pearson")


NEW_SCORE = """
from privcause_core.scores.base import DirectionStatistic, LaplaceScore, SensitivityOverview


class Gap(DirectionStatistic, LaplaceScore):
    name, title, order, definition = "gap", "Gap", 99, "$0$"
    from_paper, no_joint_release = False, "one row can move everything."
    sensitivity_formula = {}
    overview = SensitivityOverview("a", "b", "c", "d")

    def statistic(self, direction, settings):
        return min(1.0, abs(float(direction.residual[0])))

    def sensitivity(self, m, calibration):
        return 1.0


SCORE = Gap()
"""


@pytest.mark.parametrize(
    ("forgotten", "said"),
    [
        (
            '    from_paper, no_joint_release = False, "one row can move everything."',
            "lacks from_paper, no_joint_release",
        ),
        ("    sensitivity_formula = {}", "lacks sensitivity_formula"),
        ('"one row can move everything."', r"lacks training_sensitivity \(or a reason in no_joint_release\)"),
    ],
)
def test_a_score_that_forgets_a_required_member_fails_at_import_with_a_sentence(forgotten, said):
    assert NEW_SCORE.count(forgotten) == 1
    source = NEW_SCORE.replace(forgotten, '""' if forgotten.startswith('"') else "")
    with pytest.raises(ParameterError, match=f"The score Gap {said}"):
        exec(source, {"__name__": "privcause_core.scores.gap"})


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
