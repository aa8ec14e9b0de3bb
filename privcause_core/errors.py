"""What can go wrong, as types. Only ``pages/shared/messages.py`` and ``__main__.py`` turn these into text for people.

Every message is one sentence that names the parameter, its value and the rule; it never holds a data value.
"""


class PrivCauseError(Exception):
    """Base of every error that the core raises on purpose."""


class ParameterError(PrivCauseError, ValueError):
    """A setting is outside its range; judged without looking at the data."""


class DataError(PrivCauseError, ValueError):
    """A file, table or pair cannot be used; the message says where and what to do."""


class NoCompleteRowError(DataError):
    """No row has a number in both columns of a pair; how the file was read may be why."""


class BudgetExceededError(PrivCauseError):
    """A release would overspend the account's budget; nothing was drawn or charged."""


class LedgerError(PrivCauseError):
    """The ledger cannot be read or written, or refuses the act; nothing was drawn."""
