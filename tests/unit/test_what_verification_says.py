"""What verification says of a certificate, check by check and word for word, and what it never overlooks."""

import copy
import json

import pytest

from privcause_core.errors import DataError
from privcause_core.ledger import Signature, cohort_of_pair
from privcause_core.release import Ledger, receipt_of, verify
from privcause_core.release.verification import PLACES_NAMED
from tests.contract.older import GOLDEN
from tests.unit.releasing import amount, charge, pair

FIRST_LOG_IQR = ("releases", 1, "outcome", "values", "log_iqr_x")
FACTS, NUMBERS = (
    "cost, protection, public facts, and nothing else",
    "mechanisms, sensitivities, noise scales and conclusions",
)


def golden(name, format_number=3):
    return json.loads((GOLDEN / f"certificate-{format_number}-{name}.json").read_text(encoding="utf-8"))


def said(claimed, *who):
    return [(one.name, one.holds, one.finding) for one in verify(claimed, *who).checks]


def changed(claimed, *path, to):
    """Return a copy with one place changed; taken out where ``to`` is the ellipsis."""
    claimed = copy.deepcopy(claimed)
    *way, last = path
    place = claimed
    for key in way:
        place = place[key]
    if to is ...:
        del place[last]
    else:
        place[last] = to
    return claimed


def test_a_certificate_without_key_or_ledger_is_unknown_and_a_strangers_is_refused(tmp_path):
    ledger = Ledger(tmp_path / "ledger.sqlite")
    assert said(golden("blocks"))[3:] == [
        ("key", None, "no ledger and no public key at hand; not checked: anybody can sign"),
        ("entry in the ledger", None, "no ledger at hand; not checked"),
    ]
    entry = ("entry in the ledger", False, "The ledger holds no release of that id.")
    unknown = ("key", None, "no ledger and no public key at hand; not checked: anybody can sign")
    assert said(golden("blocks"), ledger)[3:] == [unknown, entry]
    ledger.public_key()  # made now
    assert said(golden("blocks"), ledger)[3:] == [
        ("key", False, "signed with a key that is not the one known here"),
        entry,
    ]
    assert said(golden("blocks"), None, "ab" * 32)[3] == (
        "key", False, "signed with a key that is not the one known here",
    )  # fmt: skip


def test_a_certificate_of_format_2_carries_no_signature_and_one_of_format_3_must():
    older = golden("blocks", 2)
    assert said(older)[2:4] == [
        ("signature", None, "certificates of format privcause-certificate/2 carry none; only the ledger can tell"),
        ("key", None, "there is no signature to compare"),
    ]
    assert said(changed(golden("blocks"), "signature", to=...))[2] == ("signature", False, "it is missing")


def test_what_was_changed_after_it_was_signed_is_said_where_it_was_and_nowhere_else():
    found = said(changed(golden("blocks"), "guarantee", "epsilon", to="1"))
    assert found[:3] == [
        (FACTS, False, "not as recomputed: guarantee.epsilon"),
        (NUMBERS, True, "as recomputed"),
        ("signature", False, "not of this content: it was changed after it was signed"),
    ]
    assert said(changed(golden("blocks"), "releases", 0, "score", to="iqr"))[:2] == [
        (FACTS, True, "as recomputed"),
        (NUMBERS, False, "not as recomputed: releases[0].score"),
    ]


@pytest.mark.parametrize(
    ("path", "to", "place"),
    [
        (("note",), None, "note"),
        (("releases", 0, "note"), None, "releases[0].note"),
        (
            ("releases", 1, "outcome", "values", "log_iqr_x", "interval"),
            ...,
            "releases[1].outcome.values.log_iqr_x.interval",
        ),
        (("time",), {"when": 1}, "time"),
        (("not_used",), ["bandwidth"], "not_used"),
        (("not_used",), "bandwidth", "not_used"),
        (("releases", 0, "outcome", "undecided"), 0, "releases[0].outcome.undecided"),
        (("pair", "x"), ["dose"], "pair.x"),
    ],
    ids=str,
)
def test_every_change_of_kind_length_or_presence_is_found(path, to, place):
    found = {one[2] for one in said(changed(golden("places"), *path, to=to))[:2]}
    assert found == {"as recomputed", f"not as recomputed: {place}"}


