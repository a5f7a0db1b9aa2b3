"""Who wins undirected vertex geography, on a board of any size: the Gallai–Edmonds decomposition.

In that game a token moves along edges and never returns. The player to move from a vertex wins
exactly when every maximum matching of the vertices that are left, that one included, covers it:
they follow the matching, and the opponent always leaves it. So moving to a vertex wins exactly when
some maximum matching of what is left misses it. Those vertices are the set D of the Gallai–Edmonds
decomposition: the ones that alternating paths of even length reach from an uncovered one. Edmonds'
blossom algorithm finds them.
"""

from __future__ import annotations

from collections import deque

from numduel.core.game import Game, numbers

Graph = dict[int, list[int]]


def matching(graph: Graph) -> dict[int, int]:
    """The partner of each vertex in a maximum matching; vertices that it misses do not appear."""
    mate: dict[int, int] = {}
    for vertex, neighbours in graph.items():
        if vertex not in mate:
            for other in neighbours:
                if other not in mate:
                    mate[vertex], mate[other] = other, vertex
                    break
    for vertex in graph:
        if vertex not in mate:
            _Forest(graph, mate).augment(vertex)
    return mate


def graph_of(game: Game, used: int = 0) -> Graph:
    """The numbers of a board that are not used yet, each with those next to it; none in a game
    without edges."""
    edges, v = game.rules.edges, game.variant
    if edges is None:
        return {}
    left = [number for number in range(1, game.bounds.actions + 1) if not used >> number & 1]
    return {number: list(numbers(edges(number, v) & ~used & ~(1 << number))) for number in left}


def missed(graph: Graph) -> set[int]:
    """The vertices that some maximum matching misses."""
    mate = matching(graph)
    reached: set[int] = set()
    for vertex in graph:
        if vertex not in mate:
            forest = _Forest(graph, mate)
            forest.augment(vertex)
            reached |= forest.even
    return reached


class _Forest:
    """The alternating paths from one uncovered vertex, with blossoms contracted."""

    def __init__(self, graph: Graph, mate: dict[int, int]) -> None:
        self.graph = graph
        self.mate = mate
        self.parent: dict[int, int] = {}
        self.base = {vertex: vertex for vertex in graph}
        self.even: set[int] = set()

    def augment(self, root: int) -> None:
        """Make the matching larger along a path from the root, if there is one."""
        self.even.add(root)
        waiting = deque([root])
        while waiting:
            vertex = waiting.popleft()
            for other in self.graph[vertex]:
                if self.base[vertex] == self.base[other] or self.mate.get(vertex) == other:
                    continue
                if other == root or (other in self.mate and self.mate[other] in self.parent):
                    waiting.extend(self._contract(root, vertex, other))
                elif other not in self.parent:
                    self.parent[other] = vertex
                    if other not in self.mate:
                        self._flip(other)
                        return
                    self.even.add(self.mate[other])
                    waiting.append(self.mate[other])

    def _flip(self, vertex: int) -> None:
        """Swap matched and unmatched edges on the path from a new vertex to the root."""
        while True:
            before = self.parent[vertex]
            following = self.mate.get(before)
            self.mate[vertex], self.mate[before] = before, vertex
            if following is None:
                return
            vertex = following

    def _contract(self, root: int, one: int, two: int) -> list[int]:
        """Contract a blossom (an odd cycle); returns the vertices that are even only now."""
        base = self._common(root, one, two)
        cycle: set[int] = set()
        for start, child in ((one, two), (two, one)):
            vertex = start
            while self.base[vertex] != base:
                mate = self.mate[vertex]
                cycle |= {self.base[vertex], self.base[mate]}
                self.parent[vertex] = child
                child = mate
                vertex = self.parent[mate]
        fresh = []
        for vertex in self.graph:
            if self.base[vertex] in cycle:
                self.base[vertex] = base
                if vertex not in self.even:
                    self.even.add(vertex)
                    fresh.append(vertex)
        return fresh

    def _common(self, root: int, one: int, two: int) -> int:
        """The base of the lowest common ancestor of two vertices."""
        seen = set()
        vertex = self.base[one]
        while True:
            seen.add(vertex)
            if vertex == root or vertex not in self.mate:
                break
            vertex = self.base[self.parent[self.mate[vertex]]]
        vertex = self.base[two]
        while vertex not in seen:
            vertex = self.base[self.parent[self.mate[vertex]]]
        return vertex
