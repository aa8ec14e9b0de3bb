"""Rows are dealt in secret, once for a data set, and the deal belongs to its records, not to the order of a file."""

import itertools
import math
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2

from privcause_core.errors import BudgetExceededError, DataError, LedgerError
from privcause_core.ledger import Ledger, NewCharge, cohort_of_pair, cohort_of_table, storage
from privcause_core.ledger.shuffle import secret_permutation
from privcause_core.loading import load_bytes
from privcause_core.pair import Pair
from tests.unit.releasing import NOW, amount, charge, pair

ROOT = Path(__file__).parents[2]
COST = amount("0.01")


@pytest.fixture
def ledger(tmp_path):
    return Ledger(tmp_path / "ledger.sqlite")


def text_of(names, *columns, separator=","):
    rows = zip(*columns, strict=True)
    return "\n".join([separator.join(names), *(separator.join("" if v is None else f"{v}" for v in r) for r in rows)])


def table_of(text, name="t.csv"):
    return load_bytes(text.encode(), name).tables[0]


def cohort_of_text(text, x, y):
    table = table_of(text)
    first, second = table.column_index(x), table.column_index(y)
    return cohort_of_table(table, first, second, table.pair(first, second))


def dealt_records(ledger, cohort, names, *, test_share=None):
    """Charge, and return the named columns' values in dealt order."""
    deal = charge(ledger, cohort, COST, test_share=test_share)
    columns = {column.name: column.required() for column in cohort.columns}
    return np.stack([columns[name][deal.order] for name in names])


RNG = np.random.default_rng(11)
AGE = RNG.integers(30, 40, 60).tolist()  # many ties
DOSE = RNG.normal(size=60).round(3).tolist()
DOSE[7] = None
EFFECT = RNG.normal(size=60).round(3).tolist()
TABLE = {"age": AGE, "dose": DOSE, "effect": EFFECT}


def reordered(order):
    return {name: [values[k] for k in order] for name, values in TABLE.items()}


DISGUISES = {
    "sorted by age": text_of(TABLE, *reordered(sorted(range(60), key=lambda k: AGE[k])).values()),
    "turned round": text_of(TABLE, *reordered(range(59, -1, -1)).values()),
    "columns reordered": text_of(["effect", "age", "dose"], EFFECT, AGE, DOSE),
    "another format": text_of(TABLE, *TABLE.values(), separator=";").replace(".", ","),
    "as it was": text_of(TABLE, *TABLE.values()),
}


@pytest.mark.parametrize("disguise", DISGUISES)
@pytest.mark.parametrize("test_share", [0.5, None])
def test_the_same_records_in_another_file_are_dealt_the_same(ledger, disguise, test_share):
    first = dealt_records(ledger, cohort_of_text(text_of(TABLE, *TABLE.values()), "dose", "effect"), TABLE)
    again = cohort_of_text(DISGUISES[disguise], "age", "effect")
    np.testing.assert_array_equal(dealt_records(ledger, again, TABLE, test_share=test_share), first)


def test_whole_records_are_dealt_and_incomplete_ones_keep_their_place(ledger):
    records = dealt_records(ledger, cohort_of_text(text_of(TABLE, *TABLE.values()), "dose", "effect"), TABLE)
    known = sorted(map(str, np.array([[math.nan if v is None else v for v in c] for c in TABLE.values()]).T.tolist()))
    assert sorted(map(str, records.T.tolist())) == known


def test_renamed_columns_are_dealt_the_same(ledger):
    first = dealt_records(ledger, cohort_of_text(text_of(TABLE, *TABLE.values()), "dose", "effect"), TABLE)
    renamed = cohort_of_text(text_of(["c", "a", "b"], *TABLE.values()), "a", "b")
    np.testing.assert_array_equal(dealt_records(ledger, renamed, ["c", "a", "b"]), first)


@pytest.mark.parametrize(
    "change",
    [{"effect": [*EFFECT[:-1], 77.0]}, {"effect": EFFECT[1:] + EFFECT[:1]}],
    ids=["one corrected cell", "values moved to other people"],
)
def test_changed_records_are_refused_for_test_rows_and_dealt_afresh_for_every_row(ledger, change):
    original = cohort_of_text(text_of(TABLE, *TABLE.values()), "dose", "effect")
    first = charge(ledger, original, COST, test_share=0.5).order
    changed = cohort_of_text(text_of(TABLE, *(TABLE | change).values()), "dose", "effect")
    with pytest.raises(LedgerError, match="Expected the very records of this table's first release") as refused:
        charge(ledger, changed, COST, test_share=0.5)
    assert str(refused.value).endswith("or protect every row by blocks.")
    assert not np.array_equal(charge(ledger, changed, COST).order, first)
    np.testing.assert_array_equal(charge(ledger, original, COST, test_share=0.5).order, first)
    assert ledger.account(original).spent == amount("0.03")


