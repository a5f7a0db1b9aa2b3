// Any activity that has no page of its own.

import { Activity } from "./activity.js";
import { byId } from "../common/dom.js";
import { scenes } from "./scenes.js";

const today = new Date().toLocaleDateString("sv"); // as 2026-11-15
const activity = new Activity(byId("activity").dataset.name ?? "", () => ({ today }));
const { act, draw } = scenes(activity);
activity.countDown(byId("clock"), draw);
await act("begin", new URLSearchParams(`at=${location.hash.slice(1)}`).get("at") ?? "");
