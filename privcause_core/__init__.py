"""PrivCause: what differential privacy does to a causal verdict.

>>> from privcause_core import Settings, analyse, load_sample
>>> pair = load_sample("diabetes-age-bp")
>>> analysis = analyse(pair, Settings(score="kendall", epsilon=1.0))
>>> print(f"{pair.x_name} {analysis.headline.true.direction} {pair.y_name}")
age (years) x->y average blood pressure
>>> print(f"the private arrow differs in {analysis.headline.probability_flip:.0%} of runs")
the private arrow differs in 41% of runs

Pairs of your own come from ``Pair``, given two arrays, or from files by ``load_path`` and ``load_bytes``. All of this
looks at true values. What may be published comes from ``privcause_core.release`` alone: ``quote`` prices a ``Plan``,
``release`` spends the budget of a ``Ledger`` on it, ``certificate`` says what was promised, ``verify`` checks that.

Names are loaded when they are first used, so that ``import privcause_core`` stays light.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from privcause_core.version import __version__

if TYPE_CHECKING:
    from privcause_core.errors import BudgetExceededError, DataError, LedgerError, ParameterError, PrivCauseError
    from privcause_core.explore.analysis import Analysis, analyse
    from privcause_core.loading import Loaded, load_bytes, load_path
    from privcause_core.pair import Direction, Pair
    from privcause_core.release import Ledger, Plan, certificate, quote, verify
    from privcause_core.samples import load_sample
    from privcause_core.scores import all_scores, get_score
    from privcause_core.settings import Settings

__all__ = [
    "Analysis",
    "BudgetExceededError",
    "DataError",
    "Direction",
    "Ledger",
    "LedgerError",
    "Loaded",
    "Pair",
    "ParameterError",
    "Plan",
    "PrivCauseError",
    "Settings",
    "__version__",
    "all_scores",
    "analyse",
    "certificate",
    "get_score",
    "load_bytes",
    "load_path",
    "load_sample",
    "quote",
    "verify",
]

_ROOMS = {
    "errors": ("BudgetExceededError", "DataError", "LedgerError", "ParameterError", "PrivCauseError"),
    "explore.analysis": ("Analysis", "analyse"),
    "loading": ("Loaded", "load_bytes", "load_path"),
    "pair": ("Direction", "Pair"),
    "release": ("Ledger", "Plan", "certificate", "quote", "verify"),
    "samples": ("load_sample",),
    "scores": ("all_scores", "get_score"),
    "settings": ("Settings",),
}
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names}


def __getattr__(name: str) -> object:
    """Load a public name where it lives."""
    if name not in _ROOM_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_ROOM_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
