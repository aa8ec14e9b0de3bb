"""What Explore says around its numbers: terms, opposite arrows, and no more than follows from the rows."""

from dataclasses import replace

import pytest
from streamlit.testing.v1.element_tree import Markdown

from pages.parts.explore import two_ways
from privcause_core.explore.analysis import ScoreMeasurement
from privcause_core.explore.doubt import SamplingDoubt
from privcause_core.pair import Direction
from privcause_core.scores import get_score
from tests.app.driving import alerts, app_at, words


def first_line(app) -> Markdown:
    return next(one for one in app.markdown if "would spend" in one.value)


def test_the_first_line_explains_its_words_and_says_what_the_release_page_proposes() -> None:
    line = first_line(app_at(folds=()))
    assert "protected: test rows only (Release proposes every row) · would spend ε = 1" in line.value
    assert all(f"**{term}**" in line.help for term in ("m", "Noise-free", "Sampling", "Standard error"))
    chosen = first_line(app_at(folds=(), cover="test-rows")).value
    assert "protected: test rows only · would spend ε = 1" in chosen


def told(direction: Direction, z: float) -> ScoreMeasurement:
    doubt = SamplingDoubt(0.1, z, tells_arrow=abs(z) >= 3.0)
    return ScoreMeasurement(get_score("likelihood"), 0.0, 0.1, 0.1 * z, direction, doubt)


def test_two_protections_are_opposed_only_where_both_are_sure_of_opposite_arrows() -> None:
    one, other = told(Direction.X_TO_Y, 4.0), told(Direction.Y_TO_X, -1.8)
    assert two_ways.opposed(one, other)
    assert not two_ways.opposed(one, told(Direction.Y_TO_X, -1.0))
    assert not two_ways.opposed(one, told(Direction.X_TO_Y, 1.8))
    assert not two_ways.opposed(one, told(Direction.UNDECIDED, 5.0))
    assert not two_ways.opposed(one, replace(other, doubt=None))


def test_whoever_has_seen_both_protections_hears_once_that_their_arrows_are_opposite(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def opposite(one: ScoreMeasurement, other: ScoreMeasurement) -> bool:
        return one is not other

    monkeypatch.setattr(two_ways, "opposed", opposite)
    app = app_at(folds=(), data="sample:tips-bill-tip")
    assert not [one for one in alerts(app) if "opposite arrows" in one]
    app.segmented_control(key="protect").set_value("every-row").run()
    assert len([one for one in alerts(app) if "opposite arrows" in one]) == 1
    app.slider(key="test_share").set_value(0.4).run()  # these two have not been seen both
    assert not [one for one in alerts(app) if "opposite arrows" in one]


def test_few_rows_are_never_told_from_many() -> None:
    said = words(app_at(folds=("takes",)))
    assert "The **2,000 rows** of now are enough for 95%" in said
    said = words(app_at(folds=("takes",), data="sample:synthetic-near-tie", score="kendall", epsilon="0.1"))
    assert "would make it 95%, if their margin is the same" in said


def test_the_sentence_on_a_score_holds_for_votes_too() -> None:
    for score in ("likelihood", "hsic"):
        said = words(app_at(folds=("scores",), score=score))
        assert "A score says how much speaks against its arrow" in said
        assert "residuals still depend" not in said


def test_two_pinned_protections_of_opposite_arrows_are_said_to_be_so(monkeypatch: pytest.MonkeyPatch) -> None:
    pins = {"a": "-", "b": "protect~every-row"}
    shown = app_at(folds=("compare",), data="sample:tips-bill-tip", **pins)
    assert not [one for one in alerts(shown) if "opposite arrows" in one]
    monkeypatch.setattr(two_ways, "opposed", lambda one, other: one is not other)
    shown = app_at(folds=("compare",), data="sample:tips-bill-tip", **pins)
    assert len([one for one in alerts(shown) if "opposite arrows" in one]) == 1
    same = app_at(folds=("compare",), data="sample:tips-bill-tip", a="-", b="epsilon~2")
    assert not [one for one in alerts(same) if "opposite arrows" in one]