def test_the_software_that_released_is_stated_and_not_recomputed():
    pairs = [["privcause", "0.9.0"], ["opendp", "0.14.1"], ["python", "3.11.9"]]
    assert [one[1] for one in said(changed(golden("blocks"), "software", to=pairs))[:3]] == [True, True, False]


def test_twelve_places_are_named_and_more_are_hinted_at():
    extra = [f"extra{k:02}" for k in range(PLACES_NAMED + 1)]
    just = said(golden("blocks") | dict.fromkeys(extra[:-1], 1))[0][2]
    assert just == "not as recomputed: " + ", ".join(extra[:-1])
    assert said(golden("blocks") | dict.fromkeys(extra, 1))[0][2] == f"{just}, …"


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_number_that_json_has_not_makes_a_certificate_incomplete_wherever_it_stands(value):
    assert said(golden("blocks") | {"note": value}) == [
        ("certificate is complete", False, "it holds values that no release has")
    ]


def test_what_is_no_certificate_is_one_failed_check_that_says_why():
    incomplete = "Expected a PrivCause certificate; this file is incomplete or was changed."
    assert said({}) == [("certificate is complete", False, incomplete)]


def test_a_ledger_says_of_an_entry_what_it_holds_of_it(tmp_path):
    ledger = Ledger(tmp_path / "ledger.sqlite")
    stated = golden("blocks")
    for entry, recorded in (("begun", None), ("other", {"entry": "other"}), ("same", stated | {"entry": "same"})):
        charge(ledger, cohort_of_pair(pair()), amount("0.1"), entry=entry)
        if recorded:
            ledger.record(entry, json.dumps(recorded))
    findings = {entry: said(stated | {"entry": entry}, ledger)[-1] for entry in ("begun", "other", "same", "\ud800")}
    assert {one[0] for one in findings.values()} == {"entry in the ledger"}
    assert {entry: one[1:] for entry, one in findings.items()} == {
        "begun": (False, "charged, but the ledger holds no result for it"),
        "other": (False, "found, but with other content"),
        "same": (True, "found, word for word"),
        "\ud800": (False, "The ledger holds no release of that id."),
    }


RELEASED = ("releases", 0, "outcome", "values")
COUNTS, FINITE = (
    "Expected row counts that add up in the certificate.",
    "Expected finite released values in the certificate.",
)


@pytest.mark.parametrize(
    ("path", "to", "message"),
    [
        (("plan", "scores"), ["kendall"], "Expected one outcome a score in the certificate."),
        (("format",), 1, "Expected a certificate of format privcause-certificate/3 or privcause-certificate/2."),
        (("public", "complete_rows"), 50, COUNTS),
        (("public", "complete_rows"), 61, COUNTS),
        (("public",), {"rows": 60, "complete_rows": 0, "n_train": 0, "n_test": 0}, COUNTS),
        (("public",), {"rows": 60, "complete_rows": 61, "n_train": 36, "n_test": 25}, COUNTS),
        ((*RELEASED, "score_xy", "value"), None, FINITE),
        ((*RELEASED, "score_xy", "value"), float("inf"), FINITE),
        ((*RELEASED, "score_xy", "value"), "0.5", "Expected released values as numbers in the certificate."),
        ((*RELEASED, "score_xy", "value"), True, "Expected released values as numbers in the certificate."),
        (("pair",), None, "Expected a PrivCause certificate; this file is incomplete or was changed."),
    ],
    ids=str,
)
def test_a_certificate_that_cannot_be_read_back_says_what_was_expected(path, to, message):
    with pytest.raises(DataError) as refused:
        receipt_of(changed(golden("test-rows"), *path, to=to))
    assert str(refused.value) == message


def test_a_plan_of_format_2_with_another_setting_is_told_its_settings():
    with pytest.raises(DataError) as refused:
        receipt_of(changed(golden("blocks", 2), "plan", "blinds", to=1))
    assert str(refused.value) == (
        "Expected a plan with bandwidth, bin_width, blocks, calibration, delta, epsilon, protect, range_x, range_y, "
        "release, ridge, route, scores, seed, soft_width, test_share."
    )


def test_a_signature_is_read_back_with_its_key():
    assert receipt_of(golden("blocks")).signature == Signature(
        **{name: golden("blocks")["signature"][name] for name in ("public_key", "signature")}
    )
