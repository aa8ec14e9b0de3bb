"""What is said of a promise, once for all who say it: large epsilon, large delta, the best attacker."""

from decimal import Decimal

from privcause_core.settings import EPSILON_NOTED_ABOVE
from privcause_core.verdicts.attacker import best_guess, odds_factor, posterior


def epsilon_note(epsilon: float | Decimal) -> str:
    """Return a sentence if an epsilon is too large to promise much, else ""."""
    if epsilon <= EPSILON_NOTED_ABOVE:
        return ""
    return f"epsilon {float(epsilon):g} is above {EPSILON_NOTED_ABOVE:g}: it promises next to nothing."


def delta_note(delta: float | Decimal, protected_rows: int) -> str:
    """Return a sentence if a delta is as large as one over the number of protected rows, else ""."""
    if delta * protected_rows < 1:
        return ""
    return (
        f"delta {float(delta):g} is not below 1/{protected_rows:,}, one over the number of protected rows: it would "
        "allow publishing whole rows."
    )


def guesses_right(epsilon: float, delta: float) -> str:
    """Return "on average at most 73.1 right": the best attacker's coin-flip guesses of 100."""
    return f"on average at most {100.0 * best_guess(epsilon, delta):.1f} right"


def promise_lines(epsilon: float, delta: float) -> list[str]:
    """Return what an (epsilon, delta) promise says about one row, in plain sentences."""
    lines = [
        "Of 100 coin-flip guesses whether a person's row is in the data, the best attacker gets "
        f"{guesses_right(epsilon, delta)} (50 is blind guessing).",
        f"A suspicion of 1 % can become at most {posterior(0.01, epsilon):.1%}: odds grow by at most "
        f"e^ε = {odds_factor(epsilon):.4g}.",
    ]
    if delta:
        lines.append(f"δ = {delta:g}: about one run in {1.0 / delta:,.0f} may break the promise of ε.")
    return lines
