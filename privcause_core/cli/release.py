"""``release FILE``: spend budget on a private verdict, through the one door."""

import argparse
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from privcause_core.cli.agreed import agree, other_reading, remedied
from privcause_core.cli.common import (
    ChosenPair,
    add_pair_arguments,
    choose_pair,
    say,
    say_json,
    setting_help,
)
from privcause_core.cli.declared import add_reading_arguments, load_declared
from privcause_core.cli.paths import ledger_path, output_path, write_whole
from privcause_core.errors import DataError, ParameterError
from privcause_core.protection.choice import coverage
from privcause_core.release import (
    DEFAULT_DELTA,
    Account,
    Amount,
    Cohort,
    Ledger,
    Plan,
    Receipt,
    certificate,
    certificate_json,
    cohort_of_pair,
    cohort_of_table,
    counts_of,
    default_path,
    quote,
    release,
)
from privcause_core.settings import Settings, knobs
from privcause_core.text.names import harmless, isolated
from privcause_core.text.typed import parse_decimal, parse_whole

# Everything but scores and epsilon has a default; nothing about seeds or simulated draws belongs to a plan.
_NO_PLAN = ("score", "epsilon", "seed", "draws", "draw_seed")
PLAN_FLAGS = {name: setting_help(name) for name in knobs() if name not in _NO_PLAN}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    add_pair_arguments(parser)
    add_reading_arguments(parser)
    parser.add_argument("--score", nargs="+", required=True, metavar="NAME", help="one or several scores; costs add")
    parser.add_argument("--epsilon", required=True, metavar="E", help="total epsilon of one verdict")
    for name, about in PLAN_FLAGS.items():
        parser.add_argument(f"--{name.replace('_', '-')}", dest=name, metavar="VALUE", help=about)
    parser.add_argument(
        "--rows-per-person",
        metavar="K",
        help="the most rows of one person: their promise is K times epsilon",
    )
    parser.add_argument("--budget-epsilon", metavar="B", help="the table's budget, fixed by its first release")
    parser.add_argument("--budget-delta", metavar="D")
    parser.add_argument("--ledger", metavar="PATH", help="the ledger file (its secret file lies beside it)")
    parser.add_argument("--out", metavar="JSON", help="where to write the certificate")
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    """Validate, charge, draw, record, then print and write the certificate."""
    if args.sentinels_missing:
        raise ParameterError(
            "What counts as a marker such as -999 depends on private values; declare yours for a release: "
            "--missing -999."
        )
    plan, budget = plan_from(args), _budget(args)
    out, ledger_at = _writable(args.out), ledger_path(args.ledger)
    source = load_declared(args)
    with remedied(source):
        chosen = choose_pair(source.loaded, args)
    _chosen_by_name(chosen, args)
    whose = _cohort(chosen)
    quote(plan, counts_of(whose, plan))  # refuses what does not suit before there is a ledger
    ledger = Ledger(ledger_at) if (ledger_at or default_path()).exists() else None
    account = ledger.account(whose) if ledger else None
    resembling = ledger.resembling(whose) if ledger else ()
    notes = [_planned(plan, chosen, budget), *_notes(plan, whose, account), *_resembling(resembling)]
    _tell([*notes, *other_reading(source, account), *filter(None, [source.note])], args)
    agree(source, account, chosen, args)
    receipt = release(
        plan, chosen.pair, ledger or Ledger(ledger_at), now=datetime.now(UTC), cohort=whose, budget=budget,
        reading=source.reading,
    )  # fmt: skip
    _hand_over(receipt, out, as_json=args.json)
    return 0


def _tell(notes: list[str], args: argparse.Namespace) -> None:
    if args.json:
        sys.stderr.write("".join(f"{harmless(note)}\n" for note in notes))
    else:
        say(*notes)


def _planned(plan: Plan, chosen: ChosenPair, budget: Amount | None) -> str:
    names = " and ".join(isolated(name) for name in (chosen.pair.x_name, chosen.pair.y_name))
    of = f" of a new table's budget of {budget}" if budget else ""
    return f"Plan: {', '.join(plan.scores)} for {names}, {plan.cost} in all{of}."


def _notes(plan: Plan, whose: Cohort, account: Account | None) -> list[str]:
    """Return what to say before spending; which table it is, is for the holder of the data."""
    places = account is not None and account.split is not None and account.split.seed is not None
    priced = quote(plan, counts_of(whose, plan), places=places and not coverage(plan.settings).every_row)
    notes = [f"Note: {warning}" for warning in priced.warnings]
    if account is not None:
        notes.append(
            f"Known table, recognised by {', '.join(account.matched)}: remaining {account.remaining} of "
            f"{account.budget}. If these are other people, leave that column out of the file."
        )
    return notes


