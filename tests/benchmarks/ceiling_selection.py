"""``python -m tests.benchmarks.ceiling_selection``: which regression rule and HSIC bandwidth tell most arrows.

Compares them on synthetic pairs alone (docs/ceiling.md). A rule is the product with one part exchanged.
"""

import argparse
from collections import defaultdict
from collections.abc import Mapping
from contextlib import nullcontext
from unittest.mock import patch

import numpy as np
from scipy.linalg import eigh

from privcause_core.fits import ridge
from privcause_core.fits.anm import AnmFit, fit_anm
from privcause_core.fits.ridge import NOISE_RATIOS
from privcause_core.fits.scaling import Scaling
from privcause_core.kernel_features import RADIUS
from privcause_core.pair import FloatArray
from privcause_core.scores import LaplaceScore, get_score
from privcause_core.settings import Settings
from privcause_core.sweep import PAPER_SCORES
from privcause_core.verdicts.theory import flip_two_scores, noise_scale
from tests.benchmarks.families import pairs

HSIC_BANDWIDTHS = (0.2, 0.3, 0.5, 1.0, 2.0)
MANY_BANDWIDTHS = (0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 4.0, 8.0)

Margins = dict[str, tuple[float, float | None]]  # score -> margin for the truth, private share at epsilon 1


def validation_error(gram: FloatArray, moment: FloatArray, total: float, n: int) -> FloatArray:
    """Return the log of n RSS / (n - df)^2, generalised cross-validation, for every noise ratio."""
    eigenvalues, vectors = eigh(gram, driver="evd")
    eigenvalues, squares = np.maximum(eigenvalues, 0.0)[:, None], ((vectors.T @ moment) ** 2)[:, None]
    shifted = eigenvalues + NOISE_RATIOS
    freedom = 1.0 + (eigenvalues / shifted).sum(axis=0)
    residual = total - (squares / shifted).sum(axis=0) - NOISE_RATIOS * (squares / shifted**2).sum(axis=0)
    return np.where(freedom < n, np.log(np.maximum(residual, 1e-300)) - 2.0 * np.log(np.abs(n - freedom)), np.inf)


def narrow_axis(_: FloatArray) -> Scaling:
    """Return the axis of the scores: clipped at five robust standard deviations."""
    return Scaling(limit=RADIUS)


GCV = {"_negative_evidence": validation_error}
NARROW = {"central_axis": narrow_axis}
RULES: dict[str, Mapping[str, object]] = {
    "narrow axis, cross-validation": GCV | NARROW,
    "narrow axis, marginal likelihood": NARROW,
    "wide axis, cross-validation": GCV,
    "wide axis, marginal likelihood (chosen)": {},
    "the same with 10 bandwidths": {"BANDWIDTHS": MANY_BANDWIDTHS},
}


def margins(fit: AnmFit) -> Margins:
    """Return every score's margin in favour of x -> y, HSIC at every bandwidth."""
    found: Margins = {}
    for score in map(get_score, PAPER_SCORES):
        for bandwidth in HSIC_BANDWIDTHS if score.name == "hsic" else (1.0,):
            settings = Settings(bandwidth=bandwidth)
            margin = score.statistic(fit.scored.y_to_x, settings) - score.statistic(fit.scored.x_to_y, settings)
            name = f"{score.name} {bandwidth:g}" if score.name == "hsic" else score.name
            found[name] = (
                margin,
                private_share(score, margin, fit.n_test) if isinstance(score, LaplaceScore) else None,
            )
    return found


def private_share(score: LaplaceScore, margin: float, m: int) -> float:
    """Return the probability that the private arrow at total epsilon 1 is the true one."""
    scale = noise_scale(score.sensitivity(m, Settings().calibration), 1.0)
    flip = float(flip_two_scores(margin / scale))
    return 1.0 - flip if margin > 0 else flip


def right(margin: float) -> float:
    """Return 1 for the right arrow, 0 for the wrong one, 1/2 for a tie."""
    return 0.5 if margin == 0 or np.isnan(margin) else float(margin > 0)


def measure(rule: Mapping[str, object], each: int, seed: int) -> dict[str, list[Margins]]:
    """Return the margins of every pair, by family."""
    found = defaultdict(list)
    with patch.multiple(ridge, **rule) if rule else nullcontext():
        for number, (family, pair) in enumerate(pairs(each, seed)):
            found[family].append(margins(fit_anm(pair, Settings(seed=number))))
    return found


def main(each: int, seed: int) -> None:
    """Print one table a question, in percent of right arrows."""
    measured = {name: measure(rule, each, seed) for name, rule in RULES.items()}
    former = shares(next(iter(measured.values())))
    names = list(former)
    print("| rule |", " | ".join(names), "|")
    for rule, families in measured.items():
        cells = [f"{100 * s.mean():.1f} ({100 * (s - former[k]).mean():+.1f} ± {100 * error(s - former[k]):.1f})"
                 for k, s in shares(families).items()]  # fmt: skip
        print("|", rule, "|", " | ".join(cells), "|")
    chosen = measured["wide axis, marginal likelihood (chosen)"]
    print("\n| family |", " | ".join(names), "|")
    for family, found in chosen.items():
        print("|", family, "|", " | ".join(f"{100 * s.mean():.0f}" for s in shares({family: found}).values()), "|")
    private = [[one[name][1] for found in chosen.values() for one in found] for name in names]
    print("| private, epsilon 1 |", " | ".join("" if None in p else f"{100 * np.mean(p):.1f}" for p in private), "|")


def shares(families: Mapping[str, list[Margins]]) -> dict[str, FloatArray]:
    """Return 1, 1/2 or 0 for every pair, by score."""
    every = [one for found in families.values() for one in found]
    return {name: np.array([right(one[name][0]) for one in every]) for name in every[0]}


def error(values: FloatArray) -> float:
    """Return the standard error of the mean."""
    return float(values.std() / np.sqrt(values.size))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=96, help="pairs of each family")
    parser.add_argument("--seed", type=int, default=2024)
    main(**vars(parser.parse_args()))
