"""``python -m tests.benchmarks.house``: rooms, arrows, lines a package, and what is too long.

A room is a package of Python files or a module beside packages; an arrow says that some file of one room imports from
another room. Arrows are told from the import statements as they stand, those inside functions included.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILE_LINES, FUNCTION_LINES = 250, 40
TOP = ("privcause_core", "pages", "app.py")


def sources() -> list[Path]:
    """Return the product's Python files, relative to the repository."""
    found = (ROOT / name for name in TOP)
    files = (one for top in found for one in ([top] if top.is_file() else sorted(top.rglob("*.py"))))
    return [one.relative_to(ROOT) for one in files]


def room_of(path: Path) -> str:
    """Return the room of a file: its package, or the file itself where it stands beside packages."""
    beside_packages = path.name != "__init__.py" and str(path.parent) in (*TOP, ".")
    return ".".join(path.with_suffix("").parts if beside_packages else path.parent.parts)


def arrows(files: list[Path]) -> Counter[tuple[str, str]]:
    """Return how many imports lead from one room to another."""
    rooms = {room_of(path) for path in files}
    found = Counter[tuple[str, str]]()
    for path in files:
        for name in _imported(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
            parts = name.split(".")
            to = next((room for k in range(len(parts), 0, -1) if (room := ".".join(parts[:k])) in rooms), None)
            if to and to != room_of(path):
                found[room_of(path), to] += 1
    return found


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def too_long(files: list[Path]) -> Iterator[str]:
    """Yield files of more than 250 lines and functions of more than 40, docstring included."""
    for path in files:
        text = (ROOT / path).read_text(encoding="utf-8")
        if (lines := text.count("\n")) > FILE_LINES:
            yield f"{path}: {lines} lines"
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and node.end_lineno - node.lineno >= FUNCTION_LINES:
                yield f"{path}: {node.name} has {node.end_lineno - node.lineno + 1} lines"


def main() -> None:
    """Print the figures."""
    files = sources()
    lines = Counter[str]()
    for path in files:
        lines[room_of(path)] += (ROOT / path).read_text(encoding="utf-8").count("\n")
    between = arrows(files)
    print(f"{len(lines)} rooms, {len(between)} arrows, {lines.total():,} lines in {len(files)} files")
    for room, count in sorted(lines.items()):
        reached = sorted(to for start, to in between if start == room)
        print(f"{count:6,}  {room} -> {len(reached)}: {', '.join(reached)}")
    print(*too_long(files), sep="\n")


if __name__ == "__main__":
    main()
