"""A certificate says everything, claims only what can be recomputed, and stays text whatever the columns are called."""

import copy
import json
import math
import re
import sqlite3
from dataclasses import replace
from decimal import Decimal
from html.parser import HTMLParser

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from plotly.offline import get_plotlyjs

from privcause_core.errors import DataError, LedgerError
from privcause_core.fits.public_ridge import residual_shift
from privcause_core.ledger import dealing
from privcause_core.pair import Direction, Pair
from privcause_core.release import (
    Ledger,
    Receipt,
    certainty_for,
    certificate,
    certificate_json,
    confidence_in_arrow,
    margin_interval,
    quote,
    receipt_of,
    release,
    value_interval,
    verify,
)
from privcause_core.release.certificate import plain_formula, signed
from privcause_core.release.counts import Counts
from privcause_core.report import public_report
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
    return Receipt(
        "id", NOW.isoformat(), plan(*scores, **changes), "t", "x", "y", Counts(40, 40), (("privcause", "0"),), outcomes
    )


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
    assert "one row of the table that was dealt to the test half" in issued["guarantee"]["neighbours"]
    assert "in whatever order the file holds it" in issued["guarantee"]["unit"]
    assert "nobody outside knows which rows were scored" in issued["guarantee"]["dealing"]
    assert issued["guarantee"]["composition"].startswith("basic")
    assert issued["public"] == {"rows": 40, "complete_rows": 40, "n_train": 20, "n_test": 20}
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
def test_refusals_and_zero_iqrs_survive_json(outcome, ledger):
    issued = signed(made((outcome,), "iqr"), ledger)
    text = certificate_json(issued)
    assert receipt_of(json.loads(text)) == issued
    assert verify(json.loads(text), key=ledger.public_key()).valid
    page = public_report(json.loads(text))
    assert ("No arrow." in page) == isinstance(outcome, Refused)


def test_a_true_certificate_is_vouched_for_by_its_ledger_or_its_key_and_unknown_without_either(receipt, ledger):
    values = json.loads(certificate_json(receipt))
    checked = verify(values, ledger)
    assert [check.holds for check in checked.checks] == [True] * 5
    assert checked.valid
    by_key = verify(values, key=ledger.public_key())
    assert by_key.valid
    assert by_key.checks[-1].holds is None
    without = verify(values)
    assert without.valid is None
    assert [check.holds for check in without.checks] == [True, True, True, None, None]


def test_the_signature_is_over_every_word_in_canonical_json(receipt, ledger):
    values = json.loads(certificate_json(receipt))
    stated = values.pop("signature")
    assert stated["algorithm"] == "Ed25519"
    assert stated["public_key"] == ledger.public_key()
    content = values | {"signature": {name: stated[name] for name in ("algorithm", "public_key")}}
    plain = json.dumps(content, sort_keys=True, separators=(",", ":")).encode("ascii")
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(stated["public_key"]))
    key.verify(bytes.fromhex(stated["signature"]), plain)


FORGERIES = {
    "a smaller cost": (("guarantee", "epsilon"), "1"),
    "more protection": (("guarantee", "protected"), "every row"),
    "a smaller scale": (("releases", 0, "draws", 0, "noise_scale"), 0.01),
    "a smaller sensitivity": (("releases", 1, "sensitivity_proved"), 0.1),
    "another arrow": (("releases", 0, "outcome", "direction"), "neither"),
    "more confidence": (("releases", 0, "outcome", "confidence_in_direction"), 0.9999),
    "a claim of its own": (("guarantee", "note"), "safe"),
    "more rows": (("public", "n_test"), 30),
    "rows of its own": (("public", "rows"), 50),
    "another plan": (("plan", "epsilon"), "1"),
    "a seed": (("plan", "seed"), 1),
    "another released value": (("releases", 0, "outcome", "values", "score_xy", "value"), 0.5),
    "no number": (("releases", 0, "outcome", "values", "score_xy", "value"), True),
    "another format": (("format",), "privcause-certificate/0"),
    "no plan": (("plan",), None),
    "a score that is not": (("plan", "scores"), ["pearson"]),
    "an outcome missing": (("plan", "scores"), ["spearman"]),
    "rows as text": (("public", "complete_rows"), "many"),
    "another study": (("pair", "name"), "another study"),
    "another time": (("time",), "2027-01-01T00:00:00+00:00"),
    "another entry": (("entry",), "invented"),
    "another signature": (("signature", "signature"), "00" * 64),
    "no hexadecimal": (("signature", "signature"), "signed"),
    "a key too short": (("signature", "public_key"), "ab"),
}


