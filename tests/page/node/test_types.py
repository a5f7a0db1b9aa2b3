"""What the page's modules are checked against is what the server sends and the templates have."""

import inspect
import json
import re
from collections import defaultdict
from dataclasses import is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic import BaseModel, TypeAdapter

import numduel.web
from numduel.web.events import models as event_models
from numduel.web.games import models
from numduel.web.http.routes import Body
from numduel.web.people import mine
from numduel.web.solving import tasks

WEB = Path(numduel.web.__file__).parent
PAGE = WEB / "page"
TYPES = (PAGE / "types.d.ts").read_text()
ELEMENTS = {
    "a": "HTMLAnchorElement",
    "details": "HTMLDetailsElement",
    "input": "HTMLInputElement",
    "select": "HTMLSelectElement",
}
NOT_FOR_THE_PAGE = {"Error", "Health"}


def typescript(schema: dict[str, Any]) -> str:
    """A JSON schema as TypeScript writes it."""
    if "$ref" in schema:
        return str(schema["$ref"]).split("/")[-1]
    if "anyOf" in schema:
        return " | ".join(map(typescript, schema["anyOf"]))
    if "const" in schema or "enum" in schema:
        return " | ".join(map(json.dumps, schema.get("enum", [schema.get("const")])))
    if schema.get("type") == "array" and "prefixItems" in schema:
        return f"[{', '.join(map(typescript, schema['prefixItems']))}]"
    if schema.get("type") == "array":
        items = typescript(schema["items"])
        return f"({items})[]" if "|" in items else f"{items}[]"
    if schema.get("type") == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {typescript(values) if isinstance(values, dict) else 'any'}>"
    kind = str(schema.get("type", "any"))
    return "number" if kind == "integer" else kind


def responses(module: ModuleType) -> dict[str, str]:
    """The interface of every response that a module has, with its own fields alone."""
    found = {}
    for name, model in inspect.getmembers(module, inspect.isclass):
        if is_dataclass(model) and "activities" in model.__module__:  # sent as it is
            fields = TypeAdapter(model).json_schema(mode="serialization")["properties"]
            own = "".join(f"    {field}: {typescript(fields[field])};\n" for field in fields)
            found[name] = f"  interface {name} {{\n{own}  }}\n"
        if not issubclass(model, BaseModel) or model.__module__ != module.__name__:
            continue
        if issubclass(model, Body) or name in NOT_FOR_THE_PAGE:
            continue
        (base,) = model.__bases__
        inherited = base.model_fields if issubclass(base, BaseModel) else {}
        fields = model.model_json_schema(mode="serialization")["properties"]
        own = "".join(
            f"    {field}: {typescript(schema)};\n"
            for field, schema in fields.items()
            if field not in inherited
        )
        head = name if base is BaseModel else f"{name} extends {base.__name__}"
        found[name] = f"  interface {head} {{\n{own}  }}\n"
    return found


def test_the_types_of_the_page_are_what_the_server_sends() -> None:
    written = re.findall(r"^  interface (?:.|\n)*?\n  }\n", TYPES, re.M)
    sent = responses(models) | responses(event_models) | responses(mine)
    for name, interface in sent.items():
        assert interface in written, f"types.d.ts should say of {name}:\n{interface}"
    assert len(written) == len(sent), "types.d.ts has something that is never sent"


def test_an_answer_that_is_computed_reaches_the_page_whole() -> None:
    record = "Game: sequence-duel\n\n5 1 4 3 6\n"
    assert set(tasks.report(record, 2)) == set(models.Report.model_fields)


def elements() -> dict[str, set[str]]:
    """The tags that have each id, in all templates."""
    found = defaultdict(set)
    for template in (WEB / "pages" / "templates").glob("*.html"):
        for tag, attributes in re.findall(r"<([a-z0-9]+)(\s[^<>]*)>", template.read_text()):
            for name in re.findall(r'\bid="([^"{]+)"', attributes):
                found[name].add(tag)
    return found


def test_the_types_of_the_page_know_the_elements_of_the_templates() -> None:
    controls = TYPES[TYPES.index("interface Controls extends") :]
    written = {
        name: kind
        for names, kind in re.findall(r"Record<([^,]+),\s*(\w+)>", controls)
        for name in re.findall(r'"([^"]+)"', names)
    }
    known = {
        name: ELEMENTS[tag] for name, tags in elements().items() for tag in tags & set(ELEMENTS)
    }
    assert written == known


def test_every_element_that_a_module_looks_for_is_in_a_template_or_made() -> None:
    text = "".join(path.read_text() for path in PAGE.rglob("*.js"))
    made = set(re.findall(r'\bid: "([^"]+)"', text))
    assert set(re.findall(r'byId\("([^"]+)"\)', text)) <= made | set(elements())
