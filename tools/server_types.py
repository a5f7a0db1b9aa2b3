"""What the server sends, as TypeScript for the page's modules, from the description of its API.

python -m tools.server_types > server.d.ts
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from numduel.web.app import create
from numduel.web.settings import Settings

Schema = dict[str, Any]


def written(schema: Schema) -> str:
    """A JSON schema as TypeScript writes it."""
    if "$ref" in schema:
        return f"Server.{schema['$ref'].split('/')[-1]}"
    if "anyOf" in schema:
        return " | ".join(map(written, schema["anyOf"]))
    if "const" in schema or "enum" in schema:
        return " | ".join(map(json.dumps, schema.get("enum", [schema.get("const")])))
    if "prefixItems" in schema:
        return f"[{', '.join(map(written, schema['prefixItems']))}]"
    if schema.get("type") == "array":
        return f"Array<{written(schema['items'])}>"
    if schema.get("type") == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {written(values) if isinstance(values, dict) else 'any'}>"
    kind = str(schema.get("type", "any"))
    return "number" if kind == "integer" else kind


def interface(name: str, schema: Schema) -> str:
    """The fields of an object."""
    required = schema.get("required", ())
    fields = "".join(
        f"    {field}{'' if field in required else '?'}: {written(part)};\n"
        for field, part in schema.get("properties", {}).items()
    )
    return f"  interface {name} {{\n{fields}  }}\n"


def answers(operations: Schema) -> Iterator[str]:
    """The types of the JSON answers at a path."""
    for operation in operations.values():
        for status, response in operation["responses"].items():
            content = response.get("content", {}).get("application/json", {})
            if status.startswith("2") and content.get("schema"):
                yield written(content["schema"])


def types(description: Schema) -> str:
    """All types that are sent, and the answer at each path, longer paths first."""
    named = "".join(
        interface(name, part) for name, part in description["components"]["schemas"].items()
    )
    paths = sorted(description["paths"].items(), key=lambda item: -item[0].count("/"))
    answered = "".join(
        f"  P extends `{pattern}` | `{pattern}?${{string}}` ? {' & '.join(found)} :\n"
        for path, operations in paths
        if (pattern := re.sub(r"{\w+}", "${string}", path)) and (found := [*answers(operations)])
    )
    return (
        f"declare namespace Server {{\n{named}}}\n\n"
        f"type Answer<P extends string> =\n{answered}  any;\n"
    )


if __name__ == "__main__":
    print(types(create(Settings()).description), end="")
