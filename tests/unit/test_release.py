"""One door: judged without data, charged first, drawn once, and nothing but private outputs comes out."""

import json
import math
import re
from datetime import datetime
from decimal import Decimal

import numpy as np
import pytest

from privcause_core.errors import BudgetExceededError, DataError, LedgerError, ParameterError
from privcause_core.fits.anm import fit_anm
from privcause_core.loading import load_bytes
from privcause_core.pair import Direction, Pair
from privcause_core.protection.base import Coverage
from privcause_core.release import (
    Ledger,
    Plan,
    Refused,
    Released,
    certificate,
    certificate_json,
    cohort_of_pair,
    cohort_of_table,
    counts_of,
    new_entry,
    quote,
    release,
    stored_receipt,
    verify,
)
from privcause_core.release import door as door_module
from privcause_core.release.plan import TAKEN_OVER
from privcause_core.release.quote import release_sensitivity
from privcause_core.scores import get_score
from privcause_core.settings import Calibration, ReleaseKind, Settings
from privcause_core.text.typed import parse_decimal
from privcause_core.text.words import delta_note, epsilon_note
from tests.unit.releasing import ALL_SCORES, NOW, WIDE, amount, pair, plan


@pytest.fixture
def ledger(tmp_path):
    return Ledger(tmp_path / "ledger.sqlite")


def spent(ledger, of):
    account = ledger.account(cohort_of_pair(of))
    return account.spent if account else amount("0")


def test_a_release_returns_private_values_and_charges_the_typed_total(ledger):
    one = plan(*ALL_SCORES, epsilon="0.1")
    receipt = release(one, pair(), ledger, now=NOW, budget=WIDE)
    assert [len(outcome.values) for outcome in receipt.outcomes] == [2, 2, 2, 4]
    assert spent(ledger, pair()) == one.cost == amount("0.4", "0.000001")
    assert receipt.time == "2026-01-02T03:04:05+00:00"
    assert stored_receipt(ledger, receipt.entry) == receipt


def test_two_directions_share_the_total_epsilon():
    # m = 100, total 1: Kendall's D = 0.04; two scores at epsilon 1/2 each, or the difference, of sensitivity 2 D, once.
    two = quote(plan(epsilon="1"), 200).terms[0].draws
    one = quote(plan(epsilon="1", release="direction"), 200).terms[0].draws
    assert [(d.count, d.epsilon) for d in (*two, *one)] == [(2, 0.5), (1, 1.0)]
    assert two[0].scale == pytest.approx(0.08, rel=1e-12)
    assert one[0].sensitivity == pytest.approx(0.08, rel=1e-12)
    assert one[0].scale == pytest.approx(0.08, rel=1e-12)


@pytest.mark.parametrize("calibration", Calibration)
@pytest.mark.parametrize("release_kind", ReleaseKind)
@pytest.mark.parametrize("epsilon", ["0.1", "0.3", "1", "1000000", "0.000001"])
def test_the_losses_of_all_draws_never_exceed_the_typed_decimals(epsilon, release_kind, calibration):
    from fractions import Fraction

    for terms in quote(plan(*ALL_SCORES, epsilon=epsilon, release=release_kind, calibration=calibration), 40).terms:
        if terms.score == "iqr":
            losses = (3 if calibration is Calibration.PAPER else 2) * 4 * Fraction(terms.draws[0].epsilon)
            assert Fraction(terms.verdict.delta_per_release) * 4 <= Fraction("1e-6")
        else:
            losses = sum(draws.count * Fraction(draws.epsilon) for draws in terms.draws)
        assert losses <= Fraction(epsilon)
        assert losses >= Fraction(epsilon) * (1 - Fraction(1, 10**9))
        for draws in terms.draws:
            assert Fraction(draws.sensitivity) / Fraction(draws.scale) <= Fraction(draws.epsilon)


