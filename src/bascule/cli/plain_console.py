"""Rich's console as every command here uses it: texts as they are, and a closed pipe left to the entry."""

from typing import Any, NoReturn

from rich.console import Console


class PlainConsole(Console):
    """It shows what it is given, without markup, emoji codes or colours of its own choice."""

    def __init__(self, **options: Any) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, **options)

    def on_broken_pipe(self) -> NoReturn:
        """Who reads us has seen enough: no failure. Rich would end the process with 1."""
        raise BrokenPipeError