def forged(values, path, value):
    made_up = copy.deepcopy(values)
    place = made_up
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return made_up


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_changed_certificate_is_refused_without_the_ledger(receipt, forgery):
    assert verify(forged(certificate(receipt), *FORGERIES[forgery])).valid is False


def test_an_invented_certificate_is_unknown_by_itself_and_refused_by_who_knows_the_holder(receipt, ledger, tmp_path):
    """Consistent in every number, and signed with the inventor's own key."""
    stranger = Ledger(tmp_path / "stranger.sqlite")
    invented = certificate(signed(replace(receipt, pair_name="another study"), stranger))
    assert verify(invented).valid is None
    assert verify(invented, key=ledger.public_key()).valid is False
    assert verify(invented, ledger).valid is False
    again = certificate(signed(replace(receipt, pair_name="another study"), ledger))
    assert "found, but with other content" in verify(again, ledger).checks[-1].finding
    again = certificate(signed(replace(receipt, entry="invented"), ledger))
    assert "no release of that id" in verify(again, ledger).checks[-1].finding


def test_a_certificate_without_its_signature_is_refused(receipt, ledger):
    bare = certificate(receipt)
    del bare["signature"]
    assert verify(bare).valid is False
    assert verify(bare, ledger).valid is False


def test_the_signing_key_is_made_once_and_for_its_owner_only(receipt, ledger):
    assert ledger.key_path.stat().st_mode & 0o077 == 0
    assert Ledger(ledger.path).public_key() == receipt.signature.public_key
    assert Ledger(ledger.path).signers() == {receipt.signature.public_key}


def test_a_ledger_whose_key_was_lost_makes_another_and_still_knows_its_old_certificates(receipt, ledger):
    ledger.key_path.unlink()
    other = release(plan(), pair(), ledger, now=NOW)
    assert other.signature.public_key != receipt.signature.public_key
    assert verify(certificate(receipt), ledger).valid
    assert verify(certificate(other), ledger).valid


@pytest.mark.parametrize("content", ["", "zz", "ab" * 31])
def test_a_damaged_signing_key_is_one_sentence_and_the_budget_stays_spent(ledger, content):
    ledger.key_path.write_text(content)
    with pytest.raises(LedgerError, match=r"budget is spent.*signing key .* (damaged|cannot be read)"):
        release(plan(), pair(), ledger, now=NOW)


@pytest.mark.parametrize("rubbish", [{}, {"format": "privcause-certificate/1"}, {"format": 1, "plan": []}])
def test_what_is_no_certificate_is_one_failed_check(rubbish):
    assert [check.holds for check in verify(rubbish).checks] == [False]
    with pytest.raises(DataError):
        receipt_of(rubbish)


def test_nothing_published_holds_the_permutation_its_key_or_its_seed(ledger, monkeypatch):
    keys = []
    real = dealing.secret_permutation
    monkeypatch.setattr(dealing, "secret_permutation", lambda key, rows: keys.append(key) or real(key, rows))
    receipt = release(plan(), pair(), ledger, now=NOW)
    published = certificate_json(receipt) + public_report(certificate(receipt))
    with sqlite3.connect(ledger.path) as db:
        ((nonce,),) = db.execute("SELECT nonce FROM deal").fetchall()
    (key,) = {key.hex() for key in keys}
    for secret in (nonce, key, '"seed"', "seed of", ledger.secret_path.read_text(), ledger.key_path.read_text()):
        assert secret not in published.replace("seed of the split", "")
    order = real(bytes.fromhex(key), 40).tolist()
    assert ", ".join(map(str, order[:5])) not in published


