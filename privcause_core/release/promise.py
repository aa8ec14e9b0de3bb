"""What a certificate promises, to whom, and which facts it declares public."""

from privcause_core.ledger import Amount, decimal_text
from privcause_core.protection.choice import coverage
from privcause_core.release.counts import hides_completeness
from privcause_core.release.plan import Plan
from privcause_core.release.receipt import Receipt
from privcause_core.text.words import best_guess

_LAYOUT = (
    "the typed plan; the column names; how the file is laid out (separator, decimal mark, header, which cells are "
    "numbers)"
)
_IN_SECRET = "in whatever order the file holds it"
_BY_PLACES = "as long as the file keeps its order: rows were dealt by their place in it"


def public_counts(receipt: Receipt) -> dict[str, int]:
    """Return the row counts that a certificate states."""
    priced, counts, plan = receipt.quote, receipt.counts, receipt.plan
    stated = {"rows": counts.rows}
    if receipt.edition == 2 or receipt.seed is not None:
        stated = {"complete_rows": counts.complete}
    elif not hides_completeness(plan):
        stated |= {"complete_rows": counts.complete}
    if coverage(plan.settings).votes:
        return stated | {"blocks": plan.settings.blocks, "rows_in_smallest_block": priced.n_train + priced.n_test}
    halves = {"n_train": priced.n_train, "n_test": priced.n_test}
    return stated | halves | ({} if receipt.seed is None or receipt.edition == 2 else {"seed_of_places": receipt.seed})


def guarantee(receipt: Receipt) -> dict[str, object]:
    """Return the promise in words and numbers."""
    plan = receipt.plan
    if receipt.edition == 2:
        return _second_edition(plan)
    every_row, order = coverage(plan.settings).every_row, _IN_SECRET if receipt.seed is None else _BY_PLACES
    row = "row of the table" if every_row else "row of the table that was dealt to the test half"
    return {
        **amount(plan.cost),
        "protected": coverage(plan.settings).statement,
        "unit": f"one replaced {row}, {order}",
        "neighbours": f"tables that differ by replacing one {row}; the number of rows is fixed and public",
        "dealing": _dealing(receipt),
        "person": _person(plan),
        "public_facts": _public_facts(plan),
        "composition": _composition(plan),
    }


def amount(cost: Amount) -> dict[str, str]:
    """Return epsilon and delta as exact decimal text."""
    return {"epsilon": decimal_text(cost.epsilon), "delta": decimal_text(cost.delta)}


def _dealing(receipt: Receipt) -> str:
    if receipt.seed is not None:
        return (
            "by place in the file and a public seed, as this table's first release was: in a file that is kept sorted, "
            "one changed value moves many rows, and the promise does not cover that"
        )
    known = "; nobody outside knows which rows were scored" if not coverage(receipt.plan.settings).every_row else ""
    return f"by a secret random permutation, drawn once for this table and never published{known}"


def _person(plan: Plan) -> dict[str, object]:
    person = plan.person
    return {
        "rows_at_most": plan.rows_per_person,
        **amount(person),
        "best_guess": best_guess(float(person.epsilon), float(person.delta)),
    }


def _public_facts(plan: Plan) -> str:
    if hides_completeness(plan):
        return f"the number of rows, complete or not; {_LAYOUT}"
    return f"which rows are complete, hence their number; {_LAYOUT}"


def _composition(plan: Plan) -> str:
    return f"basic: {len(plan.scores)} verdict(s), epsilons and deltas add"


def _second_edition(plan: Plan) -> dict[str, object]:
    row = coverage(plan.settings).protected_row
    return {
        **amount(plan.cost),
        "protected": coverage(plan.settings).statement,
        "unit": f"one replaced {row}",
        "neighbours": f"data sets that differ by replacing one {row}; the number of rows is fixed and public",
        "public_facts": f"which rows are complete, hence their number; {_LAYOUT}",
        "composition": _composition(plan),
    }
