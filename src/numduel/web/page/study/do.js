// Any activity that has no page of its own.

import { Activity } from "./activity.js";
import { byId, show } from "../common/dom.js";
import { copy } from "../common/notify.js";
import { keep, recall } from "../common/storage.js";
import { scenes } from "./scenes.js";

const today = new Date().toLocaleDateString("sv"); // as 2026-11-15
const { name = "", resumes } = byId("activity").dataset;
const left = resumes ? Object(recall(`do.${name}`)) : {};
const activity = new Activity(name, () => ({ today }), left);
const { act, draw } = scenes(activity, { kept });
let shared = ""; // what is to be copied or saved in the end

function kept() {
  if (resumes) keep(`do.${name}`, activity.state);
  shared = activity.scene?.said.find(({ kind }) => kind === "share")?.text ?? "";
  show(byId("shared"), Boolean(shared));
  if (!shared) return;
  const save = byId("save");
  save.href = URL.createObjectURL(new Blob([shared], { type: "application/json" }));
}

// What is saved elsewhere need not be kept here: the next visit begins anew.
const forget = () => keep(`do.${name}`, null);

byId("save").addEventListener("click", forget);
byId("copy").addEventListener("click", ({ currentTarget }) => {
  copy(shared, currentTarget);
  forget();
});
activity.countDown(byId("clock"), draw);

const at = new URLSearchParams(`at=${location.hash.slice(1)}`).get("at") ?? "";
// What was kept may be of an earlier version: then it begins anew.
if ((await act("begin", at)) === null && resumes) {
  activity.state = {};
  await act("begin", at);
}
