"""A finished release: private outputs and typed values, nothing else."""

from dataclasses import dataclass

from privcause_core.release.plan import Plan
from privcause_core.release.quote import Quote, Terms, quote
from privcause_core.verdicts.outcome import Refused, Released


@dataclass(frozen=True, slots=True)
class Receipt:
    """The result of one release, safe to publish.

    Attributes
    ----------
    entry : str
        Random id of the ledger entry; whoever holds it can look the result up.
    time : str
        ISO 8601, with time zone.
    plan : Plan
    pair_name, x_name, y_name : str
        As the file names them.
    rows : int
        Complete rows, public.
    versions : tuple of (str, str)
        Software and version.
    outcomes : tuple of Released or Refused
        In the order of ``plan.scores``.
    """

    entry: str
    time: str
    plan: Plan
    pair_name: str
    x_name: str
    y_name: str
    rows: int
    versions: tuple[tuple[str, str], ...]
    outcomes: tuple[Released | Refused, ...]

    @property
    def quote(self) -> Quote:
        """Return the plan's price, recomputed from public facts."""
        return quote(self.plan, self.rows)

    @property
    def results(self) -> tuple[tuple[Terms, Released | Refused], ...]:
        """Return each score's terms and outcome."""
        return tuple(zip(self.quote.terms, self.outcomes, strict=True))