@pytest.mark.parametrize("epsilon", ["0.000001", "0.7", "1000000"])
@pytest.mark.parametrize("delta", ["1e-100", "1e-6", "0.3"])
def test_roundings_of_threshold_scale_and_bin_edges_are_paid_for(epsilon, delta):
    terms = quote(plan("iqr", epsilon=epsilon, delta=Decimal(delta), bin_width=0.01), 40).terms[0]
    tests, values = terms.draws
    excess = (Decimal(terms.verdict.single.threshold) - 1) / Decimal(tests.scale)
    unstable_release = 2 * (-excess).exp() / 2  # either of two tests passes at distance 1
    assert unstable_release <= Decimal(delta) / 4
    widest_bin = Decimal(values.sensitivity) + Decimal(2) ** -43  # two edges of size below 1024, each rounded once
    assert (1 + widest_bin / Decimal(values.scale) / Decimal(tests.epsilon)) * 4 * Decimal(tests.epsilon) <= Decimal(
        epsilon
    )


@pytest.mark.parametrize("name", ["spearman", "kendall", "hsic"])
@pytest.mark.parametrize("m", [4, 20, 1000, 10**6])
def test_the_release_sensitivity_is_just_above_the_proved_one(name, m):
    score = get_score(name)
    for calibration in Calibration:
        proved = score.sensitivity(m, calibration)
        used = release_sensitivity(score, proved)
        assert proved * (1.0 + score.rounding_slack) < used <= proved * (1.0 + 2e-9) + 1e-15


def by_blocks(blocks, test_share=0.5):
    return plan("kendall", protect="every-row", route="blocks", blocks=blocks, test_share=test_share)


@pytest.mark.parametrize(
    ("rows", "blocks", "advice"),
    [(60, 10_000, "60 complete rows for 10000 blocks; use at most 7"), (15, 2, "15 complete rows for 2 blocks; bring")],
)
def test_too_many_blocks_for_the_rows_are_refused_naming_both(rows, blocks, advice):
    with pytest.raises(DataError, match="at least 8 rows in each block, to train and to score, got " + advice):
        quote(by_blocks(blocks), rows)


@pytest.mark.parametrize("test_share", [0.05, 0.2, 0.37, 0.5, 0.95])
def test_the_number_of_blocks_that_a_refusal_advises_is_accepted_and_one_more_is_not(test_share):
    with pytest.raises(DataError) as refused:
        quote(by_blocks(10_000, test_share), 1_000)
    most = int(str(refused.value).split("use at most ")[1].split()[0])
    assert quote(by_blocks(most, test_share), 1_000).n_test >= 4
    with pytest.raises(DataError, match=f"use at most {most} blocks"):
        quote(by_blocks(most + 1, test_share), 1_000)


def test_laplace_scores_cost_no_delta_whatever_is_typed(ledger):
    release(plan("spearman", epsilon="1", delta=Decimal("0.05")), pair(), ledger, now=NOW)
    assert spent(ledger, pair()) == amount("1", "0")


def test_a_delta_that_permits_publishing_rows_is_warned_about():
    def about_delta(delta):
        return [w for w in quote(plan("iqr", delta=Decimal(delta)), 200).warnings if "whole rows" in w]

    assert about_delta("0.05") == [delta_note(Decimal("0.05"), 100)]
    assert about_delta("0.01")
    assert not about_delta("0.0099")
    assert not [w for w in quote(plan("kendall", delta=Decimal("0.05")), 200).warnings if "whole rows" in w]


CONSTANT_RESIDUAL = Pair("c", "x", "y", np.arange(30.0), np.r_[np.zeros(29), 1.0])


def test_a_refusal_costs_as_much_as_an_answer(ledger):
    typed = plan("iqr", epsilon="0.5")
    for _ in range(3):
        receipt = release(typed, CONSTANT_RESIDUAL, ledger, now=NOW, budget=amount("2", "1e-5"))
        assert isinstance(receipt.outcomes[0], Refused)
    account = ledger.account(cohort_of_pair(CONSTANT_RESIDUAL))
    assert [charge.cost for charge in account.history] == [amount("0.5", "1e-6")] * 3


