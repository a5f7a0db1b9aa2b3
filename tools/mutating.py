"""Small changes to a source text, each of which should make some test fail.

Comparisons, arithmetic and logic are turned around, conditions negated, numbers increased, and
calls whose result is not used left out. Only a few characters change: line numbers stay the same.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

OPERATORS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"), ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
    ast.And: ("and", "or"), ast.Or: ("or", "and"), ast.Add: ("+", "-"), ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"), ast.FloorDiv: ("//", "*"), ast.Mod: ("%", "*"), ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"), ast.BitAnd: ("&", "|"), ast.BitOr: ("|", "&"),
}  # fmt: skip
"""Operators, and what replaces them."""

MOST = 2
"""Larger numbers are sizes, limits and colours: choices, which no test can call wrong."""


class Mutation(NamedTuple):
    """One change to one file."""

    file: str
    line: int
    before: str
    after: str
    source: str
    """The whole text of the file, changed."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.before}  ->  {self.after}"


class _Text:
    """A source text in which parts of the tree are found: `ast` counts columns in bytes."""

    def __init__(self, source: str) -> None:
        self.data = source.encode()
        self._starts = [0]
        for line in self.data.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def begin(self, node: ast.expr | ast.stmt) -> int:
        return self._starts[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._starts[node.end_lineno - 1] + node.end_col_offset

    def line(self, at: int) -> int:
        return self.data.count(b"\n", 0, at) + 1

    def changed(self, file: str, begin: int, end: int, new: str) -> Mutation:
        """The change that replaces the text between two places."""
        data = self.data[:begin] + new.encode() + self.data[end:]
        number = self.line(begin)
        old = self.data.splitlines()[number - 1].decode().strip()
        return Mutation(
            file, number, old, data.splitlines()[number - 1].decode().strip(), data.decode()
        )

    def operator(self, file: str, left: ast.expr, right: ast.expr, kind: ast.AST) -> list[Mutation]:
        """The change of the operator between two operands, if it is one that has an opposite."""
        old, new = OPERATORS.get(type(kind), ("", ""))
        if not old:
            return []
        at = self.data.index(old.encode(), self.end(left), self.begin(right))
        return [self.changed(file, at, at + len(old), new)]


def mutations(source: str, file: str) -> Iterator[Mutation]:
    """Every change to a source text where something is decided or done."""
    text, tree = _Text(source), ast.parse(source)
    for node in _logic(tree):
        match node:
            case ast.Compare(left=first):
                for left, kind, right in zip(
                    [first, *node.comparators], node.ops, node.comparators, strict=False
                ):
                    yield from text.operator(file, left, right, kind)
            case ast.BoolOp():
                yield from text.operator(file, node.values[0], node.values[1], node.op)
            case ast.BinOp():
                yield from text.operator(file, node.left, node.right, node.op)
            case ast.UnaryOp(op=ast.Not()):
                yield text.changed(file, text.begin(node), text.begin(node.operand), "")
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
                new = f"not ({text.data[text.begin(test) : text.end(test)].decode()})"
                yield text.changed(file, text.begin(test), text.end(test), new)
            case ast.Constant(value=bool(said)):
                yield text.changed(file, text.begin(node), text.end(node), str(not said))
            case ast.Constant(value=int(number)) if number <= MOST:
                yield text.changed(file, text.begin(node), text.end(node), str(number + 1))
            case ast.Expr(value=ast.Call() | ast.Await(value=ast.Call())):
                lines = "\n" * (text.line(text.end(node)) - text.line(text.begin(node)))
                yield text.changed(file, text.begin(node), text.end(node), f"pass{lines}")


def _logic(tree: ast.AST) -> Iterator[ast.AST]:
    """The parts of a tree that decide something: not types, constants and formatted texts."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for node in value if isinstance(value, list) else [value]:
            if isinstance(node, ast.JoinedStr) or _declares(node):
                continue
            if isinstance(node, ast.AST):
                yield node
                yield from _logic(node)


def _declares(node: object) -> bool:
    """Whether a statement is only for the type checker, or names a constant or a type."""
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name[:1].isupper()
    return False
