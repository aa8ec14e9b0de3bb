"""What every test of a page shares."""

import pytest

from privcause_core.protection import voting_blocks


@pytest.fixture(autouse=True)
def blocks_fitted_once(monkeypatch):
    """Let a block fit itself once where people wait for several fits: pages show votes, other tests count them."""
    monkeypatch.setattr(voting_blocks, "CROSS_FITS", 1)
