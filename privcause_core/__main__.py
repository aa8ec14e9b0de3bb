"""The command line, ``privcause COMMAND``; errors are one line, exit status 2 (bad input) or 3 (budget)."""

import argparse
import importlib
import io
import re
import sys
from collections.abc import Sequence

from threadpoolctl import threadpool_limits

from privcause_core.errors import BudgetExceededError, PrivCauseError
from privcause_core.text.names import harmless
from privcause_core.version import __version__

COMMANDS = {
    "samples": "names and descriptions of the sample pairs",
    "inspect": "what a file holds: tables, columns, rows read and dropped",
    "analyse": "both directions of one pair, true and private",
    "sweep": "many pairs under many settings, in parallel",
    "table": "every pair of a table's columns, with both doubts",
    "release": "spend budget on a private verdict",
    "verify": "check a certificate",
    "report": "write a self-contained HTML report",
}
EXIT_BAD_INPUT = 2
EXIT_BUDGET = 3


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a name may hold what the terminal cannot show
    try:
        args = _parser().parse_args(_joined(sys.argv[1:] if argv is None else argv))
        with threadpool_limits(1):  # its products are small: threads would wait for each other, and round otherwise
            return int(args.run(args))
    except BudgetExceededError as error:
        return _refuse(str(error), EXIT_BUDGET)
    except PrivCauseError as error:
        return _refuse(str(error), EXIT_BAD_INPUT)
    except BrokenPipeError:
        return 0
    except OSError as error:
        return _refuse(f"Cannot write the output: {error.strerror}.", EXIT_BAD_INPUT)


class _Parser(argparse.ArgumentParser):
    """A parser whose usage errors are one line too."""

    def error(self, message: str) -> None:  # type: ignore[override]  # exits, as argparse's does
        self.exit(EXIT_BAD_INPUT, f"{self.prog}: {_on_one_line(message)}\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="privcause", description="What differential privacy does to a causal verdict.")
    parser.add_argument("--version", action="version", version=f"privcause {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
    for name, about in COMMANDS.items():
        module = importlib.import_module(f"privcause_core.cli.{name}")
        command = commands.add_parser(name, help=about, description=about)
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser


def _joined(argv: Sequence[str]) -> list[str]:
    """Join a flag and a value that begins with a minus, such as -1..1: argparse would take it for another flag."""
    joined: list[str] = []
    for part in argv:
        if joined and re.match(r"-[\d.]", part) and re.fullmatch(r"--[a-z-]+", joined[-1]):
            joined[-1] += f"={part}"
        else:
            joined.append(part)
    return joined


def _refuse(message: str, status: int) -> int:
    sys.stderr.write(f"privcause: {_on_one_line(message)}\n")
    return status


def _on_one_line(message: str) -> str:
    """Return a message without line ends: what was typed, and is quoted in it, may hold some."""
    return harmless(" ".join(message.split()))


if __name__ == "__main__":
    sys.exit(main())
