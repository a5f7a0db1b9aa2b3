// What can be learnt from a game: its chart, its lines in words, and its mistakes.

import { make } from "./dom.js";
import { chart } from "./chart.js";

// pick(ply) shows the position after a move; retry(ply), if given, plays on from before it.
export function report(data, pick, retry) {
  // Mistakes and inaccuracies, the reader's own first. They have a list of their own below.
  const mistakes = data.slips.map((number) => data.plies[number - 1]);
  const lines = data.lines.filter((line) => !mistakes.some(({ told: text }) => text === line));
  const button = (label, pressed, look = "button small") =>
    make("button", { type: "button", class: look, onclick: pressed }, label);
  const told = (ply) =>
    make(
      "li",
      { "data-ply": ply.number },
      make("p", {}, ply.told),
      make(
        "div",
        { class: "row" },
        button(`Show move ${ply.number}`, () => pick(ply.number)),
        retry && button(`Try again from move ${ply.number}`, () => retry(ply)),
      ),
    );
  return [
    make("h3", {}, data.title),
    make("div", { id: "chart" }, chart(data, pick)),
    make("ul", { class: "plain report-lines" }, ...lines.map((line) => make("li", {}, line))),
    make("h3", {}, "Mistakes and inaccuracies"),
    mistakes.length
      ? make("ol", { class: "plain mistakes", id: "mistakes" }, ...mistakes.map(told))
      : make("p", { id: "mistakes" }, "None."),
  ];
}
