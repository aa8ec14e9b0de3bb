"""What a private verdict gives: an arrow with its released values, or a refusal."""

from dataclasses import dataclass

from privcause_core.pair import Direction


@dataclass(frozen=True, slots=True)
class Released:
    """Private outputs of one verdict, in the order of the mechanism's ``outputs``, and the arrow they give."""

    values: tuple[float, ...]
    margin: float
    direction: Direction


@dataclass(frozen=True, slots=True)
class Refused:
    """No arrow: at least one log-IQR was not released (None); what was released stands. It costs as much."""

    values: tuple[float | None, ...]


def private_direction(margin: float) -> Direction:
    """Return the arrow of a private margin s_YX - s_XY: always an arrow, as post-processing."""
    return Direction.X_TO_Y if margin > 0.0 else Direction.Y_TO_X
