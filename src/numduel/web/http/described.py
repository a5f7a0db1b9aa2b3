"""Descriptions of fields, for OpenAPI."""

from __future__ import annotations

from typing import Any


class Described:
    """Keywords for the schema of a field. Pydantic's `Field` would do, but the solving processes
    declare what they send, too, and do without Pydantic."""

    def __init__(self, **said: Any) -> None:
        self._said = said

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        """The schema of the field, with these keywords."""
        return {**handler(schema), **self._said}


def about(text: str) -> Described:
    """The description of a field."""
    return Described(description=text)
