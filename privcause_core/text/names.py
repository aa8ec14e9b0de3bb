"""Other people's names beside our own words: a name can neither turn a sentence round nor hide in it.

A column's or a file's name may be written from right to left, or hold characters that steer how text is displayed.
Beside an arrow either would show effect -> cause. So a name is shown between isolates (in HTML: in ``bdi``), and a
character of it that would steer is shown as its number. A name written from left to right alone needs no isolates and
gets none. Data for machines keep the names as they are.
"""

import html
import re
import unicodedata

OPEN, CLOSE = "\u2068", "\u2069"  # first-strong isolate, pop directional isolate
_STEERING = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")  # shown as nothing, though no control
_LINES = frozenset("\t\n\r")
_JOINERS = frozenset("\u200c\u200d")  # part of the spelling between the letters of several scripts
_LEFT_TO_RIGHT = frozenset({"L", "EN", "ES", "ET", "CS", "NSM", "BN", "B", "S", "WS", "ON"})
_ISOLATE = re.compile(f"{OPEN}([^{OPEN}{CLOSE}]*){CLOSE}")


def visible(name: str) -> str:
    """Return a name on one line, each character that steers the display or shows as nothing as ⟨U+202E⟩."""
    return unsteered(" ".join(name.split()))


def unsteered(text: str) -> str:
    """Return a text with its tabs and line ends, every other steering character shown as ⟨U+202E⟩."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(text, place) for place in range(len(text)))


def isolated(name: str) -> str:
    """Return a name for a sentence in plain text: whatever it holds, the words around it stay where they are."""
    shown = visible(name)
    return f"{OPEN}{shown}{CLOSE}" if turns(shown) else shown


def turns(text: str) -> bool:
    """Say whether some of a text is written from right to left (or may be: a character of a newer Unicode)."""
    return not text.isascii() and any(unicodedata.bidirectional(one) not in _LEFT_TO_RIGHT for one in text)


def arrow_text(cause: str, effect: str) -> str:
    """Return cause → effect as plain text, the cause on the left whatever the names hold."""
    return f"{isolated(cause)} → {isolated(effect)}"


def harmless(sentence: str) -> str:
    """Return a sentence with its isolated names as they are and every other steering character visible."""
    parts = _ISOLATE.split(sentence)  # every second one is a name
    return "".join(isolated(part) if place % 2 else unsteered(part) for place, part in enumerate(parts))


def bare(sentence: str) -> str:
    """Return a sentence for machines: its names without their isolates."""
    return _ISOLATE.sub(r"\1", sentence)


def html_text(text: str) -> str:
    """Return text escaped for HTML, each isolated name in an element of its own direction."""
    return html.escape(harmless(text)).replace(OPEN, "<bdi>").replace(CLOSE, "</bdi>")


def machine_text(text: str) -> str:
    """Return JSON text that says the same without steering characters in it: each is written as its escape."""
    return text if text.isascii() else "".join(_escape(one) if _steers(one) else one for one in text)


def _shown(text: str, place: int) -> str:
    one = text[place]
    if not _steers(one) or (one in _JOINERS and _joins(text, place)):
        return one
    return f"⟨U+{ord(one):04X}⟩"


def _steers(one: str) -> bool:
    return one not in _LINES and (unicodedata.category(one) in _STEERING or one in _BLANK)


def _joins(text: str, place: int) -> bool:
    """Say whether a joiner stands between letters or their marks, beyond the alphabets that never need one."""
    beside = text[max(place - 1, 0) : place] + text[place + 1 : place + 2]
    return len(beside) == 2 and all(one > "\u05ff" and unicodedata.category(one)[0] in "LM" for one in beside)


def _escape(one: str) -> str:
    units = one.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[k]:02x}{units[k + 1]:02x}" for k in range(0, len(units), 2))
