"""What an (epsilon, delta) promise means for one person, and what our terms mean, once for all who say it.

Promises hold for every attacker and any m. A *guess* is a fair one: the attacker knows everything but whether a
person's row is the real one or was replaced, both equally likely, and sees one release.
"""

import math
from decimal import Decimal

EPSILON_NOTED_ABOVE = 10.0
ZERO_IQR = "IQR is zero"
TERMS = {
    "m": "the number of test rows: those that are scored. The training rows draw the curves.",
    "Noise-free": "computed from the rows as they are, before any privacy noise; for you, not for publishing.",
    "Privacy": "of 100 private runs on these very rows, those whose arrow is the noise-free one.",
    "Sampling": "how likely the noise-free arrow is that of all people like these, if the score is right.",
    "Both": "how likely a single private run tells that arrow.",
    "Standard error": "by how much the margin would usually differ if other people had been asked.",
}


def score_text(value: float, digits: int = 4) -> str:
    """Return a score for people; minus infinity is the log of an IQR that is zero."""
    return ZERO_IQR if value == -math.inf else f"{value:.{digits}g}"


def margin_text(value: float, digits: int = 4) -> str:
    """Return a margin for people; one that is not finite comes of an IQR that is zero."""
    return f"{value:.{digits}g}" if math.isfinite(value) else f"without end ({ZERO_IQR})"


def explained(*terms: str) -> str:
    """Return what terms mean, as Markdown, one below the other."""
    return "\n\n".join(f"**{term}**: {TERMS[term]}" for term in terms)


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
        f"A suspicion of 1 % can become at most {posterior(0.01, epsilon):.1%}: {odds_said(epsilon)}.",
    ]
    if delta:
        lines.append(f"δ = {delta:g}: about one run in {1.0 / delta:,.0f} may break the promise of ε.")
    return lines


def best_guess(epsilon: float, delta: float = 0.0) -> float:
    """Return the best attacker's share of right guesses, (e^epsilon + delta) / (1 + e^epsilon), in [1/2, 1]."""
    tail = math.exp(-epsilon)  # of e^epsilon both could overflow
    return min(1.0, (1.0 + delta * tail) / (1.0 + tail))


def odds_factor(epsilon: float) -> float:
    """Return e^epsilon, the most by which a release can multiply an attacker's odds (delta aside)."""
    return math.exp(epsilon) if epsilon < 700.0 else math.inf


def odds_said(epsilon: float) -> str:
    """Return how much odds may grow, in words; what no computer's number holds is no bound that helps anybody."""
    factor = odds_factor(epsilon)
    if math.isinf(factor):
        return "odds may grow beyond any number a computer holds"
    return f"odds grow by at most e^ε = {factor:.4g}"


def posterior(prior: float, epsilon: float) -> float:
    """Return the most that a suspicion of probability ``prior`` can become (delta aside)."""
    return prior / (prior + (1.0 - prior) * math.exp(-epsilon))
