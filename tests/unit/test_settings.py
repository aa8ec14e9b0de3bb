"""Settings: every limit, and the plain values they come from and turn into."""

import json
import math
from decimal import Decimal

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privcause_core.errors import ParameterError
from privcause_core.settings import Calibration, ReleaseKind, Settings
from privcause_core.text.typed import parse_decimal

LIMITS = [
    ("epsilon", 1e-6, 1e6),
    ("delta", 1e-100, 0.5),
    ("test_share", 0.05, 0.95),
    ("bin_width", 0.01, 10.0),
    ("bandwidth", 0.05, 20.0),
    ("seed", 0, 2**32 - 1),
    ("draw_seed", 0, 2**32 - 1),
    ("draws", 10, 1_000_000),
]


def test_the_defaults_promise_a_total_epsilon_of_one():
    settings = Settings()
    assert (settings.epsilon, settings.delta, settings.test_share, settings.bin_width) == (1.0, 1e-6, 0.5, 1.0)
    assert (settings.release, settings.calibration) == (ReleaseKind.TWO_SCORES, Calibration.REFINED)


@pytest.mark.parametrize(("name", "low", "high"), LIMITS)
def test_both_ends_of_a_range_are_accepted_and_the_next_values_refused(name, low, high):
    for value in (low, high):
        assert getattr(Settings(**{name: value}), name) == value
    step = 1 if isinstance(low, int) else 0.01 * low
    for value in (low - step, high + max(step, 1)):
        with pytest.raises(ParameterError, match=f"Expected {name} between"):
            Settings(**{name: value})


@pytest.mark.parametrize("value", [0.0, -1.0, math.nan, math.inf, 1e-300, 5e-324, True, None, "1", 10**400])
def test_an_epsilon_that_promises_nothing_sensible_is_refused(value):
    with pytest.raises(ParameterError, match="epsilon"):
        Settings(epsilon=value)


@pytest.mark.parametrize("value", [1.0, 1.5, True, "3", None])
def test_a_seed_is_a_whole_number(value):
    with pytest.raises(ParameterError, match="Expected seed to be a whole number"):
        Settings(seed=value)


def test_unknown_choices_and_keys_are_answered_with_the_known_ones():
    with pytest.raises(ParameterError, match="release to be one of two-scores, direction, got 'both'"):
        Settings.from_dict({"release": "both"})
    with pytest.raises(ParameterError, match=r"Unknown setting 'epsilom'; expected one of score, epsilon"):
        Settings.from_dict({"epsilom": 1})


def test_settings_survive_json_and_text():
    settings = Settings(score="hsic", epsilon=0.3, delta=1e-9, release=ReleaseKind.DIRECTION, seed=7, draws=50)
    assert Settings.from_dict(json.loads(json.dumps(settings.to_dict()))) == settings
    assert Settings.from_dict({key: str(value) for key, value in settings.to_dict().items()}) == settings


@pytest.mark.parametrize(("text", "value"), [("0,5", 0.5), (" 1e-6 ", 1e-6), ("1E3", 1000.0), ("+2", 2.0), (".5", 0.5)])
def test_numbers_are_read_as_people_type_them(text, value):
    assert Settings.from_dict({"epsilon": text}).epsilon == value
    assert parse_decimal("epsilon", text) == Decimal(text.strip().replace(",", "."))


@pytest.mark.parametrize(
    "text", ["", "one", "1_000", "1,2,3", "1.2,3", "nan", "inf", "-inf", "0x10", "1e", "1e99999999999999999999"]
)
def test_text_that_is_not_one_finite_number_is_refused(text):
    with pytest.raises(ParameterError, match="Expected epsilon to be a number"):
        Settings.from_dict({"epsilon": text})


@pytest.mark.parametrize("text", ["1e400", "-1e9999999", "1e99999999", "1.5", "1e-9999999"])
def test_a_whole_number_of_absurd_size_is_refused_at_once(text):
    with pytest.raises(ParameterError, match="Expected seed to be a whole number below 1e18"):
        Settings.from_dict({"seed": text})


def test_a_changed_copy_is_checked_again():
    assert Settings().with_(epsilon=2.0).epsilon == 2.0
    with pytest.raises(ParameterError, match="epsilon"):
        Settings().with_(epsilon=0.0)


TYPED = st.one_of(st.text("0123456789eE+-.,_ nai"), st.floats(), st.integers())


@hypothesis.settings(deadline=None)
@given(st.dictionaries(st.sampled_from([name for name, _, _ in LIMITS]), TYPED))
def test_whatever_is_typed_becomes_settings_or_a_parameter_error(values):
    try:
        settings = Settings.from_dict(values)
    except ParameterError:
        return
    assert all(low <= getattr(settings, name) <= high for name, low, high in LIMITS)


@pytest.mark.parametrize("text", ["0...10", "-1...1", "0....1"])
def test_a_third_dot_in_a_range_is_refused_rather_than_read_as_a_decimal_mark(text):
    with pytest.raises(ParameterError, match=r"range_x as two numbers such as 0\.\.100"):
        Settings(range_x=text)
