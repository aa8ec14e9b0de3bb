"""What a mutation run found unguarded between plan and certificate: edges of counts, what is drawn, what is said."""

import json
import math
from decimal import Decimal

import numpy as np
import pytest

from privcause_core.errors import DataError, LedgerError, ParameterError
from privcause_core.ledger import cohort_of_pair
from privcause_core.ledger.cohort import cohort_of_table
from privcause_core.loading import Reading, load_bytes
from privcause_core.noise.secure import SecureNoise
from privcause_core.pair import Direction, Pair
from privcause_core.protection.base import Coverage
from privcause_core.protection.choice import coverage
from privcause_core.protection.voting_blocks import count_votes
from privcause_core.release import (
    Counts,
    Ledger,
    Plan,
    Released,
    certificate_json,
    confidence_text,
    counts_of,
    margin_interval,
    new_entry,
    quote,
    release,
    stored_receipt,
)
from privcause_core.scores import get_score
from privcause_core.settings import FEW_TEST_ROWS, Settings
from tests.unit.releasing import NOW, WIDE, amount, charge, pair, plan
from tests.unit.test_certificate import made


@pytest.fixture
def ledger(tmp_path):
    return Ledger(tmp_path / "ledger.sqlite")


@pytest.fixture
def deals(monkeypatch):
    """Take the noise away, and gather how rows are dealt."""
    seen, real = [], Ledger.charge
    monkeypatch.setattr(SecureNoise, "add_laplace", lambda _, values, *__: values)
    monkeypatch.setattr(Ledger, "charge", lambda *args, **more: seen.append(real(*args, **more)) or seen[-1])
    return seen


def holed(complete, rows=60):
    """Return a table whose last rows lack a value, as cohort and pair."""
    rng = np.random.default_rng(3)
    cells = rng.normal(size=(rows, 2)).round(6).tolist()
    lines = (f"{x},{y if k < complete else ''}" for k, (x, y) in enumerate(cells))
    (table,) = load_bytes("\n".join(("dose,effect", *lines)).encode(), "trial.csv").tables
    data = table.pair(0, 1)
    return cohort_of_table(table, 0, 1, data), data


def test_a_confidence_is_cut_after_four_decimals_and_a_millionth_short_of_1_is_said_as_a_number():
    assert confidence_text(0.5000005) == "50 %"
    assert confidence_text(0.999999) == "99.9999 %"


def test_even_a_small_confidence_has_an_interval_where_four_draws_are_added():
    """The sum of four draws of scale 1 is within 0.3128 in a tenth of all cases."""
    (terms,) = quote(plan("iqr", epsilon="1"), 400).terms
    reach = margin_interval(terms, Released((), 0.0, Direction.X_TO_Y), 0.1).high / terms.noise_scale
    noise = np.random.default_rng(0).laplace(size=(400_000, 4)).sum(axis=1)
    assert float(np.mean(np.abs(noise) <= reach)) == pytest.approx(0.1, abs=0.003)


def test_four_complete_rows_in_either_half_are_enough_and_three_are_refused():
    assert Counts(60, 8, (4, 4)).sizes(get_score("kendall"), plan()) == (4, 4)
    for halves in ((3, 5), (5, 3)):
        with pytest.raises(DataError) as refused:
            Counts(60, 8, halves).sizes(get_score("kendall"), plan())
        assert str(refused.value) == (
            "Expected at least 4 complete test rows and 4 complete training rows of 60 rows; bring more complete rows "
            "or change the test share."
        )


def test_blocks_have_the_size_of_the_table_however_many_rows_are_complete():
    assert Counts(60, 51, (26, 25)).sizes(get_score("kendall"), plan(protect="every-row", blocks=3)) == (10, 10)


def test_a_plan_that_hides_which_rows_are_complete_is_priced_for_all_rows():
    cohort, _ = holed(51)
    assert counts_of(cohort, plan("likelihood")) == Counts(60, 60)
    assert counts_of(cohort, plan("likelihood", "kendall")) == Counts(60, 51)


def test_the_id_of_an_entry_has_192_bits():
    assert len(new_entry()) == 32  # six bits a character


@pytest.mark.parametrize("name", ["hsic", "likelihood"])
def test_what_is_noised_are_the_scores_of_the_secret_deal(ledger, deals, name):
    cohort, data = holed(51)
    receipt = release(plan(name), data, ledger, now=NOW, cohort=cohort)
    way, score = coverage(Settings(score=name)), get_score(name)
    both = way.compare(score, data, way.fit(data, deals[0]))
    assert (both.xy, both.yx) != (0.0, 0.0)
    assert receipt.outcomes[0].values == (both.xy, both.yx)


