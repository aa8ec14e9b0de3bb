"""What is said of a promise: the same wherever it is said."""

import math

import pytest

from privcause_core.explore.analysis import analyse
from privcause_core.samples import load_sample
from privcause_core.settings import Settings
from privcause_core.text.words import (
    TERMS,
    delta_note,
    epsilon_note,
    explained,
    guesses_right,
    margin_text,
    promise_lines,
    score_text,
)


@pytest.mark.parametrize(("epsilon", "noted"), [(10.0, False), (10.1, True), (1e6, True)])
def test_a_large_epsilon_is_noted(epsilon, noted):
    assert bool(epsilon_note(epsilon)) is noted
    assert epsilon_note(epsilon) in {"", f"epsilon {epsilon:g} is above 10: it promises next to nothing."}


def test_a_delta_is_compared_with_the_protected_rows():
    assert delta_note(1e-3, 999) == ""
    assert "not below 1/1,000" in delta_note(1e-3, 1000)


def test_what_an_attacker_gets_right_is_said_to_be_an_average():
    assert guesses_right(1.0, 0.0) == "on average at most 73.1 right"
    assert "on average at most 73.1 right (50 is blind guessing)" in promise_lines(1.0, 0.0)[0]
    assert len(promise_lines(1.0, 1e-6)) == 3


@pytest.mark.parametrize(("protect", "rows"), [("test-rows", 500), ("every-row", 1000)])
def test_an_analysis_warns_of_a_large_delta_by_the_rows_that_are_protected(protect, rows):
    settings = Settings(
        score="iqr", delta=0.01, protect=protect, route="ridge", range_x="-5..5", range_y="-5..5", draws=10
    )
    pair = load_sample("synthetic-saturation", rows=1000)
    warnings = [one for one in analyse(pair, settings).warnings if "whole rows" in one]
    assert warnings == [delta_note(0.01, rows)]


def test_an_analysis_of_a_score_that_spends_no_delta_says_nothing_of_it():
    pair = load_sample("synthetic-saturation", rows=100)
    assert not [one for one in analyse(pair, Settings(delta=0.4, draws=10)).warnings if "whole rows" in one]


def test_terms_are_explained_one_below_the_other():
    assert explained("m", "Both") == f"**m**: {TERMS['m']}\n\n**Both**: {TERMS['Both']}"


def test_what_is_infinite_is_said_in_words():
    assert (score_text(-math.inf), score_text(-7.10787, 3)) == ("IQR is zero", "-7.11")
    assert margin_text(-math.inf) == margin_text(math.inf) == "without end (IQR is zero)"
    assert margin_text(0.123456) == "0.1235"
