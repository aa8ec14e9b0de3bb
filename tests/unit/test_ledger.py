"""Budgets are exact, an account is a table, a split is for ever, and nothing is ever changed."""

import json
import sqlite3
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from privcause_core.errors import BudgetExceededError, LedgerError, ParameterError
from privcause_core.ledger import Ledger, Split, cohort_of_pair, cohort_of_table, decimal_text, storage
from privcause_core.ledger.cohort import FILE
from privcause_core.ledger.sketch import sketch
from privcause_core.loading import Grouping, Reading, load_bytes
from privcause_core.pair import Pair
from tests.unit.releasing import NOW, amount, charge, pair


@pytest.fixture
def ledger(tmp_path):
    return Ledger(tmp_path / "ledger.sqlite")


def spend(ledger, budget, costs):
    """Return how many costs the ledger accepts, trying all of them."""
    cohort, accepted = cohort_of_pair(pair()), 0
    for cost in costs:
        try:
            accepted += charge(ledger, cohort, amount(cost), budget=amount(budget)) is not None
        except BudgetExceededError:
            continue
    return accepted, ledger.account(cohort)


@pytest.mark.parametrize(
    ("budget", "costs", "accepted"),
    [
        ("1", ["0.1"] * 10 + ["1e-16"], 10),
        ("1", ["0.1"] * 11, 10),
        ("0.3", ["0.1", "0.2", "0.0001"], 2),
        ("0.8", ["0.1", "0.7", "1e-17"], 2),
    ],
)
def test_decimal_budgets_are_exact_to_the_last_digit(ledger, budget, costs, accepted):
    count, account = spend(ledger, budget, costs)
    assert count == accepted
    assert account.remaining == amount("0")


def test_delta_is_a_budget_of_its_own(ledger):
    cohort = cohort_of_pair(pair())
    charge(ledger, cohort, amount("0.1", "1e-6"), budget=amount("1", "1e-6"))
    with pytest.raises(BudgetExceededError, match="delta"):
        charge(ledger, cohort, amount("0.1", "1e-100"))
    charge(ledger, cohort, amount("0.1"))
    assert ledger.account(cohort).spent == amount("0.2", "1e-6")


def test_a_refused_charge_leaves_no_trace(ledger):
    cohort = cohort_of_pair(pair())
    with pytest.raises(BudgetExceededError):
        charge(ledger, cohort, amount("2"))
    assert ledger.account(cohort) is None


def test_the_first_charge_fixes_the_budget(ledger):
    cohort = cohort_of_pair(pair())
    charge(ledger, cohort, amount("0.5"), budget=amount("2"))
    with pytest.raises(ParameterError, match="fixed by this table's first release"):
        charge(ledger, cohort, amount("0.5"), budget=amount("3"))
    assert charge(ledger, cohort, amount("0.5"), budget=amount("2.0"))


def test_raising_and_retiring_are_recorded_acts(ledger):
    cohort = cohort_of_pair(pair())
    charge(ledger, cohort, amount("1"))
    for not_larger in (amount("1", "1e-5"), amount("2", "1e-6"), amount("0.5", "1e-4")):
        with pytest.raises(ParameterError, match="larger"):
            ledger.raise_budget(cohort, not_larger, now=NOW, reason="?")
    assert ledger.raise_budget(cohort, amount("2", "1e-5"), now=NOW, reason="board decision").remaining.epsilon == 1
    charge(ledger, cohort, amount("0.5"))
    assert ledger.retire(cohort, now=NOW, reason="study closed").retired
    with pytest.raises(LedgerError, match="retired"):
        charge(ledger, cohort, amount("0.1"))
    with pytest.raises(LedgerError, match="retired"):
        ledger.raise_budget(cohort, amount("9", "1e-5"), now=NOW, reason="?")
    acts = [(one.act, str(one.budget.epsilon), one.reason) for one in ledger.account(cohort).acts]
    assert acts == [
        ("fixed", "1", "first release"),
        ("raised", "2", "board decision"),
        ("retired", "2", "study closed"),
    ]


def test_an_unknown_table_has_no_budget_to_raise(ledger):
    with pytest.raises(LedgerError, match="no account"):
        ledger.raise_budget(cohort_of_pair(pair()), amount("2"), now=NOW, reason="?")