def test_a_plan_beyond_the_budget_costs_nothing_and_draws_nothing(ledger, monkeypatch):
    monkeypatch.setattr(Coverage, "fit", lambda *_: pytest.fail("looked at the data"))
    with pytest.raises(BudgetExceededError):
        release(plan(epsilon="1.5"), pair(), ledger, now=NOW)
    assert spent(ledger, pair()) == amount("0")


@pytest.mark.parametrize("epsilon", ["1e-300", "1e-320", "1e-400", "0", "-1", "nan", "inf", "1e7", "1e400"])
def test_an_extreme_epsilon_is_refused_before_anything_else(epsilon):
    with pytest.raises(ParameterError, match="epsilon"):
        plan(epsilon=epsilon)


def test_a_million_is_released_with_a_warning_and_a_comma_is_a_point(ledger):
    million = plan(epsilon="1e6")
    assert epsilon_note(million.cost.epsilon) in quote(million, 40).warnings
    assert parse_decimal("epsilon", "0,5") == Decimal("0.5")
    receipt = release(million, pair(), ledger, now=NOW, budget=amount("1e6"))
    assert all(math.isfinite(value) for value in receipt.outcomes[0].values)


@pytest.mark.parametrize(
    "changes",
    [
        {"scores": ()}, {"scores": ("kendall", "kendall")}, {"scores": ("pearson",)}, {"epsilon": 0.1},
        {"delta": Decimal(0)}, {"delta": Decimal("0.6")}, {"delta": 1e-6}, {"bin_width": 0.0}, {"bandwidth": math.inf},
        {"test_share": 1.0}, {"release": "both"}, {"protect": "every-row", "route": "ridge"},
        {"rows_per_person": 0}, {"rows_per_person": 1.5}, {"rows_per_person": True},
        {"calibration": "loose"},
    ],
    ids=str,
)  # fmt: skip
def test_a_bad_plan_is_refused_without_data(changes):
    own = {name: value for name, value in changes.items() if name not in TAKEN_OVER}
    knobs = {name: value for name, value in changes.items() if name in TAKEN_OVER}
    with pytest.raises(ParameterError):
        Plan(**{"scores": ("kendall",), "epsilon": Decimal("0.1")} | own, settings=Settings(**knobs))


def test_too_few_rows_are_refused_before_the_charge(ledger):
    few = pair(rows=7)
    with pytest.raises(DataError, match="at least 4 test rows"):
        release(plan(), few, ledger, now=NOW)
    assert spent(ledger, few) == amount("0")


def test_a_release_needs_a_time_with_its_zone(ledger):
    with pytest.raises(ParameterError, match="time zone"):
        release(plan(), pair(), ledger, now=datetime(2026, 1, 1))


def test_a_second_click_with_the_same_entry_charges_and_draws_nothing(ledger, monkeypatch):
    entry = new_entry()
    first = release(plan(), pair(), ledger, now=NOW, entry=entry)
    monkeypatch.setattr(door_module, "SecureNoise", lambda: pytest.fail("drew again"))
    assert release(plan(), pair(), ledger, now=NOW, entry=entry) == first
    assert spent(ledger, pair()) == amount("0.1")


def test_a_charged_entry_without_a_result_says_so(ledger, monkeypatch):
    entry = new_entry()
    monkeypatch.setattr(Coverage, "fit", lambda *_: (_ for _ in ()).throw(MemoryError))
    with pytest.raises(MemoryError):
        release(plan(), pair(), ledger, now=NOW, entry=entry)
    with pytest.raises(LedgerError, match="charged but its result is not recorded"):
        stored_receipt(ledger, entry)
    assert spent(ledger, pair()) == amount("0.1")


def test_a_result_that_cannot_be_recorded_is_not_returned(ledger, monkeypatch):
    def fail(*_):
        raise LedgerError("The disk is full.")

    monkeypatch.setattr(Ledger, "record", fail)
    with pytest.raises(LedgerError, match=r"budget is spent.*lost: The disk is full"):
        release(plan(), pair(), ledger, now=NOW)
    assert spent(ledger, pair()) == amount("0.1")


