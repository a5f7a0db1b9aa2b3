// The lobby: every game of the catalogue, one press away from being played.

import { byId, capital, make, show, write } from "./dom.js";
import { get, rules, variantText } from "./api.js";
import { choose, field } from "./fields.js";
import { forget, keep, recall, recent } from "./keep.js";
import { Options } from "./options.js";
import { start } from "./start.js";
import { attempt } from "./tell.js";

const WHO = [["you", "You"], ["them", "The other player"], ["random", "Chance decides"]];
const FIRST = { you: 1, them: 2, random: "random" }; // the creator sits in seat 1

// -- choices for all games -------------------------------------------------------------------

function common(games) {
  const levels = Object.keys(games[0].levels).map((level) => [level, capital(level)]);
  const name = make("input", {
    id: "name", type: "text", maxlength: 40, autocomplete: "nickname", placeholder: "Player 1",
    value: recall("name", ""),
  });
  byId("common").append(
    field("Your name", name),
    field("Computer’s strength", choose(levels, recall("level", "medium"), { id: "level" })),
    field("Who starts", choose(WHO, recall("who", "you"), { id: "who" })),
  );
  for (const key of ["name", "level", "who"]) {
    byId(key).addEventListener("change", ({ currentTarget }) => keep(key, currentTarget.value));
  }
}

// -- one game --------------------------------------------------------------------------------

function card(game) {
  const options = new Options(game);
  const trouble = make("p", { class: "alert", role: "alert" });
  const button = (label, opponent, look) =>
    make(
      "button",
      {
        type: "button",
        class: look,
        "data-play": opponent,
        "aria-label": `${label}: ${game.title}, ${game.name}`,
        onclick: ({ currentTarget }) => begin(currentTarget, opponent),
      },
      label,
    );
  const begin = async (pressed, opponent) => {
    pressed.setAttribute("aria-busy", "true");
    write(trouble, "");
    if (await options.valid()) {
      const level = opponent === "friend" ? "friend" : byId("level").value;
      const first = FIRST[byId("who").value];
      keep("name", byId("name").value);
      const wish = { ...options.wish(), game: game.name, opponent: level, seat: 1, first };
      await start(wish).catch((error) => write(trouble, error.message));
    }
    pressed.removeAttribute("aria-busy");
  };
  const computer = button("Play the computer", "computer", "button");
  const tell = () => { computer.title = game.levels[byId("level").value]; };
  byId("level").addEventListener("change", tell);
  tell();
  return make(
    "li",
    { class: "game", "data-game": game.name },
    picture(`/picture/${game.name}.svg`),
    make(
      "div",
      { class: "game-text" },
      make("h3", {}, game.title, " ", make("span", { class: "game-name" }, game.name)),
      make("p", {}, game.summary),
      options.changed,
      trouble,
      make("div", { class: "row" },
        button("Play a friend", "friend", "button strong"),
        computer,
      ),
      make("div", { class: "row links" },
        make("a", { href: `/rules/${game.name}` }, "Rules",
          make("span", { class: "unseen" }, ` of ${game.name}`)),
        make("a", { href: `/learn/${game.name}` }, "Learn",
          make("span", { class: "unseen" }, ` ${game.name}`)),
        make("a", { href: `/analyse?game=${game.name}` }, "Analyse",
          make("span", { class: "unseen" }, ` ${game.name}`)),
        options.root,
      ),
    ),
  );
}

const picture = (src) => make("img", { class: "picture", src, alt: "", width: 160, height: 160 });

// The last place in the list is for those who come to learn.
const learn = () =>
  make(
    "li",
    { class: "game" },
    picture(new URL("./picture-learn.svg", import.meta.url)),
    make(
      "div",
      { class: "game-text" },
      make("h3", {}, "Learn"),
      make("p", {}, "Lessons, step by step. A new puzzle every day. Or try out every move."),
      make("div", { class: "row" },
        make("a", { class: "button strong", href: "/learn" }, "Lessons"),
        make("a", { class: "button", href: "/puzzles" }, "Today’s puzzle"),
        make("a", { class: "button", href: "/analyse" }, "Analysis board")),
    ),
  );

// -- games that were left --------------------------------------------------------------------

async function unfinished() {
  const found = await Promise.all(recent().map((id) => get(`/api/games/${id}`).catch((error) => {
    if (error.status === 404) forget(id);
    return null;
  })));
  const open = found.filter((answer) => answer && !answer.game.outcome && answer.you);
  byId("recent-list").replaceChildren(...open.map(({ you, game }) => {
    const against = game.names[2 - you];
    const text = `${game.title} (${variantText(game.variant)}) with ${against}`;
    const turn = game.to_move === you ? "Your turn." : game.status;
    return make("li", { class: "left-game", "data-id": game.id },
      make("span", {}, make("strong", {}, text), ` ${turn}`),
      make("a", { class: "button small", href: `/play/${game.id}` }, "Go on",
        make("span", { class: "unseen" }, ` with ${text}`)));
  }));
  show(byId("recent"), open.length > 0);
}

const games = await attempt(rules);
if (games) {
  common(games);
  byId("games").replaceChildren(...games.map(card), learn());
  await unfinished();
} else {
  write(byId("games"), "");
}