def test_a_charged_entry_is_never_charged_again(ledger):
    cohort = cohort_of_pair(pair())
    assert charge(ledger, cohort, amount("0.4"), entry="same")
    assert not charge(ledger, cohort, amount("0.4"), entry="same")
    assert ledger.account(cohort).spent == amount("0.4")


def test_outcomes_are_stored_once_and_found_by_their_entry(ledger):
    charge(ledger, cohort_of_pair(pair()), amount("0.4"), entry="mine")
    assert ledger.outcome("mine") is None
    ledger.record("mine", "{}")
    assert ledger.outcome("mine") == "{}"
    with pytest.raises(LedgerError):
        ledger.record("mine", "[]")
    with pytest.raises(LedgerError):
        ledger.record("never charged", "{}")
    with pytest.raises(LedgerError, match="no release of that id"):
        ledger.outcome("guessed")


def test_nothing_in_the_ledger_can_be_changed_deleted_or_replaced(ledger):
    charge(ledger, cohort_of_pair(pair()), amount("0.4"), entry="mine", test_share=0.5)
    ledger.record("mine", "{}")
    with sqlite3.connect(ledger.path) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        for table in tables:
            column = db.execute(f"SELECT * FROM {table}").description[0][0]
            for statement in (f"DELETE FROM {table}", f"UPDATE {table} SET {column} = {column}"):
                if db.execute(f"SELECT 1 FROM {table}").fetchone():
                    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                        db.execute(statement)
        for table in ("charge", "result"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                db.execute(f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}")


def test_the_ledger_holds_no_value_of_the_data_and_its_files_are_private(ledger):
    values = pair()
    charge(ledger, cohort_of_pair(values), amount("0.4"), test_share=0.5)
    stored = b"".join(path.read_bytes() for path in ledger.path.parent.iterdir())
    assert values.x.astype("<f8")[:1].tobytes() not in stored
    assert repr(float(values.x[0])).encode() not in stored
    for path in (ledger.path, ledger.secret_path):
        assert path.stat().st_mode & 0o077 == 0


CSV = "dose,effect,age\n" + "\n".join(f"{i},{i * i % 17 + 0.5},{30 + i % 11}" for i in range(40))


def cohort_of_text(text, x=0, y=1, name="t.csv"):
    table = load_bytes(text.encode(), name).tables[0]
    return cohort_of_table(table, x, y, table.pair(x, y))


def rows_of(text):
    header, *rows = text.split("\n")
    return header, rows


@pytest.mark.parametrize(
    "disguise",
    [
        lambda h, rows: "\n".join([h.upper(), *rows]),
        lambda h, rows: "\n".join(["a,b,c", *reversed(rows)]),
        lambda h, rows: "\n".join([h.replace(",", ";"), *(r.replace(",", ";").replace(".", ",") for r in rows)]),
        lambda h, rows: "\n".join(",".join(reversed(r.split(","))) for r in [h, *rows]),
        lambda h, rows: "\n".join(",".join(["extra" if r is h else str(k * k), r]) for k, r in enumerate([h, *rows])),
        lambda h, rows: "\n".join(r.split(",")[0] + "," + ("other" if r is h else str(k % 7)) for k, r in
                                  enumerate([h, *rows])),
    ],
    ids=["renamed", "reordered", "other format", "columns turned", "column added", "one column kept"],
)  # fmt: skip
def test_the_same_people_in_another_file_meet_their_budget(ledger, disguise):
    charge(ledger, cohort_of_text(CSV), amount("0.4"))
    account = ledger.account(cohort_of_text(disguise(*rows_of(CSV))))
    assert account is not None
    assert account.spent == amount("0.4")


def test_whole_numbers_read_as_integers_or_floats_are_the_same_people(ledger):
    large = np.array([2**53 + 2, 2**53 + 4, 5, 7, 11])
    charge(ledger, cohort_of_pair(Pair("p", "x", "y", large, np.arange(5))), amount("0.4"))
    assert ledger.account(cohort_of_pair(Pair("q", "x", "y", large.astype(float), np.zeros(5)))) is not None


def test_minus_zero_is_zero(ledger):
    charge(ledger, cohort_of_pair(Pair("p", "x", "y", [0.0, 1, 2, 3], [1, 2, 3, 4])), amount("0.4"))
    assert ledger.account(cohort_of_pair(Pair("p", "x", "y", [-0.0, 1, 2, 3], [9, 9, 9, 9]))) is not None


def test_other_choices_of_columns_in_one_table_share_its_budget_even_with_holes(ledger):
    holed = CSV.replace("0,0.5,30", "0,,30").replace("3,9.5,33", "3,9.5,")
    charge(ledger, cohort_of_text(holed, 0, 1), amount("0.4"))
    assert ledger.account(cohort_of_text(holed, 1, 2)).spent == amount("0.4")
    assert ledger.account(cohort_of_text(holed, 0, 2)).spent == amount("0.4")


def test_two_valued_columns_do_not_make_strangers_one_account(ledger):
    sex = np.tile([0.0, 1.0], 10)
    charge(ledger, cohort_of_pair(Pair("p", "x", "y", sex, np.arange(20))), amount("0.4"))
    assert ledger.account(cohort_of_pair(Pair("q", "x", "y", sex, np.arange(20) ** 2))) is None


def test_a_table_of_two_valued_columns_only_is_recognised_by_any_of_them(ledger):
    sex, smokes = np.tile([0.0, 1.0], 10), np.repeat([0.0, 1.0], [5, 15])
    charge(ledger, cohort_of_pair(Pair("p", "x", "y", sex, smokes)), amount("0.4"))
    assert ledger.account(cohort_of_pair(Pair("q", "x", "y", smokes, np.arange(20)))) is not None


def test_a_table_that_joins_two_accounts_adds_up_their_spending(ledger):
    a, b = np.arange(20.0) ** 2, np.arange(20.0) ** 3
    one, other = Pair("p", "x", "y", a, np.zeros(20)), Pair("q", "x", "y", b, np.ones(20))
    charge(ledger, cohort_of_pair(one), amount("0.4"), budget=amount("2"))
    charge(ledger, cohort_of_pair(other), amount("0.5"))
    both = cohort_of_pair(Pair("r", "x", "y", a, b))
    with pytest.raises(BudgetExceededError):
        charge(ledger, both, amount("0.2"))
    charge(ledger, both, amount("0.1"))
    for known in (one, other):
        account = ledger.account(cohort_of_pair(known))
        assert (account.spent, account.budget.epsilon) == (amount("1.0"), Decimal(1))


def test_the_first_test_share_of_a_table_is_kept_for_ever(ledger):
    cohort = cohort_of_text(CSV)
    charge(ledger, cohort, amount("0.1"), test_share=0.5)
    assert ledger.account(cohort).split == Split(0.5)
    with pytest.raises(LedgerError, match=r"Expected test share 0\.5, fixed by this table's first release, got 0\.4"):
        charge(ledger, cohort, amount("0.1"), test_share=0.4)
    charge(ledger, cohort_of_text(CSV, 1, 2), amount("0.1"), test_share=0.5)
    assert ledger.account(cohort).spent == amount("0.2")


def test_a_release_for_every_row_leaves_the_test_share_open(ledger):
    cohort = cohort_of_text(CSV)
    charge(ledger, cohort, amount("0.1"))
    assert ledger.account(cohort).split is None
    charge(ledger, cohort, amount("0.1"), test_share=0.5)
    assert ledger.account(cohort).split == Split(0.5)


def test_the_columns_by_which_a_table_was_recognised_are_named_as_its_own_file_calls_them(ledger):
    numbers = np.arange(1.0, 41.0)
    rng = np.random.default_rng(0)
    charge(ledger, cohort_of_pair(Pair("p", "id", "y", numbers, rng.normal(size=40))), amount("0.1"))
    stranger = cohort_of_pair(Pair("q", "running number", "z", numbers, rng.normal(size=40)))
    assert ledger.account(stranger).matched == ("running number",)


def test_the_same_bytes_read_otherwise_are_one_account_and_other_bytes_are_not(ledger):
    text = "\n".join(["a\tb", *(f"{k % 2 * 1000 + k:,}\t{k * k % 37 * 100:,}" for k in range(1, 41)), ""])
    plain = Reading(separator="tab")
    charge(ledger, cohort_read(text, plain), amount("0.1"))
    otherwise = replace(plain, grouping=Grouping.COMMA)
    assert ledger.account(cohort_read(text, otherwise)).matched == (FILE,)
    assert ledger.account(cohort_read(f"{text}\n", otherwise)) is None


def test_the_digest_of_a_file_is_keyed_by_the_secret_of_its_ledger(ledger):
    cohort = cohort_read("a,b\n1,2\n3,4\n5,6\n", Reading())
    one, other = (cohort.marks(bytes([k]) * 32)[-1] for k in (1, 2))
    assert one.is_file
    assert other.is_file
    assert len({one.digest, other.digest, cohort.content}) == 3


def cohort_read(text, reading):
    (table,) = load_bytes(text.encode(), "f", reading=reading).tables
    return cohort_of_table(table, 0, 1, table.pair(0, 1))


def test_a_commit_is_on_the_disk_when_it_returns(ledger):
    db = storage.connect(ledger.path)
    assert db.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL: in write-ahead mode, too, every commit is synced
    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    db.close()


@pytest.mark.parametrize(
    ("typed", "shown"),
    [("0.10", "0.1"), ("10", "10"), ("1E+2", "100"), ("1e-6", "1e-06"), ("0.0000125", "1.25e-05"), ("0E-9", "0")],
)
def test_amounts_are_shown_exactly_and_never_as_zero(typed, shown):
    assert decimal_text(Decimal(typed)) == shown
    assert Decimal(shown) == Decimal(typed)


@pytest.mark.parametrize("bad", [0.1, Decimal("nan"), Decimal("inf"), Decimal(-1), Decimal("1e-151"), Decimal("1e21")])
def test_amounts_are_finite_decimals(bad):
    with pytest.raises(ParameterError):
        amount("1").__class__(bad, Decimal(0))


def altered(x, how):
    rng = np.random.default_rng(1)
    if how == "a dropped row":
        return x[1:]
    if how == "a doubled row":
        return np.r_[x, x[:1]]
    if how == "a tenth of the rows gone":
        return x[rng.permutation(x.size)[: int(0.9 * x.size)]]
    if how == "a factor":
        return x * 1.0000001
    return x + rng.normal(size=x.size)


@pytest.mark.parametrize(
    ("how", "noticed"),
    [("a dropped row", True), ("a doubled row", True), ("a tenth of the rows gone", True), ("a factor", True),
     ("other people", False)],
)  # fmt: skip
def test_the_same_people_in_an_altered_file_are_noticed_by_nearly_the_same_values(ledger, how, noticed):
    x, y = (np.random.default_rng(seed).normal(size=300) for seed in (0, 5))
    charge(ledger, cohort_of_pair(Pair("p", "dose", "effect", x, y)), amount("0.1"))
    other = altered(x, how)
    strangers = np.random.default_rng(9).normal(size=other.size)
    fresh = cohort_of_pair(Pair("q", "dose here", "strangers", other, strangers))
    assert ledger.account(fresh) is None
    assert ledger.resembling(fresh) == (("dose here",) if noticed else ())


def test_a_known_table_or_one_of_few_values_resembles_nothing(ledger):
    x, grades = np.random.default_rng(0).normal(size=300), np.arange(300.0) % 7
    known = cohort_of_pair(Pair("p", "dose", "grade", x, grades))
    charge(ledger, known, amount("0.1"))
    assert ledger.resembling(known) == ()
    assert ledger.resembling(cohort_of_pair(Pair("q", "x", "grade", x**3, np.r_[grades[1:], 0.0]))) == ()


def test_a_sketch_in_a_stolen_ledger_confirms_no_guess(ledger):
    values = pair(rows=200)
    charge(ledger, cohort_of_pair(values), amount("0.1"))
    with sqlite3.connect(ledger.path) as db:
        kept = {digest for (text,) in db.execute("SELECT least FROM sketch") for digest in json.loads(text)}
    assert len(kept) == 128
    assert not kept & sketch(np.sort(values.x), bytes(32))  # another secret: other digests
