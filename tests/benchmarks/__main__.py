"""``make bench``: run every bench_*.py here and print its rows; all numbers are of this machine and this run."""

import importlib
import sys
from pathlib import Path


def main(wanted: list[str]) -> None:
    for path in sorted(Path(__file__).parent.glob("bench_*.py")):
        if wanted and path.stem.removeprefix("bench_") not in wanted:
            continue
        print(f"\n{path.stem}", flush=True)
        for label, measured in importlib.import_module(f"tests.benchmarks.{path.stem}").run():
            print(f"  {label:<62} {measured}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
