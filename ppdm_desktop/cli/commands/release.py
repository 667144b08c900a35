"""``release``: make a release folder from a file and a recipe."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ppdm_desktop.cli.app_folder import ledger_file
from ppdm_desktop.cli.columns_storage import add_columns_argument, provide_column_store
from ppdm_desktop.cli.console import Console, name_recipe_in_errors
from ppdm_desktop.cli.plugins_option import add_plugins_argument, switch_on_named
from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import GateBlocked, InputError, RecipeError
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.methods.base.recipients import check_is_asked_for
from ppdm_desktop.engine.randomness import Key, RecipientSecret
from ppdm_desktop.engine.recipe.load import read_recipe
from ppdm_desktop.engine.recipe.models import AcceptSection, Recipe
from ppdm_desktop.engine.release.approval import restore_declared_fields
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.gate.checks.free_text import MOST_READ, source_texts
from ppdm_desktop.engine.release.gate.decision import check_accepts
from ppdm_desktop.engine.release.gate.results import CAUSES
from ppdm_desktop.engine.release.start_like import read_earlier_decisions, start_like, to_row_texts
from ppdm_desktop.engine.release.storage.atomic_folder import TEACHING, check_target
from ppdm_desktop.engine.release.storage.ledger import machine_key
from ppdm_desktop.engine.release.top_up.previous_release import read_released
from ppdm_desktop.engine.release.writing.disk_and_memory import (
    check_folder,
    memory_note,
    refuse_beyond_memory,
    rights_note,
)
from ppdm_desktop.engine.release.writing.export import Exported, check_teaching_copy, export
from ppdm_desktop.engine.report.model import CheckEntry, Release, Verdict
from ppdm_desktop.engine.report.outside_texts import describe_population_risk
from ppdm_desktop.engine.report.report_texts import STATUSES, describe_outcome
from ppdm_desktop.engine.secret_files import KEY_TEXTS, read_digits, read_recipient_secret
from ppdm_desktop.engine.table.record_levels import warn_of_unmatched_rules
from ppdm_desktop.engine.table.stored.code_store import CodeStore
from ppdm_desktop.engine.table.writing.registry import release_formats
from ppdm_desktop.engine.wording.catalogue import SOURCE, Sentence, _, lazy, speak_language
from ppdm_desktop.engine.wording.rows import choose_counted_unit
from ppdm_desktop.engine.wording.texts import render_stored
from ppdm_desktop.engine.wording.values import Name, Quoted, Term
from ppdm_desktop.ui.pdf.renderers import pdf_renderers

DESCRIPTION = lazy(
    "Protect a file as a recipe says, check the result, and write OUT/release (to share) and OUT/internal (your own). "
    "Nothing is written unless every check is passed or has a written reason."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command ``release`` to the parser."""
    parser.add_argument("input", type=Path, metavar="INPUT", help=_("the file with the data"))
    decided = parser.add_mutually_exclusive_group(required=True)
    decided.add_argument("--recipe", type=Path, metavar="R", help=_("the recipe"))
    decided.add_argument(
        "--like",
        type=Path,
        metavar="PROJECT|RECIPE",
        help=_("last year’s project or recipe; what does not fit this file is left open, and the checks stop for it"),
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help=_("the folder to write"))
    add_key_arguments(parser)
    add_recipient_argument(parser)
    parser.add_argument("--no-key", action="store_true", help=_("do not keep the key: the release cannot be repeated"))
    add_accept_argument(parser)
    parser.add_argument(
        "--format",
        choices=release_formats(),
        help=_("format of the data file (default: that of the recipe)"),
    )
    parser.add_argument(
        "--analysis-kit",
        action="store_true",
        help=_("add release/analysis-kit: the distribution of the noise, and a script that corrects results for it"),
    )
    add_plugins_argument(parser)
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--draft", action="store_true", help=_("write internal/ only, whatever the checks say"))
    instead.add_argument(
        "--teaching-copy",
        action="store_true",
        help=_("write a teaching copy, not for release, whatever the checks on protection say"),
    )
    add_columns_argument(parser)
    parser.add_argument(
        "--agreement",
        action="store_true",
        help=_("the recipients sign not to link the data, look for people, or pass it on (research)"),
    )
    parser.add_argument(
        "--earlier",
        type=Path,
        metavar="DIR",
        help=_("the folder of the earlier release"),
    )
    parser.add_argument("--replace", action="store_true", help=_("replace an existing DIR"))
    parser.add_argument("--json", action="store_true", help=_("print one JSON document"))