def test_people_with_several_rows_are_promised_as_many_times_epsilon(ledger):
    """Twenty visits a patient at epsilon 1: 20, and the best guess about a patient is 1/(1 + e^-20)."""
    typed = plan("kendall", epsilon="1", rows_per_person=20, protect="every-row", blocks=4)
    said = " ".join(quote(typed, 1000).warnings)
    assert "For a person with 20 rows the promise is epsilon 20, delta 0" in said
    assert "on a person the best attacker gets on average at most 100.0 right" in said
    receipt = release(typed, pair(), ledger, now=NOW)
    person = certificate(receipt)["guarantee"]["person"]
    assert person == {"rows_at_most": 20, "epsilon": "20", "delta": "0", "best_guess": 0.9999999979388463}
    page = public_report(certificate(receipt))
    assert "up to 20 rows" in page
    assert "a person the best attacker gets on average at most 100.0 right" in page
    assert verify(certificate(receipt), ledger).valid


def test_the_delta_of_a_person_grows_as_group_privacy_says_and_never_beyond_1():
    typed = plan("iqr", epsilon="0.5", rows_per_person=3, delta=Decimal("1e-6"))
    assert typed.person.epsilon == Decimal("1.5")
    exact = 3 * math.exp(1.0) * 1e-6
    assert exact <= float(typed.person.delta) <= exact * 1.000001
    assert plan("iqr", epsilon="10", rows_per_person=1000).person.delta == 1
    assert plan("iqr", epsilon="0.5").person == plan("iqr", epsilon="0.5").cost


def test_several_rows_a_person_and_test_rows_only_is_warned_about():
    said = " ".join(quote(plan("kendall", rows_per_person=2), 1000).warnings)
    assert "protect every row" in said


@pytest.mark.parametrize(("margin", "undecided"), [(0.01, True), (0.9, False)])
def test_a_margin_whose_interval_includes_0_is_headed_undecided(ledger, margin, undecided):
    outcome = Released((0.0, margin), margin, Direction.X_TO_Y)
    stated = certificate(signed(made((outcome,), "kendall", epsilon="2"), ledger))
    low, high = stated["releases"][0]["outcome"]["margin"]["interval"]
    assert (low <= 0 <= high) == undecided == stated["releases"][0]["outcome"]["undecided"]
    page = public_report(stated)
    assert ("Undecided at 95 %" in page) == undecided
    assert ("the noise alone could have made this arrow" in page) == undecided
    assert ('<p class="answer">x → y (ε private)</p>' in page) != undecided


def without_plotly(page):
    return page.replace(f"<script>{get_plotlyjs()}</script>", "")


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
    parser.feed(without_plotly(public_report(issued)))
    assert not {tag for tag, _ in parser.tags} & {"img", "strong", "a"}
    assert not any(name.startswith("on") for _, attributes in parser.tags for name in attributes)
    assert HOSTILE[1] in parser.text
    assert HOSTILE[0] in parser.text


def test_the_page_fetches_nothing(receipt):
    page = without_plotly(public_report(certificate(receipt)))
    assert "default-src 'none'" in page
    assert "src=" not in page.replace("default-src=", "")
    assert set(re.findall(r"https?://[^\"]*", page)) <= {"http://www.w3.org/2000/svg"}  # a name, not an address


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
    assert stated["public"] == {"rows": 40, "blocks": 4, "rows_in_smallest_block": 10}
    assert {"release", "calibration", "ridge", "delta", "bin_width", "soft_width"} <= set(stated["not_used"])
    assert "bandwidth" not in stated["not_used"]
    page = without_plotly(public_report(stated)).split("<pre")[0]
    assert "one replaced row of the table, in whatever order the file holds it" in page
    assert "test half" not in page
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
    assert stated["guarantee"]["unit"].startswith("one replaced row of the table that was dealt to the test half")
    assert {"range_x", "ridge", "blocks", "route"} <= set(stated["not_used"])
    assert "eta" not in stated["releases"][0]