def test_a_split_is_not_evaded_through_ties(ledger):
    """Release (age, bp), then (age, hr) with rows exchanged within equal ages: other people would be scored."""
    rng = np.random.default_rng(0)
    age = np.repeat(np.arange(30.0, 60.0), 20)
    bp, hr = rng.normal(size=600), rng.normal(size=600)
    charge(ledger, cohort_of_pair(Pair("p", "age", "bp", age, bp)), COST, test_share=0.5)
    exchanged = hr.reshape(30, 20)[:, ::-1].ravel()
    for pulse in (hr, exchanged):
        with pytest.raises(LedgerError, match="all their columns included"):
            charge(ledger, cohort_of_pair(Pair("q", "age", "hr", age, pulse)), COST, test_share=0.5)


def test_more_columns_deal_the_same_people_and_what_ties_is_told_apart_once_for_ever(ledger):
    rng = np.random.default_rng(0)
    age, bp = np.repeat(np.arange(20.0), 10), np.tile(np.arange(5.0), 40)  # every record twice
    hr, weight = rng.normal(size=200), rng.normal(size=200)
    narrow = cohort_of_text(text_of(["age", "bp"], age, bp), "age", "bp")
    first = dealt_records(ledger, narrow, ["age", "bp"], test_share=0.5)
    wide = cohort_of_text(text_of(["hr", "bp", "age"], hr, bp, age), "age", "hr")
    second = dealt_records(ledger, wide, ["age", "bp", "hr"], test_share=0.5)
    np.testing.assert_array_equal(second[:2], first)
    resorted = np.argsort(hr)
    again = cohort_of_text(text_of(["age", "bp", "hr"], age[resorted], bp[resorted], hr[resorted]), "bp", "hr")
    np.testing.assert_array_equal(dealt_records(ledger, again, ["age", "bp", "hr"], test_share=0.5), second)
    np.testing.assert_array_equal(dealt_records(ledger, narrow, ["age", "bp"], test_share=0.5), first)
    other = cohort_of_text(text_of(["age", "bp", "weight"], age, bp, weight), "age", "weight")
    with pytest.raises(LedgerError, match="all their columns included"):
        charge(ledger, other, COST, test_share=0.5)


def test_two_tables_that_fixed_their_test_rows_apart_cannot_be_joined_for_test_rows(ledger):
    a, b = np.arange(20.0) ** 2, np.arange(20.0) ** 3
    for values in (a, b):
        charge(ledger, cohort_of_pair(Pair("p", "x", "y", values, values % 7)), COST, test_share=0.5)
    both = cohort_of_pair(Pair("r", "x", "y", a, b))
    with pytest.raises(LedgerError, match="fixed their test rows apart"):
        charge(ledger, both, COST, test_share=0.5)
    assert charge(ledger, both, COST) is not None


@pytest.mark.parametrize(("rows", "deals"), [(2, 4_000), (3, 6_000), (4, 12_000)])
def test_every_order_of_a_few_rows_is_as_likely(rows, deals):
    """False alarm rate 1e-6 a size (chi-square), once: the keys are fixed."""
    counts = dict.fromkeys(itertools.permutations(range(rows)), 0)
    for number in range(deals):
        counts[tuple(secret_permutation(number.to_bytes(32, "big"), rows).tolist())] += 1
    expected = deals / len(counts)
    statistic = sum((count - expected) ** 2 / expected for count in counts.values())
    assert statistic < chi2.isf(1e-6, len(counts) - 1)


def test_every_row_is_as_likely_at_every_place_and_neighbours_part():
    places, rows, deals = np.zeros((50, 50)), 50, 4_000
    together = 0
    for number in range(deals):
        order = secret_permutation(number.to_bytes(32, "little"), rows)
        places[np.arange(rows), order] += 1
        together += np.count_nonzero(np.abs(np.diff(order)) == 1)
    statistic = ((places - deals / rows) ** 2 / (deals / rows)).sum() * (rows - 1) / rows
    assert statistic < chi2.isf(1e-6, (rows - 1) ** 2)
    expected = deals * 2 * (rows - 1) / rows
    assert abs(together - expected) < 6 * math.sqrt(expected)


