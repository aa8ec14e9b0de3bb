"""Completeness stays private where the likelihood alone is released: nothing stated depends on empty cells."""

import json

import numpy as np
import pytest

from privcause_core.ledger.cohort import cohort_of_table
from privcause_core.loading import load_bytes
from privcause_core.noise.secure import SecureNoise
from privcause_core.release import Ledger, certificate, release
from tests.unit.releasing import NOW, WIDE, plan


def table(empty, rows=60):
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, rows))
    lines = [
        "dose,effect",
        *(f"{a:.6f},{'' if k in empty else f'{b:.6f}'}" for k, (a, b) in enumerate(zip(x, y, strict=True))),
    ]
    (one,) = load_bytes("\n".join(lines).encode(), "trial.csv").tables
    return one


def released(empty, tmp_path, monkeypatch, scores=("likelihood",), rows=60):
    """Release without noise, so that what is stated can be compared."""
    monkeypatch.setattr(SecureNoise, "add_laplace", lambda _, values, *__: values)
    one = table(empty, rows)
    ledger = Ledger(tmp_path / f"{len(empty)}.sqlite")
    pair = one.pair(0, 1)
    cohort = cohort_of_table(one, 0, 1, pair)
    return release(plan(*scores, epsilon="1"), pair, ledger, now=NOW, cohort=cohort, budget=WIDE)


def public(receipt):
    stated = certificate(receipt)
    for name in ("entry", "signature", "public_key", "releases"):
        stated.pop(name, None)
    return json.dumps(stated, sort_keys=True)


def test_an_emptied_cell_changes_nothing_that_is_stated(tmp_path, monkeypatch):
    whole, one_less = (released(empty, tmp_path, monkeypatch) for empty in ((), (7,)))
    assert "complete_rows" not in public(whole)
    assert public(whole).replace(whole.entry, "") == public(one_less).replace(one_less.entry, "")
    scales = [one.quote.terms[0].noise_scale for one in (whole, one_less)]
    assert scales[0] == scales[1] == pytest.approx(2 * 0.5 / 30)


def test_another_score_beside_it_makes_completeness_public_after_all(tmp_path, monkeypatch):
    assert '"complete_rows": 59' in public(released((7,), tmp_path, monkeypatch, ("likelihood", "kendall")))


def test_hardly_a_complete_row_is_no_refusal_but_a_margin_of_noise_alone(tmp_path, monkeypatch):
    receipt = released(tuple(range(2, 60)), tmp_path, monkeypatch)
    assert receipt.outcomes[0].values == (0.0, 0.0)
    assert receipt.counts.rows == 60
