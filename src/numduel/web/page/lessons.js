// The list of lessons, and how far this browser has come in each.

import { byId, make, write } from "./dom.js";
import { get } from "./api.js";
import { done } from "./keep.js";
import { attempt } from "./tell.js";

function card({ name, title, steps }) {
  const count = done(name).filter((number) => number <= steps).length;
  const label = count === 0 ? "Begin" : count < steps ? "Go on" : "Once more";
  return make(
    "li",
    { class: "game", "data-game": name },
    make("img", {
      class: "picture", src: `/picture/${name}.svg`, alt: "", width: 160, height: 160,
    }),
    make(
      "div",
      { class: "game-text" },
      make("h2", {}, title),
      make("p", {}, `${count} of ${steps} steps done`),
      make("div", { class: "row" },
        make("a", { class: "button strong", href: `/learn/${name}` }, label,
          make("span", { class: "unseen" }, `: ${title}`))),
    ),
  );
}

const lessons = await attempt(() => get("/api/lessons"));
if (lessons) byId("lessons").replaceChildren(...lessons.map(card));
else write(byId("lessons"), "");
