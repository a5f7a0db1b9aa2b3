// A player's results after an event: their place, the idea they missed most often and its lesson,
// their mistakes and their games.

import { isolated, make } from "../common/dom.js";
import { plural, t } from "../common/language.js";
import { get } from "../common/api.js";
import { accuracyText, eventPath, riskText, speedText } from "./event.js";
import { news } from "./news.js";

const PAUSE = 3000; // milliseconds
const FINISHED = ["played", "forfeit", "time"];

export function eventResults(root) {
  /** @type {Server.Event | null} */
  let ended = null;
  const want = news(async () => {
    if (!ended) return;
    const data = await get(`${eventPath(ended.code)}/me`);
    const games = await Promise.all(data.games.map(looked));
    if (ended) root.replaceChildren(...parts({ ...data, games }, ended));
  }, PAUSE);

  // Games may still be judged after the end: later changes count too.
  return (/** @type {Server.Event} */ event, /** @type {boolean} */ takesPart) => {
    ended = takesPart && event.phase === "ended" ? event : null;
    if (!ended) root.replaceChildren();
    want(ended?.number ?? null);
  };
}

// Adds whether any move was made: the event does not know that of an unfinished game.
/** @param {Server.OwnGame} one */
async function looked(one) {
  if (FINISHED.includes(one.end ?? "")) return { ...one, begun: true };
  const { game: { moves } } = await get(`/api/v1/games/${one.id}`);
  return { ...one, begun: moves.length > 0 };
}

/**
 * @param {OwnSeen} data
 * @param {Server.Event} event
 */
const parts = (data, event) => [
  part("place", placeText(data, event), ...result(data)),
  part("missed", t("What you missed most often"), ...missed(data)),
  part("slips", t("Your mistakes"), ...slips(data.slips)),
  part("games", t("Your games"), games(data.games)),
];

/**
 * @param {OwnSeen} data
 * @param {Server.Event} event
 */
const placeText = ({ standing: { place } }, { players }) =>
  t("Place {place} of {players}", { place: place ?? "–", players: players.length });

const part = (name, title, ...children) =>
  make("section", { id: `own-${name}`, class: "sheet box", "aria-labelledby": `own-${name}-title` },
    make("h2", { id: `own-${name}-title` }, title), ...children);

const line = (text) => make("p", {}, text);

/** @param {Server.OwnPage} data */
function result({ nickname, standing }) {
  const { wins, games, kept, choices, moves } = standing;
  const sentences = [plural("{name}, you have won {wins} of {n} game.",
    "{name}, you have won {wins} of {n} games.", games ?? 0, { name: isolated(nickname), wins: wins ?? 0 })];
  if (choices) {
    const right = plural("Accuracy: {share} ({kept} of {n} choice that mattered).",
      "Accuracy: {share} ({kept} of {n} choices that mattered).", choices,
      { share: accuracyText(standing), kept: kept ?? 0 });
    sentences.push(`${right} ${riskText({ choices, moves: moves ?? 0 })}`.trim());
  }
  if (standing.seconds_per_move !== null) {
    sentences.push(t("You took {time} per move.", { time: speedText(standing) }));
  }
  return sentences.map(line);
}
/** @param {Server.OwnPage} data */
function missed({ missed: [most, ...rest], games: played }) {
  if (!most) {
    const judged = played.every(({ end, judged: looked }) => end !== "played" || looked);
    return [line(judged ? t("Nothing that cost you a game.") : t("Looking at your games…"))];
  }
  return [
    make("p", { class: "idea" }, most.instruction),
    line(`${most.game}, ${often(most)}.`),
    lesson(most),
    ...(rest.length ? [more(plural("{n} more idea", "{n} more ideas", rest.length), rest.map(other))] : []),
  ];
}

/** @param {Server.Missed} missed */
const often = ({ times }) => plural("once", "{n} times", times);

/** @param {Server.Missed} missed */
const lesson = ({ name, step, game }) =>
  make("p", {}, make("a", { class: "button strong", href: `/learn/${name}#${step ?? ""}` },
    t("Do the lesson: {game}", { game })));

/** @param {Server.Missed} one */
const other = (one) => `${one.instruction} (${one.game}, ${often(one)})`;

const more = (title, items) =>
  make("details", {},
    make("summary", {}, title),
    make("ul", {}, ...items.map((item) => make("li", {}, item))));
/** @param {Server.OwnSlip[]} found */
function slips(found) {
  if (!found.length) return [line(t("None."))];
  const [light, heavy] = [true, false].map((is) =>
    found.filter(({ kind }) => (kind === "inaccuracy") === is));
  return [
    ...(heavy.length ? [make("ul", { class: "plain slips" }, ...heavy.map(slip))] : []),
    ...(light.length
      ? [make("details", { open: !heavy.length },
          make("summary", {}, plural("{n} inaccuracy", "{n} inaccuracies", light.length)),
          line(t("A slower win is one, too, but it gives nothing away: accuracy does not count it.")),
          make("ul", { class: "plain slips" }, ...light.map(slip)))]
      : []),
  ];
}

/** @param {Server.OwnSlip} one */
const slip = ({ id, called, opponent, ply, kind, instruction }) =>
  make("li", {},
    make("a", { href: `/play/${id}?move=${ply}` },
      t("{game} with {name}, move {n}", { game: called, name: isolated(opponent), n: ply })),
    kind === "broken" ? make("span", { class: "soft" }, ` ${t("broke a rule")}`) : null,
    make("p", {}, instruction));

/** @param {OwnSeen["games"]} played */
const games = (played) =>
  played.length
    ? make("ul", { class: "plain my-games" }, ...played.map(game))
    : line(t("You have not played."));

/** @param {OwnSeen["games"][0]} one */
const game = (one) =>
  make("li", {}, make("a", { class: "mine", href: `/play/${one.id}` },
    make("strong", {}, one.called),
    make("span", { class: "mine-who" }, t("with {name}", { name: isolated(one.opponent) })),
    make("span", { class: "mine-state" }, ending(one))));

/** @param {OwnSeen["games"][0]} one */
function ending({ end, won, opponent, begun }) {
  if (end === "time") return won ? t("You won on time") : t("Your time ran out");
  if (end === "forfeit") {
    return won ? t("Given to you") : t("Given to {name}", { name: isolated(opponent) });
  }
  if (end === "played") return won ? t("You won") : t("You lost");
  return begun ? t("Not finished: counts for nobody") : t("Not played");
}
