"""What stands between the fields of a text table, and how a line is cut there."""

import re
from enum import StrEnum

_BLANKS_FIELD = re.compile(r'"(?:[^"]|"")*"|[^ \t\n"][^ \t\n]*|"[^ \t\n]*')  # other blanks may group thousands


class Separator(StrEnum):
    """What stands between two fields, most telling first: ties go to the earlier one."""

    TAB = "\t"
    SEMICOLON = ";"
    PIPE = "|"
    COMMA = ","
    BLANKS = " "

    def fields(self, line: str) -> list[str]:
        """Split one line into stripped fields with their quotes taken off."""
        if self is Separator.BLANKS:
            return [_unquoted(field) for field in _BLANKS_FIELD.findall(line)]
        if '"' not in line:
            return [field.strip() for field in line.split(self)]
        fields = re.findall(rf'(?:^|[{self}])[ ]*("(?:[^"]|"")*"[^{self}]*|[^{self}]*)', line)
        return [_unquoted(field.strip()) for field in fields]


GROUPING = (Separator.COMMA, Separator.BLANKS)  # which group thousands, too


def _unquoted(field: str) -> str:
    if len(field) >= 2 and field[0] == field[-1] == '"':
        return field[1:-1].replace('""', '"').strip()
    return field
