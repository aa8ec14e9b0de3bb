"""The score registry: every module of this package that defines ``SCORE`` is a score."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from privcause_core.errors import ParameterError
from privcause_core.scores.base import DirectionStatistic, LaplaceScore, Score, TwoScores
from privcause_core.settings import ALL_SCORES


@cache
def all_scores() -> tuple[Score, ...]:
    """Return every registered score, in table order."""
    modules = (import_module(f"{__name__}.{info.name}") for info in iter_modules(__path__))
    return tuple(sorted((m.SCORE for m in modules if hasattr(m, "SCORE")), key=lambda score: score.order))


def get_score(name: str) -> Score:
    """Return the score of that name.

    Raises
    ------
    ParameterError
        If no score has that name.
    """
    for score in all_scores():
        if score.name == name:
            return score
    names = ", ".join(score.name for score in all_scores())
    raise ParameterError(f"Expected score to be one of {names}, got {name!r}.")


def chosen_scores(name: str) -> tuple[Score, ...]:
    """Return the named score alone, or every score for ``"all"``."""
    return all_scores() if name == ALL_SCORES else (get_score(name),)


__all__ = ["DirectionStatistic", "LaplaceScore", "Score", "TwoScores", "all_scores", "chosen_scores", "get_score"]
