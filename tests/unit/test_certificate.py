"""A certificate says everything, claims only what can be recomputed, and stays text whatever the columns are called."""

import copy
import json
import math
from html.parser import HTMLParser

import pytest

from privcause_core.errors import DataError
from privcause_core.fits.public_ridge import residual_shift
from privcause_core.pair import Direction, Pair
from privcause_core.release import (
    Ledger,
    Receipt,
    certainty_for,
    certificate,
    certificate_json,
    certificate_page,
    confidence_in_arrow,
    margin_interval,
    quote,
    release,
    value_interval,
    verify,
)
from privcause_core.release.certificate import plain_formula, receipt_of
from privcause_core.verdicts.outcome import Refused, Released
from privcause_core.verdicts.propose_test_release import iqr_outcome
from tests.unit.releasing import ALL_SCORES, NOW, WIDE, pair, plan

HOSTILE = ("=1+1", '<img src=x onerror="alert(1)">**bold** $x^2$ {x}')


@pytest.fixture
def ledger(tmp_path):
    return Ledger(tmp_path / "ledger.sqlite")


@pytest.fixture
def receipt(ledger):
    return release(plan(*ALL_SCORES, epsilon="2"), pair(), ledger, now=NOW, budget=WIDE)


def made(outcomes, *scores, **changes):
    return Receipt("id", NOW.isoformat(), plan(*scores, **changes), "t", "x", "y", 40, (("privcause", "0"),), outcomes)


def test_the_file_holds_the_released_doubles_exactly_and_the_same_bytes_every_time(receipt):
    text = certificate_json(receipt)
    assert text == certificate_json(receipt)
    values = json.loads(text)["releases"][0]["outcome"]["values"]
    assert tuple(entry["value"] for entry in values.values()) == receipt.outcomes[0].values
    assert receipt_of(json.loads(text)) == receipt


def test_a_certificate_names_what_a_reader_must_know(receipt):
    issued = certificate(receipt)
    assert issued["guarantee"]["epsilon"] == "8"
    assert issued["guarantee"]["delta"] == "1e-06"
    assert "test rows only" in issued["guarantee"]["protected"]
    assert "replacing one test row" in issued["guarantee"]["neighbours"]
    assert issued["guarantee"]["composition"].startswith("basic")
    assert issued["public"] == {"complete_rows": 40, "n_train": 20, "n_test": 20}
    assert set(issued["software"]) == {"privcause", "opendp", "python"}
    kendall, iqr = issued["releases"][1], issued["releases"][3]
    assert kendall["sensitivity_formula"] == "min(1, 4/m)"
    assert kendall["sensitivity_proved"] == 0.2
    assert iqr["one_column_changed"]["epsilon"] == pytest.approx(1.5)


@pytest.mark.parametrize(
    "outcome",
    [
        Refused((1.0, None, 2.0, None)),
        Refused((-math.inf, 1.0, 2.0, -math.inf)),
        iqr_outcome((-math.inf, 1.0, 2.0, 3.0)),
        iqr_outcome((1.0, 1.0, 2.0, -math.inf)),
        iqr_outcome((0.1, 0.2, 0.3, 0.4)),
    ],
    ids=str,
)
def test_refusals_and_zero_iqrs_survive_json(outcome):
    issued = made((outcome,), "iqr")
    text = certificate_json(issued)
    assert receipt_of(json.loads(text)) == issued
    assert verify(json.loads(text)).valid
    page = certificate_page(json.loads(text))
    assert ("No arrow released" in page) == isinstance(outcome, Refused)


def test_a_true_certificate_is_verified_and_found_in_its_ledger(receipt, ledger):
    checked = verify(json.loads(certificate_json(receipt)), ledger)
    assert [check.holds for check in checked.checks] == [True, True, True]
    without = verify(json.loads(certificate_json(receipt)))
    assert without.valid
    assert without.checks[-1].holds is None


