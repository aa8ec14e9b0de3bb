"""A ledger of the first version goes on: nothing is lost, and its tables keep the test rows that they have released.

The golden ledger was written before rows were dealt in secret: its table released for test rows by seed 3.
"""

import json
import sqlite3
from contextlib import closing

import numpy as np
import pytest

from privcause_core.errors import BudgetExceededError, LedgerError
from privcause_core.ledger import Ledger, Split, cohort_of_pair
from privcause_core.pair import Pair
from privcause_core.protection.base import Coverage
from privcause_core.release import certificate, certificate_json, quote, release, stored_receipt, verify
from tests.contract.older import CERTIFICATES, PAIR, first_ledger
from tests.unit.releasing import NOW, amount, plan

SPENT = amount("7.75", "0.000002")


def by_test_rows(**changes):
    return plan(test_share=0.4, **changes)


@pytest.fixture
def path(tmp_path):
    return first_ledger(tmp_path)


def rows_of(path):
    with closing(sqlite3.connect(path)) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
        return {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in tables}


def resorted(pair):
    order = np.argsort(pair.x)
    return Pair(pair.name, pair.x_name, pair.y_name, pair.x[order], pair.y[order])


def test_opening_it_loses_and_changes_nothing_and_keeps_it_append_only(path):
    before = rows_of(path)
    account = Ledger(path).account(cohort_of_pair(PAIR))
    after = rows_of(path)
    assert {name: after[name] for name in before} == before
    assert account.spent == SPENT
    assert account.split == Split(0.4, seed=3)
    assert [charge.complete for charge in account.history] == [True] * 4
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (2,)
        for table in ("charge", "result", "split", "budget"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                db.execute(f"DELETE FROM {table}")
    assert rows_of(path) == after


@pytest.mark.parametrize("file", CERTIFICATES, ids=lambda file: file.stem)
def test_its_certificates_are_read_and_written_word_for_word_and_vouched_for_by_the_ledger_alone(path, file):
    ledger, stored = Ledger(path), json.loads(file.read_text(encoding="utf-8"))
    assert certificate(stored_receipt(ledger, stored["entry"])) == stored
    assert verify(stored, ledger).valid
    assert verify(stored).valid is None
    assert verify(stored | {"entry": "invented"}, ledger).valid is False
    assert verify(stored | {"plan": stored["plan"] | {"seed": 8}}, ledger).valid is False
    assert verify(stored | {"plan": stored["plan"] | {"blinds": 8}}).valid is False


def test_test_rows_stay_those_of_the_first_release_and_the_certificate_says_what_that_means(path, monkeypatch):
    seen = []
    real = Coverage.fit
    monkeypatch.setattr(Coverage, "fit", lambda *args: seen.append(args) or real(*args))
    receipt = release(by_test_rows(), PAIR, Ledger(path), now=NOW)
    ((way, _, deal),) = seen
    assert (way.settings.seed, deal.seed) == (3, 3)
    stated = certificate(receipt)
    assert stated["public"] == {"complete_rows": 60, "n_train": 36, "n_test": 24, "seed_of_places": 3}
    assert "as long as the file keeps its order" in stated["guarantee"]["unit"]
    assert "kept sorted" in stated["guarantee"]["dealing"]
    assert "whatever order" not in json.dumps(stated)
    assert verify(json.loads(certificate_json(receipt)), Ledger(path)).valid
    assert any("Blocks, which protect every row, are dealt in secret" in warning for warning in receipt.quote.warnings)
    assert any("same order only" in warning for warning in quote(plan(), 40, places=True).warnings)


def test_another_order_or_test_share_is_refused_and_offers_blocks(path):
    with pytest.raises(LedgerError, match=r"in their order.*blocks is free of that order"):
        release(by_test_rows(), resorted(PAIR), Ledger(path), now=NOW)
    with pytest.raises(LedgerError, match=r"Expected test share 0\.4"):
        release(plan(test_share=0.5), PAIR, Ledger(path), now=NOW)
    assert Ledger(path).account(cohort_of_pair(PAIR)).spent == SPENT


def test_blocks_are_dealt_in_secret_whatever_the_order(path):
    ledger, by_blocks = Ledger(path), plan(protect="every-row", blocks=5)
    for data in (PAIR, resorted(PAIR)):
        stated = certificate(release(by_blocks, data, ledger, now=NOW))
        assert "in whatever order the file holds it" in stated["guarantee"]["unit"]
        assert "secret random permutation" in stated["guarantee"]["dealing"]
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM deal").fetchone() == (1,)
    release(by_test_rows(), PAIR, ledger, now=NOW)  # and test rows still are where they were


def test_its_budget_still_binds(path):
    with pytest.raises(BudgetExceededError):
        release(by_test_rows(epsilon="12.3"), PAIR, Ledger(path), now=NOW)
