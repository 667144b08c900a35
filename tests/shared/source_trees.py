"""Syntax trees of source texts, parsed once for all tests of a process that read them."""

from __future__ import annotations

import ast
from functools import cache


@cache
def parse_once(source: str) -> ast.Module:
    """Return the syntax tree of a source text; callers must not change it."""
    return ast.parse(source)


@cache
def nodes_of(source: str) -> tuple[ast.AST, ...]:
    """Return all nodes of a source text's tree, in the order of ``ast.walk``."""
    return tuple(ast.walk(parse_once(source)))
