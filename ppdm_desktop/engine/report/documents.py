"""The documents made from a report, and report figures as plain data."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

import numpy as np

from ppdm_desktop.engine.report.certificate import render_certificate
from ppdm_desktop.engine.report.html import Drawn, render_report
from ppdm_desktop.engine.report.model import INFINITE, Report
from ppdm_desktop.engine.wording.values import KINDS, as_data

CERTIFICATE_PDF, REPORT_PDF = "certificate.pdf", "report.pdf"
PAGES: Mapping[str, Callable[[Report, Drawn], bytes]] = {
    CERTIFICATE_PDF: lambda report, drawn: render_certificate(report),
    REPORT_PDF: render_report,
}
"""The page that a renderer (HTML in, bytes out) makes each document from, by file name in ``internal/``."""


_NOT_FINITE = {math.inf: INFINITE, -math.inf: f"-{INFINITE}"}


def to_plain_json(value: Any) -> Any:
    """Return a value as plain JSON data, with NumPy numbers and arrays, tuples and exact decimals converted.

    Values inserted into sentences stay structured data, so that the sentence can be written again in any language.
    Infinity becomes the text ``infinite`` or ``-infinite``, and NaN becomes None. A set becomes a list sorted by text.
    Keys of mappings become texts, and so does any other kind of object.
    """
    if isinstance(value, Mapping):
        return {str(key): to_plain_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        items = sorted(value, key=str) if isinstance(value, set | frozenset) else value
        return [to_plain_json(item) for item in items]
    if isinstance(value, np.ndarray | np.generic):
        return to_plain_json(value.tolist())
    if isinstance(value, Decimal):
        return to_plain_json(int(value) if value == value.to_integral_value() else float(value))
    if isinstance(value, float):
        return value if math.isfinite(value) else _NOT_FINITE.get(value)
    if type(value) in KINDS.values():
        return to_plain_json(as_data(value))
    if value is None or isinstance(value, str | int | float | bool):
        return value
    return str(value)