def test_what_is_noised_are_the_votes_of_the_secret_blocks(ledger, deals):
    receipt = release(plan("hsic", protect="every-row", blocks=3), pair(), ledger, now=NOW)
    votes = count_votes(pair(), get_score("hsic"), Settings(score="hsic", blocks=3), deals[0])
    assert votes.for_xy + votes.for_yx == 3
    assert receipt.outcomes[0].margin == votes.for_xy - votes.for_yx


@pytest.mark.parametrize(("halves", "scored"), [((3, 8), False), ((4, 1), True), ((5, 0), False)])
def test_four_training_rows_and_one_test_row_are_scored_where_completeness_is_private(
    ledger, monkeypatch, halves, scored
):
    """With fewer every row abstains: no refusal may tell how many rows are complete."""
    train, test = np.arange(halves[0]), np.arange(halves[0], sum(halves))

    class Dealt:
        def halves(self, _, __):
            return type("Halves", (), {"train": train, "test": test, "n_test": 30, "places": np.arange(test.size)})()

    monkeypatch.setattr(Ledger, "charge", lambda *_, **__: Dealt())
    monkeypatch.setattr(Ledger, "record", lambda *_: None)
    fits = []
    monkeypatch.setattr(Coverage, "fit", lambda *_: fits.append(1) or pytest.fail("no matter what is fitted"))
    cohort, data = holed(sum(halves))
    if scored:
        with pytest.raises(pytest.fail.Exception):
            release(plan("likelihood"), data, ledger, now=NOW, cohort=cohort)
    else:
        release(plan("likelihood"), data, ledger, now=NOW, cohort=cohort)
    assert bool(fits) == scored


def test_the_ledger_keeps_what_was_planned_and_for_which_columns(ledger):
    cohort, data = holed(51)
    release(plan(), data, ledger, now=NOW, cohort=cohort)
    kept = dict(ledger.account(cohort).history[0].purpose)
    assert kept == {
        "pair": data.name, "x": "dose", "y": "effect", "rows": 60, "complete_rows": 51, **plan().to_dict(),
    }  # fmt: skip
    release(plan("likelihood"), data, ledger, now=NOW, cohort=cohort)
    assert "complete_rows" not in ledger.account(cohort).history[1].purpose


def test_a_declared_reading_is_on_the_receipt(ledger):
    declared = Reading(separator="tab", skip=2)
    receipt = release(plan(), pair(), ledger, now=NOW, reading=declared)
    assert receipt.reading == stored_receipt(ledger, receipt.entry).reading == declared


def test_names_that_are_no_text_are_released_under_a_question_mark(ledger):
    data = Pair("a\udcff", "b\udcff", "c\udcff", pair().x, pair().y)
    receipt = release(plan(), data, ledger, now=NOW)
    assert (receipt.pair_name, receipt.x_name, receipt.y_name) == ("a?", "b?", "c?")


def test_whole_numbers_are_released_as_doubles(ledger, monkeypatch):
    seen, real = [], Coverage.fit
    monkeypatch.setattr(Coverage, "fit", lambda way, data, deal: seen.append(data) or real(way, data, deal))
    whole = Pair("p", "x", "y", 2**53 + np.arange(40), 2**54 - np.arange(40) ** 2)
    assert whole.x.dtype.kind == whole.y.dtype.kind == "i"
    release(plan(), whole, ledger, now=NOW)
    assert [(one.x.dtype, one.y.dtype) for one in seen] == [(np.float64, np.float64)]


def test_refusals_of_the_door_are_these_sentences(ledger):
    with pytest.raises(ParameterError) as refused:
        release(plan(), pair(), ledger, now=NOW.replace(tzinfo=None))
    assert str(refused.value) == "Expected the time of a release with its time zone."
    charge(ledger, cohort_of_pair(pair()), amount("0.1"), entry="begun")
    with pytest.raises(LedgerError) as lost:
        stored_receipt(ledger, "begun")
    assert str(lost.value) == (
        "This release was charged but its result is not recorded: it is still being drawn, or was interrupted; the "
        "budget stays spent."
    )


def test_no_distance_is_possible_or_needed_for_a_score_without_a_test():
    (terms,) = quote(plan("kendall"), 400).terms
    assert terms.largest_distance(200) == 0
    assert terms.distance_needed(0.5) is None


