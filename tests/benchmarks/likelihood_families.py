"""``python -m tests.benchmarks.likelihood_families``: right arrows of the likelihood score on synthetic pairs alone."""

import argparse
from collections import defaultdict

import numpy as np

from privcause_core.fits.anm import fit_anm
from privcause_core.scores import get_score
from privcause_core.settings import Settings
from tests.benchmarks.more_families import every_pair

EPSILONS = (np.inf, 1.0, 0.1)
SCORE = get_score("likelihood")


def shares(margin: float, m: int, limit: float) -> list[float]:
    """Return the probability of the right arrow without noise and at each total epsilon, direction only."""
    flips = [0.0 if np.isinf(e) else 0.5 * np.exp(-abs(margin) * m * e / (2.0 * limit)) for e in EPSILONS]
    return [0.5 if margin == 0.0 else 1.0 - flip if margin > 0.0 else flip for flip in flips]


def main(each: int, seed: int) -> None:
    """Print right arrows in percent, by family and by number of rows."""
    found = defaultdict(list)
    for number, (family, pair) in enumerate(every_pair(each, seed)):
        settings = Settings(seed=number)
        fitted = fit_anm(pair, settings)
        right = shares(SCORE.evaluate(fitted.scored, settings).margin, fitted.n_test, settings.vote_limit)
        for key in (family, f"{pair.rows} rows", "all"):
            found[key].append(right)
    print("| pairs | without noise | epsilon 1 | epsilon 0.1 |\n| --- | --- | --- | --- |")
    for key, rights in found.items():
        print("|", " | ".join([key, *(f"{100 * share:.1f}" for share in np.mean(rights, axis=0))]), "|")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=24, help="pairs of each family and number of rows")
    parser.add_argument("--seed", type=int, default=12)
    main(**vars(parser.parse_args()))
