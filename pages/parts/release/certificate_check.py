"""A certificate verified in the browser: what was checked, what was not, and the verdict; nobody else is asked."""

import json
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.shared import messages
from pages.shared.wording import chip, literal
from privcause_core.errors import DataError
from privcause_core.release import Ledger, Verification, checked_key, verify
from privcause_core.release.verification import issued_here

LARGEST = 1 << 20  # bytes
LONGEST = 1_000  # characters of a finding
_MARKS = {True: "**holds**", False: "**FAILED**", None: "**not checked**"}


def draw() -> None:
    """Draw the box; its contents only when it is opened."""
    with st.expander("Verify a certificate", key="verify", on_change="rerun") as opened:
        if not opened.open:
            return
        st.caption("Checked on this machine alone; nobody is asked.")
        file = st.file_uploader("Certificate (JSON)", ["json"], key="verify_file", max_upload_size=1)
        typed = st.text_input("Public key of the data holder, from a source you trust (optional)", key="verify_key")
        if isinstance(file, UploadedFile):
            with messages.showing():
                claimed = read(file.getvalue())
                _show(claimed, _verified(claimed, typed))


def read(data: bytes) -> dict[str, Any]:
    """Return the JSON object of a file.

    Raises
    ------
    DataError
        If it is too large, or none.
    """
    if len(data) > LARGEST:
        raise DataError("a certificate has less than 1 MB.")
    try:
        values = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise DataError("this file is no certificate: it is no JSON object.")
    return values


def _verified(claimed: dict[str, Any], typed: str) -> Verification:
    """Ask this machine's ledger where the certificate claims to be from it, and compare the key that was typed."""
    ledger = Ledger()
    asked = ledger if issued_here(claimed, ledger) else None
    return verify(claimed, asked, checked_key(typed) if typed.strip() else None)


def _show(claimed: dict[str, Any], found: Verification) -> None:
    if found.valid:
        st.success("**Valid.** A known key or this machine's ledger vouches for it.", icon=":material/verified:")
    elif found.valid is None:
        st.info(
            "**Unknown.** Nothing speaks against it, and nobody known here vouches for it: anybody can make up such a "
            "certificate. Type the holder's public key, or ask the holder.",
            icon=":material/help:",
        )
    else:
        st.error("**Refused.** It was changed, or is an invention.", icon=":material/gpp_bad:")
    pair = claimed.get("pair")
    if found.valid is not False and isinstance(pair, dict):
        st.markdown(f"It is about {chip(str(pair['x']))} and {chip(str(pair['y']))}, of {chip(str(pair['name']))}.")
    for one in found.checks:
        st.markdown(f"- {_MARKS[one.holds]} · {literal(one.name)}: {literal(one.finding[:LONGEST])}")
