"""A finished release: private outputs and typed values, nothing else."""

from dataclasses import dataclass

from privcause_core.ledger import Signature
from privcause_core.loading import Reading
from privcause_core.release.counts import Counts
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
    counts : Counts
        Public row counts.
    versions : tuple of (str, str)
        Software and version.
    outcomes : tuple of Released or Refused
        In the order of ``plan.scores``.
    seed : int, optional
        Of a table whose rows were dealt by their place in the file; None where they were dealt in secret.
    edition : int
        Of the certificate: 2 for those of the first version, whose every deal was by places.
    signature : Signature, optional
        By the key of the ledger that issued it.
    reading : Reading, optional
        How the file was read, where that was declared beforehand.
    """

    entry: str
    time: str
    plan: Plan
    pair_name: str
    x_name: str
    y_name: str
    counts: Counts
    versions: tuple[tuple[str, str], ...]
    outcomes: tuple[Released | Refused, ...]
    seed: int | None = None
    edition: int = 3
    signature: Signature | None = None
    reading: Reading | None = None

    @property
    def quote(self) -> Quote:
        """Return the plan's price, recomputed from public facts."""
        return quote(self.plan, self.counts, places=self.seed is not None)

    @property
    def results(self) -> tuple[tuple[Terms, Released | Refused], ...]:
        """Return each score's terms and outcome."""
        return tuple(zip(self.quote.terms, self.outcomes, strict=True))