def test_four_releases_of_the_same_rows_differ_in_all_eight_values_and_none_is_the_true_one(ledger, monkeypatch):
    true, real = [], Coverage.fit
    monkeypatch.setattr(Coverage, "fit", lambda *args: true.append(real(*args)) or true[-1])
    receipts = [release(plan(), pair(), ledger, now=NOW) for _ in range(4)]
    scores = {get_score("kendall").evaluate(fitted.scored, Settings()) for fitted in true}
    assert len(scores) == 1  # one deal for ever
    ((xy, yx),) = ((one.xy, one.yx) for one in scores)
    values = {value for receipt in receipts for value in receipt.outcomes[0].values}
    assert len(values - {xy, yx}) == 8


def test_another_test_share_of_the_same_table_is_refused(ledger):
    release(plan(), pair(), ledger, now=NOW)
    with pytest.raises(LedgerError, match=r"Expected test share 0\.5"):
        release(plan(test_share=0.4), pair(), ledger, now=NOW)
    release(plan("hsic"), pair().swapped(), ledger, now=NOW)
    assert spent(ledger, pair()) == amount("0.2")


TABLE = "dose,effect\n" + "\n".join(f"{k * 37 % 24 / 8},{k * k % 19 / 4}" for k in range(24))


@pytest.mark.parametrize("cell", ["0.5", "1e400", "inf", "nan", "1e300"])
@pytest.mark.parametrize("kind", ReleaseKind)
def test_an_unusable_number_ends_in_a_finite_release_like_any_other(ledger, cell, kind):
    # The public rule: a row without two finite numbers is incomplete and left out; m is what remains.
    rows = TABLE.split("\n")
    rows[5] = f"{rows[5].split(',')[0]},{cell}"
    table = load_bytes("\n".join(rows).encode(), "t.csv").tables[0]
    data = table.pair(0, 1)
    receipt = release(
        plan("spearman", "kendall", "hsic", release=kind), data, ledger, now=NOW,
        cohort=cohort_of_table(table, 0, 1, data), budget=WIDE,
    )  # fmt: skip
    assert all(np.isfinite(outcome.values).all() for outcome in receipt.outcomes)


@pytest.mark.parametrize(
    "data",
    [
        Pair("constant", "x", "y", np.ones(40), np.ones(40)),
        Pair("tied", "x", "y", np.tile([0.0, 1.0], 20), np.repeat([0.0, 1.0], 20)),
        Pair("exact", "x", "y", np.arange(40.0), 2 * np.arange(40.0)),
    ],
    ids=lambda p: p.name,
)
def test_constant_tied_and_exact_data_take_the_same_path(ledger, data):
    receipt = release(plan(*ALL_SCORES, epsilon="1"), data, ledger, now=NOW, budget=WIDE)
    assert all(isinstance(outcome, Released) for outcome in receipt.outcomes[:3])
    assert {outcome.direction for outcome in receipt.outcomes[:3]} <= {Direction.X_TO_Y, Direction.Y_TO_X}
    assert spent(ledger, data) == amount("4", "1e-6")


def test_neighbours_get_the_same_warnings_refusals_and_public_facts(tmp_path):
    y = pair().y.copy()
    y[13] = 987654.32
    receipts = [
        release(
            plan(*ALL_SCORES), Pair("t", "x", "y", pair().x, values), Ledger(tmp_path / f"{name}.sqlite"), now=NOW,
            budget=WIDE,
        )
        for name, values in (("one", pair().y), ("other", y))
    ]  # fmt: skip
    public = []
    for receipt in receipts:
        issued = certificate(receipt)
        for volatile in ("entry", "time", "signature"):
            del issued[volatile]
        for one in issued["releases"]:
            del one["outcome"]
        public.append((issued, receipt.quote))
    assert public[0] == public[1]


