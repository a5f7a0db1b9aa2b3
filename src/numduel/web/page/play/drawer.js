// The rules in a drawer beside the board: a few sentences, a picture, and a link to all of them.

import { byId, make, write } from "../common/dom.js";

/** @type {Server.Game | undefined} */
let game;

byId("drawer").addEventListener("beforetoggle", ({ newState }) => {
  if (newState !== "open" || !game) return;
  const { name, brief, changes } = game;
  const picture = { src: `/picture/${name}.svg`, alt: "", width: 160, height: 160 };
  const unusual = changes.length ? `In this game: ${changes.join(", ")}.` : null;
  byId("brief").replaceChildren(
    make("img", { class: "picture", ...picture }),
    ...brief.map((sentence) => make("p", {}, sentence)),
    make("p", { class: "soft" }, unusual),
  );
});

/** @param {Server.Game} shown */
export function drawer(shown) {
  game = shown;
  byId("whole-rules").href = `/rules/${game.name}`;
  write(byId("drawer-title"), game.called);
}
