"""A certificate dropped on the Release page: valid, refused or unknown, whatever the file holds."""

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.release.certificate_check import LARGEST, read
from privcause_core.errors import DataError
from privcause_core.pair import Pair
from privcause_core.release import Ledger, certificate_json, release
from tests.app.driving import app_at, words
from tests.unit.releasing import NOW, pair, plan


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ledger:
    path = tmp_path / "ledger.sqlite"
    monkeypatch.setenv("PRIVCAUSE_LEDGER", str(path))
    return Ledger(path)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "elsewhere.sqlite")


def issued(ledger: Ledger) -> str:
    return certificate_json(release(plan(), pair(), ledger, now=NOW))


def checked(content: bytes, *, key: str = "") -> AppTest:
    """Return the Release page after a file was dropped into its check."""
    app = app_at("release")
    app.session_state["verify"] = True
    app.run()
    app.text_input(key="verify_key").set_value(key).run()
    app.file_uploader(key="verify_file").set_value([("certificate.json", content, "application/json")]).run()
    assert not app.exception
    return app


def verdict(app: AppTest) -> str:
    return " ".join(one.value.split("**")[1] for kind in (app.success, app.info, app.error) for one in kind
                    if one.value.startswith("**"))  # fmt: skip


def findings(app: AppTest) -> dict[str, str]:
    """Return what was checked, and how it came out."""
    lines = (one.value.removeprefix("- **").partition("** · ") for one in app.markdown if one.value.startswith("- **"))
    return {about.partition(":")[0]: mark for mark, _, about in lines}


def test_a_certificate_of_this_machine_is_valid_and_says_what_was_checked(here: Ledger) -> None:
    app = checked(issued(here).encode())
    assert verdict(app) == "Valid."
    assert set(findings(app).values()) == {"holds"}
    assert "`dose` and `effect`, of `trial`" in words(app)


def test_a_certificate_of_another_machine_is_unknown_until_its_key_is_typed(here: Ledger, elsewhere: Ledger) -> None:
    content = issued(elsewhere).encode()
    app = checked(content)
    assert verdict(app) == "Unknown."
    assert findings(app)["entry in the ledger"] == findings(app)["key"] == "not checked"
    assert verdict(checked(content, key=elsewhere.public_key())) == "Valid."
    assert verdict(checked(content, key=here.public_key())) == "Refused."


def test_a_changed_certificate_is_refused_and_its_names_are_not_repeated(here: Ledger) -> None:
    changed = json.loads(issued(here)) | {"time": "2020-01-01T00:00:00+00:00"}
    app = checked(json.dumps(changed).encode())
    assert verdict(app) == "Refused."
    assert findings(app)["signature"] == "FAILED"
    assert "It is about" not in words(app)


def test_a_name_that_would_turn_the_sentence_is_isolated(here: Ledger) -> None:
    hostile = release(plan(), Pair("trial", "\u202eab", "**x**", pair().x, pair().y), here, now=NOW)
    app = checked(certificate_json(hostile).encode())
    assert verdict(app) == "Valid."
    assert "`⟨U+202E⟩ab` and `**x**`" in words(app)


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff\xfe{}", b"{" * 100_000, b"[" * 200_000, b"1" * 5_000, b"{} {}"])
def test_what_is_no_certificate_is_one_sentence(here: Ledger, content: bytes) -> None:
    assert here.path.exists()
    assert "no certificate" in checked(content).error[0].value


@pytest.mark.parametrize(
    "content", [b"{}", b'{"pair": {"x": []}}', b'{"format": "privcause-certificate/3", "plan": 1}']
)
def test_an_object_that_is_no_certificate_is_refused(here: Ledger, content: bytes) -> None:
    assert here.path.exists()
    assert verdict(checked(content)) == "Refused."


def test_a_key_that_is_none_is_one_sentence(here: Ledger) -> None:
    assert "64 hexadecimal digits" in checked(issued(here).encode(), key="abc").error[0].value


def test_a_file_beyond_the_limit_is_not_read() -> None:
    with pytest.raises(DataError, match="1 MB"):
        read(b" " * (LARGEST + 1))
