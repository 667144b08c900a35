"""A signature of SHA256SUMS by a tool of the system, with a key that is named when the delivery is made."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from delivery.problems import Stop

TOOLS = ("gpg", "minisign", "ssh")


def sign(file: Path, wanted: str) -> Path:
    """Sign a file and return the path of the signature.

    Parameters
    ----------
    file
        What is signed.
    wanted
        Tool and key: ``gpg:KEYID``, ``minisign:SECRET-KEY-FILE`` or ``ssh:PRIVATE-KEY-FILE``.

    Raises
    ------
    Stop
        For another tool, one that is not here, or one that fails.
    """
    tool, _, key = wanted.partition(":")
    if tool not in TOOLS or not key:
        raise Stop(f"Sign with TOOL:KEY, where TOOL is one of {', '.join(TOOLS)}; {wanted!r} is not.")
    program = {"ssh": "ssh-keygen"}.get(tool, tool)
    found = shutil.which(program)
    if found is None:
        raise Stop(f"{program} is not here, so nothing was signed.")
    signature = file.with_name(file.name + {"gpg": ".asc", "minisign": ".minisig", "ssh": ".sig"}[tool])
    signature.unlink(missing_ok=True)
    words = {
        "gpg": ["--batch", "--armor", "--detach-sign", "--local-user", key, "--output", str(signature), str(file)],
        "minisign": ["-S", "-s", key, "-m", str(file), "-x", str(signature)],
        "ssh": ["-Y", "sign", "-q", "-f", key, "-n", "ppdm-desktop", str(file)],
    }[tool]
    done = subprocess.run([found, *words], check=False, stderr=subprocess.PIPE, text=True)
    if done.returncode or not signature.is_file():
        raise Stop(f"{program} did not sign:\n{done.stderr}")
    return signature