def test_a_quote_says_who_is_not_protected_and_then_what_a_person_is_promised():
    first, second, third, *_ = quote(plan("kendall", epsilon="1", rows_per_person=2), 1000).warnings
    assert first == (
        "Only the 500 test rows are protected: the training rows shape the fitted curves and have no guarantee."
    )
    assert second.startswith("For a person with 2 rows the promise is epsilon 2, delta 0: 2 times that of a row. ")
    assert third == (
        "A person with 2 rows has hardly ever all of them among the test rows, and the others have no guarantee: "
        "protect every row."
    )


def test_a_release_that_the_largest_possible_distance_just_allows_is_not_called_unlikely():
    (terms,) = quote(plan("iqr", epsilon="2"), 2000).terms
    needed = terms.distance_needed(0.5)
    rows = next(m for m in range(20, 4000) if terms.largest_distance(m) >= needed)
    assert terms.largest_distance(rows) == needed
    assert not [said for said in quote(plan("iqr", epsilon="2"), 2 * rows).warnings if "unlikely" in said]
    assert [said for said in quote(plan("iqr", epsilon="2"), 2 * rows - 8).warnings if "unlikely" in said]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"epsilon": 0.1}, "Expected epsilon as a decimal number, got 0.1."),
        ({"scores": ("kendall", "kendall")}, "Expected one or several different scores, got ['kendall', 'kendall']."),
        ({"rows_per_person": 0}, "Expected rows per person between 1 and 1e+06, got 0."),
    ],
    ids=["epsilon", "scores", "person"],
)
def test_a_bad_plan_is_told_what_was_expected(changes, said):
    with pytest.raises(ParameterError) as refused:
        Plan(**{"scores": ("kendall",), "epsilon": Decimal(1)} | changes)
    assert str(refused.value) == said


def test_a_plan_for_one_score_has_the_settings_of_that_score():
    assert plan("hsic").settings.score == "hsic"
    assert plan("hsic", "kendall").settings.score == "all"


def test_a_stored_plan_is_told_what_was_expected():
    with pytest.raises(ParameterError) as refused:
        Plan.from_dict(plan().to_dict() | {"extra": 1})
    assert str(refused.value).startswith("Expected a plan with bandwidth, bin_width, blocks, calibration, delta, ")
    with pytest.raises(ParameterError, match=r"^Expected epsilon "):
        Plan.from_dict(plan().to_dict() | {"epsilon": "much"})


def test_a_person_with_one_row_is_promised_every_digit_of_delta():
    assert plan("iqr", delta=Decimal("1.23456789e-6")).person.delta == Decimal("1.23456789e-6")


def test_a_certificate_is_never_written_with_what_is_no_number_or_with_fewer_values_than_the_verdict_gives():
    for outcome in (Released((0.5,), 0.5, Direction.X_TO_Y), Released((0.0, math.nan), math.nan, Direction.X_TO_Y)):
        with pytest.raises(ValueError, match=r"shorter|not JSON compliant"):
            certificate_json(made((outcome,), "kendall"))


def test_an_interval_that_ends_at_0_leaves_the_arrow_undecided():
    (terms,) = quote(plan("kendall", epsilon="2"), 40).terms
    reach = margin_interval(terms, Released((), 0.0, Direction.X_TO_Y), 0.95).high
    for margin in (reach, -reach):
        stated = json.loads(
            certificate_json(made((Released((0.0, margin), margin, Direction.X_TO_Y),), "kendall", epsilon="2"))
        )
        outcome = stated["releases"][0]["outcome"]
        assert 0.0 in outcome["margin"]["interval"]
        assert outcome["undecided"] is True


def test_few_test_rows_and_noise_beyond_the_range_are_said_from_the_limit_on():
    way, kendall = coverage(Settings()), get_score("kendall")
    assert way.few_rows(1_000, FEW_TEST_ROWS) == ""
    assert way.few_rows(1_000, 9) == f"Only 9 test rows: with fewer than {FEW_TEST_ROWS} the scores say little."
    assert way.drowned(kendall, 1.0, 40) == ""
    assert way.drowned(kendall, 1.5, 40).endswith("the noise scale 1.5 exceeds the score's whole range of 1.")


def test_protected_are_the_test_rows_or_all():
    assert coverage(Settings()).protected_rows(1_000, 40) == 40
    assert coverage(Settings(protect="every-row")).protected_rows(1_000, 40) == 1_000


def test_the_software_of_a_certificate_is_named_with_its_versions(ledger):
    versions = dict(release(plan(), pair(), ledger, now=NOW, budget=WIDE).versions)
    assert list(versions) == ["privcause", "opendp", "python"]
    assert all(version[0].isdigit() for version in versions.values())
