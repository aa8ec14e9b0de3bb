"""What a sample says about itself before it is loaded."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sample:
    """One entry of the sample list.

    Attributes
    ----------
    slug : str
        ``sample:NAME``, what the command line and the address bar hold.
    title, description : str
        For people.
    source : str
        Where the rows come from.
    truth_reason : str
        Why the known arrow points as it does, or why there is none.
    synthetic : bool
        Whether rows, noise level and seed can be chosen.
    """

    slug: str
    title: str
    description: str
    source: str
    truth_reason: str
    synthetic: bool
