"""What the first screen draws: the core's own numbers, thinned rows, and nothing of true rows while they are hidden."""

import json
from dataclasses import replace

import numpy as np
import pytest

from privcause_core.explore.analysis import analyse
from privcause_core.explore.outcomes import Outcome, count, first_runs
from privcause_core.explore.simulation import IqrDraws
from privcause_core.figures import hero
from privcause_core.figures.hero_scene import MOST_POINTS, fits, least_epsilons, leftovers, points
from privcause_core.pair import Direction, Pair
from privcause_core.report import board_summary
from privcause_core.samples import load_sample
from privcause_core.settings import Settings

SAMPLE = load_sample("synthetic-saturation", rows=1_200)


def flips_drawn(scene: dict[str, object], epsilon: float) -> int:
    """Count flips as the browser does."""
    scale = scene["scale"] / epsilon
    moved = [np.array(units) * scale + centre for centre, units in zip(scene["centres"], scene["noise"], strict=False)]
    margin = moved[1] - moved[0] if scene["kind"] == "two-scores" else moved[0]
    return int((np.sign(margin) != scene["arrow"]).sum())


@pytest.mark.parametrize("release", ["two-scores", "direction"])
@pytest.mark.parametrize("epsilon", [0.02, 0.3, 4.0])
def test_the_browser_counts_the_flips_that_the_core_counts_at_any_epsilon(release: str, epsilon: float) -> None:
    settings = Settings(score="kendall", release=release)
    scene = hero.scene(analyse(SAMPLE, settings))
    there = analyse(SAMPLE, settings.with_(epsilon=epsilon))
    assert flips_drawn(scene, epsilon) == count(first_runs(there.headline, there.settings), Outcome.FLIPPED)
    assert scene["scale"] / epsilon == pytest.approx(there.headline.verdict.noise_scale)


@pytest.mark.parametrize("epsilon", [1.0, 3.0, 4.5, 8.0])
def test_an_iqr_run_refuses_below_its_least_epsilon_and_nowhere_else(epsilon: float) -> None:
    settings = Settings(score="iqr")
    scene = hero.scene(analyse(SAMPLE, settings))
    there = analyse(SAMPLE, settings.with_(epsilon=epsilon)).headline
    refused = sum(least is None or epsilon < least for least in scene["noise"][1])
    assert refused == count(first_runs(there, settings.with_(epsilon=epsilon)), Outcome.REFUSED)


def test_a_test_that_cannot_pass_by_distance_alone_waits_for_its_noise() -> None:
    tests = IqrDraws.seeded(0, 3).tests
    never = least_epsilons(np.ones((4, 2)), tests, log=1e9)
    assert np.isinf(never).all()
    always = least_epsilons(np.ones((4, 2)), tests, log=-1e9)
    assert (always == 0.0).all()


def test_rows_are_thinned_and_everything_drawn_lies_in_the_picture() -> None:
    measured = analyse(SAMPLE, Settings()).measurement
    drawn = np.array(points(measured))
    assert drawn.shape == (MOST_POINTS, 2)
    assert (drawn.min(axis=0) >= 0.0).all()
    assert (drawn.max(axis=0) <= 1.0).all()
    forward, backward = (np.array(one) for one in fits(measured))
    assert forward[:, 0].tolist() == pytest.approx(np.linspace(0, 1, len(forward)).tolist(), abs=1e-3)
    assert backward[:, 1].tolist() == pytest.approx(np.linspace(0, 1, len(backward)).tolist(), abs=1e-3)
    assert [len(one) for one in leftovers(measured)] == [MOST_POINTS, MOST_POINTS]


def test_a_scene_is_small_plain_json_even_for_columns_that_are_constant_or_enormous() -> None:
    enormous = Pair("e", "a", "b", np.linspace(-1.0, 1.0, 60) * 1.7e308, np.arange(60.0))
    constant = Pair("c", "a", "b", np.ones(60), np.arange(60.0))
    for pair in (SAMPLE, enormous, constant):
        for score in ("kendall", "iqr"):
            text = json.dumps(hero.scene(analyse(pair, Settings(score=score))), allow_nan=False)
            assert len(text) < 40_000


@pytest.mark.parametrize("score", ["likelihood", "kendall", "iqr"])
def test_a_hidden_scene_holds_counts_of_runs_and_nothing_else_of_the_rows(score: str) -> None:
    """Two tables whose runs say the same give the same JSON: no margin, score, noise, single run or known arrow."""
    analysis = analyse(SAMPLE, Settings(score=score, epsilon=0.32))
    scene = hero.hidden_scene(analysis)
    assert set(scene) == {"x", "y", "epsilon", "steps", "score", "hidden", "arrow", "counts"}
    assert scene["arrow"] == 0
    assert len(scene["counts"]) == len(hero.STEPS) + 1
    assert all(sum(one) == 100 and all(isinstance(count, int) for count in one) for one in scene["counts"])
    arrows = [run.arrow for run in first_runs(analysis.headline, analysis.settings)]
    said = [arrows.count(one) for one in (Direction.X_TO_Y, Direction.Y_TO_X, None)]
    assert scene["counts"][-1] == scene["counts"][hero.STEPS.index(0.32)] == said
    text = json.dumps(scene)
    true = analysis.headline.true
    assert not any(f"{abs(value):.4g}" in text for value in (true.score_xy, true.score_yx, true.margin))


def test_unrelated_columns_have_no_arrow_to_tell_and_a_clear_pair_has() -> None:
    clear = hero.scene(analyse(SAMPLE, Settings(score="kendall")))
    unrelated = hero.scene(analyse(load_sample("synthetic-unrelated"), Settings(score="kendall")))
    assert clear["doubt"]["reason"] == ""
    assert clear["doubt"]["population"] > 0.99
    assert "unrelated" in unrelated["doubt"]["reason"]


def test_a_scene_in_a_page_cannot_close_its_script() -> None:
    pair = replace(SAMPLE, x_name="</script><script>alert(1)</script>")
    page = hero.embedded(hero.scene(analyse(pair, Settings())))
    assert "</script><script>alert" not in page
    assert "\\u003c/script>" in page


def test_a_file_name_is_plain_letters_whatever_the_columns_are_called() -> None:
    pair = replace(SAMPLE, x_name="../../Größe (m)", y_name="\u202e漢字")
    assert hero.file_name(analyse(pair, Settings(score="kendall"))) == "privcause-gr-e-m-column-kendall-epsilon-1"


def test_a_summary_of_two_settings_says_what_each_costs_and_holds_no_script() -> None:
    found = {name: analyse(SAMPLE, Settings(epsilon=epsilon)) for name, epsilon in (("A", 0.05), ("B", 2.0))}
    page = board_summary(found)
    assert "ε = 0.05, δ = 0" in page
    assert "ε = 2, δ = 0" in page
    assert "A: " in page
    assert "<script" not in page
    assert "Do not publish" in page


def test_a_summary_says_where_an_arrow_tells_nothing() -> None:
    pairs = {"A": load_sample("synthetic-unrelated"), "B": SAMPLE}
    page = board_summary({name: analyse(pair, Settings()) for name, pair in pairs.items()})
    assert "no: the columns look unrelated" in page
    assert "yes, as far as sampling goes" in page
