// Making an event: one press if nothing needs changing. The last choices are remembered.

import { byId, make, show, write } from "../common/dom.js";
import { plural, t } from "../common/language.js";
import { get, post, rules } from "../common/api.js";
import { eventPath, gamesText } from "./event.js";
import { recheck, valid } from "../common/fields.js";
import { host, hosted, hostPath, over, unhost } from "./hosted.js";
import { keep, recall } from "../common/storage.js";
import { Options } from "../common/options.js";
import { nonce } from "../common/start.js";
import { attempt, onSubmit, once } from "../common/notify.js";

// The plan of a lesson names what to choose: #game=duel&n=12&minutes=9. It counts as chosen last.
function prepare() {
  const { game, minutes, forgiving, rulebook, ...variant } =
    Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if (!game) return;
  const known = recall("arena", {});
  keep("arena", { ...known, games: [game], format: "arena", minutes, forgiving: forgiving === "true" });
  keep(`arena.${game}`, { variant, rulebook: rulebook === "true" });
}

prepare();
const NUMBERS = ["minutes", "rounds"];
const WORDS = ["format", "level", "clock"];
const form = byId("event");
const field = (id) => /** @type {HTMLInputElement} */ (byId(id));
const boxes = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("[name=game]")]);
const choice = (root) => ({ root, options: new Options(root, "arena") });
const choices = new Map([...form.querySelectorAll("fieldset[data-game]")]
  .map((root) => [root.dataset.game ?? "", choice(root)]));

const optionsOf = (name) => /** @type {Options} */ (choices.get(name)?.options);

// -- choices ---------------------------------------------------------------------------------

const games = () => boxes.filter(({ checked }) => checked).map(({ value }) => value);

function reflect() {
  const format = byId("format");
  for (const part of form.querySelectorAll("[data-format]")) {
    show(part, part.dataset.format === format.value);
  }
  write(byId("format-text"), (format.selectedOptions[0].dataset.text ?? "").replace(/\s+/g, " "));
  for (const [name, { root }] of choices) show(root, games().includes(name));
  for (const part of form.querySelectorAll("[data-needs]")) {
    show(part, games().includes(part.dataset.needs ?? ""));
  }
  const strict = boxes.some(({ checked, dataset }) => checked && dataset.strict !== undefined);
  show(byId("forgiving-row"), strict);
  if (games().length) write(byId("no-game"), "");
}

function chosen() {
  const numbers = NUMBERS.map((id) => [id, Number(field(id).value)]);
  const words = WORDS.map((id) => [id, field(id).value]);
  const switches = {
    forgiving: byId("forgiving").checked,
    own_names: byId("own-names").checked,
    teams: byId("teams").checked,
  };
  return { ...Object.fromEntries([...numbers, ...words]), ...switches };
}

// The choice "move 30" or "game 5" as the server's settings.
function clockOf(choice) {
  const [kind, number] = choice.split(" ");
  if (kind === "none") return {};
  return { [kind === "move" ? "move_seconds" : "game_minutes"]: Number(number) };
}

// A remembered choice that no longer exists or makes no sense is ignored.
function restore() {
  const kept = Object(recall("arena", {}));
  for (const id of [...NUMBERS, ...WORDS]) {
    const before = field(id).value;
    field(id).value = kept[id] ?? before;
    if (!field(id).validity.valid || !field(id).value) field(id).value = before;
  }
  byId("forgiving").checked = kept.forgiving === true;
  byId("own-names").checked = kept.own_names === true;
  byId("teams").checked = kept.teams === true;
  const known = boxes.filter(({ value }) => kept.games?.includes?.(value));
  if (known.length) boxes.forEach((box) => (box.checked = known.includes(box)));
}

// -- making an event -------------------------------------------------------------------------

// Whether all visible fields are valid; otherwise focuses the first that is not.
async function sound() {
  if (!games().length) {
    write(byId("no-game"), t("Choose at least one game."));
    boxes[0].focus();
    return false;
  }
  const length = form.querySelector("[data-format]:not([hidden])");
  if (length && !valid(length)) return false;
  for (const name of games()) {
    const options = optionsOf(name);
    if (await options.valid()) continue;
    byId("more").open = true;
    await options.valid(); // now it can be focused
    return false;
  }
  return true;
}

async function create() {
  if (!(await catalogue)) throw new Error(t("The games could not be loaded. Please reload the page."));
  if (!(await sound())) return;
  const wish = chosen();
  keep("arena", { ...wish, games: games() });
  const wanted = games().map((game) => ({ game, ...optionsOf(game).wish() }));
  // A hidden length does not matter, and may be nonsense.
  for (const { hidden, dataset } of form.querySelectorAll("[data-format]")) {
    if (hidden) delete wish[{ arena: "minutes", swiss: "rounds" }[dataset.format]];
  }
  const { clock, ...rest } = wish;
  const whole = { ...rest, ...clockOf(clock), games: wanted };
  const { event, host: secret } = await post("/api/v1/events", { ...whole, key: nonce(whole) });
  keep("wish", null);
  host(event, secret);
  location.assign(hostPath(event.code, secret));
}

form.addEventListener("input", reflect);
for (const part of form.querySelectorAll("[data-format]")) {
  part.addEventListener("input", ({ target }) => recheck(part, target));
}
onSubmit("event", () => once(byId("open"), create));

// -- events made earlier ---------------------------------------------------------------------

// An event that still goes on, or null.
async function found({ code, secret }) {
  try {
    const { event } = await get(eventPath(code));
    if (event.phase !== "ended") return { secret, ...event };
    over(code);
    return null;
  } catch (error) {
    if (error.status === 404) unhost(code);
    return null;
  }
}

async function earlier() {
  const events = (await Promise.all(hosted().map(found))).filter((one) => one !== null);
  byId("hosted-list").replaceChildren(...events.map((event) => {
    const { code, secret, players } = event;
    const text = `${gamesText(event)}, ${plural("{n} player", "{n} players", players.length)}`;
    return make("li", {},
      make("a", { href: hostPath(code, secret) }, make("strong", {}, code), ` ${text}`));
  }));
  show(byId("hosted"), events.length > 0);
}

earlier();
restore();
reflect();
const catalogue = attempt(async () => {
  const found = await rules();
  for (const [name, { options }] of choices) options.fill(found.find((game) => game.name === name));
  return found;
});
