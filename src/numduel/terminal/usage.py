"""What is wrong with a command line, in the language spoken: the toolkit says it in English."""

from __future__ import annotations

import re
from typing import IO, Any

import typer

from numduel.core.language import ENGLISH, N_, _, language
from numduel.terminal.screen import complain

UsageError: Any = typer.BadParameter.__base__
# Translators: what the toolkit says about a command line, and what was typed.
SENTENCES = (
    N_("No such command {given}."),
    N_("No such option: {given} (Possible options: {known})"),
    N_("No such option: {given}"),
    N_("Option {option} requires an argument."),
    N_("Option {option} does not take a value."),
    N_("Got unexpected extra argument(s) ({given})"),
    N_("Missing argument {argument}."),
    N_("Invalid value for {option}: {problem}"),
    N_("{given} is not in the range {range}."),
    N_("{given} is not one of {known}."),
)
NO_SUCH_TYPE = re.compile(r"(.*) is not a valid (int|float)(?: range)?\.", re.DOTALL)
"""How the toolkit says that something is no number: it names a type of Python."""
TYPES = {"int": N_("{given} is not a whole number."), "float": N_("{given} is not a number.")}
FIELD = re.compile(r"\\{(\w+)\\}")


def retold(sentence: str) -> str:
    """A sentence of the toolkit in the language spoken, if it is one of those."""
    for told in SENTENCES if language() != ENGLISH else ():
        form = FIELD.sub(r"(?P<\1>[^ ].*?)", re.escape(told))
        if found := re.fullmatch(form, sentence, re.DOTALL):
            return _(told, **{name: retold(value) for name, value in found.groupdict().items()})
    if found := NO_SUCH_TYPE.fullmatch(sentence):
        return _(TYPES[found[2]], given=found[1])
    return sentence


class Misused(typer.BadParameter):
    """A wrong command line, told in the language spoken."""

    def format_message(self) -> str:
        """What is wrong."""
        return retold(self.message)

    def show(self, file: IO[Any] | None = None) -> None:
        """Say how the command is used, and what is wrong."""
        if self.ctx is not None:
            complain(self.ctx.get_usage().replace("Usage:", _("Usage:"), 1))
            line = f"{self.ctx.command_path} {self.ctx.help_option_names[0]}"
            complain(_("Try '{line}' for help.", line=line) + "\n")
        complain(_("Error: {message}", message=self.format_message()))


def in_words(error: Any) -> Misused:
    """What is wrong with a command line, to be told in the language spoken."""
    return Misused(error.format_message(), error.ctx)
