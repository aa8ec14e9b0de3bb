"""What ``import privcause_core`` offers: every name works, the example runs, and the README shows the same one."""

import ast
import doctest
import importlib
import re
from pathlib import Path

import pytest

import privcause_core

ROOT = Path(__file__).parents[2]
PROMPTED = re.compile(r"^>>> .*?(?=^$|^```)", re.MULTILINE | re.DOTALL)


def test_the_example_of_the_docstring_runs():
    failed, tried = doctest.testmod(privcause_core)
    assert failed == 0
    assert tried == 5


def test_the_readme_shows_the_example_that_runs():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert PROMPTED.findall(readme) == PROMPTED.findall(privcause_core.__doc__)


@pytest.mark.parametrize("name", privcause_core.__all__)
def test_a_public_name_is_there_without_knowing_where_it_lives(name):
    assert getattr(privcause_core, name) is not None
    assert name in dir(privcause_core)


def test_type_checkers_are_told_the_names_and_places_that_are_loaded():
    code = ast.parse(Path(privcause_core.__file__).read_text(encoding="utf-8"))
    (told,) = (node for node in code.body if isinstance(node, ast.If))
    places = {alias.name: node.module for node in told.body for alias in node.names}
    assert places.keys() | {"__version__"} == set(privcause_core.__all__)
    for name, place in places.items():
        assert getattr(importlib.import_module(place), name) is getattr(privcause_core, name)


def test_a_name_that_is_not_public_is_refused_as_python_does():
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        _ = privcause_core.no_such_name
