// The list of lessons, with the progress in each.

import { arrive, byId, make, write } from "../common/dom.js";
import { COLON, t } from "../common/language.js";
import { get } from "../common/api.js";
import { overall, progress } from "./progress.js";
import { attempt } from "../common/notify.js";

function card(lesson) {
  const { name, called } = lesson;
  const { count, steps, label, words } = progress(lesson);
  const about = () => make("span", { class: "unseen" }, `${COLON}${called}`);
  return make(
    "li",
    { class: "sheet game", "data-game": name },
    make("img", {
      class: "picture", src: `/picture/${name}.svg`, alt: "", width: 160, height: 160,
    }),
    make(
      "div",
      { class: "game-text" },
      make("h2", {}, called),
      make("progress", { max: steps, value: count, "aria-label": t("Progress in {game}", { game: called }) }),
      make("p", {}, words),
      make("div", { class: "row" },
        make("a", { class: "button strong", href: `/learn/${name}` }, label, about()),
        make("a", { class: "button", href: `/strategy/${name}` }, t("How to win"), about())),
    ),
  );
}

const lessons = await attempt(() => get("/api/v1/lessons"));
if (lessons) {
  arrive();
  write(byId("overall"), overall(lessons).words);
  byId("lessons").replaceChildren(...lessons.map(card));
}
