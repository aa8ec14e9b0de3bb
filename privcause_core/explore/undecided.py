"""Why a pair's noise-free verdict is undecided whatever its scores, in sentences. Non-private."""

from privcause_core.names import isolated
from privcause_core.pair import Pair


def undecided_reasons(pair: Pair, exact: tuple[bool, bool]) -> tuple[str, ...]:
    """Return why a true verdict is undecided: a constant column, or a column that the other predicts exactly.

    ``exact`` says of x and of y whether the other column predicts it exactly.
    """
    constant = [name for name, values in ((pair.x_name, pair.x), (pair.y_name, pair.y)) if values.min() == values.max()]
    if constant:
        return tuple(f"Column {isolated(name)} is constant: no direction can be inferred." for name in constant)
    return tuple(
        f"No residual variation in {isolated(name)}: the other column predicts it exactly; no direction can be "
        "inferred."
        for name, none_left in zip((pair.x_name, pair.y_name), exact, strict=True)
        if none_left
    )
