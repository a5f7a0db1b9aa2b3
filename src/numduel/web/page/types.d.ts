// What the page's modules are checked against. The browser never asks for this file.

// What the server sends, as the models of web/games, web/events and web/people say it.
declare namespace Server {
  interface QrCode {
    size: number;
    path: string;
  }

  interface Legal {
    move: string;
    label: string;
  }

  interface Cell {
    label: string;
    owner: number | null;
    state: "free" | "blocked" | "taken" | "last" | "winning";
  }

  interface Fact {
    label: string;
    value: string | string[];
    seat: number | null;
  }

  interface Outcome {
    winner: number;
    reason: string;
  }

  interface Layout {
    kind: "grid" | "path" | "spokes" | "rows";
    columns: number | null;
    places: number | null;
    ends: [string, string] | null;
  }

  interface Variant {
    changes: string[];
    refusal: string | null;
  }

  interface Why {
    why: string | null;
  }

  interface Position {
    game: string;
    name: string;
    title: string;
    called: string;
    variant: Record<string, number | string>;
    changes: string[];
    layout: Layout;
    first: number;
    pie: boolean;
    strict: boolean;
    deck: boolean;
    markers: string[];
    names: string[];
    moves: string[];
    spoken: string[];
    movers: number[];
    text: string;
    to_move: number | null;
    legal: Legal[];
    draws: Record<string, number>;
    cells: Cell[];
    has_hands: boolean;
    hands: number[][];
    card: number | null;
    facts: Fact[];
    goals: string[];
    status: string;
    said: string;
    outcome: Outcome | null;
  }

  interface Again {
    offered: number | null;
    game: string | null;
  }

  interface Said {
    what: string;
    at: number;
  }

  interface Asking {
    number: number;
    name: string;
  }

  interface Game extends Position {
    id: string;
    number: number;
    event: string | null;
    players: string[];
    seats: boolean[];
    present: boolean[];
    brief: string[];
    two_people: boolean;
    one_screen: boolean;
    score: number[];
    estimated: boolean;
    requests: Asking[];
    remarks: (Said | null)[];
    newcomer: number | null;
    undo: number | null;
    undoable: boolean[];
    rematch: Again;
  }

  interface Snapshot {
    you: number | null;
    game: Game;
  }

  interface Seated extends Snapshot {
    id: string;
    seat: number;
    token: string | null;
    invite: string | null;
  }

  interface Invited extends Snapshot {
    invite: string;
  }

  interface GameSummary {
    id: string;
    called: string;
    names: string[];
    you: number;
    one_screen: boolean;
    players: string[];
    moves: number;
    seats: boolean[];
    to_move: number | null;
    status: string;
    winner: number | null;
    at: number;
  }

  interface MyGames {
    games: GameSummary[];
    total: number;
    next: number | null;
  }

  interface LinkSecret {
    secret: string;
    seconds: number;
  }

  interface TakenOver {
    keys: number;
  }

  interface Requested extends Snapshot {
    request: number;
    token: string | null;
  }

  interface Parameter {
    name: string;
    meaning: string;
    low: number;
    high: number;
    words: string[];
    value: number | string;
  }

  interface Rules {
    id: string;
    name: string;
    title: string;
    summary: string;
    called: string;
    brief: string[];
    variant: Record<string, number | string>;
    strict: boolean;
    deck: boolean;
    markers: string[];
    parameters: Parameter[];
    levels: Record<string, string>;
  }

  interface Option {
    move: string;
    label: string;
    worth: string;
    short: string;
    win_probability: number;
    plies: number | null;
    margin: number | null;
    best: boolean;
    loss: number;
    exact: boolean;
  }

  interface Evaluation {
    chances: number[];
    words: string[];
    exact: boolean;
  }

  interface Values {
    options: Option[];
    legend: string;
    evaluation: Evaluation | null;
  }

  interface LessonHint {
    lines: string[];
    moves: string[];
  }

  interface Hint {
    nudge: string;
    lines: string[];
    move: string | null;
  }

  interface Report {
    title: string;
    lines: string[];
    spotless: string;
    labels: string[];
    levels: number[];
    names: string[];
    exact: boolean;
    slips: number[];
    turning: number | null;
    accuracy: (number | null)[];
    plies: Record<string, any>[];
  }

