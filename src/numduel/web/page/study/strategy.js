// The strategy card of a game.

import { byId, make, set, write } from "../common/dom.js";
import { t } from "../common/language.js";
import { get } from "../common/api.js";
import { attempt } from "../common/notify.js";

const KINDS = {
  mine: t("yours"), theirs: t("theirs"), gone: t("gone"), next: t("the move to make"),
};

/** @param {Server.Tile} tile */
const tile = ({ text, kind }) =>
  make("li", { class: "wall-tile", "data-kind": kind },
    text, make("span", { class: "unseen" }, kind in KINDS ? `, ${KINDS[kind]}` : ""));

/** @param {Server.StrategyCard} card */
function show(card) {
  write(byId("subtitle"), card.subtitle);
  byId("rows").replaceChildren(...card.rows.map((row) =>
    make("ul", { class: "plain row wall-row" }, ...row.map(tile))));
  write(byId("caption"), card.caption);
  byId("sentences").replaceChildren(...card.steps.map((step) => make("li", {}, step)));
  write(byId("footnote"), card.footnote);
}

const { game } = byId("strategy").dataset;
byId("print").addEventListener("click", () => print());
set(byId("strategy"), "aria-busy", "true");
const card = await attempt(() => get(`/api/v1/strategy/${game}`));
set(byId("strategy"), "aria-busy", null);
if (card) show(card);
else write(byId("subtitle"), "");
