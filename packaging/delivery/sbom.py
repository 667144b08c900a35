"""The bill of materials in CycloneDX 1.6: every packed part with version, licence and source.

It is made of what PyInstaller packed and of what the packages declare, without a clock or chance: the same bundle has
the same bill.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import uuid
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from licences import packages, packed, source_of, stated_licence, system_packages

from delivery.version import Commit, this_machine
from ppdm_desktop import __version__

_SPACE = uuid.UUID("6f2f4b0e-54a3-5f0b-9d7c-3a0f6d1c2b7e")
_CODES = {"MIT", "Apache-2.0", "BSD-3-Clause", "BSD-2-Clause", "MPL-2.0", "PSF-2.0", "ISC", "0BSD"}


def bill_of_materials(work: Path, commit: Commit) -> str:
    """Return the bill of materials of a PyInstaller build, as JSON."""
    entries = packed(work)
    found = packages(entries)
    parts = [python_part(each) for each in sorted(found.values(), key=lambda each: each.metadata["Name"].casefold())]
    version = sys.version.split()[0]
    parts.append(
        {
            "type": "platform",
            "bom-ref": f"pkg:generic/cpython@{version}",
            "name": "CPython",
            "version": version,
            "purl": f"pkg:generic/cpython@{version}",
            "licenses": [{"expression": "PSF-2.0"}],
        }
    )
    parts.append({"type": "file", "bom-ref": "fonts", "name": "DejaVu fonts, as PPDM Sans", "version": "2.37"})
    parts += [system_part(name) for name in sorted(system_packages(entries, found))]
    return json.dumps(document(parts, commit), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def document(parts: list[dict[str, Any]], commit: Commit) -> dict[str, Any]:
    """Return the whole bill of materials from its parts."""
    ref = f"pkg:generic/ppdm-desktop@{commit.version}"
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(_SPACE, json.dumps([commit.id, parts], sort_keys=True))}",
        "version": 1,
        "metadata": {
            "timestamp": commit.day,
            "component": {
                "type": "application",
                "bom-ref": ref,
                "name": "ppdm-desktop",
                "version": commit.version,
                "licenses": [{"expression": "Apache-2.0"}],
                "properties": [
                    {"name": "ppdm-desktop:version", "value": __version__},
                    {"name": "ppdm-desktop:commit", "value": commit.id},
                    {"name": "ppdm-desktop:clean", "value": str(commit.clean).lower()},
                    {"name": "ppdm-desktop:machine", "value": this_machine()},
                ],
            },
        },
        "components": parts,
        "dependencies": [{"ref": ref, "dependsOn": [part["bom-ref"] for part in parts]}],
    }


def python_part(distribution: metadata.Distribution) -> dict[str, Any]:
    """Return the entry of an installed Python package."""
    name = re.sub(r"[-_.]+", "-", distribution.metadata["Name"]).lower()
    purl = f"pkg:pypi/{name}@{distribution.version}"
    part = _part(name, distribution.version, purl)
    stated = stated_licence(distribution)
    if stated:
        part["licenses"] = [_licence(stated)]
    source = source_of(distribution)
    if source:
        part["externalReferences"] = [{"type": "vcs", "url": source}]
    return part


def system_part(package: str) -> dict[str, Any]:
    """Return the entry of a system package whose libraries were packed."""
    done = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True, check=False
    )
    version = done.stdout.strip()
    return _part(package, version, f"pkg:deb/debian/{package}@{version}")


def _part(name: str, version: str, purl: str) -> dict[str, Any]:
    """Return an entry with name, version and package URL."""
    return {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}


def _licence(stated: str) -> Mapping[str, Any]:
    """Return a licence as an SPDX expression if it is one, else by its name."""
    first = stated.strip().splitlines()[0]
    words = [word for word in re.split(r"[ ()]+", first) if word and word not in ("AND", "OR", "WITH")]
    if words and all(word in _CODES or re.fullmatch(r"L?GPL-[\d.]+(?:-only|-or-later)", word) for word in words):
        return {"expression": first}
    return {"license": {"name": first[:200]}}
