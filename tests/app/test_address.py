"""The address bar: every setting goes into it and comes back, in the schema and in a fresh session."""

from dataclasses import fields, replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.address import PARAMETERS, from_query, to_query
from pages.shared.view import DataChoice, PlanChoice, Solve, StageChoice, View
from privcause_core.settings import Settings

ROOT = Path(__file__).parents[2]
SETTINGS = Settings(
    score="spearman", epsilon=0.37, delta=1e-9, release="direction", calibration="paper", protect="every-row",
    test_share=0.4, seed=7, draw_seed=3, draws=50, bin_width=0.5, bandwidth=0.7, soft_width=0.5, route="ridge",
    range_x="-5..5", range_y="0..1", ridge=0.02, blocks=12, noise_model="location-scale", vote_limit=1.5,
)  # fmt: skip
DATA = DataChoice("sample:synthetic-near-tie", 400, 0.5, 9, 0, 1, 0, sentinels_missing=True)
PLAN = PlanChoice(Solve.ROWS, 0.9, 0.5, 300, 0.07, 0.1, 20, 400, 0.8)
STAGE = StageChoice(present=True, hide=True, step=4, slide=3)
OTHER = View(SETTINGS, DATA, PLAN, STAGE, pin_a=Settings(), pin_b=SETTINGS)


def test_the_test_changes_every_value_that_the_address_can_hold() -> None:
    for changed, standard in ((SETTINGS, Settings()), (PLAN, PlanChoice()), (STAGE, StageChoice())):
        same = [one.name for one in fields(changed) if getattr(changed, one.name) == getattr(standard, one.name)]
        assert same == []
    assert {one.name for one in fields(Settings)} <= PARAMETERS


def test_every_value_survives_the_address() -> None:
    assert from_query(to_query(OTHER)) == (OTHER, ())


def test_the_default_view_has_an_empty_address() -> None:
    assert to_query(View()) == {}


def test_a_link_names_a_slide_only_while_slides_are_shown() -> None:
    assert to_query(View(stage=StageChoice(present=True, slide=7))) == {"present": "1", "slide": "7"}
    assert to_query(View(stage=StageChoice(slide=7))) == {}


@pytest.mark.parametrize("name", sorted(PARAMETERS - {"data", "range_x", "range_y"}))
def test_a_value_that_cannot_be_used_is_named_and_its_default_stands(name: str) -> None:
    view, refused = from_query({name: "~nonsense~"})
    assert refused == (name,)
    assert view == View()


def test_a_fresh_session_at_an_address_shows_that_view_and_writes_it_back() -> None:
    shown = replace(OTHER, settings=replace(SETTINGS, protect="test-rows"), stage=StageChoice())
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, value in to_query(shown).items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert app.session_state["privcause"].view == shown
    assert {
        name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()
    } == to_query(shown)