  interface Puzzle {
    title: string;
    task: string;
    label: string;
    link: string;
    grade: number;
    grades: number;
    date: string | null;
    today: boolean;
    state: Position;
  }

  interface Theme {
    name: string;
    instruction: string;
    grades: number[];
  }

  interface PuzzleKinds {
    grades: number[];
    themes: Theme[];
  }

  interface Sentence {
    kind: "right" | "wrong" | "answer" | "why" | "hint" | "note" | "move" | "share" | "error";
    text: string;
  }

  interface Choice {
    action: string;
    label: string;
    key: string;
    told: string;
  }

  interface Mark {
    title: string;
    done: boolean;
    current: boolean;
  }

  interface Scene {
    title: string;
    grade: string;
    goal: string;
    state: Position | null;
    moves: boolean;
    said: Sentence[];
    notes: string[];
    choices: Choice[];
    line: Position[];
    link: string;
    text: (string | string[])[];
    advised: string[];
    steps: Mark[];
  }

  interface Performed {
    state: Record<string, any>;
    scene: Scene;
  }

  interface Solution {
    move: string;
    theme: string | null;
    words: string[];
    line: Position[];
  }

  interface Answer {
    right: boolean;
    why: string;
    nudges: string[];
    solution: Solution | null;
  }

  interface LessonSummary {
    name: string;
    title: string;
    called: string;
    steps: number;
  }

  interface LessonStep {
    title: string;
    text: (string | string[])[];
    task: string;
    seat: number;
    game: boolean;
    state: Position;
  }

  interface Lesson {
    name: string;
    title: string;
    text: (string | string[])[];
    steps: LessonStep[];
  }

  interface Try {
    right: boolean;
    said: string;
    state: Position;
  }

  interface Tile {
    text: string;
    kind: "free" | "mine" | "theirs" | "gone" | "next";
  }

  interface StrategyCard {
    title: string;
    subtitle: string;
    rows: Tile[][];
    caption: string;
    steps: string[];
    footnote: string;
  }

  interface EventGame {
    text: string;
    game: string;
    name: string;
    called: string;
    variant: Record<string, number | string>;
    changes: string[];
  }

  interface Clock {
    ends: number | null;
    remaining: number | null;
  }

  interface Standing {
    number: number;
    nickname: string;
    kind: string;
    away: boolean;
    place: number;
    wins: number;
    games: number;
    with_computer: number;
    forfeits: number;
    kept: number;
    decisions: number;
    accuracy: number | null;
    seconds_per_move: number | null;
  }

  interface PlayerNow extends Standing {
    pairing: number | null;
    game: string | null;
    seat: number | null;
    opponent: number | null;
    reason: string | null;
  }

  interface Leg {
    id: string;
    seats: number[];
    end: "played" | "forfeit" | "cancelled" | null;
    winner: number | null;
  }

  interface Pairing {
    number: number;
    round: number;
    game: string;
    players: number[];
    legs: Leg[];
  }

  interface Event {
    code: string;
    number: number;
    created: number;
    phase: "open" | "running" | "paused" | "ended";
    locked: boolean;
    message: string;
    format: "arena" | "swiss" | "round-robin";
    minutes: number;
    rounds: number;
    legs: number;
    level: string;
    forgiving: boolean;
    games: EventGame[];
    room: number;
    clock: Clock;
    round: number;
    players: PlayerNow[];
    pairings: Pairing[];
    podium: number[];
  }

  interface EventSnapshot {
    you: number | null;
    now: number;
    event: Event;
  }

  interface CreatedEvent extends EventSnapshot {
    code: string;
    host: string;
  }

  interface Joined extends EventSnapshot {
    player: number;
    nickname: string;
    token: string | null;
    code: string | null;
  }

  interface NewCode extends EventSnapshot {
    code: string;
  }

  interface OwnGame {
    id: string;
    pairing: number;
    round: number;
    game: string;
    called: string;
    seat: number;
    opponent: string;
    computer: boolean;
    end: string | null;
    won: boolean | null;
    judged: boolean;
  }

  interface OwnSlip {
    id: string;
    called: string;
    opponent: string;
    ply: number;
    kind: "broken" | "mistake" | "inaccuracy";
    idea: string;
    instruction: string;
  }

