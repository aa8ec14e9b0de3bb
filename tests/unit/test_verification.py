"""Any JSON can be handed in as a certificate: refused or unknown, never an error, valid only word for word."""

import copy
import json
import random

import pytest

from privcause_core.release import Ledger, certificate_json, confidence_text, release, verify
from privcause_core.release.verification import PLACES_NAMED, issued_here
from tests.unit.releasing import ALL_SCORES, NOW, WIDE, pair, plan

CHANGES = 600
JUNK = (
    None, True, 0, -1, 0.5, 1e308, 10**400, 2**63, float("nan"), float("inf"), -0.0, "", "\ud800", "x" * 5_000, "NaN",
    "1e999999", "\u202eabc", "privcause-certificate/2", [], {}, [[]], {"a": 1}, [1] * 50, {"value": None},
)  # fmt: skip


@pytest.fixture(scope="module")
def ledger(tmp_path_factory):
    return Ledger(tmp_path_factory.mktemp("verification") / "ledger.sqlite")


@pytest.fixture(scope="module")
def issued(ledger):
    plans = plan(*ALL_SCORES, epsilon="2"), plan("hsic", protect="every-row", blocks=4)
    return [
        json.loads(certificate_json(release(one, pair(seed=k), ledger, now=NOW, budget=WIDE)))
        for k, one in enumerate(plans)
    ]


def places(value, path=()):
    """Yield the path of everything in a JSON value but itself."""
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield (*path, key)
        yield from places(value[key], (*path, key))


def changed(value, rng):
    """Return a copy with one to three things replaced, taken out or added."""
    value = copy.deepcopy(value)
    for _ in range(rng.choice((1, 1, 2, 3))):
        *way, last = rng.choice(list(places(value)))
        holder = value
        for key in way:
            holder = holder[key]
        if rng.random() < 0.8:
            holder[last] = copy.deepcopy(rng.choice(JUNK))
        elif isinstance(holder, dict):
            holder[rng.choice(("extra", "\ud800", "a.b[0]"))] = holder.pop(last)
        else:
            holder.append(copy.deepcopy(rng.choice(JUNK)))
    return value


def test_a_changed_certificate_is_never_valid_and_never_an_error(issued, ledger):
    rng = random.Random(0)
    for _ in range(CHANGES):
        original = rng.choice(issued)
        claimed = changed(original, rng)
        issued_here(claimed, ledger)
        for asked in (None, ledger):
            assert verify(claimed, asked).valid is not True or claimed == original


@pytest.mark.parametrize("rubbish", [{}, {"format": []}, {"format": "privcause-certificate/3"}, {"signature": {}}])
def test_what_is_no_certificate_is_refused(rubbish, ledger):
    assert verify(rubbish, ledger).valid is False
    assert not issued_here(rubbish, ledger)


def test_a_certificate_is_known_to_be_ours_by_its_key_or_its_entry(issued, ledger, tmp_path):
    ours, elsewhere = issued[0], Ledger(tmp_path / "other.sqlite")
    assert issued_here(ours, ledger)
    assert issued_here({**ours, "entry": "another"}, ledger)
    assert issued_here({**ours, "signature": {"public_key": "ab" * 32}}, ledger)
    assert not issued_here(ours, elsewhere)


def test_only_the_first_places_of_a_long_list_of_differences_are_named(issued):
    claimed = {**issued[0], **{f"extra{k}": k for k in range(1_000)}}
    (finding,) = (check.finding for check in verify(claimed).checks if "extra" in check.finding)
    assert finding.count("extra") == PLACES_NAMED
    assert finding.endswith("…")


@pytest.mark.parametrize(("confidence", "said"), [(0.5, "50 %"), (0.99995, "99.995 %"), (1.0, "more than 99.9999 %")])
def test_a_confidence_never_rounds_up_to_certainty(confidence, said):
    assert confidence_text(confidence) == said
