// Visitors without an invitation can ask for the free seat, or only watch. The player who waits
// sees who asks, and decides.

import { button, byId, make, show, write } from "../common/dom.js";
import { around, both, t } from "../common/language.js";
import { post } from "../common/api.js";
import { keep, recall, remember } from "../common/storage.js";
import { sit } from "../common/key.js";
import { announce, attempt, onSubmit } from "../common/notify.js";
import { rows } from "../common/rows.js";

// answered(data) takes the server's answer; again() connects again, as the seat may be ours now.
// Returns a function that shows a game.
export function seatRequests(id, answered, again) {
  const path = `/api/v1/games/${id}/requests`;
  const only = new URLSearchParams(location.search).has("watch"); // a link to watch, not to play
  const invited = location.hash.length > 1;
  let request = recall(`request.${id}`, null); // the number of the reader's request
  let visits = false; // the reader came without an invitation
  let looked = false; // we have looked whether the taken seat is ours
  /** @type {number[]} */
  let listed = []; // the numbers of those who ask
  byId("asking-name").value = recall("name", "");
  onSubmit("asking-form", ask);

  async function ask() {
    const name = byId("asking-name").value.trim();
    keep("name", name);
    const answer = await sit(path, { name, cookie: true });
    request = answer.request;
    keep(`request.${id}`, request);
    remember(id);
    answered(answer);
  }

  /** @param {Shown} shown @param {string} host */
  function seen({ you, game }, host) {
    const free = game.seats.includes(false);
    if (you) return t("{name} said yes: you are playing.", { name: host });
    if (free && !game.outcome && !only) {
      return t("{name}’s game of {game}, waiting for a second player.",
        { name: host, game: game.called });
    }
    if (free || !invited) return t("You are only watching this game.");
    return t("This invitation has been used. {names} are playing; you are only watching.",
      { names: both(game.names) });
  }

  /** @param {Server.Game} game @param {string} host */
  function told({ seats, requests }, host) {
    const taken = !seats.includes(false);
    if (request === null) return "";
    // The next connection shows who has taken it.
    if (taken && !looked) return byId("asking-text").textContent;
    if (taken) return t("Someone else has the seat now. You can watch.");
    const waits = requests.some(({ number }) => number === request);
    return waits ? t("You have asked {name} to play. Wait here for the answer.", { name: host })
      : t("{name} would rather not play now. You can watch.", { name: host });
  }

  /** @param {Server.Asking} request */
  function row({ number, name }) {
    const decide = async (say) => {
      answered(await post(`${path}/${number}`, { say }));
      byId("status").focus(); // the buttons are gone
    };
    const answer = (say, label, look) =>
      button(label, () => attempt(() => decide(say)), { class: look, "data-say": say });
    return make("li", { class: "asker", "data-request": number },
      make("span", {}, ...around(t("{name} asks to play."), { name: make("strong", {}, name) })),
      make("span", { class: "row" },
        answer("accept", t("Play with {name}", { name }), "button small strong"),
        answer("refuse", t("Decline"), "button small")));
  }

  // With a `secret`, an invitation, there is no need to ask.
  return (/** @type {Shown & { secret: string }} */ { you, game, secret }) => {
    const taken = !game.seats.includes(false);
    const open = !taken && !game.outcome;
    const host = game.names[you ? 2 - you : game.seats.indexOf(true)];
    const looks = !you && !(open && secret);
    visits ||= looks && !invited;
    // For visitors this line stays and never gets lower, so that nothing below it moves.
    const line = byId("watching");
    show(line, looks || visits);
    line.style.minHeight = `${line.getBoundingClientRect().height}px`;
    write(line, seen({ you, game }, host));
    if (request !== null && (you || game.outcome)) {
      keep(`request.${id}`, null);
      request = null;
    }
    const free = looks && open && !only && request === null;
    const asking = you ? game.requests : [];
    show(byId("asking-form"), free);
    write(byId("asking-text"), told(game, host));
    const fresh = asking.filter(({ number }) => !listed.includes(number));
    listed = asking.map(({ number }) => number);
    for (const { name } of fresh) announce(t("{name} asks to play.", { name }));
    rows(byId("asking-list"), asking, { key: ({ number }) => number, make: row });
    show(byId("asking"), free || request !== null || asking.length > 0);
    if (!taken || request === null || looked) return;
    looked = true;
    again();
  };
}