def add_key_arguments(parser: argparse.ArgumentParser) -> None:
    """Add to the parser the options that say where the key of the random draws comes from."""
    key = parser.add_mutually_exclusive_group()
    key.add_argument("--key-file", type=Path, metavar="F", help=_("take the key (64 hexadecimal digits) from F"))
    key.add_argument(
        "--seed", type=int, metavar="N", help=_("make a guessable key from N (for teaching and tests only)")
    )


def add_recipient_argument(parser: argparse.ArgumentParser) -> None:
    """Add to the parser the option for the file with a recipient's secret."""
    parser.add_argument(
        "--recipient-secret",
        type=Path,
        metavar="F",
        help=_("the secret kept for the recipient of the code names"),
    )


def add_accept_argument(parser: argparse.ArgumentParser) -> None:
    """Add to the parser the option for written reasons (``--accept``)."""
    parser.add_argument(
        "--accept",
        action="append",
        default=[],
        metavar="CAUSE=REASON",
        help=_(
            "your written reason for accepting all checks of a cause in this run (can be repeated); it also confirms a "
            "reason in the recipe"
        ),
    )


def run(args: argparse.Namespace, console: Console) -> int:
    """Make a release and print the decision; return the exit code 0; raise GateBlocked if a check stops the release.

    The folder DIR then has ``release/`` (``teaching-copy/`` for a teaching copy) and ``internal/``, with ``--draft``
    only ``internal/``. No check stops a draft, and no check on protection stops a teaching copy. Raise another
    PpdmError if the options, the file or the recipe do not fit.
    """
    key = choose_key(args.key_file, args.seed)
    reasons = read_accepted_reasons(args.accept)
    with (
        name_recipe_in_errors(args.recipe or args.like),
        provide_column_store(args.columns, args.input, console, judged=True) as store,
    ):
        done = _write_release(args, key, reasons, console, store)
    return _print_release(done, args, console)


def tell_blocked(blocked: GateBlocked, console: Console, source: Prepared | None = None) -> None:
    """Print the failed checks, the texts of the source that must be read, and why written reasons did not count.

    Without ``source`` only a digest of the texts is printed. If there is no report, only the notes on reasons are
    printed.
    """
    if blocked.report is not None:
        console.document(blocked.report)
        tell_gate(blocked.report, console, source)
    console.warn(*blocked.notes)


def _write_release(
    args: argparse.Namespace, key: Key, reasons: Mapping[str, str], console: Console, store: CodeStore | None
) -> Exported:
    """Write the release that the command line asks for, and return what was written.

    The random draw and the release (no draft or teaching copy) are entered in the ledger (the list of releases). Notes
    on the reading, the memory needed and the folder are printed. If a check stops the release, the failed checks are
    printed and GateBlocked is raised. Input that does not fit raises InputError or RecipeError.
    """
    written = (
        read_recipe(args.recipe, formats=release_formats()) if args.like is None else _carry_over_recipe(args, console)
    )
    recipe = _apply_options(written, args, reasons)
    switch_on_named(args, recipe)
    # Looked at again when the release is written; here so that nobody waits for a refusal.
    check_target(args.out, args.input, replace=args.replace)
    check_folder(args.out.absolute(), args.input)
    if recipe.release.teaching_copy:
        check_teaching_copy(recipe, args.input, args.out.absolute(), draft=args.draft)
    recipient = _read_recipient_secret(args, recipe)
    earlier = None if args.earlier is None else progress.make_silent_progress().run(read_released, args.earlier)
    # What is written must not depend on the language of who runs the command.
    with speak_language(SOURCE):
        prepared = progress.part(0, 0.3).run(prepare, args.input, recipe, need_type=True, store=store)
    console.tell_reading(prepared.account)
    size = prepared.read.rows, len(prepared.read.columns)
    if store is not None:
        refuse_beyond_memory([find_method(step.method) for step in prepared.recipe.steps if step.enabled], *size)
    elif (note := memory_note(*size, len(recipe.steps))) is not None:
        console.warn(note)
    if (note := rights_note(args.out.absolute())) is not None:
        console.warn(note)
    console.warn(*warn_of_unmatched_rules(prepared.read, prepared.recipe.privacy))
    try:
        with speak_language(SOURCE):
            candidate = progress.part(0.3, 0.7).run(run_candidate, prepared, key, recipient=recipient)
            return progress.part(0.7, 1.0).run(
                export,
                candidate,
                args.out,
                keep_key=not args.no_key,
                accepts=reasons,
                replace=args.replace,
                draft=args.draft,
                created=datetime.now(UTC),
                ledger=ledger_file(),
                earlier=earlier,
                renderers=pdf_renderers(),
            )
    except GateBlocked as blocked:
        tell_blocked(blocked, console, prepared)
        raise


