// The report of a game: its chart, its sentences and its mistakes.

import { button, make } from "../common/dom.js";
import { chart } from "./chart.js";

// pick(ply) shows the position after a move; retry(ply) plays on from before it.
/** @param {Server.Report} data */
export function report(data, pick, retry) {
  // Slips, the reader's own first, have lists of their own.
  const slips = data.slips.map((number) => data.plies[number - 1]);
  const lines = data.lines.filter((line) => !slips.some(({ told: text }) => text === line));
  const told = (ply) => {
    const { number } = ply;
    return make("li", { "data-ply": number },
      make("p", {}, ply.told),
      make("div", { class: "row" },
        button(`Show move ${number}`, () => pick(number), { class: "button small" }),
        button(`Try again from move ${number}`, () => retry(ply), { class: "button small retry" })));
  };
  const list = (id, plies) =>
    plies.length
      ? make("ol", { class: "plain mistakes", id }, ...plies.map(told))
      : make("p", { id }, "None.");
  return [
    make("h3", {}, data.title),
    data.spotless && make("p", { id: "spotless" }, data.spotless),
    make("div", { id: "chart" }, chart(data, pick)),
    make("ul", { class: "plain report-lines" }, ...lines.map((line) => make("li", {}, line))),
    make("h3", {}, "Mistakes"),
    list("mistakes", slips.filter(({ mistake }) => mistake)),
    make("h3", {}, "Inaccuracies"),
    list("inaccuracies", slips.filter(({ mistake }) => !mistake)),
  ].filter(Boolean);
}
