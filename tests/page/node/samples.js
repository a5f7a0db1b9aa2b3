// What the server sends, with what matters to a test named by the test.

/**
 * @param {Partial<Server.Position>} [more]
 * @returns {Server.Position}
 */
export const position = (more = {}) => ({
  game: "number-capture", name: "duel", title: "Number Capture", called: "Number Duel",
  variant: {}, changes: [], first: 1, strict: false, deck: false,
  layout: { kind: "grid", columns: null, places: null, ends: null },
  markers: ["P1", "P2"], names: ["Ada", "Bo"], moves: [], spoken: [], movers: [], text: "",
  to_move: 1, legal: [], draws: {}, cells: [], has_hands: false, hands: [[], []], card: null, forced: null,
  facts: [], goals: ["", "", ""], status: "Ada to move.", said: "", outcome: null,
  ...more,
});

/** @type {(move: string, label?: string, offer?: string) => Server.Legal} */
export const legal = (move, label = move, offer = label) => ({ move, label, offer });

/**
 * Numbers from 1, all free and all of them legal.
 * @param {number} count
 * @param {Partial<Server.Position>} [more]
 */
export function numbers(count, more = {}) {
  const labels = Array.from({ length: count }, (_, index) => String(index + 1));
  return position({
    cells: labels.map((label) => ({ label, owner: null, state: "free" })),
    legal: labels.map((label) => legal(label)),
    ...more,
  });
}

/**
 * @param {Partial<Server.Game>} [more]
 * @returns {Server.Game}
 */
export const game = (more = {}) => ({
  ...numbers(5), id: "g1", number: 1, event: null, players: ["human", "human"],
  seats: [true, true], present: [true, true], brief: [], two_people: true, one_screen: false,
  score: [0, 0], clock: null, estimated: false, requests: [], remarks: [null, null],
  newcomer: null, help: [], undo: null, undoable: [false, false],
  rematch: { offered: null, game: null }, ...more,
});

/**
 * @param {number} number
 * @param {Partial<Server.PlayerNow>} [more]
 * @returns {Server.PlayerNow}
 */
export const player = (number, more = {}) => ({
  number, nickname: `Player${number}`, kind: "human", team: null, away: false, place: number, wins: 0,
  games: 0, with_computer: 0, forfeits: 0, forfeited: 0, kept: 0, choices: 0, moves: 0, accuracy: null,
  seconds_per_move: null, pairing: null, game: null, seat: null, opponent: null, reason: null,
  idle_since: null, forfeits_at: null, nudged: null, ...more,
});

/**
 * @param {Partial<Server.Event>} [more]
 * @returns {Server.Event}
 */
export const event = (more = {}) => ({
  code: "K7M4QX", number: 1, created: 0, phase: "running", locked: false, message: "",
  message_at: 0, shown: null, move_seconds: 0, game_minutes: 0, waits_for: null,
  approval: false, own_names: true, waiting: [], door: 1,
  format: "arena", minutes: 20, rounds: 5, level: "medium", forgiving: false,
  games: [{ text: "duel", game: "number-capture", name: "duel", called: "Number Duel", variant: {},
    changes: [], brief: [] }],
  room: 200, clock: { ends: null, remaining: null }, round: 0, players: [], pairings: [],
  top_only: false, table: (more.players ?? []).map(({ number }) => number), podium: [], teams: [],
  ...more,
});

/**
 * @param {string} move
 * @param {Partial<Server.Option>} [more]
 * @returns {Server.Option}
 */
export const option = (move, more = {}) => ({
  move, label: move, worth: "wins in 3", short: "win 3", win_probability: 1, plies: 3, margin: null,
  best: false, loss: 0, exact: true, ...more,
});

/**
 * @param {Partial<Server.Puzzle>} [more]
 * @returns {Server.Puzzle}
 */
export const puzzle = (more = {}) => ({
  title: "Puzzle", task: "Win.", label: "numduel", link: "seed=1", grade: 2, grades: 5, date: null,
  today: false, moves: 1, state: numbers(5), ...more,
});

/**
 * @param {Partial<Server.Scene>} [more]
 * @returns {Server.Scene}
 */
export const scene = (more = {}) => ({
  title: "Puzzle 1: Number Duel", grade: "grade 2 of 5", goal: "Win.", state: numbers(5), moves: true,
  said: [], notes: ["Try 1", "Puzzles solved: 0"], line: [], link: "seed=1",
  choices: ["hint", "show"].map((action) => ({ action, label: action, key: "", told: "" })),
  text: [], advised: [], steps: [], tree: [], lines: "", values: null, tables: [], leads: null,
  then: "", pause: 0,
  clock: null, next_day: "", ...more,
});
