"""From what was loaded to the pairs of a sweep."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from privcause_core.loading import Loaded, Rejected
from privcause_core.pair import Pair


def gather(loads: Iterable[Loaded]) -> tuple[list[Pair], list[Rejected]]:
    """Return all pairs under distinct names, and what cannot be swept with its reason.

    A table with two columns of numbers is a pair; one with more says nothing about which two are meant.
    """
    pairs: list[Pair] = []
    rejected: list[Rejected] = []
    for loaded in loads:
        pairs += loaded.pairs
        rejected += loaded.rejected
        for table in loaded.tables:
            numeric = table.numeric_columns
            if len(numeric) == 2:
                pairs.append(table.pair(*numeric))
            else:
                reason = f"it has {len(numeric)} columns of numbers; many pairs at once need tables of exactly two."
                rejected.append(Rejected(table.name, reason))
    return _distinct(pairs), rejected


def _distinct(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs, numbered where a name is taken."""
    taken: set[str] = set()
    result = []
    for pair in pairs:
        numbered = (f"{pair.name} ({n})" for n in range(2, len(pairs) + 2))
        name = next(one for one in (pair.name, *numbered) if one not in taken)
        taken.add(name)
        result.append(pair if name == pair.name else replace(pair, name=name))
    return result
