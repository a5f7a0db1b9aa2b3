// Any activity that has no page of its own.

import { Activity, Choices, block, inline, tables } from "./activity.js";
import { byId, write } from "../common/dom.js";
import { StudyBoard } from "./study.js";

const today = new Date().toLocaleDateString("sv"); // as 2026-11-15
const activity = new Activity(byId("activity").dataset.name ?? "", () => ({ today }));
const board = new StudyBoard(async (move) => draw(await activity.move(move)));
const choices = new Choices(byId("choices"), act);

async function act(action, given) {
  if (activity.waiting) return;
  const before = activity.scene;
  const scene = await activity.act(action, given);
  draw(scene);
  if (scene && before && scene.link !== before.link) byId("scene-title").focus();
}

/** @param {Server.Scene | null | undefined} scene */
function draw(scene) {
  if (!scene) return;
  const { state, said, moves } = scene;
  write(byId("scene-title"), [scene.title, scene.grade].filter(Boolean).join(", "));
  byId("text").replaceChildren(...scene.text.map(block), ...tables(scene));
  byId("task").replaceChildren(...inline(scene.goal));
  board.showScene(scene, moves && state ? state.to_move : null);
  write(byId("result"), said.map(({ text }) => text).join(" "));
  write(byId("progress"), scene.notes.join(" · "));
  choices.show(scene);
  activity.follow(draw);
}

activity.countDown(byId("clock"), draw);

await act("begin", new URLSearchParams(`at=${location.hash.slice(1)}`).get("at") ?? "");
