// Talking to the server: JSON in, JSON out, and every failure as one sentence for the player.

export class Failure extends Error {
  constructor(sentence, status) {
    super(sentence);
    this.status = status; // 0 when the server was not reached
  }
}

async function ask(path, options) {
  let answer;
  try {
    answer = await fetch(path, { credentials: "same-origin", cache: "no-store", ...options });
  } catch {
    throw new Failure("The server cannot be reached. Nothing is lost: please try again.", 0);
  }
  const body = await answer.json().catch(() => null);
  if (!answer.ok) {
    throw new Failure(body?.error ?? `The server answered ${answer.status}.`, answer.status);
  }
  return body;
}

export const get = (path) => ask(path);

export const post = (path, body = {}) =>
  ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

// The catalogue is asked for once a page.
let catalogue;
export const rules = () => (catalogue ??= get("/api/rules"));

// {n: 21, k: 4} as the notation writes it: "n=21 k=4".
export const variantText = (variant) =>
  Object.entries(variant ?? {}).map(([name, value]) => `${name}=${value}`).join(" ");

// Where a position is, as the query of /api/position, /api/values, /api/report and /analyse.
export function query(state, moves = state.text) {
  const parts = new URLSearchParams({ game: state.name });
  const variant = variantText(state.variant);
  if (variant) parts.set("variant", variant);
  if (Number(state.first) === 2) parts.set("first", 2);
  if (state.pie) parts.set("pie", "true");
  if (moves) parts.set("moves", moves);
  (state.names ?? []).forEach((name, index) => {
    if (name && name !== `Player ${index + 1}`) parts.set(`name${index + 1}`, name);
  });
  return parts.toString();
}
