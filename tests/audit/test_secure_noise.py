"""The secure source itself, one vector a side: the claimed loss is kept, four fifths of the noise are caught."""

import numpy as np
import pytest

from privcause_core.noise.secure import SecureNoise
from tests.audit.secure_audit import RUNS, Finding

SENSITIVITY, EPSILON = 0.2, 1.0


def finding(share_of_noise):
    """Count noised values >= D where the true value is D, and where it is 0."""
    counts = [
        int((SecureNoise().add_laplace(np.full(RUNS, v), share_of_noise * SENSITIVITY, EPSILON) >= SENSITIVITY).sum())
        for v in (SENSITIVITY, 0.0)
    ]
    return Finding(*counts)


@pytest.mark.audit
def test_secure_noise_keeps_its_promise():
    assert finding(1.0).proved_epsilon <= EPSILON


@pytest.mark.audit
def test_four_fifths_of_the_secure_noise_are_caught():
    assert finding(0.8).proved_epsilon > EPSILON
