"""Settings as YAML lines, which anybody may write: short, flat, without aliases; anything else is one sentence."""

from privcause_core.errors import ParameterError

MAX_CHARACTERS = 8_000
_MOST_OPENERS = 200  # the parser takes a time that grows with the square of what is open
_MAX_NAME = 40  # characters
_MAX_VALUE = 400  # of a value or a whole list
_FORM = "Expected settings as lines such as 'epsilon: 1.0'."


def settings_values(text: str) -> dict[str, object]:
    """Return the names and plain values of a settings file.

    Parameters
    ----------
    text : str
        YAML of one level: a name, a colon and a number, a word or a list of such on each line.

    Raises
    ------
    ParameterError
        If it is anything else, or longer than 8,000 characters.
    """
    import yaml  # only settings files need it

    if len(text) > MAX_CHARACTERS:
        raise ParameterError(f"Expected settings of at most {MAX_CHARACTERS:,} characters, got {len(text):,}.")
    if sum(map(text.count, ("[", "{", "- ", "? "))) > _MOST_OPENERS:
        raise ParameterError(_FORM)
    try:
        has_aliases = any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, yaml.SafeLoader))
        values = None if has_aliases else yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        raise ParameterError(_FORM) from None
    if has_aliases:
        raise ParameterError("Expected settings without YAML aliases (*name).")
    if not isinstance(values, dict) or not all(map(_is_short, values.items())):
        raise ParameterError(_FORM)
    return {str(name): value for name, value in values.items()}


def _is_short(entry: tuple[object, object]) -> bool:
    name, value = entry
    parts = value if isinstance(value, list) else [value]
    return (
        all(isinstance(part, str | int | float | type(None)) for part in (name, *parts))
        and len(_text(name)) <= _MAX_NAME
        and sum(len(_text(part)) + 1 for part in parts) <= _MAX_VALUE
    )


def _text(part: object) -> str:
    try:
        return str(part)
    except ValueError:  # a whole number of more than 4,300 digits
        return " " * MAX_CHARACTERS
