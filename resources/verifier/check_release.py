"""Check a release made by PPDM Desktop without that program. Needs Python 3.8 or newer, and nothing else.

    python check_release.py [DIR] [--source FILE.csv] [--paper FILE.docx]

DIR holds "release" and "internal"; by default it is the folder above this script. Files are compared with the manifest,
the log of decisions is followed, and what report.json states is counted again from the data file; with --source from
the original, too. With --paper locked fields are compared with internal/dossier.json. What needs the key is named:
"ppdm-desktop verify" compares that. It ends with 0 where all agrees, 3 where something differs, 2 where it cannot read.
"""

import argparse
import csv
import hashlib
import json
import re
import sys
import zipfile
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

SAME, DIFFERENT = "same", "DIFFERENT"
ARTIFICIAL, KEY_NEEDED = "rows are artificial", "not possible without the key: ppdm-desktop verify"
UNLISTED = ("internal/manifest.json", "internal/release.key", "internal/key-destroyed.json", "internal/decisions.jsonl")
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
ROLES = ("quasi-identifier", "other", "confidential")
NAMES = (WORD + "tag", WORD + "alias")
GUARDED = re.compile("\\A'(?='*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20])")  # what guards a text from being run


class Results:
    """The comparisons made, each with what was found and what is printed."""

    def __init__(self):
        self.lines = []

    def compare(self, what, found, printed):
        """Add a comparison; fractions may differ by rounding."""
        is_fraction = isinstance(printed, float) and isinstance(found, (int, float))
        is_same = found == printed or (is_fraction and abs(found - printed) <= 1e-9 * max(1.0, abs(printed)))
        self.lines.append((what, str(found), str(printed), SAME if is_same else DIFFERENT))

    def skip(self, what, why=KEY_NEEDED):
        """Add why something is not compared."""
        self.lines.append((what, "", "", why))

    def show(self):
        """Print what differs or is not possible, and how much agrees; return the exit code."""
        for what, found, printed, result in self.lines:
            if result == DIFFERENT:
                print(f"{result}: {what}\n    found:   {found[:200]}\n    printed: {printed[:200]}")
            elif result != SAME:
                print(f"{what}: {result}")
        results = Counter(line[3] for line in self.lines)
        print(f"{results[SAME]} of {results[SAME] + results[DIFFERENT]} comparisons agree.")
        return 3 if results[DIFFERENT] else 0


def read_json(path):
    """Return the content of a JSON file."""
    return json.loads(path.read_bytes().decode("utf-8"))


