// What the page's modules are checked against, beside `Server`, what the server sends, which
// tools/page-types writes. The browser never asks for this file.

// Where a position is: of one that is looked for, less is known.
type Place = { name: string; text?: string; first?: number | string; names?: (string | null)[] } &
  Partial<Pick<Server.Position, "variant">>;

// Where the tiles of a board lie.
interface Shape {
  columns: number;
  rows: number;
  size: number;
  places: { row: number; column: number }[];
  ring?: boolean;
  linked?: boolean;
  headed?: boolean;
  tailed?: boolean;
}

// How a board is shown; board.js says what each means.
interface Showing {
  open?: boolean;
  status?: string;
  you?: Seat;
  notes?: string[][];
  busy?: boolean;
  past?: boolean;
  said?: string;
  choose?: boolean;
  hidden?: boolean;
}

// What is told of moves: the value of every one, and those that were recommended.
interface Marks {
  worths: Map<string, Server.Option>;
  advised: Set<string>;
}

// The own games in an event, with whether somebody moved in each.
type OwnSeen = Server.OwnPage & { games: (Server.OwnGame & { begun: boolean })[] };

// A seat, 1 or 2; null is who only looks on.
type Seat = number | null;

// What all parts of the page of a game are shown.
type Shown = { you: Seat; game: Server.Game };

// The elements of the templates, by id, that are more than any element.
interface Controls extends
  Record<"analyse" | "another" | "before" | "daily-link" | "event-table" | "go" | "next-game" | "onward" |
    "permalink" | "play" | "recent-link" | "record" | "rules" | "strategy" | "wall" | "whole-rules", HTMLAnchorElement>,
  Record<"device" | "more" | "more-recent" | "removed-part", HTMLDetailsElement>,
  Record<"added-name" | "approval" | "asking-name" | "code" | "digits" | "discard" | "forgiving" |
    "invite-link" | "join-name" | "line" | "link" | "lock" | "minutes" | "name" | "name2" |
    "nickname" | "own-names" | "rounds" | "teams" | "top-only" |
    "values", HTMLInputElement>,
  Record<"added-level" | "clock" | "first" | "format" | "game" | "level" | "theme" |
    "wanted-grade" | "who", HTMLSelectElement> {}

// Who hears something knows upon which element it happened, and selectors find HTML only.
type Heard<K extends keyof HTMLElementEventMap, E> =
  (event: HTMLElementEventMap[K] & { currentTarget: E; target: HTMLElement }) => unknown;

interface HTMLElement {
  addEventListener<K extends keyof HTMLElementEventMap>(type: K, listener: Heard<K, HTMLElement>): void;
}

interface HTMLInputElement {
  addEventListener<K extends keyof HTMLElementEventMap>(type: K, listener: Heard<K, HTMLInputElement>): void;
}

interface HTMLSelectElement {
  addEventListener<K extends keyof HTMLElementEventMap>(type: K, listener: Heard<K, HTMLSelectElement>): void;
}

interface HTMLAnchorElement {
  addEventListener<K extends keyof HTMLElementEventMap>(type: K, listener: Heard<K, HTMLAnchorElement>): void;
}

interface HTMLDetailsElement {
  addEventListener<K extends keyof HTMLElementEventMap>(type: K, listener: Heard<K, HTMLDetailsElement>): void;
}

interface HTMLDialogElement {
  addEventListener<K extends keyof HTMLElementEventMap>(type: K, listener: Heard<K, HTMLDialogElement>): void;
}

interface Element {
  closest(selectors: string): HTMLElement | null;
}

interface ParentNode {
  querySelector(selectors: string): HTMLElement | null;
  querySelectorAll(selectors: string): NodeListOf<HTMLElement>;
}

// What the server writes before the service worker.
declare const STATIC: string;
declare const SHELL: string[];
