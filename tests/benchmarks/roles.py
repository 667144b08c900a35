"""What is suggested for files whose truth is known, and what is found inside their cells.

(a) files that each have one key of people, by header, form and layout; (b) twice twenty files by people who had not
read the rules, with the truth of every column and of every identifying text inside a cell; (c) false alarms in text
cells of public files. Run from the repository's root:

    python -m tests.benchmarks.roles
    python -m tests.benchmarks.roles --data FOLDER
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("PPDM_DATA"), help="folder of public files")
    data = parser.parse_args().data
    # Only the tests' own runner has this folder among those that modules are looked for in.
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "shared"))
    from role_figures import RoleFigures, alarms_in, meet, meet_keys
    from unseen_files import Planted, Truth, unseen_files
    from unseen_files_later import unseen_files_later

    ours, unseen, later = RoleFigures(), RoleFigures(), RoleFigures()
    files = meet_keys(ours)
    written, written_later = unseen_files(), unseen_files_later()
    with tempfile.TemporaryDirectory() as folder:
        for file in written:
            meet(file, Path(folder), unseen)
        for file in written_later:
            meet(file, Path(folder), later)
    print(f"{'':34}{'ours':>10}{'unseen':>10}{'later':>10}")
    for words, *numbers in (
        ("files", files, len(written), len(written_later)),
        ("columns that stand for people", ours.keys, unseen.keys, later.keys),
        ("… suggested as something released", *(len(each.keys_suggested) for each in (ours, unseen, later))),
        ("… left after the clear ones", *(len(each.keys_left) for each in (ours, unseen, later))),
    ):
        print(f"{words:34}" + "".join(f"{number:>10}" for number in numbers))
    for name, met_in in (("unseen", unseen), ("later", later)):
        print(f"\ncolumns of the {name} files, by what they are")
        for truth in Truth:
            met = ", ".join(f"{number} {words}" for words, number in sorted(met_in.agreement(truth).items()))
            print(f"  {truth.value:20} {met}")
        print("\ninside their cells")
        for kind in Planted:
            print(f"  {kind.value:20} {met_in.found[kind]:>4} of {met_in.planted[kind]:>4}  {met_in.recall(kind):.3f}")
        print(f"  false alarms         {len(met_in.alarms):>4} of {met_in.cells:>7,} text cells")
    if data is None:
        print("\nno folder of public files: set PPDM_DATA, or give --data")
        return
    print("\nfalse alarms in text cells of public files")
    for path in sorted(each for each in Path(data).iterdir() if each.suffix in {".csv", ".xlsx"}):
        found = alarms_in(path)
        print(f"  {path.name:30} {len(found.alarms):>4} of {found.cells:>9,}  {found.alarm_rate:.2f} per 1,000")


if __name__ == "__main__":
    main()