def _carry_over_recipe(args: argparse.Namespace, console: Console) -> Recipe:
    """Return last year's recipe as far as it fits the new file, and print what became of each column.

    Last year's written reasons are printed, but are not part of the recipe. Raise a PpdmError if they or the new file
    cannot be read.
    """
    started = start_like(args.input, *read_earlier_decisions(args.like), machine_key(ledger_file()))
    rows = [to_row_texts(row) for row in started.rows]
    console.table(rows, [_("Last time"), _("Now"), _("Because of"), _("What differs")])
    for cause, reason in started.reasons.items():
        console.lines(_("Last time’s reason for {cause}, not used: {reason}", cause=Term(cause), reason=Term(reason)))
    return started.decided_only


def _read_recipient_secret(args: argparse.Namespace, recipe: Recipe) -> RecipientSecret | None:
    """Return the recipient's secret from the file named on the command line; None if none is named.

    Raise InputError if the recipe needs no secret, if the file is in the output folder, or if it holds no secret.
    """
    if args.recipient_secret is None:
        return None
    check_is_asked_for(recipe, str(args.recipient_secret))
    if args.out.resolve() in args.recipient_secret.resolve().parents:
        raise InputError("error.recipient.in-release", file=str(args.recipient_secret))
    return read_recipient_secret(args.recipient_secret)


def choose_key(file: Path | None, seed: int | None) -> Key:
    """Return the key of the random draws: made from ``seed``, else read from ``file``, else drawn by the system.

    Raise InputError if the file holds no key of 64 hexadecimal digits, or a key with a simple pattern.
    """
    if seed is not None:
        return Key.from_seed(seed)
    if file is None:
        return Key.fresh()
    key = Key.from_hex(read_digits(file, KEY_TEXTS), file=str(file))
    # Here and not where keys are read: what was released under such a key can still be verified.
    if key.is_regular():
        raise InputError("error.key.regular", file=str(file))
    return key


def read_accepted_reasons(accepted: Sequence[str]) -> dict[str, str]:
    """Return the reasons written on the command line (``CAUSE=REASON``), by cause.

    ``["class-size=Only staff get it"]`` gives ``{"class-size": "Only staff get it"}``. If a cause is given twice, its
    last reason counts.

    Raises
    ------
    RecipeError
        When a reason is missing or is not acceptable as a reason, or when a cause does not exist.
    """
    marks = {}
    for text in accepted:
        cause, mark, reason = text.partition("=")
        if not mark or not cause.strip():
            raise RecipeError("error.accept.no-reason", file="--accept", args={"found": Quoted(text)})
        marks[cause.strip()] = reason
    try:
        check_accepts({cause: AcceptSection(reason=reason) for cause, reason in marks.items()}, marks)
    except RecipeError as error:
        error.file = "--accept"
        raise
    return marks


def _apply_options(recipe: Recipe, args: argparse.Namespace, reasons: Mapping[str, str]) -> Recipe:
    """Return the recipe with the options of the command line; raise RecipeError for an unacceptable reason.

    The options are the format, a teaching copy (for use inside the organisation only), the agreement that recipients
    sign, and the analysis kit (a script that corrects results for the noise). Options that were not given change
    nothing. The reasons are only checked, not written into the recipe.
    """
    # Looked at before the work: a slip of the pen must not cost a long run.
    written = {cause: AcceptSection(reason=reason) for cause, reason in reasons.items()}
    check_accepts({**recipe.accept, **written}, reasons)
    options = ("format", "teaching_copy", "agreement", "analysis_kit")
    wishes = {option: value for option in options if (value := getattr(args, option))}
    return recipe.model_copy(update={"release": recipe.release.model_copy(update=wishes)}) if wishes else recipe