def test_no_number_of_the_data_reaches_what_is_exported_or_stored(ledger):
    y = pair().y.copy()
    y[13] = 987654.32
    data = Pair("t", "x", "y", pair().x, y)
    receipt = release(plan(*ALL_SCORES), data, ledger, now=NOW, budget=WIDE)
    exported = certificate_json(receipt) + json.dumps(ledger.account(cohort_of_pair(data)).history[0].purpose)
    exported += "".join(path.read_bytes().decode("latin-1") for path in ledger.path.parent.iterdir())
    drawn = json.dumps([one["outcome"] for one in certificate(receipt)["releases"]])
    for number in re.findall(r"[0-9]+\.[0-9]+", drawn):  # noise may hold any digits
        exported = exported.replace(number, "")
    fit = fit_anm(data, Settings())
    telling = [987654, *data.x, *data.y, data.x.mean(), data.y.mean(), *np.quantile(data.y, [0.25, 0.5, 0.75])]
    telling += [fit.scaling_x.centre, fit.scaling_x.scale, fit.scaling_y.centre, fit.scaling_y.scale]
    for score in ALL_SCORES:
        scores = get_score(score).evaluate(fit.scored, Settings())
        telling += [scores.xy, scores.yx]
    for value in telling:
        assert f"{float(value):.6g}" not in exported, value


def holed(rows=60, gone=range(0, 60, 7)):
    x, y = pair(rows).x, pair(rows).y
    cells = zip(x.tolist(), y.tolist(), strict=True)
    text = "x,y\n" + "".join(f"{'' if k in gone else u},{v}\n" for k, (u, v) in enumerate(cells))
    table = load_bytes(text.encode(), "holed.csv").tables[0]
    data = table.pair(0, 1)
    return data, cohort_of_table(table, 0, 1, data)


def test_all_rows_are_dealt_and_the_complete_ones_of_each_half_are_counted_afterwards(ledger):
    data, cohort = holed()
    priced = quote(plan(), counts_of(cohort, plan()))
    assert priced.counts.about
    assert (priced.n_train, priced.n_test) == (26, 26)  # expected: 51 of 60 rows are complete
    receipt = release(plan(), data, ledger, now=NOW, cohort=cohort)
    public = certificate(receipt)["public"]
    assert (public["rows"], public["complete_rows"]) == (60, 51)
    assert public["n_train"] + public["n_test"] == 51
    assert not receipt.quote.counts.about
    assert receipt.quote.terms[0].draws[0].sensitivity == pytest.approx(4 / public["n_test"])
    assert verify(certificate(receipt), ledger).valid


def test_blocks_never_say_how_many_rows_are_complete(ledger):
    typed = plan(protect="every-row", blocks=3)
    for gone in (range(0, 60, 7), range(50)):  # blocks without enough complete rows abstain
        data, cohort = holed(gone=gone)
        stated = certificate(release(typed, data, ledger, now=NOW, cohort=cohort))
        assert stated["public"] == {"rows": 60, "blocks": 3, "rows_in_smallest_block": 20}
        assert "complete or not" in stated["guarantee"]["public_facts"]
        assert "complete" not in json.dumps(ledger.account(cohort).history[-1].purpose)


def test_a_half_with_too_few_complete_rows_is_refused_before_any_charge_and_draws_no_deal(tmp_path):
    """Eight complete rows: a deal puts four into either half in about every fourth new ledger; others are refused."""
    data, cohort = holed(gone=range(52))
    suited = set()
    for number in range(40):
        ledger = Ledger(tmp_path / f"{number}.sqlite")
        try:
            release(plan(), data, ledger, now=NOW, cohort=cohort)
        except DataError as error:
            suited.add("complete test rows" in str(error) and ledger.account(cohort) is None)
    assert suited == {True}


def test_typed_settings_make_the_same_plan():
    assert Plan.from_settings(Settings(epsilon=0.1)) == Plan(("likelihood",), Decimal("0.1"))
    assert {"spearman", "kendall", "hsic", "iqr"} <= set(Plan.from_settings(Settings(score="all")).scores)


def test_a_plan_survives_json():
    typed = plan(*ALL_SCORES, epsilon="0.30000000000000000000001", delta=Decimal("3e-9"), rows_per_person=7)
    assert Plan.from_dict(json.loads(json.dumps(typed.to_dict()))) == typed
    for broken in ({}, typed.to_dict() | {"extra": 1}, typed.to_dict() | {"scores": "kendall"}):
        with pytest.raises(ParameterError):
            Plan.from_dict(broken)
