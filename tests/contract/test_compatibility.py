"""What older versions wrote keeps working: docs/compatibility.md, held against files of the formats in ``golden``.

The golden files were written by the commit "Which scores a protection allows is asked of the core" of 2 December 2026,
with the pair of :func:`pair` and the plans that the certificates hold. They are never edited: a new format adds files.
"""

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from pages.shared.address import from_query
from pages.shared.view import DataChoice, PlanChoice, Solve, StageChoice, View
from privcause_core.__main__ import main
from privcause_core.errors import LedgerError
from privcause_core.exports.files import settings_from_yaml
from privcause_core.loading import Reading, load_bytes
from privcause_core.release import (
    Amount,
    Ledger,
    Plan,
    cohort_of_pair,
    cohort_of_table,
    release,
    stored_receipt,
    verify,
)
from privcause_core.report import public_report
from privcause_core.settings import Settings
from tests.contract.older import CERTIFICATES, PAIR, first_ledger

NOW = datetime(2027, 1, 1, tzinfo=UTC)
OLD_SETTINGS = Settings(
    score="soft-kendall", epsilon=0.37, delta=1e-9, release="direction", calibration="paper", protect="every-row",
    test_share=0.4, seed=7, draw_seed=3, draws=50, bin_width=0.5, bandwidth=0.7, soft_width=0.5, route="ridge",
    range_x="-5..5", range_y="0..1", ridge=0.02, blocks=12,
)  # fmt: skip
OLD_ADDRESS = (
    "score=soft-kendall&epsilon=0.37&delta=1e-09&release=direction&calibration=paper&protect=every-row&test_share=0.4"
    "&seed=7&draw_seed=3&draws=50&bin_width=0.5&bandwidth=0.7&soft_width=0.5&route=ridge&range_x=-5..5&range_y=0..1"
    "&ridge=0.02&blocks=12&data=sample:synthetic-near-tie&rows=400&noise=0.5&data_seed=9&x=1&y=0&sentinels_missing=1"
    "&solve=rows&plan_certainty=0.9&plan_epsilon=0.5&plan_rows=300&plan_margin=0.07&plan_stability=0.1&plan_blocks=20"
    "&plan_block_rows=400&plan_agreement=0.8&present=1&hide=1&step=4&a=-&b=score~hsic!epsilon~0.5!protect~every-row"
)
OLD_YAML = """\
score: soft-kendall
epsilon: 0.37
delta: 1.0e-09
release: direction
calibration: paper
protect: every-row
test_share: 0.4
seed: 7
draw_seed: 3
draws: 50
bin_width: 0.5
bandwidth: 0.7
soft_width: 0.5
route: ridge
range_x: -5..5
range_y: 0..1
ridge: 0.02
blocks: 12
"""


def certificates_of(path):
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture
def ledger_path(tmp_path):
    return first_ledger(tmp_path)


@pytest.mark.parametrize("path", CERTIFICATES, ids=lambda path: path.stem)
def test_an_older_certificate_holds_alone_and_is_vouched_for_by_its_older_ledger(path, ledger_path):
    """Alone it is unknown: format 2 carries no signature, so anybody could have made it up."""
    claimed = certificates_of(path)
    assert verify(claimed).valid is None
    assert not [check for check in verify(claimed).checks if check.holds is False]
    checked = verify(claimed, Ledger(ledger_path))
    assert checked.valid
    assert [check.holds for check in checked.checks] == [True, True, None, None, True]


@pytest.mark.parametrize("path", CERTIFICATES, ids=lambda path: path.stem)
def test_an_older_certificate_still_makes_a_public_report_that_says_what_it_said(path, tmp_path):
    claimed = certificates_of(path)
    report = public_report(claimed)
    for one in claimed["releases"]:
        for value in one["outcome"]["values"].values():
            assert str(value["value"]) in report
    assert claimed["guarantee"]["protected"] in report
    assert main(["report", "--public", str(path), "--out", str(tmp_path / "report.html")]) == 0


@pytest.mark.parametrize("path", CERTIFICATES, ids=lambda path: path.stem)
def test_an_older_certificate_that_was_changed_is_still_caught(path):
    claimed = certificates_of(path)
    claimed["guarantee"]["epsilon"] = "0.01"
    assert verify(claimed).valid is False


