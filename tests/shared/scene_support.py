"""What tests of scenes share: the numbers that each of their writers writes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree import ElementTree

from ppdm_desktop.engine.report.scene.model import Scene
from ppdm_desktop.engine.report.scene.svg import to_svg_file

_NUMBER = re.compile(r"[−-]?\d[\d.,  ]*")


def numbers(texts: Iterable[str]) -> set[str]:
    """Return the numbers in texts, as they are written."""
    return {each.strip(" .,") for text in texts for each in _NUMBER.findall(text)}


def svg_texts(scene: Scene, title: str = "", small: str = "") -> list[str]:
    """Return what is written in the drawing of a scene as a file of its own."""
    root = ElementTree.fromstring(to_svg_file(title, [scene], small))
    return [each.text or "" for each in root.iter("{http://www.w3.org/2000/svg}text")]
