// The report of a game: its chart, its sentences and its mistakes.

import { button, make } from "../common/dom.js";
import { t } from "../common/language.js";
import { chart } from "./chart.js";

// pick(ply) shows the position after a move; retry(ply) plays on from before it. Mistakes that are
// still to be tried have an ask(ply), if they can be tried now, and everything() shows all without asking.
/**
 * @param {Server.Report} data
 * @param {{ pick: Function, retry: Function, ask?: Function, everything?: () => void }} act
 * @param {Set<number>} [hidden]
 */
export function report(data, { pick, retry, ask, everything }, hidden = new Set()) {
  // Slips, the reader's own first, have lists of their own.
  const slips = data.slips.map((number) => data.plies[number - 1]);
  const rest = data.lines.filter((line) => !slips.some(({ told: text }) => text === line));
  const [lines, shown] = hidden.size
    ? [data.before, slips.filter(({ number }) => data.asked.includes(number))]
    : [rest, slips];
  const entry = (ply) => {
    const { number, headline, told } = ply;
    const small = { class: "button small" };
    return make("li", { "data-ply": number },
      make("p", {}, hidden.has(number) ? headline : told),
      make("div", { class: "row" },
        !hidden.has(number) ? button(t("Show move {n}", { n: number }), () => pick(number), small)
          : ask ? button(t("Find a better move"), () => ask(ply), { class: "button small ask" })
            : null,
        button(t("Try again from move {n}", { n: number }), () => retry(ply),
          { class: "button small retry" })));
  };
  const list = (id, plies) =>
    plies.length
      ? make("ol", { class: "plain mistakes", id }, ...plies.map(entry))
      : make("p", { id }, t("None."));
  const mistakes = shown.filter(({ mistake }) => mistake);
  return [
    make("h3", {}, data.title),
    data.spotless && make("p", { id: "spotless" }, data.spotless),
    make("div", { id: "chart" }, chart(data, pick)),
    make("ul", { class: "plain report-lines" }, ...lines.map((line) => make("li", {}, line))),
    make("h3", {}, t("Mistakes")),
    list("mistakes", mistakes),
    ...(hidden.size
      ? [button(t("Show everything"), () => everything?.(), { class: "button", id: "everything" })]
      : [
          make("h3", {}, t("Inaccuracies")),
          list("inaccuracies", shown.filter(({ mistake }) => !mistake)),
        ]),
  ].filter(Boolean);
}