  interface Missed {
    game: string;
    idea: string;
    instruction: string;
    times: number;
    players: number;
    lesson: string;
    name: string;
    step: number | null;
  }

  interface OwnPage {
    player: number;
    nickname: string;
    phase: string;
    standing: Standing;
    reason: string | null;
    games: OwnGame[];
    slips: OwnSlip[];
    missed: Missed[];
  }

  interface ClassPlayer extends Standing {
    missed: Missed | null;
  }

  interface ClassPage {
    phase: string;
    players: ClassPlayer[];
    missed: Missed[];
  }
}

// What the API answers at a path; more of the path first.
type Answer<P extends string> =
  P extends `/api/games/${string}/report` | `/api/report?${string}` ? Server.Report :
  P extends `/api/games/${string}/values` | `/api/values?${string}` ? Server.Values :
  P extends `/api/games/${string}/hint` ? Server.Hint :
  P extends `/api/games/${string}/offer` ? Server.Invited :
  P extends `/api/games/${string}/join` ? Server.Seated :
  P extends `/api/games/${string}/requests` ? Server.Requested :
  P extends `/api/games/${string}` ? Server.Snapshot :
  P extends `/api/games?${string}` ? Server.MyGames :
  P extends "/api/games" ? Server.MyGames & Server.Seated :
  P extends `/api/position?${string}` ? Server.Position :
  P extends `/api/variant?${string}` ? Server.Variant :
  P extends `/api/why?${string}` ? Server.Why :
  P extends "/api/rules" ? Server.Rules[] :
  P extends "/api/link" ? Server.LinkSecret :
  P extends "/api/qr" ? Server.QrCode :
  P extends `/api/puzzle/answer?${string}` ? Server.Answer :
  P extends `/api/puzzle/kinds?${string}` ? Server.PuzzleKinds :
  P extends `/api/puzzle${string}` ? Server.Puzzle :
  P extends `/api/activities/${string}` ? Server.Performed :
  P extends "/api/lessons" ? Server.LessonSummary[] :
  P extends `/api/lessons/${string}/answer?${string}` ? Server.Try :
  P extends `/api/lessons/${string}/hint?${string}` ? Server.LessonHint :
  P extends `/api/lessons/${string}` ? Server.Lesson :
  P extends `/api/strategy/${string}` ? Server.StrategyCard :
  P extends "/api/events" ? Server.CreatedEvent :
  P extends `/api/events/${string}/me` ? Server.OwnPage :
  P extends `/api/events/${string}/class` ? Server.ClassPage :
  P extends `/api/events/${string}/join` | `/api/events/${string}/return` ? Server.Joined :
  P extends `/api/events/${string}/host/code` ? Server.NewCode :
  P extends `/api/events/${string}` ? Server.EventSnapshot :
  any;

// Where a position is: of one that is looked for, less is known.
type Place = { name: string; text?: string; first?: number | string; names?: (string | null)[] } &
  Partial<Pick<Server.Position, "variant" | "pie">>;

// A position that was tried on the analysis board.
interface Step {
  text: string;
  parent: Step | null;
  children: Step[];
  next: Step | null;
  seat?: number;
  name?: string;
}

// Where the tiles of a board lie.
interface Shape {
  columns: number;
  rows: number;
  size: number;
  places: { row: number; column: number }[];
  ring?: boolean;
  linked?: boolean;
  headed?: boolean;
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
  Record<"analyse" | "before" | "daily-link" | "event-table" | "go" | "next-game" | "onward" |
    "permalink" | "play" | "recent-link" | "record" | "rules" | "strategy" | "wall" |
    "whole-rules", HTMLAnchorElement>,
  Record<"device" | "more" | "more-recent", HTMLDetailsElement>,
  Record<"added-name" | "asking-name" | "code" | "digits" | "forgiving" | "invite-link" |
    "join-name" | "line" | "link" | "lock" | "minutes" | "name" | "name2" | "nickname" | "pie" |
    "rounds" | "values", HTMLInputElement>,
  Record<"added-level" | "first" | "format" | "game" | "legs" | "level" | "theme" |
    "wanted-grade" | "wanted-theme" | "who", HTMLSelectElement> {}

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
