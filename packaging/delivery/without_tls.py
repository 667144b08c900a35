"""Runs first in the bundle, which holds no TLS: stdnum names ``ssl`` at its head, for look-ups that nobody makes here.

Only the one module that asks for it gets an empty module of that name. All others find that there is none, as they do
with a Python that was built without OpenSSL.
"""

import sys
import types
from importlib.abc import MetaPathFinder

_ASKS = "stdnum.util"


class _Empty(MetaPathFinder):
    """Puts an empty ``ssl`` in place while one module is loaded."""

    def find_spec(self, name, path=None, target=None):
        """Find the module as others do, and wrap how it is run."""
        if name != _ASKS:
            return None
        sys.meta_path.remove(self)
        for finder in sys.meta_path:
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                spec.loader.exec_module = _with_empty(spec.loader.exec_module)
                return spec
        return None


def _with_empty(run):
    def exec_module(module):
        before = sys.modules.get("ssl")
        sys.modules["ssl"] = types.ModuleType("ssl")
        try:
            run(module)
        finally:
            del sys.modules["ssl"]
            if before is not None:
                sys.modules["ssl"] = before

    return exec_module


sys.meta_path.insert(0, _Empty())
