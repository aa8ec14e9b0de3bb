"""What a certificate of format 3 says, to the last word and digit: held against files in ``golden``.

The golden files hold receipts that are made up here, signed with the key below. They are never edited: a certificate
that says something else is one of a new format.
"""

import json
import math
from decimal import Decimal

import pytest

from privcause_core.ledger import Signature
from privcause_core.ledger.signing import sign
from privcause_core.loading import Reading
from privcause_core.pair import Direction
from privcause_core.release import (
    Counts,
    Plan,
    Receipt,
    Refused,
    Released,
    certificate,
    certificate_json,
    receipt_of,
    verify,
)
from privcause_core.release.certificate import signed_bytes
from privcause_core.settings import Settings
from tests.contract.older import GOLDEN

KEY = bytes(range(32))
PUBLIC_KEY = "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8"
SOFTWARE = (("privcause", "0.9.0"), ("opendp", "0.14.1"), ("python", "3.11.9"))
RANGES = {"protect": "every-row", "route": "ridge", "range_x": "-3..3", "range_y": "0..10"}


def receipt(name, scores, epsilon, outcomes, *, counts=None, seed=None, reading=None, rows_per_person=1, **knobs):
    typed = Plan(scores, Decimal(epsilon), Decimal("0.000002"), Settings(**knobs), rows_per_person)
    counts = counts or Counts(60, 60)
    return Receipt(
        f"golden-entry-{name}", "2026-12-03T09:00:00+00:00", typed, "trial", "dose", "effect", counts, SOFTWARE,
        outcomes, seed, signature=Signature(PUBLIC_KEY, ""), reading=reading,
    )  # fmt: skip


TO_Y, TO_X = Direction.X_TO_Y, Direction.Y_TO_X
MADE = {
    "test-rows": receipt(
        "test-rows", ("likelihood", "spearman", "kendall", "hsic", "root-hsic", "iqr"), "0.5",
        (
            Released((-0.25, 0.75), 1.0, TO_Y), Released((0.5, 0.125), -0.375, TO_X),
            Released((-2.0, 6.0), 8.0, TO_Y), Released((0.25, 0.25), 0.0, TO_X), Released((0.5, 1.5), 1.0, TO_Y),
            Refused((0.5, None, -math.inf, None)),
        ),
        counts=Counts(60, 51, (26, 25)), reading=Reading(separator="semicolon"), rows_per_person=3,
    ),
    "places": receipt(
        "places", ("kendall", "iqr"), "2",
        (Released((0.625,), 0.625, TO_Y), Released((-math.inf, 0.5, 0.25, 1.0), math.inf, TO_Y)),
        seed=7, release="direction", calibration="paper", test_share=0.4,
    ),
    "public-ranges": receipt(
        "public-ranges", ("hsic", "soft-kendall", "iqr"), "4",
        (
            Released((0.125, 0.375), 0.25, TO_Y), Released((1.0, -1.0), -2.0, TO_X),
            Released((0.5, 1.0, 0.25, 1.5), 0.25, TO_Y),
        ),
        rows_per_person=2, **RANGES,
    ),
    "blocks": receipt(
        "blocks", ("likelihood", "iqr"), "1", (Released((4.5,), 4.5, TO_Y), Released((-1.5,), -1.5, TO_X)),
        protect="every-row", route="blocks", blocks=5,
    ),
}  # fmt: skip
each = pytest.mark.parametrize("name", MADE)


def golden(name):
    return (GOLDEN / f"certificate-3-{name}.json").read_text(encoding="utf-8")


@each
def test_a_receipt_makes_the_certificate_that_it_made_when_the_format_began(name):
    stated, expected = certificate(MADE[name]), json.loads(golden(name))
    assert stated["signature"].pop("signature") == ""
    assert expected["signature"].pop("signature") == sign(KEY, signed_bytes(certificate(MADE[name]))).signature
    assert stated == expected
    assert json.dumps(stated) == json.dumps(expected)  # in the same order


@each
def test_a_certificate_is_read_back_as_the_receipt_that_it_is_of_and_written_the_same(name):
    read = receipt_of(json.loads(golden(name)))
    assert certificate_json(read) == golden(name)
    assert (read.plan, read.counts, read.outcomes) == (MADE[name].plan, MADE[name].counts, MADE[name].outcomes)
    assert (read.seed, read.reading, read.versions) == (MADE[name].seed, MADE[name].reading, SOFTWARE)


@each
def test_a_certificate_with_a_known_key_is_checked_in_five_ways_and_each_is_said(name):
    assert [(one.name, one.holds, one.finding) for one in verify(json.loads(golden(name)), key=PUBLIC_KEY).checks] == [
        ("cost, protection, public facts, and nothing else", True, "as recomputed"),
        ("mechanisms, sensitivities, noise scales and conclusions", True, "as recomputed"),
        ("signature", True, f"every word as signed with the key {PUBLIC_KEY}"),
        ("key", True, "signed with the key that is known here"),
        ("entry in the ledger", None, "no ledger at hand; not checked"),
    ]
