"""A process killed at any step between plan and record loses budget at worst, never privacy."""

import json
import os
import signal
import sqlite3

import pytest

from privcause_core.errors import LedgerError
from privcause_core.ledger import storage
from privcause_core.noise.secure import SecureNoise
from privcause_core.protection.base import Coverage
from privcause_core.release import Ledger, certificate_json, cohort_of_pair, release, stored_receipt, verify
from tests.unit.releasing import NOW, amount, pair, plan

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills forked children")


class KilledAt:
    """Counts steps and kills its process at the chosen one."""

    def __init__(self, step):
        self.left = step

    def step(self):
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def around(self, function):
        def stepped(*args, **kwargs):
            self.step()
            value = function(*args, **kwargs)
            self.step()
            return value

        return stepped


def release_in_child(path, marker, step):
    """Release in a forked child killed at that step; return whether it survived to the end."""
    child = os.fork()
    if child == 0:
        try:
            _release_and_die(path, marker, step)
        finally:
            os._exit(1)  # an error of the child must not go on as a second run of the tests
    _, status = os.waitpid(child, 0)
    return os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0


def _release_and_die(path, marker, step):
    killer = KilledAt(step)

    class Connection(sqlite3.Connection):
        execute = killer.around(sqlite3.Connection.execute)
        executemany = killer.around(sqlite3.Connection.executemany)

    def connect(target):
        return sqlite3.connect(target, isolation_level=None, factory=Connection)

    def draw(noise, *args):
        marker.touch()  # from here on someone could have seen a result
        return real_draw(noise, *args)

    real_draw = SecureNoise.add_laplace
    storage.connect = connect
    Coverage.fit = killer.around(Coverage.fit)
    SecureNoise.add_laplace = killer.around(draw)
    release(plan(), pair(), Ledger(path), now=NOW, entry="mine")
    os._exit(0)


def test_killing_at_every_step_never_leaves_a_drawn_result_uncharged_or_a_row_half_written(tmp_path):
    charged_without_result = recorded = untouched = 0
    for step in range(1, 500):
        path, marker = tmp_path / f"{step}.sqlite", tmp_path / f"{step}.drawn"
        Ledger(path)
        survived = release_in_child(path, marker, step)
        ledger = Ledger(path)
        account = ledger.account(cohort_of_pair(pair()))
        if account is None:
            untouched += 1
            assert not marker.exists()
            with sqlite3.connect(path) as db:
                assert not db.execute("SELECT 1 FROM account UNION SELECT 1 FROM budget").fetchall()
            continue
        assert account.spent == amount("0.1")
        assert account.budget == amount("1", "1e-5")
        assert account.split is not None
        if account.history[0].complete:
            recorded += 1
            receipt = stored_receipt(ledger, "mine")
            assert verify(json.loads(certificate_json(receipt)), ledger).valid
        else:
            charged_without_result += 1
            with pytest.raises(LedgerError, match="charged but its result"):
                stored_receipt(ledger, "mine")
        if survived:
            break
    assert survived
    assert min(untouched, charged_without_result, recorded) >= 2
