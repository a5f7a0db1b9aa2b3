// What only the host sees of the people: who waits to be let in, who was removed, and who asked the
// server for help with a game.

import { button, byId, isolated, make, show, write } from "../common/dom.js";
import { COLON, plural, t, timeText } from "../common/language.js";
import { get } from "../common/api.js";
import { confirm } from "../common/dialog.js";
import { eventPath } from "./event.js";
import { news } from "./news.js";
import { announce, attempt, once } from "../common/notify.js";
import { rows } from "../common/rows.js";

const PAUSE = 500; // milliseconds

const WHY = {
  browser: (plays) => (plays ? t("{name} plays in the same browser.", { name: isolated(plays) })
    : t("Somebody plays in the same browser.")),
  many: () => t("Very many have just come from the same network."),
  approval: () => "",
};

/** @param {Server.Waiting} one */
const question = ({ nickname, why, plays }) =>
  [t("{name} asks to join.", { name: isolated(nickname) }), WHY[why](plays)].join(" ").trim();

// "asked for help at 10:42": during the event, and in its report.
/** @param {Server.Helped | null} [helped] */
export function helpMark(helped) {
  if (!helped) return null;
  return make("span", { class: "helped" }, plural("asked for help at {time}",
    "asked for help {n} times, last at {time}", helped.times, { time: timeText(helped.last) }));
}

// act(what, body) sends a host's action; know(page) is told what only the host sees. Returns a
// function that shows an event.
/**
 * @param {string} code
 * @param {string} secret
 * @param {(what: string, body?: object) => Promise<any>} act
 * @param {(page: Server.DoorPage) => void} know
 */
export function door(code, secret, act, know) {
  /** @type {number[]} */
  let known = []; // the requests that were told
  /** @type {Server.Event} */
  let event;

  /** @param {Server.Waiting} one */
  function asker(one) {
    const { asked, nickname } = one;
    const answer = (what, label, look) =>
      button(label, () => attempt(() => act(what, { asked })), {
        class: look, "aria-label": `${label}${COLON}${nickname}`,
      });
    return make("li", { class: "asker" },
      make("span", {}, question(one)),
      make("span", { class: "row" },
        answer("admit", t("Let in"), "button small strong"),
        answer("decline", t("Refuse"), "button small")));
  }

  /** @param {Server.Removed} one */
  const gone = ({ number, nickname }) =>
    make("li", { class: "asker" },
      make("bdi", {}, nickname),
      button(t("Let back in"), () => attempt(() => act("restore", { player: number })), {
        class: "button small", "aria-label": `${t("Let back in")}${COLON}${nickname}`,
      }));

  const want = news(async () => {
    const seen = await get(`${eventPath(code)}/door`, secret);
    const { waiting, removed } = seen;
    const next = byId("people-title");
    const fresh = waiting.filter(({ asked }) => !known.includes(asked));
    known = waiting.map(({ asked }) => asked);
    if (fresh.length) announce(fresh.map(question).join(" "));
    write(byId("asking-title"),
      plural("{n} person at the door", "{n} people at the door", waiting.length));
    rows(byId("askers"), waiting, { key: ({ asked }) => asked, make: asker, next });
    show(byId("askers-all"), waiting.length > 1);
    show(byId("asking-part"), waiting.length > 0);
    write(byId("removed-title"), t("Removed: {n}", { n: removed.length }));
    rows(byId("removed"), removed, { key: ({ number }) => number, make: gone, next });
    show(byId("removed-part"), removed.length > 0);
    know(seen);
  }, PAUSE);

  async function sweep() {
    const sure = plural("{n} player is not here, and will leave the event and the table.",
      "{n} players are not here, and will leave the event and the table.", absent(event).length);
    if (await confirm(sure, t("Remove them"), t("Go back"))) await act("sweep");
  }

  const press = (id, work) =>
    byId(id).addEventListener("click", ({ currentTarget }) => once(currentTarget, work));
  press("admit-all", () => act("admit"));
  press("decline-all", () => act("decline"));
  press("sweep", sweep);

  return (/** @type {Server.Event} */ now) => {
    event = now;
    const over = event.phase === "ended";
    show(byId("sweep"), !over && absent(event).length > 0);
    // Where places are hidden, every change may be one of the table.
    want(over ? null : event.top_only ? event.number : event.door);
    if (over) show(byId("asking-part"), false);
  };
}

/** @param {Server.Event} event */
const absent = ({ players }) => players.filter(({ away, kind }) => away && kind === "human");