def _resembling(columns: tuple[str, ...]) -> list[str]:
    if not columns:
        return []
    return [
        f"Note: {', '.join(columns)} holds nearly the values of a table that was released before. If these are the "
        "same people in an altered file, what was spent adds up for them, and the ledger cannot know: count by hand."
    ]


def _chosen_by_name(chosen: ChosenPair, args: argparse.Namespace) -> None:
    """Refuse columns that the loader chose: which it takes for identifiers depends on private values."""
    if chosen.table is not None and len(chosen.table.numeric_columns) > 2 and args.x is None:
        raise ParameterError("The table has more than two columns of numbers; a release needs --x and --y.")


def plan_from(args: argparse.Namespace) -> Plan:
    """Return the typed plan; epsilon and delta keep every digit.

    Raises
    ------
    ParameterError
        If a value is out of range.
    """
    typed = {name: getattr(args, name) for name in PLAN_FLAGS if getattr(args, name) is not None}
    delta = parse_decimal("delta", typed.pop("delta")) if "delta" in typed else DEFAULT_DELTA
    planned = Plan.from_settings(Settings.from_dict({**typed, "score": args.score[0]}))
    rows = 1 if args.rows_per_person is None else parse_whole("rows per person", args.rows_per_person)
    epsilon = parse_decimal("epsilon", args.epsilon)
    return replace(planned, scores=tuple(args.score), epsilon=epsilon, delta=delta, rows_per_person=rows)


def _budget(args: argparse.Namespace) -> Amount | None:
    if args.budget_epsilon is None and args.budget_delta is None:
        return None
    if args.budget_epsilon is None or args.budget_delta is None:
        raise ParameterError("Give both --budget-epsilon and --budget-delta, or neither.")
    names = ("budget_epsilon", "budget_delta")
    epsilon, delta = (parse_decimal(name.replace("_", " "), getattr(args, name)) for name in names)
    return Amount(epsilon, delta)


def _writable(out: str | None) -> Path | None:
    """Return the path, refusing before anything is spent if no file can be written there."""
    try:
        return None if out is None else output_path(out)
    except DataError as error:
        raise DataError(f"{str(error).removesuffix('.')}; nothing was charged.") from None


def _hand_over(receipt: Receipt, out: Path | None, *, as_json: bool) -> None:
    """Print or write the certificate; if writing fails the spent result is printed instead of lost."""
    issued = certificate(receipt)
    if out is None:
        say_json(issued) if as_json else say(*_lines(issued))
        return
    try:
        write_whole(out, certificate_json(receipt))
    except DataError:
        say_json(issued)
        raise
    if as_json:
        say_json(issued)


def _cohort(chosen: ChosenPair) -> Cohort:
    if chosen.table is None:
        return cohort_of_pair(chosen.pair)
    return cohort_of_table(chosen.table, chosen.x, chosen.y, chosen.pair)


def _lines(issued: dict[str, Any]) -> list[str]:
    guarantee = issued["guarantee"]
    facts = ", ".join(f"{name.replace('_', ' ')} {number}" for name, number in issued["public"].items())
    lines = [
        f"Charged epsilon {guarantee['epsilon']}, delta {guarantee['delta']} ({guarantee['protected']})",
        f"Public: {facts}; entry {issued['entry']}",
    ]
    for one in issued["releases"]:
        outcome = one["outcome"]
        arrow = "no release" if outcome["refused"] else f"private arrow {outcome['direction']}"
        lines.append(f"{one['score']}: {arrow}")
        lines += [
            f"  {name}: {'refused' if entry['value'] is None else entry['value']}"
            for name, entry in outcome["values"].items()
        ]
        if not outcome["refused"]:
            lines.append(f"  {_sure(outcome)}")
    return lines


def _sure(outcome: Mapping[str, Any]) -> str:
    if outcome["margin"]["interval"] is None:
        return "one of the values is an IQR of zero, which is smaller than any other: there is no interval"
    sure = outcome["confidence_in_direction"]
    said = "more than 99.9 %" if sure > 0.999 else f"{100.0 * sure:.1f} %"  # never up to certainty
    return f"the margin's interval excludes 0 up to {said} confidence"
