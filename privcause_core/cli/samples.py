"""``samples``: the bundled sample pairs."""

import argparse
from dataclasses import asdict

from privcause_core.cli.common import say, say_json
from privcause_core.samples import samples


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    """Print slug, title and description of every sample."""
    if args.json:
        say_json([asdict(sample) for sample in samples()])
    else:
        say(*(f"{sample.slug:<36} {sample.title}. {sample.description}" for sample in samples()))
    return 0
