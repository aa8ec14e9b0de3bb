"""``report FILE --out report.html``: a teaching report of one pair, or the public report of a certificate."""

import argparse

from privcause_core.cli.common import (
    add_pair_arguments,
    add_settings_arguments,
    choose_pair,
    load,
    read_certificate,
    say,
    settings_from,
)
from privcause_core.cli.paths import output_path, write_whole
from privcause_core.cli.verify import add_vouching_arguments, verified
from privcause_core.errors import DataError
from privcause_core.explore.analysis import analyse
from privcause_core.exports.files import Source, command_line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    add_pair_arguments(parser)
    add_settings_arguments(parser)
    parser.add_argument("--out", required=True, metavar="HTML", help="where to write the report")
    parser.add_argument(
        "--public", action="store_true", help="FILE is a certificate: write the report that anyone may read"
    )
    add_vouching_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Write the report; the file is there completely or not at all."""
    out = output_path(args.out)
    write_whole(out, _public(args) if args.public else _teaching(args))
    say(f"Wrote {args.out}.")
    return 0


def _teaching(args: argparse.Namespace) -> str:
    from privcause_core.report import teaching_report  # brings plotly

    settings = settings_from(args)
    chosen = choose_pair(load(args.file, args.decimal), args)
    source = Source(args.file, args.pair, args.x, args.y, args.sentinels_missing)
    return teaching_report(analyse(chosen.pair, settings), command_line(source, settings))


def _public(args: argparse.Namespace) -> str:
    from privcause_core.report import public_report

    values = read_certificate(args.file)
    checked = verified(values, args)
    failed = [check for check in checked.checks if check.holds is False]
    if failed:
        raise DataError(f"This certificate was changed, or is not one of this version's: {failed[0].finding}.")
    return public_report(values, vouched_for=checked.valid is True)
