"""What the description of the API says of a field, besides its name and type."""

from __future__ import annotations

from typing import Any


class Described:
    """Something said of a field. Pydantic's `Field` would say it too, but what is sent is declared
    where it is made, also in the solving processes, and they need no Pydantic."""

    def __init__(self, **said: Any) -> None:
        self._said = said

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        """The schema that describes the field."""
        return {**handler(schema), **self._said}


def about(text: str) -> Described:
    """A sentence about a field."""
    return Described(description=text)
