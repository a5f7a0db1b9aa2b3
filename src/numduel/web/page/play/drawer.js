// The rules in a drawer beside the board: a few sentences, a picture, and a link to all of them.

import { become, byId, make, unusual, write } from "../common/dom.js";

/** @param {Server.Game} game */
export function drawer({ name, called, brief, changes }) {
  const picture = make("img", { // lazy comes before its address, or it would be loaded at once
    class: "picture", loading: "lazy", src: `/picture/${name}.svg`, alt: "", width: 160, height: 160,
  });
  become(byId("brief"), make("div", { id: "brief" },
    picture,
    ...brief.map((sentence) => make("p", {}, sentence)),
    make("p", { class: "soft" }, unusual(changes))));
  byId("whole-rules").href = `/rules/${name}`;
  write(byId("drawer-title"), called);
}