FORGERIES = {
    "a smaller cost": (("guarantee", "epsilon"), "1"),
    "more protection": (("guarantee", "protected"), "every row"),
    "a smaller scale": (("releases", 0, "draws", 0, "noise_scale"), 0.01),
    "a smaller sensitivity": (("releases", 1, "sensitivity_proved"), 0.1),
    "another arrow": (("releases", 0, "outcome", "direction"), "neither"),
    "more confidence": (("releases", 0, "outcome", "confidence_in_direction"), 0.9999),
    "a claim of its own": (("guarantee", "note"), "safe"),
    "more rows": (("public", "n_test"), 30),
    "another plan": (("plan", "epsilon"), "1"),
    "another released value": (("releases", 0, "outcome", "values", "score_xy", "value"), 0.5),
    "no number": (("releases", 0, "outcome", "values", "score_xy", "value"), True),
    "another format": (("format",), "privcause-certificate/0"),
    "no plan": (("plan",), None),
    "a score that is not": (("plan", "scores"), ["pearson"]),
    "an outcome missing": (("plan", "scores"), ["spearman"]),
    "rows as text": (("public", "complete_rows"), "many"),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_certificate_is_caught_without_the_ledger(receipt, forgery):
    path, value = FORGERIES[forgery]
    forged = copy.deepcopy(certificate(receipt))
    place = forged
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    assert not verify(forged).valid


def test_a_consistent_forgery_is_caught_by_the_ledger(receipt, ledger):
    forged = json.loads(certificate_json(receipt))
    forged["pair"]["name"] = "another study"
    assert verify(forged).valid
    assert not verify(forged, ledger).valid
    forged["entry"] = "invented"
    assert "no release of that id" in verify(forged, ledger).checks[-1].finding


@pytest.mark.parametrize("rubbish", [{}, {"format": "privcause-certificate/1"}, {"format": 1, "plan": []}])
def test_what_is_no_certificate_is_one_failed_check(rubbish):
    assert [check.holds for check in verify(rubbish).checks] == [False]
    with pytest.raises(DataError):
        receipt_of(rubbish)


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.text = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text.append(data)


def test_hostile_names_stay_text(ledger):
    data = Pair(HOSTILE[1], *HOSTILE, pair().x, pair().y)
    issued = certificate(release(plan(), data, ledger, now=NOW))
    assert (issued["pair"]["x"], issued["pair"]["y"]) == HOSTILE
    parser = Tags()
    parser.feed(certificate_page(issued))
    assert not {tag for tag, _ in parser.tags} & {"img", "script", "strong", "a"}
    assert not any(name.startswith("on") for _, attributes in parser.tags for name in attributes)
    assert HOSTILE[1] in parser.text
    assert HOSTILE[0] in parser.text


def test_the_page_fetches_nothing(receipt):
    page = certificate_page(certificate(receipt))
    assert "default-src 'none'" in page
    assert "src=" not in page.replace("default-src=", "")
    assert "http" not in page.replace("http-equiv", "")


def test_the_interval_of_a_score_is_the_laplace_quantile():
    terms = quote(plan(epsilon="1"), 200).terms[0]
    interval = value_interval(terms, 0.3, 0.95)
    assert interval.high - 0.3 == pytest.approx(0.08 * math.log(20.0))  # P(|Lap(b)| > b log 20) = 1/20
    assert value_interval(terms, None, 0.95) is None


@pytest.mark.parametrize("score", ALL_SCORES)
@pytest.mark.parametrize("kind", ["two-scores", "direction"])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_the_margin_interval_covers_as_often_as_it_says(score, kind, confidence):
    import numpy as np

    terms = quote(plan(score, epsilon="1", release=kind), 200).terms[0]
    draws = {"TwoScoreLaplace": 2, "DirectionLaplace": 1, "IqrVerdict": 4}[type(terms.verdict).__name__]
    noise = np.random.default_rng(0).laplace(scale=terms.noise_scale, size=(200_000, draws)).sum(axis=1)
    interval = margin_interval(terms, Released((), 0.0, Direction.X_TO_Y), confidence)
    covered = float(np.mean(np.abs(noise) <= interval.high))
    assert covered == pytest.approx(confidence, abs=5 * math.sqrt(confidence * (1 - confidence) / 200_000))


@pytest.mark.parametrize("score", ["kendall", "iqr"])
def test_the_confidence_in_an_arrow_is_where_its_interval_touches_0(score):
    terms = quote(plan(score, epsilon="1"), 200).terms[0]
    outcome = Released((), -3.0 * terms.noise_scale, Direction.Y_TO_X)
    confidence = confidence_in_arrow(terms, outcome)
    assert margin_interval(terms, outcome, confidence).high == pytest.approx(0.0, abs=1e-9)
    assert certainty_for(terms, outcome.margin) == pytest.approx(0.5 + confidence / 2.0)


def test_certainty_for_an_assumed_margin_is_theorem_3():
    terms = quote(plan(epsilon="1"), 200).terms[0]
    # b = 0.08: margin 0 gives 1/2, 0.1 gives 0.7672148526, 0.4 gives 0.9882085928 (checked with two million draws).
    for margin, certainty in ((0.0, 0.5), (0.1, 0.7672148526), (-0.1, 0.7672148526), (0.4, 0.9882085928)):
        assert certainty_for(terms, margin) == pytest.approx(certainty, abs=1e-9)


def test_the_distance_needed_for_a_release_is_the_least_that_makes_it_likely():
    from privcause_core.verdicts.theory import pass_probability

    terms = quote(plan("iqr", epsilon="2"), 2000).terms[0]
    single = terms.verdict.single
    for probability in (0.5, 0.9):
        needed = terms.distance_needed(probability)
        at, below = (float(pass_probability(d, single.epsilon, single.delta)) ** 4 for d in (needed, needed - 1))
        assert at >= probability > below
    assert quote(plan("kendall"), 2000).terms[0].distance_needed(0.5) is None


def test_a_hopeless_iqr_release_is_warned_about_from_public_facts():
    assert any("unlikely whatever the data" in warning for warning in quote(plan("iqr", epsilon="1"), 100).warnings)
    assert not any("unlikely" in warning for warning in quote(plan("iqr", epsilon="10"), 2000).warnings)


EVERY_ROW = {"protect": "every-row", "range_x": "0..1", "range_y": "0..1"}


def test_an_iqr_release_for_every_row_is_warned_about_however_many_rows():
    """A residual IQR is at most 16 scaled units and every training row moves it: rows that tests never reach."""
    (warning,) = [w for w in quote(plan("iqr", epsilon="1", route="ridge", **EVERY_ROW), 2000).warnings if "IQR" in w]
    assert "no more than 2 are possible" in warning


def test_noise_beyond_the_whole_range_of_a_score_or_beyond_every_vote_is_warned_about():
    ridge = quote(plan("hsic", epsilon="1", route="ridge", **EVERY_ROW), 2000)
    assert any("exceeds the score's whole range of 0.251" in warning for warning in ridge.warnings)
    blocks = quote(plan("hsic", epsilon="0.01", route="blocks", blocks=25, **EVERY_ROW), 200)
    assert any("exceeds all 25 votes" in warning for warning in blocks.warnings)
    assert any("Only 8 rows a block" in warning for warning in blocks.warnings)
    enough = quote(plan("hsic", epsilon="1", route="blocks", **EVERY_ROW), 2000)
    assert enough.warnings == ()


def test_formulas_are_plain_text():
    assert plain_formula(r"\min\left(2.0556/m + 4/m^2,\ \frac{m^2}{4(m-1)^2}\right)") == (
        "min(2.0556/m + 4/m^2, (m^2)/(4(m-1)^2))"
    )


def test_a_certificate_of_blocks_counts_blocks_and_says_what_was_not_used(ledger):
    receipt = release(plan("hsic", protect="every-row", blocks=4), pair(), ledger, now=NOW, budget=WIDE)
    stated = certificate(receipt)
    assert stated["public"] == {"complete_rows": 40, "blocks": 4, "rows_in_smallest_block": 10}
    assert {"release", "calibration", "ridge", "delta", "bin_width", "soft_width"} <= set(stated["not_used"])
    assert "bandwidth" not in stated["not_used"]
    page = certificate_page(stated)
    assert "for one replaced row" in page
    assert "test row" not in page
    for unused in ("calibration", "ridge", "delta of each"):
        assert unused not in page
    assert verify(stated, ledger).valid


def test_a_certificate_of_public_ranges_gives_eta_and_its_formula(ledger):
    typed = {"protect": "every-row", "route": "ridge", "range_x": "-3..3", "range_y": "-3..3"}
    receipt = release(plan("hsic", **typed), pair(), ledger, now=NOW, budget=WIDE)
    (stated,) = certificate(receipt)["releases"]
    assert stated["eta"] == residual_shift(20, 0.01)
    n, ridge, norm = 20, 0.01, 5.0
    s = (math.sqrt(1 + 8 * norm**2) - 1) / (4 * norm)
    assert stated["eta"] == pytest.approx(min(8.0, 8 * math.sqrt(1 - s * s) * (1 + norm * s) / (n * ridge)), rel=1e-5)
    assert "8 sqrt(1 - s^2) (1 + F s)/(n lambda)" in stated["eta_formula"]


def test_a_test_only_certificate_is_for_one_test_row(receipt):
    stated = certificate(receipt)
    assert stated["guarantee"]["unit"] == "one replaced test row"
    assert {"range_x", "ridge", "blocks", "route"} <= set(stated["not_used"])
    assert "eta" not in stated["releases"][0]
