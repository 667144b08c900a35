"""Prepare stdin, stdout and stderr, which may be closed or unable to write every character."""

from __future__ import annotations

import contextlib
import ctypes
import io
import os
import sys
import unicodedata

_MOST_IN_A_BOX = 2_000
_ERROR, _IN_FRONT, _FROM_SYSTEM = 0x10, 0x10000, 0x800
_JOINERS = "\u200c\u200d"
"""Scripts need these two; every other sign without a shape is shown as an escape."""


def escape_to_one_line(text: str) -> str:
    r"""Return a text on one line: line breaks, control and other invisible characters become escapes like ``\n``."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_escape_invisible, text))


def _escape_invisible(sign: str) -> str:
    r"""Return a character, or its escape (such as ``\u202e``) if it is invisible; zero-width joiners stay."""
    if sign in _JOINERS or unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return sign
    return sign.encode("unicode_escape").decode("ascii")


class Unheard(io.StringIO):
    """A stream that collects error messages of a program without a console (on Windows)."""

    def write(self, text: str) -> int:
        """Store a text unless more than 2,000 characters would be stored in all; return the text's length.

        A text that does not fit is dropped whole, and its length is returned all the same.
        """
        if self.tell() + len(text) <= _MOST_IN_A_BOX:
            super().write(text)
        return len(text)


def show_collected_messages(title: str) -> bool:
    """Show the messages that ``Unheard`` collected in a message box of Windows; return whether one was shown.

    False if nothing was collected, as on any system with a console.
    """
    text = sys.stderr.getvalue().strip() if isinstance(sys.stderr, Unheard) else ""
    return bool(text) and show_message_box(title, text)


def show_message_box(title: str, text: str) -> bool:
    """Show a text in a message box of Windows until it is closed; return whether that was possible."""
    with contextlib.suppress(OSError, AttributeError):
        box = ctypes.WinDLL("user32.dll", winmode=_FROM_SYSTEM)  # type: ignore[attr-defined,unused-ignore]
        kind = ctypes.c_uint32(_ERROR | _IN_FRONT)
        return bool(box.MessageBoxW(None, ctypes.c_wchar_p(text), ctypes.c_wchar_p(title), kind))
    return False


def prepare_streams() -> None:
    """Make the standard streams accept any text.

    A closed stream is opened on the null device, stdin first, so that no other file gets its number and receives
    output; on Windows messages to a closed stderr are collected, to be shown in a message box. Characters that a
    stream's encoding lacks are written as escapes.
    """
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None and name == "stderr" and sys.platform == "win32":
            sys.stderr = Unheard()
        elif stream is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - it stays open
        elif name != "stdin" and isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