def tell_gate(document: dict[str, Any], console: Console, source: Prepared | None = None) -> None:
    """Print the decision on a release, and every check that did not pass, those that stop the release first.

    For each cause a line says how many of its checks one written reason would answer. The number of passed checks, the
    usefulness, and the risk in the population outside the file (if it was assessed) follow.

    Parameters
    ----------
    document
        The content of report.json.
    console
        Prints the lines.
    source
        The source; its rare texts are printed if the owner has to read them. None prints only their digest.
    """
    verdict = restore_declared_fields(Verdict.model_validate(document["verdict"]))
    console.lines(describe_outcome(Release.model_validate(document["release"]), verdict))
    for check in verdict.blocking:
        _tell_check(check, STATUSES["red"], verdict, console)
        _tell_texts(check, source, console)
    for cause in CAUSES.values():
        checks = [check for check in verdict.to_answer if check.cause == cause.id]
        for check in checks:
            is_explained = check.id in verdict.decision.accepted
            _tell_check(
                check,
                lazy("Explained by a written reason") if is_explained else STATUSES[check.status],
                verdict,
                console,
            )
            _tell_texts(check, source, console)
        unanswered = sum(check.id not in verdict.decision.accepted for check in checks)
        if unanswered:
            console.lines(
                _(
                    "One reason answers {n} {n:check|checks}: --accept {cause}=REASON ({title})",
                    n=unanswered,
                    cause=Term(cause.id),
                    title=cause.title,
                )
            )
    passed = sum(check.status == "green" for check in verdict.checks)
    console.lines(_("{n} {n:check|checks} passed", n=passed))
    console.lines(verdict.usefulness.summary)
    if verdict.outside is not None:
        console.lines(*describe_population_risk(verdict.outside))


def _tell_check(check: CheckEntry, state: Sentence, verdict: Verdict, console: Console) -> None:
    """Print a check's status, title and finding, and what can be done unless a written reason answers it.

    ``state`` is the text of the status.
    """
    with choose_counted_unit(rows=verdict.counts_rows):
        text = render_stored(check.sentence.id, check.sentence.arguments)
    console.lines(f"{state.format()}: {text.title} [{check.id}]", f"  {text.sentence}")
    if check.id not in verdict.decision.accepted and text.remedy:
        console.lines(f"  {text.remedy}")


def _tell_texts(check: CheckEntry, source: Prepared | None, console: Console) -> None:
    """Print the texts that a check asks the owner to read, at most ``MOST_READ`` for each column.

    Before them comes the recipe's line by which the owner confirms having read them. Without ``source`` only that line
    is printed.
    """
    to_read = check.sentence.arguments.get("to_read")
    for entry in to_read if isinstance(to_read, list) else ():
        name = str(entry["column"])
        console.lines(
            "  "
            + _(
                "Once you have read all {n} {n:text|texts} of {column}, write this in the recipe under "
                '{section}: texts_read = "{digest}"',
                n=int(entry["texts"]),
                column=Name(name),
                section=Term(f"[columns.{json.dumps(name, ensure_ascii=False)}]"),
                digest=Term(str(entry["digest"])),
            )
        )
        texts = [] if source is None else source_texts(source, name)
        console.lines(*(f"    {text}" for text in texts[:MOST_READ]))
        if len(texts) > MOST_READ:
            console.lines("    " + _("and {n} more", n=len(texts) - MOST_READ))


def tell_folders(out: Path, console: Console) -> None:
    """Print which folder of a release to share (``release``) and which to keep (``internal``)."""
    console.lines(
        f"{out / 'release'}: {_('You may share this folder. It contains neither the key nor the report.')}",
        f"{out / 'internal'}: {_('Keep this folder. Never send it to anyone.')}",
    )


def tell_written(done: Exported, console: Console) -> None:
    """Print the folders of a release or, if it waits for a second person, the command that approves it."""
    if done.waits:
        folder = Term(f'"{done.path}"')
        console.lines(_("Waiting for a second person: ppdm-desktop approve {folder} --by NAME", folder=folder))
    else:
        tell_folders(done.path, console)


def _print_release(done: Exported, args: argparse.Namespace, console: Console) -> int:
    """Print the decision, notes, and where the release, draft or teaching copy is; return the exit code 0.

    A draft has only the folder ``internal/``; a teaching copy is for use inside the organisation and must not be passed
    on. If the release waits for a second person, the command that approves it is printed instead of the folders. The
    folder is also noted in ``console.released``, for the message if the command fails after that.
    """
    console.released = done.path
    console.document(done.report)
    tell_gate(done.report, console)
    console.warn(*done.notes)
    if args.draft:
        console.lines(f"{args.out / 'internal'}: {_('Keep this folder. Never send it to anyone.')}")
        return 0
    if done.report["release"]["teaching_copy"]:
        teaching = _("For teaching inside your organisation only. Do not pass this folder on.")
        console.lines(f"{args.out / TEACHING}: {teaching}")
        return 0
    tell_written(done, console)
    return 0
