"""Words on two lines, for what does not wrap its words by itself: heads of tables, buttons."""

from __future__ import annotations


def in_two(words: str) -> tuple[str, str] | None:
    """Return words on two lines, broken at the blank nearest to their middle; None where there is none."""
    blanks = [place for place, letter in enumerate(words) if letter == " "]
    if not blanks:
        return None
    middle = min(blanks, key=lambda place: abs(place - len(words) / 2))
    return words[:middle], words[middle + 1 :]
