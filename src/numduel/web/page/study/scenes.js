// Shows an activity scene by scene, where a page has no other way to show it.

import { Choices, block, inline, tables } from "./activity.js";
import { byId, make, write } from "../common/dom.js";
import { StudyBoard } from "./study.js";

// kept() is called after every scene, and messages are what stands above the board. Returns what
// begins and what draws.
/**
 * @param {import("./activity.js").Activity} activity
 * @param {{ kept?: () => void, messages?: string[] }} [options]
 */
export function scenes(activity, { kept = () => {}, messages } = {}) {
  const board = new StudyBoard(async (move) => draw(await activity.move(move)), messages);
  const choices = new Choices(byId("choices"), act);

  /** @param {string} action @param {string} [given] */
  async function act(action, given) {
    if (activity.waiting) return;
    const before = activity.scene;
    const scene = await activity.act(action, given);
    draw(scene);
    if (scene && before && scene.link !== before.link) byId("scene-title").focus();
    return scene;
  }

  /** @param {Server.Scene | null | undefined} scene */
  function draw(scene) {
    if (!scene) return;
    const { state, moves } = scene;
    const said = scene.said.filter(({ kind }) => kind !== "share");
    write(byId("scene-title"), [scene.title, scene.grade].filter(Boolean).join(", "));
    byId("text").replaceChildren(...scene.text.map(block), ...tables(scene));
    byId("task").replaceChildren(...inline(scene.goal));
    board.showScene(scene, moves && state ? state.to_move : null);
    const words = said.map(({ text }) => text).join(" ");
    write(byId("result"), words);
    // What is said at the end has more room: nobody presses the board any more.
    byId("why").replaceChildren(...(state && !moves && words ? [make("p", {}, words)] : []));
    write(byId("progress"), scene.notes.filter(Boolean).join(" · "));
    choices.show(scene);
    kept();
    activity.follow(draw);
  }

  return { act, draw };
}
