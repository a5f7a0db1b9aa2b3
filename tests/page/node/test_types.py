"""What the page's modules are checked against is what the server sends and the templates have."""

import re
from collections import defaultdict
from pathlib import Path
from typing import Any

from tools.server_types import interface, types

import numduel.web

WEB = Path(numduel.web.__file__).parent
PAGE = WEB / "page"
TYPES = (PAGE / "types.d.ts").read_text()
ELEMENTS = {
    "a": "HTMLAnchorElement",
    "details": "HTMLDetailsElement",
    "input": "HTMLInputElement",
    "select": "HTMLSelectElement",
}


def test_the_types_of_the_page_are_those_of_the_description() -> None:
    some: dict[str, Any] = {
        "owner": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "kind": {"enum": ["grid", "rows"], "type": "string"},
        "ends": {"prefixItems": [{"type": "string"}, {"type": "number"}], "type": "array"},
        "legal": {"items": {"$ref": "#/components/schemas/Legal"}, "type": "array"},
        "odds": {"additionalProperties": {"type": "number"}, "type": "object"},
        "rest": {"additionalProperties": True, "type": "object"},
    }
    assert interface("Some", {"properties": some, "required": [*some][1:]}) == (
        "  interface Some {\n"
        "    owner?: number | null;\n"
        '    kind: "grid" | "rows";\n'
        "    ends: [string, number];\n"
        "    legal: Array<Server.Legal>;\n"
        "    odds: Record<string, number>;\n"
        "    rest: Record<string, any>;\n"
        "  }\n"
    )


def test_of_two_paths_that_fit_the_longer_says_what_is_answered() -> None:
    def answered(name: str) -> dict[str, Any]:
        content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}
        return {"get": {"responses": {"200": {"content": content}, "404": {}}}}

    paths = {
        "/api/v1/games/{id}": answered("Snapshot"),
        "/api/v1/games/{id}/hint": answered("Hint"),
    }
    lines = types({"components": {"schemas": {}}, "paths": paths}).splitlines()[3:]
    assert lines == [
        "type Answer<P extends string> =",
        "  P extends `/api/v1/games/${string}/hint` | `/api/v1/games/${string}/hint?${string}`"
        " ? Server.Hint :",
        "  P extends `/api/v1/games/${string}` | `/api/v1/games/${string}?${string}`"
        " ? Server.Snapshot :",
        "  any;",
    ]


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