def test_a_key_is_256_bits_or_refused():
    with pytest.raises(ValueError, match="32 bytes"):
        secret_permutation(b"short", 5)


def test_two_data_sets_and_two_ledgers_are_dealt_apart(tmp_path):
    x = np.arange(60.0)
    orders = [
        charge(Ledger(tmp_path / f"{name}.sqlite"), cohort_of_pair(Pair("p", "x", "y", x, x % 7)), COST).order.tolist()
        for name in ("one", "two")
    ]
    assert orders[0] != orders[1]


def test_neither_the_ledger_nor_its_secret_alone_tells_the_deal(ledger, tmp_path):
    cohort = cohort_of_pair(pair())
    first = charge(ledger, cohort, COST).order
    with sqlite3.connect(ledger.path) as db:
        ((nonce,),) = db.execute("SELECT nonce FROM deal").fetchall()
    assert len(bytes.fromhex(nonce)) == 32
    guessed = cohort_of_pair(pair()).used[secret_permutation(bytes.fromhex(nonce), 40)]
    assert not np.array_equal(guessed, first)


def test_a_refused_first_charge_draws_no_deal(ledger):
    def unsuited(_):
        raise DataError("too few rows")

    refusals = ((BudgetExceededError, amount("0.001"), lambda _: None), (DataError, None, unsuited))
    for error, budget, suits in refusals:
        with pytest.raises(error):
            ledger.charge(cohort_of_pair(pair()), NewCharge("e", COST, {}, NOW, 0.5, budget), suits=suits)
    with sqlite3.connect(ledger.path) as db:
        assert db.execute("SELECT count(*) FROM deal").fetchone() == (0,)
        assert db.execute("SELECT count(*) FROM account").fetchone() == (0,)


RACER = """
    import sys
    from pathlib import Path
    from privcause_core.ledger import Ledger, NewCharge, cohort_of_pair
    from tests.unit.releasing import NOW, amount, pair

    charge = NewCharge(sys.argv[2], amount("0.01"), {}, NOW, 0.5)
    deal = Ledger(Path(sys.argv[1])).charge(cohort_of_pair(pair()), charge)
    print(*deal.order)
"""


def test_processes_that_race_for_the_first_charge_deal_alike(tmp_path):
    path = tmp_path / "ledger.sqlite"
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(RACER), str(path), f"entry-{k}"],
            stdout=subprocess.PIPE, cwd=ROOT, text=True,
        )
        for k in range(4)
    ]  # fmt: skip
    dealt = {racer.communicate()[0] for racer in racers}
    assert len(dealt) == 1
    assert len(dealt.pop().split()) == 40


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills a forked child")
def test_a_deal_survives_its_process_only_with_its_charge(tmp_path):
    """Killed before the commit: no deal; after it: the deal stays, and nothing is drawn again."""
    path, cohort = tmp_path / "ledger.sqlite", cohort_of_pair(pair())
    for after, left in ((False, [0, 0]), (True, [1, 1])):
        Ledger(path)
        child = os.fork()
        if child == 0:
            storage.connect = killing_at_commit(after=after)
            charge(Ledger(path), cohort, COST, entry="killed", test_share=0.5)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status)
        with sqlite3.connect(path) as db:
            assert [db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("charge", "deal")] == left
    first = charge(Ledger(path), cohort, COST, test_share=0.5).order
    np.testing.assert_array_equal(charge(Ledger(path), cohort, COST, test_share=0.5).order, first)
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT count(*) FROM deal").fetchone() == (1,)


def killing_at_commit(*, after):
    """Return a way to connect that kills the process before or after its first commit of a change."""
    real = sqlite3.connect

    class Killing(sqlite3.Connection):
        def execute(self, statement, *parameters):
            ending = statement == "COMMIT" and self.in_transaction and self.total_changes
            if ending and not after:
                os.kill(os.getpid(), signal.SIGKILL)
            result = super().execute(statement, *parameters)
            if ending:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

    return lambda target: real(target, isolation_level=None, factory=Killing)


@pytest.mark.parametrize("rows", [1, 2, 5])
def test_any_number_of_rows_is_dealt(ledger, rows):
    x = np.arange(float(rows))
    assert sorted(charge(ledger, cohort_of_pair(Pair("p", "x", "y", x, x)), COST).order) == list(range(rows))
