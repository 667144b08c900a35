"""The pseudo-language, accented English for tests of the translation.

It shows which texts are not in the catalogue, and where longer words do not fit.
"""

from __future__ import annotations

import math
import string

PSEUDO = "qps"

_ACCENTED = str.maketrans("aeiouycnszAEIOUYNSZ", "áéîöûýçñšžÁÉÎÖÛÝÑŠŽ")
_LONGER, _LEAST = 0.35, 2
# Longer languages have more words and longer ones, but no word of twenty letters at the end of each sentence.
_LONGEST_WORD = 10


def pseudo_translate(english: str) -> str:
    """Return a message as a test translation: with accents and brackets, and longer by more than a third.

    Placeholders are kept, except that the plural forms inside them get accents, too. An empty message stays empty.
    """
    if not english:
        return english
    accented, length = "", 0
    for text, name, form, _ in string.Formatter().parse(english):
        accented += text.translate(_ACCENTED).replace("{", "{{").replace("}", "}}")
        length += len(text)
        if name is not None:
            accented_form = form.translate(_ACCENTED) if form and "|" in form else form
            accented += "{" + name + (f":{accented_form}" if accented_form else "") + "}"
    added = max(math.ceil(_LONGER * length), _LEAST)
    whole, rest = divmod(added, _LONGEST_WORD)
    padding = ["~" * _LONGEST_WORD] * whole + (["~" * rest] if rest else [])
    return f"[{accented} {' '.join(padding)}]"