def test_an_older_ledger_knows_its_people_what_they_spent_and_what_came_out(ledger_path):
    ledger = Ledger(ledger_path)
    account = ledger.account(cohort_of_pair(PAIR))
    assert account.budget == Amount(Decimal(20), Decimal("0.01"))
    assert account.spent == Amount(Decimal("7.75"), Decimal("0.000002"))
    assert [charge.complete for charge in account.history] == [True] * 4
    for path in CERTIFICATES:
        claimed = certificates_of(path)
        assert stored_receipt(ledger, claimed["entry"]).entry == claimed["entry"]


def test_an_older_ledger_goes_on_charging_the_same_budget_for_the_same_split(ledger_path):
    ledger = Ledger(ledger_path)
    settings = Settings(score="kendall", test_share=0.4)
    for way in (settings, settings.with_(protect="every-row", route="blocks", blocks=5)):
        release(Plan.from_settings(way), PAIR, ledger, now=NOW)
    assert ledger.account(cohort_of_pair(PAIR)).spent.epsilon == Decimal("9.75")
    with pytest.raises(LedgerError):
        release(Plan.from_settings(settings.with_(test_share=0.5)), PAIR, ledger, now=NOW)
    assert ledger.account(cohort_of_pair(PAIR)).spent.epsilon == Decimal("9.75")


def test_an_older_ledger_learns_the_file_of_a_table_that_it_knows_by_its_columns(ledger_path):
    """From the next release on, the same bytes read otherwise meet the same budget."""
    ledger = Ledger(ledger_path)
    rows = "".join(f"{x!r},{y!r}\n" for x, y in zip(PAIR.x.tolist(), PAIR.y.tolist(), strict=True))
    plain, otherwise = (
        load_bytes(f"dose,effect\n{rows}".encode(), "f", reading=reading).tables[0]
        for reading in (Reading(), Reading(sentinels=(float(PAIR.x[1]), float(PAIR.y[2]))))
    )
    known, unknown = (cohort_of_table(table, 0, 1, table.pair(0, 1)) for table in (plain, otherwise))
    assert ledger.account(known).spent.epsilon == Decimal("7.75")
    assert ledger.account(unknown) is None
    release(
        Plan.from_settings(Settings(score="kendall", test_share=0.4)), plain.pair(0, 1), ledger, now=NOW, cohort=known
    )
    assert ledger.account(unknown).spent.epsilon == Decimal("8.75")


def test_a_ledger_of_a_later_format_is_refused_and_left_as_it_is(ledger_path):
    with closing(sqlite3.connect(ledger_path)) as db:
        db.execute("PRAGMA user_version = 99")
    before = ledger_path.read_bytes()
    with pytest.raises(LedgerError, match="schema version 99"):
        Ledger(ledger_path)
    assert ledger_path.read_bytes() == before


def test_a_certificate_of_a_later_format_is_refused_with_the_format_that_is_read():
    claimed = certificates_of(CERTIFICATES[0]) | {"format": "privcause-certificate/99"}
    (check,) = verify(claimed).checks
    assert check.holds is False
    assert "privcause-certificate/" in check.finding


def test_an_older_settings_file_means_what_it_meant():
    assert settings_from_yaml(OLD_YAML) == OLD_SETTINGS


def test_an_older_settings_file_without_the_later_settings_means_what_it_meant():
    assert settings_from_yaml("score: hsic\nepsilon: 2\n") == Settings(score="hsic", epsilon=2.0)


def test_an_older_address_shows_what_it_showed():
    expected = View(
        OLD_SETTINGS,
        DataChoice("sample:synthetic-near-tie", 400, 0.5, 9, 0, 1, 0, sentinels_missing=True),
        PlanChoice(Solve.ROWS, 0.9, 0.5, 300, 0.07, 0.1, 20, 400, 0.8),
        StageChoice(present=True, hide=True, step=4),
        pin_a=Settings(),
        pin_b=Settings(score="hsic", epsilon=0.5, protect="every-row"),
    )
    query = dict(part.split("=", 1) for part in OLD_ADDRESS.split("&"))
    assert from_query(query) == (expected, ())


def test_an_older_address_of_every_page_is_a_page():
    from pages.shared.router import REGISTRY

    pages = {"explore", "flip_rates", "curves", "many_pairs", "release", "learn", "methods"}
    assert pages <= {entry.name for entry in REGISTRY}