def sha256(data):
    """Return the SHA-256 of bytes in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def check_files(folder, results):
    """Compare the files of the folder with the manifest."""
    listed = read_json(folder / "internal" / "manifest.json")["files"]
    present = {
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_symlink() or not path.is_dir()
    }
    for name in sorted(set(listed) | present):
        if not name.startswith(("papers/", "internal/papers/")) and name not in UNLISTED:
            found = sha256((folder / name).read_bytes()) if name in present else "missing"
            results.compare("file " + name, found, listed.get(name, "not listed"))


def check_log(folder, printed, results):
    """Follow the chain of the log of decisions, and compare it with the printed length and head (None: not printed)."""
    file, heads = folder / "internal" / "decisions.jsonl", ["0" * 64]
    lines = file.read_bytes().decode("utf-8").rstrip("\n").split("\n") if file.is_file() else []
    for number, text in enumerate(lines, start=1):
        line = json.loads(text)
        stated = (line["n"], line["prev"], line.pop("hash"))
        content = json.dumps(line, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        found = (number, heads[-1], sha256((heads[-1] + content).encode("utf-8")))
        results.compare(f"log, line {number}", found, stated)
        heads.append(stated[2])
    if printed:
        head = heads[printed["length"]] if 0 <= printed["length"] < len(heads) else "the log is shorter"
        results.compare("log, head after line {}".format(printed["length"]), head, printed["head"])


def value_at(document, key):
    """Return the value, or the value of the figure, at a dotted path or JSON pointer; None where there is none."""
    for part in re.split("[./]", key.lstrip("/")):
        try:
            document = document[int(part)] if isinstance(document, list) else document[part]
        except (KeyError, IndexError, ValueError, TypeError):
            return None
    return document.get("value") if isinstance(document, dict) else document


def check_pages(folder, report, results):
    """Compare figures of the HTML pages, and what dossier.json was made of, with report.json."""
    for page in sorted((folder / "internal").glob("*.html")):
        figures = re.findall(r'<data value="([^"]*)" data-key="([^"]+)"', page.read_bytes().decode("utf-8"))
        wrong = [key for text, key in figures if text != str(value_at(report, key))]
        results.compare("figures of " + page.name, wrong[:5], [])
    file = folder / "internal" / "dossier.json"
    if not file.is_file():  # a teaching copy has no papers
        return
    dossier, found = read_json(file), sha256((folder / "internal" / "report.json").read_bytes())
    results.compare("dossier.json, report.json", found, dossier["report_sha256"])
    for key, blocks in dossier["values"].items():
        cells = [cell for block in blocks for row in block["rows"] for cell in row if len(cell["paths"]) == 1]
        wrong = [cell["text"] for cell in cells if not is_printed(value_at(report, cell["paths"][0]), cell["text"])]
        results.compare("dossier.json, " + key, wrong[:3], [])


def is_printed(value, text):
    """Return whether a text holds a whole number in digits; True for one below 10, and for any other value."""
    digits = re.findall(r"\d+", re.sub(r"(?<=\d)[.,'\u2019\s](?=\d{3}(?!\d))", "", text))
    return type(value) is not int or value < 10 or str(value) in digits or "B" in text  # 196 kB


def read_csv(path, source=None):
    """Yield the rows of a CSV file, the header first; of the source those that are not empty, from its header on."""
    sign = ";" if re.match(b'(?:"[^"]*"|[^",;\r\n])*;', path.read_bytes()) else ","  # after the first name
    given = source or {"encoding": "utf-8", "delimiter": sign, "header_row": 1}
    encoding, length = {"utf-8": "utf-8-sig"}.get(given["encoding"], given["encoding"]), None
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        for number, row in enumerate(csv.reader(file, delimiter=given["delimiter"], strict=not source), start=1):
            if not source or (number >= given["header_row"] and any(row)):
                if not source and len(row) != (length := length or len(row)):
                    raise ValueError("the rows of the data file differ in length")
                yield row


def read_xlsx(path):
    """Yield the rows of the first sheet of a workbook, the header first; numbers as the file holds them."""
    with zipfile.ZipFile(path) as package:
        items = ElementTree.fromstring(package.read("xl/sharedStrings.xml")).iter(MAIN + "si")
        texts = ["".join(part.text or "" for part in item.iter(MAIN + "t")) for item in items]
        texts = [re.sub("_x([0-9A-Fa-f]{4})_", lambda code: chr(int(code.group(1), 16)), text) for text in texts]
        columns, number = None, 1
        for _event, row in ElementTree.iterparse(package.open("xl/worksheets/sheet1.xml")):
            if row.tag == MAIN + "row":
                cells = {}
                for cell in row.iter(MAIN + "c"):
                    value = cell.findtext(MAIN + "v")
                    text = texts[int(value)] if cell.attrib.get("t") == "s" else value
                    cells[cell.attrib["r"].rstrip("0123456789")] = text or ""
                columns = columns or list(cells)
                yield from [[""] * len(columns)] * (int(row.attrib["r"]) - number)  # rows of missing values only
                yield [cells.get(column, "") for column in columns]
                number = int(row.attrib["r"]) + 1
                row.clear()


def declared_missing(report, recipe):
    """Return the texts that mean "missing" in single columns, by name; the recipe writes each as JSON does."""
    own, column = {}, None
    for entry in report["input"].get("missing_in_columns", []):
        own.setdefault(entry["column"], set()).add(entry["mark"])
    for heading, texts in re.findall(r"^\[([^\n]*)\]$|^missing = \[\n(.*?)^\]$", recipe, re.MULTILINE | re.DOTALL):
        if heading:
            name = heading[len("input.repair.") :] if heading.startswith("input.repair.") else None
            column = json.loads(name) if name and name.startswith('"') else name
        elif column is not None:
            marks = re.findall(r'^ *("(?:[^"\\]|\\.)*"),$', texts, re.MULTILINE)
            own.setdefault(column, set()).update(map(json.loads, marks))
    return own


def number_of(text, report):
    """Return the number that a text is; the text itself where it is none."""
    try:
        return float(text.strip().replace(report["input"]["decimal"] or ".", ".")) + 0.0
    except ValueError:
        return text


class Table:
    """A table by columns: for each row a value, None where it is missing; equal numbers are one value."""

    def __init__(self, rows, report, recipe):
        described = {column["name"]: column for column in report["columns"]}
        marks, own = {"", *report["input"]["missing_marks"]}, declared_missing(report, recipe)
        header = next(rows, None)
        texts, cells = [{} for _ in header], [[] for _ in header]
        for row in rows:  # one by one and each text once, because there may be millions
            for text, known, column in zip(row + [""] * len(texts), texts, cells):
                column.append(known.setdefault(text, text))
        self.rows, self.columns = len(cells[0]), {}
        for title, known, column in zip(header, texts, cells):
            name, values = title if title in described else GUARDED.sub("", title), {}
            missing, is_number = marks | own.get(name, set()), described.get(name, {}).get("kind") == "numeric"
            for text in known:
                plain = GUARDED.sub("", text)
                values[text] = None if plain in missing else number_of(plain, report) if is_number else plain
            self.columns[name] = [values[text] for text in column]

    def keys(self, names):
        """Return for each row its values in some columns."""
        return list(zip(*(self.columns[name] for name in names))) if names else [()] * self.rows

    def class_sizes(self, names):
        """Return for each row how many rows have the same values in some columns."""
        keys = self.keys(names)
        sizes = Counter(keys)
        return [sizes[key] for key in keys]

    def count_proved(self, names, column):
        """Return how many rows are equal in some columns only to rows with one and the same value of a column."""
        keys, shown = self.keys(names), {}
        for key, value in zip(keys, self.columns[column]):
            shown.setdefault(key, set()).add(value)
        return sum(len(shown[key]) == 1 and None not in shown[key] for key in keys)


def is_coarser(column):
    """Return whether a column shows true values, broader ones, or none."""
    parts = column["treatment"].split("; ")
    return all(part == "none" or part.startswith(("generalisation", "suppression")) for part in parts)


def check_shape(table, report, released, results):
    """Compare rows, columns, names, different and missing values."""
    release, verdict = report["release"], report["verdict"]
    results.compare("rows released", (table.rows, table.rows), (release["rows"], verdict["rows_released"]))
    results.compare("release.columns", len(table.columns), release["columns"])
    results.compare("names of columns", sorted(table.columns), sorted(column["name"] for column in released))
    for column in released:
        values, what = table.columns.get(column["name"], []), "column {}, ".format(column["name"])
        results.compare(what + "different values", len(set(values) - {None}), column["distinct_after"])
        if column["treatment"] == "none" and table.rows == verdict["rows"]:
            results.compare(what + "missing", values.count(None), column["missing"])


def check_block(table, block, where, k_min, results):
    """Compare the class sizes by the columns of a block of report.json."""
    sizes = table.class_sizes(block["columns"])
    people = Counter(sizes)
    classes = {size: people[size] // size for size in sorted(people)}
    listed = [{"size": size, "classes": count, "records": people[size]} for size, count in classes.items()]
    mean, over = sum(classes.values()) / len(sizes), sum(size < k_min for size in sizes) / len(sizes)
    figures = {"records": len(sizes), "equivalence_classes": sum(classes.values()), "k": min(sizes)}
    figures.update(class_sizes=listed, share_over_threshold=over)
    figures.update(prosecutor_max=1.0 / min(sizes), prosecutor_mean=mean, marketer=mean)
    for key, found in figures.items():
        results.compare(f"{where}.{key}", found, block[key])


def check_classes(table, report, released, results):
    """Compare class sizes, unique people, and people with a certain value."""
    verdict, k_min = report["verdict"], report["release"]["k_min"]
    described = {column["name"]: column for column in released}
    known, other, secret = ([column["name"] for column in released if column["role"] == role] for role in ROLES)
    plain = known + other
    classes, singled = verdict["classes"], verdict["singled"]
    if known and classes and classes["k"] is not None:
        sizes = table.class_sizes(known)
        found = (min(sizes), sum(size < k_min for size in sizes), len(sizes))
        results.compare("verdict.classes", found, (classes["k"], classes["below"], classes["of"]))
    sets = (("by_others", known), ("by_all_but_secret", plain), ("by_all", plain + secret))
    for what, names in sets if singled else ():
        if not all(is_coarser(described[name]) for name in names):
            results.skip("verdict.singled." + what)
        elif names:
            results.compare("verdict.singled." + what, table.class_sizes(names).count(1), singled[what])
    for number, belief in enumerate(verdict["beliefs"]):
        column = described[belief["column"]]
        # Of numbers, close ones count as well, and how close is not in the report.
        is_counted = column["treatment"] == "none" and column["kind"] in ("nominal", "ordinal")
        for what, names in (("by_others", known), ("by_all", plain)):
            where = f"verdict.beliefs.{number}.{what}.proved"
            if is_counted and all(is_coarser(described[name]) for name in names):
                results.compare(where, table.count_proved(names, column["name"]), belief[what]["proved"])
            else:
                results.skip(where)


def why_not_people(report, recipe):
    """Return why rows cannot be counted as people; "" where each row is a person."""
    people, columns = report["input"]["people"], [column for column in report["columns"] if column["released"]]
    treatments = [part for column in columns for part in column["treatment"].split("; ")]
    reasons = {
        "rows are groups of people": report["verdict"]["people_known_by"] == "groups",
        "people have several rows": people and people["with_several"] and report["input"]["reduce"] is None,
        ARTIFICIAL: any(part.startswith(("synthetic data", "sampling")) for part in treatments),
        "a missing value matches any value": 'missing = "matches-anything"' in recipe,
    }
    return next((why for why, holds in reasons.items() if holds), "")


def check_paper(path, dossier, results):
    """Compare the locked fields of a paper with dossier.json, whatever the spaces between words."""
    with zipfile.ZipFile(path) as package:
        document, found = ElementTree.fromstring(package.read("word/document.xml")), {}
    for control in document.iter(WORD + "sdt"):
        name = next((part.get(WORD + "val") for part in control.find(WORD + "sdtPr") if part.tag in NAMES), "")
        found[name] = found.get(name, "") + "".join(part.text or "" for part in control.iter(WORD + "t"))
    fields = ((form["id"] + "." + field["id"], field["value"]) for form in dossier["forms"] for field in form["fields"])
    forms = {name.split(".")[0] for name in found}
    for name, value in fields:
        blocks = dossier["values"].get(value) or dossier["values"].get(name, ())
        if blocks and name.split(".")[0] in forms and value not in ("log:approved", "fact:try-first"):
            texts = (block["head"] + [cell["text"] for row in block["rows"] for cell in row] for block in blocks)
            printed = "".join("".join(map("".join, texts)).split())
            results.compare("paper, " + name, "".join(found.get(name, "").split()), printed)


def check_data(folder, report, recipe, results):
    """Count again from the data file what report.json states."""
    if not report["files"]:
        raise ValueError("report.json names no data file: this is a draft")
    for entry in report["files"]:
        data = (folder / entry["path"]).read_bytes()
        results.compare("files, " + entry["path"], (sha256(data), len(data)), (entry["sha256"], entry["bytes"]))
    file = folder / report["files"][0]["path"]
    for where in ("release", "verdict"):
        results.compare(where + ".data_sha256", sha256(file.read_bytes()), report[where]["data_sha256"])
    reader = {"csv": read_csv, "xlsx": read_xlsx}.get(report["release"]["format"])
    if reader is None:
        results.skip("counting again", "not possible: the data file is neither CSV nor XLSX")
        return
    released = [column for column in report["columns"] if column["released"]]
    table = Table(reader(file), report, recipe)
    check_shape(table, report, released, results)
    if not {column["name"] for column in released} <= set(table.columns):
        return
    why, k_min = why_not_people(report, recipe), report["release"]["k_min"]
    for scope, block in report["risk"]["after"]["scope"].items() if why in ("", ARTIFICIAL) else ():
        if block is not None:
            check_block(table, block, "risk.after.scope." + scope, k_min, results)
    if why:
        results.skip("classes and unique people", "not counted: " + why)
    else:
        check_classes(table, report, released, results)


def check_source(path, report, recipe, results):
    """Compare the source's hash, its rows, and class sizes before the steps."""
    digest, given = sha256(path.read_bytes()), report["input"]
    results.compare("input.sha256", digest, given["sha256"])
    changed = given["rows_unread"] or given["rows_left_out"] or given["repairs"] or given["names_given"]
    if changed or given["people"] or not given["delimiter"] or digest != given["sha256"]:
        results.skip("counting the source", "not possible: it is no CSV file, or was changed when it was read")
        return
    table = Table(read_csv(path, given), report, recipe)
    results.compare("input.rows_read", table.rows, given["rows_read"])
    treatments = {column["name"]: column["treatment"] for column in report["columns"]}
    for scope, block in report["risk"]["before"]["scope"].items():
        names = [] if block is None else block["columns"]
        if all(name in table.columns and "ranges" not in treatments[name] for name in names):
            if names and 'missing = "matches-anything"' not in recipe:
                check_block(table, block, "risk.before.scope." + scope, report["release"]["k_min"], results)
        else:
            results.skip("risk.before.scope." + scope, "not counted: numbers were grouped into ranges first")


def check(folder, source=None, paper=None):
    """Return what was compared of a release; raise an error where it cannot be read."""
    results, internal = Results(), folder / "internal"
    report, recipe = read_json(internal / "report.json"), (internal / "recipe.toml").read_bytes().decode("utf-8")
    check_files(folder, results)
    check_log(folder, report.get("log"), results)
    check_pages(folder, report, results)
    check_data(folder, report, recipe, results)
    if paper is not None:
        check_paper(paper, read_json(internal / "dossier.json"), results)
    if source is not None:
        check_source(source, report, recipe, results)
    return results


def main():
    """Check a release; return the exit code."""
    parser = argparse.ArgumentParser(description="Check a release of PPDM Desktop without the program.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).resolve().parent.parent, metavar="DIR")
    parser.add_argument("--source", type=Path, metavar="FILE.csv")
    parser.add_argument("--paper", type=Path, metavar="FILE.docx")
    given = parser.parse_args()
    try:
        return check(given.folder, given.source, given.paper).show()
    except Exception as problem:  # a damaged file fails in many ways
        print(f"Cannot be checked: {problem!r}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
