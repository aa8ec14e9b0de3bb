"""An analysis as files that other programs read: JSON, CSV, YAML settings, and the command line that repeats it.

All of it but the settings is non-private: it holds true scores.
"""

import csv
import io
import json
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from privcause_core.explore.analysis import Analysis
from privcause_core.exports.analysis_json import analysis_dict
from privcause_core.exports.spreadsheet import safe_cell
from privcause_core.loading.settings_file import settings_values
from privcause_core.settings import Settings
from privcause_core.text.names import machine_text, unsteered


@dataclass(frozen=True, slots=True)
class Source:
    """Where the command line finds the pair again.

    Parameters
    ----------
    file : str
        A file name, or ``sample:NAME``.
    pair : str, optional
        Name of the table or pair inside the file.
    x, y : str, optional
        Columns by name, or by position from 1.
    sentinels_missing : bool
        Whether markers such as -999 were taken as missing.
    """

    file: str
    pair: str | None = None
    x: str | None = None
    y: str | None = None
    sentinels_missing: bool = False


def analysis_json(analysis: Analysis) -> str:
    """Return the object of ``analyse --json`` as text."""
    return machine_text(json.dumps(analysis_dict(analysis), indent=2, ensure_ascii=False, allow_nan=False)) + "\n"


def analysis_csv(analysis: Analysis) -> str:
    """Return one line a score, nested values as ``name.part`` columns; text cells cannot run as formulas."""
    values = analysis_dict(analysis)
    scores: dict[str, dict[str, object]] = values.pop("scores")
    common = {key: value for key, value in _flat(values) if not key.startswith("warnings")}
    rows = [common | {"score": name} | dict(_flat(entry)) for name, entry in scores.items()]
    out = io.StringIO()
    writer = csv.DictWriter(out, list(dict.fromkeys(key for row in rows for key in row)), lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _cell(value) for key, value in row.items()} for row in rows)
    return out.getvalue()


def settings_yaml(settings: Settings) -> str:
    """Return the settings as YAML, one line each; ``settings_from_yaml`` and ``--settings`` load it back."""
    import yaml  # used by exports only

    return str(yaml.safe_dump(settings.to_dict(), sort_keys=False))


def settings_from_yaml(text: str) -> Settings:
    """Read settings that ``settings_yaml`` wrote, or that a person typed the same way.

    Raises
    ------
    ParameterError
        If the text is not a YAML list of settings, or a value is outside its range.
    """
    return Settings.from_dict(settings_values(text))


def command_line(source: Source, settings: Settings) -> str:
    """Return the shell command that prints the same numbers; settings at their default are left out."""
    chosen = {"pair": source.pair, "x": source.x, "y": source.y}
    standard = Settings().to_dict()
    changed = {name: value for name, value in settings.to_dict().items() if value != standard[name]}
    # "=" rather than a blank: a value may begin with a dash.
    flags = [f"--{k.replace('_', '-')}={v}" for k, v in (chosen | changed).items() if v is not None]
    if source.sentinels_missing:
        flags.append("--sentinels-missing")
    words = ["privcause", "analyse", source.file, *flags, "--json"]
    return " ".join(map(_shell_word, words))


def _shell_word(word: str) -> str:
    """Return a word for bash, steering characters as their escapes: what is copied is what was seen."""
    if not re.search(r"[\t\n\r]", word) and unsteered(word) == word:
        return shlex.quote(word)
    return "$'" + "".join(one if one.isalnum() else f"\\U{ord(one):08x}" for one in word) + "'"


def _flat(values: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _cell(value: object) -> object:
    return safe_cell(value if isinstance(value, str) else json.dumps(value)) if value is not None else ""
