// How to win a game, in a few sentences.

import { byId, make, set, write } from "../common/dom.js";
import { get } from "../common/api.js";
import { attempt } from "../common/notify.js";

const { game } = byId("strategy").dataset;
byId("print").addEventListener("click", () => print());
set(byId("strategy"), "aria-busy", "true");
const known = await attempt(() => get(`/api/v1/strategy/${game}`));
set(byId("strategy"), "aria-busy", null);
write(byId("goal"), known?.goal ?? "");
write(byId("proof"), known?.proof ?? "");
if (known) byId("sentences").replaceChildren(...known.steps.map((step) => make("li", {}, step)));
